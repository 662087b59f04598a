#include <string.h>

#include "lang/promela/parse.h"

struct pml_stmt *pml_stmt_new(struct pml_parser *parser, enum pml_stmt_kind kind, struct span span, const char *text)
{
    struct pml_stmt *stmt = ARENA_NEW(parser->arena, struct pml_stmt);
    stmt->kind = kind;
    stmt->span = span;
    stmt->text = text;
    return stmt;
}

static bool has_special_label(const struct pml_stmt *stmt)
{
    bool found = false;
    for (uint32_t i = 0; i < stmt->label_count; i++)
        found |= !strncmp(stmt->labels[i].name, "end", 3) || !strncmp(stmt->labels[i].name, "accept", 6) ||
                 !strncmp(stmt->labels[i].name, "progress", 8);
    return found;
}

void pml_number_stmt(struct pml_parser *parser, struct pml_stmt *stmt)
{
    if (stmt->number)
        return;
    bool is_jump = stmt->kind == PML_GOTO || stmt->kind == PML_BREAK;
    uint32_t taken = stmt->kind == PML_DO ? 3 : stmt->kind == PML_IF || stmt->kind == PML_UNLESS ? 2 : 1;
    stmt->number = parser->numbers + 1;
    parser->numbers += taken;
    if (is_jump && has_special_label(stmt)) /* SPIN puts a skip in front, to have the label */
        stmt->number = ++parser->numbers;
}

void pml_add_stmt(struct pml_parser *parser, struct pml_stmt *stmt)
{
    if (!stmt || !parser->sequence)
        return;
    pml_number_stmt(parser, stmt);
    VEC_PUSH(parser->sequence, stmt);
}

struct pml_block pml_seal(struct pml_parser *parser, struct pml_sequence *sequence)
{
    struct pml_block block = {.count = (uint32_t)sequence->count};
    block.items = VEC_SEAL(sequence, parser->arena);
    return block;
}

static bool pml_at_stmt_end(const struct pml_parser *parser)
{
    switch (parser->token->kind) {
    case PMT_SEMI:
    case PMT_ARROW:
    case PMT_CLOSE_BRACE:
    case PMT_SEPARATOR:
    case PMT_FI:
    case PMT_OD:
    case PMT_UNLESS:
    case PMT_EOF:
        return true;
    default:
        return false;
    }
}

static struct pml_block block_of(struct pml_parser *parser, struct pml_stmt *stmt)
{
    struct pml_sequence one = {0};
    VEC_PUSH(&one, stmt);
    return pml_seal(parser, &one);
}

static void refuse_first_label(struct pml_parser *parser, const struct pml_block *block, const char *where)
{
    if (!block->count || !block->items[0]->label_count)
        return;
    const struct pml_label *label = &block->items[0]->labels[0];
    if (report_error(parser->syntax.diagnostics, label->span, "the label \"%s\" cannot stand at the start of %s",
                     label->name, where))
        diag_hint(parser->syntax.diagnostics, "write the label in front of it");
}

static struct pml_stmt *pml_parse_stmt(struct pml_parser *parser);

/* body unless escape; a label in front of a block goes to all of it. */
static struct pml_stmt *parse_unless(struct pml_parser *parser, struct pml_stmt *body)
{
    struct pml_stmt *unless = pml_stmt_new(parser, PML_UNLESS, body->span, "unless"), *outer = unless;
    pml_advance(parser);
    struct pml_stmt *escape = pml_parse_stmt(parser);
    if (!escape)
        return NULL;
    bool is_block = body->kind == PML_BLOCK || body->kind == PML_ATOMIC || body->kind == PML_DSTEP;
    if (escape->kind != PML_BLOCK || escape->label_count)
        pml_number_stmt(parser, escape);
    if (body->kind == PML_BLOCK && !body->label_count)
        unless->body = body->body;
    else if (body->label_count && is_block) {
        pml_number_stmt(parser, unless);
        unless->body = body->body;
        outer = body;
        outer->body = block_of(parser, unless);
    } else {
        pml_number_stmt(parser, body);
        unless->body = block_of(parser, body);
        refuse_first_label(parser, &unless->body, "\"statement unless statement\"");
    }
    if (escape->kind == PML_BLOCK && !escape->label_count)
        unless->escape = escape->body;
    else {
        unless->escape = block_of(parser, escape);
        refuse_first_label(parser, &unless->escape, "an escape");
    }
    return outer;
}

/* xr a, b: what SPIN may believe about channels changes nothing. */
static void parse_exclusive(struct pml_parser *parser)
{
    pml_advance(parser);
    do
        pml_parse_place(parser, true);
    while (pml_take(parser, PMT_COMMA));
}

