/* Expressions of the IR -> terms. */
#include "ir/idiom.h"
#include "reduce/gterms.h"

void gterms_bind(struct gterms *terms, const struct variable *scratch, const struct gterm *term)
{
    terms->of_scratch[scratch->address - terms->system->state_cells] = term;
}

const struct census_variable *gterms_variable(const struct gterms *terms, const struct place *place)
{
    if (place->kind == PLACE_VARIABLE)
        return &terms->variables[place->variable->address];
    ENSURE(place->kind == PLACE_ELEMENT && place->base->kind == PLACE_VARIABLE && place->index->kind == EXPR_CONST);
    int64_t ordinal = type_ordinal(place->base->type->index, place->index->value);
    return &terms->variables[place->base->variable->address + (uint32_t)ordinal];
}

static const struct gterm *from_read(struct gterms *terms, const struct place *place)
{
    if (place->kind == PLACE_VARIABLE && !place->variable->is_global)
        return terms->of_scratch[place->variable->address - terms->system->state_cells];
    return gterm_variable(terms, gterms_variable(terms, place));
}

/* The parts of a chain like a & b & c, or a + b - c, which is as deep as it is long. */
static void collect(struct gterms *terms, const struct expr *expr, enum operator op, gterm_list *parts)
{
    while (expr->kind == EXPR_BINARY && (expr->op == op || (op == OP_ADD && expr->op == OP_SUB))) {
        const struct gterm *right = gterm_from(terms, expr->right);
        if (expr->op == OP_SUB)
            right = gterm_pair(terms, TERM_MUL, gterm_int(terms, -1), right);
        VEC_PUSH(parts, right);
        expr = expr->left;
    }
    VEC_PUSH(parts, gterm_from(terms, expr));
}

static const struct gterm *from_chain(struct gterms *terms, const struct expr *expr, enum operator op,
                                      enum gterm_kind kind)
{
    gterm_list parts = {0};
    collect(terms, expr, op, &parts);
    const struct gterm *result = gterm_join(terms, kind, parts.items, (uint32_t)parts.count);
    VEC_FREE(&parts);
    return result;
}

static const struct gterm *from_comparison(struct gterms *terms, enum operator op, const struct gterm *left,
                                           const struct gterm *right)
{
    switch (op) {
    case OP_NE:
        return gterm_not(terms, gterm_pair(terms, TERM_EQ, left, right));
    case OP_LT:
        return gterm_pair(terms, TERM_LT, left, right);
    case OP_LE:
        return gterm_pair(terms, TERM_LE, left, right);
    case OP_GT:
        return gterm_pair(terms, TERM_LT, right, left);
    case OP_GE:
        return gterm_pair(terms, TERM_LE, right, left);
    default:
        return gterm_pair(terms, TERM_EQ, left, right);
    }
}

static const struct gterm *from_binary(struct gterms *terms, const struct expr *expr)
{
    switch (expr->op) {
    case OP_AND:
        return from_chain(terms, expr, OP_AND, TERM_AND);
    case OP_OR:
        return from_chain(terms, expr, OP_OR, TERM_OR);
    case OP_ADD:
    case OP_SUB:
        return from_chain(terms, expr, OP_ADD, TERM_ADD);
    case OP_MUL:
        return from_chain(terms, expr, OP_MUL, TERM_MUL);
    default:
        break;
    }
    const struct gterm *left = gterm_from(terms, expr->left), *right = gterm_from(terms, expr->right);
    if (expr->op == OP_IMPLIES)
        return gterm_pair(terms, TERM_OR, gterm_not(terms, left), right);
    if (expr->op == OP_DIV || expr->op == OP_MOD)
        return gterm_pair(terms, expr->op == OP_DIV ? TERM_DIV : TERM_MOD, left, right);
    return from_comparison(terms, expr->op, left, right);
}

static const struct gterm *from_cond(struct gterms *terms, const struct expr *expr)
{
    static const enum gterm_kind kinds[] = {
        [IDIOM_MIN] = TERM_MIN, [IDIOM_MAX] = TERM_MAX, [IDIOM_REMAINDER] = TERM_REMAINDER, [IDIOM_FLOOR] = TERM_FLOOR};
    struct expr *left, *right;
    enum idiom idiom = idiom_of(expr, &left, &right);
    if (idiom) {
        const struct gterm *first = gterm_from(terms, left);
        return gterm_pair(terms, kinds[idiom], first, gterm_from(terms, right));
    }
    const struct gterm *condition = gterm_from(terms, expr->condition), *yes = gterm_from(terms, expr->left);
    return gterm_cond(terms, condition, yes, gterm_from(terms, expr->right));
}

static const struct gterm *from_kind(struct gterms *terms, const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_CONST:
        return expr->type->kind == TYPE_BOOL ? gterm_bool(terms, expr->value) : gterm_int(terms, expr->value);
    case EXPR_READ:
        return from_read(terms, expr->place);
    case EXPR_UNARY:
        return expr->op == OP_NOT ? gterm_not(terms, gterm_from(terms, expr->left))
                                  : gterm_pair(terms, TERM_MUL, gterm_int(terms, -1), gterm_from(terms, expr->left));
    case EXPR_BINARY:
        return from_binary(terms, expr);
    case EXPR_COND:
        return from_cond(terms, expr);
    default:
        UNREACHABLE("an expression that no chain has");
    }
}

const struct gterm *gterm_from(struct gterms *terms, const struct expr *expr)
{
    if (!expr->shared)
        return from_kind(terms, expr);
    while (terms->of_shared.count <= expr->shared)
        VEC_PUSH(&terms->of_shared, NULL);
    if (!terms->of_shared.items[expr->shared]) {
        const struct gterm *term = from_kind(terms, expr);
        terms->of_shared.items[expr->shared] = term;
    }
    return terms->of_shared.items[expr->shared];
}
