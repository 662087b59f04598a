/* Cells that have one value wherever control stands at a certain place: a channel that is a parameter of a process, say,
 * which the end of the process sets back. A rule whose guard asks for the place then knows the value, and so the
 * element of an array that it stands for.
 *
 * The values of a cell by those of a control cell are followed along the rules, from the start states, until there are
 * no more (a data-flow analysis; values are none, one, or many). Without symmetry only: then these are all states. */
#include <stdlib.h>

#include "base/memory.h"
#include "stubborn/inner.h"

enum { CONTROL_PAIRS = 1024 };

enum many { VALUE_NONE, VALUE_ONE, VALUE_MANY };
struct values {
    enum many many;
    int32_t value;
};

struct control {
    struct stubborn *stubborn;
    uint32_t control, cell;
    const struct type *type; /* of the control cell */
    struct values *at;       /* by place in the type, 0: undefined */
};

static bool control_join(struct values *to, struct values from)
{
    struct values old = *to;
    if (from.many == VALUE_NONE || old.many == VALUE_MANY)
        return false;
    if (old.many == VALUE_NONE)
        *to = from;
    else if (from.many == VALUE_MANY || from.value != old.value)
        to->many = VALUE_MANY;
    return old.many != to->many;
}

static uint32_t control_place(const struct control *control, int32_t code)
{
    return code == UNDEFINED ? 0 : (uint32_t)(type_ordinal(control->type, code) + 1);
}

/* What the cell may hold when the unit begins. */
static struct values control_before(const struct control *control, const struct unit *unit)
{
    struct values before = {VALUE_NONE, 0};
    if (unit->control == control->control)
        return control->at[control_place(control, unit->control_value)];
    for (uint32_t p = 0; p <= control->type->size; p++)
        control_join(&before, control->at[p]);
    return before;
}

/* ... and behind it. */
static struct values control_after(const struct control *control, const struct unit *unit, struct values before)
{
    const struct effect *effect = unit_effect(unit, control->cell);
    struct values after = {VALUE_NONE, 0};
    if (!unit_writes(unit, control->cell))
        return before;
    if (!effect || effect->kind != EFFECT_CONSTANTS)
        return (struct values){VALUE_MANY, 0};
    for (uint32_t i = 0; i < effect->count; i++)
        control_join(&after, (struct values){VALUE_ONE, effect->values[i]});
    if (!effect->is_sure)
        control_join(&after, before);
    return after;
}

static bool control_follow(struct control *control, const struct unit *unit)
{
    struct values before = control_before(control, unit), after = control_after(control, unit, before);
    const struct effect *effect = unit_effect(unit, control->control);
    bool moves = unit_writes(unit, control->control), has_changed = false;
    bool is_known = moves && effect && effect->kind == EFFECT_CONSTANTS;
    if (before.many == VALUE_NONE || (!moves && !unit_writes(unit, control->cell)))
        return false;
    for (uint32_t i = 0; is_known && i < effect->count; i++)
        has_changed |= control_join(&control->at[control_place(control, effect->values[i])], after);
    if (is_known && effect->is_sure)
        return has_changed;
    for (uint32_t p = 0; p <= control->type->size; p++)
        if ((moves && !is_known) || unit->control != control->control ||
            p == control_place(control, unit->control_value))
            has_changed |= control_join(&control->at[p], after);
    return has_changed;
}

static void control_solve(struct control *control)
{
    struct stubborn *stubborn = control->stubborn;
    uint32_t cells = stubborn->layout->cell_count;
    bool has_changed = true;
    for (uint32_t s = 0; s < stubborn->start_count; s++) {
        const int32_t *start = stubborn->starts + (size_t)s * cells;
        control_join(&control->at[control_place(control, start[control->control])],
                     (struct values){VALUE_ONE, start[control->cell]});
    }
    while (has_changed && !watch_is_up()) {
        has_changed = false;
        for (uint32_t u = 0; u < stubborn->unit_count; u++)
            if (stubborn->units[u].rule)
                has_changed |= control_follow(control, &stubborn->units[u]);
        stubborn->work += stubborn->unit_count;
    }
}

