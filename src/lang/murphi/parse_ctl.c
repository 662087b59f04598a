/* Temporal operators. Their words are names like any other outside ctl and ltl properties; inside they are operators
 * where an operand follows, and A[ and E[ where a U stands between the brackets: a model may have an array A, or a
 * variable AF. */
#include <string.h>

#include "lang/murphi/parse.h"

static const struct {
    const char *word;
    enum ctl_kind kind;
} unary[] =
    {
        {"EX", CTL_EX}, {"EF", CTL_EF}, {"EG", CTL_EG}, {"AX", CTL_AX}, {"AF", CTL_AF}, {"AG", CTL_AG},
        {"EY", CTL_EY}, {"EP", CTL_EP}, {"X", LTL_X},   {"F", LTL_F},   {"G", LTL_G},
},
  between[] = {{"U", LTL_U}, {"W", LTL_W}, {"R", LTL_R}, {"M", LTL_M}};

/* The operators of branching time are read in ltl properties, too, where lowering refuses them. */
static int find_unary(const struct parser *parser, const char *word)
{
    for (size_t i = 0; i < sizeof unary / sizeof *unary; i++)
        if (!strcmp(word, unary[i].word) && (parser->is_linear || unary[i].kind < LTL_X))
            return (int)i;
    return -1;
}

bool parse_is_prefix(const char *word)
{
    return find_unary(&(struct parser){.is_linear = true}, word) >= 0;
}

static bool is_word(const struct token *token, const char *word)
{
    return token->kind == TOKEN_NAME && !strcmp(token->text, word);
}

bool parse_at_linear(const struct parser *parser, enum ctl_kind *kind)
{
    for (size_t i = 0; parser->is_linear && i < sizeof between / sizeof *between; i++)
        if (is_word(parser->token, between[i].word)) {
            *kind = between[i].kind;
            return true;
        }
    return false;
}

bool parse_at_leads_to(const struct parser *parser)
{
    return parser->is_linear && is_word(parser->token, "leadsto");
}

static bool is_between(const struct parser *parser, const struct token *token)
{
    struct parser there = *parser;
    enum ctl_kind kind;
    there.token = token;
    return is_word(token, "U") || parse_at_linear(&there, &kind) || parse_at_leads_to(&there);
}

static bool begins_operand(const struct parser *parser, const struct token *token)
{
    return token->kind == TOKEN_NAME ? !is_between(parser, token) : parse_begins_operand(token->kind);
}

/* Is there a U directly between the bracket at `token` and the one that closes it? (A semicolon may stand between the
 * variables of a quantifier.) */
static bool has_until(const struct token *token)
{
    uint32_t depth = 0;
    for (; token->kind != TOKEN_EOF; token++) {
        if (token->kind == TOKEN_OPEN_BRACKET || token->kind == TOKEN_OPEN_PAREN)
            depth++;
        else if (token->kind == TOKEN_CLOSE_BRACKET || token->kind == TOKEN_CLOSE_PAREN)
            depth--;
        else if (depth == 1 && is_word(token, "U"))
            return true;
        if (!depth)
            return false;
    }
    return false;
}

static bool at_until(const struct parser *parser)
{
    const struct token *next = parse_ahead(parser, 1);
    return (is_word(parser->token, "A") || is_word(parser->token, "E")) && next->kind == TOKEN_OPEN_BRACKET &&
           has_until(next);
}

bool parse_at_temporal(const struct parser *parser)
{
    if (!parser->is_temporal || !parse_at(parser, TOKEN_NAME))
        return false;
    return at_until(parser) ||
           (find_unary(parser, parser->token->text) >= 0 && begins_operand(parser, parse_ahead(parser, 1)));
}

static void parse_until(struct parser *parser, struct ast_expr *expr)
{
    expr->value = is_word(parser->token, "A") ? CTL_AU : CTL_EU;
    if (parser->is_linear &&
        syntax_error(&parser->syntax, parser->token->span,
                     "\"%s[... U ...]\" is an operator of branching time (ctl), not of ltl", parser->token->text))
        diag_hint(parser->syntax.diagnostics, "an ltl formula is about all runs: write f U g");
    parse_advance(parser);
    parse_expect(parser, TOKEN_OPEN_BRACKET, "after the path quantifier");
    expr->left = parse_expr(parser);
    if (is_word(parser->token, "U"))
        parse_advance(parser);
    else
        parse_unexpected(parser, "\"U\"");
    expr->right = parse_expr(parser);
    parse_expect(parser, TOKEN_CLOSE_BRACKET, "to match the \"[\"");
    parse_add_child(parser, expr, expr->right);
}

struct ast_expr *parse_temporal(struct parser *parser)
{
    struct span start = parser->token->span;
    struct ast_expr *expr = parse_new_expr(parser, AST_TEMPORAL, start);
    if (at_until(parser)) {
        parse_until(parser, expr);
    } else {
        expr->value = unary[find_unary(parser, parser->token->text)].kind;
        parse_advance(parser);
        expr->left = parse_comparison(parser);
    }
    parse_add_child(parser, expr, expr->left);
    expr->span = span_join(start, parse_previous_span(parser));
    return expr;
}

struct ast_expr *parse_new_temporal(struct parser *parser, enum ctl_kind kind, struct ast_expr *left,
                                    struct ast_expr *right, struct span span)
{
    struct ast_expr *expr = parse_new_expr(parser, AST_TEMPORAL, span);
    expr->value = kind;
    expr->left = left;
    expr->right = right;
    parse_add_child(parser, expr, left);
    if (right)
        parse_add_child(parser, expr, right);
    return expr;
}
