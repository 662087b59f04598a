/* What rules do with variables: questions to the text of the model. */
#include "portrait/roster.h"
#include "ir/walk.h"

struct index_use {
    const struct variable *variable;
    const struct type *found;
};

static bool use_on_index(void *user, const struct place *place, bool is_written)
{
    struct index_use *use = user;
    (void)is_written;
    if (place->kind != PLACE_ELEMENT || use->found)
        return true;
    const struct expr *index = place->index;
    const struct type *range = place->base->type->index;
    if (range->kind == TYPE_RANGE && index->kind == EXPR_READ && index->place->kind == PLACE_VARIABLE &&
        index->place->variable == use->variable)
        use->found = range;
    return true;
}

const struct type *use_as_index(const struct rule *rule, const struct variable *variable)
{
    struct index_use use = {variable, NULL};
    struct walker walker = {.on_place = use_on_index, .user = &use};
    walk_rule(&walker, rule);
    return use.found;
}

struct writes {
    bool *written;    /* by address of a global variable */
    bool is_indirect; /* something is written through a reference */
};

static bool use_on_write(void *user, const struct place *place, bool is_written)
{
    struct writes *writes = user;
    if (is_written && place->kind == PLACE_VARIABLE && place->variable->is_global)
        writes->written[place->variable->address] = true;
    writes->is_indirect |= is_written && place->kind == PLACE_DEREF;
    return true;
}

static bool use_on_bind(void *user, const struct stmt *stmt)
{
    struct writes *writes = user;
    const struct variable *root = stmt->kind == STMT_BIND ? place_root(stmt->place)->variable : NULL;
    if (root && root->is_global)
        writes->written[root->address] = true;
    return true;
}

static void use_walk_all(const struct system *system, const struct walker *walker)
{
    for (size_t i = 0; i < system->rules.count; i++)
        walk_rule(walker, system->rules.items[i]);
    for (size_t i = 0; i < system->functions.count; i++)
        walk_block(walker, &system->functions.items[i]->body);
}

void use_mark_written(const struct system *system, bool *written)
{
    struct writes writes = {written, false};
    struct walker walker = {.on_place = use_on_write, .user = &writes};
    use_walk_all(system, &walker);
    /* A write through a reference may reach whatever was bound. */
    struct walker binds = {.on_stmt = use_on_bind, .user = &writes};
    if (writes.is_indirect)
        use_walk_all(system, &binds);
}

struct roster_mention {
    const struct variable *variable;
    bool is_found;
    struct walker walker;
};

static bool mention_on_place(void *user, const struct place *place, bool is_written)
{
    struct roster_mention *mention = user;
    (void)is_written;
    mention->is_found |= place->variable == mention->variable;
    return true;
}

static bool mention_on_expr(void *user, const struct expr *expr)
{
    struct roster_mention *mention = user;
    if (expr->kind == EXPR_CALL)
        walk_block(&mention->walker, &expr->function->body);
    return true;
}

bool use_mentions(const struct rule *rule, const struct expr *expr, const struct variable *variable)
{
    struct roster_mention mention = {.variable = variable};
    mention.walker = (struct walker){.on_expr = mention_on_expr, .on_place = mention_on_place, .user = &mention};
    if (rule)
        walk_rule(&mention.walker, rule);
    if (expr)
        walk_expr(&mention.walker, expr);
    return mention.is_found;
}

struct effect_search {
    bool is_found;
    struct walker walker;
};

static bool effect_on_place(void *user, const struct place *place, bool is_written)
{
    struct effect_search *search = user;
    bool is_local = place->variable && !place->variable->is_global && place->kind == PLACE_VARIABLE;
    search->is_found |= is_written && !place->base && !is_local;
    return true;
}

static bool effect_on_expr(void *user, const struct expr *expr)
{
    struct effect_search *search = user;
    if (expr->kind == EXPR_CALL)
        walk_block(&search->walker, &expr->function->body);
    return true;
}

bool use_has_effect(const struct expr *expr)
{
    struct effect_search search = {0};
    search.walker = (struct walker){.on_expr = effect_on_expr, .on_place = effect_on_place, .user = &search};
    walk_expr(&search.walker, expr);
    return search.is_found;
}