/* The first conjunct of the guard, if it says that a cell has a value. */
static void control_read_guard(struct stubborn *stubborn, struct unit *unit)
{
    const struct expr *guard = unit->rule->guard;
    uint32_t address;
    unit->control = UINT32_MAX;
    while (guard && guard->kind == EXPR_BINARY && guard->op == OP_AND)
        guard = guard->left;
    if (!guard || unit->is_coarse || unit->rule->prelude.count || guard->kind != EXPR_BINARY || guard->op != OP_EQ ||
        guard->left->kind != EXPR_READ || guard->right->kind != EXPR_CONST)
        return;
    peval_bind_instance(&stubborn->peval, unit->rule, unit->instance);
    if (peval_address(&stubborn->peval, guard->left->place, &address) && address < stubborn->layout->cell_count &&
        stubborn->layout->cells[address].type && type_has(stubborn->layout->cells[address].type, guard->right->value)) {
        unit->control = address;
        unit->control_value = (int32_t)guard->right->value;
    }
    peval_release_instance(&stubborn->peval, unit->rule);
}

/* What the units with this control cell know of the cell. */
static bool control_tell(struct control *control)
{
    struct stubborn *stubborn = control->stubborn;
    bool is_any = false;
    for (uint32_t u = 0; u < stubborn->unit_count; u++) {
        struct unit *unit = &stubborn->units[u];
        if (!unit->rule || unit->control != control->control || unit_writes(unit, control->cell) ||
            !bits_has(unit->touched.reads, control->cell))
            continue;
        const struct values *values = &control->at[control_place(control, unit->control_value)];
        struct known_cell known = {control->cell, values->value};
        if (values->many != VALUE_ONE || values->value == UNDEFINED)
            continue;
        VEC_PUSH(&unit->known, known);
        is_any = true;
    }
    return is_any;
}

/* Does some unit with this control cell read the cell? */
static bool control_is_pair(const struct stubborn *stubborn, uint32_t control, uint32_t cell)
{
    for (uint32_t u = 0; u < stubborn->unit_count; u++)
        if (stubborn->units[u].rule && stubborn->units[u].control == control &&
            bits_has(stubborn->units[u].touched.reads, cell))
            return true;
    return false;
}

static bool control_try(struct stubborn *stubborn, uint32_t control_cell, uint32_t cell)
{
    struct control control = {stubborn, control_cell, cell, stubborn->layout->cells[control_cell].type, NULL};
    if (control_cell == cell || control.type->size > STUBBORN_VALUES || !control_is_pair(stubborn, control_cell, cell))
        return false;
    control.at = memory_zeroed((size_t)control.type->size + 1, sizeof *control.at);
    control_solve(&control);
    bool is_any = control_tell(&control);
    free(control.at);
    return is_any;
}

bool control_find(struct stubborn *stubborn)
{
    uint32_t words = stubborn->cell_words, cells = stubborn->layout->cell_count, pairs = 0;
    bits *controls = memory_zeroed(words, sizeof *controls);
    bool is_any = false, is_possible = stubborn->start_count && symmetry_is_trivial(stubborn->symmetry);
    for (uint32_t u = 0; u < stubborn->unit_count; u++) {
        if (stubborn->units[u].rule)
            control_read_guard(stubborn, &stubborn->units[u]);
        if (stubborn->units[u].rule && stubborn->units[u].control != UINT32_MAX)
            bits_add(controls, stubborn->units[u].control);
    }
    for (uint32_t k = bits_next(controls, words, 0); k < cells && is_possible; k = bits_next(controls, words, k + 1))
        for (uint32_t c = bits_next(stubborn->wanted, words, 0); c < cells && pairs < CONTROL_PAIRS && !watch_is_up();
             c = bits_next(stubborn->wanted, words, c + 1), pairs++)
            is_any |= control_try(stubborn, k, c);
    free(controls);
    return is_any;
}

void control_bind(struct stubborn *stubborn, const struct unit *unit)
{
    for (size_t i = 0; i < unit->known.count; i++) {
        stubborn->constants[unit->known.items[i].cell] = unit->known.items[i].value;
        stubborn->is_constant[unit->known.items[i].cell] = true;
    }
}

void control_release(struct stubborn *stubborn, const struct unit *unit)
{
    for (size_t i = 0; i < unit->known.count; i++)
        stubborn->is_constant[unit->known.items[i].cell] = false;
}
