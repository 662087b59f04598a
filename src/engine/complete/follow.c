#include "engine/complete/follow.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/instance.h"

struct follow *follow_create(const struct shape *shape, struct terms *terms)
{
    struct follow *follow = memory_zeroed(1, sizeof *follow);
    const struct system *system = shape->system;
    follow->shape = shape;
    follow->system = system;
    follow->terms = terms;
    follow->memory = memory_zeroed((size_t)system->memory_cells + 1, sizeof *follow->memory);
    follow->scratch = memory_zeroed((size_t)system->memory_cells + 1, sizeof *follow->scratch);
    follow->is_stale = memory_zeroed((size_t)system->memory_cells + 1, sizeof *follow->is_stale);
    follow->bindings = memory_zeroed((size_t)system->memory_cells + 1, sizeof *follow->bindings);
    follow->covered = memory_zeroed(system->properties.count + 1, sizeof *follow->covered);
    for (uint32_t c = 0; c < system->memory_cells; c++)
        follow->memory[c] = UNDEFINED;
    backward_create(&follow->reader, terms);
    return follow;
}

static void loop_watch_destroy(struct loop_watch *watch)
{
    VEC_FREE(&watch->sums);
    free(watch->writer);
    free(watch->reader);
    free(watch->slot_use);
    VEC_FREE(&watch->touched);
    free(watch);
}

void follow_destroy(struct follow *follow)
{
    if (!follow)
        return;
    for (size_t i = 0; i < follow->loops.count; i++)
        loop_watch_destroy(follow->loops.items[i]);
    VEC_FREE(&follow->loops);
    VEC_FREE(&follow->writes);
    VEC_FREE(&follow->sides);
    VEC_FREE(&follow->guards);
    backward_destroy(&follow->reader);
    free(follow->memory);
    free(follow->scratch);
    free(follow->is_stale);
    free(follow->bindings);
    free(follow->covered);
    free(follow);
}

void follow_begin(struct follow *follow, const int32_t *state)
{
    memcpy(follow->memory, state, follow->system->state_cells * sizeof *state);
    follow->state = state;
    follow->reader.at = (struct complete_scene){.shape = follow->shape, .cells = state};
    VEC_CLEAR(&follow->writes);
}

static void follow_restart(struct follow *follow)
{
    VEC_CLEAR(&follow->writes);
    VEC_CLEAR(&follow->sides);
    VEC_CLEAR(&follow->guards);
    follow->loop_depth = 0;
    follow->function = NULL;
    follow->fault = (struct fault){0};
}

void follow_undo(struct follow *follow)
{
    for (size_t w = 0; w < follow->writes.count; w++) {
        uint32_t cell = follow->writes.items[w].cell;
        follow->memory[cell] = follow->state[cell];
    }
    VEC_CLEAR(&follow->writes);
}

static void follow_set_parameters(struct follow *follow, const struct rule *rule, uint64_t instance)
{
    int32_t *values = memory_alloc((rule->parameter_count + 1) * sizeof *values);
    instance_values(rule, instance, values);
    for (uint32_t p = 0; p < rule->parameter_count; p++) {
        const struct type *type = rule->parameters[p].type;
        uint32_t ordinal = (uint32_t)type_ordinal(type, values[p]);
        follow_set(follow, rule->parameters[p].variable->address, follow_element(follow, type, ordinal));
    }
    free(values);
}

/* One false conjunct is reason enough, and which one is chosen later. Looking on, one that the program point alone
 * makes false may turn up: then no reason is needed. What lies behind a false conjunct is looked at in vain when it
 * fails. */
