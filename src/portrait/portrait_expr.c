/* Places and expressions of a portrait. */
#include "ir/arith.h"
#include "portrait/portrait.h"

enum { PORTRAIT_MOST_SPOTS = 4096 };

static bool place_element(struct portrait *portrait, const struct place *place, struct portrait_spots *spots)
{
    const struct type *index = place->base->type->index;
    uint32_t cells = place->type->cells;
    struct pvalue value;
    int64_t number;
    if (!portrait_place(portrait, place->base, spots) || !portrait_expr(portrait, place->index, &value))
        return false;
    if (pvalue_number(portrait, value, &number)) {
        int64_t ordinal = number == UNDEFINED ? -1 : type_ordinal(index, number);
        if (roster_is_elements(portrait->roster, index))
            portrait_note_name(portrait, place->index, place->index->span, index, number);
        else if (value.is_tainted)
            portrait_note(portrait, place->index, place->index->span, true, EVENT_DATA, number);
        if (ordinal < 0) {
            portrait_fault(portrait, SYSTEM_RUNTIME, PTERM_TRUE);
            VEC_CLEAR(spots);
        }
        for (size_t i = 0; i < spots->count; i++)
            spots->items[i].address += (uint32_t)ordinal * cells;
        return true;
    }
    struct portrait_spots before = *spots;
    *spots = (struct portrait_spots){0};
    if (before.count * index->size > PORTRAIT_MOST_SPOTS) {
        VEC_FREE(&before);
        return portrait_fail(portrait, "an index depends on the state in too many ways", place->span);
    }
    for (size_t i = 0; i < before.count; i++)
        for (uint32_t o = 0; o < index->size; o++) {
            uint32_t code = pterm_const(portrait->terms, type_code(index, o));
            struct portrait_spot spot = {
                pterm_and(portrait->terms, before.items[i].condition, pterm_eq(portrait->terms, value.term, code)),
                before.items[i].address + o * cells};
            VEC_PUSH(spots, spot);
        }
    VEC_FREE(&before);
    return true;
}

bool portrait_place(struct portrait *portrait, const struct place *place, struct portrait_spots *spots)
{
    struct portrait_spot spot = {PTERM_TRUE, 0};
    int64_t address;
    switch (place->kind) {
    case PLACE_VARIABLE:
        spot.address = place->variable->address;
        VEC_PUSH(spots, spot);
        return true;
    case PLACE_DEREF:
        if (!pvalue_number(portrait, portrait_get(portrait, place->variable->address), &address) || address < 0)
            return portrait_fail(portrait, "an alias depends on the state", place->span);
        spot.address = (uint32_t)address;
        VEC_PUSH(spots, spot);
        return true;
    case PLACE_ELEMENT:
        return place_element(portrait, place, spots);
    case PLACE_FIELD:
        if (!portrait_place(portrait, place->base, spots))
            return false;
        for (size_t i = 0; i < spots->count; i++)
            spots->items[i].address += place->field->offset;
        return true;
    case PLACE_CALL:
        if (!portrait_call(portrait, place->call))
            return false;
        spot.address = place->call->function->result->address;
        VEC_PUSH(spots, spot);
        return true;
    case PLACE_SLOT:
        break;
    }
    return portrait_fail(portrait, "multisets are not analysed", place->span);
}

static bool expr_read(struct portrait *portrait, const struct expr *expr, struct pvalue *value)
{
    struct portrait_spots spots = {0};
    int64_t number;
    bool goes_on = portrait_place(portrait, expr->place, &spots) && portrait_read(portrait, &spots, 0, value);
    if (goes_on && value->is_tainted && expr->place->kind != PLACE_VARIABLE && pvalue_number(portrait, *value, &number))
        portrait_note(portrait, expr, expr->span, false, EVENT_DATA, number);
    VEC_FREE(&spots);
    return goes_on;
}

