/* Expressions and places: locals are those of named threads, and quantifiers only ask for witnesses. */
#include "ir/walk.h"
#include "population/shape_inner.h"

/* The thread that an expression denotes: a variable in scope; else NULL. */
static const struct variable *prover_thread(const struct prover *prover, const struct expr *expr)
{
    if (expr->kind != EXPR_READ || expr->place->kind != PLACE_VARIABLE)
        return NULL;
    for (size_t i = 0; i < prover->threads.count; i++)
        if (prover->threads.items[i] == expr->place->variable)
            return expr->place->variable;
    return NULL;
}

const struct variable *place_local(const struct prover *prover, const struct place *place,
                                   const struct variable **thread)
{
    *thread = NULL;
    for (; place->base; place = place->base)
        if (place->kind == PLACE_ELEMENT && place->base->kind == PLACE_VARIABLE && place->base->variable->is_global &&
            shape_is_local(prover->shape, place->base->variable)) {
            *thread = prover_thread(prover, place->index);
            return place->base->variable;
        }
    for (size_t i = 0; place->kind == PLACE_DEREF && i < prover->bindings.count; i++)
        if (prover->bindings.items[i].reference == place->variable)
            return prover->bindings.items[i].array;
    return NULL;
}

/* --- places --- */

static bool is_looped(const struct prover *prover, const struct variable *array)
{
    for (size_t i = 0; i < prover->looped.count; i++)
        if (prover->looped.items[i] == array)
            return true;
    return false;
}

/* In a loop each thread changes by itself: an iteration reads nothing that another one writes. */
static bool prove_in_loop(struct prover *prover, const struct place *place, bool is_written)
{
    const struct variable *thread, *array = place_local(prover, place, &thread);
    if (thread == prover->looping && array)
        return true;
    if (is_written)
        return prover_fail(prover, place->span,
                           "a loop over all elements of %s may write only what belongs to the element of its iteration",
                           prover_name(prover));
    if (array && is_looped(prover, array))
        return prover_fail(prover, place->span, "the loop over all elements of %s writes this array, too",
                           prover_name(prover));
    return true;
}

static bool prove_root(struct prover *prover, const struct place *place)
{
    const struct variable *variable = place->variable;
    if (variable->is_global && shape_is_local(prover->shape, variable))
        return prover_fail(prover, place->span, "all elements of %s are used at once here", variable->name);
    if (!variable->is_global && !variable->is_reference && type_mentions(variable->type, prover->thread))
        return prover_fail(prover, place->span, "%s holds an element of %s, which may only be an index or compared",
                           variable->name, prover_name(prover));
    return true;
}

static bool prove_element(struct prover *prover, const struct place *place, bool is_written)
{
    const struct place *base = place->base;
    if (base->kind != PLACE_VARIABLE || !base->variable->is_global || !shape_is_local(prover->shape, base->variable))
        return prove_place(prover, base, is_written) && prove_expr(prover, place->index, POLARITY_NONE);
    if (!prover_thread(prover, place->index))
        return prover_fail(prover, place->span, "the element of %s is no parameter, loop variable or quantified one",
                           prover_name(prover));
    return true;
}

bool prove_place(struct prover *prover, const struct place *place, bool is_written)
{
    if (prover->looping && !prove_in_loop(prover, place, is_written))
        return false;
    is_written &= !prover->looping; /* that was asked of the whole place */
    switch (place->kind) {
    case PLACE_VARIABLE:
    case PLACE_DEREF:
        return prove_root(prover, place);
    case PLACE_ELEMENT:
    case PLACE_SLOT:
        return prove_element(prover, place, is_written);
    case PLACE_FIELD:
        return prove_place(prover, place->base, is_written);
    case PLACE_CALL:
        return prove_expr(prover, place->call, POLARITY_NONE);
    }
    return false;
}

/* --- calls: of what has nothing to do with threads --- */

