/* Rewards and properties. What has no operator of the property language in it becomes a leaf: an IR condition or a
 * weight. */
#include <string.h>

#include "lang/prism/lower.h"
#include "base/printable.h"
#include "lang/prism/resolve.h"
#include "lang/prism/write.h"

static struct pctl *lower_formula(struct prism_lowering *lower, const struct prism_expr *expr);

static const struct proposition *lower_condition(struct prism_lowering *lower, const struct prism_expr *expr)
{
    struct expr *condition = prism_lower_expr(lower, expr);
    return condition ? proposition_create(lower->system, condition) : NULL;
}

static const struct weight *lower_number(struct prism_lowering *lower, const struct prism_expr *expr)
{
    struct prism_ratio ratio;
    return prism_lower_ratio(lower, expr, &ratio) ? prism_ratio_weight(lower, &ratio) : NULL;
}

void prism_lower_rewards(struct prism_lowering *lower)
{
    const struct prism_network *network = lower->network;
    struct chain *chain = lower->system->chain;
    struct arena *arena = lower->system->arena;
    chain->reward_count = network->reward_count;
    chain->rewards = ARENA_ARRAY(arena, struct reward_structure, network->reward_count);
    for (uint32_t i = 0; i < network->reward_count; i++) {
        const struct prism_reward_structure *written = &network->rewards[i];
        struct reward *items = ARENA_ARRAY(arena, struct reward, written->count);
        for (uint32_t k = 0; k < written->count; k++) {
            const struct prism_reward *item = &written->items[k];
            items[k] = (struct reward){item->is_transition, item->action ? arena_string(arena, item->action) : NULL,
                                       lower_condition(lower, item->guard), lower_number(lower, item->value)};
        }
        chain->rewards[i] = (struct reward_structure){written->name ? arena_string(arena, written->name) : NULL,
                                                      written->span, items, written->count};
    }
}

static struct pctl *new_formula(struct prism_lowering *lower, enum pctl_kind kind, const struct prism_expr *expr)
{
    struct pctl *formula = ARENA_NEW(lower->system->arena, struct pctl);
    formula->kind = kind;
    formula->span = expr->span;
    formula->is_number = expr->type != PRISM_TYPE_BOOL;
    return formula;
}

static struct pctl *lower_leaf(struct prism_lowering *lower, const struct prism_expr *expr)
{
    struct pctl *leaf = new_formula(lower, PCTL_TRUTH, expr);
    if (leaf->is_number) {
        leaf->kind = PCTL_NUMBER;
        leaf->number = lower_number(lower, expr);
    } else
        leaf->proposition = lower_condition(lower, expr);
    return leaf;
}

static void lower_window(struct prism_lowering *lower, const struct prism_window *written, struct pctl *formula)
{
    struct pctl_window *window = &formula->window;
    window->is_lower_strict = written->is_lower_strict;
    window->is_upper_strict = written->is_upper_strict;
    window->lower = written->lower ? lower_number(lower, written->lower) : NULL;
    window->upper = written->upper ? lower_number(lower, written->upper) : NULL;
}

static void lower_path(struct prism_lowering *lower, const struct prism_expr *path, struct pctl *formula)
{
    if (formula->kind != PCTL_TEMPORAL && !prism_is_single_path(path)) {
        formula->path = PCTL_LINEAR;
        formula->right = lower_formula(lower, path);
        return;
    }
    formula->path = (enum pctl_path)path->temporal;
    formula->left = path->left ? lower_formula(lower, path->left) : NULL;
    formula->right = lower_formula(lower, path->right);
    lower_window(lower, &path->window, formula);
}

static void lower_goal(struct prism_lowering *lower, const struct prism_expr *goal, struct pctl *formula)
{
    if (prism_is_linear_goal(goal)) {
        formula->goal = PCTL_COSAFE;
        formula->right = lower_formula(lower, goal);
        return;
    }
    switch (goal->kind) {
    case PRISM_EXPR_PATH:
        formula->goal = PCTL_REACH;
        formula->right = lower_formula(lower, goal->right);
        return;
    case PRISM_EXPR_CUMULATIVE:
        formula->goal = goal->right ? PCTL_CUMULATED : PCTL_TOTAL;
        break;
    case PRISM_EXPR_INSTANT:
        formula->goal = PCTL_INSTANT;
        break;
    default:
        formula->goal = PCTL_LONG_RUN;
    }
    formula->window.upper = goal->right ? lower_number(lower, goal->right) : NULL;
}

