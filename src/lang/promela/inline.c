#include <string.h>

#include "lang/promela/parse.h"
#include "lang/promela/preprocess.h"
#include "lang/promela/separators.h"

static void parse_parameters(struct pml_parser *parser, struct pml_inline *made)
{
    pml_expect(parser, PMT_OPEN, "after the name of the inline");
    while (!parser->syntax.lost && !pml_at(parser, PMT_CLOSE)) {
        const char *name = pml_expect_name(parser, "the name of a parameter");
        VEC_PUSH(&made->parameters, name);
        if (!pml_take(parser, PMT_COMMA))
            break;
    }
    pml_expect(parser, PMT_CLOSE, "after the parameters");
}

static void skip_body(struct pml_parser *parser, struct pml_inline *made)
{
    uint32_t depth = 0;
    made->body = parser->token;
    do {
        depth += pml_at(parser, PMT_OPEN_BRACE);
        depth -= pml_at(parser, PMT_CLOSE_BRACE);
        if (pml_at(parser, PMT_EOF))
            syntax_error(&parser->syntax, made->span, "the body of the inline \"%s\" does not end", made->name);
        pml_advance(parser);
    } while (!parser->syntax.lost && depth);
    made->count = (size_t)(parser->token - made->body);
}

void pml_parse_inline(struct pml_parser *parser)
{
    struct pml_inline *made = ARENA_NEW(parser->arena, struct pml_inline);
    pml_advance(parser);
    made->span = parser->token->span;
    made->name = pml_expect_name(parser, "the name of the inline");
    if (!parser->syntax.lost && pml_find_inline(parser, made->name))
        report_error(parser->syntax.diagnostics, made->span, "the inline \"%s\" is declared already", made->name);
    pml_note_named(parser, NAME_ROUTINE, &parser->inlines, made->name, made->span);
    VEC_PUSH(&parser->inlines, made);
    parse_parameters(parser, made);
    pml_take(parser, PMT_SEMI);
    if (!parser->syntax.lost && !pml_at(parser, PMT_OPEN_BRACE))
        pml_unexpected(parser, "\"{\" before the body of the inline");
    if (!parser->syntax.lost)
        skip_body(parser, made);
}

/* ( a, b ): the tokens of each. */
static void take_arguments(struct pml_parser *parser, struct pml_token_lists *list)
{
    uint32_t depth = 1;
    pml_advance(parser);
    if (pml_take(parser, PMT_CLOSE))
        return;
    VEC_PUSH(list, (struct pml_tokens){0});
    for (;; pml_advance(parser)) {
        depth += pml_at(parser, PMT_OPEN);
        depth -= pml_at(parser, PMT_CLOSE);
        if (!depth)
            break;
        if (pml_at(parser, PMT_EOF)) {
            pml_unexpected(parser, "\")\" after the arguments of the inline");
            return;
        }
        if (depth == 1 && pml_at(parser, PMT_COMMA))
            VEC_PUSH(list, (struct pml_tokens){0});
        else
            VEC_PUSH(&VEC_LAST(list), *parser->token);
    }
    pml_advance(parser);
}

static size_t find_parameter(const struct pml_inline *used, const struct pml_token *token)
{
    for (size_t i = 0; token->kind == PMT_NAME && i < used->parameters.count; i++)
        if (!strcmp(used->parameters.items[i], token->text))
            return i;
    return SIZE_MAX;
}

static void substitute(const struct pml_inline *used, const struct pml_token_lists *arguments, struct pml_tokens *out)
{
    for (size_t i = 0; i < used->count; i++) {
        const struct pml_token *token = &used->body[i];
        size_t parameter = find_parameter(used, token);
        if (parameter == SIZE_MAX) {
            VEC_PUSH(out, *token);
            continue;
        }
        const struct pml_tokens *argument = &arguments->items[parameter];
        for (size_t j = 0; j < argument->count; j++) {
            struct pml_token copy = argument->items[j];
            copy.has_line = !j && token->has_line;
            copy.has_blank = j ? copy.has_blank : token->has_blank;
            VEC_PUSH(out, copy);
        }
    }
}

static bool check_use(struct pml_parser *parser, const struct pml_inline *used, const struct pml_token_lists *arguments,
                      struct span span)
{
    if (parser->syntax.lost)
        return false;
    if (used->is_busy || parser->inline_depth >= PML_MAX_INLINES) {
        syntax_error(&parser->syntax, span,
                     used->is_busy ? "the inline \"%s\" uses itself" : "inlines are nested too deep", used->name);
        return false;
    }
    if (arguments->count == used->parameters.count)
        return true;
    syntax_error(&parser->syntax, span, "the inline \"%s\" has %zu parameter%s, and is given %zu", used->name,
                 used->parameters.count, used->parameters.count == 1 ? "" : "s", arguments->count);
    return false;
}

static const struct pml_token *expand(struct pml_parser *parser, const struct pml_inline *used,
                                      const struct pml_token_lists *arguments, const struct pml_token *end)
{
    struct pml_tokens raw = {0}, separated = {0};
    substitute(used, arguments, &raw);
    pml_separate_body(&raw, &separated);
    VEC_FREE(&raw);
    struct pml_token mark = *end;
    mark.kind = PMT_EOF;
    mark.text = "";
    VEC_PUSH(&separated, mark);
    VEC_PUSH(&parser->expansions, separated);
    if (separated.count > PML_MAX_TOKENS - parser->expanded)
        syntax_error(&parser->syntax, end->span, "the inlines expand to more than %d tokens", PML_MAX_TOKENS);
    else
        parser->expanded += (uint32_t)separated.count;
    return separated.items;
}

/* The body is a block of its own. */
static void parse_body(struct pml_parser *parser, struct pml_inline *used, const struct pml_token *tokens,
                       struct pml_place *result, struct pml_stmt *stmt)
{
    const struct pml_token *back = parser->token;
    struct pml_inline *outer = parser->inlined;
    struct pml_place *outer_result = parser->inline_result;
    parser->token = tokens;
    parser->inlined = used;
    parser->inline_result = result;
    parser->inline_depth++;
    used->is_busy = true;
    pml_parse_block(parser, &stmt->body);
    used->is_busy = false;
    parser->inline_depth--;
    parser->inlined = outer;
    parser->inline_result = outer_result;
    parser->token = back;
}

struct pml_stmt *pml_parse_inline_use(struct pml_parser *parser, struct pml_place *result)
{
    const struct pml_token *first = parser->token;
    struct pml_inline *used = pml_find_inline(parser, first->text);
    struct pml_token_lists arguments = {0};
    struct pml_stmt *stmt = NULL;
    pml_note_named_use(parser, &parser->inlines, first->text, first->span);
    pml_advance(parser);
    take_arguments(parser, &arguments);
    if (check_use(parser, used, &arguments, first->span)) {
        const struct pml_token *tokens = expand(parser, used, &arguments, first);
        stmt = pml_stmt_new(parser, PML_BLOCK, first->span, pml_shown(parser, first));
        if (!parser->syntax.lost)
            parse_body(parser, used, tokens, result, stmt);
        if (!parser->syntax.lost && !stmt->body.count)
            syntax_error(&parser->syntax, first->span, "the inline \"%s\" has no statement", used->name);
    }
    pml_token_lists_free(&arguments);
    return parser->syntax.lost ? NULL : stmt;
}
