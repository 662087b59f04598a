/* Expressions and places as terms. */
#include "detect/model_term.h"

bool sketch_is_spent(struct sketch *s)
{
    s->graph->gave_up |= s->colours.count + s->edges.count > s->options->most_vertices ||
                         s->budget_used > 2 * s->options->most_vertices || watch_is_over(s->options->watch);
    return s->graph->gave_up;
}

void sketch_know(struct sketch *s, const struct variable *variable, int64_t value)
{
    s->is_known[variable->address] = true;
    s->values[variable->address] = value;
}

void sketch_forget(struct sketch *s, const struct variable *variable)
{
    s->is_known[variable->address] = false;
}

/* Locals by number in order of first use in the rule: what they are called does not matter. */
struct model_term term_variable(struct sketch *s, const struct variable *variable)
{
    uint32_t words[3] = {variable->address, variable->is_reference};
    if (variable->is_global)
        return term_make(s, TERM_GLOBAL, words, 1, NULL, 0);
    if (!s->local_number[variable->address]) {
        VEC_PUSH(&s->locals, variable->address);
        s->local_number[variable->address] = (uint32_t)s->locals.count;
    }
    words[0] = s->local_number[variable->address];
    words[2] = term_type(s, variable->type).skeleton;
    return term_make(s, TERM_LOCAL, words, 3, NULL, 0);
}

struct model_term term_place(struct sketch *s, const struct place *place)
{
    struct model_term parts[2];
    uint32_t words[2] = {place->kind}, count = 1;
    switch (place->kind) {
    case PLACE_VARIABLE:
        if (s->stands_for && s->stands_for[place->variable->address])
            return term_place(s, s->stands_for[place->variable->address]);
        /* fall through */
    case PLACE_DEREF:
        parts[0] = term_variable(s, place->variable);
        break;
    case PLACE_FIELD:
        parts[0] = term_place(s, place->base);
        words[1] = place->field->offset;
        break;
    case PLACE_ELEMENT:
    case PLACE_SLOT:
        parts[0] = term_place(s, place->base);
        parts[1] = term_expr(s, place->index,
                             place->kind == PLACE_SLOT ? NO_CARRIER : sketch_carrier(s, place->base->type->index));
        count = 2;
        break;
    case PLACE_CALL:
        parts[0] = term_expr(s, place->call, NO_CARRIER);
        break;
    }
    return term_make(s, TERM_PLACE, words, 2, parts, count);
}

static struct model_term term_value(struct sketch *s, int64_t value)
{
    uint32_t words[] = {(uint32_t)value, (uint32_t)((uint64_t)value >> 32)};
    return term_make(s, TERM_VALUE, words, 2, NULL, 0);
}

/* A value that is not of the carrier it is used as: the numbers of the elements matter. */
static struct model_term term_convert(struct sketch *s, struct model_term term, uint32_t carrier, struct span span)
{
    bool counts = sketch_break(s, carrier, span, "elements of %s are used as numbers");
    struct model_term parts[] = {term, counts ? term_identity(s, carrier) : term_empty(s)};
    return term_make(s, TERM_CONVERT, NULL, 0, parts, 2);
}

bool sketch_unrolls(const struct sketch *s, const struct domain *domain, const struct variable *variable)
{
    return s->options->is_ground && !domain->from && sketch_carrier(s, variable->type) != NO_CARRIER;
}

/* All of a carrier's type, counted up, is that type. */
static bool domain_is_whole(const struct domain *domain, const struct type *type)
{
    return domain->from->kind == EXPR_CONST && domain->to->kind == EXPR_CONST &&
           domain->from->value == type->blocks->lo && domain->to->value == type->blocks->hi &&
           (!domain->by || (domain->by->kind == EXPR_CONST && domain->by->value == 1));
}

