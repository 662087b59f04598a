#include <string.h>

#include "lang/promela/parse.h"
#include "lang/promela/walk.h"

enum { WIDEST_SELECT = 32 };

/* for and select as SPIN 6.5 writes them out: an assignment, and a loop of two options. */
struct pml_loop {
    struct pml_place *place;
    const char *text;
    const char *from, *to; /* the bounds as they are written; NULL: there are none */
    struct span span;
};

static struct pml_stmt *generated(struct pml_stmt *stmt)
{
    stmt->is_generated = true;
    return stmt;
}

static void add(struct pml_parser *parser, struct pml_sequence *sequence, struct pml_stmt *stmt)
{
    pml_number_stmt(parser, generated(stmt));
    VEC_PUSH(sequence, stmt);
}

static const char *name_of(const struct pml_loop *loop)
{
    return loop->place->variable->name;
}

/* Its first value. */
static struct pml_stmt *assigned(struct pml_parser *parser, const struct pml_loop *loop, struct pml_expr *value)
{
    const char *text = loop->from ? arena_format(parser->arena, "%s = %s", name_of(loop), loop->from) : loop->text;
    return generated(pml_assignment(parser, loop->place, value, text));
}

static struct pml_stmt *condition(struct pml_parser *parser, const struct pml_loop *loop, enum pml_op op,
                                  struct pml_expr *bound)
{
    const char *sign = op == PML_LE ? "<=" : "<";
    const char *text = loop->to ? arena_format(parser->arena, "%s %s %s", name_of(loop), sign, loop->to) : loop->text;
    struct pml_stmt *stmt = pml_stmt_new(parser, PML_CONDITION, loop->span, text);
    stmt->value = pml_binary(parser, op, pml_read(parser, loop->place), bound);
    return generated(stmt);
}

static struct pml_stmt *incremented(struct pml_parser *parser, const struct pml_loop *loop)
{
    struct pml_expr *one = pml_number(parser, loop->span, 1);
    return generated(pml_assignment(parser, loop->place,
                                    pml_binary(parser, PML_ADD, pml_read(parser, loop->place), one),
                                    loop->to ? arena_format(parser->arena, "%s++", name_of(loop)) : loop->text));
}

/* do :: leaving :: body od */
static struct pml_stmt *two_options(struct pml_parser *parser, const struct pml_loop *loop, bool has_else,
                                    struct pml_block body)
{
    struct pml_sequence leaving = {0};
    if (has_else)
        add(parser, &leaving, pml_stmt_new(parser, PML_ELSE, loop->span, "else"));
    add(parser, &leaving, pml_stmt_new(parser, PML_BREAK, loop->span, "break"));
    struct pml_stmt *stmt = generated(pml_stmt_new(parser, PML_DO, loop->span, loop->text));
    stmt->options = ARENA_ARRAY(parser->arena, struct pml_block, 2);
    stmt->options[0] = pml_seal(parser, &leaving);
    stmt->options[1] = body;
    stmt->option_count = 2;
    return stmt;
}

/* The body stands in one sequence with what the loop adds to it. */
static struct pml_stmt *parse_body(struct pml_parser *parser, const struct pml_loop *loop,
                                   struct pml_sequence *sequence)
{
    struct pml_sequence *outer = parser->sequence;
    pml_take(parser, PMT_SEMI);
    if (pml_expect(parser, PMT_OPEN_BRACE, "before the body of the loop") &&
        syntax_enter(&parser->syntax, parser->token->span)) {
        parser->sequence = sequence;
        parser->loops++;
        pml_scope_begin(parser);
        pml_parse_steps(parser);
        pml_scope_end(parser);
        parser->loops--;
        parser->sequence = outer;
        syntax_leave(&parser->syntax);
        pml_expect(parser, PMT_CLOSE_BRACE, "after the body of the loop");
    }
    if (!parser->syntax.lost)
        add(parser, sequence, incremented(parser, loop));
    struct pml_block body = pml_seal(parser, sequence);
    return parser->syntax.lost ? NULL : two_options(parser, loop, true, body);
}

static struct pml_expr *parse_bound(struct pml_parser *parser, const char **text)
{
    const struct pml_token *first = parser->token;
    struct pml_expr *bound = parser->syntax.lost ? NULL : pml_parse_expr(parser);
    *text = pml_shown(parser, first);
    return bound;
}

static struct pml_stmt *parse_range(struct pml_parser *parser, struct pml_loop *loop, const struct pml_token *first)
{
    struct pml_sequence sequence = {0};
    struct pml_expr *from = parse_bound(parser, &loop->from);
    pml_expect(parser, PMT_DOTS, "in the range");
    struct pml_expr *to = parse_bound(parser, &loop->to);
    pml_expect(parser, PMT_CLOSE, "after the range");
    if (parser->syntax.lost)
        return NULL;
    loop->text = pml_shown(parser, first);
    pml_add_stmt(parser, assigned(parser, loop, from));
    add(parser, &sequence, condition(parser, loop, PML_LE, to));
    return parse_body(parser, loop, &sequence);
}

