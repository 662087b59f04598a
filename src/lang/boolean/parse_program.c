#include <stdlib.h>
#include <string.h>

#include "lang/boolean/parse.h"

/* Where a statement can begin. */
static bool begins_statement(const struct bp_token *tokens, size_t i)
{
    if (!i)
        return false;
    enum bp_token_kind before = tokens[i - 1].kind;
    return before == BP_SEMICOLON || before == BP_BEGIN || before == BP_THEN || before == BP_ELSE || before == BP_DO;
}

/* Does some statement have a number for a label? */
static bool has_numbered_lines(const struct bp_tokens *tokens)
{
    for (size_t i = 0; i + 1 < tokens->count; i++)
        if (tokens->items[i].kind == BP_NUMBER && tokens->items[i + 1].kind == BP_COLON &&
            begins_statement(tokens->items, i))
            return true;
    return false;
}

/* void, bool, bool<2>: how many values. */
static bool parse_results(struct bp_parser *parser, uint32_t *count)
{
    *count = bp_at(parser, BP_BOOL);
    if (bp_take(parser, BP_VOID))
        return true;
    if (!bp_take(parser, BP_BOOL)) {
        bp_unexpected(parser, "decl, void or bool");
        return false;
    }
    if (!bp_take(parser, BP_LESS))
        return true;
    unsigned long number = strtoul(parser->token->text, NULL, 10);
    if (bp_at(parser, BP_NUMBER) && (!number || number > BP_MAX_DEPTH))
        syntax_error(&parser->syntax, parser->token->span, "a procedure returns between 1 and %d values", BP_MAX_DEPTH);
    *count = (uint32_t)number;
    if (!bp_take(parser, BP_NUMBER))
        bp_unexpected(parser, "the number of values");
    return !parser->syntax.lost && bp_expect(parser, BP_GREATER, "after the number of values");
}

static void parse_procedure(struct bp_parser *parser)
{
    struct bp_procedure *procedure = ARENA_NEW(parser->arena, struct bp_procedure);
    bp_take(parser, BP_DFS);
    if (!parse_results(parser, &procedure->result_count) ||
        !bp_expect_name(parser, "the name of a procedure", &procedure->name) ||
        !bp_expect(parser, BP_OPEN, "before the parameters"))
        return;
    procedure->id = (uint32_t)parser->program->procedures.count;
    VEC_PUSH(&parser->program->procedures, procedure);
    parser->procedure = procedure;
    if (!bp_at(parser, BP_CLOSE))
        bp_parse_variables(parser, true);
    if (!parser->syntax.lost && bp_expect(parser, BP_CLOSE, "after the parameters") &&
        bp_expect(parser, BP_BEGIN, "before the body"))
        bp_parse_body(parser);
    parser->procedure = NULL;
    parser->step = NULL;
}

static void parse_globals(struct bp_parser *parser)
{
    bp_advance(parser);
    bp_parse_variables(parser, false);
    if (!parser->syntax.lost)
        bp_expect(parser, BP_SEMICOLON, "after the variables");
}

/* To the next declaration. */
static void recover(struct bp_parser *parser)
{
    while (!bp_at(parser, BP_DECL) && !bp_at(parser, BP_VOID) && !bp_at(parser, BP_BOOL) && !bp_at(parser, BP_EOF))
        bp_advance(parser);
    parser->syntax.lost = false;
}

void bp_parse(struct arena *arena, const struct source *source, const struct bp_tokens *tokens,
              struct diagnostics *diagnostics, struct bp_program *program)
{
    struct bp_parser parser = {.arena = arena,
                               .syntax = {diagnostics, .most = BP_MAX_DEPTH},
                               .source = source,
                               .token = tokens->items,
                               .tokens = tokens->items,
                               .program = program};
    program->is_numbered = has_numbered_lines(tokens);
    while (!bp_at(&parser, BP_EOF) && !diag_is_late(diagnostics)) {
        const struct bp_token *first = parser.token;
        if (bp_at(&parser, BP_DECL))
            parse_globals(&parser);
        else
            parse_procedure(&parser);
        if (parser.token == first)
            bp_advance(&parser);
        if (parser.syntax.lost)
            recover(&parser);
    }
}
