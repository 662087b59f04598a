#include "lang/murphi/parse.h"

static struct ast_stmt *parse_stmt(struct parser *parser);

static struct ast_stmt *new_stmt(struct parser *parser, enum ast_stmt_kind kind)
{
    struct ast_stmt *stmt = ARENA_NEW(parser->arena, struct ast_stmt);
    stmt->kind = kind;
    stmt->span = parser->token->span;
    return stmt;
}

/* New, with its keyword passed. */
static struct ast_stmt *begin_stmt(struct parser *parser, enum ast_stmt_kind kind)
{
    struct ast_stmt *stmt = new_stmt(parser, kind);
    parse_advance(parser);
    return stmt;
}

struct ast_aliases parse_aliases(struct parser *parser)
{
    VEC(struct ast_alias) items = {0};
    for (parse_skip_semicolons(parser); parse_at(parser, TOKEN_NAME) && !parser->syntax.lost;) {
        struct ast_alias alias;
        alias.names = parse_names(parser, "the name of an alias");
        parse_expect(parser, TOKEN_COLON, "after the name of an alias");
        alias.value = parse_expr(parser);
        VEC_PUSH(&items, alias);
        if (parse_at(parser, TOKEN_COMMA) &&
            syntax_error(&parser->syntax, parser->token->span, "expected \";\" between aliases, found \",\""))
            diag_hint(parser->syntax.diagnostics, "aliases are separated by semicolons");
        parse_skip_semicolons(parser);
    }
    size_t count = items.count;
    return (struct ast_aliases){VEC_SEAL(&items, parser->arena), count};
}

void parse_message_and_expr(struct parser *parser, const char **message, struct ast_expr **expr)
{
    *message = NULL;
    if (parse_at(parser, TOKEN_STRING)) {
        *message = parser->token->text;
        parse_advance(parser);
        *expr = parse_expr(parser);
        return;
    }
    *expr = parse_expr(parser);
    if (!parser->syntax.lost && parse_at(parser, TOKEN_STRING)) {
        *message = parser->token->text;
        parse_advance(parser);
    }
}

static struct ast_stmt *parse_if(struct parser *parser)
{
    struct ast_stmt *stmt = new_stmt(parser, AST_IF);
    VEC(struct ast_arm) arms = {0};
    while (parse_at(parser, KEY_IF) || parse_at(parser, KEY_ELSIF)) {
        if (parse_at(parser, KEY_IF) && arms.count)
            break;
        struct ast_arm arm = {.span = parser->token->span};
        parse_advance(parser);
        struct ast_expr **condition = ARENA_NEW(parser->arena, struct ast_expr *);
        *condition = parse_expr(parser);
        arm.values = (struct ast_exprs){condition, 1};
        if (parse_at(parser, TOKEN_ASSIGN) &&
            syntax_error(&parser->syntax, parser->token->span, "\":=\" in a condition"))
            diag_hint(parser->syntax.diagnostics, "write = to compare");
        parse_expect(parser, KEY_THEN, "after the condition");
        if (parser->syntax.lost)
            parse_recover(parser);
        arm.body = parse_stmts(parser);
        VEC_PUSH(&arms, arm);
    }
    if (parse_at(parser, KEY_ELSE)) {
        struct ast_arm arm = {.span = parser->token->span, .is_else = true};
        parse_advance(parser);
        if (parse_at(parser, KEY_IF) && parser->token->span.line == arm.span.line)
            parser->saw_else_if = true;
        arm.body = parse_stmts(parser);
        VEC_PUSH(&arms, arm);
    }
    parse_end(parser, KEY_ENDIF, KEY_ENDIF, stmt->span, "if");
    stmt->arm_count = arms.count;
    stmt->arms = VEC_SEAL(&arms, parser->arena);
    return stmt;
}

static struct ast_stmt *parse_switch(struct parser *parser)
{
    struct ast_stmt *stmt = begin_stmt(parser, AST_SWITCH);
    stmt->value = parse_expr(parser);
    parse_skip_semicolons(parser);
    VEC(struct ast_arm) arms = {0};
    while (parse_at(parser, KEY_CASE) && !parser->syntax.lost) {
        struct ast_arm arm = {.span = parser->token->span};
        parse_advance(parser);
        arm.values = parse_expr_list(parser, TOKEN_COLON);
        parse_expect(parser, TOKEN_COLON, "after the values of a case");
        arm.body = parse_stmts(parser);
        VEC_PUSH(&arms, arm);
    }
    if (parse_at(parser, KEY_ELSE)) {
        struct ast_arm arm = {.span = parser->token->span, .is_else = true};
        parse_advance(parser);
        arm.body = parse_stmts(parser);
        VEC_PUSH(&arms, arm);
    }
    parse_end(parser, KEY_ENDSWITCH, KEY_ENDSWITCH, stmt->span, "switch");
    stmt->arm_count = arms.count;
    stmt->arms = VEC_SEAL(&arms, parser->arena);
    return stmt;
}

