/* Memory, paths and values of partial evaluation. */
#include "engine/adaptive/partial.h"

#include <string.h>

enum { PARTIAL_MOST_DECISIONS = 600, PARTIAL_MOST_VALUES = 8 };
enum { TAG_EQUAL = 1 << 16, TAG_CHOOSE };

void partial_create(struct partial *partial, struct adaptive_scene *scene, struct unaries *unaries,
                    struct formulas *formulas)
{
    size_t cells = (size_t)scene->roster->system->memory_cells + 1;
    *partial =
        (struct partial){.system = scene->roster->system, .scene = scene, .unaries = unaries, .formulas = formulas};
    partial->memory = memory_zeroed(cells, sizeof *partial->memory);
    partial->marks = memory_zeroed(cells, sizeof *partial->marks);
}

void partial_destroy(struct partial *partial)
{
    free(partial->memory);
    free(partial->marks);
    VEC_FREE(&partial->values);
    VEC_FREE(&partial->log);
    VEC_FREE(&partial->decisions);
}

void partial_load(struct partial *partial, uint32_t shared)
{
    const struct roster *roster = partial->scene->roster;
    const uint32_t *values = words_at(&partial->scene->shared, shared);
    for (uint32_t c = 0; c < partial->system->memory_cells; c++) {
        bool is_state = c < partial->system->state_cells;
        partial->memory[c] = is_state ? roster->frozen[c] : UNDEFINED;
        partial->marks[c] = MARK_KNOWN;
        if (is_state && roster->role[c] == ROLE_LOCAL)
            partial->marks[c] = MARK_INITIAL;
        if (is_state && roster->role[c] == ROLE_REFERENCE)
            partial->marks[c] = MARK_BARRED;
    }
    for (uint32_t i = 0; i < roster->shared_count; i++)
        partial->memory[roster->shared[i]] = (int32_t)values[i];
    VEC_CLEAR(&partial->log);
    VEC_CLEAR(&partial->values);
}

void partial_set(struct partial *partial, uint32_t cell, struct adaptive_value value)
{
    struct undo undo = {cell, partial->memory[cell], partial->marks[cell]};
    VEC_PUSH(&partial->log, undo);
    if (value.sort == SORT_KNOWN) {
        partial->memory[cell] = (int32_t)value.number;
        partial->marks[cell] = MARK_KNOWN;
        return;
    }
    partial->memory[cell] = (int32_t)partial->values.count;
    partial->marks[cell] = MARK_HELD;
    VEC_PUSH(&partial->values, value);
}

void partial_reveal(struct partial *partial, uint32_t element, uint32_t local)
{
    const struct roster *roster = partial->scene->roster;
    const uint32_t *slots = local_slots(partial->scene, local);
    for (uint32_t s = 0; s < roster->families[roster->family_of[element]].slot_count; s++)
        partial_set(partial, roster->addresses[element][s], value_known((int32_t)slots[s]));
}

void partial_undo(struct partial *partial, size_t count)
{
    while (partial->log.count > count) {
        struct undo undo = VEC_POP(&partial->log);
        partial->memory[undo.cell] = undo.memory;
        partial->marks[undo.cell] = undo.mark;
    }
}

void partial_begin_path(struct partial *partial)
{
    partial->next_decision = 0;
    partial->path = FORMULA_TRUE;
    partial->may_fork = true;
    partial->function = NULL;
}

bool partial_next_path(struct partial *partial)
{
    while (partial->decisions.count && !VEC_LAST(&partial->decisions))
        (void)VEC_POP(&partial->decisions);
    if (!partial->decisions.count)
        return false;
    VEC_LAST(&partial->decisions) = false;
    return true;
}

enum go partial_decide(struct partial *partial, struct adaptive_value condition, bool *outcome)
{
    uint32_t formula = FORMULA_TRUE;
    if (condition.sort == SORT_KNOWN) {
        *outcome = condition.number != 0;
        return GO_OK;
    }
    if (!partial->may_fork)
        return GO_FORK;
    enum go go = partial_formula(partial, condition, &formula);
    if (go != GO_OK)
        return go;
    if (partial->next_decision == partial->decisions.count) {
        if (partial->decisions.count == PARTIAL_MOST_DECISIONS)
            return GO_UNCLEAR;
        VEC_PUSH(&partial->decisions, true);
    }
    *outcome = partial->decisions.items[partial->next_decision++];
    partial->path =
        formula_and(partial->formulas, partial->path, *outcome ? formula : formula_not(partial->formulas, formula));
    return partial->path == FORMULA_FALSE ? GO_DEAD : GO_OK;
}

static int64_t partial_equal_entry(int64_t user, const int64_t *entries)
{
    return entries[0] == UNARY_FAULT ? UNARY_FAULT : entries[0] == user;
}

