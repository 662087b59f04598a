/* What the automaton reads, and the events that fairness asks for. */
#include <stdlib.h>
#include <string.h>

#include "engine/symbolic/ltl.h"

/* More instances of requirements are refused: each is a fixpoint of its own, and has a flag for each ground rule. */
enum { LTL_MOST_EVENTS = 4096, LTL_MOST_FLAGS = 1 << 28 };

/* --- atoms --- */

void ltl_atom_values(const struct symbolic_model *model, const struct linear_atom *atom, const int32_t *cells,
                     int32_t *values)
{
    const struct proposition *proposition = atom->proposition;
    for (uint32_t v = 0; v < proposition->variable_count; v++) {
        const struct variable *variable = proposition->variables[v];
        if (cells && variable->address < model->system->state_cells)
            values[v] = cells[variable->address];
        for (size_t b = 0; b < atom->binding_count; b++)
            if (atom->bindings[b].variable == variable)
                values[v] = atom->bindings[b].value;
    }
}

static bool ltl_find_atom(struct ltl_case *linear, const struct linear_atom *atom, struct formula_sets *sets)
{
    struct symbolic_model *model = linear->model;
    const struct proposition *proposition = atom->proposition;
    int32_t *values = memory_zeroed((size_t)proposition->variable_count + 1, sizeof *values);
    ltl_atom_values(model, atom, NULL, values);
    struct formula_sets found;
    bool is_good = symbolic_proposition(model, proposition, values, &found);
    free(values);
    if (!is_good)
        return false;
    *sets =
        (struct formula_sets){set_and(model, found.holds, model->reached), set_and(model, found.wrong, model->reached)};
    dd_unref(model->m, found.holds);
    dd_unref(model->m, found.wrong);
    linear->has_doubt |= sets->wrong != DD_FALSE;
    return (sets->holds != DD_NONE && sets->wrong != DD_NONE) || symbolic_failed(model);
}

bool ltl_find_atoms(struct ltl_case *linear)
{
    size_t count = linear->claim.atoms.count;
    bool is_good = true;
    linear->atoms = memory_zeroed(count + 1, sizeof *linear->atoms);
    for (size_t i = 0; i < count; i++)
        linear->atoms[i] = (struct formula_sets){DD_FALSE, DD_FALSE};
    for (size_t i = 0; is_good && i < count; i++)
        is_good = ltl_find_atom(linear, &linear->claim.atoms.items[i], &linear->atoms[i]);
    return is_good;
}

/* Where the atom is (positive) or is not; without doubt, or perhaps. */
static dd ltl_where(const struct ltl_case *linear, size_t atom, bool is_positive)
{
    struct symbolic_model *model = linear->model;
    const struct formula_sets *sets = &linear->atoms[atom];
    if (is_positive)
        return linear->is_sure ? dd_ref(model->m, sets->holds) : set_or(model, sets->holds, sets->wrong);
    dd not = set_complement(model, sets->holds);
    if (!linear->is_sure)
        return not ;
    dd sure = set_without(model, not, sets->wrong);
    dd_unref(model->m, not );
    return sure;
}

static dd ltl_label_set(const struct ltl_case *linear, struct logic_label label)
{
    struct symbolic_model *model = linear->model;
    dd all = dd_ref(model->m, model->reached);
    for (size_t i = 0; i < linear->claim.atoms.count; i++)
        for (int is_positive = 0; is_positive <= 1; is_positive++) {
            if (!((is_positive ? label.positive : label.negative) >> i & 1))
                continue;
            dd where = ltl_where(linear, i, is_positive), both = set_and(model, all, where);
            dd_unref(model->m, where);
            dd_unref(model->m, all);
            all = both;
        }
    return all;
}

void ltl_forget(struct ltl_case *linear)
{
    uint32_t count = linear->automaton ? linear->automaton->first[linear->automaton->state_count] : 0;
    for (uint32_t e = 0; linear->labels && e < count; e++)
        dd_unref(linear->model->m, linear->labels[e]);
    free(linear->labels);
    linear->labels = NULL;
    ltl_free(linear, linear->reached);
    linear->reached = NULL;
}

bool ltl_label(struct ltl_case *linear)
{
    const struct automaton *automaton = linear->automaton;
    uint32_t count = automaton->first[automaton->state_count];
    bool is_good = true;
    ltl_forget(linear);
    linear->labels = memory_alloc(((size_t)count + 1) * sizeof *linear->labels);
    for (uint32_t e = 0; e < count; e++) {
        linear->labels[e] = ltl_label_set(linear, automaton->edges[e].label);
        is_good &= linear->labels[e] != DD_NONE;
    }
    return is_good || symbolic_failed(linear->model);
}

/* --- events --- */

bool ltl_event(const struct ltl_case *linear, size_t number, struct ltl_event *event)
{
    size_t marks = linear->automaton->mark_count;
    if (number < marks)
        *event = (struct ltl_event){.often = DD_TRUE, .met = DD_FALSE, .mark = UINT64_C(1) << number};
    else if (number - marks < linear->events.count)
        *event = linear->events.items[number - marks];
    return number < marks + linear->events.count;
}

