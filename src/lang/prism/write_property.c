/* Properties as PRISM text. */
#include "lang/prism/write.h"

static void write_formula(struct prism_writer *writer, const struct pctl *formula);

static void write_truth(struct prism_writer *writer, const struct expr *condition)
{
    bool is_atom = condition->kind == EXPR_CONST;
    text_append(writer->out, is_atom ? "" : "(");
    prism_write_expr(writer, condition, BIND_COND);
    text_append(writer->out, is_atom ? "" : ")");
}

static void write_number(struct prism_writer *writer, const struct weight *number)
{
    bool is_atom = !number->top && !number->bottom;
    text_append(writer->out, is_atom ? "" : "(");
    prism_write_weight(writer, number, BIND_COND);
    text_append(writer->out, is_atom ? "" : ")");
}

static void write_window(struct prism_writer *writer, const struct pctl_window *window)
{
    struct text *out = writer->out;
    if (window->lower && window->upper) {
        text_char(out, '[');
        prism_write_weight(writer, window->lower, BIND_COND);
        text_char(out, ',');
        prism_write_weight(writer, window->upper, BIND_COND);
        text_char(out, ']');
        if (window->is_lower_strict || window->is_upper_strict)
            writer->why = "a window without its ends";
    } else if (window->upper) {
        text_append(out, window->is_upper_strict ? "<" : "<=");
        prism_write_weight(writer, window->upper, BIND_COND);
    } else if (window->lower) {
        text_append(out, window->is_lower_strict ? ">" : ">=");
        prism_write_weight(writer, window->lower, BIND_COND);
    }
}

static void write_path(struct prism_writer *writer, const struct pctl *formula)
{
    if (formula->path == PCTL_LINEAR) {
        write_formula(writer, formula->right);
        return;
    }
    static const char *const signs[] = {[PCTL_NEXT] = "X",  [PCTL_EVENTUALLY] = "F", [PCTL_ALWAYS] = "G",
                                        [PCTL_UNTIL] = "U", [PCTL_WEAK_UNTIL] = "W", [PCTL_RELEASE] = "R"};
    if (formula->left) {
        write_formula(writer, formula->left);
        text_char(writer->out, ' ');
    }
    text_append(writer->out, signs[formula->path]);
    write_window(writer, &formula->window);
    text_char(writer->out, ' ');
    write_formula(writer, formula->right);
}

/* PRISM knows bounds for all schedulers only: Pmax>=1 is !P<1 there, and Pmin>=1 P>=1. */
static bool is_turned(const struct pctl *formula)
{
    bool is_from_below = formula->op == OP_GE || formula->op == OP_GT;
    return !formula->is_query && formula->extreme == (is_from_below ? PCTL_GREATEST : PCTL_LEAST);
}

static void write_bound(struct prism_writer *writer, const struct pctl *formula)
{
    static const char *const signs[][2] = {
        [OP_LT] = {"<", ">="}, [OP_LE] = {"<=", ">"}, [OP_GT] = {">", "<="}, [OP_GE] = {">=", "<"}};
    static const char *const extremes[] = {[PCTL_ANY] = "", [PCTL_LEAST] = "min", [PCTL_GREATEST] = "max"};
    if (formula->is_query) {
        text_format(writer->out, "%s=?", extremes[formula->extreme]);
        return;
    }
    text_append(writer->out, signs[formula->op][is_turned(formula)]);
    prism_write_weight(writer, formula->threshold, BIND_COND);
}

static void write_goal(struct prism_writer *writer, const struct pctl *formula)
{
    static const char *const signs[] = {[PCTL_COSAFE] = "",       [PCTL_REACH] = "F ",   [PCTL_TOTAL] = "C",
                                        [PCTL_CUMULATED] = "C<=", [PCTL_INSTANT] = "I=", [PCTL_LONG_RUN] = "S"};
    text_append(writer->out, signs[formula->goal]);
    if (formula->goal == PCTL_REACH || formula->goal == PCTL_COSAFE)
        write_formula(writer, formula->right);
    else if (formula->window.upper)
        prism_write_weight(writer, formula->window.upper, BIND_COND);
}

static void write_reward_name(struct prism_writer *writer, uint32_t number)
{
    const char *name = writer->reward_names[number];
    if (name)
        text_format(writer->out, "{\"%s\"}", name);
    else
        text_format(writer->out, "{%u}", number + 1);
}

static void write_measure(struct prism_writer *writer, const struct pctl *formula)
{
    bool is_not = is_turned(formula);
    text_append(writer->out, is_not ? "(!" : "");
    text_char(writer->out, formula->kind == PCTL_PROBABILITY ? 'P' : formula->kind == PCTL_STEADY ? 'S' : 'R');
    if (formula->kind == PCTL_REWARD)
        write_reward_name(writer, formula->reward);
    write_bound(writer, formula);
    text_append(writer->out, " [ ");
    if (formula->kind == PCTL_PROBABILITY)
        write_path(writer, formula);
    else if (formula->kind == PCTL_STEADY)
        write_formula(writer, formula->left);
    else
        write_goal(writer, formula);
    text_append(writer->out, is_not ? " ])" : " ]");
}