/* One of the values that the function takes, after the others were ruled out. */
static enum go partial_resolve_unary(struct partial *partial, struct adaptive_value *value)
{
    uint32_t entries = unary_entries(partial->unaries, value->id), tried = 0;
    int64_t seen[PARTIAL_MOST_VALUES];
    for (uint32_t e = 0; e < entries; e++) {
        int64_t number = unary_entry(partial->unaries, value->id, e);
        bool is_seen = number == UNARY_FAULT, outcome;
        for (uint32_t i = 0; i < tried; i++)
            is_seen |= seen[i] == number;
        if (is_seen)
            continue;
        if (tried == PARTIAL_MOST_VALUES)
            return GO_UNCLEAR;
        seen[tried++] = number;
        struct adaptive_value is_equal;
        enum go go = partial_apply(partial, partial_equal_entry, TAG_EQUAL, number, value, 1, &is_equal);
        if (go == GO_OK)
            go = partial_decide(partial, is_equal, &outcome);
        if (go != GO_OK)
            return go;
        if (outcome) {
            *value = value_known(number);
            return GO_OK;
        }
    }
    return GO_DEAD;
}

enum go partial_resolve(struct partial *partial, struct adaptive_value *value)
{
    bool outcome;
    if (value->sort == SORT_KNOWN)
        return GO_OK;
    if (value->sort == SORT_UNARY)
        return partial_resolve_unary(partial, value);
    enum go go = partial_decide(partial, *value, &outcome);
    if (go == GO_OK)
        *value = value_known(outcome);
    return go;
}

enum go partial_fault(struct partial *partial, enum fault_kind kind, struct span span)
{
    partial->fault =
        (struct fault){.kind = kind, .span = span, .property = partial->system->properties.items[SYSTEM_RUNTIME]};
    return GO_FAULT;
}

enum go partial_formula(struct partial *partial, struct adaptive_value value, uint32_t *formula)
{
    if (value.sort == SORT_FORMULA) {
        *formula = value.id;
        return GO_OK;
    }
    if (value.sort == SORT_KNOWN) {
        *formula = value.number ? FORMULA_TRUE : FORMULA_FALSE;
        return GO_OK;
    }
    for (uint32_t e = 0; e < unary_entries(partial->unaries, value.id); e++) {
        int64_t entry = unary_entry(partial->unaries, value.id, e);
        if (entry != 0 && entry != 1)
            return GO_UNCLEAR;
    }
    *formula = formula_of_element(partial->formulas, value.id, value.element);
    return GO_OK;
}

enum go partial_apply(struct partial *partial, unary_rule rule, uint32_t tag, int64_t user,
                      const struct adaptive_value *operands, uint32_t count, struct adaptive_value *result)
{
    struct operand list[UNARY_MAX_OPERANDS], made;
    uint32_t element = NO_ELEMENT;
    for (uint32_t o = 0; o < count; o++) {
        if (operands[o].sort == SORT_FORMULA)
            return GO_UNCLEAR;
        list[o] = (struct operand){operands[o].sort == SORT_KNOWN, operands[o].number, operands[o].id};
        if (operands[o].sort == SORT_KNOWN)
            continue;
        if (element != NO_ELEMENT && element != operands[o].element)
            return GO_UNCLEAR;
        element = operands[o].element;
    }
    if (!unary_apply(partial->unaries, rule, tag, user, list, count, &made))
        return GO_UNCLEAR;
    if (made.is_number && made.number == UNARY_FAULT)
        return GO_UNCLEAR; /* it faults whatever the element's state: which fault, only an evaluation can tell */
    *result = value_of_operand(&made, element);
    return GO_OK;
}

static int64_t partial_choose_entry(int64_t user, const int64_t *entries)
{
    (void)user;
    return entries[0] == UNARY_FAULT ? UNARY_FAULT : entries[0] ? entries[1] : entries[2];
}

static bool value_is_same(struct adaptive_value left, struct adaptive_value right)
{
    if (left.sort != right.sort)
        return false;
    if (left.sort == SORT_KNOWN)
        return left.number == right.number;
    return left.id == right.id && (left.sort == SORT_FORMULA || left.element == right.element);
}

static bool value_is_truth(const struct adaptive_value *value)
{
    return value->sort == SORT_FORMULA || (value->sort == SORT_KNOWN && (value->number == 0 || value->number == 1)) ||
           value->sort == SORT_UNARY;
}

enum go partial_choose(struct partial *partial, struct adaptive_value condition, struct adaptive_value yes,
                       struct adaptive_value no, struct adaptive_value *result)
{
    struct formulas *formulas = partial->formulas;
    uint32_t test, left, right;
    if (value_is_same(yes, no)) {
        *result = yes;
        return GO_OK;
    }
    if (condition.sort == SORT_KNOWN) {
        *result = condition.number ? yes : no;
        return GO_OK;
    }
    struct adaptive_value operands[] = {condition, yes, no};
    if (partial_apply(partial, partial_choose_entry, TAG_CHOOSE, 0, operands, 3, result) == GO_OK)
        return GO_OK;
    if (!value_is_truth(&yes) || !value_is_truth(&no))
        return GO_FORK;
    if (partial_formula(partial, condition, &test) != GO_OK || partial_formula(partial, yes, &left) != GO_OK ||
        partial_formula(partial, no, &right) != GO_OK)
        return GO_FORK;
    left = formula_and(formulas, test, left);
    right = formula_and(formulas, formula_not(formulas, test), right);
    *result = (struct adaptive_value){.sort = SORT_FORMULA, .id = formula_or(formulas, left, right)};
    return GO_OK;
}
