#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/output.h"
#include "cli/partial.h"
#include "driver/reduce.h"

/* out.prism -> out.props */
static char *properties_path(const char *path)
{
    struct text out = {0};
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    bool has_extension = dot && dot > (slash ? slash + 1 : path);
    text_append_n(&out, path, has_extension ? (size_t)(dot - path) : strlen(path));
    text_append(&out, ".props");
    return out.chars;
}

/* If the model goes to standard output, its properties follow as comments. */
static void append_comments(struct text *model, const char *properties)
{
    text_append(model, *properties ? "\n// Properties:\n" : "");
    while (*properties) {
        size_t length = strcspn(properties, "\n");
        text_append(model, "// ");
        text_append_n(model, properties, length);
        text_char(model, '\n');
        properties += length + (properties[length] == '\n');
    }
}

static int write_file(const char *path, const struct text *text)
{
    partial_end();
    const char *reason = output_write(path, text_chars(text), text->length);
    return reason ? cli_fail("cannot write %s: %s", path, reason) : 0;
}

static int write_both(const char *path, struct text *model, const struct text *properties)
{
    if (!strcmp(path, "-"))
        append_comments(model, text_chars(properties));
    int code = write_file(path, model);
    if (code || !properties->length || !strcmp(path, "-"))
        return code;
    char *other = properties_path(path);
    code = write_file(other, properties);
    free(other);
    return code;
}

static int reduce_loaded(const struct options *options, const struct model *model, const char *path)
{
    struct diagnostics diagnostics = {0};
    struct reduce_summary summary;
    struct text text = {0}, properties = {0}, messages = {0};
    int code = EXIT_USAGE;
    bool keep_dead = options_choice(options, OPTION_DEAD) == 1;
    if (reduce_model(model, keep_dead, &diagnostics, &text, &properties, &summary))
        code = write_both(path, &text, &properties);
    if (!watch_is_up()) /* else it is not known what would have been refused */
        diag_print(&diagnostics, &messages);
    cli_say(&messages);
    if (!code)
        fprintf(stderr, "noether: %u counters, %zu rules\n", summary.locations, summary.rules);
    if (!code && summary.remark)
        cli_fail("note: %s", summary.remark);
    if (!code && summary.left_out) {
        fprintf(stderr, "noether: %zu %s left out, see above\n", summary.left_out,
                summary.left_out == 1 ? "property is" : "properties are");
        code = EXIT_UNKNOWN;
    }
    diag_free(&diagnostics);
    text_free(&text);
    text_free(&properties);
    text_free(&messages);
    return code;
}

/* The properties of a PRISM model go to a file that the user did not name: it is overwritten only together with the
 * model that was written with it. */
static bool can_write_properties(const char *path, const struct options *options)
{
    struct stat status;
    const char *language = model_language(options->values[OPTION_LANGUAGE], options->operands.items[0]);
    if (!strcmp(path, "-") || !language || strcmp(language, "prism"))
        return true;
    char *other = properties_path(path);
    bool is_taken = stat(path, &status) && !stat(other, &status);
    if (is_taken)
        cli_fail("cannot write %s, where the properties of %s belong: it exists", other, path);
    bool is_good = !is_taken && cli_can_write(other, options);
    free(other);
    return is_good;
}

int command_reduce(const struct options *options)
{
    const char *path = options->values[OPTION_OUTPUT] ? options->values[OPTION_OUTPUT] : "-";
    if (!cli_can_write(path, options) || !can_write_properties(path, options))
        return EXIT_USAGE;
    int code;
    struct model *model = cli_load(options, options->defines.items, options->defines.count, &code);
    if (!model)
        return code;
    code = reduce_loaded(options, model, path);
    model_destroy(model);
    return code == EXIT_USAGE ? interrupt_code(options, code) : code;
}
