/* Operators of linear time as SPIN, TLA+, PRISM and specification patterns write them. */
#include <string.h>
#include <strings.h>

#include "lang/murphi/foreign.h"

/* Signs that are two tokens here, or one with another meaning. */
static const struct {
    enum token_kind first, second; /* second TOKEN_EOF: it is one token */
    const char *sign, *murphi;
} signs[] = {
    {TOKEN_OPEN_BRACKET, TOKEN_CLOSE_BRACKET, "[]", "G"},
    {TOKEN_LT, TOKEN_GT, "<>", "F"},
    {TOKEN_TILDE, TOKEN_GT, "~>", "leadsto"},
    {TOKEN_DOUBLE_ARROW, TOKEN_EOF, "=>", "->"},
    {TOKEN_LONG_ARROW, TOKEN_EOF, "==>", "->"},
};

static const struct {
    const char *word, *murphi;
} prefixes[] =
    {
        {"always", "G"}, {"globally", "G"}, {"henceforth", "G"}, {"eventually", "F"}, {"finally", "F"},
        {"future", "F"}, {"next", "X"},     {"GF", "G F"},       {"FG", "F G"},       {"GX", "G X"},
        {"XG", "X G"},   {"FX", "F X"},     {"XF", "X F"},       {"XX", "X X"},
},
  infixes[] = {
      {"leads_to", "leadsto"}, {"implies", "->"}, {"until", "U"},
      {"weakuntil", "W"},      {"release", "R"},  {"releases", "R"},
};

const char *foreign_prefix(const char *text)
{
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (!strcasecmp(text, prefixes[i].word))
            return prefixes[i].murphi;
    return NULL;
}

static const char *foreign_infix(const struct token *token)
{
    for (size_t i = 0; token->kind == TOKEN_NAME && i < sizeof infixes / sizeof *infixes; i++)
        if (!strcasecmp(token->text, infixes[i].word))
            return infixes[i].murphi;
    return NULL;
}

static bool hint_sign(struct parser *parser)
{
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (parse_at(parser, signs[i].first) &&
            (signs[i].second == TOKEN_EOF || parse_ahead(parser, 1)->kind == signs[i].second)) {
            diag_hint(parser->syntax.diagnostics, "\"%s\" is written %s", signs[i].sign, signs[i].murphi);
            return true;
        }
    return false;
}

/* An operator of linear time where branching time is meant: what it may mean there; or NULL. */
static const char *branching_of(const char *text)
{
    static const char *const meant[][2] = {
        {"F", "AF or EF"}, {"G", "AG or EG"}, {"X", "AX or EX"}, {"GF", "AG AF or AG EF"}, {"FG", "AF AG or EF AG"}};
    for (size_t i = 0; i < sizeof meant / sizeof *meant; i++)
        if (!strcmp(text, meant[i][0]))
            return meant[i][1];
    return NULL;
}

/* The word before the current token, which is not an operator but was meant as one; or NULL. */
static const struct token *prefix_before(const struct parser *parser)
{
    const struct token *before = parser->token > parser->tokens ? parser->token - 1 : NULL;
    const char *(*meant)(const char *) = parser->is_linear ? foreign_prefix : branching_of;
    bool is_prefix = before && before->kind == TOKEN_NAME && meant(before->text);
    bool is_operand =
        parse_at(parser, TOKEN_NAME) ? parser->token->soft == TOKEN_EOF : parse_begins_operand(parser->token->kind);
    return is_prefix && is_operand ? before : NULL;
}

void hint_foreign_formula(struct parser *parser)
{
    const struct token *prefix = prefix_before(parser);
    const char *infix = foreign_infix(parser->token);
    if (!parser->is_linear) {
        if (prefix)
            diag_hint(parser->syntax.diagnostics, "%s is an operator of ltl properties; in a ctl property write %s",
                      prefix->text, branching_of(prefix->text));
        return;
    }
    if (hint_sign(parser))
        return;
    if (infix)
        diag_hint(parser->syntax.diagnostics, "\"%s\" is written %s", parser->token->text, infix);
    else if (prefix)
        diag_hint(parser->syntax.diagnostics, "\"%s\" is written %s", prefix->text, foreign_prefix(prefix->text));
}

bool at_foreign_formula(const struct parser *parser)
{
    if (!parser->is_linear)
        return prefix_before(parser) != NULL;
    bool is_sign = parse_at(parser, TOKEN_DOUBLE_ARROW) || parse_at(parser, TOKEN_LONG_ARROW) ||
                   (parse_at(parser, TOKEN_TILDE) && parse_ahead(parser, 1)->kind == TOKEN_GT);
    return is_sign || foreign_infix(parser->token) || prefix_before(parser);
}