struct model_term term_domain(struct sketch *s, const struct domain *domain, const struct variable *variable,
                              struct span span)
{
    uint32_t carrier = sketch_carrier(s, variable->type), count = 1, empty[1] = {0};
    struct model_term parts[5] = {term_variable(s, variable)};
    if (!domain->from || (carrier != NO_CARRIER && domain_is_whole(domain, variable->type))) {
        parts[count++] = term_type(s, domain->from ? variable->type : domain->type);
        return term_make(s, TERM_DOMAIN, empty, 1, parts, count);
    }
    parts[count++] = term_expr(s, domain->from, carrier);
    parts[count++] = term_expr(s, domain->to, carrier);
    if (domain->by)
        parts[count++] = term_expr(s, domain->by, NO_CARRIER);
    if (carrier != NO_CARRIER && sketch_break(s, carrier, span, "elements of %s are counted from one to another"))
        parts[count++] = term_identity(s, carrier);
    return term_make(s, TERM_DOMAIN, empty, 0, parts, count);
}

static struct model_term term_unrolled(struct sketch *s, const struct expr *expr)
{
    uint32_t size = expr->domain.type->size;
    struct model_term *parts = memory_zeroed(size, sizeof *parts), term;
    for (uint32_t i = 0; i < size && !sketch_is_spent(s); i++) {
        sketch_know(s, expr->variable, type_code(expr->domain.type, i));
        parts[i] = term_expr(s, expr->left, NO_CARRIER);
    }
    sketch_forget(s, expr->variable);
    term = s->graph->gave_up ? term_empty(s) : term_set(s, expr->op, parts, size);
    free(parts);
    return term;
}

static struct model_term term_quantifier(struct sketch *s, const struct expr *expr)
{
    if (sketch_unrolls(s, &expr->domain, expr->variable))
        return term_unrolled(s, expr);
    struct model_term parts[] = {term_domain(s, &expr->domain, expr->variable, expr->span),
                                 term_expr(s, expr->left, NO_CARRIER)};
    uint32_t words[] = {expr->kind, expr->op};
    return term_make(s, TERM_EXPR, words, 2, parts, 2);
}

static struct model_term term_call(struct sketch *s, const struct expr *call)
{
    uint32_t count = call->function->parameter_count, words[] = {EXPR_CALL, call->function->id};
    struct model_term *parts = memory_zeroed(count + 1, sizeof *parts);
    s->is_called[call->function->id] = true;
    for (uint32_t p = 0; p < count; p++)
        parts[p] = call->arguments[p].value
                       ? term_expr(s, call->arguments[p].value, sketch_carrier(s, call->function->parameters[p]->type))
                       : term_place(s, call->arguments[p].place);
    struct model_term term = term_make(s, TERM_EXPR, words, 2, parts, count);
    free(parts);
    return term;
}

/* Operands whose order does not matter stand in the order of their skeletons, which do not know which elements are
 * meant. */
static bool is_commutative(enum operator op)
{
    return op == OP_EQ || op == OP_NE || op == OP_ADD || op == OP_MUL || op == OP_BIT_AND || op == OP_BIT_OR ||
           op == OP_BIT_XOR;
}

static struct model_term term_binary(struct sketch *s, const struct expr *expr)
{
    uint32_t want = NO_CARRIER, words[] = {expr->kind, expr->op};
    int64_t left;
    bool is_logic = expr->op == OP_AND || expr->op == OP_OR || expr->op == OP_IMPLIES;
    if (is_logic && sketch_fold(s, expr->left, &left)) {
        bool decides = expr->op == OP_OR ? left : !left;
        return decides ? term_value(s, expr->op != OP_AND) : term_expr(s, expr->right, NO_CARRIER);
    }
    if (expr->op == OP_EQ || expr->op == OP_NE) {
        want = sketch_carrier_of(s, expr->left);
        want = want == NO_CARRIER ? sketch_carrier_of(s, expr->right) : want;
    }
    struct model_term parts[] = {term_expr(s, expr->left, want), term_expr(s, expr->right, want)};
    if (is_commutative(expr->op) && parts[0].skeleton == parts[1].skeleton && parts[0].count)
        return term_set(s, OP_EXISTS + 1 + expr->op, parts, 2); /* a set of one: the operands are equal */
    if (is_commutative(expr->op) && parts[0].skeleton > parts[1].skeleton) {
        struct model_term kept = parts[0];
        parts[0] = parts[1];
        parts[1] = kept;
    }
    return term_make(s, TERM_EXPR, words, 2, parts, 2);
}

