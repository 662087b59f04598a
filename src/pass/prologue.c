#include "pass/prologue.h"

#include <stdlib.h>
#include <string.h>

#include "exec/stepper.h"
#include "ir/build.h"
#include "ir/face.h"
#include "ir/fairness.h"
#include "ir/walk.h"

enum { MOST_STEPS = 10000 };

/* A test that a guard begins with: `variable[...] = value`, where the process stands. */
struct control {
    const struct variable *variable;
    const struct type *type;
    int64_t value;
};

static bool control_of(const struct rule *rule, struct control *control)
{
    const struct expr *test = rule->guard;
    while (test && test->kind == EXPR_BINARY && test->op == OP_AND)
        test = test->left;
    if (rule->prelude.count || !test || test->kind != EXPR_BINARY || test->op != OP_EQ ||
        test->left->kind != EXPR_READ || test->right->kind != EXPR_CONST)
        return false;
    const struct place *place = test->left->place;
    *control = (struct control){place_home(place), place->type, test->right->value};
    return control->variable && control->variable->is_global && type_has(place->type, control->value);
}

/* --- what leads where --- */

/* How many statements store each value in the variable of a control. */
struct stores {
    const struct variable *variable;
    const struct type *type;
    int32_t *counts; /* by position of the value in the type */
    int32_t sign;    /* 1: statements are counted; -1: taken back */
    bool is_known;   /* all are assignments of constants */
};

static bool stores_on_stmt(void *user, const struct stmt *stmt)
{
    struct stores *stores = user;
    if (!stmt->place || place_home(stmt->place) != stores->variable)
        return true;
    if (stmt->kind == STMT_ASSIGN && stmt->value->kind == EXPR_CONST && type_has(stores->type, stmt->value->value))
        stores->counts[type_ordinal(stores->type, stmt->value->value)] += stores->sign;
    else
        stores->is_known = false;
    return true;
}

static void stores_take(struct stores *stores, const struct rule *rule, int32_t sign)
{
    const struct walker walker = {.on_stmt = stores_on_stmt, .user = stores};
    stores->sign = sign;
    walk_rule(&walker, rule);
}

/* Of the rules. */
static struct stores stores_of(const struct system *system, const struct control *control)
{
    struct stores stores = {.variable = control->variable, .type = control->type, .is_known = !system->functions.count};
    stores.counts = memory_zeroed(control->type->size + 1, sizeof *stores.counts);
    for (size_t r = 0; r < system->rules.count; r++)
        stores_take(&stores, system->rules.items[r], 1);
    return stores;
}

/* Does a statement lead to where the control says, as far as one knows? */
static bool stores_lead_to(const struct stores *stores, const struct control *control)
{
    return !stores->is_known || control->variable != stores->variable || control->type != stores->type ||
           stores->counts[type_ordinal(stores->type, control->value)] > 0;
}

/* --- the step --- */

struct prologue {
    struct system *system;
    struct layout *layout;
    struct stepper *stepper;
    int32_t *start, *cells;
    struct rule *first;             /* the rule it begins with */
    VEC(const struct rule *) rules; /* all that fire, in order */
};

static size_t cell_size(const struct prologue *prologue)
{
    return prologue->layout->cell_count * sizeof *prologue->cells;
}

/* The only thing that can happen, if it is a state: it replaces `cells`. */
static bool take_only_step(struct prologue *prologue, const struct rule **rule)
{
    struct step step;
    if (stepper_next(prologue->stepper, &step) != STEP_STATE)
        return false;
    memcpy(prologue->cells, step.cells, cell_size(prologue));
    *rule = step.rule;
    return stepper_next(prologue->stepper, &step) == STEP_END && !watch_is_up();
}

/* False: it does not end, or may go several ways. */
static bool follow(struct prologue *prologue)
{
    const struct system *system = prologue->system;
    const struct rule *rule;
    stepper_begin_starts(prologue->stepper);
    if (!take_only_step(prologue, &rule))
        return false;
    memcpy(prologue->start, prologue->cells, cell_size(prologue));
    for (int i = 0; i < MOST_STEPS; i++) {
        stepper_begin_successors(prologue->stepper, prologue->cells);
        if (!take_only_step(prologue, &rule))
            return false;
        if (!i)
            prologue->first = system->rules.items[rule->id];
        VEC_PUSH(&prologue->rules, rule);
        if (!system_passes_through(system, prologue->cells))
            return true;
    }
    return false;
}

/* --- its result --- */

static struct place *cell_place(struct system *system, struct place *place, uint32_t offset, struct span span)
{
    const struct type *type = place->type;
    while (type->kind == TYPE_ARRAY || type->kind == TYPE_RECORD) {
        if (type->kind == TYPE_ARRAY) {
            uint32_t position = offset / type->element->cells;
            struct expr *index = expr_const(system, type->index, type_code(type->index, position), span);
            place = place_element(system, place, index, span);
            offset -= position * type->element->cells;
        } else {
            uint32_t f = 0;
            while (f + 1 < type->field_count && type->fields[f + 1].offset <= offset)
                f++;
            place = place_field(system, place, &type->fields[f], span);
            offset -= type->fields[f].offset;
        }
        type = place->type;
    }
    return place;
}

