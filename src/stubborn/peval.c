#include "stubborn/peval.h"

#include <stdlib.h>

#include "base/memory.h"
#include "ir/arith.h"
#include "ir/instance.h"
#include "ir/iteration.h"

enum { PEVAL_PARAMETERS = 32 };

static const struct peval_value open_value = {PEVAL_OPEN, 0}, risky_value = {PEVAL_RISKY, 0};

static struct peval_value known_value(int64_t value)
{
    return (struct peval_value){PEVAL_KNOWN, value};
}

void peval_create(struct peval *peval, const struct system *system)
{
    size_t scratch = system->memory_cells - system->state_cells;
    *peval = (struct peval){.system = system};
    peval->is_bound = memory_zeroed(scratch + 1, sizeof *peval->is_bound);
    peval->bound = memory_zeroed(scratch + 1, sizeof *peval->bound);
}

void peval_destroy(struct peval *peval)
{
    free(peval->is_bound);
    free(peval->bound);
}

static void peval_bind(struct peval *peval, const struct variable *variable, int32_t value)
{
    uint32_t at = variable->address - peval->system->state_cells;
    peval->is_bound[at] = true;
    peval->bound[at] = value;
}

static void peval_release(struct peval *peval, const struct variable *variable)
{
    peval->is_bound[variable->address - peval->system->state_cells] = false;
}

void peval_bind_instance(struct peval *peval, const struct rule *rule, uint64_t instance)
{
    int32_t values[PEVAL_PARAMETERS];
    if (rule->parameter_count > PEVAL_PARAMETERS)
        return;
    instance_values(rule, instance, values);
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        peval_bind(peval, rule->parameters[p].variable, values[p]);
}

void peval_release_instance(struct peval *peval, const struct rule *rule)
{
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        peval_release(peval, rule->parameters[p].variable);
}

/* --- places --- */

static bool peval_element(struct peval *peval, const struct place *place, uint32_t *address)
{
    struct peval_value index = peval_evaluate(peval, place->index);
    if (index.kind != PEVAL_KNOWN || !peval_address(peval, place->base, address))
        return false;
    int64_t ordinal = type_ordinal(place->base->type->index, index.value);
    *address += (uint32_t)(ordinal < 0 ? 0 : ordinal) * place->type->cells;
    return ordinal >= 0;
}

bool peval_address(struct peval *peval, const struct place *place, uint32_t *address)
{
    switch (place->kind) {
    case PLACE_VARIABLE:
        *address = place->variable->address;
        return true;
    case PLACE_ELEMENT:
        return peval_element(peval, place, address);
    case PLACE_FIELD:
        if (!peval_address(peval, place->base, address))
            return false;
        *address += place->field->offset;
        return true;
    default:
        return false;
    }
}

static struct peval_value peval_cell(const struct peval *peval, uint32_t address)
{
    uint32_t cells = peval->system->state_cells;
    if (address >= cells)
        return peval->is_bound[address - cells] ? known_value(peval->bound[address - cells]) : risky_value;
    if (peval->is_known && !peval->is_known[address])
        return peval->is_definite && peval->is_definite[address] ? open_value : risky_value;
    return peval->cells[address] == UNDEFINED ? risky_value : known_value(peval->cells[address]);
}

static struct peval_value peval_is_undefined(struct peval *peval, const struct place *place)
{
    uint32_t address;
    if (place->type->cells != 1 || !type_is_scalar(place->type) || !peval_address(peval, place, &address) ||
        address >= peval->system->state_cells)
        return risky_value;
    if (peval->is_known && !peval->is_known[address])
        return open_value;
    return known_value(peval->cells[address] == UNDEFINED);
}

/* --- operators --- */

/* `absorbing`: the truth of the left side that decides alone. */
static struct peval_value peval_connect(struct peval *peval, const struct expr *expr, bool absorbing, bool decided)
{
    struct peval_value left = peval_evaluate(peval, expr->left);
    if (left.kind == PEVAL_RISKY)
        return risky_value;
    if (left.kind == PEVAL_KNOWN && (left.value != 0) == absorbing)
        return known_value(decided);
    struct peval_value right = peval_evaluate(peval, expr->right);
    if (left.kind == PEVAL_KNOWN || right.kind == PEVAL_RISKY)
        return right;
    return right.kind == PEVAL_KNOWN && (right.value != 0) == decided ? right : open_value;
}

static bool peval_is_comparison(enum operator op)
{
    return op == OP_EQ || op == OP_NE || op == OP_LT || op == OP_LE || op == OP_GT || op == OP_GE;
}

