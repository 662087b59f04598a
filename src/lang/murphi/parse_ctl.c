/* Temporal operators. Their words are names like any other outside ctl properties; inside they are operators where an
 * operand follows, and A[ and E[ where a U stands between the brackets: a model may have an array A, or a variable AF.
 */
#include <string.h>

#include "lang/murphi/parse.h"

static const struct {
    const char *word;
    enum ctl_kind kind;
} unary[] = {
    {"EX", CTL_EX}, {"EF", CTL_EF}, {"EG", CTL_EG}, {"AX", CTL_AX},
    {"AF", CTL_AF}, {"AG", CTL_AG}, {"EY", CTL_EY}, {"EP", CTL_EP},
};

static int find_unary(const char *word)
{
    for (size_t i = 0; i < sizeof unary / sizeof *unary; i++)
        if (!strcmp(word, unary[i].word))
            return (int)i;
    return -1;
}

static bool is_word(const struct token *token, const char *word)
{
    return token->kind == TOKEN_NAME && !strcmp(token->text, word);
}

static bool begins_operand(const struct token *token)
{
    return token->kind == TOKEN_NAME ? strcmp(token->text, "U") != 0 : parse_begins_operand(token->kind);
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
    return at_until(parser) || (find_unary(parser->token->text) >= 0 && begins_operand(parse_ahead(parser, 1)));
}

static void parse_until(struct parser *parser, struct ast_expr *expr)
{
    expr->value = is_word(parser->token, "A") ? CTL_AU : CTL_EU;
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
        expr->value = unary[find_unary(parser->token->text)].kind;
        parse_advance(parser);
        expr->left = parse_comparison(parser);
    }
    parse_add_child(parser, expr, expr->left);
    expr->span = span_join(start, parse_previous_span(parser));
    return expr;
}
