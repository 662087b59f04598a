#include <string.h>

#include "lang/promela/parse.h"

enum { MOST_MTYPES = 255, MOST_CAPACITY = 1 << 20 };

static const struct basic {
    enum pml_token_kind kind;
    enum pml_base base;
} basics[] = {
    {PMT_BIT, PML_BIT},           {PMT_BOOL, PML_BOOL},   {PMT_BYTE, PML_BYTE},
    {PMT_PID, PML_PID},           {PMT_SHORT, PML_SHORT}, {PMT_INT, PML_INT},
    {PMT_UNSIGNED, PML_UNSIGNED}, {PMT_MTYPE, PML_MTYPE}, {PMT_CHAN, PML_CHAN},
};

static const struct basic *basic_here(const struct pml_token *token)
{
    for (size_t i = 0; i < sizeof basics / sizeof *basics; i++)
        if (basics[i].kind == token->kind)
            return &basics[i];
    return NULL;
}

static bool is_visibility(enum pml_token_kind kind)
{
    return kind == PMT_HIDDEN || kind == PMT_SHOW || kind == PMT_LOCAL;
}

bool pml_at_declaration(const struct pml_parser *parser)
{
    const struct pml_token *token = parser->token;
    return !parser->syntax.lost && (is_visibility(token->kind) || basic_here(token) ||
                                    (token->kind == PMT_NAME && pml_find_record(parser, token->text) != NULL));
}

/* A type; of an mtype with its subtype. */
static bool parse_type(struct pml_parser *parser, struct pml_type *type)
{
    const struct pml_token *token = parser->token;
    const struct basic *basic = basic_here(token);
    struct pml_record *record = token->kind == PMT_NAME ? pml_find_record(parser, token->text) : NULL;
    *type = (struct pml_type){0};
    if (!basic && !record) {
        pml_unexpected(parser, "a type");
        return false;
    }
    if (record)
        pml_note_named_use(parser, &parser->model->records, record->name, token->span);
    pml_advance(parser);
    type->base = basic ? basic->base : PML_RECORD;
    type->record = record;
    if (type->base == PML_MTYPE) {
        const char *name = pml_take(parser, PMT_COLON) ? pml_expect_name(parser, "the name of a kind of mtype") : NULL;
        type->set = pml_mtype_set(parser, name);
    }
    return !parser->syntax.lost;
}

static void add_mtype(struct pml_parser *parser, struct pml_names *set)
{
    const struct pml_token *token = parser->token;
    const struct pml_names *other;
    if (!pml_expect_name(parser, "the name of an mtype"))
        return;
    if (pml_find_mtype(parser, token->text, &other))
        report_error(parser->syntax.diagnostics, token->span, "\"%s\" is an mtype already", token->text);
    else if (pml_find_variable(parser, token->text) || pml_find_record(parser, token->text))
        report_error(parser->syntax.diagnostics, token->span, "\"%s\" is declared already", token->text);
    pml_note_named(parser, NAME_VALUE, &parser->model->mtypes, token->text, token->span);
    VEC_PUSH(&set->names, token->text);
    VEC_PUSH(&set->numbers, 0);
}

/* { a, b, c }: numbers fall from the first to the last. */
static void parse_mtypes(struct pml_parser *parser, const char *name)
{
    const struct pml_token *first = parser->token;
    struct pml_names *set = pml_mtype_set(parser, name);
    size_t before = set->names.count;
    if (parser->proctype)
        syntax_error(&parser->syntax, first->span, "mtypes are declared outside of processes");
    pml_expect(parser, PMT_OPEN_BRACE, "before the names of mtypes");
    while (!parser->syntax.lost && !pml_at(parser, PMT_CLOSE_BRACE)) {
        add_mtype(parser, set);
        while (pml_take(parser, PMT_COMMA))
            continue;
    }
    pml_expect(parser, PMT_CLOSE_BRACE, "after the names of mtypes");
    size_t count = set->names.count;
    for (size_t i = before; i < count; i++)
        set->numbers.items[i] = (uint32_t)(before + count - i);
    if (count > MOST_MTYPES)
        report_error(parser->syntax.diagnostics, first->span, "more than %d mtypes", MOST_MTYPES);
    if (count == before)
        syntax_error(&parser->syntax, first->span, "there is no name of an mtype here");
}

