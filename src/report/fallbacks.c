/* What was done without a reduction that the answer names or the user asked for: one line each, and the list in the
 * JSON answer. Engines record their fallbacks in the result (result/fallback.h); the driver and the trial of the
 * explicit engine have words of their own in the text, which the JSON list repeats. */
#include <stdlib.h>
#include <string.h>

#include "report/fallbacks.h"

bool report_gave_up_symmetry(const struct report *report)
{
    const char *kept = report->result ? report->result->representative : NULL;
    return kept && !strcmp(kept, "none") && !report->symmetry_is_off && !symmetry_is_trivial(report->symmetry);
}

static void print_properties(const struct fallback *fallback, struct text *out)
{
    size_t count = fallback->names.count;
    if (!count)
        return;
    text_format(out, " for \"%s\" of line %u", fallback->names.items[0], fallback->lines.items[0]);
    if (count > 1)
        text_format(out, " and %zu more", count - 1);
}

void report_text_fallbacks(const struct report *report, const struct report_style *style, struct text *out)
{
    for (size_t i = 0; report->result && i < report->result->fallbacks.count; i++) {
        const struct fallback *fallback = &report->result->fallbacks.items[i];
        text_append(out, "  ");
        style_paint(style, COLOUR_DOUBT, out, "given up  ");
        text_append(out, fallback->what);
        print_properties(fallback, out);
        text_format(out, ": %s\n", fallback->why);
    }
}

static void push(struct json *list, const char *what, const struct fallback *fallback, const char *why)
{
    struct json *object = json_make_object(), *names = json_make_array();
    for (size_t i = 0; fallback && i < fallback->names.count; i++)
        json_push(names, json_make_text(fallback->names.items[i]));
    json_set(object, "what", json_make_text(what));
    json_set(object, "properties", names);
    json_set(object, "why", json_make_text(why));
    json_push(list, object);
}

struct json *report_json_fallbacks(const struct report *report)
{
    struct json *list = json_make_array();
    const struct result *result = report->result;
    if (report->set_aside && *report->set_aside)
        push(list, "symmetry", NULL, report->set_aside);
    if (report_gave_up_symmetry(report))
        push(list, "symmetry", NULL, "it does not pay");
    if (result->statistics.thinning_refusal)
        push(list, "partial-order reduction", NULL, result->statistics.thinning_refusal);
    for (size_t i = 0; i < result->fallbacks.count; i++)
        push(list, result->fallbacks.items[i].what, &result->fallbacks.items[i], result->fallbacks.items[i].why);
    return list;
}
