#include <string.h>

#include "cli/cli.h"

/* A word that a shell reads as it is. */
static void append_shell_word(const char *word, struct text *out)
{
    if (*word && word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./%@")] == 0) {
        text_append(out, word);
        return;
    }
    text_char(out, '\'');
    for (const char *c = word; *c; c++)
        if (*c == '\'')
            text_append(out, "'\\''");
        else
            text_char(out, *c);
    text_char(out, '\'');
}

void cli_command_line(const struct options *options, struct text *out)
{
    text_append(out, "noether check");
    for (size_t i = 0; i < options->word_count; i++) {
        text_char(out, ' ');
        append_shell_word(options->words[i], out);
    }
}
