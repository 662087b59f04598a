#include "symmetry/detect.h"

#include <string.h>

#include "ir/walk.h"
#include "symmetry/discipline.h"

enum { MOST_ELEMENTS = 4096 }; /* of a carrier that is looked at */

/* --- candidates --- */

static bool detect_is_candidate(const struct carrier *carrier)
{
    int64_t size = (int64_t)carrier->hi - carrier->lo + 1;
    return !carrier->is_declared && !carrier->is_slot && carrier->is_state && size > 1 && size <= MOST_ELEMENTS;
}

/* Functions that may end a run with a verdict: asserts, errors, assumptions, covers. */
struct judges {
    const struct carriers *carriers;
    bool *is_judge; /* by function id */
    bool has_judge;
};

static bool judges_on_stmt(void *user, const struct stmt *stmt)
{
    struct judges *judges = user;
    judges->has_judge |= stmt->kind == STMT_ASSERT || stmt->kind == STMT_ERROR || stmt->kind == STMT_ASSUME ||
                         stmt->kind == STMT_COVER;
    return true;
}

static bool judges_on_expr(void *user, const struct expr *expr)
{
    struct judges *judges = user;
    judges->has_judge |= expr->kind == EXPR_CALL && judges->is_judge[expr->function->id];
    return true;
}

/* Called functions come before their callers or not: until nothing changes. */
static void judges_find(struct judges *judges, const struct system *system)
{
    struct walker walker = {.on_stmt = judges_on_stmt, .on_expr = judges_on_expr, .user = judges};
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (size_t f = 0; f < system->functions.count; f++) {
            judges->has_judge = false;
            walk_block(&walker, &system->functions.items[f]->body);
            goes_on |= judges->has_judge && !judges->is_judge[f];
            judges->is_judge[f] |= judges->has_judge;
        }
    }
}

/* A quantifier stops when it is decided, the copy's does not: what is called after that must have nothing to say. */
static bool detect_on_expr(void *user, const struct expr *expr)
{
    struct judges *judges = user;
    if (expr->kind != EXPR_QUANTIFIER)
        return true;
    struct walker inner = {.on_expr = judges_on_expr, .user = judges};
    judges->has_judge = false;
    walk_expr(&inner, expr->left);
    uint32_t carrier = carriers_of_type(judges->carriers, expr->variable->type);
    if (judges->has_judge && carrier != NO_CARRIER)
        judges->carriers->items[carrier].is_wanted = false;
    return true;
}

static void detect_exclude_judged(struct carriers *carriers)
{
    const struct system *system = carriers->system;
    struct judges judges = {.carriers = carriers,
                            .is_judge = ARENA_ARRAY(carriers->arena, bool, system->functions.count)};
    struct walker walker = {.on_expr = detect_on_expr, .user = &judges};
    judges_find(&judges, system);
    for (size_t r = 0; r < system->rules.count; r++)
        walk_rule(&walker, system->rules.items[r]);
    for (size_t r = 0; r < system->starts.count; r++)
        walk_rule(&walker, system->starts.items[r]);
    for (size_t f = 0; f < system->functions.count; f++)
        walk_block(&walker, &system->functions.items[f]->body);
    for (size_t p = 0; p < system->properties.count; p++)
        walk_property(&walker, system->properties.items[p]);
}

/* --- proof --- */

struct detect {
    struct carriers *carriers;
    struct detection found;
    struct symmetry_factor *refused; /* by carrier: breaches, of those given up */
};

static struct symmetry_factor *detect_factor(const struct symmetry *symmetry, const struct type *type)
{
    for (uint32_t f = 0; f < symmetry->factor_count; f++)
        if (symmetry->factors[f].type == type)
            return &symmetry->factors[f];
    return NULL;
}

static bool detect_has_names(const struct symmetry_factor *factor)
{
    for (uint32_t b = 0; b < factor->breach_count; b++)
        if (!factor->breaches[b].is_order)
            return true;
    return false;
}

static void detect_copy_breaches(struct arena *arena, const struct symmetry_factor *from, struct symmetry_factor *to)
{
    to->degree = from->degree;
    to->breach_count = from->breach_count;
    to->breaches = arena_copy(arena, from->breaches, from->breach_count * sizeof *to->breaches);
    for (uint32_t b = 0; b < to->breach_count; b++)
        to->breaches[b].message = arena_string(arena, to->breaches[b].message);
}

/* Gives up carriers that were refused; returns whether there were any. Those that are computed with or named first: as
 * elements of an index type they may have spoilt the loops of others (a counter is counted up in them). */
static bool detect_give_up(struct detect *d)
{
    struct carriers *carriers = d->carriers;
    bool has_names = false, gave_up = false;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t c = 0; c < carriers->count; c++) {
            if (carriers->items[c].is_declared || !carriers->items[c].is_wanted)
                continue;
            const struct symmetry_factor *factor = detect_factor(d->found.symmetry, d->found.retyped.types[c]);
            if (pass == 0)
                has_names |= detect_has_names(factor);
            if (pass == 0 || factor->is_used || (has_names && !detect_has_names(factor)))
                continue;
            detect_copy_breaches(carriers->arena, factor, &d->refused[c]);
            carriers->items[c].is_wanted = false;
            gave_up = true;
        }
    return gave_up;
}

static bool detect_wants_any(const struct carriers *carriers)
{
    for (uint32_t c = 0; c < carriers->count; c++)
        if (carriers->items[c].is_wanted)
            return true;
    return false;
}

/* What was refused, as factors that are not used, for the explanation. Only of what one would call an index type. */
static void detect_explain(struct detect *d)
{
    struct symmetry *symmetry = d->found.symmetry;
    uint32_t count = symmetry->factor_count;
    struct symmetry_factor *factors =
        ARENA_ARRAY(symmetry->arena, struct symmetry_factor, count + d->carriers->count);
    memcpy(factors, symmetry->factors, count * sizeof *factors);
    for (uint32_t c = 0; c < d->carriers->count; c++) {
        const struct carrier *carrier = &d->carriers->items[c];
        if (!d->refused[c].breach_count || !carrier->is_index || !carrier->is_domain)
            continue;
        struct symmetry_factor *factor = &factors[count++];
        *factor = (struct symmetry_factor){.type = carrier->type};
        detect_copy_breaches(symmetry->arena, &d->refused[c], factor);
    }
    symmetry->factors = factors;
    symmetry->factor_count = count;
}

struct detection detect_symmetry(const struct system *system)
{
    struct detect d = {.carriers = carriers_find(system)};
    d.refused = ARENA_ARRAY(d.carriers->arena, struct symmetry_factor, d.carriers->count);
    for (uint32_t c = 0; c < d.carriers->count; c++)
        d.carriers->items[c].is_wanted = detect_is_candidate(&d.carriers->items[c]);
    detect_exclude_judged(d.carriers);
    while (detect_wants_any(d.carriers) && retype_system(d.carriers, &d.found.retyped)) {
        d.found.system = d.found.retyped.system;
        d.found.symmetry = symmetry_find(d.found.system);
        if (!detect_give_up(&d))
            break;
        detection_free(&d.found);
    }
    if (!d.found.symmetry)
        d.found = (struct detection){.system = system, .symmetry = symmetry_find(system)};
    detect_explain(&d);
    carriers_destroy(d.carriers);
    return d.found;
}

void detection_free(struct detection *detection)
{
    symmetry_destroy(detection->symmetry);
    retype_free(&detection->retyped);
    *detection = (struct detection){0};
}
