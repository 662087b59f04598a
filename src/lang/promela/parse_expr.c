#include <string.h>

#include "lang/promela/parse.h"

static const struct binary {
    enum pml_token_kind kind;
    enum pml_op op;
    int level;
} binaries[] = {
    {PMT_OR, PML_OR, 1},           {PMT_AND, PML_AND, 2},         {PMT_BIT_OR, PML_BIT_OR, 4},
    {PMT_BIT_XOR, PML_BIT_XOR, 5}, {PMT_BIT_AND, PML_BIT_AND, 6}, {PMT_EQ, PML_EQ, 7},
    {PMT_NE, PML_NE, 7},           {PMT_LT, PML_LT, 8},           {PMT_LE, PML_LE, 8},
    {PMT_GT, PML_GT, 8},           {PMT_GE, PML_GE, 8},           {PMT_SHIFT_LEFT, PML_SHL, 9},
    {PMT_SHIFT_RIGHT, PML_SHR, 9}, {PMT_PLUS, PML_ADD, 10},       {PMT_MINUS, PML_SUB, 10},
    {PMT_STAR, PML_MUL, 11},       {PMT_SLASH, PML_DIV, 11},      {PMT_PERCENT, PML_MOD, 11},
};

int pml_operator_here(const struct pml_parser *parser, enum pml_op *op)
{
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++)
        if (pml_at(parser, binaries[i].kind)) {
            *op = binaries[i].op;
            return binaries[i].level;
        }
    return 0;
}

void pml_parse_values(struct pml_parser *parser, struct pml_argument **arguments, uint32_t *count)
{
    VEC(struct pml_argument) list = {0};
    do {
        struct pml_argument argument = {NULL, pml_parse_expr(parser)};
        pml_refuse_probe(parser, argument.value);
        if (argument.value)
            VEC_PUSH(&list, argument);
    } while (pml_take(parser, PMT_COMMA));
    *count = (uint32_t)list.count;
    *arguments = VEC_SEAL(&list, parser->arena);
}

uint32_t pml_parse_priority(struct pml_parser *parser, bool counts)
{
    struct span span = parser->token->span;
    int64_t value = 1;
    if (pml_take(parser, PMT_PRIORITY)) {
        span = parser->token->span;
        value = pml_token_value(parser->token);
        pml_expect(parser, PMT_NUMBER, "after \"priority\"");
        if (!parser->syntax.lost && (value < 1 || value > PML_MOST_PRIORITY))
            report_error(parser->syntax.diagnostics, span, "a priority is a number from 1 to %d", PML_MOST_PRIORITY);
        parser->model->priority_span = span;
    }
    if (counts)
        VEC_PUSH(&parser->priorities, (uint32_t)value);
    return (uint32_t)value;
}

/* Priorities are asked for: they matter. */
static void note_priority(struct pml_parser *parser)
{
    parser->model->has_priorities = true;
    parser->model->priority_span = parser->token->span;
}

static struct pml_expr *parse_run(struct pml_parser *parser)
{
    const struct pml_token *first = parser->token;
    pml_advance(parser);
    struct pml_expr *expr = pml_expr_new(parser, PML_RUN, first->span);
    struct pml_pending pending = {.expr = expr, .span = parser->token->span};
    if (!parser->proctype)
        report_error(parser->syntax.diagnostics, first->span, "\"run\" stands outside of a process");
    if (++parser->runs > 1)
        report_error(parser->syntax.diagnostics, first->span, "a statement can \"run\" one process");
    pending.proctype = pml_expect_name(parser, "the name of a proctype after \"run\"");
    if (!pml_expect(parser, PMT_OPEN, "after the name of the proctype"))
        return NULL;
    if (!pml_at(parser, PMT_CLOSE))
        pml_parse_values(parser, &expr->arguments, &expr->argument_count);
    pml_expect(parser, PMT_CLOSE, "after the arguments");
    if (parser->syntax.lost)
        return NULL;
    expr->priority = pml_parse_priority(parser, true);
    expr->span = pml_span_from(parser, first);
    VEC_PUSH(&parser->pending, pending);
    return expr;
}

