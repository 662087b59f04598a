/* Expressions. */
#include <stdlib.h>

#include "base/memory.h"
#include "engine/complete/follow.h"
#include "ir/arith.h"
#include "ir/walk.h"

static enum course expr_read(struct follow *follow, const struct expr *expr, struct complete_value *value)
{
    struct complete_spot spot;
    enum course course = follow_place(follow, expr->place, &spot);
    if (course != COURSE_OK)
        return course;
    *value = follow_load(follow, &spot, 0);
    if (expr->raw)
        return COURSE_OK;
    if (value->number == UNDEFINED)
        return follow_fail(follow, FAULT_UNDEFINED, expr->place->span);
    if (value->term && term_is_leaf(value->term))
        follow_require(follow, term_not(follow->terms, term_undefined(follow->terms, value->term)));
    return COURSE_OK;
}

static enum course expr_arith(struct follow *follow, enum arith_status status, struct span span)
{
    if (status == ARITH_OK)
        return COURSE_OK;
    return follow_fail(follow, status == ARITH_DIVISION ? FAULT_DIVISION : FAULT_OVERFLOW, span);
}

static enum course expr_unary(struct follow *follow, const struct expr *expr, struct complete_value *value)
{
    struct complete_value operand;
    enum course course = follow_expr(follow, expr->left, &operand);
    if (course != COURSE_OK)
        return course;
    course = expr_arith(follow, arith_unary(expr->op, operand.number, &value->number), expr->span);
    value->term = NULL;
    if (course != COURSE_OK || !operand.term)
        return course;
    if (expr->op == OP_NOT)
        value->term = term_not(follow->terms, operand.term);
    else if (expr->op == OP_NEGATE)
        value->term = term_combine(follow->terms, operand.term, -1, NULL, 0, 0);
    if (!value->term)
        follow_settle(follow, &operand);
    else if (term_is_const(value->term))
        value->term = NULL;
    return COURSE_OK;
}

static bool expr_on_call(void *user, const struct expr *expr)
{
    *(bool *)user |= expr->kind == EXPR_CALL;
    return true;
}

/* A place may call a function that returns an aggregate. */
static bool expr_on_place(void *user, const struct place *place, bool is_written)
{
    (void)is_written;
    *(bool *)user |= place->kind == PLACE_CALL;
    return true;
}

/* May the expression be evaluated although the program would not? */
static bool expr_is_free_of_effects(const struct follow *follow, const struct expr *expr)
{
    bool has_call = false;
    if (follow->has_no_effects || !follow->system->functions.count)
        return true;
    walk_expr(&(struct walker){.on_expr = expr_on_call, .on_place = expr_on_place, .user = &has_call}, expr);
    return !has_call;
}

static const struct complete_term *expr_connect(struct follow *follow, enum operator op,
                                                const struct complete_term *left, const struct complete_term *right)
{
    const struct complete_term *items[] = {term_truth(follow->terms, left), term_truth(follow->terms, right)};
    if (op == OP_IMPLIES)
        items[0] = term_not(follow->terms, items[0]);
    return term_junction(follow->terms, op == OP_AND ? TERM_AND : TERM_OR, items, 2);
}

/* AND, OR, IMPLIES. The right side is looked at even where the left one decides: then neither its truth nor its being
 * skipped need be remembered, only that it does not fail. Where it would fail, the left side has to stay as it is. */
static enum course expr_junction(struct follow *follow, const struct expr *expr, struct complete_value *value)
{
    struct complete_value left, right;
    enum course course = follow_expr(follow, expr->left, &left);
    if (course != COURSE_OK)
        return course;
    bool is_short = expr->op == OP_OR ? left.number != 0 : left.number == 0;
    *value = (struct complete_value){expr->op != OP_AND, NULL};
    if (is_short && !left.term)
        return COURSE_OK;
    size_t mark = follow->sides.count;
    if (is_short && !expr_is_free_of_effects(follow, expr->right)) {
        follow_decide(follow, left);
        return COURSE_OK;
    }
    course = follow_expr(follow, expr->right, &right);
    if (is_short && course != COURSE_OK) {
        follow->sides.count = mark;
        follow_decide(follow, left);
        return COURSE_OK;
    }
    if (course != COURSE_OK) {
        follow_decide(follow, left);
        return course;
    }
    if (!is_short && !expr_is_free_of_effects(follow, expr->right)) {
        follow_decide(follow, left);
        left.term = NULL;
    }
    if (!is_short)
        value->number = right.number != 0;
    const struct complete_term *term =
        expr_connect(follow, expr->op, follow_term(follow, left), follow_term(follow, right));
    value->term = term_is_const(term) ? NULL : term;
    return COURSE_OK;
}