/* A number of a process meets something that is not known: is it a name there, or data? */
static void expr_note_mixed(struct portrait *portrait, const struct expr *expr, const struct expr *operand,
                            struct pvalue value, struct pvalue other)
{
    bool is_equality = expr->op == OP_EQ || expr->op == OP_NE;
    const struct type *named = pterm_names_element(portrait->terms, other.term);
    int64_t number;
    if (!is_equality && named)
        portrait_note(portrait, expr, expr->span, true, EVENT_BREAK, 0);
    else if (pvalue_number(portrait, value, &number) && named)
        portrait_note_name(portrait, operand, operand->span, named, number);
    else if (pvalue_number(portrait, value, &number) && value.is_tainted)
        portrait_note(portrait, operand, operand->span, true, EVENT_DATA, number);
}

static bool expr_fold(struct portrait *portrait, const struct expr *expr, enum arith_status status, int64_t result,
                      bool is_tainted, struct pvalue *value)
{
    if (status != ARITH_OK) {
        portrait_fault(portrait, SYSTEM_RUNTIME, PTERM_TRUE);
        result = 0;
    }
    *value = pvalue_known(portrait, result, is_tainted);
    if (is_tainted)
        portrait_note(portrait, expr, expr->span, expr->type->kind == TYPE_BOOL, EVENT_DATA, result);
    return true;
}

static bool expr_unary(struct portrait *portrait, const struct expr *expr, struct pvalue *value)
{
    struct pvalue left;
    int64_t number, result = 0;
    if (!portrait_expr(portrait, expr->left, &left))
        return false;
    if (expr->op == OP_NOT) {
        *value = (struct pvalue){pterm_not(portrait->terms, left.term), left.is_tainted};
        return true;
    }
    if (pvalue_number(portrait, left, &number)) {
        enum arith_status status = arith_unary(expr->op, number, &result);
        return expr_fold(portrait, expr, status, result, left.is_tainted, value);
    }
    *value = (struct pvalue){pterm_unary(portrait->terms, expr->op, left.term), false};
    return true;
}

/* The right operand is not looked at where the left one decides. */
static bool expr_connective(struct portrait *portrait, const struct expr *expr, struct pvalue *value)
{
    struct pterms *terms = portrait->terms;
    struct pvalue left, right;
    if (!portrait_expr(portrait, expr->left, &left))
        return false;
    uint32_t decides = expr->op == OP_AND || expr->op == OP_IMPLIES ? PTERM_FALSE : PTERM_TRUE;
    if (left.term == decides) {
        *value = (struct pvalue){expr->op == OP_AND ? PTERM_FALSE : PTERM_TRUE, left.is_tainted};
        return true;
    }
    if (!portrait_expr(portrait, expr->right, &right))
        return false;
    value->is_tainted = left.is_tainted || right.is_tainted;
    value->term = expr->op == OP_AND  ? pterm_and(terms, left.term, right.term)
                  : expr->op == OP_OR ? pterm_or(terms, left.term, right.term)
                                      : pterm_or(terms, pterm_not(terms, left.term), right.term);
    return true;
}

static bool expr_binary(struct portrait *portrait, const struct expr *expr, struct pvalue *value)
{
    struct pvalue left, right;
    int64_t a, b, result = 0;
    if (expr->op == OP_AND || expr->op == OP_OR || expr->op == OP_IMPLIES)
        return expr_connective(portrait, expr, value);
    if (!portrait_expr(portrait, expr->left, &left) || !portrait_expr(portrait, expr->right, &right))
        return false;
    if (pvalue_number(portrait, left, &a) && pvalue_number(portrait, right, &b)) {
        enum arith_status status = arith_binary(expr->op, a, b, &result);
        return expr_fold(portrait, expr, status, result, left.is_tainted || right.is_tainted, value);
    }
    expr_note_mixed(portrait, expr, expr->left, left, right);
    expr_note_mixed(portrait, expr, expr->right, right, left);
    *value = (struct pvalue){pterm_binary(portrait->terms, expr->op, left.term, right.term), false};
    return true;
}

static bool expr_cond(struct portrait *portrait, const struct expr *expr, struct pvalue *value)
{
    struct pvalue condition, yes, no;
    if (!portrait_expr(portrait, expr->condition, &condition))
        return false;
    if (condition.term == PTERM_TRUE || condition.term == PTERM_FALSE) {
        bool goes_on = portrait_expr(portrait, condition.term == PTERM_TRUE ? expr->left : expr->right, value);
        value->is_tainted |= condition.is_tainted;
        return goes_on;
    }
    if (!portrait_expr(portrait, expr->left, &yes) || !portrait_expr(portrait, expr->right, &no))
        return false;
    bool is_boolean = expr->type->kind == TYPE_BOOL;
    *value = (struct pvalue){pterm_ite(portrait->terms, condition.term, yes.term, no.term, is_boolean), false};
    return true;
}

