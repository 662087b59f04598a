#include <string.h>

#include "lang/promela/parse.h"
#include "ir/language.h"
#include "lang/promela/preprocess.h"
#include "lang/promela/separators.h"

enum { MOST_PROCESSES = 10000 }; /* cast.c may allow fewer */

static struct pml_proctype *new_proctype(struct pml_parser *parser, const char *name, struct span span)
{
    struct pml_proctype *proctype = ARENA_NEW(parser->arena, struct pml_proctype);
    proctype->name = name;
    proctype->span = span;
    parser->proctype = proctype;
    return proctype;
}

static void parse_body(struct pml_parser *parser, struct pml_proctype *proctype)
{
    parser->is_starting = true;
    pml_parse_block(parser, &proctype->body);
    pml_warn_of_else(parser, &proctype->body, 0);
    pml_labels_resolve(parser);
    proctype->end_number = ++parser->numbers;
    parser->is_starting = false;
    parser->proctype = NULL;
}

/* Of a proctype that is not active it means nothing. */
static void parse_priority(struct pml_parser *parser, struct pml_proctype *proctype)
{
    uint32_t priority = pml_parse_priority(parser, proctype->active > 0);
    proctype->priority = proctype->active ? priority : 1;
}

/* active, active [n]: how many. */
static uint32_t parse_active(struct pml_parser *parser)
{
    if (!pml_take(parser, PMT_ACTIVE))
        return 0;
    if (!pml_take(parser, PMT_OPEN_BRACKET))
        return 1;
    const struct pml_token *token = parser->token;
    int64_t count = pml_parse_constant(parser);
    pml_expect(parser, PMT_CLOSE_BRACKET, "after the number of processes");
    if (!parser->syntax.lost && (count < 0 || count > MOST_PROCESSES))
        syntax_error(&parser->syntax, token->span, "the number of processes must be between 0 and %d", MOST_PROCESSES);
    return (uint32_t)count;
}

static void parse_parameters(struct pml_parser *parser, struct pml_proctype *proctype)
{
    pml_expect(parser, PMT_OPEN, "before the parameters");
    parser->is_parameter = true;
    while (!parser->syntax.lost && !pml_at(parser, PMT_CLOSE)) {
        pml_parse_declaration(parser);
        if (!pml_take(parser, PMT_SEMI))
            break;
    }
    parser->is_parameter = false;
    pml_expect(parser, PMT_CLOSE, "after the parameters");
    proctype->parameter_count = (uint32_t)proctype->locals.count;
}

static void parse_proctype(struct pml_parser *parser)
{
    uint32_t active = parse_active(parser);
    bool is_deterministic = pml_take(parser, PMT_D_PROCTYPE);
    if (!is_deterministic && !pml_take(parser, PMT_PROCTYPE))
        pml_unexpected(parser, "\"proctype\" after \"active\"");
    struct span span = parser->token->span;
    const char *name = pml_expect_name(parser, "the name of the proctype");
    if (!name)
        return;
    for (size_t i = 0; i < parser->model->proctypes.count; i++)
        if (!strcmp(parser->model->proctypes.items[i]->name, name))
            report_error(parser->syntax.diagnostics, span, "the proctype \"%s\" is declared already", name);
    struct pml_proctype *proctype = new_proctype(parser, name, span);
    pml_note_named(parser, NAME_MODULE, &parser->model->proctypes, name, span);
    proctype->active = active;
    proctype->is_deterministic = is_deterministic;
    proctype->id = (uint32_t)parser->model->proctypes.count;
    VEC_PUSH(&parser->model->proctypes, proctype);
    pml_scope_begin(parser);
    parse_parameters(parser, proctype);
    parse_priority(parser, proctype);
    if (pml_take(parser, PMT_PROVIDED)) {
        pml_expect(parser, PMT_OPEN, "after \"provided\"");
        proctype->provided = parser->syntax.lost ? NULL : pml_parse_expr(parser);
        pml_expect(parser, PMT_CLOSE, "after the condition");
    }
    if (!parser->syntax.lost)
        parse_body(parser, proctype);
    pml_scope_end(parser);
    parser->proctype = NULL;
}

static void parse_init(struct pml_parser *parser)
{
    struct pml_proctype *proctype = new_proctype(parser, "init", parser->token->span);
    pml_advance(parser);
    for (size_t i = 0; i < parser->model->proctypes.count; i++)
        if (parser->model->proctypes.items[i]->is_init)
            report_error(parser->syntax.diagnostics, proctype->span, "there is an \"init\" already");
    proctype->active = 1;
    proctype->is_init = true;
    proctype->id = (uint32_t)parser->model->proctypes.count;
    VEC_PUSH(&parser->model->proctypes, proctype);
    parse_priority(parser, proctype);
    if (!parser->syntax.lost)
        parse_body(parser, proctype);
}

