/* Cells that have one value wherever control stands at a certain place: a channel that is a parameter of a process,
 * say, which the end of the process sets back. A rule whose guard asks for the place then knows the value, and so the
 * element of an array that it stands for.
 *
 * The values of a cell by those of a control cell are followed along the rules, from the start states, until there are
 * no more (a data-flow analysis; values are none, one, or many). A second control cell is that of a rule that moves the
 * first one from outside: a process is started once. With symmetry only where the images of reachable states are
 * reachable, so that these are all states (constant.c). */
#include <stdlib.h>

#include "base/memory.h"
#include "stubborn/inner.h"

enum { CONTROL_PAIRS = 1024, CONTROL_SIZE = 1 << 16 };

enum many { VALUE_NONE, VALUE_ONE, VALUE_MANY };
struct values {
    enum many many;
    int32_t value;
};

/* A control cell; its values by place in the type, 0: undefined. No cell: there is one place. */
struct control_axis {
    uint32_t cell; /* UINT32_MAX: none */
    const struct type *type;
    uint32_t size;
};

struct control_flow {
    struct stubborn *stubborn;
    uint32_t cell;
    struct control_axis axes[2];
    struct values *at; /* by the places of both */
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

static uint32_t axis_place(const struct control_axis *axis, int32_t code)
{
    return axis->cell == UINT32_MAX || code == UNDEFINED ? 0 : (uint32_t)(type_ordinal(axis->type, code) + 1);
}

static struct control_axis axis_of(const struct stubborn *stubborn, uint32_t cell)
{
    const struct type *type = cell == UINT32_MAX ? NULL : stubborn->layout->cells[cell].type;
    return (struct control_axis){cell, type, type ? type->size + 1 : 1};
}

static struct values *control_at(const struct control_flow *control, uint32_t first, uint32_t second)
{
    return &control->at[(size_t)first * control->axes[1].size + second];
}

/* May the unit run at this place? */
static bool axis_lets_run(const struct control_axis *axis, const struct unit *unit, uint32_t place)
{
    return unit->control != axis->cell || axis->cell == UINT32_MAX || axis_place(axis, unit->control_value) == place;
}

/* Can it lead from one place to the other? */
static bool axis_leads(const struct control_axis *axis, const struct unit *unit, uint32_t from, uint32_t to)
{
    if (axis->cell == UINT32_MAX || !unit_writes(unit, axis->cell))
        return from == to;
    const struct effect *effect = unit_effect(unit, axis->cell);
    if (!effect || effect->kind != EFFECT_CONSTANTS)
        return true;
    for (uint32_t i = 0; i < effect->count; i++)
        if (axis_place(axis, effect->values[i]) == to)
            return true;
    return !effect->is_sure && from == to;
}

/* What the cell holds behind the unit. */
static struct values control_after(const struct control_flow *control, const struct unit *unit, struct values before)
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

static bool control_spread(struct control_flow *control, const struct unit *unit, uint32_t first, uint32_t second)
{
    struct values after = control_after(control, unit, *control_at(control, first, second));
    bool has_changed = false;
    for (uint32_t f = 0; f < control->axes[0].size; f++)
        for (uint32_t s = 0; axis_leads(&control->axes[0], unit, first, f) && s < control->axes[1].size; s++)
            if (axis_leads(&control->axes[1], unit, second, s))
                has_changed |= control_join(control_at(control, f, s), after);
    control->stubborn->work += control->axes[0].size + control->axes[1].size;
    return has_changed;
}

static bool control_follow(struct control_flow *control, const struct unit *unit)
{
    bool has_changed = false;
    for (uint32_t f = 0; f < control->axes[0].size; f++)
        for (uint32_t s = 0; axis_lets_run(&control->axes[0], unit, f) && s < control->axes[1].size; s++)
            if (axis_lets_run(&control->axes[1], unit, s) && control_at(control, f, s)->many != VALUE_NONE)
                has_changed |= control_spread(control, unit, f, s);
    return has_changed;
}

static bool control_concerns(const struct control_flow *control, const struct unit *unit)
{
    bool writes = unit->rule && unit_writes(unit, control->cell);
    for (uint32_t a = 0; a < 2 && unit->rule; a++)
        writes |= control->axes[a].cell != UINT32_MAX && unit_writes(unit, control->axes[a].cell);
    return writes;
}

/* False: it takes too long. */
static bool control_solve(struct control_flow *control)
{
    struct stubborn *stubborn = control->stubborn;
    uint32_t cells = stubborn->layout->cell_count;
    bool has_changed = true;
    for (uint32_t s = 0; s < stubborn->start_count; s++) {
        const int32_t *start = stubborn->starts + (size_t)s * cells;
        uint32_t places[2];
        for (uint32_t a = 0; a < 2; a++)
            places[a] =
                control->axes[a].cell == UINT32_MAX ? 0 : axis_place(&control->axes[a], start[control->axes[a].cell]);
        control_join(control_at(control, places[0], places[1]), (struct values){VALUE_ONE, start[control->cell]});
    }
    while (has_changed && !watch_is_up() && stubborn->work < STUBBORN_WORK / 2) {
        has_changed = false;
        for (uint32_t u = 0; u < stubborn->unit_count; u++)
            if (control_concerns(control, &stubborn->units[u]))
                has_changed |= control_follow(control, &stubborn->units[u]);
        stubborn->work += stubborn->unit_count;
    }
    return !has_changed;
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
static bool control_tell(struct control_flow *control)
{
    struct stubborn *stubborn = control->stubborn;
    bool is_any = false;
    for (uint32_t u = 0; u < stubborn->unit_count; u++) {
        struct unit *unit = &stubborn->units[u];
        struct values values = {VALUE_NONE, 0};
        if (!unit->rule || unit->control != control->axes[0].cell || unit_writes(unit, control->cell) ||
            !bits_has(unit->touched.reads, control->cell))
            continue;
        for (uint32_t s = 0; s < control->axes[1].size; s++)
            control_join(&values, *control_at(control, axis_place(&control->axes[0], unit->control_value), s));
        struct known_cell known = {control->cell, values.value};
        if (values.many != VALUE_ONE || values.value == UNDEFINED)
            continue;
        VEC_PUSH(&unit->known, known);
        is_any = true;
    }
    return is_any;
}

/* The control cell of a rule that moves the first one from outside, or UINT32_MAX. */
static uint32_t control_second(const struct stubborn *stubborn, uint32_t first)
{
    for (uint32_t u = 0; u < stubborn->unit_count; u++) {
        const struct unit *unit = &stubborn->units[u];
        if (unit->rule && unit->control != first && unit->control != UINT32_MAX && unit_writes(unit, first))
            return unit->control;
    }
    return UINT32_MAX;
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

static bool control_try(struct stubborn *stubborn, uint32_t first, uint32_t cell)
{
    uint32_t second = control_second(stubborn, first);
    struct control_flow control = {stubborn, cell, {axis_of(stubborn, first), axis_of(stubborn, second)}, NULL};
    if (second == cell || (uint64_t)control.axes[0].size * control.axes[1].size > CONTROL_SIZE)
        control.axes[1] = axis_of(stubborn, UINT32_MAX);
    if (first == cell || control.axes[0].size > CONTROL_SIZE || !control_is_pair(stubborn, first, cell))
        return false;
    control.at = memory_zeroed((size_t)control.axes[0].size * control.axes[1].size + 1, sizeof *control.at);
    bool is_any = control_solve(&control) && control_tell(&control);
    free(control.at);
    return is_any;
}

bool control_find(struct stubborn *stubborn)
{
    uint32_t words = stubborn->cell_words, cells = stubborn->layout->cell_count, pairs = 0;
    uint64_t *controls = memory_zeroed(words, sizeof *controls);
    bool is_any = false, is_possible = stubborn->starts_are_closed;
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
