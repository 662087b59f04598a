/* Labels and properties: what only they have is resolved here, and that a property is one Noether can check: path
 * formulas stand under P, E, A and R. */
#include <string.h>

#include "lang/prism/resolve.h"
#include "lang/prism/symbols.h"

static const struct prism_formula *find_label(const struct prism_reader *reader, const char *name)
{
    for (uint32_t i = 0; i < reader->model->label_count; i++)
        if (!strcmp(reader->model->labels[i].name.text, name))
            return &reader->model->labels[i];
    for (uint32_t i = 0; reader->properties && i < reader->properties->label_count; i++)
        if (!strcmp(reader->properties->labels[i].name.text, name))
            return &reader->properties->labels[i];
    return NULL;
}

static const struct prism_property *find_property(const struct prism_reader *reader, const char *name)
{
    for (uint32_t i = 0; reader->properties && i < reader->properties->count; i++) {
        const struct prism_property *property = &reader->properties->items[i];
        if (property->name.text && !strcmp(property->name.text, name))
            return property;
    }
    return NULL;
}

typedef VEC(const char *) names_t;

static void hint_closest(struct prism_reader *reader, const char *name, names_t *names, const char *otherwise)
{
    const char *closest = diag_closest(name, names->items, names->count);
    if (closest)
        diag_hint(reader->diagnostics, "did you mean \"%s\"?", closest);
    else if (otherwise)
        diag_hint(reader->diagnostics, "%s", otherwise);
    VEC_FREE(names);
}

static void report_label(struct prism_reader *reader, const struct prism_expr *expr)
{
    names_t names = {0};
    if (!prism_error(reader, expr->span, "there is no label \"%s\"", expr->name.text))
        return;
    for (uint32_t i = 0; i < reader->model->label_count; i++)
        VEC_PUSH(&names, reader->model->labels[i].name.text);
    for (uint32_t i = 0; reader->properties && i < reader->properties->label_count; i++)
        VEC_PUSH(&names, reader->properties->labels[i].name.text);
    for (uint32_t i = 0; reader->properties && i < reader->properties->count; i++)
        if (reader->properties->items[i].name.text)
            VEC_PUSH(&names, reader->properties->items[i].name.text);
    VEC_PUSH(&names, "init");
    VEC_PUSH(&names, "deadlock");
    hint_closest(reader, expr->name.text, &names,
                 arena_format(reader->arena, "declare it: label \"%s\" = ...;", expr->name.text));
}

/* "init" and "deadlock" are built in; a quoted name may also stand for another property. */
static struct prism_expr *resolve_label(struct prism_reader *reader, struct prism_expr *expr)
{
    const struct prism_formula *label = find_label(reader, expr->name.text);
    if (label)
        return prism_resolve(reader, label->definition, NULL);
    expr->type = PRISM_TYPE_BOOL;
    if (!strcmp(expr->name.text, "init") || !strcmp(expr->name.text, "deadlock"))
        return expr;
    const struct prism_property *property = find_property(reader, expr->name.text);
    if (property)
        return prism_resolve(reader, property->formula, NULL);
    report_label(reader, expr);
    return prism_broken(expr);
}

static void report_reward(struct prism_reader *reader, const struct prism_expr *expr)
{
    const struct prism_network *network = &reader->network;
    names_t names = {0};
    struct text list = {0};
    struct span span = expr->reward_name.text ? expr->reward_name.span : expr->span;
    if (!prism_error(reader, span,
                     network->reward_count ? "there is no such reward structure" : "the model has no rewards"))
        return;
    for (uint32_t i = 0; i < network->reward_count; i++)
        if (network->rewards[i].name) {
            VEC_PUSH(&names, network->rewards[i].name);
            text_format(&list, "%s\"%s\"", list.length ? ", " : "the model has ", network->rewards[i].name);
        }
    hint_closest(reader, expr->reward_name.text ? expr->reward_name.text : "", &names,
                 list.length ? arena_string(reader->arena, list.chars) : NULL);
    text_free(&list);
}

