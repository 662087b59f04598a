#include <string.h>

#include "lang/promela/parse.h"

/* A variable in the place of one that there is not: the error was reported, reading goes on. */
static struct pml_variable *stand_in(struct pml_parser *parser, const struct pml_token *name)
{
    struct pml_variable *variable = ARENA_NEW(parser->arena, struct pml_variable);
    variable->name = name->text;
    variable->span = name->span;
    variable->type.base = PML_BYTE;
    return variable;
}

static void check_index(struct pml_parser *parser, const struct pml_place *place, bool may_be_whole)
{
    if (place->variable->length && !place->index && !may_be_whole)
        report_error(parser->syntax.diagnostics, place->span, "the array \"%s\" needs an index", place->variable->name);
    if (!place->variable->length && place->index)
        report_error(parser->syntax.diagnostics, place->span, "\"%s\" is no array", place->variable->name);
}

static void refuse_field(struct pml_parser *parser, const struct pml_record *record, const struct pml_token *name)
{
    VEC(const char *) names = {0};
    for (size_t i = 0; i < record->fields.count; i++)
        VEC_PUSH(&names, record->fields.items[i]->name);
    const char *closest = diag_closest(name->text, names.items, names.count);
    if (report_error(parser->syntax.diagnostics, name->span, "the record %s has no field \"%s\"", record->name,
                     name->text) &&
        closest)
        diag_hint(parser->syntax.diagnostics, "did you mean \"%s\"?", closest);
    VEC_FREE(&names);
}

/* One part: name or name[index]. NULL after an error of syntax. */
static struct pml_place *parse_part(struct pml_parser *parser, const struct pml_record *record)
{
    const struct pml_token *name = parser->token;
    if (!pml_expect_name(parser, record ? "a field" : "a variable"))
        return NULL;
    struct pml_place *place = ARENA_NEW(parser->arena, struct pml_place);
    place->span = name->span;
    struct pml_variable *variable = record ? pml_find_field(record, name->text) : pml_find_variable(parser, name->text);
    place->variable = variable ? variable : stand_in(parser, name);
    if (variable)
        pml_note_use(parser, name->text, name->span, variable->span);
    if (pml_take(parser, PMT_OPEN_BRACKET)) {
        place->index = pml_parse_expr(parser);
        if (!pml_expect(parser, PMT_CLOSE_BRACKET, "after the index") || !place->index)
            return NULL;
        pml_check_value(parser, place->index);
        pml_refuse_probe(parser, place->index);
    }
    if (!variable && record)
        refuse_field(parser, record, name);
    else if (!variable)
        pml_unknown_name(parser, name->span, name->text);
    return place;
}

static const struct pml_record *record_below(struct pml_parser *parser, const struct pml_place *place)
{
    if (place->variable->type.base == PML_RECORD)
        return place->variable->type.record;
    syntax_error(&parser->syntax, place->span, "\"%s\" is no record: it has no fields", place->variable->name);
    return NULL;
}

struct pml_place *pml_parse_place(struct pml_parser *parser, bool may_be_whole_array)
{
    const struct pml_token *first = parser->token;
    struct pml_place *top = parse_part(parser, NULL), *last = top;
    bool is_known = top && (pml_find_variable(parser, first->text) == top->variable);
    while (last && pml_at(parser, PMT_DOT)) {
        pml_advance(parser);
        if (is_known)
            check_index(parser, last, false);
        const struct pml_record *record = record_below(parser, last);
        if (!record)
            return NULL;
        last->below = parse_part(parser, record);
        last = last->below;
    }
    if (!last)
        return NULL;
    if (is_known)
        check_index(parser, last, may_be_whole_array);
    top->span = pml_span_from(parser, first);
    return top;
}

void pml_check_channel(struct pml_parser *parser, const struct pml_place *place)
{
    bool is_known = place->variable->owner || pml_find_variable(parser, place->variable->name);
    if (is_known && pml_place_type(place).base != PML_CHAN)
        report_error(parser->syntax.diagnostics, place->span, "messages go through a chan, and this is none");
}

