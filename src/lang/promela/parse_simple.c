#include <string.h>

#include "lang/promela/parse.h"

struct pml_stmt *pml_assignment(struct pml_parser *parser, struct pml_place *place, struct pml_expr *value,
                                const char *text)
{
    struct pml_stmt *stmt = pml_stmt_new(parser, PML_ASSIGN, place->span, text);
    stmt->place = place;
    stmt->value = value;
    return stmt;
}

/* Fills in what is shown, now that the statement is read. */
static struct pml_stmt *finish(struct pml_parser *parser, struct pml_stmt *stmt, const struct pml_token *first)
{
    if (parser->syntax.lost)
        return NULL;
    stmt->span = pml_span_from(parser, first);
    stmt->text = pml_shown(parser, first);
    return stmt;
}

static struct pml_stmt *parse_goto(struct pml_parser *parser)
{
    const struct pml_token *first = parser->token;
    struct pml_stmt *stmt = pml_stmt_new(parser, PML_GOTO, first->span, "");
    pml_advance(parser);
    const char *name = pml_expect_name(parser, "a label after \"goto\"");
    if (name)
        pml_label_use(parser, stmt, name);
    return finish(parser, stmt, first);
}

static struct pml_stmt *parse_break(struct pml_parser *parser)
{
    const struct pml_token *first = parser->token;
    pml_advance(parser);
    if (!parser->loops)
        report_error(parser->syntax.diagnostics, first->span,
                     parser->d_step ? "\"break\" stands outside of a loop of its d_step"
                                    : "\"break\" stands outside of a loop");
    return finish(parser, pml_stmt_new(parser, PML_BREAK, first->span, ""), first);
}

static struct pml_stmt *parse_else(struct pml_parser *parser)
{
    const struct pml_token *first = parser->token;
    pml_advance(parser);
    return finish(parser, pml_stmt_new(parser, PML_ELSE, first->span, ""), first);
}

static struct pml_stmt *parse_assert(struct pml_parser *parser)
{
    const struct pml_token *first = parser->token;
    struct pml_stmt *stmt = pml_stmt_new(parser, PML_ASSERT, first->span, "");
    pml_advance(parser);
    stmt->value = pml_parse_expr(parser);
    return finish(parser, stmt, first);
}

static struct pml_stmt *parse_print(struct pml_parser *parser)
{
    const struct pml_token *first = parser->token;
    struct pml_stmt *stmt = pml_stmt_new(parser, PML_PRINT, first->span, "");
    pml_advance(parser);
    pml_expect(parser, PMT_OPEN, arena_format(parser->arena, "after \"%s\"", first->text));
    bool has_values = first->kind == PMT_PRINTM;
    if (!has_values) {
        if (!pml_take(parser, PMT_STRING))
            pml_unexpected(parser, "a string");
        has_values = pml_take(parser, PMT_COMMA);
    }
    if (has_values)
        pml_parse_values(parser, &stmt->arguments, &stmt->argument_count);
    pml_expect(parser, PMT_CLOSE, "after what is printed");
    return finish(parser, stmt, first);
}

static struct pml_expr *parse_assigned(struct pml_parser *parser, struct pml_place *place, struct pml_stmt **call)
{
    if (pml_at(parser, PMT_NAME) && parser->token[1].kind == PMT_OPEN && pml_find_inline(parser, parser->token->text)) {
        *call = pml_parse_inline_use(parser, place);
        return NULL;
    }
    return pml_parse_expr(parser);
}

/* place = value */
static struct pml_stmt *parse_becomes(struct pml_parser *parser, struct pml_place *place, const struct pml_token *first)
{
    struct pml_stmt *call = NULL;
    pml_advance(parser);
    struct pml_expr *value = parse_assigned(parser, place, &call);
    if (call)
        return call;
    if (!value)
        return NULL;
    pml_check_value(parser, value);
    pml_check_value(parser, pml_read(parser, place));
    return finish(parser, pml_assignment(parser, place, value, ""), first);
}

/* place++, place-- */
static struct pml_stmt *parse_count(struct pml_parser *parser, struct pml_place *place, const struct pml_token *first)
{
    enum pml_op op = pml_at(parser, PMT_INCREMENT) ? PML_ADD : PML_SUB;
    pml_advance(parser);
    struct pml_expr *one = pml_number(parser, place->span, 1);
    struct pml_expr *value = pml_binary(parser, op, pml_read(parser, place), one);
    return finish(parser, pml_assignment(parser, place, value, ""), first);
}

