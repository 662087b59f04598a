/* What breaks the symmetry of an index type:
 *
 *   - a constant of the type (unless it has one element only);
 *   - clear, which picks the first element;
 *   - order comparison or arithmetic, or a conversion from or to numbers (front ends refuse these; checked again);
 *   - a loop or a quantifier with side effects whose result may depend on the order of its iterations;
 *   - the number of a multiset's slot used as a number: slots are in the order of their codes;
 *   - a multiset inside a multiset over the type: the canonicaliser knows no such states.
 *
 * Everything else in the IR commutes with permutations of the elements, by induction over its structure, so each
 * rule, start state and property is taken to itself. Types are judged one by one: the group is the product of
 * those that pass.
 *
 * A start state may pick elements by their order (`for v: Value do x := v end`): rules and properties being symmetric,
 * the orbits of what is reachable from a state are the same for every image of it. That is not so for quantities over
 * the start states of a chain, and not for elements that have names (ir/retype.h), which the model graph decides
 * about. */
#include "symmetry/discipline.h"

#include <string.h>

#include "base/vec.h"
#include "ir/walk.h"
#include "symmetry/commute.h"
#include "symmetry/loops.h"

enum { MAX_BREACHES = 8 }; /* of one type: enough to explain */

struct discipline {
    struct symmetry *symmetry;
    VEC(const struct variable *) slots; /* variables that hold slot numbers */
    bool is_start;                      /* what is looked at is the body of a start state, or called by it */
    struct symmetry_breach *of_starts;  /* by factor: the first in a start state; message NULL: none */
    const struct rule *rule;            /* that is walked, loop by loop; or NULL */
    bool **orders_in;                   /* by factor: becomes what it is called there */
};

/* May the start states have it, if nothing else has? */
static bool discipline_spares_start(const struct discipline *d, const struct symmetry_factor *factor, uint32_t kind)
{
    bool picks = kind == BREACH_ORDERS || (kind == BREACH_NAMES && !factor->type->origin);
    return d->is_start && picks && !system_has_probabilities(d->symmetry->system);
}

static void discipline_breach(struct discipline *d, struct symmetry_factor *factor, struct span span,
                              const char *message, uint32_t kind)
{
    factor->breach_kinds |= kind;
    if (!factor->breaches)
        factor->breaches = ARENA_ARRAY(d->symmetry->arena, struct symmetry_breach, MAX_BREACHES);
    for (uint32_t b = 0; b < factor->breach_count; b++)
        if (memcmp(&factor->breaches[b].span, &span, sizeof span) == 0)
            return;
    if (factor->breach_count < MAX_BREACHES)
        factor->breaches[factor->breach_count++] = (struct symmetry_breach){.span = span, .message = message};
    factor->is_used = false;
}

/* "%s" in the format stands for the type's name. */
static void discipline_breach_all(struct discipline *d, const struct type *type, struct span span, const char *format,
                                  uint32_t kind)
{
    for (uint32_t f = 0; f < d->symmetry->factor_count; f++) {
        struct symmetry_factor *factor = &d->symmetry->factors[f];
        if (factor->degree < 2 || (type && !type_mentions(type, factor->type)))
            continue;
        if (d->rule)
            d->orders_in[f][d->rule->id] = true;
        bool is_spared = discipline_spares_start(d, factor, kind);
        factor->breach_kinds |= is_spared ? 0 : kind;
        factor->is_used &= is_spared;
        if (is_spared ? d->of_starts[f].message != NULL : factor->breach_count == MAX_BREACHES)
            continue;
        const char *name = factor->type->name ? factor->type->name : "the scalarset";
        const char *mark = strstr(format, "%s");
        const char *message =
            mark ? arena_format(d->symmetry->arena, "%.*s%s%s", (int)(mark - format), format, name, mark + 2) : format;
        if (is_spared)
            d->of_starts[f] = (struct symmetry_breach){.span = span, .message = message};
        else
            discipline_breach(d, factor, span, message, kind);
    }
}

static void discipline_names(struct discipline *d, const struct type *type, struct span span, const char *format)
{
    discipline_breach_all(d, type, span, format, BREACH_NAMES);
}