struct stranger {
    const struct prover *prover;
    bool is_fine;
};

static bool stranger_place(void *user, const struct place *place, bool is_written)
{
    struct stranger *stranger = user;
    (void)is_written;
    if (place->kind == PLACE_VARIABLE || place->kind == PLACE_DEREF)
        stranger->is_fine &= !type_mentions(place->variable->type, stranger->prover->thread);
    return true;
}

static bool stranger_expr(void *user, const struct expr *expr)
{
    struct stranger *stranger = user;
    stranger->is_fine &=
        !(expr->kind == EXPR_QUANTIFIER && expr->domain.type == stranger->prover->thread) && expr->kind != EXPR_CALL;
    return true;
}

static bool stranger_stmt(void *user, const struct stmt *stmt)
{
    struct stranger *stranger = user;
    stranger->is_fine &= !(stmt->kind == STMT_FOR && stmt->domain.type == stranger->prover->thread);
    return true;
}

static bool prove_call(struct prover *prover, const struct expr *call)
{
    const struct function *function = call->function;
    struct stranger stranger = {prover, true};
    struct walker walker = {stranger_stmt, stranger_expr, stranger_place, &stranger};
    for (uint32_t p = 0; p < function->parameter_count; p++)
        stranger.is_fine &= !type_mentions(function->parameters[p]->type, prover->thread);
    walk_block(&walker, &function->body);
    if (prover->looping)
        return prover_fail(prover, call->span, "%s is called in a loop over all elements of %s", function->name,
                           prover_name(prover));
    if (!stranger.is_fine)
        return prover_fail(prover, call->span, "%s uses elements of %s, or calls a function", function->name,
                           prover_name(prover));
    for (uint32_t p = 0; p < function->parameter_count; p++) {
        const struct argument *argument = &call->arguments[p];
        if (argument->value && !prove_expr(prover, argument->value, POLARITY_NONE))
            return false;
        if (argument->place && !prove_place(prover, argument->place, function->parameters[p]->is_reference))
            return false;
    }
    return true;
}

/* --- expressions --- */

static bool prove_comparison(struct prover *prover, const struct expr *expr)
{
    bool left = prover_thread(prover, expr->left), right = prover_thread(prover, expr->right);
    if ((expr->op == OP_EQ || expr->op == OP_NE) && left && right)
        return true;
    return prove_expr(prover, expr->left, POLARITY_NONE) && prove_expr(prover, expr->right, POLARITY_NONE);
}

/* Of two operands that both must hold the witnesses add up; of alternatives one is enough. */
static bool prove_both(struct prover *prover, const struct expr *expr, enum polarity left, enum polarity right,
                       bool is_alternative)
{
    uint32_t before = prover->witnesses;
    if (!prove_expr(prover, expr->left, left))
        return false;
    uint32_t first = prover->witnesses - before;
    prover->witnesses = before;
    if (!prove_expr(prover, expr->right, right))
        return false;
    uint32_t second = prover->witnesses - before;
    prover->witnesses = before + (!is_alternative ? first + second : first > second ? first : second);
    return true;
}

static bool prove_binary(struct prover *prover, const struct expr *expr, enum polarity polarity)
{
    switch (expr->op) {
    case OP_AND:
        return prove_both(prover, expr, polarity, polarity, polarity < 0);
    case OP_OR:
        return prove_both(prover, expr, polarity, polarity, polarity > 0);
    case OP_IMPLIES:
        return prove_both(prover, expr, (enum polarity) - polarity, polarity, polarity > 0);
    default:
        return prove_comparison(prover, expr);
    }
}

