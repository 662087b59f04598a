/* The one adapter to libedit. */
#include "cli/line.h"

#include <editline/readline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

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

char *line_read(const char *prompt)
{
    if (!line_is_asked())
        return take_line(read_plain());
    char *line = readline(prompt);
    if (line && line[strspn(line, " \t")])
        add_history(line);
    return take_line(line);
}