static void discipline_computes(struct discipline *d, const struct type *type, struct span span, const char *format)
{
    discipline_breach_all(d, type, span, format, BREACH_COMPUTES);
}

static void discipline_orders(struct discipline *d, const struct type *type, struct span span, const char *format)
{
    discipline_breach_all(d, type, span, format, BREACH_ORDERS);
}

/* The type whose element a code is; NULL when it is none, or the only one of its type. */
static const struct type *discipline_owner(const struct type *type, int64_t code)
{
    for (uint32_t b = 0; b < type->block_count; b++)
        if (code >= type->blocks[b].lo && code <= type->blocks[b].hi)
            return type->blocks[b].owner->kind == TYPE_INDEX ? type->blocks[b].owner : NULL;
    return NULL;
}

static void discipline_clear(struct discipline *d, const struct type *type, struct span span)
{
    switch (type->kind) {
    case TYPE_ARRAY:
        discipline_clear(d, type->element, span);
        return;
    case TYPE_RECORD:
        for (uint32_t f = 0; f < type->field_count; f++)
            discipline_clear(d, type->fields[f].type, span);
        return;
    case TYPE_MULTISET:
        return;
    default:
        if (type->blocks[0].owner->kind == TYPE_INDEX)
            discipline_names(d, type->blocks[0].owner, span, "clear picks the first element of %s");
        return;
    }
}

static bool discipline_is_coded(const struct type *type)
{
    return type->kind >= TYPE_ENUM && type->kind <= TYPE_UNION;
}

static bool discipline_is_undefined(const struct expr *expr)
{
    return expr->kind == EXPR_CONST && expr->value == UNDEFINED;
}

/* A value of one type used as one of the other: numbers and elements do not mix. */
static void discipline_match(struct discipline *d, const struct expr *value, const struct type *type)
{
    if (discipline_is_undefined(value) || discipline_is_coded(value->type) == discipline_is_coded(type))
        return;
    discipline_computes(d, value->type, value->span, "an element of %s is used as a number");
    discipline_computes(d, type, value->span, "a number is used as an element of %s");
}

static void discipline_binary(struct discipline *d, const struct expr *expr)
{
    if (expr->op == OP_EQ || expr->op == OP_NE) {
        discipline_match(d, expr->left, expr->right->type);
        return;
    }
    const char *message = expr->op >= OP_LT && expr->op <= OP_GE ? "elements of %s are compared by order"
                                                                 : "an element of %s is used in an operation";
    discipline_computes(d, expr->left->type, expr->span, message);
    discipline_computes(d, expr->right->type, expr->span, message);
}

static bool discipline_is_slot(const struct discipline *d, const struct expr *expr)
{
    if (expr->kind != EXPR_READ || expr->place->kind != PLACE_VARIABLE)
        return false;
    for (size_t s = 0; s < d->slots.count; s++)
        if (d->slots.items[s] == expr->place->variable)
            return true;
    return false;
}

static void discipline_domain(struct discipline *d, const struct domain *domain, const struct variable *variable,
                              struct span span)
{
    if (domain->from)
        discipline_computes(d, variable->type, span, "elements of %s are counted from one to another");
}

static void discipline_arguments(struct discipline *d, const struct expr *call)
{
    for (uint32_t p = 0; p < call->function->parameter_count; p++)
        if (call->arguments[p].value)
            discipline_match(d, call->arguments[p].value, call->function->parameters[p]->type);
}

static bool discipline_on_place(void *user, const struct place *place, bool is_written);