static enum course expr_binary(struct follow *follow, const struct expr *expr, struct complete_value *value)
{
    struct complete_value left, right;
    if (expr->op == OP_AND || expr->op == OP_OR || expr->op == OP_IMPLIES)
        return expr_junction(follow, expr, value);
    enum course course = follow_expr(follow, expr->left, &left);
    if (course == COURSE_OK)
        course = follow_expr(follow, expr->right, &right);
    if (course == COURSE_OK)
        course = expr_arith(follow, arith_binary(expr->op, left.number, right.number, &value->number), expr->span);
    value->term = NULL;
    if (course != COURSE_OK || (!left.term && !right.term))
        return course;
    const struct complete_term *a = follow_term(follow, left), *b = follow_term(follow, right);
    if ((expr->op == OP_DIV || expr->op == OP_MOD) && right.term)
        follow_require(follow, term_compare(follow->terms, OP_NE, b, term_const(follow->terms, 0)));
    value->term = term_operator(follow->terms, expr->op, a, b);
    if (!value->term) {
        follow_settle(follow, &left);
        follow_settle(follow, &right);
    } else if (term_is_const(value->term)) {
        value->term = NULL;
    }
    return COURSE_OK;
}

enum course follow_bounds(struct follow *follow, const struct domain *domain, struct span span,
                          struct iteration *iteration)
{
    struct complete_value value[3] = {{0, NULL}, {0, NULL}, {1, NULL}};
    const struct expr *exprs[] = {domain->from, domain->to, domain->by};
    for (int i = 0; i < 3; i++) {
        if (!exprs[i])
            continue;
        enum course course = follow_expr(follow, exprs[i], &value[i]);
        if (course != COURSE_OK)
            return course;
        follow_settle(follow, &value[i]);
    }
    *iteration = (struct iteration){.next = value[0].number, .to = value[1].number, .by = value[2].number};
    return iteration->by ? COURSE_OK : follow_fail(follow, FAULT_LOOP_LIMIT, span);
}

struct quantifier {
    const struct expr *expr;
    bool is_decided; /* the program would not look at the rest */
    bool is_exhaustive;
    struct term_list terms;
};

static enum course quantifier_instance(struct follow *follow, struct quantifier *quantifier,
                                       struct complete_value element)
{
    const struct expr *expr = quantifier->expr;
    struct complete_value holds;
    size_t mark = follow->sides.count;
    enum course course = follow_check(follow, FAULT_RANGE, expr->variable->type, element, expr->span);
    if (course != COURSE_OK)
        return course;
    follow_set(follow, expr->variable->address, element);
    course = follow_expr(follow, expr->left, &holds);
    if (quantifier->is_decided && !quantifier->is_exhaustive && course == COURSE_FAULT) {
        /* The program does not come here because of the order of the objects. */
        follow->sides.count = mark;
        follow_require_order(follow);
        for (size_t i = 0; i < quantifier->terms.count; i++) {
            const struct complete_term *term = quantifier->terms.items[i];
            bool is_true = term_holds(term, &follow->reader.at);
            follow_require(follow, is_true ? term : term_not(follow->terms, term));
        }
        return COURSE_OK;
    }
    if (course != COURSE_OK)
        return course;
    if ((holds.number != 0) == (expr->op == OP_EXISTS))
        quantifier->is_decided = true;
    VEC_PUSH(&quantifier->terms, term_truth(follow->terms, follow_term(follow, holds)));
    return COURSE_OK;
}

static enum course quantifier_run(struct follow *follow, struct quantifier *quantifier)
{
    const struct domain *domain = &quantifier->expr->domain;
    enum course course = COURSE_OK;
    if (!domain->from) {
        bool is_family = shape_family_of_type(follow->shape, domain->type) != SHAPE_NONE;
        bool looks_on = is_family && expr_is_free_of_effects(follow, quantifier->expr->left);
        quantifier->is_exhaustive = type_has_index(domain->type);
        for (uint32_t o = 0; o < domain->type->size && course == COURSE_OK; o++) {
            if (quantifier->is_decided && !looks_on && !quantifier->is_exhaustive)
                break;
            course = quantifier_instance(follow, quantifier, follow_element(follow, domain->type, o));
        }
        if (is_family && !looks_on)
            follow_require_order(follow);
        return course;
    }
    struct iteration iteration;
    int64_t element;
    course = follow_bounds(follow, domain, quantifier->expr->span, &iteration);
    while (course == COURSE_OK && !quantifier->is_decided && iteration_next(&iteration, &element))
        course = quantifier_instance(follow, quantifier, (struct complete_value){element, NULL});
    return course;
}

/* Over a family every instance is looked at: which of them the program skips depends on the numbering. Over
 * anything else the program's order is kept, and so the instances before the deciding one are as they are. */