/* The node itself; `want` passes through a choice. */
static struct model_term term_node(struct sketch *s, const struct expr *expr, uint32_t want)
{
    uint32_t words[4] = {expr->kind, expr->op, expr->raw}, count = 1;
    struct model_term parts[3], commuting;
    int64_t known;
    if (term_commuting(s, expr, &commuting))
        return commuting;
    switch (expr->kind) {
    case EXPR_CONST:
        return term_value(s, expr->value);
    case EXPR_BINARY:
        return term_binary(s, expr);
    case EXPR_QUANTIFIER:
        return term_quantifier(s, expr);
    case EXPR_CALL:
        return term_call(s, expr);
    case EXPR_READ:
    case EXPR_IS_UNDEFINED:
        parts[0] = term_place(s, expr->place);
        break;
    case EXPR_UNARY:
        parts[0] = term_expr(s, expr->left, NO_CARRIER);
        break;
    case EXPR_COND:
        if (sketch_fold(s, expr->condition, &known))
            return term_expr(s, known ? expr->left : expr->right, want);
        parts[0] = term_expr(s, expr->condition, NO_CARRIER);
        parts[1] = term_expr(s, expr->left, want);
        parts[2] = term_expr(s, expr->right, want);
        count = 3;
        break;
    case EXPR_IS_MEMBER:
        parts[0] = term_expr(s, expr->left, sketch_carrier(s, expr->member));
        parts[1] = term_type(s, expr->member);
        count = 2;
        break;
    case EXPR_EQUAL:
        parts[0] = term_place(s, expr->place);
        parts[1] = term_place(s, expr->other);
        count = 2;
        break;
    case EXPR_SLOT_TAKEN:
        parts[0] = term_place(s, expr->place);
        parts[1] = term_expr(s, expr->left, NO_CARRIER);
        count = 2;
        break;
    case EXPR_COUNT:
        parts[0] = term_place(s, expr->place);
        parts[1] = term_variable(s, expr->variable);
        parts[2] = term_expr(s, expr->left, NO_CARRIER);
        count = 3;
        break;
    default:
        s->graph->gave_up = true;
        return term_empty(s);
    }
    return term_make(s, TERM_EXPR, words, 3, parts, count);
}

/* Unions hold values of several carriers: what is stored as one of these is an element, too, whether it is written down
 * or computed. */
static uint32_t value_carrier(const struct sketch *s, const struct type *type, int64_t value)
{
    for (uint32_t b = 0; type->kind >= TYPE_ENUM && b < type->block_count; b++)
        if (value >= type->blocks[b].lo && value <= type->blocks[b].hi)
            return sketch_carrier(s, type->blocks[b].owner);
    return NO_CARRIER;
}

struct model_term term_expr(struct sketch *s, const struct expr *expr, uint32_t want)
{
    struct model_term term;
    int64_t value;
    s->graph->gave_up |= expr->size > s->options->most_vertices; /* it stands for a tree here */
    if (sketch_is_spent(s))
        return term_empty(s);
    if (sketch_fold(s, expr, &value)) {
        want = want == NO_CARRIER ? value_carrier(s, expr->type, value) : want;
        if (want == NO_CARRIER)
            return term_value(s, value);
        if (expr->kind == EXPR_CONST && !sketch_break(s, want, expr->span, "an element of %s is named"))
            return term_empty(s);
        return term_element(s, want, value);
    }
    if (!sketch_commutes(s, expr) && term_table(s, expr, want, &term))
        return term;
    uint32_t have = expr->kind == EXPR_COND ? want : sketch_carrier_of(s, expr);
    term = term_node(s, expr, want);
    if (have == want || expr->type->kind == TYPE_UNION || (expr->kind == EXPR_CONST && expr->value == UNDEFINED))
        return term;
    if (have != NO_CARRIER)
        term = term_convert(s, term, have, expr->span);
    if (want != NO_CARRIER)
        term = term_convert(s, term, want, expr->span);
    return term;
}