/* word ( x ) */
static struct pml_expr *parse_of(struct pml_parser *parser, enum pml_expr_kind kind)
{
    const struct pml_token *first = parser->token;
    if (kind == PML_PRIORITY)
        note_priority(parser);
    pml_advance(parser);
    if (!pml_expect(parser, PMT_OPEN, "here"))
        return NULL;
    struct pml_expr *left;
    if (kind == PML_ENABLED || kind == PML_PRIORITY)
        left = pml_parse_expr(parser);
    else {
        struct pml_place *place = pml_parse_place(parser, false);
        left = place ? pml_read(parser, place) : NULL;
        if (place)
            pml_check_channel(parser, place);
    }
    if (!pml_expect(parser, PMT_CLOSE, "here"))
        return NULL;
    return left ? pml_of(parser, kind, pml_span_from(parser, first), left) : NULL;
}

static struct pml_expr *parse_parentheses(struct pml_parser *parser)
{
    pml_advance(parser);
    struct pml_expr *expr = pml_parse_expr(parser);
    if (expr && pml_take(parser, PMT_ARROW)) {
        struct pml_expr *left = pml_parse_expr(parser);
        pml_expect(parser, PMT_COLON, "in the conditional expression (condition -> value : value)");
        struct pml_expr *right = pml_parse_expr(parser);
        expr = left && right ? pml_choice(parser, expr, left, right) : NULL;
    }
    if (expr && pml_at(parser, PMT_BECOMES) && pml_unexpected(parser, "\")\""))
        diag_hint(parser->syntax.diagnostics, "\"=\" assigns; to compare write \"==\"");
    return pml_close_parenthesis(parser) ? expr : NULL;
}

/* P[i]@label, P:x; for who looks at the model also as runs show it, P(i).x */
static struct pml_expr *parse_remote(struct pml_parser *parser)
{
    const struct pml_token *first = parser->token;
    struct pml_pending pending = {.proctype = first->text, .span = first->span};
    struct pml_expr *which = NULL;
    pml_advance(parser);
    if (pml_take(parser, PMT_OPEN_BRACKET)) {
        which = pml_parse_expr(parser);
        pml_expect(parser, PMT_CLOSE_BRACKET, "after the process number");
    } else if (parser->is_question && pml_take(parser, PMT_OPEN)) {
        which = pml_parse_expr(parser);
        pml_expect(parser, PMT_CLOSE, "after the process number");
    }
    if (!which && !parser->is_question && pml_at(parser, PMT_OPEN)) {
        if (pml_unexpected(parser, "\":\" or \"@\" after the name of a proctype"))
            diag_hint(parser->syntax.diagnostics, "to start a process write: run %s(...)", first->text);
        return NULL;
    }
    bool is_label = pml_at(parser, PMT_AT), is_dot = parser->is_question && pml_take(parser, PMT_DOT);
    if (!is_dot && !pml_take(parser, PMT_AT) && !pml_expect(parser, PMT_COLON, "or \"@\" after the name of a proctype"))
        return NULL;
    pending.name_span = parser->token->span;
    pending.name = pml_expect_name(parser, is_label ? "a label" : "a variable of the proctype");
    struct pml_expr *index = NULL;
    if (!is_label && pml_take(parser, PMT_OPEN_BRACKET)) {
        index = pml_parse_expr(parser);
        pml_expect(parser, PMT_CLOSE_BRACKET, "after the index");
    }
    if (parser->syntax.lost)
        return NULL;
    struct pml_expr *expr = pml_of(parser, is_label ? PML_AT : PML_REMOTE, pml_span_from(parser, first), which);
    expr->label = is_label ? pending.name : NULL;
    if (!is_label) {
        expr->place = ARENA_NEW(parser->arena, struct pml_place);
        expr->place->span = pending.name_span;
        expr->place->index = index;
    }
    pending.expr = expr;
    VEC_PUSH(&parser->pending, pending);
    return expr;
}

