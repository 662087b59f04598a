/* noether format: models and properties in their standard layout (base/format.h). noether lsp: the language server. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/format.h"
#include "base/output.h"
#include "cli/cli.h"
#include "lsp/server.h"

enum { EXIT_DIFFERS = 1 };

static bool is_there(void *user, const char *path)
{
    (void)user;
    return !access(path, R_OK);
}

/* The language of the text, and whether it is a file of properties: then it is that of the model beside it. */
static const struct language *language_of(const struct options *options, const char *path, bool *asks)
{
    const char *name = options->values[OPTION_LANGUAGE];
    const struct language *asked = model_asked_language(path);
    *asks = asked != NULL;
    if (!asked || name)
        return model_find_language(name, path);
    char *model = model_of_properties(path, is_there, NULL);
    const struct language *language = model ? model_find_language(NULL, model) : asked;
    free(model);
    return language;
}

/* What becomes of the text; false after a message. */
static bool lay_out(const struct options *options, const char *path, const struct source *source, struct text *out)
{
    bool asks;
    const struct language *language = language_of(options, path, &asks);
    struct diagnostics diagnostics = {0};
    struct text message = {0};
    bool is_good = false;
    if (!language)
        cli_fail("%s: the extension does not tell the language; say --language", path);
    else if (!language->lay_out)
        cli_fail("%s: there is no layout for %s models", path, language->title);
    else if (memchr(source->text, '\0', source->length))
        cli_fail("%s: this is not a text file", path);
    else {
        is_good = format_source(source, asks, language->lay_out, out, &diagnostics);
        if (!is_good)
            diag_print(&diagnostics, &message);
        cli_say(&message);
    }
    text_free(&message);
    diag_free(&diagnostics);
    return is_good;
}

/* The exit code for one file. */
static int format_one(const struct options *options, const char *path)
{
    const char *reason;
    struct source *source = source_read(path, &reason);
    struct text made = {0};
    if (!source)
        return cli_fail("cannot read %s: %s", path, reason);
    int code = EXIT_USAGE;
    if (lay_out(options, path, source, &made)) {
        bool differs = made.length != source->length || memcmp(text_chars(&made), source->text, made.length) != 0;
        code = EXIT_HOLDS;
        if (options->values[OPTION_IS_FORMATTED] && differs) {
            struct text line = {0};
            text_format(&line, "%s\n", path);
            cli_tell(&line);
            text_free(&line);
            code = EXIT_DIFFERS;
        } else if (options->values[OPTION_IN_PLACE] && differs)
            code = cli_write_text(path, &made) ? EXIT_HOLDS : EXIT_USAGE;
        else if (!options->values[OPTION_IS_FORMATTED] && !options->values[OPTION_IN_PLACE])
            code = cli_write_text("-", &made) ? EXIT_HOLDS : EXIT_USAGE;
    }
    text_free(&made);
    source_free(source);
    return code;
}

int command_format(const struct options *options)
{
    int worst = EXIT_HOLDS;
    if (options->values[OPTION_IS_FORMATTED] && options->values[OPTION_IN_PLACE])
        return cli_fail("--check writes nothing: it cannot go with --write");
    for (size_t i = 0; i < options->operands.count && !watch_is_up(); i++) {
        if (options->values[OPTION_IN_PLACE] && !strcmp(options->operands.items[i], "-"))
            return cli_fail("standard input cannot be written");
        int code = format_one(options, options->operands.items[i]);
        worst = code > worst ? code : worst;
    }
    return worst;
}

int command_lsp(const struct options *options)
{
    (void)options;
    return server_run(STDIN_FILENO, STDOUT_FILENO);
}