/* q?x,x: which of the two counts? SPIN refuses it too. */
static void refuse_twice(struct pml_parser *parser, const struct pml_argument *arguments, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct pml_place *place = arguments[i].place;
        if (!place || place->below || place->index)
            continue;
        for (size_t j = i + 1; j < count; j++)
            if (arguments[j].place && arguments[j].place->variable == place->variable)
                report_error(parser->syntax.diagnostics, arguments[j].place->span, "\"%s\" is received into twice",
                             place->variable->name);
    }
}

/* A constant that must be received. */
static struct pml_expr *parse_matched(struct pml_parser *parser)
{
    const struct pml_names *set = NULL;
    if (pml_take(parser, PMT_EVAL)) {
        pml_expect(parser, PMT_OPEN, "after \"eval\"");
        struct pml_expr *expr = pml_parse_expr(parser);
        return pml_expect(parser, PMT_CLOSE, "after the expression of \"eval\"") ? expr : NULL;
    }
    bool is_constant = !pml_at(parser, PMT_NAME) || pml_find_mtype(parser, parser->token->text, &set);
    struct pml_expr *expr = is_constant ? pml_parse_operand(parser) : NULL;
    bool is_negated = expr && expr->kind == PML_UNARY && expr->op == PML_NEGATE && expr->left->kind == PML_NUMBER;
    /* SPIN takes `-` and a number for one constant here, an int. */
    return is_negated ? pml_number(parser, expr->span, pml_wrap(-expr->left->value)) : expr;
}

/* SPIN would overwrite _pid; what is meant is that the message is for this process. */
static struct pml_expr *parse_own_pid(struct pml_parser *parser)
{
    struct span span = parser->token->span;
    pml_advance(parser);
    diag_warning(parser->syntax.diagnostics, span, "_pid cannot be received into: read as eval(_pid)");
    return pml_expr_new(parser, PML_SELF, span);
}

static struct pml_argument parse_argument(struct pml_parser *parser)
{
    struct pml_argument argument = {0};
    if (pml_at_word(parser, "_")) {
        pml_advance(parser);
        return argument;
    }
    argument.value = pml_at_word(parser, "_pid") ? parse_own_pid(parser) : parse_matched(parser);
    if (!argument.value && !parser->syntax.lost)
        argument.place = pml_parse_place(parser, false);
    return argument;
}

struct pml_arguments {
    struct pml_argument *items;
    size_t count, capacity;
};

/* a, b   a(b, c)   (a, b) */
static void parse_received_list(struct pml_parser *parser, struct pml_arguments *list)
{
    if (!syntax_enter(&parser->syntax, parser->token->span))
        return;
    bool is_more = true;
    while (is_more && !parser->syntax.lost) {
        is_more = false;
        bool is_closed = pml_at(parser, PMT_OPEN);
        if (!is_closed) {
            struct pml_argument argument = parse_argument(parser);
            VEC_PUSH(list, argument);
        }
        if (pml_take(parser, PMT_OPEN)) {
            parse_received_list(parser, list);
            pml_expect(parser, PMT_CLOSE, "after the message");
        } else
            is_more = pml_take(parser, PMT_COMMA);
    }
    syntax_leave(&parser->syntax);
}

void pml_parse_received(struct pml_parser *parser, struct pml_argument **arguments, uint32_t *count)
{
    struct pml_arguments list = {0};
    parse_received_list(parser, &list);
    refuse_twice(parser, list.items, list.count);
    *count = (uint32_t)list.count;
    *arguments = VEC_SEAL(&list, parser->arena);
}

struct pml_expr *pml_parse_poll(struct pml_parser *parser, struct pml_expr *channel)
{
    struct pml_expr *expr = pml_of(parser, PML_POLL, channel->span, channel);
    expr->is_random = pml_at(parser, PMT_RANDOM_RECEIVE);
    pml_advance(parser);
    pml_expect(parser, PMT_OPEN_BRACKET, "here");
    pml_parse_received(parser, &expr->arguments, &expr->argument_count);
    return pml_expect(parser, PMT_CLOSE_BRACKET, "after the message") ? expr : NULL;
}
