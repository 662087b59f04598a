#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/partial.h"
#include "cli/stale.h"
#include "observe/audit.h"
#include "driver/inspect.h"

enum { AUDIT_MOST_STATES = 1000 * 1000, EXIT_AUDIT = 1 };

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
    if (options->values[OPTION_GENERATORS])
        report_text_generators(symmetry, &text);
    if (!system_is_ground(symmetry->system))
        report_text_rules(rules, &style, &text);
    int code = cli_print(&text, 0);
    text_free(&text);
    return code;
}

/* Asked of all reachable states. */
static int audit_group(const struct layout *layout, const struct symmetry *symmetry)
{
    struct text why = {0}, text = {0};
    struct audit *audit = audit_open(layout, symmetry, AUDIT_REACHABLE, AUDIT_MOST_STATES);
    if (!audit && watch_is_up())
        return EXIT_HOLDS; /* it was cut: the caller says so */
    if (!audit)
        return cli_fail("the audit takes models of up to %d states without symmetry", AUDIT_MOST_STATES);
    bool is_fine = audit_symmetry(audit, symmetry, &why);
    text_format(&text, "audit: %u states, %llu steps: ", audit_states(audit), (unsigned long long)audit_steps(audit));
    if (is_fine)
        text_format(&text, "every generator takes states to states and steps to steps; %u orbits", audit_orbits(audit));
    else
        text_append(&text, text_chars(&why));
    text_char(&text, '\n');
    cli_say(&text);
    text_free(&text);
    text_free(&why);
    audit_close(audit);
    int code = is_fine ? 0 : EXIT_AUDIT;
    for (uint32_t p = 0; p < symmetry->part_count && !code; p++)
        code = audit_group(symmetry->parts[p].layout, symmetry->parts[p].symmetry);
    return code;
}

/* What the group would be if processes could disappear in any order, where it is larger then. */
static void suggest_any_death(const struct options *options, const struct model *model, const struct symmetry *symmetry)
{
    struct options any = *options;
    int code;
    any.values[OPTION_PROCESS_DEATH] = "any";
    struct model *other =
        model->system->orders_deaths ? cli_load(&any, options->defines.items, options->defines.count, &code) : NULL;
    if (!other)
        return;
    struct inspection inspection = inspect_symmetry(other);
    char *order = symmetry_order_digits(symmetry), *larger = symmetry_order_digits(inspection.view->symmetry);
    struct text text = {0};
    if (strlen(larger) > strlen(order) || (strlen(larger) == strlen(order) && strcmp(larger, order) > 0))
        text_format(
            &text,
            "hint: processes disappear in the order of their pids, as in SPIN; with --process-death any the group "
            "has order %s\n",
            larger);
    cli_say(&text);
    text_free(&text);
    free(order);
    free(larger);
    inspection_free(&inspection);
    model_destroy(other);
}

int command_symmetry(const struct options *given)
{
    struct options settled = *given, *options = &settled;
    const char *json = options->values[OPTION_JSON];
    if (json && !cli_can_write(json, options))
        return EXIT_USAGE;
    stale_expect(json);
    int code;
    struct model *model = cli_load_for_symmetry(options, &code);
    if (!model && code == EXIT_UNKNOWN && json) {
        struct stop stop = watch_stop(watch_of_thread);
        cli_write_json(json, report_json_unread_symmetry(&stop));
    }
    if (!model)
        return code;
    struct loaded loaded = {.model = model};
    partial_set_model(&loaded);
    struct inspection inspection = inspect_symmetry(model);
    const struct symmetry *symmetry = inspection.view->symmetry;
    code = print_symmetry(options, symmetry, inspection.rules);
    if (!code && !symmetry->cut_short)
        suggest_any_death(options, model, symmetry);
    if (!code && options->values[OPTION_AUDIT])
        partial_begin(options); /* the group is shown; that the audit ends in time is watched as well */
    if (!code && options->values[OPTION_AUDIT] && !watch_is_up())
        code = audit_group(inspection.view->layout, symmetry);
    bool is_cut = code == 0 && (symmetry->cut_short || (options->values[OPTION_AUDIT] && watch_is_up()));
    inspection_free(&inspection);
    model_destroy(model);
    return is_cut ? interrupt_code(options, code) : code;
}
