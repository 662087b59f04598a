#include "pass/prologue.h"

#include <stdlib.h>
#include <string.h>

#include "exec/stepper.h"
#include "ir/build.h"
#include "ir/face.h"
#include "ir/fairness.h"
#include "ir/walk.h"

enum { MOST_STEPS = 10000 };

/* What is held against what, in the guard of a rule or by a statement: `variable[...] = value`. */
struct control {
    const struct variable *variable;
    int64_t value;
};

static const struct variable *root_of(const struct place *place)
{
    while (place->base)
        place = place->base;
    return place->kind == PLACE_VARIABLE ? place->variable : NULL;
}

/* The test that the guard begins with: where the process stands. */
static bool control_of(const struct rule *rule, struct control *control)
{
    const struct expr *test = rule->guard;
    while (test && test->kind == EXPR_BINARY && test->op == OP_AND)
        test = test->left;
    if (rule->prelude.count || !test || test->kind != EXPR_BINARY || test->op != OP_EQ ||
        test->left->kind != EXPR_READ || test->right->kind != EXPR_CONST)
        return false;
    *control = (struct control){root_of(test->left->place), test->right->value};
    return control->variable && control->variable->is_global;
}

/* --- can it come again? --- */

struct control_search {
    struct control control;
    bool is_found; /* such a value, or one that is not known, is stored */
};

/* Whatever is stored otherwise than by an assignment is not known. */
static bool search_stmt(void *user, const struct stmt *stmt)
{
    struct control_search *search = user;
    if (!stmt->place || root_of(stmt->place) != search->control.variable)
        return true;
    bool is_known = stmt->kind == STMT_ASSIGN && stmt->value->kind == EXPR_CONST;
    search->is_found |= !is_known || stmt->value->value == search->control.value;
    return true;
}

