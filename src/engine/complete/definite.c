/* Can a cell of a reachable state be undefined? A cautious answer by the text: where it is no, nothing about
 * definedness need be remembered. */
#include <stdlib.h>

#include "base/memory.h"
#include "engine/complete/shape.h"
#include "ir/walk.h"

struct definite {
    bool *is_bound; /* by address: a parameter of a rule or the variable of a loop, which always have a value */
    bool holds;
};

static const struct variable *definite_root(const struct place *place)
{
    while (place->kind == PLACE_ELEMENT || place->kind == PLACE_FIELD || place->kind == PLACE_SLOT)
        place = place->base;
    return place->kind == PLACE_VARIABLE ? place->variable : NULL;
}

static bool definite_is_local(const struct place *place)
{
    const struct variable *root = definite_root(place);
    return root && !root->is_global;
}

/* Other local variables may be undefined, and so may what is copied from them. */
static bool definite_is_value(const struct definite *definite, const struct place *place)
{
    const struct variable *root = definite_root(place);
    return root && (root->is_global || definite->is_bound[root->address]);
}

static bool definite_on_loop(void *user, const struct stmt *stmt)
{
    struct definite *definite = user;
    if (stmt->kind == STMT_FOR)
        definite->is_bound[stmt->variable->address] = true;
    return true;
}

static bool definite_on_stmt(void *user, const struct stmt *stmt)
{
    struct definite *definite = user;
    if (!stmt->place || definite_is_local(stmt->place))
        return true;
    const struct expr *value = stmt->value;
    if (stmt->kind == STMT_UNDEFINE)
        definite->holds = false;
    if (stmt->kind == STMT_COPY)
        definite->holds &= definite_is_value(definite, stmt->source);
    if (stmt->kind == STMT_ASSIGN && value->kind == EXPR_READ && value->raw)
        definite->holds &= definite_is_value(definite, value->place);
    if (stmt->kind == STMT_ASSIGN && value->kind == EXPR_CONST)
        definite->holds &= value->value != UNDEFINED;
    return true;
}

static void definite_walk(const struct system *system, const struct walker *walker)
{
    for (size_t i = 0; i < system->rules.count; i++)
        walk_rule(walker, system->rules.items[i]);
    for (size_t i = 0; i < system->functions.count; i++)
        walk_block(walker, &system->functions.items[i]->body);
}

bool shape_is_always_defined(const struct system *system)
{
    struct definite definite = {memory_zeroed(system->memory_cells + 1, sizeof(bool)), true};
    for (size_t r = 0; r < system->rules.count; r++)
        for (uint32_t p = 0; p < system->rules.items[r]->parameter_count; p++)
            definite.is_bound[system->rules.items[r]->parameters[p].variable->address] = true;
    definite_walk(system, &(struct walker){.on_stmt = definite_on_loop, .user = &definite});
    definite_walk(system, &(struct walker){.on_stmt = definite_on_stmt, .user = &definite});
    free(definite.is_bound);
    return definite.holds;
}
