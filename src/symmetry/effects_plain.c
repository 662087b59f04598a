/* Functions that a walk outside loops need not enter: nothing in them can depend on an order. */
#include "ir/walk.h"
#include "symmetry/effects.h"

enum plainness { PLAIN_NOT_ASKED, PLAIN_ASKED, PLAIN_YES, PLAIN_NO };

struct plain_search {
    struct effects *effects;
    bool is_plain;
};

static bool plain_on_stmt(void *user, const struct stmt *stmt)
{
    struct plain_search *search = user;
    bool is_multiset =
        stmt->kind == STMT_MULTISET_ADD || stmt->kind == STMT_MULTISET_REMOVE || stmt->kind == STMT_MULTISET_REMOVE_IF;
    search->is_plain &= !is_multiset && !(stmt->kind == STMT_FOR && effects_is_unordered(&stmt->domain));
    return search->is_plain;
}

static bool plain_on_expr(void *user, const struct expr *expr)
{
    struct plain_search *search = user;
    if (expr->kind == EXPR_QUANTIFIER)
        search->is_plain &= !effects_is_unordered(&expr->domain);
    if (expr->kind == EXPR_COUNT || expr->kind == EXPR_SLOT_TAKEN)
        search->is_plain = false;
    if (expr->kind == EXPR_CALL)
        search->is_plain &= effects_is_plain(search->effects, expr->function);
    return search->is_plain;
}

static bool plain_on_place(void *user, const struct place *place, bool is_written)
{
    struct plain_search *search = user;
    (void)is_written;
    search->is_plain &= place->kind != PLACE_SLOT && !type_has_multiset(place->type);
    return search->is_plain;
}

/* A function that is being asked about calls itself: the question is answered by the rest of it. */
bool effects_is_plain(struct effects *e, const struct function *function)
{
    uint8_t *known = &e->plainness[function->id];
    struct plain_search search = {e, true};
    struct walker walker = {
        .on_stmt = plain_on_stmt, .on_expr = plain_on_expr, .on_place = plain_on_place, .user = &search};
    if (*known != PLAIN_NOT_ASKED)
        return *known != PLAIN_NO;
    *known = PLAIN_ASKED;
    walk_block(&walker, &function->body);
    *known = search.is_plain ? PLAIN_YES : PLAIN_NO;
    return search.is_plain;
}