/* P, S and R. */
static struct pctl *lower_measure(struct prism_lowering *lower, const struct prism_expr *expr)
{
    static const enum operator relations[] = {
        [PRISM_OP_LT] = OP_LT, [PRISM_OP_LE] = OP_LE, [PRISM_OP_GT] = OP_GT, [PRISM_OP_GE] = OP_GE};
    struct pctl *formula = new_formula(lower, PCTL_PROBABILITY, expr);
    formula->is_query = expr->bound.is_query;
    formula->extreme = (enum pctl_extreme)expr->bound.extreme;
    if (!formula->is_query) {
        formula->op = relations[expr->bound.relation];
        formula->threshold = lower_number(lower, expr->bound.threshold);
    }
    if (expr->kind == PRISM_EXPR_PROBABILITY)
        lower_path(lower, expr->left, formula);
    else if (expr->kind == PRISM_EXPR_STEADY) {
        formula->kind = PCTL_STEADY;
        formula->left = lower_formula(lower, expr->left);
    } else {
        formula->kind = PCTL_REWARD;
        formula->reward = (uint32_t)expr->reward_number->value->integer - 1;
        lower_goal(lower, expr->left, formula);
    }
    return formula;
}

const char *prism_filter_name(enum pctl_filter filter)
{
    static const char *const names[] = {[PCTL_FILTER_MIN] = "min",
                                        [PCTL_FILTER_MAX] = "max",
                                        [PCTL_FILTER_ARGMIN] = "argmin",
                                        [PCTL_FILTER_ARGMAX] = "argmax",
                                        [PCTL_FILTER_AVERAGE] = "avg",
                                        [PCTL_FILTER_SUM] = "sum",
                                        [PCTL_FILTER_COUNT] = "count",
                                        [PCTL_FILTER_FORALL] = "forall",
                                        [PCTL_FILTER_EXISTS] = "exists",
                                        [PCTL_FILTER_FIRST] = "first",
                                        [PCTL_FILTER_RANGE] = "range",
                                        [PCTL_FILTER_PRINT] = "print",
                                        [PCTL_FILTER_PRINT_ALL] = "printall",
                                        [PCTL_FILTER_STATE] = "state"};
    return names[filter];
}

static enum pctl_filter filter_kind(const char *name)
{
    uint32_t kind = 0;
    while (strcmp(prism_filter_name((enum pctl_filter)kind), name))
        kind++;
    return (enum pctl_filter)kind;
}

static struct pctl *lower_function(struct prism_lowering *lower, const struct prism_expr *expr,
                                   enum pctl_function function, const struct prism_expr *left,
                                   const struct prism_expr *right)
{
    struct pctl *formula = new_formula(lower, PCTL_CALL, expr);
    formula->function = function;
    formula->is_whole = expr->type == PRISM_TYPE_INT;
    formula->left = lower_formula(lower, left);
    formula->right = right ? lower_formula(lower, right) : NULL;
    return formula;
}

/* min and max take any number of them, two at a time. */
static struct pctl *lower_call(struct prism_lowering *lower, const struct prism_expr *expr)
{
    static const enum pctl_function functions[] = {
        [PRISM_MIN] = PCTL_MIN,       [PRISM_MAX] = PCTL_MAX,      [PRISM_FLOOR] = PCTL_FLOOR,
        [PRISM_CEIL] = PCTL_CEIL,     [PRISM_ROUND] = PCTL_ROUND,  [PRISM_POW] = PCTL_POWER,
        [PRISM_MOD] = PCTL_REMAINDER, [PRISM_LOG] = PCTL_LOGARITHM};
    enum pctl_function function = functions[expr->function];
    struct prism_expr *const *operands = expr->arguments.items;
    uint32_t count = expr->arguments.count;
    if (count == 1 && (function == PCTL_MIN || function == PCTL_MAX))
        return lower_formula(lower, operands[0]);
    struct pctl *formula = lower_function(lower, expr, function, operands[0], count > 1 ? operands[1] : NULL);
    for (uint32_t i = 2; i < count; i++) {
        struct pctl *more = new_formula(lower, PCTL_CALL, expr);
        more->function = function;
        more->left = formula;
        more->right = lower_formula(lower, operands[i]);
        formula = more;
    }
    return formula;
}

