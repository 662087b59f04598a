/* Expressions, as they stand in guards and updates. PRISM's order, loosest first: ?:, =>, <=>, |, &, !, equality,
 * comparison, sums, products, powers, the unary minus. "!" is looser than a comparison: !x=1 is !(x=1). */
#include <string.h>

#include "lang/prism/parse.h"
#include "lang/prism/value.h"

enum prism_level {
    LEVEL_IFF,
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_EQUALITY,
    LEVEL_COMPARE,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_TIGHTEST
};

static const struct prism_binary {
    enum prism_token_kind token;
    enum prism_operator op;
    enum prism_level level;
} binaries[] = {
    {PRISM_IFF, PRISM_OP_IFF, LEVEL_IFF},        {PRISM_OR, PRISM_OP_OR, LEVEL_OR},
    {PRISM_AND, PRISM_OP_AND, LEVEL_AND},        {PRISM_EQ, PRISM_OP_EQ, LEVEL_EQUALITY},
    {PRISM_NE, PRISM_OP_NE, LEVEL_EQUALITY},     {PRISM_LT, PRISM_OP_LT, LEVEL_COMPARE},
    {PRISM_LE, PRISM_OP_LE, LEVEL_COMPARE},      {PRISM_GT, PRISM_OP_GT, LEVEL_COMPARE},
    {PRISM_GE, PRISM_OP_GE, LEVEL_COMPARE},      {PRISM_PLUS, PRISM_OP_ADD, LEVEL_SUM},
    {PRISM_MINUS, PRISM_OP_SUB, LEVEL_SUM},      {PRISM_TIMES, PRISM_OP_MUL, LEVEL_PRODUCT},
    {PRISM_DIVIDE, PRISM_OP_DIV, LEVEL_PRODUCT},
};

static struct prism_expr *parse_level(struct prism_parser *parser, enum prism_level level);

struct prism_expr *prism_new_expr(struct prism_parser *parser, enum prism_expr_kind kind, struct span span)
{
    struct prism_expr *expr = ARENA_NEW(parser->arena, struct prism_expr);
    expr->kind = kind;
    expr->span = span;
    expr->height = 1;
    return expr;
}

static void add_part(struct prism_expr *expr, const struct prism_expr *part)
{
    if (part && part->height + 1 > expr->height)
        expr->height = part->height + 1;
}

/* Chains such as a + a + ... grow without nesting in the parser, so their height is bounded here. */
struct prism_expr *prism_close_expr(struct prism_parser *parser, struct prism_expr *expr)
{
    add_part(expr, expr->condition);
    add_part(expr, expr->left);
    add_part(expr, expr->right);
    add_part(expr, expr->bound.threshold);
    add_part(expr, expr->window.lower);
    add_part(expr, expr->window.upper);
    add_part(expr, expr->reward_number);
    for (uint32_t i = 0; i < expr->arguments.count; i++)
        add_part(expr, expr->arguments.items[i]);
    if (expr->height > PRISM_MAX_DEPTH)
        syntax_error(&parser->syntax, expr->span, "the expression has more than %d levels", PRISM_MAX_DEPTH);
    if (parser->token > parser->tokens)
        expr->span = span_join(expr->span, parser->token[-1].span);
    return expr;
}

static struct prism_expr *new_binary(struct prism_parser *parser, enum prism_operator op, struct prism_expr *left,
                                     struct prism_expr *right)
{
    struct prism_expr *expr = prism_new_expr(parser, PRISM_EXPR_BINARY, left->span);
    expr->op = op;
    expr->left = left;
    expr->right = right;
    return prism_close_expr(parser, expr);
}

static struct prism_expr *parse_arguments(struct prism_parser *parser, struct prism_expr *call)
{
    VEC(struct prism_expr *) items = {0};
    do
        VEC_PUSH(&items, prism_parse_expr(parser));
    while (prism_take(parser, PRISM_COMMA));
    call->arguments.count = (uint32_t)items.count;
    call->arguments.items = VEC_SEAL(&items, parser->arena);
    prism_expect(parser, PRISM_CLOSE_PAREN, "after the arguments");
    return prism_close_expr(parser, call);
}

