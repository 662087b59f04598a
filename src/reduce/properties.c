/* Properties: their formulas over counters. A CTL or LTL formula keeps its operators, since the reduced system is
 * bisimilar to the original for all that its propositions can see (survey, section 2.2 and 6); only these are
 * rewritten. So are the conditions of fairness; fairness of single processes or rules is nothing that counters can see.
 */
#include "base/text.h"
#include "ir/fairness.h"
#include "rewrite/prenex.h"
#include "reduce/inner.h"

static const struct ctl *properties_temporal(const struct property *property)
{
    return property->ctl ? property->ctl : property->ltl;
}

/* Is it left to others (reduce_options.leaves_quantified)? */
static bool properties_is_left(const struct reducer *reducer, const struct property *property)
{
    const struct ctl *formula = properties_temporal(property);
    return formula && reducer->options->leaves_quantified && prenex_is_needed(formula);
}

/* Is there an LTL formula that is translated here? */
static bool properties_want_fairness(const struct reducer *reducer)
{
    const struct system *system = reducer->system;
    for (size_t p = 0; p < system->properties.count; p++)
        if (system->properties.items[p]->ltl && !reducer->reduction->left_out[p] &&
            !properties_is_left(reducer, system->properties.items[p]))
            return true;
    return false;
}

static enum property_kind properties_kind(const struct reducer *reducer, const struct property *property)
{
    if (properties_is_left(reducer, property) || reducer->reduction->left_out[property->id] ||
        (property->fairness && !properties_want_fairness(reducer)))
        return PROPERTY_ASSERTION; /* of no statement */
    return property->kind == PROPERTY_LIVENESS && reducer->options->liveness_as_ctl ? PROPERTY_CTL : property->kind;
}

void properties_make(struct reducer *reducer)
{
    const struct system *system = reducer->system;
    struct reduction *reduction = reducer->reduction;
    VEC_CLEAR(&reduction->properties);
    for (size_t p = 0; p < system->properties.count; p++) {
        const struct property *property = system->properties.items[p];
        reducer->property_of[p] = p <= SYSTEM_RUNTIME
                                      ? reducer->out->properties.items[p]
                                      : system_add_property(reducer->out, properties_kind(reducer, property),
                                                            property->name, NULL, property->span);
        reducer->property_of[p]->drops_finite = property->drops_finite;
        reducer->property_of[p]->failure = property->failure;
        reducer->property_of[p]->bound = property->bound;
        VEC_PUSH(&reduction->properties, property);
    }
}

static bool properties_refuse(struct reducer *reducer, struct span span, const char *what, const char *hint)
{
    if (!reducer->diagnostics->errors) {
        diag_error(reducer->diagnostics, span, "counter abstraction: %s", what);
        diag_hint(reducer->diagnostics, "%s", hint);
    }
    return false;
}

/* NULL: refused, or only an analysis. */
static struct ctl *properties_ctl(struct reducer *reducer, const struct ctl *ctl)
{
    struct system *out = reducer->out;
    if (ctl->kind == CTL_DEADLOCK)
        return ctl_deadlock(out, ctl->span);
    if (ctl->kind == CTL_PROPOSITION) {
        struct expr *formula = rules_reduce_formula(reducer, ctl->proposition->formula, ctl->span, false);
        return formula ? ctl_proposition(out, formula, NULL, 0, ctl->span) : NULL;
    }
    struct ctl *left = properties_ctl(reducer, ctl->left);
    if (reducer->diagnostics->errors)
        return NULL;
    struct ctl *right = ctl->right ? properties_ctl(reducer, ctl->right) : NULL;
    if (!left || (ctl->right && !right))
        return NULL;
    struct ctl *reduced = ctl_operator(out, ctl->kind, left, right, ctl->span);
    reduced->never = ctl->never;
    return reduced;
}