static struct ast_stmt *parse_do_stmts(struct parser *parser, struct ast_stmt *stmt, enum token_kind end,
                                       const char *word)
{
    parse_do(parser);
    stmt->body = parse_stmts(parser);
    parse_end(parser, end, end, stmt->span, word);
    return stmt;
}

static struct ast_stmt *parse_for(struct parser *parser)
{
    struct ast_stmt *stmt = begin_stmt(parser, AST_FOR);
    stmt->quantifiers = parse_quantifiers(parser);
    return parse_do_stmts(parser, stmt, KEY_ENDFOR, "for");
}

static struct ast_stmt *parse_while(struct parser *parser)
{
    struct ast_stmt *stmt = begin_stmt(parser, AST_WHILE);
    stmt->value = parse_expr(parser);
    return parse_do_stmts(parser, stmt, KEY_ENDWHILE, "while");
}

static struct ast_stmt *parse_alias(struct parser *parser)
{
    struct ast_stmt *stmt = begin_stmt(parser, AST_ALIAS);
    stmt->aliases = parse_aliases(parser);
    return parse_do_stmts(parser, stmt, KEY_ENDALIAS, "alias");
}

static struct ast_stmt *parse_target(struct parser *parser, enum ast_stmt_kind kind)
{
    struct ast_stmt *stmt = begin_stmt(parser, kind);
    stmt->target = parse_designator(parser);
    return stmt;
}

static struct ast_stmt *parse_property_stmt(struct parser *parser, enum ast_stmt_kind kind)
{
    struct ast_stmt *stmt = begin_stmt(parser, kind);
    parse_message_and_expr(parser, &stmt->message, &stmt->value);
    stmt->span = span_join(stmt->span, parse_previous_span(parser));
    return stmt;
}

static struct ast_stmt *parse_error_stmt(struct parser *parser)
{
    struct ast_stmt *stmt = begin_stmt(parser, AST_ERROR);
    if (!parse_at(parser, TOKEN_STRING))
        parse_unexpected(parser, "a string after error");
    stmt->message = parser->token->text;
    parse_take(parser, TOKEN_STRING);
    stmt->span = span_join(stmt->span, parse_previous_span(parser));
    return stmt;
}

static struct ast_stmt *parse_put(struct parser *parser)
{
    struct ast_stmt *stmt = begin_stmt(parser, AST_PUT);
    if (parse_at(parser, TOKEN_STRING)) {
        stmt->message = parser->token->text;
        parse_advance(parser);
    } else
        stmt->value = parse_expr(parser);
    return stmt;
}

static struct ast_stmt *parse_return(struct parser *parser)
{
    struct ast_stmt *stmt = begin_stmt(parser, AST_RETURN);
    if (!parse_at(parser, TOKEN_SEMICOLON) && !parse_at_block_end(parser))
        stmt->value = parse_expr(parser);
    return stmt;
}

static struct ast_stmt *parse_add(struct parser *parser)
{
    struct ast_stmt *stmt = begin_stmt(parser, AST_ADD);
    parse_expect(parser, TOKEN_OPEN_PAREN, "after multisetadd");
    stmt->value = parse_expr(parser);
    parse_expect(parser, TOKEN_COMMA, "between the element and the multiset");
    stmt->target = parse_designator(parser);
    parse_expect(parser, TOKEN_CLOSE_PAREN, "after the multiset");
    return stmt;
}

static struct ast_stmt *parse_remove(struct parser *parser)
{
    struct ast_stmt *stmt = begin_stmt(parser, AST_REMOVE);
    parse_expect(parser, TOKEN_OPEN_PAREN, "after multisetremove");
    stmt->value = parse_expr(parser);
    parse_expect(parser, TOKEN_COMMA, "between the element and the multiset");
    stmt->target = parse_designator(parser);
    parse_expect(parser, TOKEN_CLOSE_PAREN, "after the multiset");
    return stmt;
}

static struct ast_stmt *parse_remove_if(struct parser *parser)
{
    struct ast_stmt *stmt = begin_stmt(parser, AST_REMOVE_IF);
    parse_expect(parser, TOKEN_OPEN_PAREN, "after multisetremovepred");
    parse_expect_name(parser, &stmt->name, "the name of a variable");
    parse_expect(parser, TOKEN_COLON, "after the variable");
    stmt->target = parse_designator(parser);
    parse_expect(parser, TOKEN_COMMA, "after the multiset");
    stmt->value = parse_expr(parser);
    parse_expect(parser, TOKEN_CLOSE_PAREN, "after the condition");
    return stmt;
}