/* Also "func(mod, x, y)", the old way to write mod(x, y). */
static struct prism_expr *parse_call(struct prism_parser *parser)
{
    struct prism_expr *call = prism_new_expr(parser, PRISM_EXPR_CALL, parser->token->span);
    bool is_old = prism_take(parser, WORD_FUNC);
    bool is_good = !is_old || prism_expect(parser, PRISM_OPEN_PAREN, "after func");
    if (prism_at(parser, WORD_MIN) || prism_at(parser, WORD_MAX)) {
        call->name = (struct prism_name){parser->token->text, parser->token->span};
        prism_advance(parser);
    } else
        is_good &= prism_expect_name(parser, &call->name, "the name of a function");
    is_good &= prism_expect(parser, is_old ? PRISM_COMMA : PRISM_OPEN_PAREN, "after the name of the function");
    /* After a mistake nothing is taken, and the arguments would begin with this call again. */
    return is_good ? parse_arguments(parser, call) : prism_close_expr(parser, call);
}

static struct prism_expr *parse_name(struct prism_parser *parser)
{
    if (prism_ahead(parser, 1)->kind == PRISM_OPEN_PAREN)
        return parse_call(parser);
    struct prism_expr *expr = prism_new_expr(parser, PRISM_EXPR_NAME, parser->token->span);
    prism_expect_name(parser, &expr->name, "a name");
    return expr;
}

/* Numbers are kept as they are written until there is someone to own their value: name.text holds the spelling. */
static struct prism_expr *parse_literal(struct prism_parser *parser)
{
    struct prism_expr *expr = prism_new_expr(parser, PRISM_EXPR_VALUE, parser->token->span);
    expr->name = (struct prism_name){parser->token->text, parser->token->span};
    expr->type = prism_at(parser, PRISM_INTEGER)   ? PRISM_TYPE_INT
                 : prism_at(parser, PRISM_DECIMAL) ? PRISM_TYPE_REAL
                                                   : PRISM_TYPE_BOOL;
    prism_advance(parser);
    return expr;
}

static struct prism_expr *parse_parenthesis(struct prism_parser *parser)
{
    prism_advance(parser);
    struct prism_expr *expr = prism_parse_expr(parser);
    prism_expect(parser, PRISM_CLOSE_PAREN, "after the expression");
    return expr;
}

static bool begins_with_extreme(const char *text)
{
    return !strncmp(text, "min", 3) || !strncmp(text, "max", 3);
}

/* "Pmaxmin=?", and other names in the place of an operator. */
static void refuse_other_query(struct prism_parser *parser)
{
    const char *text = parser->token->text;
    bool is_query = prism_ahead(parser, 1)->kind == PRISM_EQ && prism_ahead(parser, 2)->kind == PRISM_QUESTION;
    bool has_two = begins_with_extreme(text + 1) && begins_with_extreme(text + 4);
    if (parser->allows_properties && is_query && !parser->syntax.lost)
        syntax_error(&parser->syntax, parser->token->span, "there is no operator \"%s\"%s", text,
                     has_two ? ": two extremes belong to games and interval models" : "");
}

/* "AG x=0", as CTL is written elsewhere. */
static void refuse_joined_operators(struct prism_parser *parser)
{
    const char *text = parser->token->text;
    enum prism_token_kind next = prism_ahead(parser, 1)->kind;
    bool is_joined =
        (text[0] == 'A' || text[0] == 'E') && (text[1] == 'G' || text[1] == 'F' || text[1] == 'X') && !text[2];
    bool is_operand = next == PRISM_NAME || next == PRISM_OPEN_PAREN || next == PRISM_QUOTED || next == PRISM_NOT;
    if (parser->allows_properties && is_joined && is_operand && !parser->syntax.lost &&
        syntax_error(&parser->syntax, parser->token->span, "there is no operator \"%s\"", text))
        diag_hint(parser->syntax.diagnostics, "write %c [ %c ... ]", text[0], text[1]);
}

