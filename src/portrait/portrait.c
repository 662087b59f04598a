#include "portrait/portrait.h"
#include "ir/iteration.h"

#include <string.h>

enum { PORTRAIT_MOST_STEPS = 1 << 18 };

void portrait_create(struct portrait *portrait, const struct roster *roster, struct pterms *terms)
{
    const struct system *system = roster->system;
    *portrait = (struct portrait){.roster = roster, .system = system, .terms = terms};
    portrait->memory = memory_alloc((system->memory_cells + 1) * sizeof *portrait->memory);
    for (uint32_t a = 0; a < system->memory_cells; a++)
        portrait->memory[a] = (struct pvalue){PTERM_NONE, false};
}

void portrait_destroy(struct portrait *portrait)
{
    free(portrait->memory);
    VEC_FREE(&portrait->touched);
    VEC_FREE(&portrait->bound);
    VEC_FREE(&portrait->faults);
}

bool portrait_fail(struct portrait *portrait, const char *why, struct span span)
{
    if (!portrait->failure) {
        portrait->failure = why;
        portrait->failure_span = span;
    }
    return false;
}

void portrait_note(struct portrait *portrait, const void *node, struct span span, bool is_decisive,
                   enum event_sort sort, int64_t result)
{
    struct events *events = portrait->events;
    if (!events)
        return;
    uint32_t place = 0;
    while (place < events->nodes.count && events->nodes.items[place] != node)
        place++;
    if (place == events->nodes.count) {
        VEC_PUSH(&events->nodes, node);
        VEC_PUSH(&events->places, span);
        VEC_PUSH(&events->is_decisive, is_decisive);
    }
    events->is_decisive.items[place] |= is_decisive;
    struct pterm_list words = {0};
    VEC_PUSH(&words, place);
    VEC_PUSH(&words, sort);
    VEC_PUSH(&words, (uint32_t)result);
    VEC_PUSH(&words, (uint32_t)((uint64_t)result >> 32));
    for (size_t i = 0; i < portrait->bound.count; i++)
        VEC_PUSH(&words, portrait->bound.items[i]);
    words_intern(&events->words, words.items, (uint32_t)words.count);
    VEC_FREE(&words);
}

void portrait_note_name(struct portrait *portrait, const void *node, struct span span, const struct type *type,
                        int64_t code)
{
    if (portrait->events && type_has(type, code))
        portrait_note(portrait, node, span, true, EVENT_ELEMENT, roster_element(portrait->roster, type, (int32_t)code));
}

struct pvalue portrait_get(struct portrait *portrait, uint32_t address)
{
    struct pvalue value = portrait->memory[address];
    if (value.term != PTERM_NONE)
        return value;
    if (address >= portrait->system->state_cells)
        return pvalue_known(portrait, UNDEFINED, false);
    if (portrait->roster->role[address] == ROLE_FROZEN)
        return pvalue_known(portrait, portrait->roster->frozen[address], true);
    return (struct pvalue){pterm_cell(portrait->terms, address), false};
}

void portrait_set(struct portrait *portrait, uint32_t address, struct pvalue value)
{
    if (portrait->memory[address].term == PTERM_NONE)
        VEC_PUSH(&portrait->touched, address);
    portrait->memory[address] = value;
}

/* A cell of scratch that holds nothing yet needs no condition: where the path is not taken nobody reads it. */
static void portrait_store_cell(struct portrait *portrait, uint32_t address, uint32_t condition, struct pvalue value,
                                bool is_boolean)
{
    struct pvalue old = portrait_get(portrait, address);
    int64_t number;
    bool is_fresh =
        address >= portrait->system->state_cells && pvalue_number(portrait, old, &number) && number == UNDEFINED;
    if (!is_fresh && condition != PTERM_TRUE)
        value = (struct pvalue){pterm_ite(portrait->terms, condition, value.term, old.term, is_boolean), false};
    portrait_set(portrait, address, value);
}

void portrait_store(struct portrait *portrait, const struct portrait_spots *spots, uint32_t offset, struct pvalue value,
                    bool is_boolean)
{
    for (size_t i = 0; i < spots->count; i++)
        portrait_store_cell(portrait, spots->items[i].address + offset,
                            pterm_and(portrait->terms, portrait->path, spots->items[i].condition), value, is_boolean);
}

bool portrait_read(struct portrait *portrait, const struct portrait_spots *spots, uint32_t offset, struct pvalue *value)
{
    if (spots->count == 1) {
        *value = portrait_get(portrait, spots->items[0].address + offset);
        return true;
    }
    struct pterm_list pairs = {0};
    for (size_t i = 0; i < spots->count; i++) {
        VEC_PUSH(&pairs, spots->items[i].condition);
        VEC_PUSH(&pairs, portrait_get(portrait, spots->items[i].address + offset).term);
    }
    *value = spots->count ? (struct pvalue){pterm_cases(portrait->terms, pairs.items, (uint32_t)spots->count), false}
                          : pvalue_known(portrait, UNDEFINED, false);
    VEC_FREE(&pairs);
    return true;
}