/* Which ground rules are steps of its own, and where one of them can be taken; referenced. */
static dd ltl_own(const struct ltl_case *linear, struct ltl_event *event)
{
    struct symbolic_model *model = linear->model;
    bool has_own = false, *enables = memory_zeroed(model->ground.rules.count + 1, sizeof *enables);
    event->own = memory_zeroed(model->ground.rules.count + 1, sizeof *event->own);
    for (size_t r = 0; r < model->ground.rules.count; r++) {
        const struct ground_rule *rule = &model->ground.rules.items[r];
        event->own[r] = fairness_is_own(event->fairness, rule->rule, rule->instance, event->values);
        enables[r] = fairness_is_enabled(event->fairness, rule->rule, rule->instance, event->values);
        has_own |= enables[r];
    }
    dd enabled = has_own ? set_close(model, symbolic_previous_by(model, model->assumed, enables)) : DD_FALSE;
    free(enables);
    return enabled;
}

/* False: also where it cannot be evaluated in some state. */
static bool ltl_condition(struct ltl_case *linear, const struct property *property, const struct ltl_event *event,
                          const struct proposition *proposition, dd *set)
{
    struct symbolic_model *model = linear->model;
    const struct fairness *fairness = event->fairness;
    int32_t *values = memory_zeroed((size_t)proposition->variable_count + 1, sizeof *values);
    for (uint32_t v = 0; v < proposition->variable_count; v++)
        for (uint32_t f = 0; f < fairness->variable_count; f++)
            if (fairness->variables[f] == proposition->variables[v])
                values[v] = event->values[f];
    struct formula_sets sets;
    bool is_good = symbolic_proposition(model, proposition, values, &sets);
    free(values);
    if (!is_good)
        return false;
    dd apart = dd_is_disjoint(model->m, model->reached, sets.wrong);
    *set = set_and(model, model->reached, sets.holds);
    dd_unref(model->m, sets.holds);
    dd_unref(model->m, sets.wrong);
    if (apart == DD_FALSE)
        stop_once(&linear->claim.stop,
                  stop_because(STOP_UNDECIDED, "the fairness condition of line %u cannot be evaluated in some state",
                               property->span.line));
    if (apart == DD_NONE || *set == DD_NONE)
        symbolic_failed(model);
    return apart == DD_TRUE && *set != DD_NONE;
}

static bool ltl_fill_event(struct ltl_case *linear, const struct property *property, struct ltl_event *event)
{
    struct symbolic_model *model = linear->model;
    const struct fairness *fairness = event->fairness;
    if (fairness->kind == FAIRNESS_CONDITION)
        return (!fairness->when || ltl_condition(linear, property, event, fairness->when, &event->often)) &&
               ltl_condition(linear, property, event, fairness->then, &event->met);
    dd enabled = ltl_own(linear, event);
    if (fairness->kind == FAIRNESS_STRONG)
        event->often = dd_ref(model->m, enabled);
    else
        event->met = set_complement(model, enabled);
    dd_unref(model->m, enabled);
    return (event->often != DD_NONE && event->met != DD_NONE) || symbolic_failed(model);
}

static bool ltl_add_event(struct ltl_case *linear, const struct property *property, const int32_t *values)
{
    size_t size = property->fairness->variable_count * sizeof *values;
    struct ltl_event event = {.fairness = property->fairness, .often = DD_TRUE, .met = DD_FALSE};
    if (symbolic_is_over(linear->model))
        return symbolic_failed(linear->model);
    if (linear->events.count == LTL_MOST_EVENTS ||
        linear->events.count * linear->model->ground.rules.count > LTL_MOST_FLAGS) {
        stop_once(&linear->claim.stop,
                  stop_because(STOP_UNDECIDED,
                               "fairness has more than %d instances (--engine explicit has no such limit)",
                               LTL_MOST_EVENTS));
        return false;
    }
    event.values = memcpy(memory_alloc(size + 1), values, size);
    bool is_good = ltl_fill_event(linear, property, &event);
    VEC_PUSH(&linear->events, event); /* also to be freed */
    return is_good;
}

/* One for each choice of values for variable number `position` and on. */
static bool ltl_add_events(struct ltl_case *linear, const struct property *property, int32_t *values, uint32_t position)
{
    const struct fairness *fairness = property->fairness;
    if (position == fairness->variable_count)
        return ltl_add_event(linear, property, values);
    const struct type *type = fairness->variables[position]->type;
    bool is_good = true;
    for (uint32_t i = 0; is_good && i < type->size; i++) {
        values[position] = type_code(type, i);
        is_good = ltl_add_events(linear, property, values, position + 1);
    }
    return is_good;
}

bool ltl_find_fairness(struct ltl_case *linear)
{
    const struct system *system = linear->model->system;
    bool is_good = true;
    for (size_t i = 0; is_good && i < system->properties.count; i++) {
        const struct property *property = system->properties.items[i];
        if (!property->fairness)
            continue;
        int32_t *values = memory_zeroed((size_t)property->fairness->variable_count + 1, sizeof *values);
        is_good = ltl_add_events(linear, property, values, 0);
        free(values);
    }
    return is_good;
}