/* The counter of the loops over channels in this block. */
static struct pml_variable *hidden_counter(struct pml_parser *parser, const struct pml_loop *loop, uint32_t capacity)
{
    const char *name = arena_format(parser->arena, "for@%u", parser->block);
    struct pml_variable *variable = pml_find_variable(parser, name);
    if (variable)
        return variable;
    variable = ARENA_NEW(parser->arena, struct pml_variable);
    variable->name = name;
    variable->span = loop->span;
    variable->type.base = capacity > UINT8_MAX ? PML_SHORT : PML_BYTE;
    pml_declare(parser, variable);
    return variable;
}

static struct pml_stmt *message(struct pml_parser *parser, const struct pml_loop *loop, enum pml_stmt_kind kind,
                                struct pml_place *record, struct pml_place *channel)
{
    struct pml_stmt *stmt = generated(pml_stmt_new(parser, kind, loop->span, loop->text));
    stmt->channel = pml_read(parser, channel);
    stmt->argument_count = 1;
    stmt->arguments = ARENA_NEW(parser->arena, struct pml_argument);
    if (kind == PML_SEND)
        stmt->arguments->value = pml_read(parser, record);
    else
        stmt->arguments->place = record;
    return stmt;
}

/* for (m in q): every message is received into m, and sent again behind the others. */
static struct pml_stmt *parse_messages(struct pml_parser *parser, struct pml_loop *loop, struct pml_place *channel)
{
    const struct pml_channel *kind = channel->variable->channel;
    struct pml_place *record = loop->place, *counter = ARENA_NEW(parser->arena, struct pml_place);
    struct pml_sequence sequence = {0};
    if (channel->variable->type.base != PML_CHAN || !kind || !kind->capacity || kind->field_count != 1 ||
        kind->fields[0].record != pml_place_type(record).record) {
        syntax_error(&parser->syntax, channel->span, "expected a channel with a buffer, of messages that are one %s",
                     pml_place_type(record).record->name);
        return NULL;
    }
    counter->span = loop->span;
    counter->variable = hidden_counter(parser, loop, kind->capacity);
    loop->place = counter;
    pml_add_stmt(parser, assigned(parser, loop, pml_number(parser, loop->span, 0)));
    struct pml_expr *length = pml_of(parser, PML_LENGTH, loop->span, pml_read(parser, channel));
    add(parser, &sequence, condition(parser, loop, PML_LT, length));
    add(parser, &sequence, message(parser, loop, PML_RECEIVE, record, channel));
    add(parser, &sequence, message(parser, loop, PML_SEND, record, channel));
    return parse_body(parser, loop, &sequence);
}

static struct pml_stmt *parse_elements(struct pml_parser *parser, struct pml_loop *loop, const struct pml_token *first)
{
    struct pml_sequence sequence = {0};
    pml_advance(parser);
    struct pml_place *place = pml_parse_place(parser, true);
    pml_expect(parser, PMT_CLOSE, "after the array or channel");
    if (parser->syntax.lost)
        return NULL;
    loop->text = pml_shown(parser, first);
    if (pml_place_type(loop->place).base == PML_RECORD)
        return parse_messages(parser, loop, place);
    const struct pml_place *last = place;
    while (last->below)
        last = last->below;
    if (!last->variable->length || last->index) {
        syntax_error(&parser->syntax, place->span, "expected an array");
        return NULL;
    }
    loop->from = "0";
    loop->to = arena_format(parser->arena, "%u", last->variable->length - 1);
    pml_add_stmt(parser, assigned(parser, loop, pml_number(parser, loop->span, 0)));
    struct pml_expr *bound = pml_number(parser, loop->span, (int64_t)last->variable->length - 1);
    add(parser, &sequence, condition(parser, loop, PML_LE, bound));
    return parse_body(parser, loop, &sequence);
}

struct pml_stmt *pml_parse_for(struct pml_parser *parser)
{
    const struct pml_token *first = parser->token;
    struct pml_loop loop = {.span = first->span};
    pml_advance(parser);
    pml_expect(parser, PMT_OPEN, "after \"for\"");
    loop.place = parser->syntax.lost ? NULL : pml_parse_place(parser, false);
    if (!loop.place)
        return NULL;
    if (pml_take(parser, PMT_COLON))
        return parse_range(parser, &loop, first);
    if (pml_at_word(parser, "in"))
        return parse_elements(parser, &loop, first);
    if (pml_unexpected(parser, "\":\" or \"in\""))
        diag_hint(parser->syntax.diagnostics, "write: for (%s : first .. last) { ... }", loop.place->variable->name);
    return NULL;
}