/* Over something else: each value may have a witness of its own. */
static bool prove_other_quantifier(struct prover *prover, const struct expr *expr, enum polarity polarity)
{
    uint32_t before = prover->witnesses;
    bool is_each = (expr->op == OP_FORALL) == (polarity > 0);
    if (!prove_domain(prover, &expr->domain) || !prove_expr(prover, expr->left, polarity))
        return false;
    uint32_t more = prover->witnesses - before, values = expr->domain.from ? UINT32_MAX : expr->domain.type->size;
    if (is_each && more && values > SHAPE_MOST_PARTICIPANTS)
        return prover_fail(prover, expr->span, "a quantifier asks for too many elements of %s", prover_name(prover));
    prover->witnesses = before + more * (is_each && more ? values : 1);
    return true;
}

static bool prove_quantifier(struct prover *prover, const struct expr *expr, enum polarity polarity)
{
    if (!domain_is_threads(prover, &expr->domain))
        return prove_other_quantifier(prover, expr, polarity);
    bool is_witness = polarity == (expr->op == OP_EXISTS ? POLARITY_ASSERTED : POLARITY_DENIED);
    if (!is_witness && polarity != POLARITY_NONE)
        return prover_fail(prover, expr->span,
                           "this must be so of all elements of %s: with more of them it may no longer be, so small "
                           "numbers do not decide it",
                           prover_name(prover));
    if (!is_witness)
        return prover_fail(prover, expr->span, "whether there is such an element of %s is asked here, outside a guard",
                           prover_name(prover));
    prover->witnesses++;
    VEC_PUSH(&prover->threads, expr->variable);
    bool is_proved = prove_expr(prover, expr->left, polarity);
    prover->threads.count--;
    return is_proved;
}

static bool prove_read(struct prover *prover, const struct expr *expr)
{
    if (prover_thread(prover, expr))
        return prover_fail(prover, expr->span, "an element of %s may only be an index or compared here",
                           prover_name(prover));
    return prove_place(prover, expr->place, false);
}

bool prove_expr(struct prover *prover, const struct expr *expr, enum polarity polarity)
{
    if (prover->witnesses > SHAPE_MOST_PARTICIPANTS)
        return prover_fail(prover, expr->span, "the quantifiers ask for too many elements of %s", prover_name(prover));
    switch (expr->kind) {
    case EXPR_CONST:
        return !type_mentions(expr->type, prover->thread) ||
               prover_fail(prover, expr->span, "an element of %s is named", prover_name(prover));
    case EXPR_READ:
        return prove_read(prover, expr);
    case EXPR_UNARY:
        return prove_expr(prover, expr->left, expr->op == OP_NOT ? (enum polarity) - polarity : POLARITY_NONE);
    case EXPR_BINARY:
        return prove_binary(prover, expr, polarity);
    case EXPR_COND:
        return prove_expr(prover, expr->condition, POLARITY_NONE) && prove_both(prover, expr, polarity, polarity, true);
    case EXPR_QUANTIFIER:
        return prove_quantifier(prover, expr, polarity);
    case EXPR_IS_UNDEFINED:
        return prove_place(prover, expr->place, false);
    case EXPR_IS_MEMBER:
        return prove_expr(prover, expr->left, POLARITY_NONE);
    case EXPR_CALL:
        return prove_call(prover, expr);
    case EXPR_EQUAL:
        return prove_place(prover, expr->place, false) && prove_place(prover, expr->other, false);
    case EXPR_SLOT_TAKEN:
    case EXPR_COUNT:
        return prove_place(prover, expr->place, false) && prove_expr(prover, expr->left, POLARITY_NONE);
    default:
        return prover_fail(prover, expr->span, "this kind of expression is not analysed");
    }
}

bool prove_domain(struct prover *prover, const struct domain *domain)
{
    const struct expr *bounds[] = {domain->from, domain->to, domain->by};
    if (!domain->from)
        return !type_mentions(domain->type, prover->thread) ||
               prover_fail(prover, domain->type->span, "a union with %s", prover_name(prover));
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        if (bounds[i] && !prove_expr(prover, bounds[i], POLARITY_NONE))
            return false;
    return true;
}