static struct peval_value peval_binary(struct peval *peval, const struct expr *expr)
{
    int64_t result;
    if (expr->op == OP_AND)
        return peval_connect(peval, expr, false, false);
    if (expr->op == OP_OR)
        return peval_connect(peval, expr, true, true);
    if (expr->op == OP_IMPLIES)
        return peval_connect(peval, expr, false, true);
    struct peval_value left = peval_evaluate(peval, expr->left), right = peval_evaluate(peval, expr->right);
    if (left.kind == PEVAL_RISKY || right.kind == PEVAL_RISKY)
        return risky_value;
    if (left.kind == PEVAL_KNOWN && right.kind == PEVAL_KNOWN)
        return arith_binary(expr->op, left.value, right.value, &result) == ARITH_OK ? known_value(result) : risky_value;
    if (peval_is_comparison(expr->op))
        return open_value;
    if (expr->op == OP_ADD || expr->op == OP_SUB) /* too few for 64 uint64_t */
        return expr->size < 1000 ? open_value : risky_value;
    bool is_divisor = right.kind == PEVAL_KNOWN && right.value > 0;
    return (expr->op == OP_DIV || expr->op == OP_MOD) && is_divisor ? open_value : risky_value;
}

static struct peval_value peval_unary(struct peval *peval, const struct expr *expr)
{
    struct peval_value operand = peval_evaluate(peval, expr->left);
    int64_t result;
    if (operand.kind != PEVAL_KNOWN)
        return operand;
    return arith_unary(expr->op, operand.value, &result) == ARITH_OK ? known_value(result) : risky_value;
}

static struct peval_value peval_condition(struct peval *peval, const struct expr *expr)
{
    struct peval_value condition = peval_evaluate(peval, expr->condition);
    if (condition.kind == PEVAL_RISKY)
        return risky_value;
    if (condition.kind == PEVAL_KNOWN)
        return peval_evaluate(peval, condition.value ? expr->left : expr->right);
    struct peval_value left = peval_evaluate(peval, expr->left), right = peval_evaluate(peval, expr->right);
    return left.kind == PEVAL_RISKY || right.kind == PEVAL_RISKY ? risky_value : open_value;
}

/* --- quantifiers --- */

static bool peval_begin_domain(struct peval *peval, const struct domain *domain, struct iteration *iteration)
{
    *iteration = iteration_of(domain);
    if (!domain->from)
        return true;
    struct peval_value from = peval_evaluate(peval, domain->from), to = peval_evaluate(peval, domain->to);
    struct peval_value by = domain->by ? peval_evaluate(peval, domain->by) : known_value(1);
    if (from.kind != PEVAL_KNOWN || to.kind != PEVAL_KNOWN || by.kind != PEVAL_KNOWN || !by.value)
        return false;
    iteration->next = from.value;
    iteration->to = to.value;
    iteration->by = by.value;
    return true;
}

/* Where the elements are interchangeable all are looked at; else the first that decides ends it (ir/expr.h). */
static struct peval_value peval_quantify(struct peval *peval, const struct expr *expr)
{
    bool decided = expr->op == OP_EXISTS, is_open = false, is_decided = false;
    bool looks_at_all = !expr->domain.from && type_has_index(expr->domain.type);
    struct iteration iteration;
    int64_t value;
    if (expr->variable->is_global || !peval_begin_domain(peval, &expr->domain, &iteration))
        return risky_value;
    while (iteration_next(&iteration, &value)) {
        if (!type_has(expr->variable->type, value))
            return risky_value;
        peval_bind(peval, expr->variable, (int32_t)value);
        struct peval_value truth = peval_evaluate(peval, expr->left);
        peval_release(peval, expr->variable);
        if (truth.kind == PEVAL_RISKY)
            return risky_value;
        is_open |= truth.kind == PEVAL_OPEN;
        is_decided |= truth.kind == PEVAL_KNOWN && (truth.value != 0) == decided;
        if (is_decided && !is_open && !looks_at_all)
            break;
    }
    return is_decided ? known_value(decided) : is_open ? open_value : known_value(!decided);
}

struct peval_value peval_evaluate(struct peval *peval, const struct expr *expr)
{
    uint32_t address;
    switch (expr->kind) {
    case EXPR_CONST:
        return expr->value == UNDEFINED ? risky_value : known_value(expr->value);
    case EXPR_READ:
        return peval_address(peval, expr->place, &address) ? peval_cell(peval, address) : risky_value;
    case EXPR_UNARY:
        return peval_unary(peval, expr);
    case EXPR_BINARY:
        return peval_binary(peval, expr);
    case EXPR_COND:
        return peval_condition(peval, expr);
    case EXPR_QUANTIFIER:
        return peval_quantify(peval, expr);
    case EXPR_IS_UNDEFINED:
        return peval_is_undefined(peval, expr->place);
    case EXPR_IS_MEMBER: {
        struct peval_value left = peval_evaluate(peval, expr->left);
        return left.kind == PEVAL_KNOWN ? known_value(type_has(expr->member, left.value)) : left;
    }
    default:
        return risky_value;
    }
}