static bool discipline_on_expr(void *user, const struct expr *expr)
{
    struct discipline *d = user;
    const struct type *owner;
    switch (expr->kind) {
    case EXPR_CONST:
        owner = expr->value == UNDEFINED ? NULL : discipline_owner(expr->type, expr->value);
        if (owner)
            discipline_names(d, owner, expr->span, "an element of %s is named");
        break;
    case EXPR_READ:
        if (discipline_is_slot(d, expr))
            discipline_orders(d, NULL, expr->span, "the number of a multiset's slot is used as a value");
        break;
    case EXPR_UNARY:
        discipline_computes(d, expr->left->type, expr->span, "an element of %s is used in an operation");
        break;
    case EXPR_BINARY:
        discipline_binary(d, expr);
        break;
    case EXPR_COND:
        discipline_match(d, expr->left, expr->type);
        discipline_match(d, expr->right, expr->type);
        break;
    case EXPR_QUANTIFIER:
        discipline_domain(d, &expr->domain, expr->variable, expr->span);
        break;
    case EXPR_CALL:
        discipline_arguments(d, expr);
        break;
    case EXPR_SLOT_TAKEN: /* the slot number is in its place here */
        if (discipline_is_slot(d, expr->left)) {
            struct walker walker = {.on_expr = discipline_on_expr, .on_place = discipline_on_place, .user = d};
            walk_place(&walker, expr->place, false);
            return false;
        }
        break;
    default:
        break;
    }
    return true;
}

static bool discipline_on_place(void *user, const struct place *place, bool is_written)
{
    struct discipline *d = user;
    if (place->kind == PLACE_ELEMENT)
        discipline_match(d, place->index, place->base->type->index);
    if (place->kind == PLACE_SLOT && discipline_is_slot(d, place->index)) {
        struct walker walker = {.on_expr = discipline_on_expr, .on_place = discipline_on_place, .user = d};
        walk_place(&walker, place->base, is_written);
        return false;
    }
    return true;
}

static bool discipline_on_stmt(void *user, const struct stmt *stmt)
{
    struct discipline *d = user;
    struct walker walker = {.on_expr = discipline_on_expr, .on_place = discipline_on_place, .user = d};
    switch (stmt->kind) {
    case STMT_CLEAR:
        discipline_clear(d, stmt->place->type, stmt->span);
        break;
    case STMT_ASSIGN:
        discipline_match(d, stmt->value, stmt->place->type);
        break;
    case STMT_FOR:
        discipline_domain(d, &stmt->domain, stmt->variable, stmt->span);
        break;
    case STMT_MULTISET_ADD:
        if (stmt->value)
            discipline_match(d, stmt->value, stmt->place->type->element);
        break;
    case STMT_MULTISET_REMOVE:
        if (discipline_is_slot(d, stmt->value)) {
            walk_place(&walker, stmt->place, true);
            return false;
        }
        break;
    default:
        break;
    }
    return true;
}

static bool discipline_find_slots(void *user, const struct stmt *stmt)
{
    struct discipline *d = user;
    if (stmt->kind == STMT_MULTISET_REMOVE_IF)
        VEC_PUSH(&d->slots, stmt->variable);
    return true;
}

static bool discipline_find_counts(void *user, const struct expr *expr)
{
    struct discipline *d = user;
    if (expr->kind == EXPR_COUNT)
        VEC_PUSH(&d->slots, expr->variable);
    return true;
}

static void discipline_list_slots(struct discipline *d)
{
    const struct system *system = d->symmetry->system;
    struct walker walker = {.on_stmt = discipline_find_slots, .on_expr = discipline_find_counts, .user = d};
    walk_system(&walker, system);
    for (size_t r = 0; r < system->rules.count; r++)
        for (uint32_t p = 0; p < system->rules.items[r]->parameter_count; p++)
            if (system->rules.items[r]->parameters[p].choose)
                VEC_PUSH(&d->slots, system->rules.items[r]->parameters[p].variable);
}

static void discipline_types(struct discipline *d)
{
    const struct system *system = d->symmetry->system;
    for (size_t t = 0; t < system->types.count; t++) {
        const struct type *type = system->types.items[t];
        if (type->kind == TYPE_MULTISET && type_has_multiset(type->element))
            discipline_orders(d, type, type->span, "a multiset over %s is inside another multiset");
        for (uint32_t b = 0; type_is_scalar(type) && b < type->block_count; b++) {
            const struct type *owner = type->blocks[b].owner;
            bool is_part = type->blocks[b].lo != owner->blocks->lo || type->blocks[b].hi != owner->blocks->hi;
            if (owner->kind == TYPE_INDEX && is_part)
                discipline_names(d, owner, type->span, "only some elements of %s belong to this type");
        }
    }
}

