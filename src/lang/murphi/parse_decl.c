#include "lang/murphi/parse.h"

static struct ast_type *new_type(struct parser *parser, enum ast_type_kind kind)
{
    struct ast_type *type = ARENA_NEW(parser->arena, struct ast_type);
    type->kind = kind;
    type->span = parser->token->span;
    return type;
}

struct ast_names parse_names(struct parser *parser, const char *what)
{
    VEC(struct ast_name) items = {0};
    do {
        struct ast_name name;
        if (items.count && !parse_at(parser, TOKEN_NAME))
            break; /* rumur allows a comma after the last one */
        if (!parse_expect_name(parser, &name, what))
            break;
        VEC_PUSH(&items, name);
    } while (parse_take(parser, TOKEN_COMMA));
    size_t count = items.count;
    return (struct ast_names){VEC_SEAL(&items, parser->arena), count};
}

static struct ast_type *parse_enum(struct parser *parser)
{
    struct ast_type *type = new_type(parser, AST_TYPE_ENUM);
    parse_advance(parser);
    parse_expect(parser, TOKEN_OPEN_BRACE, "after enum");
    type->labels = parse_names(parser, "a name for the enum");
    if (parse_at(parser, TOKEN_NAME))
        parse_expect(parser, TOKEN_COMMA, "between the names of an enum");
    parse_expect(parser, TOKEN_CLOSE_BRACE, "after the names of an enum");
    return type;
}

static struct ast_type *parse_record(struct parser *parser)
{
    struct ast_type *type = new_type(parser, AST_TYPE_RECORD);
    parse_advance(parser);
    VEC(struct ast_field) fields = {0};
    for (parse_skip_semicolons(parser); parse_at(parser, TOKEN_NAME) && !parser->syntax.lost;) {
        struct ast_field field;
        field.names = parse_names(parser, "the name of a field");
        parse_expect(parser, TOKEN_COLON, "after the name of a field");
        field.type = parse_type(parser);
        VEC_PUSH(&fields, field);
        parse_skip_semicolons(parser);
    }
    parse_end(parser, KEY_ENDRECORD, KEY_ENDRECORD, type->span, "record");
    type->field_count = fields.count;
    type->fields = VEC_SEAL(&fields, parser->arena);
    return type;
}

static struct ast_type *parse_array(struct parser *parser)
{
    struct ast_type *type = new_type(parser, AST_TYPE_ARRAY);
    parse_advance(parser);
    parse_expect(parser, TOKEN_OPEN_BRACKET, "after array");
    type->index = parse_type(parser);
    parse_expect(parser, TOKEN_CLOSE_BRACKET, "after the index type");
    parse_expect(parser, KEY_OF, "after the index type");
    type->element = parse_type(parser);
    return type;
}

static struct ast_type *parse_multiset(struct parser *parser)
{
    struct ast_type *type = new_type(parser, AST_TYPE_MULTISET);
    parse_advance(parser);
    parse_expect(parser, TOKEN_OPEN_BRACKET, "after multiset");
    type->from = parse_expr(parser);
    parse_expect(parser, TOKEN_CLOSE_BRACKET, "after the size");
    parse_expect(parser, KEY_OF, "after the size");
    type->element = parse_type(parser);
    return type;
}

static struct ast_type *parse_scalarset(struct parser *parser)
{
    struct ast_type *type = new_type(parser, AST_TYPE_SCALARSET);
    parse_advance(parser);
    parse_expect(parser, TOKEN_OPEN_PAREN, "after scalarset");
    type->from = parse_expr(parser);
    parse_expect(parser, TOKEN_CLOSE_PAREN, "after the size");
    return type;
}

static struct ast_type *parse_union(struct parser *parser)
{
    struct ast_type *type = new_type(parser, AST_TYPE_UNION);
    parse_advance(parser);
    parse_expect(parser, TOKEN_OPEN_BRACE, "after union");
    VEC(struct ast_type *) members = {0};
    while (!parser->syntax.lost && !parse_at(parser, TOKEN_CLOSE_BRACE)) {
        VEC_PUSH(&members, parse_type(parser));
        if (!parse_take(parser, TOKEN_COMMA))
            break;
    }
    parse_expect(parser, TOKEN_CLOSE_BRACE, "after the members of a union");
    size_t count = members.count;
    type->members = (struct ast_types){VEC_SEAL(&members, parser->arena), count};
    return type;
}