static struct pml_expr *parse_special(struct pml_parser *parser)
{
    static const struct {
        const char *name;
        enum pml_expr_kind kind;
    } specials[] = {{"_pid", PML_SELF}, {"_nr_pr", PML_COUNT}, {"_last", PML_LAST}, {"_priority", PML_PRIORITY}};
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++)
        if (pml_at_word(parser, specials[i].name)) {
            struct span span = parser->token->span;
            if (specials[i].kind == PML_PRIORITY)
                note_priority(parser);
            pml_advance(parser);
            return pml_expr_new(parser, specials[i].kind, span);
        }
    return NULL;
}

static struct pml_expr *parse_name(struct pml_parser *parser)
{
    const struct pml_token *first = parser->token;
    const struct pml_names *set = NULL;
    struct pml_expr *special = parse_special(parser);
    if (special)
        return special;
    uint32_t number = pml_find_mtype(parser, first->text, &set);
    if (number) {
        pml_note_named_use(parser, &parser->model->mtypes, first->text, first->span);
        pml_advance(parser);
        struct pml_expr *expr = pml_number(parser, first->span, number);
        expr->set = set;
        return expr;
    }
    if (pml_is_proctype(parser, first->text))
        return parse_remote(parser);
    struct pml_place *place = pml_parse_place(parser, false);
    struct pml_expr *read = place ? pml_read(parser, place) : NULL;
    bool is_poll = (pml_at(parser, PMT_RECEIVE) || pml_at(parser, PMT_RANDOM_RECEIVE)) &&
                   parser->token[1].kind == PMT_OPEN_BRACKET;
    return read && is_poll ? pml_parse_poll(parser, read) : read;
}

static struct pml_expr *parse_constant(struct pml_parser *parser)
{
    const struct pml_token *token = parser->token;
    int64_t value = token->kind == PMT_TRUE || token->kind == PMT_SKIP ? 1
                    : token->kind == PMT_FALSE                         ? 0
                                                                       : pml_token_value(token);
    pml_advance(parser);
    if (token->kind == PMT_NUMBER && pml_at(parser, PMT_NAME) && !parser->token->has_blank &&
        (parser->token->text[0] == 'x' || parser->token->text[0] == 'X')) {
        syntax_error(&parser->syntax, token->span, "numbers are decimal in Promela");
        return NULL;
    }
    struct pml_expr *number = pml_number(parser, token->span, value);
    if (value != INT32_MIN)
        return number;
    /* SPIN prints a formula and reads it again, with a minus before this number (pml_number) and so as it is written.
     */
    if (parser->in_formula || parser->is_question)
        return pml_unary(parser, PML_NEGATE, token->span, number);
    diag_warning(parser->syntax.diagnostics, token->span,
                 "SPIN reads this number as -2147483648, a long, whose negation is 2147483648");
    return number;
}

static struct pml_expr *parse_lone(struct pml_parser *parser, enum pml_expr_kind kind)
{
    struct span span = parser->token->span;
    pml_advance(parser);
    return pml_expr_new(parser, kind, span);
}

static struct pml_expr *refuse_word(struct pml_parser *parser)
{
    const struct pml_token *token = parser->token;
    if (token->kind == PMT_C_EXPR)
        pml_refuse_c(parser);
    else if (token->kind == PMT_PC_VALUE)
        syntax_error(&parser->syntax, token->span,
                     "pc_value is not supported: the numbers of control states are SPIN's own");
    else
        pml_unexpected(parser, "an expression");
    return NULL;
}

static struct pml_expr *parse_primary(struct pml_parser *parser)
{
    switch (parser->syntax.lost ? PMT_EOF : parser->token->kind) {
    case PMT_OPEN:
        return parse_parentheses(parser);
    case PMT_NUMBER:
    case PMT_CHARACTER:
    case PMT_TRUE:
    case PMT_FALSE:
    case PMT_SKIP:
        return parse_constant(parser);
    case PMT_NAME:
        return parse_name(parser);
    case PMT_INIT:
        return parser->is_question ? parse_remote(parser) : refuse_word(parser);
    case PMT_RUN:
        return parse_run(parser);
    case PMT_LEN:
        return parse_of(parser, PML_LENGTH);
    case PMT_FULL:
        return parse_of(parser, PML_FULL);
    case PMT_NFULL:
        return parse_of(parser, PML_NFULL);
    case PMT_EMPTY:
        return parse_of(parser, PML_EMPTY);
    case PMT_NEMPTY:
        return parse_of(parser, PML_NEMPTY);
    case PMT_ENABLED:
        return parse_of(parser, PML_ENABLED);
    case PMT_GET_PRIORITY:
        return parse_of(parser, PML_PRIORITY);
    case PMT_TIMEOUT:
        return parse_lone(parser, PML_TIMEOUT);
    case PMT_NP:
        return parse_lone(parser, PML_NONPROGRESS);
    default:
        return refuse_word(parser);
    }
}

