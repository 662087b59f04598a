/* Terms -> expressions of the IR, as people write them: a constant stands on the right of a comparison, at the end of a
 * sum and at the beginning of a product. */
#include "ir/idiom.h"
#include "reduce/gterms.h"

struct making_expr {
    struct gterms *terms;
    struct system *system;
    const struct variable *const *reads;
    struct span span;
};

static struct expr *make(const struct making_expr *making, const struct gterm *term);

static struct expr *make_number(const struct making_expr *making, int64_t value)
{
    return expr_const(making->system, making->system->integer, value, making->span);
}

static struct expr *make_binary(const struct making_expr *making, enum operator op, struct expr *left,
                                struct expr *right)
{
    return left ? expr_binary(making->system, op, left, right, making->span) : right;
}

static struct expr *make_read(const struct making_expr *making, uint32_t number)
{
    struct place *place = place_variable(making->system, making->reads[number], making->span);
    return expr_read(making->system, place, false, making->span);
}

static struct expr *make_list(const struct making_expr *making, enum operator op, const struct gterm *term)
{
    struct expr *all = NULL;
    for (uint32_t i = 0; i < term->count; i++)
        all = make_binary(making, op, all, make(making, term->parts[i]));
    return all;
}

static struct expr *make_extreme(const struct making_expr *making, const struct gterm *term)
{
    struct expr *best = make(making, term->parts[0]);
    for (uint32_t i = 1; i < term->count; i++)
        best = expr_idiom(making->system, term->kind == TERM_MIN ? IDIOM_MIN : IDIOM_MAX, best,
                          make(making, term->parts[i]), making->span);
    return best;
}

/* The constant factor of a product, or 1. */
static int64_t factor_of(const struct gterm *term)
{
    for (uint32_t i = 0; term->kind == TERM_MUL && i < term->count; i++)
        if (gterm_is_value(term->parts[i]))
            return term->parts[i]->value;
    return 1;
}

/* With another constant factor. */
static struct expr *make_product(const struct making_expr *making, const struct gterm *term, int64_t factor)
{
    struct expr *all = factor == 1 ? NULL : make_number(making, factor);
    for (uint32_t i = 0; i < term->count; i++)
        if (!gterm_is_value(term->parts[i]))
            all = make_binary(making, OP_MUL, all, make(making, term->parts[i]));
    return all;
}

static struct expr *make_negated(const struct making_expr *making, const struct gterm *term)
{
    return expr_unary(making->system, OP_NEGATE, make_product(making, term, 1), making->span);
}

static struct expr *add_summand(const struct making_expr *making, struct expr *sum, const struct gterm *part)
{
    int64_t factor = gterm_is_value(part) ? part->value : factor_of(part);
    bool is_subtracted = sum && factor < 0 && factor != INT64_MIN;
    if (gterm_is_value(part))
        return is_subtracted ? make_binary(making, OP_SUB, sum, make_number(making, -factor))
                             : make_binary(making, OP_ADD, sum, make(making, part));
    if (is_subtracted)
        return make_binary(making, OP_SUB, sum, make_product(making, part, -factor));
    return make_binary(making, OP_ADD, sum, make(making, part));
}

/* What is added comes before what is subtracted, constants last. */
static struct expr *make_sum(const struct making_expr *making, const struct gterm *term)
{
    struct expr *sum = NULL;
    for (int pass = 0; pass < 3; pass++)
        for (uint32_t i = 0; i < term->count; i++) {
            const struct gterm *part = term->parts[i];
            int own = gterm_is_value(part) ? 2 : factor_of(part) < 0;
            if (own == pass)
                sum = add_summand(making, sum, part);
        }
    return sum;
}

static struct expr *make_comparison(const struct making_expr *making, const struct gterm *term)
{
    const struct gterm *left = term->parts[0], *right = term->parts[1];
    bool is_turned = gterm_is_value(left), is_strict = term->kind == TERM_LT;
    enum operator op = term->kind == TERM_EQ ? OP_EQ
    : is_turned                              ? (is_strict ? OP_GT : OP_GE)
                                             : (is_strict ? OP_LT : OP_LE);
    struct expr *first = make(making, is_turned ? right : left);
    return make_binary(making, op, first, make(making, is_turned ? left : right));
}

static struct expr *make_not(const struct making_expr *making, const struct gterm *part)
{
    if (part->kind != TERM_EQ)
        return expr_unary(making->system, OP_NOT, make(making, part), making->span);
    bool is_turned = gterm_is_value(part->parts[0]);
    struct expr *first = make(making, part->parts[is_turned]);
    return make_binary(making, OP_NE, first, make(making, part->parts[!is_turned]));
}

static struct expr *make_pair(const struct making_expr *making, const struct gterm *term)
{
    struct expr *left = make(making, term->parts[0]), *right = make(making, term->parts[1]);
    if (term->kind == TERM_DIV || term->kind == TERM_MOD)
        return make_binary(making, term->kind == TERM_DIV ? OP_DIV : OP_MOD, left, right);
    return expr_idiom(making->system, term->kind == TERM_FLOOR ? IDIOM_FLOOR : IDIOM_REMAINDER, left, right,
                      making->span);
}

static struct expr *make_cond(const struct making_expr *making, const struct gterm *term)
{
    struct expr *condition = make(making, term->parts[0]), *left = make(making, term->parts[1]);
    return expr_cond(making->system, condition, left, make(making, term->parts[2]), making->span);
}

static struct expr *make_kind(const struct making_expr *making, const struct gterm *term)
{
    switch (term->kind) {
    case TERM_VALUE:
        return expr_const(making->system, term->is_bool ? making->system->boolean : making->system->integer,
                          term->value, making->span);
    case TERM_VARIABLE:
        return make_read(making, term->variable->cell);
    case TERM_COUNTER:
        return make_read(making, making->terms->system->state_cells + term->counter);
    case TERM_AND:
    case TERM_OR:
        return make_list(making, term->kind == TERM_AND ? OP_AND : OP_OR, term);
    case TERM_ADD:
        return make_sum(making, term);
    case TERM_MUL:
        return factor_of(term) == -1 ? make_negated(making, term) : make_product(making, term, factor_of(term));
    case TERM_MIN:
    case TERM_MAX:
        return make_extreme(making, term);
    case TERM_EQ:
    case TERM_LT:
    case TERM_LE:
        return make_comparison(making, term);
    case TERM_NOT:
        return make_not(making, term->parts[0]);
    case TERM_COND:
        return make_cond(making, term);
    case TERM_DIV:
    case TERM_MOD:
    case TERM_FLOOR:
    case TERM_REMAINDER:
        return make_pair(making, term);
    default:
        UNREACHABLE("a term that is no expression");
    }
}

/* What stands in several places is made once. */
static struct expr *make(const struct making_expr *making, const struct gterm *term)
{
    struct gterms *terms = making->terms;
    if (!term->count)
        return make_kind(making, term);
    while (terms->made.count <= term->id)
        VEC_PUSH(&terms->made, (struct made_expr){0});
    if (terms->made.items[term->id].epoch == terms->made_epoch) {
        expr_share(making->system, terms->made.items[term->id].expr);
        return terms->made.items[term->id].expr;
    }
    struct expr *expr = make_kind(making, term);
    terms->made.items[term->id] = (struct made_expr){terms->made_epoch, expr};
    return expr;
}

struct expr *gterm_expr(struct gterms *terms, const struct gterm *term, struct system *system,
                        const struct variable *const *reads, struct span span)
{
    struct making_expr making = {terms, system, reads, span};
    terms->made_epoch++;
    return make(&making, term);
}
