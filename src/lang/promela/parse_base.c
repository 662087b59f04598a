#include <string.h>

#include "lang/promela/parse.h"

void pml_advance(struct pml_parser *parser)
{
    if (parser->token->kind != PMT_EOF)
        parser->token++;
}

bool pml_at(const struct pml_parser *parser, enum pml_token_kind kind)
{
    return !parser->syntax.lost && parser->token->kind == kind;
}

bool pml_at_word(const struct pml_parser *parser, const char *text)
{
    return pml_at(parser, PMT_NAME) && !strcmp(parser->token->text, text);
}

bool pml_take(struct pml_parser *parser, enum pml_token_kind kind)
{
    if (!pml_at(parser, kind))
        return false;
    pml_advance(parser);
    return true;
}

static bool is_inserted(const struct pml_token *token)
{
    return token->kind == PMT_SEMI && token->text[0] != ';';
}

bool pml_unexpected(struct pml_parser *parser, const char *what)
{
    const char *found =
        is_inserted(parser->token) ? "the end of the statement" : pml_token_describe(parser->token, parser->arena);
    bool is_new = syntax_error(&parser->syntax, parser->token->span, "expected %s, found %s", what, found);
    if (is_new)
        pml_hint_foreign(parser);
    return is_new;
}

void pml_refuse_c(struct pml_parser *parser)
{
    if (syntax_error(&parser->syntax, parser->token->span, "embedded C (%s) is not supported", parser->token->text))
        diag_hint(parser->syntax.diagnostics, "what it does must be written in Promela");
}

bool pml_expect(struct pml_parser *parser, enum pml_token_kind kind, const char *where)
{
    if (pml_take(parser, kind))
        return true;
    pml_unexpected(parser, arena_format(parser->arena, "\"%s\" %s", pml_token_spelling(kind), where));
    return false;
}

bool pml_close_parenthesis(struct pml_parser *parser)
{
    bool is_receive = pml_at(parser, PMT_RECEIVE) || pml_at(parser, PMT_RANDOM_RECEIVE);
    if (pml_take(parser, PMT_CLOSE))
        return true;
    if (pml_unexpected(parser, "\")\" to close the parenthesis") && is_receive)
        diag_hint(parser->syntax.diagnostics,
                  "an expression does not receive: q?[1] asks whether a message that matches comes first in q");
    return false;
}

const char *pml_expect_name(struct pml_parser *parser, const char *what)
{
    const char *name = parser->token->text;
    if (pml_take(parser, PMT_NAME))
        return name;
    if (pml_unexpected(parser, what) && pml_token_is_word(parser->token))
        diag_hint(parser->syntax.diagnostics, "\"%s\" is a word of the language", name);
    return NULL;
}

/* Blanks and comments inside a token's text (a macro with arguments on several lines) become one blank. */
static void append_squeezed(struct text *text, const char *from, const char *to)
{
    for (; from < to; from++) {
        bool is_blank = *from == ' ' || (*from >= '\t' && *from <= '\r');
        if (!is_blank)
            text_char(text, *from);
        else if (text->length && text->chars[text->length - 1] != ' ')
            text_char(text, ' ');
    }
}

const char *pml_shown(struct pml_parser *parser, const struct pml_token *first)
{
    struct text text = {0};
    uint32_t use = 0;
    for (const struct pml_token *token = first; token < parser->token; token++) {
        if (token->use && token->use == use)
            continue;
        use = token->use;
        if (token != first && token->has_blank)
            text_char(&text, ' ');
        const char *chars = token->span.source->text;
        append_squeezed(&text, chars + token->from, chars + token->to);
    }
    const char *shown = arena_string(parser->arena, text_chars(&text));
    text_free(&text);
    return shown;
}

struct span pml_span_from(const struct pml_parser *parser, const struct pml_token *first)
{
    return parser->token > first ? span_join(first->span, parser->token[-1].span) : first->span;
}