static void parse_step(struct pml_parser *parser)
{
    if (pml_at_declaration(parser))
        pml_parse_declaration(parser);
    else if (pml_at(parser, PMT_XR) || pml_at(parser, PMT_XS))
        parse_exclusive(parser);
    else {
        struct pml_stmt *stmt = pml_parse_stmt(parser);
        if (stmt && pml_at(parser, PMT_UNLESS))
            stmt = parse_unless(parser, stmt);
        if (!parser->syntax.lost)
            pml_add_stmt(parser, stmt);
    }
}

static bool at_sequence_end(const struct pml_parser *parser)
{
    return pml_at_stmt_end(parser) && !pml_at(parser, PMT_UNLESS) && !pml_at(parser, PMT_SEMI) &&
           !pml_at(parser, PMT_ARROW);
}

/* Two statements with nothing between them. */
static void refuse_neighbour(struct pml_parser *parser)
{
    const struct pml_token *last = parser->token - 1;
    if (!pml_unexpected(parser, "\";\" or \"->\" between statements"))
        return;
    if (parser->token->kind == PMT_NAME && last->kind == PMT_NAME)
        diag_hint(parser->syntax.diagnostics, "is \"%s\" a type that is not declared?", last->text);
    else if (parser->token->kind == PMT_BECOMES && last->kind == PMT_NAME)
        diag_hint(parser->syntax.diagnostics, "\"%s\" is no variable: nothing can be assigned to it", last->text);
    else if (parser->token->kind == PMT_BECOMES)
        diag_hint(parser->syntax.diagnostics, "\"=\" assigns to a variable; to compare write \"==\"");
    else
        diag_hint(parser->syntax.diagnostics, "is a \";\" missing?");
}

void pml_parse_steps(struct pml_parser *parser)
{
    do {
        parse_step(parser);
        bool has_more = false;
        while (pml_take(parser, PMT_SEMI) || pml_take(parser, PMT_ARROW))
            has_more = true;
        if (parser->syntax.lost || at_sequence_end(parser))
            return;
        if (!has_more)
            refuse_neighbour(parser);
    } while (!parser->syntax.lost && !diag_is_late(parser->syntax.diagnostics));
}

static void pml_parse_sequence(struct pml_parser *parser, struct pml_block *block)
{
    struct pml_sequence sequence = {0}, *outer = parser->sequence;
    if (syntax_enter(&parser->syntax, parser->token->span)) {
        parser->sequence = &sequence;
        pml_parse_steps(parser);
        parser->sequence = outer;
        syntax_leave(&parser->syntax);
    }
    *block = pml_seal(parser, &sequence);
}

void pml_parse_block(struct pml_parser *parser, struct pml_block *block)
{
    const struct pml_token *first = parser->token;
    *block = (struct pml_block){0};
    if (!pml_expect(parser, PMT_OPEN_BRACE, "here"))
        return;
    pml_scope_begin(parser);
    pml_parse_sequence(parser, block);
    pml_scope_end(parser);
    if (!pml_take(parser, PMT_CLOSE_BRACE) && pml_unexpected(parser, "\"}\" to close the block"))
        diag_hint(parser->syntax.diagnostics, "the block begins in line %u", first->span.line);
}

static struct pml_stmt *parse_braces(struct pml_parser *parser, enum pml_stmt_kind kind, const char *text)
{
    struct pml_stmt *stmt = pml_stmt_new(parser, kind, parser->token->span, text);
    uint32_t outer = parser->d_step, loops = parser->loops;
    if (kind != PML_BLOCK)
        pml_advance(parser);
    if (kind == PML_DSTEP && !outer) {
        parser->d_step = ++parser->d_steps;
        parser->loops = 0;
    }
    pml_parse_block(parser, &stmt->body);
    parser->d_step = outer;
    parser->loops = loops;
    if (parser->syntax.lost)
        return NULL;
    refuse_first_label(parser, &stmt->body, kind == PML_BLOCK ? "a block" : text);
    if (!stmt->body.count)
        syntax_error(&parser->syntax, stmt->span, "there is no statement in the block");
    return stmt;
}

/* SPIN reads it, and it is always true there. */
void pml_warn_of_else(struct pml_parser *parser, const struct pml_block *block, uint32_t first)
{
    for (uint32_t i = first; i < block->count; i++)
        if (block->items[i]->kind == PML_ELSE && !block->items[i]->is_generated) {
            diag_warning(parser->syntax.diagnostics, block->items[i]->span,
                         "this \"else\" begins no option: it can always be executed");
            diag_hint(parser->syntax.diagnostics, "write: if :: condition -> ... :: else -> ... fi");
        }
}

