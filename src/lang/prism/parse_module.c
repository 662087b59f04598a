/* Modules: variables and commands, or the renaming of another module. */
#include "lang/prism/parse.h"

/* "x : [0..N] init 0;" or "b : bool;" */
struct prism_declaration prism_parse_declaration(struct prism_parser *parser)
{
    struct prism_declaration variable = {.type = PRISM_TYPE_BOOL};
    prism_expect_name(parser, &variable.name, "the name of a variable");
    prism_expect(parser, PRISM_COLON, "after the name of the variable");
    if (prism_take(parser, PRISM_OPEN_BRACKET)) {
        variable.type = PRISM_TYPE_INT;
        variable.low = prism_parse_expr(parser);
        prism_expect(parser, PRISM_DOTS, "between the least and the greatest value");
        variable.high = prism_parse_expr(parser);
        prism_expect(parser, PRISM_CLOSE_BRACKET, "after the range");
    } else if (!parser->syntax.lost && (prism_at(parser, WORD_INT) || prism_at(parser, WORD_CLOCK))) {
        bool is_clock = prism_at(parser, WORD_CLOCK);
        if (syntax_error(&parser->syntax, parser->token->span,
                         is_clock ? "clocks (timed automata) are not supported"
                                  : "integers without bounds are not supported") &&
            !is_clock)
            diag_hint(parser->syntax.diagnostics, "give it a range: \"%s : [0..10]\"", variable.name.text);
    } else
        prism_expect(parser, WORD_BOOL, "or a range after \":\"");
    if (prism_take(parser, WORD_INIT))
        variable.initial = prism_parse_expr(parser);
    prism_expect(parser, PRISM_SEMICOLON, "after the variable");
    return variable;
}

static bool at_bare_assignment(const struct prism_parser *parser)
{
    return prism_at(parser, PRISM_NAME) && prism_ahead(parser, 1)->kind == PRISM_PRIME;
}

static void refuse_bare_assignment(struct prism_parser *parser)
{
    if (syntax_error(&parser->syntax, parser->token->span, "expected \"(\" before an assignment, found \"%s\"",
                     parser->token->text))
        diag_hint(parser->syntax.diagnostics, "an assignment stands in parentheses: (%s'=...)", parser->token->text);
}

static bool parse_assignment(struct prism_parser *parser, struct prism_assignment *assignment)
{
    if (!parser->syntax.lost && at_bare_assignment(parser))
        refuse_bare_assignment(parser);
    prism_expect(parser, PRISM_OPEN_PAREN, "before an assignment");
    prism_expect_name(parser, &assignment->target, "a variable");
    if (!parser->syntax.lost && prism_at(parser, PRISM_EQ) &&
        syntax_error(&parser->syntax, parser->token->span, "this compares \"%s\" instead of changing it",
                     assignment->target.text))
        diag_hint(parser->syntax.diagnostics, "the new value of a variable is written with a prime: (%s'=...)",
                  assignment->target.text);
    prism_expect(parser, PRISM_PRIME, "after the variable: an update is written (x'=1)");
    prism_expect(parser, PRISM_EQ, "after \"'\"");
    assignment->value = prism_parse_expr(parser);
    prism_expect(parser, PRISM_CLOSE_PAREN, "after the assignment");
    return !parser->syntax.lost;
}

/* "(x'=1) & (y'=2)", or "true" when nothing changes. */
static void parse_assignments(struct prism_parser *parser, struct prism_update *update)
{
    if (prism_take(parser, WORD_TRUE))
        return;
    VEC(struct prism_assignment) items = {0};
    do {
        struct prism_assignment assignment = {0};
        if (parse_assignment(parser, &assignment))
            VEC_PUSH(&items, assignment);
    } while (prism_take(parser, PRISM_AND));
    update->count = (uint32_t)items.count;
    update->assignments = VEC_SEAL(&items, parser->arena);
}

/* Is there a ":" in what is left of the command, outside of parentheses? */
static bool has_colon(const struct prism_parser *parser)
{
    int depth = 0;
    for (const struct prism_token *token = parser->token; token->kind != PRISM_EOF; token++) {
        depth += (token->kind == PRISM_OPEN_PAREN) - (token->kind == PRISM_CLOSE_PAREN);
        if (depth <= 0 && (token->kind == PRISM_COLON || token->kind == PRISM_SEMICOLON))
            return token->kind == PRISM_COLON;
    }
    return false;
}

/* An update begins with "(x'" or is "true" alone; anything else is a weight, or "(x=1)" where "(x'=1)" is meant. */
static bool at_assignments(const struct prism_parser *parser)
{
    if (prism_at(parser, WORD_TRUE))
        return prism_ahead(parser, 1)->kind == PRISM_SEMICOLON || prism_ahead(parser, 1)->kind == PRISM_PLUS;
    enum prism_token_kind third = prism_ahead(parser, 2)->kind;
    return prism_at(parser, PRISM_OPEN_PAREN) && prism_ahead(parser, 1)->kind == PRISM_NAME &&
           (third == PRISM_PRIME || (third == PRISM_EQ && !has_colon(parser)));
}