static struct pctl *lower_binary(struct prism_lowering *lower, const struct prism_expr *expr)
{
    static const enum pctl_kind kinds[] = {
        [PRISM_OP_AND] = PCTL_AND,        [PRISM_OP_OR] = PCTL_OR,          [PRISM_OP_IMPLIES] = PCTL_IMPLIES,
        [PRISM_OP_IFF] = PCTL_COMPARE,    [PRISM_OP_EQ] = PCTL_COMPARE,     [PRISM_OP_NE] = PCTL_COMPARE,
        [PRISM_OP_LT] = PCTL_COMPARE,     [PRISM_OP_LE] = PCTL_COMPARE,     [PRISM_OP_GT] = PCTL_COMPARE,
        [PRISM_OP_GE] = PCTL_COMPARE,     [PRISM_OP_ADD] = PCTL_ARITHMETIC, [PRISM_OP_SUB] = PCTL_ARITHMETIC,
        [PRISM_OP_MUL] = PCTL_ARITHMETIC, [PRISM_OP_DIV] = PCTL_ARITHMETIC};
    static const enum operator operators[] = {
        [PRISM_OP_IFF] = OP_EQ,  [PRISM_OP_EQ] = OP_EQ,   [PRISM_OP_NE] = OP_NE,  [PRISM_OP_LT] = OP_LT,
        [PRISM_OP_LE] = OP_LE,   [PRISM_OP_GT] = OP_GT,   [PRISM_OP_GE] = OP_GE,  [PRISM_OP_ADD] = OP_ADD,
        [PRISM_OP_SUB] = OP_SUB, [PRISM_OP_MUL] = OP_MUL, [PRISM_OP_DIV] = OP_DIV};
    if (expr->op == PRISM_OP_POW)
        return lower_function(lower, expr, PCTL_POWER, expr->left, expr->right);
    struct pctl *formula = new_formula(lower, kinds[expr->op], expr);
    if (expr->op >= PRISM_OP_IFF)
        formula->op = operators[expr->op];
    formula->left = lower_formula(lower, expr->left);
    formula->right = lower_formula(lower, expr->right);
    return formula;
}

static struct pctl *lower_multi(struct prism_lowering *lower, const struct prism_expr *expr)
{
    struct pctl *all = NULL;
    for (uint32_t i = expr->arguments.count; i-- > 0;) {
        struct pctl *formula = new_formula(lower, PCTL_MULTI, expr);
        formula->left = lower_measure(lower, expr->arguments.items[i]);
        formula->right = all;
        all = formula;
    }
    return all;
}

static struct pctl *lower_other(struct prism_lowering *lower, const struct prism_expr *expr)
{
    struct pctl *formula;
    switch (expr->kind) {
    case PRISM_EXPR_LABEL:
        return new_formula(lower, strcmp(expr->name.text, "init") ? PCTL_DEADLOCK : PCTL_INITIAL, expr);
    case PRISM_EXPR_UNARY:
        formula = new_formula(lower, expr->op == PRISM_OP_NOT ? PCTL_NOT : PCTL_NEGATE, expr);
        formula->left = lower_formula(lower, expr->left);
        return formula;
    case PRISM_EXPR_COND:
        formula = new_formula(lower, PCTL_COND, expr);
        formula->condition_formula = lower_formula(lower, expr->condition);
        formula->left = lower_formula(lower, expr->left);
        formula->right = lower_formula(lower, expr->right);
        return formula;
    case PRISM_EXPR_EXISTS:
    case PRISM_EXPR_FORALL:
        formula = new_formula(lower, expr->kind == PRISM_EXPR_EXISTS ? PCTL_EXISTS : PCTL_FORALL, expr);
        lower_path(lower, expr->left, formula);
        return formula;
    case PRISM_EXPR_PATH:
        formula = new_formula(lower, PCTL_TEMPORAL, expr);
        lower_path(lower, expr, formula);
        return formula;
    case PRISM_EXPR_FILTER:
        formula = new_formula(lower, PCTL_FILTER, expr);
        formula->filter = filter_kind(expr->name.text);
        formula->left = lower_formula(lower, expr->left);
        formula->right = expr->right ? lower_formula(lower, expr->right) : NULL;
        return formula;
    case PRISM_EXPR_MULTI:
        return lower_multi(lower, expr);
    default:
        return lower_call(lower, expr);
    }
}

