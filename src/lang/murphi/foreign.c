#include "lang/murphi/foreign.h"

#include <strings.h>

struct foreign {
    const char *word, *murphi;
};

static const struct foreign foreign_words[] = {
    {"not", "!"},
    {"and", "&"},
    {"or", "|"},
    {"mod", "%"},
    {"div", "/"},
    {"bool", "boolean"},
    {"int", "as a range"},
    {"integer", "as a range"},
    {"queue", "as an array or a multiset"},
    {"list", "as an array or a multiset"},
    {"set", "as an array of boolean"},
    {"map", "as an array"},
    {"string", "as an enum"},
};

const char *foreign_word(const char *text)
{
    for (size_t i = 0; i < sizeof foreign_words / sizeof *foreign_words; i++)
        if (!strcasecmp(text, foreign_words[i].word))
            return foreign_words[i].murphi;
    return NULL;
}

void hint_foreign_word(struct parser *parser)
{
    const char *murphi = parse_at(parser, TOKEN_NAME) ? foreign_word(parser->token->text) : NULL;
    if (murphi)
        diag_hint(parser->syntax.diagnostics, "\"%s\" is written %s", parser->token->text, murphi);
    else if (parser->is_temporal)
        hint_foreign_formula(parser);
}

/* Two names side by side are no expression; not(x) is a call, and refused as one. */
bool at_foreign_not(const struct parser *parser)
{
    const struct token *next = parse_ahead(parser, 1);
    bool is_name = next->kind == TOKEN_NAME && next->soft == TOKEN_EOF;
    bool is_operand = next->kind != TOKEN_OPEN_PAREN && parse_begins_operand(next->kind);
    return parse_at(parser, TOKEN_NAME) && !strcasecmp(parser->token->text, "not") && (is_name || is_operand);
}

/* Does a comment begin where the last token ends? */
static bool is_before_comment(const struct parser *parser)
{
    struct span span = parse_previous_span(parser);
    size_t length;
    const char *line = source_line(span, &length);
    size_t end = span.column - 1 + span.length;
    return end + 2 <= length && line[end] == '-' && line[end + 1] == '-';
}

void hint_foreign_assignment(struct parser *parser)
{
    enum token_kind found = parser->token->kind, next = parse_ahead(parser, 1)->kind;
    bool is_operator = found >= TOKEN_PLUS && found <= TOKEN_PERCENT;
    if (is_operator && (next == found || next == TOKEN_EQ))
        diag_hint(parser->syntax.diagnostics, "there is only :=, as in x := x + 1");
    else if (is_before_comment(parser))
        diag_hint(parser->syntax.diagnostics, "\"--\" begins a comment; write x := x - 1");
}
