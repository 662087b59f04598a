#include "lang/murphi/foreign.h"

/* How tightly operators bind, loosest first: rumur's order, which contains CMurphi's. NOT is looser than the
 * comparisons: !a = b is !(a = b). */
enum parse_level {
    LEVEL_LEADS_TO = 1, /* these two only inside ltl properties */
    LEVEL_IMPLIES,
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_PIPE,
    LEVEL_CARET,
    LEVEL_AMP,
    LEVEL_LINEAR,
    LEVEL_COMPARE,
    LEVEL_SHIFT,
    LEVEL_ADD,
    LEVEL_MULTIPLY
};

struct murphi_binary {
    enum token_kind token;
    enum operator op;
    enum parse_level level;
    bool is_ambiguous;
};

static const struct murphi_binary binaries[] = {
    {TOKEN_IMPLIES, OP_IMPLIES, LEVEL_IMPLIES, false},
    {TOKEN_OR, OP_OR, LEVEL_OR, false},
    {TOKEN_AND, OP_AND, LEVEL_AND, false},
    {TOKEN_PIPE, OP_BIT_OR, LEVEL_PIPE, true},
    {TOKEN_CARET, OP_BIT_XOR, LEVEL_CARET, false},
    {TOKEN_AMP, OP_BIT_AND, LEVEL_AMP, true},
    {TOKEN_EQ, OP_EQ, LEVEL_COMPARE, false},
    {TOKEN_NE, OP_NE, LEVEL_COMPARE, false},
    {TOKEN_LT, OP_LT, LEVEL_COMPARE, false},
    {TOKEN_LE, OP_LE, LEVEL_COMPARE, false},
    {TOKEN_GT, OP_GT, LEVEL_COMPARE, false},
    {TOKEN_GE, OP_GE, LEVEL_COMPARE, false},
    {TOKEN_SHL, OP_SHL, LEVEL_SHIFT, false},
    {TOKEN_SHR, OP_SHR, LEVEL_SHIFT, false},
    {TOKEN_PLUS, OP_ADD, LEVEL_ADD, false},
    {TOKEN_MINUS, OP_SUB, LEVEL_ADD, false},
    {TOKEN_STAR, OP_MUL, LEVEL_MULTIPLY, false},
    {TOKEN_SLASH, OP_DIV, LEVEL_MULTIPLY, false},
    {TOKEN_PERCENT, OP_MOD, LEVEL_MULTIPLY, false},
};

static struct ast_expr *parse_binary(struct parser *parser, enum parse_level level);
static struct ast_expr *parse_unary(struct parser *parser);

struct ast_expr *parse_new_expr(struct parser *parser, enum ast_expr_kind kind, struct span span)
{
    struct ast_expr *expr = ARENA_NEW(parser->arena, struct ast_expr);
    expr->kind = kind;
    expr->span = span;
    expr->height = 1;
    return expr;
}

/* Chains such as a + a + ... grow without nesting in the parser, so their height is bounded here. */
void parse_add_child(struct parser *parser, struct ast_expr *expr, const struct ast_expr *child)
{
    if (child->height + 1 > expr->height)
        expr->height = child->height + 1;
    if (expr->height > PARSE_MAX_DEPTH)
        syntax_error(&parser->syntax, expr->span, "the expression has more than %d levels", PARSE_MAX_DEPTH);
}

static struct ast_expr *new_unary(struct parser *parser, enum ast_expr_kind kind, enum operator op, struct span start,
                                  struct ast_expr *operand)
{
    struct ast_expr *expr = parse_new_expr(parser, kind, span_join(start, operand->span));
    expr->op = op;
    expr->left = operand;
    parse_add_child(parser, expr, operand);
    return expr;
}