/* NULL in *reduced where there is no condition, or only an analysis. */
static bool properties_condition(struct reducer *reducer, const struct property *property,
                                 const struct proposition *condition, const struct proposition **reduced)
{
    struct expr *formula = condition ? rules_reduce_formula(reducer, condition->formula, property->span, false) : NULL;
    *reduced = formula && !reducer->is_analysis ? proposition_create(reducer->out, formula) : NULL;
    if (condition && !*reduced && !reducer->is_analysis) /* runs would count that are not fair */
        return properties_refuse(reducer, property->span, "the condition has no value", "--engine explicit decides it");
    return !reducer->diagnostics->errors;
}

/* Fairness by condition, of no single process; `out`: where it goes, or NULL. */
static bool properties_fairness(struct reducer *reducer, const struct property *property, struct property *out)
{
    const struct fairness *fairness = property->fairness;
    struct fairness *reduced = ARENA_NEW(reducer->out->arena, struct fairness);
    *reduced = (struct fairness){.kind = FAIRNESS_CONDITION, .shown = fairness};
    if (fairness->kind != FAIRNESS_CONDITION)
        return properties_refuse(reducer, property->span,
                                 "fairness of processes or rules cannot be written with counters",
                                 "--engine explicit decides LTL formulas with it");
    if (fairness->variable_count)
        return properties_refuse(reducer, property->span,
                                 "a fair condition with parameters cannot be written with counters",
                                 "--engine explicit decides LTL formulas with it");
    if (!properties_condition(reducer, property, fairness->when, &reduced->when) ||
        !properties_condition(reducer, property, fairness->then, &reduced->then))
        return false;
    if (out && !reducer->is_analysis)
        out->fairness = reduced;
    return true;
}

/* An LTL formula is about fair runs: it can be translated only where all fairness can. */
static bool properties_check_fairness(struct reducer *reducer)
{
    const struct system *system = reducer->system;
    bool ok = true;
    for (size_t p = 0; ok && p < system->properties.count; p++)
        if (system->properties.items[p]->fairness)
            ok = properties_fairness(reducer, system->properties.items[p], NULL);
    return ok;
}

static void properties_set_temporal(struct reducer *reducer, const struct property *property, const struct ctl *reduced)
{
    struct property *own = reducer->property_of[property->id];
    bool is_everywhere;
    const struct ctl *antecedent = ctl_antecedent(reduced, &is_everywhere);
    *(property->ctl ? &own->ctl : &own->ltl) = reduced;
    if (antecedent && !antecedent->free_count)
        own->antecedent = antecedent->proposition;
}

static bool properties_reduce_temporal(struct reducer *reducer, const struct property *property)
{
    const struct ctl *ctl = properties_temporal(property);
    struct span where = property->span;
    if (property->ltl && !properties_check_fairness(reducer))
        return false;
    if (property->ctl && fairness_is_required(reducer->system) && ctl_has_future(ctl))
        return properties_refuse(reducer, property->span, "CTL properties with fairness are not translated",
                                 "--engine explicit decides them");
    if (ctl->is_past)
        return properties_refuse(reducer, property->span, "operators that look back are not translated",
                                 "--engine explicit decides them");
    if (prenex_is_needed(ctl)) {
        bool is_possible = prenex_is_possible(ctl, &where);
        return properties_refuse(
            reducer, where, "a quantifier around temporal operators cannot be written with counters",
            is_possible ? "noether check decides it: --engine counter, or symbolic --method generic"
                        : "--engine explicit and --engine symbolic --method dynamic decide it");
    }
    struct ctl *reduced = properties_ctl(reducer, ctl);
    if (reduced)
        properties_set_temporal(reducer, property, reduced);
    else if (property->ltl && !reducer->is_analysis)
        return properties_refuse(reducer, property->span, "a condition of it has no value",
                                 "--engine explicit decides it");
    return !reducer->diagnostics->errors;
}