/* By name, by number from 1, or the first. Afterwards reward_number holds the number. */
static bool resolve_reward(struct prism_reader *reader, struct prism_expr *expr)
{
    const struct prism_network *network = &reader->network;
    int64_t number = 1;
    if (expr->reward_name.text) {
        for (number = 0; number < network->reward_count; number++) {
            const char *name = network->rewards[number].name;
            if (name && !strcmp(name, expr->reward_name.text))
                break;
        }
        number++;
    } else if (expr->reward_number) {
        const struct prism_value *value = prism_resolve_constant(reader, expr->reward_number, NULL, PRISM_TYPE_INT,
                                                                 "the number of a reward structure");
        if (!value)
            return false;
        number = value->integer;
    }
    if (number < 1 || number > network->reward_count) {
        report_reward(reader, expr);
        return false;
    }
    expr->reward_number = arena_copy(reader->arena, expr, sizeof *expr);
    *expr->reward_number = (struct prism_expr){.kind = PRISM_EXPR_VALUE,
                                               .type = PRISM_TYPE_INT,
                                               .height = 1,
                                               .span = expr->span,
                                               .value = prism_value_int(&reader->values, number)};
    return true;
}

static bool check_chance(struct prism_reader *reader, const struct prism_expr *threshold)
{
    if (threshold->kind != PRISM_EXPR_VALUE)
        return false;
    const struct rational *chance = prism_value_widen(&reader->values, threshold->value)->real;
    struct rational *one = prism_values_new(&reader->values);
    rational_set(one, 1);
    if (rational_sign(chance) >= 0 && rational_compare(chance, one) <= 0)
        return true;
    prism_error(reader, threshold->span, "a probability is never below 0 nor above 1");
    return false;
}

static bool resolve_threshold(struct prism_reader *reader, struct prism_expr *expr)
{
    struct prism_bound *bound = &expr->bound;
    if (!bound->is_query) {
        bound->threshold = prism_resolve_as(reader, bound->threshold, NULL, PRISM_TYPE_REAL, "the threshold");
        if (bound->threshold && bound->threshold->kind != PRISM_EXPR_VALUE)
            prism_error(reader, bound->threshold->span, "the threshold must be constant");
        return bound->threshold && (expr->kind == PRISM_EXPR_REWARD || check_chance(reader, bound->threshold));
    }
    if (reader->network.type != PRISM_MDP || bound->extreme != PRISM_NO_EXTREME)
        return true;
    const char *letter = expr->kind == PRISM_EXPR_REWARD ? "R" : expr->kind == PRISM_EXPR_STEADY ? "S" : "P";
    if (prism_error(reader, expr->span, "%s=? in an mdp: over which schedulers?", letter))
        diag_hint(reader->diagnostics, "write %smin=? or %smax=?", letter, letter);
    return false;
}

static struct prism_expr *resolve_measure(struct prism_reader *reader, struct prism_expr *expr)
{
    bool is_right = resolve_threshold(reader, expr);
    if (expr->kind == PRISM_EXPR_REWARD)
        is_right &= resolve_reward(reader, expr);
    expr->left = prism_resolve(reader, expr->left, NULL);
    expr->type = expr->bound.is_query ? PRISM_TYPE_REAL : PRISM_TYPE_BOOL;
    return is_right && expr->left->type != PRISM_TYPE_NONE ? expr : prism_broken(expr);
}

/* Steps of a dtmc or an mdp are counted, the time of a ctmc is measured. */
static bool resolve_time(struct prism_reader *reader, struct prism_expr **time)
{
    if (!*time)
        return true;
    enum prism_type type = reader->network.type == PRISM_CTMC ? PRISM_TYPE_REAL : PRISM_TYPE_INT;
    struct prism_expr *resolved = prism_resolve_as(reader, *time, NULL, type, "a bound");
    if (!resolved)
        return false;
    if (resolved->kind != PRISM_EXPR_VALUE) {
        prism_error(reader, (*time)->span, "a bound must be constant");
        return false;
    }
    *time = resolved;
    bool is_negative =
        resolved->type == PRISM_TYPE_INT ? resolved->value->integer < 0 : rational_sign(resolved->value->real) < 0;
    if (is_negative)
        prism_error(reader, resolved->span, "a bound cannot be negative");
    return !is_negative;
}

static bool resolve_state(struct prism_reader *reader, struct prism_expr **expr)
{
    if (*expr)
        *expr = prism_resolve_as(reader, *expr, NULL, PRISM_TYPE_BOOL, "a state formula");
    return *expr;
}

/* Is there a step, or a time, between the bounds? */
static bool check_window(struct prism_reader *reader, const struct prism_window *window)
{
    if (!window->upper)
        return true;
    struct rational *least = prism_values_new(&reader->values);
    if (window->lower)
        rational_copy(least, prism_value_widen(&reader->values, window->lower->value)->real);
    int order = rational_compare(prism_value_widen(&reader->values, window->upper->value)->real, least);
    if (order > 0 || (order == 0 && !window->is_upper_strict && !window->is_lower_strict))
        return true;
    prism_error(reader, window->upper->span, "nothing lies between these bounds");
    return false;
}

