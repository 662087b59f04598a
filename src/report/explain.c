/* Why the last state of a run is bad, in words. */
#include "ir/instance.h"
#include "report/report.h"
#include "report/style.h"
#include "result/explain_ctl.h"

static void explain_property(const struct property *property, const struct trace *trace, const struct explanation *root,
                             const struct report_style *style, struct text *out)
{
    struct text name = {0};
    if (property->kind == PROPERTY_DEADLOCK)
        text_append(&name, "the final condition");
    else
        style_property(property, &name);
    style_paint(style, COLOUR_STRONG, out, "%s", name.chars);
    text_format(out, " %s after step %u:\n",
                root->outcome == EXPLAINED_TRUE    ? "is true"
                : root->outcome == EXPLAINED_FALSE ? "is false"
                                                   : "fails",
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
            text_append(out, out->length ? "\n" : "");
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

/* How far into the guard its evaluation comes: of a false conjunction, where the false operand stands. */
static struct span reach_of(const struct explanation *root)
{
    bool is_chain = root && root->outcome == EXPLAINED_FALSE && root->part_count == 1 && root->parts[0]->expr &&
                    root->expr->kind == EXPR_BINARY && root->expr->op == OP_AND;
    return is_chain ? root->parts[0]->expr->span : (struct span){0};
}

/* The instance that says most: one that changes nothing, or whose guard is false latest; of the first ones. */
static uint64_t telling_instance(const struct trace *trace, const struct rule *rule, const int32_t *cells)
{
    enum { MOST_INSTANCES = 64 };
    uint64_t count = rule->instance_count, best = 0;
    struct span furthest = {0};
    for (uint64_t i = 0; rule->guard && i < count && i < MOST_INSTANCES; i++) {
        struct explanation *root = explain_guard(trace->layout, rule, i, cells);
        struct span reach = reach_of(root);
        bool is_enabled = root && root->outcome == EXPLAINED_TRUE;
        bool is_further = reach.line > furthest.line || (reach.line == furthest.line && reach.column > furthest.column);
        explanation_destroy(root);
        if (is_enabled)
            return i;
        if (is_further) {
            furthest = reach;
            best = i;
        }
    }
    return best;
}

/* One instance of each rule, as an example: why it cannot be taken, or that it changes nothing. */
static void explain_rule(const struct trace *trace, const struct rule *rule, const int32_t *cells, struct text *out)
{
    uint64_t instance = telling_instance(trace, rule, cells);
    struct explanation *root = explain_guard(trace->layout, rule, instance, cells);
    struct text name = {0};
    instance_print(rule, instance, &name);
    bool is_enabled = root ? root->outcome == EXPLAINED_TRUE : !rule->guard && !rule->prelude.count;
    text_format(out, "  %s %s\n", text_chars(&name),
                is_enabled ? "changes nothing"
                : root     ? "is not enabled:"
                           : "cannot be taken, or changes nothing");
    if (root && !is_enabled)
        explanation_print(root, "    ", out);
    text_free(&name);
    explanation_destroy(root);
}

static void explain_deadlock(const struct trace *trace, const int32_t *cells, const struct report_style *style,
                             struct text *out)
{
    enum { MOST_RULES = 20 };
    size_t count = trace->system->rules.count, shown = style->verbose || count <= MOST_RULES ? count : MOST_RULES;
    text_format(out, "after step %u no rule leads to another state; of each rule an instance that comes far:\n",
                trace->count - 1);
    for (size_t i = 0; i < shown; i++)
        explain_rule(trace, trace->system->rules.items[i], cells, out);
    if (shown < count)
        text_format(out, "  and %zu more (-v shows all)\n", count - shown);
}

/* A formula of branching or linear time: true or false in the first state, and what the run has to do with it. */
static bool explain_branching(const struct property_result *claim, struct text *out)
{
    const struct ctl *formula = claim->property->ctl ? claim->property->ctl : claim->property->ltl;
    if (!formula || claim->verdict == VERDICT_UNKNOWN)
        return false;
    struct explanation *root = explain_ctl(claim->trace, formula, claim->verdict == VERDICT_HOLDS);
    explanation_print(root, "  ", out);
    explanation_destroy(root);
    return true;
}

void report_text_why(const struct property_result *claim, const struct report_style *style, struct text *out)
{
    const struct trace *trace = claim->trace;
    const struct property *property = claim->property;
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
    bool is_deadlock = property->kind == PROPERTY_DEADLOCK;
    if (is_deadlock)
        explain_deadlock(trace, cells, style, out);
    bool is_branching = explain_branching(claim, out);
    bool is_chain = system_has_probabilities(trace->system) && trace->count > 1;
    if (is_chain)
        report_text_probabilities(trace, style, out);
    bool has_others = explain_others(trace, cells, has_formula ? property : NULL, style, out);
    if (!has_formula && !is_deadlock && !is_branching && !is_chain && !has_others)
        text_format(out, "no invariant is false after step %u\n", trace->count - 1);
}
