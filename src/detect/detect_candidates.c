/* What may become an index type. */
#include "ir/walk.h"
#include "detect/detecting.h"

enum {
    MOST_ELEMENTS = 4096, /* of a carrier that is looked at */
    MOST_NAMES = 64       /* of one that names variables */
};

static bool detect_is_candidate(const struct carrier *carrier)
{
    int64_t size = (int64_t)carrier->hi - carrier->lo + 1;
    bool has_values =
        carrier->is_index || carrier->is_domain || carrier->has_things; /* else only those that are named ever occur */
    return !carrier->is_declared && !carrier->is_slot && !carrier->is_places && has_values && size > 1 &&
           size <= MOST_ELEMENTS;
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
    judges->has_judge |=
        stmt->kind == STMT_ASSERT || stmt->kind == STMT_ERROR || stmt->kind == STMT_ASSUME || stmt->kind == STMT_COVER;
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
    walk_system(&walker, system);
}

/* Chains have no quantifiers: a variable may hold the numbers of a family's modules if it has about as many values
 * (1..n, or 0 for none). */
static bool detect_may_number(const struct carriers *carriers, const struct carrier *carrier)
{
    int64_t size = (int64_t)carrier->hi - carrier->lo + 1;
    for (uint32_t c = 0; c < carriers->count; c++) {
        const struct carrier *family = &carriers->items[c];
        int64_t modules = (int64_t)family->hi - family->lo + 1;
        if (family->is_index && (size == modules || size == modules + 1))
            return carrier->is_state && !carrier->is_declared;
    }
    return false;
}

/* Or each module of a family has a coin, whose two sides may be alike. */
static bool detect_may_be_coin(const struct carriers *carriers, uint32_t c)
{
    const struct carrier *carrier = &carriers->items[c];
    if ((int64_t)carrier->hi - carrier->lo != 1 || !carrier->is_state || carrier->is_declared)
        return false;
    for (size_t v = 0; v < carriers->system->globals.count; v++) {
        const struct type *type = carriers->system->globals.items[v]->type;
        if (type->kind == TYPE_ARRAY && carriers_of_type(carriers, type->element) == c)
            return true;
    }
    return false;
}

struct written_carriers {
    const struct carriers *carriers;
    bool *is_written; /* by carrier */
};

static bool written_on_stmt(void *user, const struct stmt *stmt)
{
    struct written_carriers *written = user;
    uint32_t carrier = stmt->place ? carriers_of_type(written->carriers, stmt->place->type) : NO_CARRIER;
    if (carrier != NO_CARRIER)
        written->is_written[carrier] = true;
    return true;
}

/* A variable that no rule writes may have interchangeable values, but exchanging them saves no state. */
static bool *detect_written(const struct carriers *carriers)
{
    struct written_carriers written = {carriers, ARENA_ARRAY(carriers->arena, bool, carriers->count + 1)};
    struct walker walker = {.on_stmt = written_on_stmt, .user = &written};
    walk_all_but_starts(&walker, carriers->system);
    return written.is_written;
}

/* Rules that are written out name the processes by numbers or labels: `turn := 2` is then of one process, as are the
 * variables of which rewrite/gather.h has made an array. */
static bool detect_may_name(const struct carrier *carrier)
{
    int64_t size = (int64_t)carrier->hi - carrier->lo + 1;
    return carrier->is_state && !carrier->is_declared && !carrier->is_slot && !carrier->is_places && size > 1 &&
           size <= MOST_NAMES;
}

void detect_candidates(struct carriers *carriers)
{
    const bool is_gathered = carriers->system->original_cells;
    const bool *is_written = detect_written(carriers);
    for (uint32_t c = 0; c < carriers->count; c++) {
        struct carrier *carrier = &carriers->items[c];
        bool is_number = system_is_ground(carriers->system) && !carrier->is_index;
        carrier->is_wanted =
            is_number ? is_written[c] && (detect_may_number(carriers, carrier) || detect_may_be_coin(carriers, c))
                      : detect_is_candidate(carrier) || (is_gathered && detect_may_name(carrier));
    }
    detect_exclude_judged(carriers);
}
