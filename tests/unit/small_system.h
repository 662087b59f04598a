/* Small systems built by hand, for the tests of the engines and of result/. */
#ifndef NOETHER_TESTS_SMALL_SYSTEM_H
#define NOETHER_TESTS_SMALL_SYSTEM_H

#include <stdlib.h>

#include "ir/build.h"
#include "symmetry/symmetry.h"

static const struct span HERE = {0};

struct small {
    struct system *system;
    struct layout *layout;
    struct symmetry *symmetry;
    struct variable *x; /* a global */
};

static inline struct expr *small_read(const struct small *small, const struct variable *variable)
{
    return expr_read(small->system, place_variable(small->system, variable, HERE), false, HERE);
}

static inline struct expr *small_number(const struct small *small, int64_t value)
{
    return expr_const(small->system, small->system->integer, value, HERE);
}

/* x op value */
static inline struct expr *small_compare(const struct small *small, enum operator op, int64_t value)
{
    return expr_binary(small->system, op, small_read(small, small->x), small_number(small, value), HERE);
}

static inline struct stmt *small_assign(const struct small *small, struct place *place, struct expr *value)
{
    struct stmt *stmt = stmt_new(small->system, STMT_ASSIGN, HERE);
    stmt->place = place;
    stmt->value = value;
    return stmt;
}

static inline void small_set_body(const struct small *small, struct rule *rule, uint32_t count, struct stmt **items)
{
    rule->body.items = arena_copy(small->system->arena, items, count * sizeof *items);
    rule->body.count = count;
}

/* guard ==> x := value */
static inline struct rule *small_add_rule(const struct small *small, const char *name, struct expr *guard,
                                          struct expr *value)
{
    struct rule *rule = system_add_rule(small->system, name, HERE);
    rule->guard = guard;
    struct stmt *stmt = small_assign(small, place_variable(small->system, small->x, HERE), value);
    small_set_body(small, rule, 1, &stmt);
    return rule;
}

/* x = from ==> x := to */
static inline void small_add_edge(const struct small *small, const char *name, int64_t from, int64_t to)
{
    small_add_rule(small, name, small_compare(small, OP_EQ, from), small_number(small, to));
}

/* One variable x: 0..top, started at 0. */
static inline struct small small_counter(int32_t top)
{
    struct small small = {.system = system_create("small")};
    small.x = system_add_global(small.system, "x", type_range(small.system, NULL, 0, top, HERE), HERE);
    struct rule *start = system_add_start(small.system, "start", HERE);
    struct stmt *stmt = small_assign(&small, place_variable(small.system, small.x, HERE), small_number(&small, 0));
    small_set_body(&small, start, 1, &stmt);
    return small;
}

static inline void small_add_increment(const struct small *small, int64_t below)
{
    small_add_rule(small, "increment", small_compare(small, OP_LT, below),
                   expr_binary(small->system, OP_ADD, small_read(small, small->x), small_number(small, 1), HERE));
}

static inline struct property *small_add_property(const struct small *small, enum property_kind kind, const char *name,
                                                  struct expr *formula)
{
    return system_add_property(small->system, kind, name, formula, HERE);
}

static inline void small_finish(struct small *small, bool with_symmetry)
{
    system_finish(small->system);
    small->layout = layout_create(small->system);
    small->symmetry = with_symmetry ? symmetry_find(small->system) : symmetry_none(small->system);
}

static inline void small_free(struct small *small)
{
    symmetry_destroy(small->symmetry);
    layout_destroy(small->layout);
    system_destroy(small->system);
}

/* `nodes` interchangeable processes, each with a variable 0..top that a rule of its own increments, and `last`, the
 * process that moved last. Without symmetry (top+1)^nodes values, all but the first with several `last`. */
struct small_family {
    struct small small;
    const struct type *node;
    struct variable *level, *last;
};

static inline struct place *small_element(const struct small_family *family, const struct variable *index)
{
    struct system *system = family->small.system;
    return place_element(system, place_variable(system, family->level, HERE), small_read(&family->small, index), HERE);
}

static inline struct rule *small_family_rule(struct small_family *family, const char *name, int64_t below)
{
    struct small *small = &family->small;
    struct system *system = small->system;
    struct variable *i = system_add_scratch(system, "i", family->node, HERE);
    struct rule *rule = system_add_rule(system, name, HERE);
    rule->parameters = ARENA_NEW(system->arena, struct parameter);
    rule->parameter_count = 1;
    rule->parameters[0] = (struct parameter){.variable = i, .type = family->node};
    struct expr *level = expr_read(system, small_element(family, i), false, HERE);
    rule->guard = expr_binary(system, OP_LT, level, small_number(small, below), HERE);
    struct stmt *body[] = {
        small_assign(small, small_element(family, i), expr_binary(system, OP_ADD, level, small_number(small, 1), HERE)),
        small_assign(small, place_variable(system, family->last, HERE), small_read(small, i)),
    };
    small_set_body(small, rule, 2, body);
    return rule;
}

static inline struct small_family small_family_create(uint32_t nodes, int32_t top)
{
    struct small_family family = {.small = {.system = system_create("family")}};
    struct small *small = &family.small;
    struct system *system = small->system;
    const struct type *value = type_range(system, NULL, 0, top, HERE);
    family.node = type_index(system, "Node", nodes, HERE);
    family.level = system_add_global(system, "level", type_array(system, NULL, family.node, value, HERE), HERE);
    family.last = system_add_global(system, "last", family.node, HERE);
    struct rule *start = system_add_start(system, "start", HERE);
    struct variable *j = system_add_scratch(system, "j", family.node, HERE);
    struct stmt *loop = stmt_new(system, STMT_FOR, HERE);
    struct stmt *zero = small_assign(small, small_element(&family, j), small_number(small, 0));
    loop->variable = j;
    loop->domain.type = family.node;
    loop->body.items = arena_copy(system->arena, &zero, sizeof zero);
    loop->body.count = 1;
    small_set_body(small, start, 1, &loop);
    return family;
}

#endif