static void parse_never(struct pml_parser *parser)
{
    const struct pml_token *first = parser->token;
    pml_advance(parser);
    const char *name = pml_at(parser, PMT_NAME) ? parser->token->text : "never";
    pml_take(parser, PMT_NAME);
    if (parser->model->never) {
        syntax_error(&parser->syntax, first->span, "only one never claim is supported");
        return;
    }
    parser->model->never = new_proctype(parser, name, first->span);
    parser->is_claim = true;
    parse_body(parser, parser->model->never);
    parser->is_claim = false;
}

static void parse_trace(struct pml_parser *parser)
{
    const struct pml_token *first = parser->token;
    pml_advance(parser);
    if (parser->model->trace) {
        syntax_error(&parser->syntax, first->span, "only one trace assertion is supported");
        return;
    }
    parser->model->trace = new_proctype(parser, first->text, first->span);
    parser->model->is_notrace = first->kind == PMT_NOTRACE;
    parser->is_trace = true;
    parse_body(parser, parser->model->trace);
    parser->is_trace = false;
    if (!parser->syntax.lost)
        pml_check_events(parser, parser->model->trace);
}

/* Formulas are read when everything else is, as in SPIN: they may name what follows them. */
static void skip_formula(struct pml_parser *parser)
{
    const struct pml_token *first = parser->token;
    VEC_PUSH(&parser->formulas, first);
    pml_advance(parser);
    pml_take(parser, PMT_NAME);
    uint32_t depth = pml_expect(parser, PMT_OPEN_BRACE, "before the formula") ? 1 : 0;
    for (; depth && !parser->syntax.lost; pml_advance(parser)) {
        depth += pml_at(parser, PMT_OPEN_BRACE);
        depth -= pml_at(parser, PMT_CLOSE_BRACE);
        if (pml_at(parser, PMT_EOF))
            syntax_error(&parser->syntax, first->span, "the ltl formula does not end");
    }
}

static void refuse_unit(struct pml_parser *parser)
{
    const struct pml_token *token = parser->token;
    if (token->kind >= PMT_C_CODE && token->kind <= PMT_C_TRACK)
        pml_refuse_c(parser);
    else if (pml_unexpected(parser, "a declaration, a proctype, init, never, trace, ltl or inline")) {
        if (token->kind == PMT_CLOSE_BRACE)
            diag_hint(parser->syntax.diagnostics, "is there a \"}\" too many before this one?");
        else if (token->kind == PMT_NAME && !pml_foreign_word(token->text))
            diag_hint(parser->syntax.diagnostics, "is \"%s\" a type that is not declared?", token->text);
    }
}

static void parse_unit(struct pml_parser *parser)
{
    const struct pml_token *first = parser->token;
    switch (first->kind) {
    case PMT_ACTIVE:
    case PMT_PROCTYPE:
    case PMT_D_PROCTYPE:
        parse_proctype(parser);
        pml_note_part(parser, NAME_MODULE, NULL, first);
        break;
    case PMT_INIT:
        parse_init(parser);
        pml_note_part(parser, NAME_MODULE, "init", first);
        break;
    case PMT_NEVER:
        parse_never(parser);
        pml_note_part(parser, NAME_PROPERTY, "never", first);
        break;
    case PMT_TRACE:
    case PMT_NOTRACE:
        parse_trace(parser);
        break;
    case PMT_LTL:
        skip_formula(parser);
        pml_note_part(parser, NAME_PROPERTY, first[1].kind == PMT_NAME ? first[1].text : "ltl", first);
        break;
    case PMT_INLINE:
        pml_parse_inline(parser);
        pml_note_part(parser, NAME_ROUTINE, first[1].text, first);
        break;
    case PMT_TYPEDEF:
        pml_parse_typedef(parser);
        pml_note_part(parser, NAME_TYPE, first[1].text, first);
        break;
    case PMT_SEMI:
    case PMT_ARROW:
        pml_advance(parser);
        break;
    default:
        if (pml_at_declaration(parser))
            pml_parse_declaration(parser);
        else
            refuse_unit(parser);
    }
}

static void find_proctypes(struct pml_parser *parser, const struct pml_tokens *tokens)
{
    for (size_t i = 0; i + 1 < tokens->count; i++) {
        bool is_proctype = tokens->items[i].kind == PMT_PROCTYPE || tokens->items[i].kind == PMT_D_PROCTYPE;
        if (is_proctype && tokens->items[i + 1].kind == PMT_NAME)
            VEC_PUSH(&parser->proctypes, tokens->items[i + 1].text);
    }
}