static struct ast_type *parse_range(struct parser *parser)
{
    struct ast_type *type = new_type(parser, AST_TYPE_RANGE);
    if (parser->token->is_real && syntax_error(&parser->syntax, parser->token->span, "a real number is not a type"))
        diag_hint(parser->syntax.diagnostics, "a range is written with two dots: 0..3");
    type->from = parse_expr(parser);
    parse_expect(parser, TOKEN_DOTDOT, "between the bounds of a range");
    type->to = parse_expr(parser);
    return type;
}

/* A name alone is a type; a name that an operator follows is the lower bound of a range. */
static bool is_lone_name(const struct parser *parser)
{
    switch (parse_ahead(parser, 1)->kind) {
    case TOKEN_DOTDOT:
    case TOKEN_PLUS:
    case TOKEN_MINUS:
    case TOKEN_STAR:
    case TOKEN_SLASH:
    case TOKEN_PERCENT:
    case TOKEN_SHL:
    case TOKEN_SHR:
    case TOKEN_AMP:
    case TOKEN_PIPE:
    case TOKEN_CARET:
    case TOKEN_DOT:
    case TOKEN_OPEN_BRACKET:
    case TOKEN_OPEN_PAREN:
    case TOKEN_QUESTION:
        return false;
    default:
        return true;
    }
}

static struct ast_type *parse_named_type(struct parser *parser)
{
    enum token_kind next = parse_ahead(parser, 1)->kind;
    if (parse_at_soft(parser, SOFT_MULTISET) && next == TOKEN_OPEN_BRACKET)
        return parse_multiset(parser);
    if (parse_at_soft(parser, SOFT_REAL) &&
        syntax_error(&parser->syntax, parser->token->span, "real types are not supported")) {
        diag_hint(parser->syntax.diagnostics, "the state must be finite: use a range of integers");
        return new_type(parser, AST_TYPE_BOOLEAN);
    }
    if (!is_lone_name(parser))
        return parse_range(parser);
    struct ast_type *type = new_type(parser, AST_TYPE_NAME);
    parse_expect_name(parser, &type->name, "a type");
    return type;
}

static struct ast_type *parse_type_inside(struct parser *parser)
{
    switch (parser->token->kind) {
    case KEY_BOOLEAN: {
        struct ast_type *type = new_type(parser, AST_TYPE_BOOLEAN);
        parse_advance(parser);
        return type;
    }
    case KEY_ENUM:
        return parse_enum(parser);
    case KEY_RECORD:
        return parse_record(parser);
    case KEY_ARRAY:
        return parse_array(parser);
    case KEY_SCALARSET:
        return parse_scalarset(parser);
    case KEY_UNION:
        return parse_union(parser);
    case TOKEN_NAME:
        return parse_named_type(parser);
    case TOKEN_NUMBER:
    case TOKEN_MINUS:
    case TOKEN_PLUS:
    case TOKEN_TILDE:
    case TOKEN_OPEN_PAREN:
        return parse_range(parser);
    case TOKEN_OPEN_BRACE:
        if (syntax_error(&parser->syntax, parser->token->span, "expected a type, found \"{\""))
            diag_hint(parser->syntax.diagnostics, "a type of names is written enum {A, B}");
        return new_type(parser, AST_TYPE_BOOLEAN);
    default:
        parse_unexpected(parser, "a type");
        return new_type(parser, AST_TYPE_BOOLEAN);
    }
}

struct ast_type *parse_type(struct parser *parser)
{
    if (parser->syntax.lost || !syntax_enter(&parser->syntax, parser->token->span))
        return new_type(parser, AST_TYPE_BOOLEAN);
    struct ast_type *type = parse_type_inside(parser);
    syntax_leave(&parser->syntax);
    type->span = span_join(type->span, parse_previous_span(parser));
    return type;
}

bool parse_at_decl(const struct parser *parser)
{
    return parse_at(parser, KEY_CONST) || parse_at(parser, KEY_TYPE) || parse_at(parser, KEY_VAR);
}

static struct ast_decl parse_decl(struct parser *parser, enum ast_decl_kind kind)
{
    struct ast_decl decl = {.kind = kind};
    decl.names = parse_names(parser, "a name to declare");
    if (parse_at(parser, TOKEN_EQ) || parse_at(parser, TOKEN_ASSIGN)) {
        if (syntax_error(&parser->syntax, parser->token->span, "expected \":\" after the name, found \"%s\"",
                         parser->token->text))
            diag_hint(parser->syntax.diagnostics, "declarations are written NAME: %s",
                      kind == AST_CONST ? "value" : "type");
    } else
        parse_expect(parser, TOKEN_COLON, "after the name");
    if (kind == AST_CONST)
        decl.value = parse_expr(parser);
    else
        decl.type = parse_type(parser);
    return decl;
}

