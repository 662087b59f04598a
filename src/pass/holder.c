#include "pass/holder.h"

#include "ir/build.h"
#include "ir/walk.h"

static bool is_holder(const struct system *system, const struct place *place)
{
    return place->kind == PLACE_VARIABLE && place->variable == system->holder;
}

static bool hold_stmt(void *user, const struct stmt *stmt)
{
    struct system *system = user;
    if (stmt->place && is_holder(system, stmt->place))
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

static bool reads_holder(const struct system *system, const struct expr *expr)
{
    return expr->kind == EXPR_READ && is_holder(system, expr->place);
}

enum holding { HOLDING_OTHER, HOLDING_NOBODY, HOLDING_SOMEBODY };

/* What a test of the holder asks for. */
static enum holding holding_of(const struct system *system, const struct expr *test)
{
    if (test->kind == EXPR_BINARY && test->op == OP_OR) /* what stands behind is not looked at */
        return holding_of(system, test->left) == HOLDING_NOBODY ? HOLDING_NOBODY : HOLDING_OTHER;
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
        if (!body->items[i]->place || !is_holder(system, body->items[i]->place))
            kept[count++] = body->items[i];
    *body = (struct block){kept, count};
}

/* Tests and assignments of the holder say nothing, and would only set processes apart. */
static void strip_rules(struct system *system)
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

void holder_strip(struct system *system)
{
    if (!system->holder)
        return;
    note_holding(system);
    if (system->is_never_held)
        strip_rules(system);
}