static struct symmetry_factor *discipline_factor(const struct discipline *d, const struct type *owner)
{
    for (uint32_t f = 0; f < d->symmetry->factor_count; f++)
        if (d->symmetry->factors[f].type == owner)
            return &d->symmetry->factors[f];
    UNREACHABLE("an index type without a factor");
}

static void discipline_mark_cases(struct discipline *d, const struct effects_loop *loop)
{
    const struct type *domain = loop->domain;
    for (uint32_t b = 0; b < domain->block_count; b++)
        if (domain->blocks[b].owner->kind == TYPE_INDEX)
            discipline_factor(d, domain->blocks[b].owner)->loop_by_cases = &loop->stmt->span;
}

/* Sums that wrap around are not the same once as twice (loop_by_cases). */
static void discipline_mark_wrapped(struct discipline *d, const struct effects_loop *loop)
{
    bool wraps = false;
    for (size_t i = 0; i < loop->accesses.count; i++)
        wraps |= loop->accesses.items[i].mode == ACCESS_WRAP;
    if (wraps && loop->stmt)
        discipline_mark_cases(d, loop);
}

static bool discipline_on_call(void *user, const struct expr *expr)
{
    *(bool *)user |= expr->kind == EXPR_CALL;
    return true;
}

/* Is a type over part of the elements there? */
static bool discipline_has_part(const struct discipline *d, const struct type *owner)
{
    const struct system *system = d->symmetry->system;
    for (size_t t = 0; t < system->types.count; t++) {
        const struct type *type = system->types.items[t];
        for (uint32_t b = 0; type_is_scalar(type) && b < type->block_count; b++)
            if (type->blocks[b].owner == owner &&
                (type->blocks[b].lo != owner->blocks->lo || type->blocks[b].hi != owner->blocks->hi))
                return true;
    }
    return false;
}

/* Does the body of the loop name or compute with elements of the type? Where only other parts of the model do, an
 * exchange of elements takes iterations to iterations, so two still stand for any two. */
static bool discipline_body_names(const struct discipline *d, const struct effects_loop *loop, const struct type *owner)
{
    if (!(discipline_factor(d, owner)->breach_kinds & (BREACH_NAMES | BREACH_COMPUTES)))
        return false;
    if (discipline_has_part(d, owner))
        return true;
    struct arena *arena = arena_create();
    struct symmetry_factor factor = {.type = owner, .degree = owner->size, .is_used = true};
    struct symmetry symmetry = {.arena = arena, .system = d->symmetry->system, .factors = &factor, .factor_count = 1};
    struct discipline probe = {.symmetry = &symmetry, .slots = d->slots};
    struct walker walker = {
        .on_stmt = discipline_on_stmt, .on_expr = discipline_on_expr, .on_place = discipline_on_place, .user = &probe};
    bool calls = false;
    walk_block(&walker, &loop->stmt->body);
    walk_block(&(struct walker){.on_expr = discipline_on_call, .user = &calls}, &loop->stmt->body);
    bool names = calls || (factor.breach_kinds & (BREACH_NAMES | BREACH_COMPUTES)) != 0;
    arena_destroy(arena);
    return names;
}

/* Two iterations are run to see whether they commute. Where the body names elements, two do not stand for any two. */
static bool discipline_runs(struct effects *effects, const struct effects_loop *loop, const char **words)
{
    struct discipline *d = effects->user;
    const struct type *domain = loop->domain;
    if (!loop->stmt)
        return false;
    for (uint32_t b = 0; b < domain->block_count; b++)
        if (domain->blocks[b].owner->kind == TYPE_INDEX && discipline_body_names(d, loop, domain->blocks[b].owner))
            return false;
    if (commute_decide(effects, loop, words) != COMMUTE_PROVED)
        return false;
    discipline_mark_cases(d, loop);
    return true;
}

