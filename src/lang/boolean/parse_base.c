#include "lang/boolean/parse.h"

void bp_advance(struct bp_parser *parser)
{
    if (parser->token->kind != BP_EOF)
        parser->token++;
}

bool bp_at(const struct bp_parser *parser, enum bp_token_kind kind)
{
    return parser->token->kind == kind;
}

bool bp_take(struct bp_parser *parser, enum bp_token_kind kind)
{
    if (!bp_at(parser, kind))
        return false;
    bp_advance(parser);
    return true;
}

void bp_unexpected(struct bp_parser *parser, const char *what)
{
    syntax_error(&parser->syntax, parser->token->span, "expected %s, found %s", what,
                 bp_token_describe(parser->token, parser->arena));
}

bool bp_expect(struct bp_parser *parser, enum bp_token_kind kind, const char *where)
{
    if (bp_take(parser, kind))
        return true;
    bp_unexpected(parser, arena_format(parser->arena, "\"%s\" %s", bp_token_spelling(kind), where));
    return false;
}

bool bp_expect_name(struct bp_parser *parser, const char *what, struct bp_name *name)
{
    *name = (struct bp_name){parser->token->text, parser->token->span};
    if (bp_take(parser, BP_IDENTIFIER))
        return true;
    bp_unexpected(parser, what);
    return false;
}