/* a, b   a(b, c) */
static void parse_sent(struct pml_parser *parser, struct pml_stmt *stmt)
{
    struct pml_argument *rest = NULL;
    uint32_t more = 0;
    pml_parse_values(parser, &stmt->arguments, &stmt->argument_count);
    if (stmt->argument_count != 1 || !pml_take(parser, PMT_OPEN))
        return;
    pml_parse_values(parser, &rest, &more);
    pml_expect(parser, PMT_CLOSE, "after the message");
    struct pml_argument *all = ARENA_ARRAY(parser->arena, struct pml_argument, more + 1);
    all[0] = stmt->arguments[0];
    for (uint32_t i = 0; i < more; i++)
        all[i + 1] = rest[i];
    stmt->arguments = all;
    stmt->argument_count = more + 1;
}

static uint32_t record_width(const struct pml_record *record);

/* How many fields of a message a value of the type is. */
static uint32_t type_width(struct pml_type type, uint32_t length)
{
    return (length ? length : 1) * (type.base == PML_RECORD ? record_width(type.record) : 1);
}

static uint32_t record_width(const struct pml_record *record)
{
    uint32_t width = 0;
    for (size_t i = 0; i < record->fields.count; i++)
        width += type_width(record->fields.items[i]->type, record->fields.items[i]->length);
    return width;
}

static void check_sent(struct pml_parser *parser, const struct pml_stmt *stmt)
{
    const struct pml_place *place = stmt->channel->place;
    while (place->below)
        place = place->below;
    const struct pml_channel *channel = place->variable->channel;
    uint32_t fields = 0, given = 0;
    for (uint32_t i = 0; channel && i < channel->field_count; i++)
        fields += type_width(channel->fields[i], 0);
    for (uint32_t i = 0; i < stmt->argument_count; i++) {
        const struct pml_expr *value = stmt->arguments[i].value;
        given += value->kind == PML_READ ? type_width(pml_place_type(value->place), 0) : 1;
    }
    if (channel && given > fields)
        report_error(parser->syntax.diagnostics, stmt->channel->span,
                     "the messages of \"%s\" have %u field%s, and %u are sent", place->variable->name, fields,
                     fields == 1 ? "" : "s", given);
}

static struct pml_stmt *parse_send(struct pml_parser *parser, struct pml_place *place, const struct pml_token *first)
{
    struct pml_stmt *stmt = pml_stmt_new(parser, PML_SEND, first->span, "");
    pml_check_channel(parser, place);
    stmt->channel = pml_read(parser, place);
    stmt->is_sorted = pml_at(parser, PMT_SORTED_SEND);
    pml_advance(parser);
    if (parser->is_trace) {
        pml_parse_received(parser, &stmt->arguments, &stmt->argument_count);
        return finish(parser, stmt, first);
    }
    parse_sent(parser, stmt);
    if (parser->runs)
        report_error(parser->syntax.diagnostics, first->span, "a message cannot \"run\" a process");
    if (!parser->syntax.lost)
        check_sent(parser, stmt);
    return finish(parser, stmt, first);
}

static struct pml_stmt *parse_receive(struct pml_parser *parser, struct pml_place *place, const struct pml_token *first)
{
    struct pml_stmt *stmt = pml_stmt_new(parser, PML_RECEIVE, first->span, "");
    pml_check_channel(parser, place);
    stmt->channel = pml_read(parser, place);
    stmt->is_random = pml_at(parser, PMT_RANDOM_RECEIVE);
    pml_advance(parser);
    stmt->is_peek = pml_take(parser, PMT_LT);
    pml_parse_received(parser, &stmt->arguments, &stmt->argument_count);
    if (stmt->is_peek)
        pml_expect(parser, PMT_GT, "after the message");
    return finish(parser, stmt, first);
}

static struct pml_stmt *parse_condition(struct pml_parser *parser, struct pml_expr *value,
                                        const struct pml_token *first)
{
    if (!value)
        return NULL;
    pml_check_value(parser, value);
    struct pml_stmt *stmt = pml_stmt_new(parser, PML_CONDITION, first->span, "");
    stmt->value = value;
    return finish(parser, stmt, first);
}

/* A statement that begins with a variable. */
static struct pml_stmt *parse_variable(struct pml_parser *parser)
{
    const struct pml_token *first = parser->token;
    struct pml_place *place = pml_parse_place(parser, false);
    if (!place)
        return NULL;
    enum pml_token_kind kind = parser->token->kind;
    bool is_poll = parser->token[kind != PMT_EOF].kind == PMT_OPEN_BRACKET;
    if (kind == PMT_BECOMES)
        return parse_becomes(parser, place, first);
    if (kind == PMT_INCREMENT || kind == PMT_DECREMENT)
        return parse_count(parser, place, first);
    if (kind == PMT_SEND || kind == PMT_SORTED_SEND)
        return parse_send(parser, place, first);
    struct pml_expr *left = pml_read(parser, place);
    if (kind == PMT_RECEIVE || kind == PMT_RANDOM_RECEIVE) {
        if (!is_poll)
            return parse_receive(parser, place, first);
        left = pml_parse_poll(parser, left);
    }
    return parse_condition(parser, left ? pml_parse_expr_from(parser, left) : NULL, first);
}