static struct ast_expr *new_binary(struct parser *parser, const struct murphi_binary *binary, struct ast_expr *left,
                                   struct ast_expr *right)
{
    struct ast_expr *expr = parse_new_expr(parser, AST_BINARY, span_join(left->span, right->span));
    expr->op = binary->op;
    expr->is_ambiguous = binary->is_ambiguous;
    expr->left = left;
    expr->right = right;
    parse_add_child(parser, expr, left);
    parse_add_child(parser, expr, right);
    return expr;
}

struct ast_exprs parse_expr_list(struct parser *parser, enum token_kind closer)
{
    VEC(struct ast_expr *) items = {0};
    while (!parser->syntax.lost && !parse_at(parser, closer)) {
        VEC_PUSH(&items, parse_expr(parser));
        if (!parse_take(parser, TOKEN_COMMA))
            break;
    }
    size_t count = items.count;
    return (struct ast_exprs){VEC_SEAL(&items, parser->arena), count};
}

static bool parse_quantifier(struct parser *parser, struct ast_quantifier *quantifier)
{
    if (!parse_expect_name(parser, &quantifier->name, "the name of a variable"))
        return false;
    if (parse_take(parser, TOKEN_ASSIGN)) {
        quantifier->from = parse_expr(parser);
        parse_expect(parser, KEY_TO, "after the first value");
        quantifier->to = parse_expr(parser);
        if (parse_take(parser, KEY_BY))
            quantifier->by = parse_expr(parser);
    } else if (parse_expect(parser, TOKEN_COLON, "or \":=\" after the variable"))
        quantifier->type = parse_type(parser);
    return !parser->syntax.lost;
}

struct ast_quantifiers parse_quantifiers(struct parser *parser)
{
    VEC(struct ast_quantifier) items = {0};
    do {
        parse_skip_semicolons(parser);
        struct ast_quantifier quantifier = {0};
        if (!parse_quantifier(parser, &quantifier))
            break;
        VEC_PUSH(&items, quantifier);
    } while (parse_take(parser, TOKEN_SEMICOLON));
    size_t count = items.count;
    return (struct ast_quantifiers){VEC_SEAL(&items, parser->arena), count};
}

static struct ast_expr *parse_quantified(struct parser *parser, enum operator op)
{
    struct span start = parser->token->span;
    enum token_kind end = op == OP_FORALL ? KEY_ENDFORALL : KEY_ENDEXISTS;
    parse_advance(parser);
    struct ast_expr *expr = parse_new_expr(parser, AST_QUANTIFIED, start);
    expr->op = op;
    expr->quantifiers = parse_quantifiers(parser);
    parse_do(parser);
    expr->left = parse_expr(parser);
    parse_add_child(parser, expr, expr->left);
    /* every variable becomes a level of its own */
    expr->height += (uint32_t)expr->quantifiers.count;
    parse_add_child(parser, expr, expr->left);
    parse_end(parser, end, end, start, op == OP_FORALL ? "forall" : "exists");
    expr->span = span_join(start, parse_previous_span(parser));
    return expr;
}

bool parse_begins_operand(enum token_kind kind)
{
    switch (kind) {
    case TOKEN_NUMBER:
    case TOKEN_OPEN_PAREN:
    case TOKEN_NOT:
    case TOKEN_TILDE:
    case KEY_TRUE:
    case KEY_FALSE:
    case KEY_FORALL:
    case KEY_EXISTS:
    case KEY_ISMEMBER:
    case KEY_ISUNDEFINED:
        return true;
    default:
        return false;
    }
}

static struct ast_expr *parse_is_member(struct parser *parser)
{
    struct ast_expr *expr = parse_new_expr(parser, AST_IS_MEMBER, parser->token->span);
    parse_advance(parser);
    parse_expect(parser, TOKEN_OPEN_PAREN, "after ismember");
    expr->left = parse_expr(parser);
    parse_add_child(parser, expr, expr->left);
    parse_expect(parser, TOKEN_COMMA, "between the value and the type");
    expr->type = parse_type(parser);
    parse_expect(parser, TOKEN_CLOSE_PAREN, "after the type");
    expr->span = span_join(expr->span, parse_previous_span(parser));
    return expr;
}