static struct prism_expr *resolve_path(struct prism_reader *reader, struct prism_expr *expr)
{
    bool is_unary = expr->temporal <= PRISM_ALWAYS;
    bool is_right = is_unary || resolve_state(reader, &expr->left);
    is_right &= resolve_state(reader, &expr->right);
    is_right &= resolve_time(reader, &expr->window.lower) && resolve_time(reader, &expr->window.upper) &&
                check_window(reader, &expr->window);
    expr->type = PRISM_TYPE_BOOL;
    return is_right ? expr : prism_broken(expr);
}

static struct prism_expr *resolve_reward_goal(struct prism_reader *reader, struct prism_expr *expr)
{
    expr->type = PRISM_TYPE_REAL;
    return resolve_time(reader, &expr->right) ? expr : prism_broken(expr);
}

static bool is_one_of(const char *word, const char *words)
{
    size_t length = strlen(word);
    for (const char *at = strstr(words, word); at; at = strstr(at + 1, word))
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

static struct prism_expr *resolve_filter(struct prism_reader *reader, struct prism_expr *expr)
{
    static const char *const kinds[] = {"min",    "max",    "argmin", "argmax", "avg",   "sum",      "count",
                                        "forall", "exists", "first",  "range",  "print", "printall", "state"};
    size_t count = sizeof kinds / sizeof *kinds, found = 0;
    while (found < count && strcmp(kinds[found], expr->name.text))
        found++;
    if (found == count) {
        const char *closest = diag_closest(expr->name.text, kinds, count);
        if (prism_error(reader, expr->name.span, "unknown filter \"%s\"", expr->name.text) && closest)
            diag_hint(reader->diagnostics, "did you mean \"%s\"?", closest);
        return prism_broken(expr);
    }
    expr->left = prism_resolve(reader, expr->left, NULL);
    bool is_right = expr->left->type != PRISM_TYPE_NONE && (!expr->right || resolve_state(reader, &expr->right));
    bool wants_bool = is_one_of(expr->name.text, "forall exists count");
    bool wants_number = is_one_of(expr->name.text, "min max argmin argmax avg sum range");
    bool is_bool = expr->left->type == PRISM_TYPE_BOOL;
    if (is_right && (wants_bool || wants_number) && wants_bool != is_bool) {
        prism_error(reader, expr->left->span, "the filter \"%s\" is about %s, this is %s", expr->name.text,
                    wants_bool ? "a bool" : "a number", is_bool ? "a bool" : "a number");
        is_right = false;
    }
    expr->type = is_one_of(expr->name.text, "count")           ? PRISM_TYPE_INT
                 : is_one_of(expr->name.text, "argmin argmax") ? PRISM_TYPE_BOOL
                                                               : expr->left->type;
    return is_right ? expr : prism_broken(expr);
}

struct prism_expr *prism_resolve_property(struct prism_reader *reader, struct prism_expr *expr)
{
    switch (expr->kind) {
    case PRISM_EXPR_LABEL:
        return resolve_label(reader, expr);
    case PRISM_EXPR_PROBABILITY:
    case PRISM_EXPR_STEADY:
    case PRISM_EXPR_REWARD:
        return resolve_measure(reader, expr);
    case PRISM_EXPR_EXISTS:
    case PRISM_EXPR_FORALL:
        expr->left = prism_resolve(reader, expr->left, NULL);
        expr->type = PRISM_TYPE_BOOL;
        return expr->left->type == PRISM_TYPE_NONE ? prism_broken(expr) : expr;
    case PRISM_EXPR_PATH:
        return resolve_path(reader, expr);
    case PRISM_EXPR_CUMULATIVE:
    case PRISM_EXPR_INSTANT:
    case PRISM_EXPR_LONG_RUN:
        return resolve_reward_goal(reader, expr);
    default:
        return resolve_filter(reader, expr);
    }
}

bool prism_is_plain(const struct prism_expr *expr)
{
    if (!expr)
        return true;
    if (expr->kind >= PRISM_EXPR_PROBABILITY || expr->kind == PRISM_EXPR_LABEL)
        return false;
    for (uint32_t i = 0; i < expr->arguments.count; i++)
        if (!prism_is_plain(expr->arguments.items[i]))
            return false;
    return prism_is_plain(expr->condition) && prism_is_plain(expr->left) && prism_is_plain(expr->right);
}

/* --- path formulas --- */

/* Does a temporal operator stand in it, other than inside P, S, R, E, A or a filter? */
static bool is_temporal(const struct prism_expr *expr)
{
    if (!expr || expr->kind == PRISM_EXPR_PATH)
        return expr;
    if (expr->kind >= PRISM_EXPR_PROBABILITY)
        return false;
    bool is_it = is_temporal(expr->condition) || is_temporal(expr->left) || is_temporal(expr->right);
    for (uint32_t i = 0; i < expr->arguments.count && !is_it; i++)
        is_it = is_temporal(expr->arguments.items[i]);
    return is_it;
}

bool prism_is_single_path(const struct prism_expr *expr)
{
    return expr->kind == PRISM_EXPR_PATH && !is_temporal(expr->left) && !is_temporal(expr->right);
}

bool prism_is_linear_goal(const struct prism_expr *expr)
{
    bool is_reach = prism_is_single_path(expr) && expr->temporal == PRISM_EVENTUALLY;
    bool is_other = expr->kind == PRISM_EXPR_CUMULATIVE || expr->kind == PRISM_EXPR_INSTANT;
    return !is_other && expr->kind != PRISM_EXPR_LONG_RUN && (!is_reach || expr->window.lower || expr->window.upper);
}

static bool check_state(struct prism_reader *reader, const struct prism_expr *expr);

static bool refuse_path(struct prism_reader *reader, const struct prism_expr *expr)
{
    prism_error(reader, expr->span, "a path formula can stand only under P, E or A, and under R");
    return false;
}

/* Of LTL: temporal and propositional operators, and state formulas. */
static bool check_linear(struct prism_reader *reader, const struct prism_expr *expr)
{
    if (!is_temporal(expr))
        return check_state(reader, expr);
    bool is_connective = expr->kind == PRISM_EXPR_PATH || expr->kind == PRISM_EXPR_COND ||
                         (expr->kind == PRISM_EXPR_UNARY && expr->op == PRISM_OP_NOT) ||
                         (expr->kind == PRISM_EXPR_BINARY && expr->op <= PRISM_OP_NE);
    if (!is_connective)
        return refuse_path(reader, expr);
    return (!expr->condition || check_linear(reader, expr->condition)) &&
           (!expr->left || check_linear(reader, expr->left)) &&
           check_linear(reader, expr->right ? expr->right : expr->left);
}

static bool check_path(struct prism_reader *reader, const struct prism_expr *expr)
{
    if (expr->type == PRISM_TYPE_BOOL)
        return check_linear(reader, expr);
    prism_error(reader, expr->span, "expected a path formula (X, F, G, U, W or R) here");
    return false;
}

/* Does a finite part of a run that has it always show that? Then F and U are not negated, and G, W and R are. */
static bool is_cosafe(const struct prism_expr *expr, bool is_not)
{
    if (!is_temporal(expr))
        return true;
    bool is_both = expr->kind == PRISM_EXPR_BINARY && expr->op >= PRISM_OP_IFF; /* negated and not */
    if (expr->kind == PRISM_EXPR_COND)
        return is_cosafe(expr->condition, false) && is_cosafe(expr->condition, true) && is_cosafe(expr->left, is_not) &&
               is_cosafe(expr->right, is_not);
    if (is_both)
        return is_cosafe(expr->left, false) && is_cosafe(expr->left, true) && is_cosafe(expr->right, false) &&
               is_cosafe(expr->right, true);
    if (expr->kind == PRISM_EXPR_UNARY)
        return is_cosafe(expr->left, !is_not);
    bool is_bounded = expr->window.upper != NULL,
         is_safe = expr->temporal == PRISM_ALWAYS || expr->temporal >= PRISM_WEAK_UNTIL;
    if (expr->kind == PRISM_EXPR_PATH && expr->temporal != PRISM_NEXT && !is_bounded && is_safe != is_not)
        return false;
    bool is_left_not = is_not != (expr->kind == PRISM_EXPR_BINARY && expr->op == PRISM_OP_IMPLIES);
    bool is_weak = expr->kind == PRISM_EXPR_PATH && expr->temporal == PRISM_WEAK_UNTIL;
    return (!expr->left || is_cosafe(expr->left, is_left_not)) && (!is_weak || is_cosafe(expr->left, !is_left_not)) &&
           is_cosafe(expr->right, is_not);
}

/* Of a reward: C, C<=t, I=t, S, F states, or LTL. */
static bool check_goal(struct prism_reader *reader, const struct prism_expr *expr)
{
    if (expr->kind == PRISM_EXPR_CUMULATIVE || expr->kind == PRISM_EXPR_INSTANT || expr->kind == PRISM_EXPR_LONG_RUN)
        return true;
    if (expr->type == PRISM_TYPE_BOOL && is_cosafe(expr, false))
        return check_linear(reader, expr);
    if (prism_error(reader, expr->span, "this reward is not supported"))
        diag_hint(reader->diagnostics, expr->type == PRISM_TYPE_BOOL
                                           ? "R takes co-safe LTL: F, U and X, and G, W and R where they are negated"
                                           : "R knows C, C<=t, I=t, S, F states and co-safe LTL");
    return false;
}

/* The whole property, or it is none. */
static bool check_multi(struct prism_reader *reader, const struct prism_expr *expr)
{
    bool is_right = true;
    for (uint32_t i = 0; i < expr->arguments.count && is_right; i++)
        is_right = check_state(reader, expr->arguments.items[i]);
    return is_right;
}

static bool check_state(struct prism_reader *reader, const struct prism_expr *expr)
{
    switch (expr->kind) {
    case PRISM_EXPR_MULTI:
        prism_error(reader, expr->span, "multi(...) is a property of its own, not a part of another one");
        return false;
    case PRISM_EXPR_PROBABILITY:
    case PRISM_EXPR_EXISTS:
    case PRISM_EXPR_FORALL:
        return check_path(reader, expr->left);
    case PRISM_EXPR_REWARD:
        return check_goal(reader, expr->left);
    case PRISM_EXPR_PATH:
        return refuse_path(reader, expr);
    default:
        break;
    }
    bool is_right = (!expr->condition || check_state(reader, expr->condition)) &&
                    (!expr->left || check_state(reader, expr->left)) &&
                    (!expr->right || check_state(reader, expr->right));
    for (uint32_t i = 0; i < expr->arguments.count && is_right; i++)
        is_right = check_state(reader, expr->arguments.items[i]);
    return is_right;
}

static void elaborate_labels(struct prism_reader *reader)
{
    uint32_t own = reader->model->label_count, count = own + (reader->properties ? reader->properties->label_count : 0);
    struct prism_label *labels = ARENA_ARRAY(reader->arena, struct prism_label, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct prism_formula *written =
            i < own ? &reader->model->labels[i] : &reader->properties->labels[i - own];
        if (find_label(reader, written->name.text) != written)
            prism_error(reader, written->name.span, "the label \"%s\" is declared twice", written->name.text);
        labels[i].name = written->name;
        labels[i].formula = prism_resolve_as(reader, written->definition, NULL, PRISM_TYPE_BOOL, "a label");
    }
    reader->network.labels = labels;
    reader->network.label_count = count;
}

static void elaborate_property(struct prism_reader *reader, struct prism_property *property)
{
    property->formula = prism_resolve(reader, property->formula, NULL);
    if (property->formula->type != PRISM_TYPE_NONE)
        (property->formula->kind == PRISM_EXPR_MULTI ? check_multi : check_state)(reader, property->formula);
}

void prism_refuse_property(struct prism_reader *reader, struct prism_property *property,
                           const struct diagnostics *refusal)
{
    struct prism_expr *nothing = ARENA_NEW(reader->arena, struct prism_expr);
    *nothing = (struct prism_expr){.kind = PRISM_EXPR_VALUE,
                                   .type = PRISM_TYPE_BOOL,
                                   .height = 1,
                                   .span = property->span,
                                   .value = prism_value_bool(&reader->values, true)};
    property->formula = nothing;
    property->refusal = arena_string(reader->arena, refusal->items[0].message);
}

static void elaborate_leniently(struct prism_reader *reader, struct prism_property *property)
{
    struct diagnostics *diagnostics = reader->diagnostics, own = {0};
    reader->diagnostics = &own;
    elaborate_property(reader, property);
    reader->diagnostics = diagnostics;
    if (own.errors)
        prism_refuse_property(reader, property, &own);
    diag_free(&own);
}

void prism_elaborate_properties(struct prism_reader *reader)
{
    elaborate_labels(reader);
    if (!reader->properties)
        return;
    struct prism_network *network = &reader->network;
    network->property_count = reader->properties->count;
    network->properties = ARENA_ARRAY(reader->arena, struct prism_property, network->property_count);
    for (uint32_t i = 0; i < network->property_count; i++) {
        struct prism_property *property = &network->properties[i];
        *property = reader->properties->items[i];
        if (property->name.text && find_property(reader, property->name.text) != &reader->properties->items[i])
            prism_error(reader, property->name.span, "there are two properties \"%s\"", property->name.text);
        if (reader->reading.manner.is_lenient)
            elaborate_leniently(reader, property);
        else
            elaborate_property(reader, property);
        property->result = property->result ? prism_expected(reader, property->result) : NULL;
    }
}