static struct pml_channel *parse_channel(struct pml_parser *parser)
{
    const struct pml_token *first = parser->token;
    struct pml_channel *channel = ARENA_NEW(parser->arena, struct pml_channel);
    pml_expect(parser, PMT_OPEN_BRACKET, "before the capacity of the channel");
    int64_t capacity = pml_parse_constant(parser);
    pml_expect(parser, PMT_CLOSE_BRACKET, "after the capacity of the channel");
    pml_expect(parser, PMT_OF, "after the capacity of the channel");
    pml_expect(parser, PMT_OPEN_BRACE, "before the types of the fields");
    VEC(struct pml_type) fields = {0};
    do {
        struct pml_type type;
        const struct pml_token *token = parser->token;
        if (parse_type(parser, &type))
            VEC_PUSH(&fields, type);
        if (type.base == PML_UNSIGNED && !parser->syntax.lost)
            syntax_error(&parser->syntax, token->span, "an unsigned cannot be a field of a message");
    } while (pml_take(parser, PMT_COMMA));
    channel->field_count = (uint32_t)fields.count;
    channel->fields = VEC_SEAL(&fields, parser->arena);
    pml_expect(parser, PMT_CLOSE_BRACE, "after the types of the fields");
    channel->span = pml_span_from(parser, first);
    if (!parser->syntax.lost && (capacity < 0 || capacity > MOST_CAPACITY))
        syntax_error(&parser->syntax, channel->span, "the capacity of a channel must be between 0 and %d",
                     MOST_CAPACITY);
    channel->capacity = (uint32_t)capacity;
    return channel;
}

/* { 1, 2, 3 } */
static void parse_elements(struct pml_parser *parser, struct pml_variable *variable)
{
    VEC(struct pml_expr *) list = {0};
    pml_expect(parser, PMT_OPEN_BRACE, "here");
    do {
        const struct pml_token *token = parser->token;
        struct pml_expr *expr = pml_parse_expr(parser);
        if (expr && expr->kind != PML_NUMBER)
            syntax_error(&parser->syntax, token->span, "expected a constant");
        if (expr)
            VEC_PUSH(&list, expr);
    } while (pml_take(parser, PMT_COMMA));
    pml_expect(parser, PMT_CLOSE_BRACE, "after the elements");
    if (!variable->length)
        report_error(parser->syntax.diagnostics, variable->span, "\"%s\" is no array", variable->name);
    else if (list.count > variable->length)
        report_error(parser->syntax.diagnostics, variable->span, "there are more values than elements of \"%s\"",
                     variable->name);
    variable->initial_count = (uint32_t)list.count;
    variable->initials = VEC_SEAL(&list, parser->arena);
}

static void check_channel(struct pml_parser *parser, const struct pml_variable *variable, bool is_late)
{
    if (variable->type.base != PML_CHAN)
        report_error(parser->syntax.diagnostics, variable->span, "\"%s\" is no chan", variable->name);
    else if (is_late) {
        if (report_error(parser->syntax.diagnostics, variable->span, "a channel cannot be made here"))
            diag_hint(parser->syntax.diagnostics,
                      "declare it at the start of the proctype, before the first statement");
    }
}

static void parse_initial(struct pml_parser *parser, struct pml_variable *variable, bool is_late)
{
    if (!pml_take(parser, PMT_BECOMES))
        return;
    if (variable->is_parameter) {
        syntax_error(&parser->syntax, variable->span, "a parameter has no initial value");
        return;
    }
    if (pml_at(parser, PMT_OPEN_BRACKET)) {
        variable->channel = parse_channel(parser);
        check_channel(parser, variable, is_late);
    } else if (pml_at(parser, PMT_OPEN_BRACE)) {
        parse_elements(parser, variable);
        if (is_late)
            report_error(parser->syntax.diagnostics, variable->span,
                         "an array can be given several values only at the start");
    } else
        variable->initial = pml_parse_expr(parser);
    if (variable->initial && variable->initial->kind == PML_RUN)
        report_error(parser->syntax.diagnostics, variable->initial->span, "\"run\" cannot be an initial value");
}

static void parse_width(struct pml_parser *parser, struct pml_variable *variable)
{
    const struct pml_token *token = parser->token;
    if (!pml_expect(parser, PMT_NUMBER, "after \":\""))
        return;
    int64_t width = pml_token_value(token);
    if (variable->type.base != PML_UNSIGNED)
        report_error(parser->syntax.diagnostics, token->span, "only an unsigned has a width");
    else if (width < 1 || width > 31)
        report_error(parser->syntax.diagnostics, token->span, "the width must be between 1 and 31");
    variable->type.width = (uint32_t)width;
}

static void parse_length(struct pml_parser *parser, struct pml_variable *variable)
{
    const struct pml_token *token = parser->token;
    int64_t length = pml_parse_constant(parser);
    pml_expect(parser, PMT_CLOSE_BRACKET, "after the length of the array");
    if (!parser->syntax.lost && (length < 1 || length > INT32_MAX))
        report_error(parser->syntax.diagnostics, token->span, "the length of an array must be at least 1");
    variable->length = length < 1 || length > INT32_MAX ? 1 : (uint32_t)length;
    if (variable->is_parameter)
        report_error(parser->syntax.diagnostics, token->span, "an array cannot be a parameter");
}

/* What SPIN makes of a declaration behind the first statement: of an array only its first element is set, of a record
 * nothing, but each is a step. */