static struct ast_expr *parse_is_undefined(struct parser *parser)
{
    struct span start = parser->token->span;
    parse_advance(parser);
    parse_expect(parser, TOKEN_OPEN_PAREN, "after isundefined");
    struct ast_expr *expr = new_unary(parser, AST_IS_UNDEFINED, OP_NOT, start, parse_expr(parser));
    parse_expect(parser, TOKEN_CLOSE_PAREN, "after the variable");
    expr->span = span_join(start, parse_previous_span(parser));
    return expr;
}

static struct ast_expr *parse_count(struct parser *parser)
{
    struct ast_expr *expr = parse_new_expr(parser, AST_COUNT, parser->token->span);
    parse_advance(parser);
    parse_expect(parser, TOKEN_OPEN_PAREN, "after multisetcount");
    parse_expect_name(parser, &expr->name, "the name of a variable");
    parse_expect(parser, TOKEN_COLON, "after the variable");
    expr->left = parse_expr(parser);
    parse_expect(parser, TOKEN_COMMA, "after the multiset");
    expr->right = parse_expr(parser);
    parse_add_child(parser, expr, expr->left);
    parse_add_child(parser, expr, expr->right);
    parse_expect(parser, TOKEN_CLOSE_PAREN, "after the condition");
    expr->span = span_join(expr->span, parse_previous_span(parser));
    return expr;
}

static struct ast_expr *parse_call(struct parser *parser)
{
    struct ast_expr *expr = parse_new_expr(parser, AST_CALL, parser->token->span);
    parse_expect_name(parser, &expr->name, "a name");
    VEC_PUSH(&parser->calls, expr->name);
    parse_expect(parser, TOKEN_OPEN_PAREN, "after the name");
    expr->arguments = parse_expr_list(parser, TOKEN_CLOSE_PAREN);
    for (size_t i = 0; i < expr->arguments.count; i++)
        parse_add_child(parser, expr, expr->arguments.items[i]);
    parse_expect(parser, TOKEN_CLOSE_PAREN, "after the arguments");
    expr->span = span_join(expr->span, parse_previous_span(parser));
    return expr;
}

static struct ast_expr *parse_named(struct parser *parser)
{
    bool is_call = parse_ahead(parser, 1)->kind == TOKEN_OPEN_PAREN;
    if (is_call)
        return parse_at_soft(parser, SOFT_MULTISETCOUNT) ? parse_count(parser) : parse_call(parser);
    enum ast_expr_kind kind = parse_at_soft(parser, SOFT_UNDEFINED) ? AST_UNDEFINED : AST_NAME;
    struct ast_expr *expr = parse_new_expr(parser, kind, parser->token->span);
    parse_expect_name(parser, &expr->name, "a name");
    return expr;
}

static struct ast_expr *parse_suffixes(struct parser *parser, struct ast_expr *base)
{
    for (;;) {
        struct ast_expr *expr;
        if (parse_take(parser, TOKEN_DOT)) {
            expr = parse_new_expr(parser, AST_FIELD, base->span);
            parse_expect_name(parser, &expr->name, "the name of a field");
        } else if (parse_take(parser, TOKEN_OPEN_BRACKET)) {
            expr = parse_new_expr(parser, AST_INDEX, base->span);
            expr->right = parse_expr(parser);
            parse_add_child(parser, expr, expr->right);
            if (parse_at(parser, TOKEN_COMMA) &&
                syntax_error(&parser->syntax, parser->token->span, "an array has one index"))
                diag_hint(parser->syntax.diagnostics, "write a[i][j] for an array of arrays");
            parse_expect(parser, TOKEN_CLOSE_BRACKET, "after the index");
        } else
            return base;
        expr->left = base;
        expr->span = span_join(base->span, parse_previous_span(parser));
        parse_add_child(parser, expr, base);
        base = expr;
    }
}