/* A body may follow its declarations without BEGIN, so a name may also begin a statement. */
static bool at_declaration(const struct parser *parser)
{
    enum token_kind next = parse_ahead(parser, 1)->kind;
    if (!parse_at(parser, TOKEN_NAME)) /* a keyword where a name should be: let parse_names say so */
        return parser->token->kind >= KEY_ALIAS && next == TOKEN_COLON;
    switch (next) {
    case TOKEN_COLON:
    case TOKEN_COMMA:
        return true;
    case TOKEN_ASSIGN:
    case TOKEN_DOT:
    case TOKEN_OPEN_BRACKET:
    case TOKEN_OPEN_PAREN:
    case TOKEN_STRING: /* a misspelt keyword: startstate "boot" */
        return false;
    default:
        return !parser->token->soft;
    }
}

struct ast_decls parse_decls(struct parser *parser)
{
    VEC(struct ast_decl) items = {0};
    while (parse_at_decl(parser)) {
        enum token_kind section = parser->token->kind;
        enum ast_decl_kind kind = section == KEY_CONST ? AST_CONST : section == KEY_TYPE ? AST_TYPE : AST_VAR;
        parse_advance(parser);
        parse_skip_semicolons(parser);
        while (at_declaration(parser)) {
            if (parse_at(parser, TOKEN_NAME)) {
                struct ast_decl decl = parse_decl(parser, kind);
                VEC_PUSH(&items, decl);
            } else {
                parse_names(parser, "a name to declare"); /* reports the keyword */
                parse_advance(parser);
            }
            if (parser->syntax.lost)
                parse_recover(parser);
            parse_skip_semicolons(parser); /* rumur lets them be left out */
        }
    }
    size_t count = items.count;
    return (struct ast_decls){VEC_SEAL(&items, parser->arena), count};
}

static void parse_parameters(struct parser *parser, struct ast_function *function)
{
    VEC(struct ast_parameter) items = {0};
    parse_expect(parser, TOKEN_OPEN_PAREN, "after the name");
    for (parse_skip_semicolons(parser); !parser->syntax.lost && !parse_at(parser, TOKEN_CLOSE_PAREN);) {
        struct ast_parameter parameter = {.by_reference = parse_take(parser, KEY_VAR)};
        parameter.names = parse_names(parser, "the name of a parameter");
        parse_expect(parser, TOKEN_COLON, "after the name of a parameter");
        parameter.type = parse_type(parser);
        VEC_PUSH(&items, parameter);
        if (parse_at(parser, TOKEN_COMMA) &&
            syntax_error(&parser->syntax, parser->token->span, "expected \";\" between parameters, found \",\""))
            diag_hint(parser->syntax.diagnostics, "parameters of different types are separated by semicolons");
        parse_skip_semicolons(parser);
    }
    parse_expect(parser, TOKEN_CLOSE_PAREN, "after the parameters");
    function->parameter_count = items.count;
    function->parameters = VEC_SEAL(&items, parser->arena);
}

struct ast_function *parse_function(struct parser *parser)
{
    struct ast_function *function = ARENA_NEW(parser->arena, struct ast_function);
    struct span start = parser->token->span;
    bool is_function = parse_at(parser, KEY_FUNCTION);
    parse_advance(parser);
    VEC_CLEAR(&parser->calls);
    parse_expect_name(parser, &function->name, is_function ? "the name of a function" : "the name of a procedure");
    parse_parameters(parser, function);
    if (parse_take(parser, TOKEN_COLON))
        function->result = parse_type(parser);
    parse_skip_semicolons(parser);
    if (parser->syntax.lost)
        parse_recover(parser);
    function->decls = parse_decls(parser);
    parse_take(parser, KEY_BEGIN);
    function->body = parse_stmts(parser);
    function->end = parser->token->span;
    if (is_function)
        parse_end(parser, KEY_ENDFUNCTION, KEY_ENDPROCEDURE, start, "function");
    else
        parse_end(parser, KEY_ENDPROCEDURE, KEY_ENDFUNCTION, start, "procedure");
    function->call_count = parser->calls.count;
    function->calls = arena_copy(parser->arena, parser->calls.items, parser->calls.count * sizeof *parser->calls.items);
    return function;
}