static void write_filter(struct prism_writer *writer, const struct pctl *formula)
{
    text_format(writer->out, "filter(%s, ", prism_filter_name(formula->filter));
    write_formula(writer, formula->left);
    if (formula->right) {
        text_append(writer->out, ", ");
        write_formula(writer, formula->right);
    }
    text_char(writer->out, ')');
}

static const char *sign_of(const struct pctl *formula)
{
    static const char *const signs[] = {[OP_EQ] = "=",  [OP_NE] = "!=", [OP_LT] = "<",  [OP_LE] = "<=", [OP_GT] = ">",
                                        [OP_GE] = ">=", [OP_ADD] = "+", [OP_SUB] = "-", [OP_MUL] = "*", [OP_DIV] = "/"};
    if (formula->kind == PCTL_COMPARE && formula->op == OP_EQ && !formula->left->is_number)
        return " <=> ";
    return formula->kind == PCTL_AND       ? " & "
           : formula->kind == PCTL_OR      ? " | "
           : formula->kind == PCTL_IMPLIES ? " => "
                                           : signs[formula->op];
}

static void write_list(struct prism_writer *writer, const struct pctl *const *parts, const char *const *signs,
                       uint32_t count)
{
    text_char(writer->out, '(');
    for (uint32_t i = 0; i < count; i++) {
        text_append(writer->out, i ? signs[i - 1] : "");
        write_formula(writer, parts[i]);
    }
    text_char(writer->out, ')');
}

static void write_call(struct prism_writer *writer, const struct pctl *formula)
{
    static const char *const names[] = {
        [PCTL_MIN] = "min",     [PCTL_MAX] = "max",   [PCTL_FLOOR] = "floor",   [PCTL_CEIL] = "ceil",
        [PCTL_ROUND] = "round", [PCTL_POWER] = "pow", [PCTL_REMAINDER] = "mod", [PCTL_LOGARITHM] = "log"};
    text_append(writer->out, names[formula->function]);
    write_list(writer, (const struct pctl *[]){formula->left, formula->right}, (const char *[]){", "},
               formula->right ? 2 : 1);
}

static void write_operator(struct prism_writer *writer, const struct pctl *formula)
{
    if (formula->kind == PCTL_COND)
        write_list(writer, (const struct pctl *[]){formula->condition_formula, formula->left, formula->right},
                   (const char *[]){" ? ", " : "}, 3);
    else if (formula->kind == PCTL_NOT || formula->kind == PCTL_NEGATE) {
        text_char(writer->out, formula->kind == PCTL_NOT ? '!' : '-');
        write_list(writer, (const struct pctl *[]){formula->left}, NULL, 1);
    } else
        write_list(writer, (const struct pctl *[]){formula->left, formula->right}, (const char *[]){sign_of(formula)},
                   2);
}

static void write_formula(struct prism_writer *writer, const struct pctl *formula)
{
    switch (formula->kind) {
    case PCTL_TRUTH:
        write_truth(writer, formula->proposition->formula);
        return;
    case PCTL_NUMBER:
        write_number(writer, formula->number);
        return;
    case PCTL_INITIAL:
    case PCTL_DEADLOCK:
        text_append(writer->out, formula->kind == PCTL_INITIAL ? "\"init\"" : "\"deadlock\"");
        return;
    case PCTL_PROBABILITY:
    case PCTL_STEADY:
    case PCTL_REWARD:
        write_measure(writer, formula);
        return;
    case PCTL_EXISTS:
    case PCTL_FORALL:
        text_append(writer->out, formula->kind == PCTL_EXISTS ? "E [ " : "A [ ");
        write_path(writer, formula);
        text_append(writer->out, " ]");
        return;
    case PCTL_TEMPORAL:
        text_char(writer->out, '(');
        write_path(writer, formula);
        text_char(writer->out, ')');
        return;
    case PCTL_FILTER:
        write_filter(writer, formula);
        return;
    case PCTL_CALL:
        write_call(writer, formula);
        return;
    case PCTL_MULTI:
        text_append(writer->out, "multi(");
        for (const struct pctl *rest = formula; rest; rest = rest->right) {
            write_formula(writer, rest->left);
            text_append(writer->out, rest->right ? ", " : ")");
        }
        return;
    default:
        write_operator(writer, formula);
    }
}

bool prism_write_property(struct prism_writer *writer, const struct property *property)
{
    if (property->expected)
        text_format(writer->out, "// RESULT: %s\n", property->expected);
    const char *name = writer->property_names[property->id];
    if (name)
        text_format(writer->out, "\"%s\": ", name);
    write_formula(writer, property->pctl);
    text_append(writer->out, ";\n");
    return !writer->why;
}
