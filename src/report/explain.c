/* Why the last state of a run is bad, in words. */
#include "report/report.h"
#include "report/style.h"
#include "result/explain_formula.h"

static void explain_property(const struct property *property, const struct trace *trace,
                             const struct explanation *root, const struct report_style *style, struct text *out)
{
    struct text name = {0};
    style_property(property, &name);
    style_paint(style, COLOUR_STRONG, out, "%s", name.chars);
    text_format(out, " %s after step %u:\n",
                root->outcome == EXPLAINED_TRUE ? "is true" : root->outcome == EXPLAINED_FALSE ? "is false" : "fails",
                trace->count - 1);
    explanation_print(root, "  ", out);
    text_free(&name);
}

/* Every invariant that is not true in the state, except `but`. */
static bool explain_others(const struct trace *trace, const int32_t *cells, const struct property *but,
                           const struct report_style *style, struct text *out)
{
    bool has_any = false;
    for (size_t i = 0; i < trace->system->properties.count; i++) {
        const struct property *property = trace->system->properties.items[i];
        if (property == but || property->kind != PROPERTY_INVARIANT)
            continue;
        struct explanation *root = explain_formula(trace->layout, property->formula, cells);
        bool is_bad = root->outcome != EXPLAINED_TRUE;
        if (is_bad) {
            text_append(out, has_any || but ? "\n" : "");
            explain_property(property, trace, root, style, out);
        }
        has_any |= is_bad;
        explanation_destroy(root);
    }
    return has_any;
}

static void explain_fault(const struct trace *trace, const struct report_style *style, struct text *out)
{
    struct report_style plain = *style;
    plain.full_states = false;
    text_append(out, "the last step fails:\n");
    report_text_step(trace, trace->count - 1, &plain, out);
}

void report_text_why(const struct trace *trace, const struct property *property, const struct report_style *style,
                     struct text *out)
{
    const int32_t *cells = trace->steps[trace->count - 1].cells;
    if (!cells) {
        explain_fault(trace, style, out);
        return;
    }
    bool has_formula = property->formula && property->kind != PROPERTY_LIVENESS;
    if (has_formula) {
        struct explanation *root = explain_formula(trace->layout, property->formula, cells);
        explain_property(property, trace, root, style, out);
        explanation_destroy(root);
    }
    bool has_others = explain_others(trace, cells, has_formula ? property : NULL, style, out);
    if (!has_formula && !has_others)
        text_format(out, "no invariant is false after step %u\n", trace->count - 1);
}