/* Liveness: AG EF formula. The formula stays beside it: where it cannot be evaluated, the property is violated. */
static void properties_set(struct reducer *reducer, const struct property *property, struct expr *formula)
{
    struct system *out = reducer->out;
    struct property *reduced = reducer->property_of[property->id];
    reduced->formula = formula;
    if (reduced->kind != PROPERTY_CTL)
        return;
    struct ctl *goal = ctl_proposition(out, formula, NULL, 0, property->span);
    goal = ctl_operator(out, CTL_EF, goal, NULL, property->span);
    reduced->ctl = ctl_operator(out, CTL_AG, goal, NULL, property->span);
}

/* Where it cannot be translated, nothing is said of it: that is no refusal. */
static void properties_add_antecedent(struct reducer *reducer, const struct property *property)
{
    struct diagnostics own = {0}, *outer = reducer->diagnostics;
    if (!property->antecedent)
        return;
    reducer->diagnostics = &own;
    struct expr *reduced = rules_reduce_formula(reducer, property->antecedent->formula, property->span, false);
    if (reduced && !own.errors && !reducer->is_analysis)
        reducer->property_of[property->id]->antecedent = proposition_create(reducer->out, reduced);
    reducer->diagnostics = outer;
    diag_free(&own);
}

static bool properties_translate(struct reducer *reducer, const struct property *property)
{
    struct span where;
    const struct ctl *formula = properties_temporal(property);
    if (properties_is_left(reducer, property) && !(property->ctl && fairness_is_required(reducer->system)))
        return (!formula->is_past && prenex_is_possible(formula, &where) &&
                (!property->ltl || properties_check_fairness(reducer))) ||
               properties_reduce_temporal(reducer, property);
    if (formula)
        return properties_reduce_temporal(reducer, property);
    if (property->fairness)
        return !properties_want_fairness(reducer) ||
               properties_fairness(reducer, property, reducer->property_of[property->id]);
    if (!property->formula)
        return true;
    struct expr *reduced =
        rules_reduce_formula(reducer, property->formula, property->span, property->kind == PROPERTY_INVARIANT);
    if (reduced && !reducer->is_analysis)
        properties_set(reducer, property, reduced);
    if (!reducer->diagnostics->errors)
        properties_add_antecedent(reducer, property);
    return !reducer->diagnostics->errors;
}

/* The others can do without it. */
static void properties_leave_out(struct reducer *reducer, const struct property *property,
                                 const struct diagnostics *why)
{
    struct reduction *reduction = reducer->reduction;
    const struct diagnostic *first = &why->items[0];
    struct text name = {0};
    if (property->name)
        text_format(&name, " \"%s\"", property->name);
    reduction->left_out[property->id] =
        first->span.line ? arena_format(reduction->arena, "line %u: %s", first->span.line, first->message)
                         : arena_string(reduction->arena, first->message);
    diag_warning(&reduction->warnings, first->span, "%s%s is left out: %s", property_kind_name(property->kind),
                 text_chars(&name), first->message);
    if (first->hint)
        diag_hint(&reduction->warnings, "%s", first->hint);
    text_free(&name);
}

/* An assumption says which states there are, fairness which runs: they cannot be left out. (Where fairness cannot be
 * translated, the LTL formulas are left out before it.) */
bool properties_reduce(struct reducer *reducer, const struct property *property)
{
    struct diagnostics *outer = reducer->diagnostics, own = {0};
    if (reducer->reduction->left_out[property->id])
        return true;
    if (!reducer->options->leaves_untranslated || property->kind == PROPERTY_ASSUMPTION ||
        property->kind == PROPERTY_DEADLOCK || property->kind == PROPERTY_FAIRNESS)
        return properties_translate(reducer, property);
    reducer->diagnostics = &own;
    bool ok = properties_translate(reducer, property);
    reducer->diagnostics = outer;
    if (!ok && own.errors)
        properties_leave_out(reducer, property, &own);
    ok = ok || own.errors;
    diag_free(&own);
    return ok;
}