static enum course expr_quantifier(struct follow *follow, const struct expr *expr, struct complete_value *value)
{
    struct quantifier quantifier = {.expr = expr};
    enum course course = quantifier_run(follow, &quantifier);
    bool is_exists = expr->op == OP_EXISTS;
    *value = (struct complete_value){quantifier.is_decided == is_exists, NULL};
    if (course == COURSE_OK) {
        bool is_family = !expr->domain.from && shape_family_of_type(follow->shape, expr->domain.type) != SHAPE_NONE;
        if (!is_family && quantifier.is_decided && !quantifier.is_exhaustive) {
            /* What comes after the deciding instance was not looked at. */
            for (size_t i = 0; i < quantifier.terms.count; i++) {
                bool is_true = (i + 1 == quantifier.terms.count) == is_exists;
                const struct complete_term *term = quantifier.terms.items[i];
                follow_require(follow, is_true ? term : term_not(follow->terms, term));
            }
        } else {
            const struct complete_term *term = term_junction(follow->terms, is_exists ? TERM_OR : TERM_AND,
                                                             quantifier.terms.items, quantifier.terms.count);
            value->term = term_is_const(term) ? NULL : term;
        }
    }
    VEC_FREE(&quantifier.terms);
    return course;
}

static enum course expr_is_undefined(struct follow *follow, const struct expr *expr, struct complete_value *value)
{
    struct complete_spot spot;
    enum course course = follow_place(follow, expr->place, &spot);
    struct term_list terms = {0};
    *value = (struct complete_value){0, NULL};
    for (uint32_t c = 0; course == COURSE_OK && c < expr->place->type->cells; c++) {
        struct complete_value cell = follow_load(follow, &spot, c);
        value->number |= cell.number == UNDEFINED;
        VEC_PUSH(&terms, cell.term ? term_undefined(follow->terms, cell.term)
                                   : term_const(follow->terms, cell.number == UNDEFINED));
    }
    if (course == COURSE_OK)
        value->term = term_junction(follow->terms, TERM_OR, terms.items, terms.count);
    VEC_FREE(&terms);
    return course;
}

/* A value is taken when it is evaluated: what stands to its right may call a function that changes it. */
static struct complete_value *expr_take(struct follow *follow, const struct complete_spot *spot, uint32_t cells)
{
    struct complete_value *taken = memory_alloc((cells + 1) * sizeof *taken);
    for (uint32_t c = 0; c < cells; c++)
        taken[c] = follow_load(follow, spot, c);
    return taken;
}

static enum course expr_equal(struct follow *follow, const struct expr *expr, struct complete_value *value)
{
    struct complete_spot left, right;
    uint32_t cells = expr->place->type->cells;
    enum course course = follow_place(follow, expr->place, &left);
    if (course != COURSE_OK)
        return course;
    struct complete_value *taken = expr_take(follow, &left, cells);
    struct term_list terms = {0};
    course = follow_place(follow, expr->other, &right);
    *value = (struct complete_value){1, NULL};
    for (uint32_t c = 0; course == COURSE_OK && c < cells; c++) {
        struct complete_value other = follow_load(follow, &right, c);
        value->number &= taken[c].number == other.number;
        VEC_PUSH(&terms, term_same(follow->terms, follow_term(follow, taken[c]), follow_term(follow, other)));
    }
    if (course == COURSE_OK)
        value->term = term_junction(follow->terms, TERM_AND, terms.items, terms.count);
    VEC_FREE(&terms);
    free(taken);
    return course;
}

static enum course expr_is_member(struct follow *follow, const struct expr *expr, struct complete_value *value)
{
    enum course course = follow_expr(follow, expr->left, value);
    if (course != COURSE_OK)
        return course;
    value->number = type_has(expr->member, value->number);
    if (value->term)
        value->term = term_member(follow->terms, value->term, expr->member);
    return COURSE_OK;
}

static enum course expr_by_kind(struct follow *follow, const struct expr *expr, struct complete_value *value)
{
    enum course course;
    switch (expr->kind) {
    case EXPR_CONST:
        *value = (struct complete_value){expr->value, NULL};
        return COURSE_OK;
    case EXPR_READ:
        return expr_read(follow, expr, value);
    case EXPR_UNARY:
        return expr_unary(follow, expr, value);
    case EXPR_BINARY:
        return expr_binary(follow, expr, value);
    case EXPR_COND:
        course = follow_expr(follow, expr->condition, value);
        if (course != COURSE_OK)
            return course;
        return follow_expr(follow, follow_decide(follow, *value) ? expr->left : expr->right, value);
    case EXPR_QUANTIFIER:
        return expr_quantifier(follow, expr, value);
    case EXPR_IS_UNDEFINED:
        return expr_is_undefined(follow, expr, value);
    case EXPR_IS_MEMBER:
        return expr_is_member(follow, expr, value);
    case EXPR_CALL:
        course = follow_call(follow, expr);
        *value = (struct complete_value){0, NULL};
        if (course == COURSE_OK && expr->function->result)
            *value = follow_load(follow, &(struct complete_spot){.address = expr->function->result->address}, 0);
        return course;
    case EXPR_EQUAL:
        return expr_equal(follow, expr, value);
    default:
        UNREACHABLE("an expression that the engine does not support");
    }
}

enum course follow_expr(struct follow *follow, const struct expr *expr, struct complete_value *value)
{
    *value = (struct complete_value){0, NULL};
    enum course course = expr_by_kind(follow, expr, value);
    if (course == COURSE_OK && value->term && term_is_const(value->term))
        value->term = NULL;
    return course;
}