/* A range of two numbers is written out by SPIN before it is parsed, unless it stands in an inline, the name has an
 * underscore, or it is not on one line. */
static bool is_literal(const struct pml_parser *parser)
{
    static const enum pml_token_kind kinds[] = {PMT_NAME, PMT_COLON, PMT_NUMBER, PMT_DOTS, PMT_NUMBER, PMT_CLOSE};
    const struct pml_token *token = parser->token;
    if (parser->inlined || token->kind != PMT_NAME || strchr(token->text, '_'))
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (token[i].kind != kinds[i] || token[i].has_line)
            return false;
    return true;
}

/* if :: x = 1 :: x = 2 fi */
static struct pml_stmt *written_out(struct pml_parser *parser, const struct pml_loop *loop, int64_t from, int64_t to)
{
    struct pml_stmt *stmt = generated(pml_stmt_new(parser, PML_IF, loop->span, loop->text));
    stmt->option_count = (uint32_t)(to - from + 1);
    stmt->options = ARENA_ARRAY(parser->arena, struct pml_block, stmt->option_count);
    for (uint32_t i = 0; i < stmt->option_count; i++) {
        struct pml_sequence option = {0};
        add(parser, &option, assigned(parser, loop, pml_number(parser, loop->span, from + i)));
        VEC_LAST(&option)->text =
            arena_format(parser->arena, "%s = %lld", loop->place->variable->name, (long long)(from + i));
        stmt->options[i] = pml_seal(parser, &option);
    }
    return stmt;
}

/* x = 1; do :: x < 50 -> x++ :: break od: a label is that of the assignment, and of the two options, whose order counts
 * in a d_step, leaving is the second. */
static struct pml_stmt *wide_range(struct pml_parser *parser, const struct pml_loop *loop, struct pml_stmt *start,
                                   struct pml_stmt *choice)
{
    struct pml_sequence both = {0};
    struct pml_block leaving = choice->options[0];
    choice->options[0] = choice->options[1];
    choice->options[1] = leaving;
    add(parser, &both, start);
    add(parser, &both, choice);
    struct pml_stmt *stmt = generated(pml_stmt_new(parser, PML_BLOCK, loop->span, loop->text));
    stmt->number = start->number; /* SPIN has no block there */
    stmt->body = pml_seal(parser, &both);
    return stmt;
}

struct pml_stmt *pml_parse_select(struct pml_parser *parser)
{
    const struct pml_token *first = parser->token;
    struct pml_loop loop = {.span = first->span};
    pml_advance(parser);
    pml_expect(parser, PMT_OPEN, "after \"select\"");
    bool is_written_out = !parser->syntax.lost && is_literal(parser);
    loop.place = parser->syntax.lost ? NULL : pml_parse_place(parser, false);
    pml_expect(parser, PMT_COLON, "after the variable");
    struct pml_expr *from = parse_bound(parser, &loop.from);
    pml_expect(parser, PMT_DOTS, "in the range");
    struct pml_expr *to = parse_bound(parser, &loop.to);
    pml_expect(parser, PMT_CLOSE, "after the range");
    if (parser->syntax.lost)
        return NULL;
    loop.text = pml_shown(parser, first);
    loop.span = pml_span_from(parser, first);
    if (is_written_out && from->value > to->value) {
        report_error(parser->syntax.diagnostics, loop.span, "the range is empty");
        diag_hint(parser->syntax.diagnostics, "SPIN says the same, and leaves the statement out");
    } else if (is_written_out && to->value - from->value <= WIDEST_SELECT)
        return written_out(parser, &loop, from->value, to->value);
    struct pml_sequence body = {0};
    struct pml_stmt *start = assigned(parser, &loop, from);
    pml_number_stmt(parser, start);
    add(parser, &body, condition(parser, &loop, PML_LT, to));
    add(parser, &body, incremented(parser, &loop));
    struct pml_stmt *stmt = two_options(parser, &loop, false, pml_seal(parser, &body));
    if (is_written_out)
        return wide_range(parser, &loop, start, stmt);
    pml_add_stmt(parser, start);
    return stmt;
}

static bool is_skip(const struct pml_stmt *stmt)
{
    return !stmt->is_generated && !stmt->label_count && (stmt->kind == PML_PRINT || pml_is_one(stmt));
}

/* SPIN drops a skip behind another inside an option: it would be one more state. */
void pml_prune_skips(struct pml_block *block)
{
    uint32_t kept = 0, row = 0;
    for (uint32_t i = 0; i < block->count; i++) {
        struct pml_stmt *stmt = block->items[i];
        row = is_skip(stmt) ? row + 1 : 0;
        bool is_last = i + 1 == block->count;
        if (row > 1 && stmt->kind != PML_PRINT && i && !is_last)
            continue;
        block->items[kept++] = stmt;
    }
    block->count = kept;
}
