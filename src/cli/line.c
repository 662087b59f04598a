/* The one adapter to libedit. */
#include "cli/line.h"

#include <editline/readline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/vec.h"

bool line_is_asked(void)
{
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

static char *read_plain(void)
{
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length = getline(&line, &capacity, stdin);
    if (length < 0) {
        (free)(line);
        return NULL;
    }
    if (length && line[length - 1] == '\n')
        line[length - 1] = '\0';
    return line;
}

/* A block of the C library, as one of ours. */
static char *take_line(char *line)
{
    char *own = line ? memory_string(line) : NULL;
    (free)(line);
    return own;
}

/* libedit calls without an argument of ours: what it completes is global. */
static struct {
    VEC(const char *) list;
    size_t next;
} words;

void line_add_word(const char *word)
{
    VEC_PUSH(&words.list, word);
}

void line_forget_words(void)
{
    VEC_FREE(&words.list);
}

/* The next word that begins so, as a block of the C library; NULL: there are no more. */
static char *next_word(const char *beginning, int is_again)
{
    words.next = is_again ? words.next : 0;
    while (words.next < words.list.count) {
        const char *word = words.list.items[words.next++];
        if (!strncmp(word, beginning, strlen(beginning)))
            return strdup(word);
    }
    return NULL;
}

char *line_read(const char *prompt)
{
    if (!line_is_asked())
        return take_line(read_plain());
    rl_completion_entry_function = next_word;
    char *line = readline(prompt);
    if (line && line[strspn(line, " \t")])
        add_history(line);
    return take_line(line);
}