/* _ = value: the value is computed, and kept nowhere. */
static struct pml_stmt *parse_scratch(struct pml_parser *parser)
{
    const struct pml_token *first = parser->token;
    struct pml_stmt *stmt = pml_stmt_new(parser, PML_PRINT, first->span, "");
    pml_advance(parser);
    pml_expect(parser, PMT_BECOMES, "after \"_\"");
    pml_parse_values(parser, &stmt->arguments, &stmt->argument_count);
    return finish(parser, stmt, first);
}

/* set_priority(pid, priority), or _priority = value */
static struct pml_stmt *parse_set_priority(struct pml_parser *parser)
{
    const struct pml_token *first = parser->token;
    struct pml_stmt *stmt = pml_stmt_new(parser, PML_PRIORITIZE, first->span, "");
    bool is_own = pml_at(parser, PMT_NAME);
    parser->model->has_priorities = true;
    parser->model->priority_span = first->span;
    pml_advance(parser);
    pml_expect(parser, is_own ? PMT_BECOMES : PMT_OPEN, "here");
    pml_parse_values(parser, &stmt->arguments, &stmt->argument_count);
    if (!is_own)
        pml_expect(parser, PMT_CLOSE, "after the priority");
    if (!parser->syntax.lost && stmt->argument_count != (is_own ? 1 : 2))
        syntax_error(&parser->syntax, first->span, "write: set_priority(pid, priority)");
    if (parser->syntax.lost)
        return NULL;
    stmt->value = stmt->arguments[--stmt->argument_count].value;
    return finish(parser, stmt, first);
}

static bool is_special(const struct pml_parser *parser, const char *name)
{
    const struct pml_names *set;
    return !strcmp(name, "_pid") || !strcmp(name, "_nr_pr") || !strcmp(name, "_last") || !strcmp(name, "_priority") ||
           pml_is_proctype(parser, name) || pml_find_mtype(parser, name, &set);
}

static struct pml_stmt *parse_named(struct pml_parser *parser)
{
    const struct pml_token *first = parser->token;
    if (first[1].kind == PMT_OPEN && pml_find_inline(parser, first->text))
        return pml_parse_inline_use(parser, NULL);
    if (pml_at_word(parser, "_"))
        return parse_scratch(parser);
    if (pml_at_word(parser, "_priority") && first[1].kind == PMT_BECOMES)
        return parse_set_priority(parser);
    if (is_special(parser, first->text))
        return parse_condition(parser, pml_parse_expr(parser), first);
    if (first[1].kind == PMT_OPEN && !pml_find_variable(parser, first->text)) {
        pml_unknown_name(parser, first->span, first->text);
        parser->syntax.lost = true;
        return NULL;
    }
    return parse_variable(parser);
}

static struct pml_stmt *parse_return(struct pml_parser *parser)
{
    const struct pml_token *first = parser->token;
    pml_advance(parser);
    struct pml_expr *value = pml_parse_expr(parser);
    if (!value)
        return NULL;
    if (!parser->inline_result) {
        report_error(parser->syntax.diagnostics, first->span, "\"return\" needs an inline whose value is assigned");
        return NULL;
    }
    return finish(parser, pml_assignment(parser, parser->inline_result, value, ""), first);
}

struct pml_stmt *pml_parse_simple(struct pml_parser *parser)
{
    const struct pml_token *first = parser->token;
    switch (parser->syntax.lost ? PMT_EOF : first->kind) {
    case PMT_GOTO:
        return parse_goto(parser);
    case PMT_BREAK:
        return parse_break(parser);
    case PMT_ELSE:
        return parse_else(parser);
    case PMT_ASSERT:
        return parse_assert(parser);
    case PMT_PRINTF:
    case PMT_PRINTM:
        return parse_print(parser);
    case PMT_RETURN:
        return parse_return(parser);
    case PMT_NAME:
        return parse_named(parser);
    case PMT_C_CODE:
    case PMT_C_DECL:
        pml_refuse_c(parser);
        return NULL;
    case PMT_SET_PRIORITY:
        return parse_set_priority(parser);
    case PMT_CLOSE_BRACE:
    case PMT_SEPARATOR:
    case PMT_FI:
    case PMT_OD:
    case PMT_SEMI:
    case PMT_ARROW:
    case PMT_EOF:
        pml_unexpected(parser, "a statement");
        return NULL;
    default:
        return parse_condition(parser, pml_parse_expr(parser), first);
    }
}