struct ast_expr *parse_designator(struct parser *parser)
{
    if (!parse_at(parser, TOKEN_NAME)) {
        parse_unexpected(parser, "a variable");
        return parse_new_expr(parser, AST_NUMBER, parser->token->span);
    }
    return parse_suffixes(parser, parse_named(parser));
}

static struct ast_expr *parse_number(struct parser *parser)
{
    struct ast_expr *expr = parse_new_expr(parser, AST_NUMBER, parser->token->span);
    expr->value = parser->token->value;
    if (parser->token->is_real && syntax_error(&parser->syntax, parser->token->span, "real numbers are not supported"))
        diag_hint(parser->syntax.diagnostics, "scale the values to integers");
    parse_advance(parser);
    return expr;
}

static struct ast_expr *parse_truth(struct parser *parser)
{
    struct ast_expr *expr = parse_new_expr(parser, AST_TRUTH, parser->token->span);
    expr->value = parse_at(parser, KEY_TRUE);
    parse_advance(parser);
    return expr;
}

static struct ast_expr *parse_parenthesised(struct parser *parser)
{
    struct span start = parser->token->span;
    parse_advance(parser);
    struct ast_expr *expr = parse_expr(parser);
    parse_expect(parser, TOKEN_CLOSE_PAREN, "to match the \"(\"");
    expr->span = span_join(start, parse_previous_span(parser));
    return expr;
}

/* What "not" stands before is read as if it were right. */
static struct ast_expr *parse_foreign_not(struct parser *parser)
{
    if (syntax_error(&parser->syntax, parser->token->span, "unknown operator \"%s\"", parser->token->text))
        hint_foreign_word(parser);
    parse_advance(parser);
    return parse_new_expr(parser, AST_TRUTH, parser->token->span);
}

static struct ast_expr *parse_primary(struct parser *parser)
{
    if (at_foreign_not(parser))
        return parse_foreign_not(parser);
    switch (parser->token->kind) {
    case TOKEN_NAME:
        return parse_suffixes(parser, parse_named(parser));
    case TOKEN_NUMBER:
        return parse_number(parser);
    case KEY_TRUE:
    case KEY_FALSE:
        return parse_truth(parser);
    case TOKEN_OPEN_PAREN:
        return parse_suffixes(parser, parse_parenthesised(parser));
    case KEY_FORALL:
        return parse_quantified(parser, OP_FORALL);
    case KEY_EXISTS:
        return parse_quantified(parser, OP_EXISTS);
    case KEY_ISMEMBER:
        return parse_is_member(parser);
    case KEY_ISUNDEFINED:
        return parse_is_undefined(parser);
    default:
        parse_unexpected(parser, "an expression");
        return parse_new_expr(parser, AST_NUMBER, parser->token->span);
    }
}

struct ast_expr *parse_comparison(struct parser *parser)
{
    return parse_binary(parser, LEVEL_COMPARE);
}

static struct ast_expr *parse_prefixed(struct parser *parser)
{
    struct span start = parser->token->span;
    if (parse_at_temporal(parser))
        return parse_temporal(parser);
    switch (parser->token->kind) {
    case TOKEN_NOT:
        parse_advance(parser);
        return new_unary(parser, AST_UNARY, OP_NOT, start, parse_comparison(parser));
    case TOKEN_MINUS:
        parse_advance(parser);
        return new_unary(parser, AST_UNARY, OP_NEGATE, start, parse_unary(parser));
    case TOKEN_PLUS:
        parse_advance(parser);
        return new_unary(parser, AST_PLUS, OP_ADD, start, parse_unary(parser));
    case TOKEN_TILDE:
        parse_advance(parser);
        return new_unary(parser, AST_UNARY, OP_BIT_NOT, start, parse_unary(parser));
    default:
        return parse_primary(parser);
    }
}