/* Is there a power with an exponent that varies, or a logarithm? */
static bool has_power(const struct prism_expr *expr)
{
    if (!expr)
        return false;
    bool is_call = expr->kind == PRISM_EXPR_CALL;
    const struct prism_expr *exponent = is_call && expr->function == PRISM_POW ? expr->arguments.items[1]
                                        : expr->kind == PRISM_EXPR_BINARY && expr->op == PRISM_OP_POW ? expr->right
                                                                                                      : NULL;
    bool has = (exponent && exponent->kind != PRISM_EXPR_VALUE) || (is_call && expr->function == PRISM_LOG);
    for (uint32_t i = 0; i < expr->arguments.count && !has; i++)
        has = has_power(expr->arguments.items[i]);
    return has || has_power(expr->condition) || has_power(expr->left) || has_power(expr->right);
}

/* Roots and logarithms of the state have no weight (lower_ratio.c), but may be numbers of a formula: then the operators
 * become those of formulas, which know more numbers. */
static bool is_leaf(struct prism_lowering *lower, const struct prism_expr *expr)
{
    if (!prism_is_plain(expr) || !has_power(expr))
        return prism_is_plain(expr);
    struct diagnostics *diagnostics = lower->reader->diagnostics, own = {0};
    struct prism_ratio ratio;
    lower->reader->diagnostics = &own;
    bool is_right =
        expr->type == PRISM_TYPE_BOOL ? prism_lower_expr(lower, expr) != NULL : prism_lower_ratio(lower, expr, &ratio);
    lower->reader->diagnostics = diagnostics;
    diag_free(&own);
    return is_right;
}

static struct pctl *lower_formula(struct prism_lowering *lower, const struct prism_expr *expr)
{
    if (is_leaf(lower, expr))
        return lower_leaf(lower, expr);
    switch (expr->kind) {
    case PRISM_EXPR_PROBABILITY:
    case PRISM_EXPR_STEADY:
    case PRISM_EXPR_REWARD:
        return lower_measure(lower, expr);
    case PRISM_EXPR_BINARY:
        return lower_binary(lower, expr);
    default:
        return lower_other(lower, expr);
    }
}

/* A property without a name is called by its text. */
static const char *name_property(struct prism_lowering *lower, const struct prism_property *property)
{
    if (property->name.text)
        return arena_string(lower->system->arena, property->name.text);
    size_t length;
    const char *line = source_line(property->span, &length);
    size_t from = property->span.column - 1, count = property->span.length;
    if (from > length)
        from = length;
    struct arena *arena = lower->system->arena;
    return arena_printable(arena, arena_string_n(arena, line + from, count < length - from ? count : length - from));
}

/* What is refused only here. */
static const struct pctl *lower_leniently(struct prism_lowering *lower, struct prism_property *written)
{
    struct diagnostics *diagnostics = lower->reader->diagnostics, own = {0};
    lower->reader->diagnostics = &own;
    const struct pctl *formula = lower_formula(lower, written->formula);
    lower->reader->diagnostics = diagnostics;
    if (own.errors) {
        prism_refuse_property(lower->reader, written, &own);
        formula = lower_formula(lower, written->formula);
    }
    diag_free(&own);
    return formula;
}

void prism_lower_properties(struct prism_lowering *lower)
{
    for (uint32_t i = 0; i < lower->network->property_count; i++) {
        struct prism_property *written = &lower->network->properties[i];
        struct property *property =
            system_add_property(lower->system, PROPERTY_PCTL, name_property(lower, written), NULL, written->span);
        property->pctl = lower->reader->reading.manner.is_lenient ? lower_leniently(lower, written)
                                                                  : lower_formula(lower, written->formula);
        property->is_unnamed = !written->name.text;
        property->expected = written->result ? arena_string(lower->system->arena, written->result) : NULL;
        property->refusal = written->refusal ? arena_string(lower->system->arena, written->refusal) : NULL;
    }
}

/* Those that cannot be lowered are left out: no property uses them. */
void prism_lower_labels(struct prism_lowering *lower)
{
    const struct prism_network *network = lower->network;
    struct chain *chain = lower->system->chain;
    struct diagnostics *diagnostics = lower->reader->diagnostics, own = {0};
    chain->labels = ARENA_ARRAY(lower->system->arena, struct label, network->label_count);
    lower->reader->diagnostics = &own;
    for (uint32_t i = 0; i < network->label_count; i++) {
        const struct prism_name *name = &network->labels[i].name;
        struct expr *formula = prism_lower_expr(lower, network->labels[i].formula);
        if (formula)
            chain->labels[chain->label_count++] =
                (struct label){arena_string(lower->system->arena, name->text), name->span, formula};
    }
    lower->reader->diagnostics = diagnostics;
    diag_free(&own);
}
