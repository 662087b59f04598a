#include "lang/prism/lower.h"

/* "x op value", with x on the left. `ranges`: by number of the variable. */
static void narrow(struct prism_span_of_values *ranges, const struct prism_variable *variable, enum prism_operator op,
                   int64_t value)
{
    struct prism_span_of_values *range = &ranges[variable->number];
    int64_t low = op == PRISM_OP_GE || op == PRISM_OP_EQ ? value : op == PRISM_OP_GT ? value + 1 : range->low;
    int64_t high = op == PRISM_OP_LE || op == PRISM_OP_EQ ? value : op == PRISM_OP_LT ? value - 1 : range->high;
    if (variable->type != PRISM_TYPE_INT || (low <= range->low && high >= range->high))
        return;
    range->low = low > range->low ? low : range->low;
    range->high = high < range->high ? high : range->high;
    range->is_narrowed = true;
}

static enum prism_operator turned(enum prism_operator op)
{
    return op == PRISM_OP_LT   ? PRISM_OP_GT
           : op == PRISM_OP_LE ? PRISM_OP_GE
           : op == PRISM_OP_GT ? PRISM_OP_LT
           : op == PRISM_OP_GE ? PRISM_OP_LE
                               : op;
}

static bool is_integer(const struct prism_expr *expr)
{
    return expr->kind == PRISM_EXPR_VALUE && expr->value->type == PRISM_TYPE_INT;
}

/* What has to hold, narrows; conditions of any other form are left to be tried. */
static void apply(struct prism_span_of_values *ranges, const struct prism_expr *condition)
{
    if (condition->kind != PRISM_EXPR_BINARY)
        return;
    if (condition->op == PRISM_OP_AND) {
        apply(ranges, condition->left);
        apply(ranges, condition->right);
        return;
    }
    const struct prism_expr *left = condition->left, *right = condition->right;
    if (left->kind == PRISM_EXPR_VARIABLE && is_integer(right))
        narrow(ranges, left->variable, condition->op, right->value->integer);
    if (right->kind == PRISM_EXPR_VARIABLE && is_integer(left))
        narrow(ranges, right->variable, turned(condition->op), left->value->integer);
}

static double product(const struct prism_span_of_values *ranges, uint32_t count)
{
    double states = 1;
    for (uint32_t i = 0; i < count; i++)
        states *= ranges[i].high < ranges[i].low ? 0 : (double)(ranges[i].high - ranges[i].low + 1);
    return states;
}

static void fill(const struct prism_network *network, struct prism_span_of_values *ranges)
{
    for (uint32_t i = 0; i < network->variable_count; i++)
        ranges[network->variables[i]->number] =
            (struct prism_span_of_values){network->variables[i]->low, network->variables[i]->high, false};
}

double prism_initial_ranges(const struct prism_network *network, double enough, struct prism_span_of_values *ranges)
{
    fill(network, ranges);
    double states = product(ranges, network->variable_count);
    apply(ranges, network->initial);
    double left = product(ranges, network->variable_count);
    if (left == 0 || states > enough)
        return left;
    fill(network, ranges);
    return states;
}