struct pml_expr *pml_parse_operand(struct pml_parser *parser)
{
    struct pml_expr *expr = NULL;
    struct span span = parser->token->span;
    if (!syntax_enter(&parser->syntax, parser->token->span))
        return NULL;
    enum pml_op op = pml_at(parser, PMT_SEND) ? PML_NOT : pml_at(parser, PMT_MINUS) ? PML_NEGATE : PML_COMPLEMENT;
    if (pml_take(parser, PMT_SEND) || pml_take(parser, PMT_MINUS) || pml_take(parser, PMT_TILDE)) {
        expr = pml_parse_operand(parser);
        expr = expr ? pml_unary(parser, op, span, expr) : NULL;
    } else
        expr = parse_primary(parser);
    syntax_leave(&parser->syntax);
    return expr;
}

static struct pml_expr *parse_level(struct pml_parser *parser, struct pml_expr *left, int lowest)
{
    enum pml_op op;
    for (int level; left && (level = pml_operator_here(parser, &op)) >= lowest && level;) {
        pml_advance(parser);
        struct pml_expr *right = pml_parse_operand(parser);
        right = right ? parse_level(parser, right, level + 1) : NULL;
        left = right ? pml_binary(parser, op, left, right) : NULL;
    }
    return parser->syntax.lost ? NULL : left;
}

struct pml_expr *pml_parse_expr_from(struct pml_parser *parser, struct pml_expr *left)
{
    return parse_level(parser, left, 1);
}

struct pml_expr *pml_parse_expr(struct pml_parser *parser)
{
    return pml_parse_expr_from(parser, pml_parse_operand(parser));
}

static int64_t divided(struct pml_parser *parser, struct span span, enum pml_op op, int64_t left, int64_t right)
{
    if (!right) {
        syntax_error(&parser->syntax, span, "division by zero");
        return 0;
    }
    return op == PML_DIV ? left / right : left % right;
}

static int64_t constant_value(struct pml_parser *parser, const struct pml_expr *expr)
{
    if (expr->kind == PML_NUMBER)
        return expr->value;
    if (expr->kind == PML_UNARY && expr->op == PML_NEGATE)
        return -constant_value(parser, expr->left);
    if (expr->kind == PML_BINARY && expr->op >= PML_MUL && expr->op <= PML_SUB) {
        int64_t left = constant_value(parser, expr->left), right = constant_value(parser, expr->right);
        if (expr->op == PML_DIV || expr->op == PML_MOD)
            return divided(parser, expr->span, expr->op, left, right);
        uint64_t a = (uint64_t)left, b = (uint64_t)right;
        uint64_t value = expr->op == PML_MUL ? a * b : expr->op == PML_ADD ? a + b : a - b;
        return (int32_t)(uint32_t)value;
    }
    /* SPIN takes the initial value of a variable here, and 8 for one that has none. */
    if (expr->kind == PML_READ && !expr->place->below && !expr->place->index) {
        const struct pml_variable *variable = expr->place->variable;
        int64_t value = variable->initial && variable->initial->kind == PML_NUMBER ? variable->initial->value : 0;
        return value > 0 ? value : 8;
    }
    syntax_error(&parser->syntax, expr->span, "expected a constant");
    return 1;
}

int64_t pml_parse_constant(struct pml_parser *parser)
{
    struct pml_expr *expr = pml_parse_expr(parser);
    return expr ? constant_value(parser, expr) : 1;
}