static void add_late(struct pml_parser *parser, struct pml_variable *variable, const struct pml_token *first)
{
    const char *text =
        variable->initial ? pml_shown(parser, first) : arena_format(parser->arena, "%s = 0", variable->name);
    struct pml_stmt *stmt;
    if (variable->type.base == PML_RECORD) {
        stmt = pml_stmt_new(parser, PML_CONDITION, variable->span, text);
        stmt->value = pml_number(parser, variable->span, 1);
    } else if (variable->length) {
        struct pml_place *place = ARENA_NEW(parser->arena, struct pml_place);
        *place = (struct pml_place){variable->span, variable, pml_number(parser, variable->span, 0), NULL};
        struct pml_expr *value = variable->initial ? variable->initial : pml_number(parser, variable->span, 0);
        stmt = pml_assignment(parser, place, value, text);
        variable->initial = NULL;
    } else {
        stmt = pml_stmt_new(parser, PML_DECLARE, variable->span, text);
        stmt->variable = variable;
        variable->is_inner = true;
    }
    stmt->is_generated = true;
    pml_add_stmt(parser, stmt);
}

static void parse_variable(struct pml_parser *parser, const struct pml_variable *model)
{
    const struct pml_token *first = parser->token;
    struct pml_variable *variable = ARENA_NEW(parser->arena, struct pml_variable);
    *variable = *model;
    variable->span = first->span;
    variable->name = pml_expect_name(parser, "the name of a variable");
    bool is_late = parser->proctype && !parser->is_starting && !variable->is_parameter;
    if (pml_take(parser, PMT_COLON))
        parse_width(parser, variable);
    else if (pml_take(parser, PMT_OPEN_BRACKET))
        parse_length(parser, variable);
    if (!parser->syntax.lost && variable->type.base == PML_UNSIGNED && !variable->type.width)
        report_error(parser->syntax.diagnostics, first->span, "an unsigned needs its width: \"unsigned %s : 3\"",
                     variable->name);
    parse_initial(parser, variable, is_late);
    if (parser->syntax.lost || !pml_declare(parser, variable))
        return;
    if (is_late && !variable->channel)
        add_late(parser, variable, first);
}

static bool is_mtype_list(const struct pml_parser *parser)
{
    const struct pml_token *token = parser->token;
    return token->kind == PMT_OPEN_BRACE || (token->kind == PMT_BECOMES && token[1].kind == PMT_OPEN_BRACE);
}

static void check_hidden(struct pml_parser *parser, const struct pml_token *at, enum pml_base base)
{
    if (base == PML_BIT || base == PML_BOOL)
        report_error(parser->syntax.diagnostics, at->span, "a bit cannot be hidden");
}

/* byte a, byte b */
static bool refuse_type(struct pml_parser *parser)
{
    if (!basic_here(parser->token) || parser->syntax.lost)
        return false;
    if (pml_unexpected(parser, "the name of a variable"))
        diag_hint(parser->syntax.diagnostics,
                  "declarations are separated by \";\", only the names of one type by \",\"");
    return true;
}

void pml_parse_declaration(struct pml_parser *parser)
{
    const struct pml_token *first = parser->token;
    struct pml_variable model = {.is_parameter = parser->is_parameter};
    if (is_visibility(first->kind))
        pml_advance(parser);
    model.is_hidden = first->kind == PMT_HIDDEN;
    if (!parse_type(parser, &model.type))
        return;
    if (model.type.base == PML_MTYPE && is_mtype_list(parser)) {
        pml_take(parser, PMT_BECOMES);
        parse_mtypes(parser, model.type.set->name);
        return;
    }
    if (model.is_hidden)
        check_hidden(parser, first, model.type.base);
    do {
        if (!refuse_type(parser))
            parse_variable(parser, &model);
    } while (pml_take(parser, PMT_COMMA));
}

void pml_parse_typedef(struct pml_parser *parser)
{
    pml_advance(parser);
    struct pml_record *record = ARENA_NEW(parser->arena, struct pml_record);
    const struct pml_names *set;
    record->span = parser->token->span;
    record->name = pml_expect_name(parser, "the name of the record type");
    if (!parser->syntax.lost && (pml_find_record(parser, record->name) || pml_find_variable(parser, record->name) ||
                                 pml_find_mtype(parser, record->name, &set)))
        report_error(parser->syntax.diagnostics, record->span, "\"%s\" is declared already", record->name);
    pml_expect(parser, PMT_OPEN_BRACE, "before the fields");
    parser->record = record;
    while (!parser->syntax.lost && !pml_at(parser, PMT_CLOSE_BRACE)) {
        pml_parse_declaration(parser);
        if (!pml_take(parser, PMT_SEMI))
            break;
    }
    parser->record = NULL;
    pml_expect(parser, PMT_CLOSE_BRACE, "after the fields");
    if (!parser->syntax.lost && !record->fields.count)
        syntax_error(&parser->syntax, record->span, "a record needs a field");
    pml_note_named(parser, NAME_TYPE, &parser->model->records, record->name, record->span);
    VEC_PUSH(&parser->model->records, record);
}