static struct stmt *assign_cell(struct prologue *prologue, const struct variable *variable, uint32_t cell)
{
    struct system *system = prologue->system;
    struct span span = prologue->first->span;
    struct place *place = cell_place(system, place_variable(system, variable, span), cell - variable->address, span);
    int32_t value = prologue->cells[cell];
    struct stmt *stmt = stmt_new(system, value == UNDEFINED ? STMT_UNDEFINE : STMT_ASSIGN, span);
    stmt->place = place;
    if (value != UNDEFINED)
        stmt->value = expr_const(system, place->type, value, span);
    return stmt;
}

static void set_body(struct prologue *prologue)
{
    struct system *system = prologue->system;
    VEC(struct stmt *) body = {0};
    for (size_t g = 0; g < system->globals.count; g++) {
        const struct variable *variable = system->globals.items[g];
        for (uint32_t c = variable->address; c < variable->address + variable->type->cells; c++)
            if (prologue->cells[c] != prologue->start[c])
                VEC_PUSH(&body, assign_cell(prologue, variable, c));
    }
    struct block block = {.count = (uint32_t)body.count};
    block.items = VEC_SEAL(&body, system->arena);
    prologue->first->body = block;
}

/* "init(0):38 i = 0; ... (27 statements)": the one rule stands for the statements of all. */
static void set_shown(struct prologue *prologue)
{
    struct arena *arena = prologue->system->arena;
    struct face_step *shown = ARENA_NEW(arena, struct face_step);
    VEC(uint32_t) statements = {0};
    if (!prologue->first->shown || prologue->rules.count < 2)
        return;
    *shown = *prologue->first->shown;
    bool is_alone = true;
    for (size_t r = 0; r < prologue->rules.count; r++) {
        const struct face_step *one = prologue->rules.items[r]->shown;
        is_alone = is_alone && one && one->act != FACE_MEETS;
        for (uint32_t i = 0; is_alone && i < one->statement_count; i++)
            VEC_PUSH(&statements, one->statements[i]);
    }
    struct face_piece *pieces = arena_copy(arena, shown->pieces, shown->piece_count * sizeof *pieces);
    struct face_piece *last = &pieces[shown->piece_count - 1];
    last->text = arena_format(arena, "%s; ... (%zu statements)", last->text, statements.count);
    shown->pieces = pieces;
    shown->act = FACE_ACTS;
    shown->statement_count = is_alone ? (uint32_t)statements.count : 0;
    shown->statements = VEC_SEAL(&statements, arena);
    prologue->first->shown = shown;
}

/* Rules that stand where nothing leads to any more: not even a rule that is left out with them. */
static void drop_unreachable(struct system *system, const struct control *where)
{
    struct stores stores = stores_of(system, where);
    struct control control;
    for (size_t r = 0; r < system->starts.count; r++)
        stores_take(&stores, system->starts.items[r], 1);
    for (uint32_t before = 0, count = (uint32_t)system->rules.count; before != count;) {
        before = count;
        count = 0;
        for (uint32_t r = 0; r < before; r++) {
            struct rule *rule = system->rules.items[r];
            if (control_of(rule, &control) && !stores_lead_to(&stores, &control)) {
                stores_take(&stores, rule, -1);
                continue;
            }
            rule->id = count;
            system->rules.items[count++] = rule;
        }
        system->rules.count = count;
    }
    free(stores.counts);
}

static bool can_be_done(const struct system *system)
{
    for (size_t g = 0; g < system->globals.count; g++)
        if (type_has_multiset(system->globals.items[g]->type))
            return false;
    for (size_t p = 0; p < system->properties.count; p++)
        if (system->properties.items[p]->kind == PROPERTY_FAIRNESS && system->properties.items[p]->fairness->rule)
            return false;
    return system->holder && !system->chain && !system_has_cover_statements(system);
}

/* Does the first rule fire in the start state only? */
static bool is_never_again(const struct prologue *prologue, struct control *control)
{
    if (prologue->first->instance_count != 1 || !control_of(prologue->first, control))
        return false;
    struct stores stores = stores_of(prologue->system, control);
    bool is_led_to = stores_lead_to(&stores, control);
    free(stores.counts);
    return !is_led_to;
}

void prologue_fold(struct system *system)
{
    if (!can_be_done(system))
        return;
    struct control control;
    struct prologue prologue = {.system = system, .layout = layout_create(system)};
    prologue.stepper = stepper_create_single(system, prologue.layout);
    prologue.stepper->is_watched = true;
    prologue.start = memory_zeroed((size_t)prologue.layout->cell_count + 1, sizeof *prologue.start);
    prologue.cells = memory_zeroed((size_t)prologue.layout->cell_count + 1, sizeof *prologue.cells);
    bool is_done = follow(&prologue) && is_never_again(&prologue, &control);
    stepper_destroy(prologue.stepper);
    if (is_done) {
        set_body(&prologue);
        set_shown(&prologue);
        drop_unreachable(system, &control);
    }
    layout_destroy(prologue.layout);
    VEC_FREE(&prologue.rules);
    free(prologue.start);
    free(prologue.cells);
}