static void check_running(struct pml_parser *parser)
{
    const struct pml_model *model = parser->model;
    for (size_t i = 0; i < model->proctypes.count; i++)
        if (model->proctypes.items[i]->active)
            return;
    if (report_error(parser->syntax.diagnostics, parser->token->span, "no process runs from the start"))
        diag_hint(parser->syntax.diagnostics, "add an init, or write \"active\" in front of a proctype");
}

/* An expression in the scope of the whole model; names of processes may be those that users see. */
static void parse_question(struct pml_parser *parser, const struct pml_tokens *asked)
{
    parser->token = asked->items;
    parser->is_question = true;
    parser->model->asked = pml_parse_expr(parser);
    if (!parser->syntax.lost && !pml_at(parser, PMT_EOF))
        pml_unexpected(parser, "the end of the expression");
}

static void parse_all(struct pml_parser *parser, const struct pml_tokens *tokens, const struct pml_tokens *asked)
{
    find_proctypes(parser, tokens);
    VEC_PUSH(&parser->parents, 0);
    parser->token = tokens->items;
    while (!parser->syntax.lost && !pml_at(parser, PMT_EOF) && !diag_is_late(parser->syntax.diagnostics))
        parse_unit(parser);
    if (!parser->syntax.lost)
        pml_parse_formulas(parser);
    if (!parser->syntax.lost && asked->count)
        parse_question(parser, asked);
    if (!parser->syntax.lost)
        pml_resolve(parser);
    if (!parser->syntax.lost)
        check_running(parser);
}

static void free_parser(struct pml_parser *parser)
{
    for (size_t i = 0; i < parser->inlines.count; i++)
        VEC_FREE(&parser->inlines.items[i]->parameters);
    for (size_t i = 0; i < parser->expansions.count; i++)
        VEC_FREE(&parser->expansions.items[i]);
    VEC_FREE(&parser->inlines);
    VEC_FREE(&parser->expansions);
    VEC_FREE(&parser->parents);
    VEC_FREE(&parser->visible);
    VEC_FREE(&parser->symbols);
    VEC_FREE(&parser->targets);
    VEC_FREE(&parser->jumps);
    VEC_FREE(&parser->pending);
    VEC_FREE(&parser->labels);
    VEC_FREE(&parser->priorities);
    VEC_FREE(&parser->proctypes);
    VEC_FREE(&parser->formulas);
}

struct pml_model *pml_parse(const struct source *source, const struct reading *reading, struct arena *arena,
                            struct diagnostics *diagnostics)
{
    struct pml_tokens preprocessed = {0}, tokens = {0}, asked = {0};
    struct pml_model *model = ARENA_NEW(arena, struct pml_model);
    struct pml_parser parser = {.arena = arena, .syntax = {diagnostics, .most = PML_MAX_DEPTH}, .model = model};
    parser.names = reading->question ? NULL : reading->names;
    size_t errors = diagnostics->errors;
    model->arena = arena;
    pml_preprocess(source, reading, arena, diagnostics, &preprocessed, &asked);
    if (diagnostics->errors == errors) {
        pml_separate_model(&preprocessed, &tokens);
        parse_all(&parser, &tokens, &asked);
    }
    if (parser.names && (parser.syntax.lost || !tokens.count))
        parser.names->is_partial = true;
    free_parser(&parser);
    VEC_FREE(&preprocessed);
    VEC_FREE(&asked);
    VEC_FREE(&tokens);
    if (diagnostics->errors == errors)
        return model;
    pml_model_free(model);
    return NULL;
}

static void free_proctype(struct pml_proctype *proctype)
{
    if (proctype)
        VEC_FREE(&proctype->locals);
}

void pml_model_free(struct pml_model *model)
{
    for (size_t i = 0; i < model->mtypes.count; i++) {
        VEC_FREE(&model->mtypes.items[i]->names);
        VEC_FREE(&model->mtypes.items[i]->numbers);
    }
    for (size_t i = 0; i < model->records.count; i++)
        VEC_FREE(&model->records.items[i]->fields);
    for (size_t i = 0; i < model->proctypes.count; i++)
        free_proctype(model->proctypes.items[i]);
    free_proctype(model->never);
    free_proctype(model->trace);
    VEC_FREE(&model->mtypes);
    VEC_FREE(&model->records);
    VEC_FREE(&model->globals);
    VEC_FREE(&model->proctypes);
    VEC_FREE(&model->formulas);
}