static void discipline_on_loop(struct effects *effects, struct effects_loop *loop)
{
    const char *words = NULL;
    struct discipline *d = effects->user;
    if (!loops_depend_on_order(effects, loop)) {
        discipline_mark_wrapped(d, loop);
        return;
    }
    if (discipline_runs(effects, loop, &words))
        return;
    const char *message = "the result of this loop may depend on the order in which %s is enumerated";
    if (loop->is_quantifier)
        message = "the side effects of this quantifier may depend on the order in which %s is enumerated";
    bool is_multiset = loop->domain->kind == TYPE_MULTISET;
    if (is_multiset)
        message = "the result may depend on the order of the multiset's elements";
    if (words)
        message = arena_format(d->symmetry->arena, "%s: %s", message, words);
    discipline_orders(d, is_multiset ? NULL : loop->domain, loop->span, message);
}

static void discipline_on_stale(struct effects *effects, const struct type *domain, struct span loop, struct span use)
{
    (void)use;
    const char *message = "the value this loop leaves in a variable may depend on the order in which %s is enumerated";
    if (!domain)
        message = "which element of the multiset is meant here may depend on how %s is numbered";
    discipline_orders(effects->user, domain, loop, message);
}

static void discipline_loops(struct discipline *d)
{
    const struct system *system = d->symmetry->system;
    struct effects *effects = effects_create(d->symmetry);
    effects->on_loop = discipline_on_loop;
    effects->on_stale = discipline_on_stale;
    effects->user = d;
    for (size_t r = 0; r < system->rules.count; r++) {
        d->rule = system->rules.items[r];
        effects_walk_rule(effects, d->rule);
    }
    d->rule = NULL;
    d->is_start = effects->is_start = true;
    for (size_t r = 0; r < system->starts.count; r++)
        effects_walk_rule(effects, system->starts.items[r]);
    d->is_start = effects->is_start = false;
    for (size_t p = 0; p < system->properties.count; p++)
        if (system->properties.items[p]->formula)
            effects_walk_formula(effects, system->properties.items[p]->formula);
    for (size_t p = 0; p < system->propositions.count; p++)
        effects_walk_proposition(effects, system->propositions.items[p]);
    if (effects->gave_up)
        discipline_orders(d, NULL, (struct span){0}, "too large to prove that no loop depends on %s's order");
    for (uint32_t f = 0; f < d->symmetry->factor_count && !effects->gave_up; f++)
        d->symmetry->factors[f].orders_in = d->orders_in[f];
    effects_destroy(effects);
}

/* Bodies of functions are looked at once, for all that call them. */
static void discipline_walk(struct discipline *d)
{
    struct walker walker = {
        .on_stmt = discipline_on_stmt, .on_expr = discipline_on_expr, .on_place = discipline_on_place, .user = d};
    d->is_start = true;
    walk_starts(&walker, d->symmetry->system);
    d->is_start = false;
    walk_all_but_starts(&walker, d->symmetry->system);
}

/* What only start states do excludes nothing; beside another reason it is one more. */
static void discipline_settle_starts(struct discipline *d)
{
    for (uint32_t f = 0; f < d->symmetry->factor_count; f++) {
        struct symmetry_factor *factor = &d->symmetry->factors[f];
        if (!d->of_starts[f].message)
            continue;
        if (factor->is_used)
            factor->start_choice = &d->of_starts[f];
        else
            discipline_breach(d, factor, d->of_starts[f].span, d->of_starts[f].message, BREACH_ORDERS);
    }
}

void discipline_check(struct symmetry *symmetry)
{
    struct discipline d = {.symmetry = symmetry};
    d.of_starts = ARENA_ARRAY(symmetry->arena, struct symmetry_breach, symmetry->factor_count + 1);
    d.orders_in = ARENA_ARRAY(symmetry->arena, bool *, symmetry->factor_count + 1);
    for (uint32_t f = 0; f < symmetry->factor_count; f++) {
        symmetry->factors[f].is_used = true;
        d.orders_in[f] = ARENA_ARRAY(symmetry->arena, bool, symmetry->system->rules.count + 1);
    }
    discipline_list_slots(&d);
    discipline_walk(&d);
    discipline_types(&d);
    discipline_loops(&d);
    discipline_settle_starts(&d);
    VEC_FREE(&d.slots);
}