/* What follows an expression that begins a statement: an assignment or a call. */
static struct ast_stmt *finish_stmt(struct parser *parser, struct ast_expr *first)
{
    struct ast_stmt *stmt = new_stmt(parser, AST_ASSIGN);
    stmt->span = first->span;
    if (first->kind == AST_CALL && !parse_at(parser, TOKEN_ASSIGN)) {
        stmt->kind = AST_CALL_STMT;
        stmt->value = first;
        return stmt;
    }
    stmt->target = first;
    if (!parse_expect(parser, TOKEN_ASSIGN, "in a statement"))
        return stmt;
    stmt->value = parse_expr(parser);
    stmt->span = span_join(first->span, stmt->value->span);
    return stmt;
}

/* Only in one dialect is this word a keyword: it is a name when it is used as one. */
static bool is_used_as_name(const struct parser *parser)
{
    enum token_kind next = parse_ahead(parser, 1)->kind;
    return next == TOKEN_ASSIGN || next == TOKEN_DOT || next == TOKEN_OPEN_BRACKET;
}

static struct ast_stmt *parse_named_stmt(struct parser *parser)
{
    if (!is_used_as_name(parser))
        switch (parser->token->soft) {
        case SOFT_ASSUME:
            return parse_property_stmt(parser, AST_ASSUME);
        case SOFT_COVER:
            return parse_property_stmt(parser, AST_COVER);
        case SOFT_LIVENESS:
            if (syntax_error(&parser->syntax, parser->token->span, "liveness is not a statement"))
                diag_hint(parser->syntax.diagnostics, "a liveness property stands outside the rules");
            return new_stmt(parser, AST_RETURN);
        case SOFT_MULTISETADD:
            return parse_add(parser);
        case SOFT_MULTISETREMOVE:
            return parse_remove(parser);
        case SOFT_MULTISETREMOVEPRED:
            return parse_remove_if(parser);
        default:
            break;
        }
    return finish_stmt(parser, parse_designator(parser));
}

static struct ast_stmt *parse_stmt_inside(struct parser *parser)
{
    switch (parser->token->kind) {
    case TOKEN_NAME:
        return parse_named_stmt(parser);
    case KEY_IF:
        return parse_if(parser);
    case KEY_SWITCH:
        return parse_switch(parser);
    case KEY_FOR:
        return parse_for(parser);
    case KEY_WHILE:
        return parse_while(parser);
    case KEY_ALIAS:
        return parse_alias(parser);
    case KEY_CLEAR:
        return parse_target(parser, AST_CLEAR);
    case KEY_UNDEFINE:
        return parse_target(parser, AST_UNDEFINE);
    case KEY_ASSERT:
    case KEY_INVARIANT: /* to rumur the same word */
        return parse_property_stmt(parser, AST_ASSERT);
    case KEY_ERROR:
        return parse_error_stmt(parser);
    case KEY_PUT:
        return parse_put(parser);
    case KEY_RETURN:
        return parse_return(parser);
    default:
        parse_unexpected(parser, "a statement");
        return new_stmt(parser, AST_RETURN);
    }
}

static struct ast_stmt *parse_stmt(struct parser *parser)
{
    if (parser->syntax.lost || !syntax_enter(&parser->syntax, parser->token->span))
        return new_stmt(parser, AST_RETURN);
    struct ast_stmt *stmt = parse_stmt_inside(parser);
    syntax_leave(&parser->syntax);
    return stmt;
}

/* A list ends at "end", "else", ..., and also where a rule begins: there an "end" is missing. */
static bool at_list_end(const struct parser *parser)
{
    if (parse_at(parser, KEY_INVARIANT))
        return false;
    return parse_at_block_end(parser) || parse_at_item_start(parser);
}

struct ast_stmts parse_stmts_after(struct parser *parser, struct ast_expr *first)
{
    VEC(struct ast_stmt *) items = {0};
    if (!first)
        parse_skip_semicolons(parser);
    while (first || !at_list_end(parser)) {
        const struct token *start = parser->token;
        struct ast_stmt *stmt = first ? finish_stmt(parser, first) : parse_stmt(parser);
        first = NULL;
        VEC_PUSH(&items, stmt);
        if (!at_list_end(parser))
            parse_expect(parser, TOKEN_SEMICOLON, "between statements");
        if (parser->syntax.lost) {
            parse_recover(parser);
            if (parse_at_decl(parser) || parse_at_item_start(parser) || parse_at(parser, TOKEN_EOF)) {
                parser->syntax.lost = true; /* out of all blocks: their ends are not missing one by one */
                break;
            }
            if (parser->token == start)
                parse_advance(parser); /* always some progress */
        }
        parse_skip_semicolons(parser);
    }
    size_t count = items.count;
    return (struct ast_stmts){VEC_SEAL(&items, parser->arena), count};
}

struct ast_stmts parse_stmts(struct parser *parser)
{
    return parse_stmts_after(parser, NULL);
}