/* What "[]" and "<>" of other tools are called here, or NULL. */
static const char *foreign_letter(const struct prism_parser *parser)
{
    enum prism_token_kind next = prism_ahead(parser, 1)->kind;
    if (prism_at(parser, PRISM_OPEN_BRACKET) && next == PRISM_CLOSE_BRACKET)
        return "G";
    return prism_at(parser, PRISM_LT) && next == PRISM_GT ? "F" : NULL;
}

static struct prism_expr *parse_basic(struct prism_parser *parser)
{
    switch (parser->token->kind) {
    case PRISM_INTEGER:
    case PRISM_DECIMAL:
    case WORD_TRUE:
    case WORD_FALSE:
        return parse_literal(parser);
    case PRISM_NAME:
        if (parser->allows_properties && prism_at_long_run(parser))
            return prism_parse_operator(parser);
        refuse_other_query(parser);
        refuse_joined_operators(parser);
        return parse_name(parser);
    case WORD_MIN:
    case WORD_MAX:
    case WORD_FUNC:
        return parse_call(parser);
    case PRISM_OPEN_PAREN:
        return parse_parenthesis(parser);
    default:
        break;
    }
    if (parser->allows_properties && prism_at_property_word(parser))
        return prism_parse_operator(parser);
    enum prism_token_kind opening = parser->token->kind;
    if (parser->allows_properties && (opening == PRISM_LT || opening == PRISM_OPEN_BRACKET) &&
        prism_ahead(parser, 1)->kind == opening)
        syntax_error(&parser->syntax, parser->token->span, "coalitions belong to games, which are not supported");
    struct prism_expr *nothing = prism_new_expr(parser, PRISM_EXPR_NAME, parser->token->span);
    bool is_property = !parser->syntax.lost && prism_at_property_word(parser);
    bool is_temporal = !parser->syntax.lost && parser->allows_properties &&
                       (prism_at(parser, WORD_X) || prism_at(parser, WORD_F) || prism_at(parser, WORD_G));
    const char *letter = parser->syntax.lost || !parser->allows_properties ? NULL : foreign_letter(parser);
    prism_unexpected(parser, "an expression");
    if (letter)
        diag_hint(parser->syntax.diagnostics, "\"%s\" is written %s", *letter == 'G' ? "[]" : "<>", letter);
    if (is_temporal)
        diag_hint(parser->syntax.diagnostics,
                  "a path formula beside &, |, =>, U and the like stands in parentheses: (%s ...)",
                  parser->token->text);
    if (is_property)
        diag_hint(parser->syntax.diagnostics, "\"%s\" belongs to properties; in a model it cannot be used",
                  parser->token->text);
    return nothing;
}

static struct prism_expr *parse_minus(struct prism_parser *parser)
{
    if (!prism_at(parser, PRISM_MINUS))
        return parse_basic(parser);
    struct prism_expr *expr = prism_new_expr(parser, PRISM_EXPR_UNARY, parser->token->span);
    expr->op = PRISM_OP_MINUS;
    prism_advance(parser);
    if (!syntax_enter(&parser->syntax, parser->token->span))
        return expr->left = prism_new_expr(parser, PRISM_EXPR_NAME, expr->span);
    expr->left = parse_minus(parser);
    syntax_leave(&parser->syntax);
    return prism_close_expr(parser, expr);
}

/* Binds to the right: 2^3^2 is 2^9. */
static struct prism_expr *parse_power(struct prism_parser *parser)
{
    struct prism_expr *left = parse_minus(parser);
    if (parser->syntax.lost || !prism_at(parser, PRISM_POWER) || !syntax_enter(&parser->syntax, parser->token->span))
        return left;
    prism_advance(parser);
    struct prism_expr *power = new_binary(parser, PRISM_OP_POW, left, parse_power(parser));
    syntax_leave(&parser->syntax);
    return power;
}

