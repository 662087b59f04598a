/* noether init: a small model with comments, to begin with. */
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/templates.h"
#include "driver/model.h"

struct starter {
    const char *language, *file, *text;
    const char *properties; /* text of the file beside it; NULL: none */
};

static const struct starter starters[] = {
    {"murphi", "model.m", template_murphi_m, NULL},
    {"prism", "model.prism", template_prism_prism, template_prism_props},
    {"promela", "model.pml", template_promela_pml, NULL},
    {"boolean", "model.bp", template_boolean_bp, NULL},
};
enum { STARTERS = sizeof starters / sizeof *starters };

static const struct starter *starter_of(const char *language)
{
    for (size_t i = 0; language && i < STARTERS; i++)
        if (!strcmp(starters[i].language, language))
            return &starters[i];
    return NULL;
}

/* The template with the names of the files that are written. */
static void fill(const char *template, const char *path, struct text *out)
{
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/'), *hole;
    size_t stem = dot && (!slash || dot > slash) ? (size_t)(dot - path) : strlen(path);
    for (; (hole = strstr(template, "FILE")); template = hole + 4) {
        text_append_n(out, template, (size_t)(hole - template));
        if (hole[4] == '.')
            text_append_n(out, path, stem);
        else
            text_append(out, path);
    }
    text_append(out, template);
}

/* False after a message. What is there is never replaced. */
static bool write_new(const char *template, const char *path, const char *model)
{
    struct stat status;
    struct text text = {0};
    if (!lstat(path, &status)) {
        cli_fail("%s is there already; noether init LANGUAGE FILE writes another file", path);
        return false;
    }
    fill(template, model, &text);
    bool is_written = cli_write_text(path, &text);
    text_free(&text);
    return is_written;
}

static int write_starter(const struct starter *starter, const char *path)
{
    struct text properties = {0};
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    text_append_n(&properties, path, dot && (!slash || dot > slash) ? (size_t)(dot - path) : strlen(path));
    text_append(&properties, ".props");
    bool is_written = write_new(starter->text, path, path) &&
                      (!starter->properties || write_new(starter->properties, text_chars(&properties), path));
    struct text told = {0};
    text_format(&told, "%s%s%s: try \"noether check %s%s%s\"\n", path, starter->properties ? ", " : "",
                starter->properties ? text_chars(&properties) : "", path, starter->properties ? " " : "",
                starter->properties ? text_chars(&properties) : "");
    int code = is_written ? cli_print(&told, EXIT_HOLDS) : EXIT_USAGE;
    text_free(&told);
    text_free(&properties);
    return code;
}

int command_init(const struct options *options)
{
    const char *first = options->operands.count ? options->operands.items[0] : "murphi";
    const char *path = options->operands.count > 1 ? options->operands.items[1] : NULL;
    const struct starter *starter = starter_of(first);
    if (!starter && !path) { /* a file alone: its extension says which language */
        path = first;
        starter = starter_of(model_language(NULL, path));
    }
    const char *named = path ? model_language(NULL, path) : NULL;
    if (starter && named && strcmp(named, starter->language))
        return cli_fail("%s is named as models of %s are; noether init %s %s, or another name", path, named, named,
                        path);
    if (!starter)
        return cli_fail("noether init has no model for \"%s\"; there are murphi, prism, promela and boolean", first);
    if (path && !strcmp(path, "-")) {
        struct text text = {0};
        fill(starter->text, starter->file, &text);
        int code = cli_print(&text, EXIT_HOLDS);
        text_free(&text);
        return code;
    }
    return write_starter(starter, path ? path : starter->file);
}
