#include "lang/murphi/foreign.h"

void parse_advance(struct parser *parser)
{
    if (parser->token->kind != TOKEN_EOF)
        parser->token++;
}

const struct token *parse_ahead(const struct parser *parser, size_t distance)
{
    const struct token *token = parser->token;
    for (; distance && token->kind != TOKEN_EOF; distance--)
        token++;
    return token;
}

struct span parse_previous_span(const struct parser *parser)
{
    return parser->token > parser->tokens ? parser->token[-1].span : parser->token->span;
}

bool parse_at(const struct parser *parser, enum token_kind kind)
{
    return parser->token->kind == kind;
}

bool parse_at_soft(const struct parser *parser, enum token_kind soft)
{
    return parser->token->kind == TOKEN_NAME && parser->token->soft == soft;
}

bool parse_take(struct parser *parser, enum token_kind kind)
{
    if (parser->syntax.lost || parser->token->kind != kind)
        return false;
    parse_advance(parser);
    return true;
}

void parse_unexpected(struct parser *parser, const char *what)
{
    if (syntax_error(&parser->syntax, parser->token->span, "expected %s, found %s", what,
                     token_describe(parser->token, parser->arena)))
        hint_foreign_word(parser);
}

static void hint_confusion(struct parser *parser, enum token_kind wanted)
{
    enum token_kind found = parser->token->kind;
    if (wanted == TOKEN_ASSIGN && found == TOKEN_EQ)
        diag_hint(parser->syntax.diagnostics, "write := to assign");
    else if (wanted == TOKEN_LONG_ARROW && found == TOKEN_IMPLIES)
        diag_hint(parser->syntax.diagnostics, "the guard of a rule ends with ==>");
    else if (wanted == TOKEN_SEMICOLON && found == TOKEN_LONG_ARROW)
        diag_hint(parser->syntax.diagnostics, "a guard stands before ==> and compares with =");
    else if (wanted == TOKEN_SEMICOLON && found == TOKEN_EQ)
        diag_hint(parser->syntax.diagnostics, "write := to assign");
    else if (wanted == TOKEN_ASSIGN)
        hint_foreign_assignment(parser);
    else if (wanted == TOKEN_COLON && found == TOKEN_NAME)
        diag_hint(parser->syntax.diagnostics, "the name stands before the type: NAME: TYPE;");
    else
        hint_foreign_word(parser);
}

bool parse_expect(struct parser *parser, enum token_kind kind, const char *where)
{
    if (parse_take(parser, kind))
        return true;
    if (parser->syntax.lost)
        return false;
    bool is_separator = kind == TOKEN_SEMICOLON || kind == TOKEN_COMMA;
    struct span found = parser->token->span;
    struct span span = is_separator ? syntax_gap(parse_previous_span(parser), found) : found;
    if (syntax_error(&parser->syntax, span, "expected \"%s\" %s, found %s", token_kind_spelling(kind), where,
                     token_describe(parser->token, parser->arena)))
        hint_confusion(parser, kind);
    return false;
}

bool parse_expect_name(struct parser *parser, struct ast_name *name, const char *what)
{
    if (parser->syntax.lost)
        return false;
    if (!parse_at(parser, TOKEN_NAME)) {
        bool is_keyword = parser->token->kind >= KEY_ALIAS;
        if (syntax_error(&parser->syntax, parser->token->span, "expected %s, found %s", what,
                         token_describe(parser->token, parser->arena)) &&
            is_keyword)
            diag_hint(parser->syntax.diagnostics, "\"%s\" is a keyword and cannot be used as a name",
                      parser->token->text);
        return false;
    }
    *name = (struct ast_name){parser->token->text, parser->token->span};
    parse_advance(parser);
    return true;
}

bool parse_at_block_end(const struct parser *parser)
{
    enum token_kind kind = parser->token->kind;
    return kind == TOKEN_EOF || (kind >= KEY_ELSE && kind <= KEY_ENDWHILE) || kind == KEY_CASE ||
           parse_at_soft(parser, SOFT_ENDCHOOSE);
}

bool parse_at_item_start(const struct parser *parser)
{
    enum token_kind kind = parser->token->kind;
    return kind == KEY_RULE || kind == KEY_RULESET || kind == KEY_STARTSTATE || kind == KEY_INVARIANT ||
           kind == KEY_FUNCTION || kind == KEY_PROCEDURE;
}

/* What follows a word that should be an operator is not reported once more. */
static void skip_to_end(struct parser *parser)
{
    while (!parse_at(parser, KEY_END) && !parse_at(parser, TOKEN_SEMICOLON) && !parse_at(parser, TOKEN_EOF))
        parse_advance(parser);
    if (parse_at(parser, KEY_END))
        parse_advance(parser);
}

void parse_end(struct parser *parser, enum token_kind long_form, enum token_kind other_form, struct span opener,
               const char *construct)
{
    if (parser->syntax.lost)
        return;
    if (parse_at(parser, KEY_END) || parse_at(parser, long_form) || parse_at(parser, other_form) ||
        parse_at_soft(parser, long_form)) {
        parse_advance(parser);
        return;
    }
    if (!syntax_error(&parser->syntax, parser->token->span, "expected \"end\" for the %s of line %u, found %s",
                      construct, opener.line, token_describe(parser->token, parser->arena)))
        return;
    if (parse_at(parser, TOKEN_NAME) && foreign_word(parser->token->text)) {
        hint_foreign_word(parser);
        skip_to_end(parser);
    } else if (parser->saw_else_if)
        diag_hint(parser->syntax.diagnostics, "\"else if\" needs an end of its own; \"elsif\" does not");
    else
        diag_hint(parser->syntax.diagnostics, "\"end\" or \"%s\" closes it", token_kind_spelling(long_form));
    if (parser->token->kind > KEY_END && parser->token->kind <= KEY_ENDWHILE) {
        parser->syntax.lost = false; /* an end, only the wrong one */
        parse_advance(parser);
    }
}

void parse_do(struct parser *parser)
{
    if (!parse_take(parser, TOKEN_COLON))
        parse_expect(parser, KEY_DO, "here");
}

void parse_skip_semicolons(struct parser *parser)
{
    while (parse_take(parser, TOKEN_SEMICOLON))
        ;
}

void parse_recover(struct parser *parser)
{
    while (!parse_at(parser, TOKEN_SEMICOLON) && !parse_at_block_end(parser) && !parse_at_item_start(parser) &&
           !parse_at_decl(parser))
        parse_advance(parser);
    parser->syntax.lost = false;
    parse_skip_semicolons(parser);
}
