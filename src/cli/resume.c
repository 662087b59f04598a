/* noether resume: the command that the checkpoint names, with other limits, threads and outputs; and the checkpoint of
 * a check. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/cli.h"
#include "driver/keeping.h"
#include "ranks/transport.h"

/* --- paths --- */

static char *absolute_path(const char *prefix, size_t length, const char *path, const char *folder)
{
    struct text text = {0};
    text_append_n(&text, prefix, length);
    if (*path != '/' && strcmp(path, "-") != 0)
        text_format(&text, "%s/", folder);
    text_append(&text, path);
    return text.chars;
}

/* A file that the word names, or ends with (--json=FILE); NULL: none. */
static const char *path_in_word(const struct options *options, const char *word)
{
    static const enum option_id files[] = {OPTION_PROPERTIES, OPTION_JSON,       OPTION_TRACE,
                                           OPTION_REPORT,     OPTION_CHECKPOINT, OPTION_DISK};
    for (size_t i = 0; i < options->operands.count; i++)
        if (options->operands.items[i] == word)
            return word;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *value = options->values[files[i]];
        if (value && value >= word && value <= word + strlen(word))
            return value;
    }
    return NULL;
}

/* The words of the command with paths that do not depend on the working directory; the array and the words are on the
 * heap. */
static char **options_absolute_words(const struct options *options)
{
    char **words = memory_zeroed(options->word_count + 1, sizeof *words);
    char *folder = getcwd(NULL, 0);
    for (size_t i = 0; i < options->word_count; i++) {
        const char *word = options->words[i], *path = folder ? path_in_word(options, word) : NULL;
        words[i] = path ? absolute_path(word, (size_t)(path - word), path, folder) : memory_string(word);
    }
    free(folder);
    return words;
}

/* --- resume --- */

/* What was given with another command replaces what there is. */
static void options_override(struct options *options, const struct options *others)
{
    for (int id = 0; id < OPTION_COUNT; id++)
        if (others->values[id] && others->values[id] != option_rows[id].standard)
            options->values[id] = others->values[id];
}

/* The manifest may be from somebody else: the files that its command writes are named, and written only if `resume`
 * itself names them. */
static void drop_outputs(struct options *kept, const struct options *asked)
{
    static const enum option_id outputs[] = {OPTION_JSON, OPTION_CSV, OPTION_TRACE, OPTION_REPORT, OPTION_CERTIFICATE};
    struct text dropped = {0};
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        const char *path = kept->values[outputs[i]];
        if (!path || !strcmp(path, "-"))
            continue;
        kept->values[outputs[i]] = NULL;
        if (!asked->values[outputs[i]])
            text_format(&dropped, "%s--%s %s", dropped.length ? ", " : "", option_rows[outputs[i]].name, path);
    }
    kept->values[OPTION_WATCH] = NULL;
    bool is_first = !asked->transport || !asked->transport->rank;
    if (dropped.length && is_first)
        cli_note("the search was begun with %s: not written, unless resume is given it again", text_chars(&dropped));
    text_free(&dropped);
}

/* Several processes go on where `resume` itself says so, whatever the search was begun with. */
static bool resume_open_transport(struct options *options, struct text *why)
{
    struct text reason = {0};
    if (!options->values[OPTION_DISTRIBUTED])
        return true;
    options->transport = transport_open(&reason);
    if (!options->transport)
        text_format(why, "--distributed: %s", text_chars(&reason));
    text_free(&reason);
    return options->transport != NULL;
}

bool resume_begin(struct options *options)
{
    struct text why = {0};
    char **words = NULL;
    size_t count;
    bool is_open = resume_open_transport(options, &why);
    struct options asked = *options, kept = {0};
    struct checkpoint *checkpoint =
        is_open ? keeping_open(asked.operands.items[0], asked.transport, &words, &count, &why) : NULL;
    bool is_good = checkpoint && options_parse(&kept, COMMAND_CHECK, (int)count, words, &why);
    if (!is_good && (!asked.transport || !asked.transport->rank))
        cli_fail("%s", text_chars(&why));
    if (!is_good && asked.transport)
        asked.transport->finish();
    if (is_good)
        drop_outputs(&kept, &asked);
    options_override(&kept, &asked);
    kept.values[OPTION_DISTRIBUTED] = asked.values[OPTION_DISTRIBUTED];
    kept.transport = asked.transport;
    options_free(&asked);
    kept.resumed = checkpoint;
    kept.own_words = words;
    *options = kept;
    text_free(&why);
    return is_good;
}

void resume_end(struct options *options)
{
    keeping_close(options->resumed);
    options->resumed = NULL;
    for (size_t i = 0; options->own_words && options->own_words[i]; i++)
        free(options->own_words[i]);
    free(options->own_words);
}

/* --- a check --- */

static struct checkpoint *keep_create(const struct options *options, const struct model *model, struct text *why)
{
    char **words = options_absolute_words(options);
    struct checkpoint *checkpoint =
        keeping_create(options->values[OPTION_CHECKPOINT], options->transport, model, words, options->word_count, why);
    for (size_t i = 0; i < options->word_count; i++)
        free(words[i]);
    free(words);
    return checkpoint;
}

bool keep_open(const struct options *options, const struct model *model, struct checkpoint **checkpoint)
{
    struct text why = {0};
    bool is_good = true;
    *checkpoint = NULL;
    if (options->resumed) {
        *checkpoint = options->resumed;
        is_good = keeping_fits(*checkpoint, model, &why);
    } else if (options->values[OPTION_CHECKPOINT]) {
        *checkpoint = keep_create(options, model, &why);
        is_good = *checkpoint != NULL;
    }
    if (!is_good)
        cli_fail("%s", why.chars);
    text_free(&why);
    return is_good;
}
