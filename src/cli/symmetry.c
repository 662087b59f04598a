#include <unistd.h>

#include "cli/cli.h"
#include "driver/rules.h"

static int print_symmetry(const struct options *options, const struct symmetry *symmetry,
                          const struct rule_partitions *rules)
{
    const char *json = options->values[OPTION_JSON];
    if (json) {
        struct json *answer = report_json_symmetry(symmetry);
        json_set(answer, "rules", report_json_rules(rules));
        if (!cli_write_json(json, answer))
            return EXIT_USAGE;
    }
    if (json && json[0] == '-' && !json[1])
        return 0;
    struct text text = {0};
    struct report_style style = {.colour = cli_wants_colour(STDOUT_FILENO),
                                 .verbose = options->values[OPTION_VERBOSE] != NULL};
    report_text_symmetry(symmetry, false, true, &style, &text);
    report_text_rules(rules, &style, &text);
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
    struct detection detection = detect_symmetry(model->system, NULL);
    struct layout *layout = layout_create(detection.system);
    struct rule_partitions *rules = rules_find(layout, detection.symmetry, RULES_WORK_TO_SHOW);
    int code = print_symmetry(options, detection.symmetry, rules);
    rule_partitions_destroy(rules);
    layout_destroy(layout);
    detection_free(&detection);
    model_destroy(model);
    return code;
}
