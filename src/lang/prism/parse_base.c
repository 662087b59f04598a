#include <string.h>

#include "lang/prism/parse.h"

void prism_advance(struct prism_parser *parser)
{
    if (parser->token->kind != PRISM_EOF)
        parser->token++;
}

const struct prism_token *prism_ahead(const struct prism_parser *parser, size_t distance)
{
    const struct prism_token *token = parser->token;
    for (; distance && token->kind != PRISM_EOF; distance--)
        token++;
    return token;
}

bool prism_at(const struct prism_parser *parser, enum prism_token_kind kind)
{
    return parser->token->kind == kind;
}

bool prism_take(struct prism_parser *parser, enum prism_token_kind kind)
{
    if (parser->syntax.lost || parser->token->kind != kind)
        return false;
    prism_advance(parser);
    return true;
}

void prism_unexpected(struct prism_parser *parser, const char *what)
{
    syntax_error(&parser->syntax, parser->token->span, "expected %s, found %s", what,
                 prism_token_describe(parser->token, parser->arena));
}

/* Where a formula was to end: operators as other tools write them, and U after U. */
static void hint_formula(struct prism_parser *parser)
{
    const struct prism_token *before = parser->token > parser->tokens ? parser->token - 1 : parser->token;
    const char *word = before->kind == PRISM_NAME ? before->text : "";
    if (prism_at(parser, PRISM_ARROW))
        diag_hint(parser->syntax.diagnostics, "\"->\" is written =>");
    else if (prism_at(parser, WORD_U) || prism_at(parser, WORD_W))
        diag_hint(parser->syntax.diagnostics, "use parentheses: a U (b U c)");
    else if (*word && strspn(word, "XFG") == strlen(word) && strlen(word) == 2)
        diag_hint(parser->syntax.diagnostics, "\"%s\" is written %c %c", word, word[0], word[1]);
}

bool prism_expect(struct prism_parser *parser, enum prism_token_kind kind, const char *where)
{
    if (prism_take(parser, kind))
        return true;
    if (parser->syntax.lost)
        return false;
    bool is_separator = kind == PRISM_SEMICOLON || kind == PRISM_COMMA;
    struct span found = parser->token->span;
    struct span span =
        is_separator && parser->token > parser->tokens ? syntax_gap(parser->token[-1].span, found) : found;
    if (syntax_error(&parser->syntax, span, "expected \"%s\" %s, found %s", prism_token_spelling(kind), where,
                     prism_token_describe(parser->token, parser->arena)) &&
        parser->allows_properties)
        hint_formula(parser);
    return false;
}

static bool at_landmark(const struct prism_parser *parser)
{
    switch (parser->token->kind) {
    case PRISM_EOF:
    case PRISM_SEMICOLON:
    case WORD_CONST:
    case WORD_FORMULA:
    case WORD_GLOBAL:
    case WORD_LABEL:
    case WORD_MODULE:
    case WORD_ENDMODULE:
    case WORD_REWARDS:
    case WORD_ENDREWARDS:
    case WORD_SYSTEM:
    case WORD_ENDSYSTEM:
    case WORD_ENDINIT:
        return true;
    default:
        return false;
    }
}

static bool expect_text(struct prism_parser *parser, enum prism_token_kind kind, struct prism_name *name,
                        const char *what)
{
    if (parser->syntax.lost)
        return false;
    if (!prism_at(parser, kind)) {
        bool is_word = parser->token->kind >= PRISM_FIRST_WORD;
        prism_unexpected(parser, what);
        if (is_word && kind == PRISM_NAME)
            diag_hint(parser->syntax.diagnostics, "\"%s\" is a word of the language and cannot be used as a name",
                      parser->token->text);
        if (!is_word || kind != PRISM_NAME || at_landmark(parser))
            return false;
        parser->syntax.lost = false; /* it was meant as a name: what follows is no other mistake */
    }
    *name = (struct prism_name){parser->token->text, parser->token->span};
    prism_advance(parser);
    return true;
}

bool prism_expect_name(struct prism_parser *parser, struct prism_name *name, const char *what)
{
    return expect_text(parser, PRISM_NAME, name, what);
}

bool prism_expect_quoted(struct prism_parser *parser, struct prism_name *name, const char *what)
{
    return expect_text(parser, PRISM_QUOTED, name, what);
}

void prism_recover(struct prism_parser *parser)
{
    while (!at_landmark(parser))
        prism_advance(parser);
    parser->syntax.lost = parser->is_over;
    prism_take(parser, PRISM_SEMICOLON);
}

void prism_skip_rest(struct prism_parser *parser)
{
    parser->is_over = true;
    while (!prism_at(parser, PRISM_EOF))
        prism_advance(parser);
}