static void parse_option(struct pml_parser *parser, struct pml_block *option)
{
    const struct pml_token *first = parser->token;
    pml_advance(parser);
    pml_parse_sequence(parser, option);
    if (!parser->syntax.lost && !option->count)
        syntax_error(&parser->syntax, first->span, "there is no statement in this option");
    pml_warn_of_else(parser, option, 1);
    if (!parser->is_claim)
        pml_prune_skips(option);
}

static void expect_end(struct pml_parser *parser, const struct pml_token *first, enum pml_token_kind end)
{
    const char *word = pml_token_spelling(end);
    if (!pml_take(parser, end) && pml_unexpected(parser, arena_format(parser->arena, "\"%s\" after the options", word)))
        diag_hint(parser->syntax.diagnostics, "the \"%s\" of line %u needs an \"%s\"", first->text, first->span.line,
                  word);
}

static bool is_else(const struct pml_block *option)
{
    return option->count && option->items[0]->kind == PML_ELSE;
}

static void refuse_second_else(struct pml_parser *parser, const struct pml_stmt *stmt)
{
    bool has_else = false;
    for (uint32_t i = 0; i < stmt->option_count; i++) {
        if (has_else && is_else(&stmt->options[i]))
            report_error(parser->syntax.diagnostics, stmt->options[i].items[0]->span, "there is an \"else\" already");
        has_else |= is_else(&stmt->options[i]);
    }
}

static struct pml_stmt *parse_options(struct pml_parser *parser, enum pml_stmt_kind kind)
{
    const struct pml_token *first = parser->token;
    struct pml_stmt *stmt = pml_stmt_new(parser, kind, first->span, first->text);
    VEC(struct pml_block) options = {0};
    pml_advance(parser);
    parser->loops += kind == PML_DO;
    if (!pml_at(parser, PMT_SEPARATOR) && pml_unexpected(parser, "\"::\""))
        diag_hint(parser->syntax.diagnostics, "each option begins with \"::\": %s",
                  kind == PML_IF ? "if :: condition -> statements :: else -> statements fi"
                                 : "do :: condition -> statements :: else -> break od");
    while (pml_at(parser, PMT_SEPARATOR)) {
        struct pml_block option;
        parse_option(parser, &option);
        VEC_PUSH(&options, option);
    }
    parser->loops -= kind == PML_DO;
    expect_end(parser, first, kind == PML_IF ? PMT_FI : PMT_OD);
    stmt->option_count = (uint32_t)options.count;
    stmt->options = VEC_SEAL(&options, parser->arena);
    refuse_second_else(parser, stmt);
    return parser->syntax.lost ? NULL : stmt;
}

static struct pml_stmt *parse_one(struct pml_parser *parser)
{
    switch (parser->syntax.lost ? PMT_EOF : parser->token->kind) {
    case PMT_IF:
        return parse_options(parser, PML_IF);
    case PMT_DO:
        return parse_options(parser, PML_DO);
    case PMT_ATOMIC:
        return parse_braces(parser, PML_ATOMIC, "atomic");
    case PMT_D_STEP:
        return parse_braces(parser, PML_DSTEP, "d_step");
    case PMT_OPEN_BRACE:
        return parse_braces(parser, PML_BLOCK, "{");
    case PMT_FOR:
        return pml_parse_for(parser);
    case PMT_SELECT:
        return pml_parse_select(parser);
    default:
        return pml_parse_simple(parser);
    }
}

static bool at_label(const struct pml_parser *parser)
{
    return pml_at(parser, PMT_NAME) && parser->token[1].kind == PMT_COLON &&
           !pml_is_proctype(parser, parser->token->text);
}

static struct pml_stmt *parse_labelled(struct pml_parser *parser, const struct pml_token *first)
{
    if (pml_at_declaration(parser))
        syntax_error(&parser->syntax, first->span, "a label cannot stand in front of a declaration");
    if (!pml_at_stmt_end(parser))
        return parse_one(parser);
    struct pml_stmt *skip = pml_stmt_new(parser, PML_CONDITION, first->span, "skip");
    skip->value = pml_number(parser, first->span, 1);
    return skip;
}

static struct pml_stmt *pml_parse_stmt(struct pml_parser *parser)
{
    const struct pml_token *first = parser->token;
    VEC(struct pml_label) labels = {0};
    parser->is_starting = false;
    parser->runs = 0;
    while (at_label(parser)) {
        struct pml_label label = {NULL, parser->token->span};
        label.name = pml_label_declare(parser, parser->token->text, label.span);
        VEC_PUSH(&labels, label);
        parser->token += 2;
    }
    struct pml_stmt *stmt = labels.count ? parse_labelled(parser, first) : parse_one(parser);
    if (stmt && labels.count) {
        stmt->label_count = (uint32_t)labels.count;
        stmt->labels = VEC_SEAL(&labels, parser->arena);
    }
    VEC_FREE(&labels);
    return stmt;
}