void portrait_fault(struct portrait *portrait, uint32_t property, uint32_t condition)
{
    struct pterms *terms = portrait->terms;
    struct pterm_list *faults = &portrait->faults;
    condition = pterm_and(terms, portrait->path, condition);
    if (condition == PTERM_FALSE)
        return;
    size_t at = 0;
    while (at < faults->count && faults->items[at] < property)
        at += 2;
    if (at == faults->count || faults->items[at] != property) {
        VEC_PUSH(faults, 0);
        VEC_PUSH(faults, 0);
        memmove(faults->items + at + 2, faults->items + at, (faults->count - at - 2) * sizeof *faults->items);
        faults->items[at] = property;
        faults->items[at + 1] = PTERM_FALSE;
    }
    faults->items[at + 1] = pterm_or(terms, faults->items[at + 1], condition);
    portrait->dead = pterm_or(terms, portrait->dead, condition);
    portrait->path = pterm_and(terms, portrait->path, pterm_not(terms, condition));
}

/* The process that the variable's value stands for, when it ranges over a family. */
static bool portrait_bind(struct portrait *portrait, const struct variable *variable, const struct type *type,
                          int64_t value)
{
    uint32_t element =
        type ? roster_element_of_parameter(portrait->roster, variable, type, portrait->rule, value) : NO_ELEMENT;
    if (element != NO_ELEMENT)
        VEC_PUSH(&portrait->bound, element);
    return element != NO_ELEMENT;
}

bool portrait_step(struct portrait *portrait, struct span span)
{
    if (pterms_is_exhausted(portrait->terms))
        return portrait_fail(portrait, "it is too large", span);
    return ++portrait->steps < PORTRAIT_MOST_STEPS || portrait_fail(portrait, "it does too much", span);
}

bool portrait_each(struct portrait *portrait, const struct domain *domain, const struct variable *variable,
                   struct span span, bool (*use)(struct portrait *portrait, void *user), void *user)
{
    struct pvalue from = {0}, to = {0}, by = pvalue_known(portrait, 1, false);
    struct iteration iteration = iteration_of(domain);
    int64_t value;
    if (domain->from) {
        if (!portrait_expr(portrait, domain->from, &from) || !portrait_expr(portrait, domain->to, &to) ||
            (domain->by && !portrait_expr(portrait, domain->by, &by)))
            return false;
        if (!pvalue_number(portrait, from, &iteration.next) || !pvalue_number(portrait, to, &iteration.to) ||
            !pvalue_number(portrait, by, &iteration.by) || !iteration.by)
            return portrait_fail(portrait, "the bounds of a loop depend on the state", span);
    }
    while (iteration_next(&iteration, &value)) {
        if (!portrait_step(portrait, span))
            return false;
        bool is_bound = portrait_bind(portrait, variable, domain->from ? NULL : domain->type, value);
        portrait_set(portrait, variable->address, pvalue_known(portrait, value, true));
        bool goes_on = use(portrait, user);
        portrait->bound.count -= is_bound;
        if (!goes_on)
            return !portrait->failure;
    }
    return true;
}

static void portrait_reset(struct portrait *portrait, const struct rule *rule)
{
    for (size_t i = 0; i < portrait->touched.count; i++)
        portrait->memory[portrait->touched.items[i]].term = PTERM_NONE;
    VEC_CLEAR(&portrait->touched);
    VEC_CLEAR(&portrait->bound);
    VEC_CLEAR(&portrait->faults);
    portrait->rule = rule;
    portrait->path = portrait->guard = PTERM_TRUE;
    portrait->returned = portrait->dead = portrait->discarded = PTERM_FALSE;
    portrait->function = NULL;
    portrait->failure = NULL;
    portrait->steps = 0;
}

bool portrait_take_rule(struct portrait *portrait, const struct rule *rule, const int32_t *values)
{
    struct pvalue guard = {PTERM_TRUE, false};
    portrait_reset(portrait, rule);
    for (uint32_t p = 0; p < rule->parameter_count; p++) {
        portrait_set(portrait, rule->parameters[p].variable->address, pvalue_known(portrait, values[p], true));
        portrait_bind(portrait, rule->parameters[p].variable, rule->parameters[p].type, values[p]);
    }
    if (!portrait_step(portrait, rule->span) || !portrait_block(portrait, &rule->prelude))
        return false;
    if (rule->guard && !portrait_expr(portrait, rule->guard, &guard))
        return false;
    portrait->guard = pterm_and(portrait->terms, portrait->guard, guard.term);
    return portrait->guard == PTERM_FALSE || portrait_block(portrait, &rule->body);
}

bool portrait_take_formula(struct portrait *portrait, const struct expr *formula, uint32_t *term)
{
    struct pvalue value = {PTERM_TRUE, false};
    portrait_reset(portrait, NULL);
    if (!portrait_step(portrait, formula->span) || !portrait_expr(portrait, formula, &value))
        return false;
    *term = value.term;
    return true;
}

void portrait_write(struct portrait *portrait, struct pterm_list *words)
{
    VEC_CLEAR(words);
    VEC_PUSH(words, portrait->guard);
    VEC_PUSH(words, portrait->discarded);
    VEC_PUSH(words, (uint32_t)portrait->faults.count / 2);
    for (size_t i = 0; i < portrait->faults.count; i++)
        VEC_PUSH(words, portrait->faults.items[i]);
    size_t first = words->count;
    for (size_t i = 0; i < portrait->touched.count; i++) {
        uint32_t address = portrait->touched.items[i];
        if (address >= portrait->system->state_cells ||
            portrait->memory[address].term == pterm_cell(portrait->terms, address))
            continue;
        VEC_PUSH(words, address);
        VEC_PUSH(words, portrait->memory[address].term);
    }
    if (words->count > first)
        words_sort(words->items + first, (words->count - first) / 2, 2);
}