static struct prism_update parse_update(struct prism_parser *parser)
{
    struct prism_update update = {.span = parser->token->span};
    if (!at_assignments(parser) && !at_bare_assignment(parser)) {
        if (!parser->syntax.lost && prism_at(parser, PRISM_OPEN_BRACKET)) {
            syntax_error(&parser->syntax, parser->token->span, "interval models are not supported");
            prism_skip_rest(parser);
            return update;
        }
        update.weight = prism_parse_expr(parser);
        prism_expect(parser, PRISM_COLON, "after the probability or rate");
    }
    parse_assignments(parser, &update);
    if (parser->token > parser->tokens)
        update.span = span_join(update.span, parser->token[-1].span);
    return update;
}

static struct prism_command parse_command(struct prism_parser *parser)
{
    struct prism_command command = {.span = parser->token->span};
    prism_expect(parser, PRISM_OPEN_BRACKET, "at the start of a command");
    if (prism_at(parser, PRISM_NAME))
        prism_expect_name(parser, &command.action, "an action");
    prism_expect(parser, PRISM_CLOSE_BRACKET, "after the action");
    command.guard = prism_parse_expr(parser);
    prism_expect(parser, PRISM_ARROW, "after the guard");
    VEC(struct prism_update) updates = {0};
    do
        VEC_PUSH(&updates, parse_update(parser));
    while (prism_take(parser, PRISM_PLUS));
    prism_expect(parser, PRISM_SEMICOLON, "after the command");
    command.update_count = (uint32_t)updates.count;
    command.updates = VEC_SEAL(&updates, parser->arena);
    return command;
}

/* What may be renamed: any name, and the functions min and max. */
static bool parse_renamed_name(struct prism_parser *parser, struct prism_name *name)
{
    if (!prism_at(parser, WORD_MIN) && !prism_at(parser, WORD_MAX))
        return prism_expect_name(parser, name, "a name");
    *name = (struct prism_name){parser->token->text, parser->token->span};
    prism_advance(parser);
    return true;
}

struct prism_renaming *prism_parse_renamings(struct prism_parser *parser, enum prism_token_kind between,
                                             enum prism_token_kind closer, uint32_t *count)
{
    VEC(struct prism_renaming) items = {0};
    do {
        struct prism_renaming renaming = {0};
        parse_renamed_name(parser, &renaming.from);
        prism_expect(parser, between, "between the old and the new name");
        if (!parser->syntax.lost && parse_renamed_name(parser, &renaming.to))
            VEC_PUSH(&items, renaming);
    } while (prism_take(parser, PRISM_COMMA));
    prism_expect(parser, closer, "after the renaming");
    *count = (uint32_t)items.count;
    return VEC_SEAL(&items, parser->arena);
}

static void parse_renamed(struct prism_parser *parser, struct prism_module *module)
{
    prism_expect_name(parser, &module->base, "the module to copy");
    prism_expect(parser, PRISM_OPEN_BRACKET, "before the renaming");
    module->renamings = prism_parse_renamings(parser, PRISM_EQ, PRISM_CLOSE_BRACKET, &module->renaming_count);
}

static void parse_body(struct prism_parser *parser, struct prism_module *module)
{
    VEC(struct prism_declaration) variables = {0};
    VEC(struct prism_command) commands = {0};
    while (!prism_at(parser, WORD_ENDMODULE) && !prism_at(parser, PRISM_EOF) && !prism_at(parser, WORD_MODULE) &&
           !diag_is_late(parser->syntax.diagnostics)) {
        const struct prism_token *before = parser->token;
        if (prism_at(parser, PRISM_OPEN_BRACKET))
            VEC_PUSH(&commands, parse_command(parser));
        else if (prism_at(parser, WORD_INVARIANT))
            syntax_error(&parser->syntax, parser->token->span, "invariants (timed automata) are not supported");
        else
            VEC_PUSH(&variables, prism_parse_declaration(parser));
        if (parser->syntax.lost)
            prism_recover(parser);
        if (parser->token == before)
            prism_advance(parser);
    }
    module->declarations.count = (uint32_t)variables.count;
    module->declarations.items = VEC_SEAL(&variables, parser->arena);
    module->command_count = (uint32_t)commands.count;
    module->commands = VEC_SEAL(&commands, parser->arena);
}

struct prism_module prism_parse_module(struct prism_parser *parser)
{
    struct prism_module module = {.from = parser->token->span};
    prism_advance(parser);
    prism_expect_name(parser, &module.name, "the name of a module");
    if (prism_take(parser, PRISM_EQ))
        parse_renamed(parser, &module);
    else if (!parser->syntax.lost)
        parse_body(parser, &module);
    module.to = parser->token->span;
    prism_expect(parser, WORD_ENDMODULE, "at the end of the module");
    return module;
}