/* Does one of the rules that are left, or a start state, lead to where the control says? */
static bool is_led_to(const struct system *system, const bool *is_gone, struct control control, bool from_starts)
{
    struct control_search search = {.control = control};
    const struct walker walker = {.on_stmt = search_stmt, .user = &search};
    if (system->functions.count)
        return true;
    for (size_t r = 0; r < system->rules.count && !search.is_found; r++)
        if (!is_gone[r])
            walk_rule(&walker, system->rules.items[r]);
    for (size_t r = 0; from_starts && r < system->starts.count && !search.is_found; r++)
        walk_rule(&walker, system->starts.items[r]);
    return search.is_found;
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

static bool has_multiset(const struct type *type)
{
    if (type->kind == TYPE_ARRAY)
        return has_multiset(type->element);
    for (uint32_t f = 0; type->kind == TYPE_RECORD && f < type->field_count; f++)
        if (has_multiset(type->fields[f].type))
            return true;
    return type->kind == TYPE_MULTISET;
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

/* Rules that stand where nothing leads to any more. */
static void drop_unreachable(struct system *system)
{
    bool *is_gone = memory_zeroed(system->rules.count + 1, sizeof *is_gone);
    struct control control;
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (size_t r = 0; r < system->rules.count; r++)
            if (!is_gone[r] && control_of(system->rules.items[r], &control) &&
                !is_led_to(system, is_gone, control, true))
                is_gone[r] = is_new = true;
    }
    uint32_t count = 0;
    for (size_t r = 0; r < system->rules.count; r++)
        if (!is_gone[r]) {
            system->rules.items[r]->id = count;
            system->rules.items[count++] = system->rules.items[r];
        }
    system->rules.count = count;
    free(is_gone);
}

static bool can_be_done(const struct system *system)
{
    for (size_t g = 0; g < system->globals.count; g++)
        if (has_multiset(system->globals.items[g]->type))
            return false;
    for (size_t p = 0; p < system->properties.count; p++)
        if (system->properties.items[p]->kind == PROPERTY_FAIRNESS && system->properties.items[p]->fairness->rule)
            return false;
    return system->holder && !system->chain && !system_has_cover_statements(system);
}

/* Does the first rule fire in the start state only? */
static bool is_never_again(const struct prologue *prologue)
{
    struct control control;
    bool *none = memory_zeroed(prologue->system->rules.count + 1, sizeof *none);
    bool is_once = prologue->first->instance_count == 1 && control_of(prologue->first, &control) &&
                   !is_led_to(prologue->system, none, control, false);
    free(none);
    return is_once;
}

static bool hold_stmt(void *user, const struct stmt *stmt)
{
    struct system *system = user;
    if (stmt->place && root_of(stmt->place) == system->holder)
        system->is_never_held &=
            stmt->kind == STMT_ASSIGN && stmt->value->kind == EXPR_CONST && stmt->value->value == system_nobody(system);
    return true;
}

static void note_holding(struct system *system)
{
    const struct walker walker = {.on_stmt = hold_stmt, .user = system};
    system->is_never_held = true;
    walk_steps(&walker, system);
}

/* --- nobody holds anything --- */

static bool reads_holder(const struct system *system, const struct expr *expr)
{
    return expr->kind == EXPR_READ && expr->place->kind == PLACE_VARIABLE && expr->place->variable == system->holder;
}

enum holding { HOLDING_OTHER, HOLDING_NOBODY, HOLDING_SOMEBODY };

/* What a test of the holder asks for. */
static enum holding holding_of(const struct system *system, const struct expr *test)
{
    if (test->kind == EXPR_BINARY && test->op == OP_OR) {
        bool is_nobody =
            holding_of(system, test->left) == HOLDING_NOBODY || holding_of(system, test->right) == HOLDING_NOBODY;
        return is_nobody ? HOLDING_NOBODY : HOLDING_OTHER;
    }
    if (test->kind != EXPR_BINARY || test->op != OP_EQ || !reads_holder(system, test->left))
        return HOLDING_OTHER;
    bool is_nobody = test->right->kind == EXPR_CONST && test->right->value == system_nobody(system);
    return is_nobody ? HOLDING_NOBODY : HOLDING_SOMEBODY;
}

/* The guard without tests of the holder that are always true; NULL: nothing is left. */
static struct expr *strip_guard(struct system *system, struct expr *guard, bool *is_never)
{
    enum holding holding = holding_of(system, guard);
    *is_never |= holding == HOLDING_SOMEBODY;
    if (holding != HOLDING_OTHER)
        return NULL;
    if (guard->kind != EXPR_BINARY || guard->op != OP_AND)
        return guard;
    struct expr *left = strip_guard(system, guard->left, is_never);
    struct expr *right = strip_guard(system, guard->right, is_never);
    if (left == guard->left && right == guard->right)
        return guard;
    return left && right ? expr_binary(system, OP_AND, left, right, guard->span) : left ? left : right;
}

static void strip_body(struct system *system, struct block *body)
{
    uint32_t count = 0;
    struct stmt **kept = ARENA_ARRAY(system->arena, struct stmt *, body->count + 1);
    for (uint32_t i = 0; i < body->count; i++)
        if (!body->items[i]->place || root_of(body->items[i]->place) != system->holder)
            kept[count++] = body->items[i];
    *body = (struct block){kept, count};
}

/* Tests and assignments of the holder say nothing, and would only set processes apart. */
static void strip_holder(struct system *system)
{
    uint32_t count = 0;
    for (size_t r = 0; r < system->rules.count; r++) {
        struct rule *rule = system->rules.items[r];
        bool is_never = false;
        if (rule->guard)
            rule->guard = strip_guard(system, rule->guard, &is_never);
        strip_body(system, &rule->body);
        if (is_never)
            continue;
        rule->id = count;
        system->rules.items[count++] = rule;
    }
    system->rules.count = count;
}

static void fold_start(struct system *system)
{
    struct prologue prologue = {.system = system, .layout = layout_create(system)};
    prologue.stepper = stepper_create_single(system, prologue.layout);
    prologue.stepper->is_watched = true;
    prologue.start = memory_zeroed((size_t)prologue.layout->cell_count + 1, sizeof *prologue.start);
    prologue.cells = memory_zeroed((size_t)prologue.layout->cell_count + 1, sizeof *prologue.cells);
    bool is_done = follow(&prologue) && is_never_again(&prologue);
    stepper_destroy(prologue.stepper);
    if (is_done) {
        set_body(&prologue);
        set_shown(&prologue);
        drop_unreachable(system);
    }
    layout_destroy(prologue.layout);
    VEC_FREE(&prologue.rules);
    free(prologue.start);
    free(prologue.cells);
}

void prologue_fold(struct system *system)
{
    if (can_be_done(system))
        fold_start(system);
    if (system->holder)
        note_holding(system);
    if (system->is_never_held)
        strip_holder(system);
}