static struct ast_expr *parse_unary(struct parser *parser)
{
    if (parser->syntax.lost || !syntax_enter(&parser->syntax, parser->token->span))
        return parse_new_expr(parser, AST_NUMBER, parser->token->span);
    struct ast_expr *expr = parse_prefixed(parser);
    syntax_leave(&parser->syntax);
    return expr;
}

static const struct murphi_binary *find_binary(enum token_kind token)
{
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++)
        if (binaries[i].token == token)
            return &binaries[i];
    return NULL;
}

/* Comparisons and -> do not associate in either dialect: a = b = c has no meaning to guess. */
static void refuse_chain(struct parser *parser, const struct murphi_binary *binary, const struct murphi_binary *last)
{
    bool is_chain =
        last && last->level == binary->level && (binary->level == LEVEL_COMPARE || binary->level == LEVEL_IMPLIES);
    if (is_chain && syntax_error(&parser->syntax, parser->token->span, "\"%s\" after another \"%s\" is ambiguous",
                                 parser->token->text, token_kind_spelling(last->token)))
        diag_hint(parser->syntax.diagnostics, "use parentheses");
}

/* f U g, and "f leadsto g": G (f -> F g). Two in a row have no meaning to guess. */
static struct ast_expr *parse_linear(struct parser *parser, enum parse_level level, struct ast_expr *left, bool *is_one)
{
    static const struct murphi_binary implies = {TOKEN_IMPLIES, OP_IMPLIES, LEVEL_IMPLIES, false};
    enum ctl_kind kind = LTL_G, other;
    bool leads_to = level <= LEVEL_LEADS_TO && parse_at_leads_to(parser);
    *is_one = leads_to || (level <= LEVEL_LINEAR && parse_at_linear(parser, &kind));
    if (!*is_one)
        return left;
    parse_advance(parser);
    struct ast_expr *right = parse_binary(parser, leads_to ? LEVEL_IMPLIES : LEVEL_COMPARE);
    struct span span = span_join(left->span, right->span);
    if ((leads_to ? parse_at_leads_to(parser) : parse_at_linear(parser, &other)) &&
        syntax_error(&parser->syntax, parser->token->span, "\"%s\" after another one is ambiguous",
                     parser->token->text))
        diag_hint(parser->syntax.diagnostics, "use parentheses");
    if (!leads_to)
        return parse_new_temporal(parser, kind, left, right, span);
    right = parse_new_temporal(parser, LTL_F, right, NULL, right->span);
    return parse_new_temporal(parser, LTL_G, new_binary(parser, &implies, left, right), NULL, span);
}

static struct ast_expr *parse_binary(struct parser *parser, enum parse_level level)
{
    struct ast_expr *left = parse_unary(parser);
    const struct murphi_binary *last = NULL;
    while (!parser->syntax.lost) {
        bool is_linear;
        left = parse_linear(parser, level, left, &is_linear);
        if (is_linear)
            continue;
        const struct murphi_binary *binary = find_binary(parser->token->kind);
        if (!binary || binary->level < level)
            break;
        refuse_chain(parser, binary, last);
        parse_advance(parser);
        left = new_binary(parser, binary, left, parse_binary(parser, binary->level + 1));
        last = binary;
    }
    return left;
}

struct ast_expr *parse_expr(struct parser *parser)
{
    struct ast_expr *condition = parse_binary(parser, LEVEL_LEADS_TO);
    if (!parse_take(parser, TOKEN_QUESTION))
        return condition;
    struct ast_expr *expr = parse_new_expr(parser, AST_COND, condition->span);
    if (!syntax_enter(&parser->syntax, parser->token->span))
        return expr;
    expr->left = condition;
    expr->right = parse_expr(parser);
    parse_expect(parser, TOKEN_COLON, "between the two values of ?:");
    expr->third = parse_expr(parser);
    syntax_leave(&parser->syntax);
    parse_add_child(parser, expr, expr->left);
    parse_add_child(parser, expr, expr->right);
    parse_add_child(parser, expr, expr->third);
    expr->span = span_join(condition->span, expr->third->span);
    return expr;
}
