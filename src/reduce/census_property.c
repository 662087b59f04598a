/* Properties over counters: as they were, but for the conditions on states (section 5.2 of the paper). */
#include "reduce/census_inner.h"

/* What counts or lists states would count and list others, and another one would be the first. */
static bool has_same_answer(const struct pctl *formula)
{
    if (!formula)
        return true;
    bool is_kept = formula->kind != PCTL_FILTER || formula->filter == PCTL_FILTER_MIN ||
                   formula->filter == PCTL_FILTER_MAX || formula->filter == PCTL_FILTER_RANGE ||
                   formula->filter == PCTL_FILTER_FORALL || formula->filter == PCTL_FILTER_EXISTS;
    return is_kept && has_same_answer(formula->left) && has_same_answer(formula->right) &&
           has_same_answer(formula->condition_formula);
}

/* NULL stays NULL. False: it cannot be translated. */
static bool make_number(struct census *census, const struct weight **number, struct span span)
{
    if (!*number)
        return true;
    struct census_weight weight = census_weight_from(census, *number);
    if (!census_weight_translate(census, &weight, span, "the property"))
        return false;
    *number = census_weight_make(census, &weight, span);
    return true;
}

static bool make_truth(struct census *census, struct pctl *formula)
{
    if (!formula->proposition)
        return true;
    const struct gterm *term = census_translate_or_refuse(
        census, gterm_from(census->terms, formula->proposition->formula), formula->span, "the property");
    if (!term)
        return false;
    formula->proposition = proposition_create(census->out, census_make_expr(census, term, formula->span));
    return true;
}

/* NULL: it cannot be translated (or it was NULL). */
static struct pctl *make_formula(struct census *census, const struct pctl *from, bool *is_good)
{
    if (!from || !*is_good)
        return NULL;
    struct pctl *formula = ARENA_NEW(census->out->arena, struct pctl);
    *formula = *from;
    *is_good = make_truth(census, formula) && make_number(census, &formula->number, from->span) &&
               make_number(census, &formula->threshold, from->span) &&
               make_number(census, &formula->window.lower, from->span) &&
               make_number(census, &formula->window.upper, from->span);
    formula->left = make_formula(census, from->left, is_good);
    formula->right = make_formula(census, from->right, is_good);
    formula->condition_formula = make_formula(census, from->condition_formula, is_good);
    return formula;
}

static bool make_property(struct census *census, const struct property *from)
{
    bool is_good = true;
    if (from->refusal)
        return census_error(census, from->span, "%s", from->refusal);
    if (!has_same_answer(from->pctl))
        return census_error(census, from->span,
                            "this filter is about single states, which the counter abstraction does not have");
    const struct pctl *formula = make_formula(census, from->pctl, &is_good);
    if (!is_good)
        return false;
    struct arena *arena = census->out->arena;
    struct property *property =
        system_add_property(census->out, PROPERTY_PCTL, arena_string(arena, from->name), NULL, from->span);
    property->pctl = formula;
    property->is_unnamed = from->is_unnamed;
    property->expected = from->expected ? arena_string(arena, from->expected) : NULL;
    return true;
}

static void leave_out(struct census *census, const struct property *property, const struct diagnostics *why)
{
    struct census_facts *facts = &census->facts;
    if (!why->count) { /* the time is over */
        facts->left_out[property->id] = "the time is over";
        return;
    }
    const struct diagnostic *first = &why->items[0];
    facts->left_out[property->id] = arena_format(census->arena, "line %u: %s", first->span.line, first->message);
    if (property->is_unnamed)
        diag_warning(&facts->warnings, first->span, "this property is left out: %s", first->message);
    else
        diag_warning(&facts->warnings, first->span, "property \"%s\" is left out: %s", property->name, first->message);
}

void census_make_properties(struct census *census)
{
    const struct system *system = census->system;
    struct diagnostics *outer = census->diagnostics;
    census->facts.left_out = ARENA_ARRAY(census->arena, const char *, system->properties.count);
    for (size_t i = 0; i < system->properties.count; i++) {
        const struct property *property = system->properties.items[i];
        struct diagnostics own = {0};
        census->diagnostics = &own;
        if (property->pctl && !make_property(census, property))
            leave_out(census, property, &own);
        diag_free(&own);
    }
    census->diagnostics = outer;
}
