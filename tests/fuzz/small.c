#include "small.h"

#include <stdlib.h>

#include "ir/walk.h"

enum { MAX_CELLS = 2000 };
static const uint64_t MAX_INSTANCES = 500, MAX_ROUNDS = 1000000, MAX_NODES = 200000;

/* How often the loops of a system go round if all of them were nested: an upper bound, up to MAX_ROUNDS. */
struct rounds {
    uint64_t product;
    uint64_t nodes; /* of expressions, with shared parts as often as they are met: that may be exponential */
};

static void multiply_rounds(struct rounds *rounds, const struct domain *domain)
{
    uint64_t size = MAX_ROUNDS;
    if (domain->type)
        size = domain->type->size;
    else if (domain->from && domain->from->kind == EXPR_CONST && domain->to->kind == EXPR_CONST)
        size = (uint64_t)llabs(domain->to->value / 2 - domain->from->value / 2) * 2 + 2;
    rounds->product *= size < MAX_ROUNDS ? size + 1 : MAX_ROUNDS;
    if (rounds->product > MAX_ROUNDS)
        rounds->product = MAX_ROUNDS;
}

static bool count_stmt(void *user, const struct stmt *stmt)
{
    if (stmt->kind == STMT_FOR)
        multiply_rounds(user, &stmt->domain);
    if (stmt->kind == STMT_WHILE)
        multiply_rounds(user, &(struct domain){.type = &(const struct type){.size = SMALL_LOOP}});
    return true;
}

static bool count_expr(void *user, const struct expr *expr)
{
    struct rounds *rounds = user;
    if (expr->kind == EXPR_QUANTIFIER)
        multiply_rounds(rounds, &expr->domain);
    return ++rounds->nodes < MAX_NODES;
}

static bool has_short_loops(const struct system *system)
{
    struct rounds rounds = {1, 0};
    struct walker walker = {.on_stmt = count_stmt, .on_expr = count_expr, .user = &rounds};
    walk_system(&walker, system);
    return rounds.product < MAX_ROUNDS && rounds.nodes < MAX_NODES;
}

bool system_is_small(const struct system *system)
{
    uint64_t instances = 0;
    if (system->memory_cells > MAX_CELLS || !has_short_loops(system))
        return false;
    for (size_t i = 0; i < system->rules.count && instances <= MAX_INSTANCES; i++)
        instances += system->rules.items[i]->instance_count;
    for (size_t i = 0; i < system->starts.count && instances <= MAX_INSTANCES; i++)
        instances += system->starts.items[i]->instance_count;
    return instances <= MAX_INSTANCES;
}