static enum course follow_conjuncts(struct follow *follow, const struct expr *guard,
                                    const struct complete_term **reason)
{
    struct complete_value value;
    if (guard->kind == EXPR_BINARY && guard->op == OP_AND) {
        enum course course = follow_conjuncts(follow, guard->left, reason);
        if (course == COURSE_OK)
            return follow_conjuncts(follow, guard->right, reason);
        if (course != COURSE_DISABLED || !*reason)
            return course;
        size_t mark = follow->sides.count;
        const struct complete_term *before = *reason;
        if (follow_conjuncts(follow, guard->right, reason) != COURSE_DISABLED || *reason == before)
            follow->sides.count = mark;
        return course;
    }
    enum course course = follow_expr(follow, guard, &value);
    if (course != COURSE_OK)
        return course;
    const struct complete_term *truth = term_truth(follow->terms, follow_term(follow, value));
    if (value.number) {
        if (!term_is_const(truth))
            VEC_PUSH(&follow->guards, truth);
        return COURSE_OK;
    }
    const struct complete_term *either[] = {*reason, term_not(follow->terms, truth)};
    *reason = term_is_const(truth) ? NULL : term_junction(follow->terms, TERM_OR, either, 2);
    return COURSE_DISABLED;
}

static enum course follow_guard(struct follow *follow, const struct expr *guard)
{
    const struct complete_term *reason = term_const(follow->terms, 0); /* a disjunction; NULL: none is needed */
    follow->has_no_effects = true;
    enum course course = follow_conjuncts(follow, guard, &reason);
    follow->has_no_effects = false;
    if (course == COURSE_DISABLED && reason)
        follow_require(follow, reason);
    return course;
}

enum course follow_rule(struct follow *follow, const struct rule *rule, uint64_t instance)
{
    follow_restart(follow);
    follow_set_parameters(follow, rule, instance);
    enum course course = follow_block(follow, &rule->prelude);
    if (course == COURSE_OK && rule->guard)
        course = follow_guard(follow, rule->guard);
    if (course == COURSE_OK)
        course = follow_block(follow, &rule->body);
    return course == COURSE_RETURNED ? COURSE_OK : course;
}

enum course follow_formula(struct follow *follow, const struct expr *formula, bool *holds,
                           const struct complete_term **truth)
{
    struct complete_value value = {0};
    follow_restart(follow);
    follow->has_no_effects = follow->is_formula = true;
    enum course course = follow_expr(follow, formula, &value);
    follow->has_no_effects = follow->is_formula = false;
    if (course != COURSE_OK)
        return course;
    *holds = value.number != 0;
    *truth = term_truth(follow->terms, follow_term(follow, value));
    return COURSE_OK;
}

enum course follow_fail(struct follow *follow, enum fault_kind kind, struct span span)
{
    const struct property *runtime = follow->system->properties.items[SYSTEM_RUNTIME];
    follow->fault = (struct fault){.kind = kind, .span = span, .property = runtime};
    return COURSE_FAULT;
}

const struct complete_term *follow_term(struct follow *follow, struct complete_value value)
{
    return value.term ? value.term : term_const(follow->terms, value.number);
}

void follow_require(struct follow *follow, const struct complete_term *truth)
{
    if (!term_is_const(truth))
        VEC_PUSH(&follow->sides, truth);
}

static const struct complete_term *follow_equation(struct follow *follow, struct complete_value value)
{
    if (value.number == UNDEFINED && term_is_leaf(value.term))
        return term_undefined(follow->terms, value.term);
    return term_compare(follow->terms, OP_EQ, value.term, term_const(follow->terms, value.number));
}

void follow_settle(struct follow *follow, struct complete_value *value)
{
    if (value->term)
        follow_require(follow, follow_equation(follow, *value));
    value->term = NULL;
}

bool follow_decide(struct follow *follow, struct complete_value value)
{
    if (!value.term)
        return value.number != 0;
    const struct complete_term *truth = term_truth(follow->terms, value.term);
    follow_require(follow, value.number ? truth : term_not(follow->terms, truth));
    return value.number != 0;
}

void follow_require_order(struct follow *follow)
{
    for (uint32_t o = 0; o < follow->shape->object_count; o++)
        follow_require(follow, term_compare(follow->terms, OP_EQ, follow->terms->ids[o],
                                            term_const(follow->terms, follow->shape->codes[o])));
}

struct complete_value follow_element(struct follow *follow, const struct type *type, uint32_t ordinal)
{
    uint32_t family = shape_family_of_type(follow->shape, type);
    struct complete_value value = {type_code(type, ordinal), NULL};
    if (family != SHAPE_NONE)
        value.term = follow->terms->ids[follow->shape->families[family].first + ordinal];
    return value;
}