struct quantifying {
    const struct expr *body;
    struct pterm_list list;
    bool is_tainted;
};

static bool expr_quantify(struct portrait *portrait, void *user)
{
    struct quantifying *quantifying = user;
    struct pvalue value;
    if (!portrait_expr(portrait, quantifying->body, &value))
        return false;
    quantifying->is_tainted |= value.is_tainted;
    VEC_PUSH(&quantifying->list, value.term);
    return true;
}

static bool expr_quantifier(struct portrait *portrait, const struct expr *expr, struct pvalue *value)
{
    struct quantifying quantifying = {.body = expr->left};
    bool goes_on = portrait_each(portrait, &expr->domain, expr->variable, expr->span, expr_quantify, &quantifying);
    if (goes_on)
        *value = (struct pvalue){
            pterm_junction(portrait->terms, expr->op == OP_FORALL ? PTERM_AND : PTERM_OR, &quantifying.list),
            quantifying.is_tainted};
    VEC_FREE(&quantifying.list);
    return goes_on;
}

/* Cell by cell: is one undefined (`other` NULL), are all equal? */
static bool expr_cells(struct portrait *portrait, const struct place *place, const struct place *other,
                       struct pvalue *value)
{
    struct portrait_spots left = {0}, right = {0};
    struct pterm_list list = {0};
    bool goes_on = portrait_place(portrait, place, &left) && (!other || portrait_place(portrait, other, &right));
    for (uint32_t c = 0; goes_on && c < place->type->cells; c++) {
        struct pvalue a = {0}, b = {0};
        portrait_read(portrait, &left, c, &a);
        if (other)
            portrait_read(portrait, &right, c, &b);
        VEC_PUSH(&list,
                 other ? pterm_eq(portrait->terms, a.term, b.term) : pterm_is_undefined(portrait->terms, a.term));
    }
    if (goes_on)
        *value = (struct pvalue){pterm_junction(portrait->terms, other ? PTERM_AND : PTERM_OR, &list), false};
    VEC_FREE(&left);
    VEC_FREE(&right);
    VEC_FREE(&list);
    return goes_on;
}

bool portrait_expr(struct portrait *portrait, const struct expr *expr, struct pvalue *value)
{
    struct pvalue left;
    switch (expr->kind) {
    case EXPR_CONST:
        *value = pvalue_known(portrait, expr->value, false);
        return true;
    case EXPR_READ:
        return expr_read(portrait, expr, value);
    case EXPR_UNARY:
        return expr_unary(portrait, expr, value);
    case EXPR_BINARY:
        return expr_binary(portrait, expr, value);
    case EXPR_COND:
        return expr_cond(portrait, expr, value);
    case EXPR_QUANTIFIER:
        return expr_quantifier(portrait, expr, value);
    case EXPR_IS_UNDEFINED:
        return expr_cells(portrait, expr->place, NULL, value);
    case EXPR_EQUAL:
        return expr_cells(portrait, expr->place, expr->other, value);
    case EXPR_IS_MEMBER:
        if (!portrait_expr(portrait, expr->left, &left))
            return false;
        *value = (struct pvalue){pterm_is_member(portrait->terms, left.term, expr->member), left.is_tainted};
        if (left.is_tainted)
            portrait_note(portrait, expr, expr->span, true, EVENT_DATA, value->term == PTERM_TRUE);
        return true;
    case EXPR_CALL:
        if (!portrait_call(portrait, expr))
            return false;
        *value = portrait_get(portrait, expr->function->result->address);
        return true;
    case EXPR_SLOT_TAKEN:
    case EXPR_COUNT:
        return portrait_fail(portrait, "multisets are not analysed", expr->span);
    default:
        return portrait_fail(portrait, "this expression is not analysed", expr->span);
    }
}