static struct prism_expr *parse_not(struct prism_parser *parser)
{
    if (!prism_at(parser, PRISM_NOT))
        return parse_level(parser, LEVEL_EQUALITY);
    struct prism_expr *expr = prism_new_expr(parser, PRISM_EXPR_UNARY, parser->token->span);
    expr->op = PRISM_OP_NOT;
    prism_advance(parser);
    if (!syntax_enter(&parser->syntax, parser->token->span))
        return expr->left = prism_new_expr(parser, PRISM_EXPR_NAME, expr->span);
    expr->left = parse_not(parser);
    syntax_leave(&parser->syntax);
    return prism_close_expr(parser, expr);
}

static struct prism_expr *parse_operand(struct prism_parser *parser, enum prism_level level)
{
    if (level == LEVEL_TIGHTEST)
        return parse_power(parser);
    return level == LEVEL_EQUALITY ? parse_not(parser) : parse_level(parser, level);
}

static const struct prism_binary *binary_here(const struct prism_parser *parser, enum prism_level level)
{
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++)
        if (binaries[i].token == parser->token->kind && binaries[i].level == level && !parser->syntax.lost)
            return &binaries[i];
    return NULL;
}

/* "&&", "||" and "==" of other languages. */
static void refuse_doubled(struct prism_parser *parser)
{
    const struct prism_token *first = parser->token, *second = prism_ahead(parser, 1);
    bool is_doubled = (first->kind == PRISM_AND || first->kind == PRISM_OR || first->kind == PRISM_EQ) &&
                      second->kind == first->kind && second->span.line == first->span.line &&
                      second->span.column == first->span.column + 1;
    struct span both = first->span;
    both.length = 2;
    if (is_doubled && syntax_error(&parser->syntax, both, "there is no operator \"%s%s\"", first->text, first->text))
        diag_hint(parser->syntax.diagnostics, "write \"%s\"", first->text);
}

static struct prism_expr *parse_level(struct prism_parser *parser, enum prism_level level)
{
    struct prism_expr *left = parse_operand(parser, level + 1);
    for (const struct prism_binary *binary; (binary = binary_here(parser, level));) {
        refuse_doubled(parser);
        prism_advance(parser);
        left = new_binary(parser, binary->op, left, parse_operand(parser, level + 1));
    }
    return left;
}

static struct prism_expr *parse_implies(struct prism_parser *parser)
{
    struct prism_expr *left = parse_level(parser, LEVEL_IFF);
    if (parser->syntax.lost || !prism_at(parser, PRISM_IMPLIES) || !syntax_enter(&parser->syntax, parser->token->span))
        return left;
    prism_advance(parser);
    struct prism_expr *expr = new_binary(parser, PRISM_OP_IMPLIES, left, parse_implies(parser));
    syntax_leave(&parser->syntax);
    return expr;
}

struct prism_expr *prism_parse_plain(struct prism_parser *parser)
{
    struct prism_expr *left = parse_implies(parser);
    if (parser->syntax.lost || !prism_at(parser, PRISM_QUESTION) || !syntax_enter(&parser->syntax, parser->token->span))
        return left;
    prism_advance(parser);
    struct prism_expr *expr = prism_new_expr(parser, PRISM_EXPR_COND, left->span);
    expr->condition = left;
    expr->left = parse_implies(parser);
    prism_expect(parser, PRISM_COLON, "between the two branches of ?:");
    expr->right = prism_parse_plain(parser);
    syntax_leave(&parser->syntax);
    return prism_close_expr(parser, expr);
}

struct prism_expr *prism_parse_expr(struct prism_parser *parser)
{
    if (!syntax_enter(&parser->syntax, parser->token->span))
        return prism_new_expr(parser, PRISM_EXPR_NAME, parser->token->span);
    struct prism_expr *expr = parser->allows_properties ? prism_parse_path(parser) : prism_parse_plain(parser);
    syntax_leave(&parser->syntax);
    return expr;
}
