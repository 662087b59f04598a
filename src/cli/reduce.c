#include <stdio.h>

#include "base/output.h"
#include "cli/cli.h"
#include "driver/reduce.h"

static int reduce_loaded(const struct options *options, const struct model *model, const char *path)
{
    struct diagnostics diagnostics = {0};
    struct reduce_summary summary;
    struct text text = {0}, messages = {0};
    int code = EXIT_USAGE;
    bool keep_dead = options_choice(options, OPTION_DEAD) == 1;
    if (!reduce_model(model, keep_dead, &diagnostics, &text, &summary)) {
        diag_print(&diagnostics, &messages);
        fputs(text_chars(&messages), stderr);
    } else {
        const char *reason = output_write(path, text_chars(&text), text.length);
        code = reason ? cli_fail("cannot write %s: %s", path, reason) : 0;
    }
    if (!code)
        fprintf(stderr, "noether: %u counters, %zu rules\n", summary.locations, summary.rules);
    if (!code && summary.remark)
        fprintf(stderr, "noether: note: %s\n", summary.remark);
    diag_free(&diagnostics);
    text_free(&text);
    text_free(&messages);
    return code;
}

int command_reduce(const struct options *options)
{
    const char *path = options->values[OPTION_OUTPUT] ? options->values[OPTION_OUTPUT] : "-";
    if (!cli_can_write(path, options->operands.items[0]))
        return EXIT_USAGE;
    struct model *model =
        cli_load(options, options->operands.items[0], options->defines.items, options->defines.count);
    if (!model)
        return EXIT_USAGE;
    int code = reduce_loaded(options, model, path);
    model_destroy(model);
    return code;
}
