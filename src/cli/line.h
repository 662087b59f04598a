/* Lines from a person, with editing and history, or from a script. */
#ifndef NOETHER_CLI_LINE_H
#define NOETHER_CLI_LINE_H

#include <stdbool.h>

/* Are standard input and output a terminal? */
bool line_is_asked(void);
/* The next line of standard input without its end, on the heap; NULL at the end. The prompt is for people only. */
char *line_read(const char *prompt);

/* What the tabulator completes: words that stay where they are until they are forgotten. */
void line_add_word(const char *word);
void line_forget_words(void);

#endif
