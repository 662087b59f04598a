#include <unistd.h>

#include "cli/cli.h"

static int print_symmetry(const struct options *options, const struct symmetry *symmetry)
{
    const char *json = options->values[OPTION_JSON];
    if (json && !cli_write_json(json, report_json_symmetry(symmetry)))
        return EXIT_USAGE;
    if (json && json[0] == '-' && !json[1])
        return 0;
    struct text text = {0};
    struct report_style style = {.colour = cli_wants_colour(STDOUT_FILENO)};
    report_text_symmetry(symmetry, false, true, &style, &text);
    int code = cli_print(&text, 0);
    text_free(&text);
    return code;
}

int command_symmetry(const struct options *options)
{
    const char *json = options->values[OPTION_JSON];
    if (json && !cli_can_write(json, options->operands.items[0]))
        return EXIT_USAGE;
    struct model *model =
        cli_load(options, options->operands.items[0], options->defines.items, options->defines.count);
    if (!model)
        return EXIT_USAGE;
    struct detection detection = detect_symmetry(model->system);
    int code = print_symmetry(options, detection.symmetry);
    detection_free(&detection);
    model_destroy(model);
    return code;
}
