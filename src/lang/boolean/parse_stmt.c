#include <string.h>

#include "base/printable.h"
#include "lang/boolean/parse.h"

enum { MOST_SHOWN = 70 };

/* The tokens from `first` up to the current one, on one line. */
static const char *text_since(struct bp_parser *parser, const struct bp_token *first)
{
    struct text text = {0};
    for (const struct bp_token *token = first; token < parser->token; token++) {
        if (token > first && token->from > token[-1].to)
            text_char(&text, ' ');
        text_append(&text, token->text);
    }
    bool is_long = text.length > MOST_SHOWN;
    const char *shown = arena_string_n(parser->arena, text_chars(&text), is_long ? MOST_SHOWN : text.length);
    text_free(&text);
    return arena_printable(parser->arena, is_long ? arena_format(parser->arena, "%s...", shown) : shown);
}

static uint32_t step_count(const struct bp_parser *parser)
{
    return (uint32_t)parser->procedure->steps.count;
}

static struct bp_step *add_step(struct bp_parser *parser, enum bp_step_kind kind, struct span span)
{
    struct bp_step *step = ARENA_NEW(parser->arena, struct bp_step);
    step->kind = kind;
    step->span = span;
    step->next = step_count(parser) + 1;
    step->other = BP_NOWHERE;
    step->text = "";
    VEC_PUSH(&parser->procedure->steps, step);
    parser->step = step;
    return step;
}

static void parse_names(struct bp_parser *parser, const char *what, bool may_be_number, struct bp_names *names)
{
    do {
        struct bp_name name = {parser->token->text, parser->token->span};
        if (!(may_be_number && bp_take(parser, BP_NUMBER)) && !bp_expect_name(parser, what, &name))
            return;
        VEC_PUSH(names, name);
    } while (bp_take(parser, BP_COMMA));
}

static bool parse_initial(struct bp_parser *parser, signed char *initial)
{
    struct bp_step counted = {0};
    parser->step = &counted;
    struct bp_expr *value = bp_parse_expr(parser);
    if (!value)
        return false;
    *initial = value->kind == BP_EXPR_CONSTANT ? (signed char)value->value : -1;
    if (value->kind != BP_EXPR_CONSTANT && value->kind != BP_EXPR_ANY)
        syntax_error(&parser->syntax, value->span, "an initial value is 0, 1 or *");
    return !parser->syntax.lost;
}

static const char *const reserved[] = {"T", "F", "_"};

void bp_parse_variables(struct bp_parser *parser, bool is_parameter)
{
    struct bp_procedure *procedure = parser->procedure;
    do {
        struct bp_variable *variable = ARENA_NEW(parser->arena, struct bp_variable);
        if (!bp_expect_name(parser, "the name of a variable", &variable->name))
            return;
        for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
            if (!strcmp(variable->name.text, reserved[i]))
                syntax_error(&parser->syntax, variable->name.span, "a variable cannot be called \"%s\"", reserved[i]);
        variable->initial = -1;
        variable->is_global = !procedure;
        variable->is_parameter = is_parameter;
        if (!is_parameter && bp_take(parser, BP_BECOMES) && !parse_initial(parser, &variable->initial))
            return;
        variable->id = (uint32_t)(procedure ? procedure->variables.count : parser->program->globals.count);
        if (procedure)
            VEC_PUSH(&procedure->variables, variable);
        else
            VEC_PUSH(&parser->program->globals, variable);
        if (procedure && is_parameter)
            procedure->parameter_count++;
    } while (bp_take(parser, BP_COMMA));
}

static void parse_statements(struct bp_parser *parser);

static void parse_condition(struct bp_parser *parser, struct bp_step *step, const struct bp_token *first)
{
    step->condition = bp_parse_expr(parser);
    step->text = text_since(parser, first);
}

/* "if e then goto L fi" is one step. */
static void merge_goto(struct bp_parser *parser, uint32_t branch)
{
    struct bp_procedure *procedure = parser->procedure;
    if (step_count(parser) != branch + 2)
        return;
    struct bp_step *jump = procedure->steps.items[branch + 1];
    const struct bp_label *last = procedure->labels.count ? &VEC_LAST(&procedure->labels) : NULL;
    if (jump->kind == BP_STEP_GOTO && jump->names.count == 1 && !(last && last->step == branch + 1))
        jump->kind = BP_STEP_PASS;
}

/* From the condition to what stands before fi. */
static void parse_branches(struct bp_parser *parser, const struct bp_token *first)
{
    uint32_t branch = step_count(parser);
    struct bp_step *step = add_step(parser, BP_STEP_BRANCH, first->span);
    bp_advance(parser);
    parse_condition(parser, step, first);
    if (parser->syntax.lost || !bp_expect(parser, BP_THEN, "after the condition"))
        return;
    parse_statements(parser);
    merge_goto(parser, branch);
    struct bp_step *over = NULL;
    if (bp_at(parser, BP_ELSE) || bp_at(parser, BP_ELSIF))
        over = add_step(parser, BP_STEP_PASS, parser->token->span);
    step->other = step_count(parser);
    if (bp_at(parser, BP_ELSIF) && syntax_enter(&parser->syntax, parser->token->span)) {
        parse_branches(parser, parser->token);
        syntax_leave(&parser->syntax);
    } else if (bp_take(parser, BP_ELSE))
        parse_statements(parser);
    if (over)
        over->next = step_count(parser);
}

static void parse_if(struct bp_parser *parser)
{
    parse_branches(parser, parser->token);
    if (!parser->syntax.lost)
        bp_expect(parser, BP_FI, "at the end of if");
}

static void parse_while(struct bp_parser *parser)
{
    const struct bp_token *first = parser->token;
    uint32_t top = step_count(parser);
    struct bp_step *step = add_step(parser, BP_STEP_BRANCH, first->span);
    bp_advance(parser);
    parse_condition(parser, step, first);
    if (parser->syntax.lost || !bp_expect(parser, BP_DO, "after the condition"))
        return;
    parse_statements(parser);
    struct bp_step *again = add_step(parser, BP_STEP_SKIP, parser->token->span);
    again->text = "od";
    again->next = top;
    step->other = step_count(parser);
    bp_expect(parser, BP_OD, "at the end of while");
}

static void parse_arguments(struct bp_parser *parser, struct bp_step *step)
{
    if (!bp_expect(parser, BP_OPEN, "before the arguments"))
        return;
    if (!bp_at(parser, BP_CLOSE))
        bp_parse_exprs(parser, &step->values);
    if (!parser->syntax.lost)
        bp_expect(parser, BP_CLOSE, "after the arguments");
}

static void parse_call(struct bp_parser *parser, struct bp_step *step)
{
    if (bp_expect_name(parser, "the name of a procedure", &step->callee))
        parse_arguments(parser, step);
}

/* Numbered lines: an assignment of a constant or * before the first of them says how a variable begins. */
static bool keep_initial(struct bp_parser *parser, const struct bp_step *step)
{
    bool is_simple =
        step->kind == BP_STEP_ASSIGN && step->names.count == 1 && step->values.count == 1 && !step->condition;
    const struct bp_expr *value = is_simple ? step->values.items[0] : NULL;
    if (!value || (value->kind != BP_EXPR_ANY && value->kind != BP_EXPR_CONSTANT))
        return false;
    signed char initial = value->kind == BP_EXPR_ANY ? -1 : (signed char)value->value;
    struct bp_variable *found = NULL;
    for (size_t i = 0; i < parser->program->globals.count; i++)
        if (!strcmp(parser->program->globals.items[i]->name.text, step->names.items[0].text))
            found = parser->program->globals.items[i];
    for (size_t i = 0; i < parser->procedure->variables.count; i++)
        if (!strcmp(parser->procedure->variables.items[i]->name.text, step->names.items[0].text))
            found = parser->procedure->variables.items[i];
    if (found)
        found->initial = initial;
    return found;
}

static void parse_assignment(struct bp_parser *parser, struct span span)
{
    struct bp_step *step = add_step(parser, BP_STEP_ASSIGN, span);
    const struct bp_token *first = parser->token;
    parse_names(parser, "a variable", false, &step->names);
    if (parser->syntax.lost || !bp_expect(parser, BP_BECOMES, "after what is assigned"))
        return;
    if (bp_at(parser, BP_IDENTIFIER) && parser->token[1].kind == BP_OPEN) {
        step->kind = BP_STEP_CALL;
        parse_call(parser, step);
    } else
        bp_parse_exprs(parser, &step->values);
    if (step->kind == BP_STEP_ASSIGN && !parser->syntax.lost && step->values.count != step->names.count)
        syntax_error(&parser->syntax, span, "the numbers of variables (%zu) and of values (%zu) differ",
                     step->names.count, step->values.count);
    if (step->kind == BP_STEP_ASSIGN && bp_take(parser, BP_CONSTRAIN)) {
        parser->may_tick = true;
        step->condition = bp_parse_expr(parser);
        parser->may_tick = false;
    }
    step->text = text_since(parser, first);
    if (parser->is_beginning && !parser->syntax.lost && keep_initial(parser, step)) {
        VEC_FREE(&step->names);
        VEC_FREE(&step->values);
        parser->procedure->steps.count--;
    }
}

static void parse_start(struct bp_parser *parser)
{
    const struct bp_token *first = parser->token;
    struct bp_step *step = add_step(parser, BP_STEP_START_CALL, first->span);
    bp_advance(parser);
    if (bp_take(parser, BP_GOTO)) {
        step->kind = BP_STEP_START_GOTO;
        parse_names(parser, "a label", true, &step->names);
        if (step->names.count > 1)
            syntax_error(&parser->syntax, step->names.items[1].span, "a thread starts at one label");
    } else
        parse_call(parser, step);
    step->text = text_since(parser, first);
}

static bool at_block_end(const struct bp_parser *parser)
{
    switch (parser->token->kind) {
    case BP_END:
    case BP_FI:
    case BP_OD:
    case BP_ELSE:
    case BP_ELSIF:
    case BP_EOF:
        return true;
    default:
        return false;
    }
}

static void parse_return(struct bp_parser *parser)
{
    const struct bp_token *first = parser->token;
    struct bp_step *step = add_step(parser, BP_STEP_RETURN, first->span);
    bp_advance(parser);
    if (!bp_at(parser, BP_SEMICOLON) && !at_block_end(parser))
        bp_parse_exprs(parser, &step->values);
    step->text = text_since(parser, first);
}

static void parse_enforce(struct bp_parser *parser)
{
    struct bp_step counted = {0};
    struct span span = parser->token->span;
    bp_advance(parser);
    parser->step = &counted;
    struct bp_expr *expr = bp_parse_expr(parser);
    if (expr && counted.choice_count)
        syntax_error(&parser->syntax, span, "what is enforced cannot depend on *");
    if (expr)
        VEC_PUSH(&parser->procedure->enforced, expr);
}

/* assume, assert, abortif. */
static void parse_checked(struct bp_parser *parser, enum bp_step_kind kind, bool is_negated)
{
    const struct bp_token *first = parser->token;
    struct bp_step *step = add_step(parser, kind, first->span);
    bp_advance(parser);
    parse_condition(parser, step, first);
    if (step->condition && is_negated) {
        struct bp_expr *negation = ARENA_NEW(parser->arena, struct bp_expr);
        *negation = (struct bp_expr){.kind = BP_EXPR_NOT, .span = step->condition->span, .left = step->condition};
        negation->height = step->condition->height + 1;
        step->condition = negation;
    }
}

static void parse_named(struct bp_parser *parser, enum bp_step_kind kind, bool may_be_number, const char *what)
{
    const struct bp_token *first = parser->token;
    struct bp_step *step = add_step(parser, kind, first->span);
    bp_advance(parser);
    parse_names(parser, what, may_be_number, &step->names);
    step->text = text_since(parser, first);
}

static void parse_word(struct bp_parser *parser, enum bp_step_kind kind)
{
    add_step(parser, kind, parser->token->span)->text = parser->token->text;
    bp_advance(parser);
}

static void parse_simple(struct bp_parser *parser, bool is_async)
{
    const struct bp_token *first = parser->token;
    if (!bp_at(parser, BP_IDENTIFIER)) {
        bp_unexpected(parser, "a statement");
        return;
    }
    if (first[1].kind != BP_OPEN) {
        parse_assignment(parser, first->span);
        return;
    }
    struct bp_step *step = add_step(parser, is_async ? BP_STEP_START_CALL : BP_STEP_CALL, first->span);
    parse_call(parser, step);
    step->text = text_since(parser, first);
}

static void refuse_word(struct bp_parser *parser)
{
    syntax_error(&parser->syntax, parser->token->span, "%s is not supported", parser->token->text);
}

static void parse_statement(struct bp_parser *parser, bool is_async)
{
    switch (parser->token->kind) {
    case BP_SKIP:
        parse_word(parser, BP_STEP_SKIP);
        break;
    case BP_ATOMIC_BEGIN:
        parse_word(parser, BP_STEP_ATOMIC_BEGIN);
        break;
    case BP_ATOMIC_END:
        parse_word(parser, BP_STEP_ATOMIC_END);
        break;
    case BP_WAIT:
        parse_word(parser, BP_STEP_WAIT);
        break;
    case BP_BROADCAST:
        parse_word(parser, BP_STEP_BROADCAST);
        break;
    case BP_END_THREAD:
        parse_word(parser, BP_STEP_END_THREAD);
        break;
    case BP_DECL:
        bp_advance(parser);
        bp_parse_variables(parser, false);
        break;
    case BP_ENFORCE:
        parse_enforce(parser);
        break;
    case BP_ABORTIF:
        parse_checked(parser, BP_STEP_ASSUME, true);
        break;
    case BP_ASSUME:
        parse_checked(parser, BP_STEP_ASSUME, false);
        break;
    case BP_ASSERT:
        parse_checked(parser, BP_STEP_ASSERT, false);
        break;
    case BP_DEAD:
        parse_named(parser, BP_STEP_DEAD, false, "a variable");
        break;
    case BP_GOTO:
        parse_named(parser, BP_STEP_GOTO, true, "a label");
        break;
    case BP_IF:
        parse_if(parser);
        break;
    case BP_WHILE:
        parse_while(parser);
        break;
    case BP_RETURN:
        parse_return(parser);
        break;
    case BP_START_THREAD:
        parse_start(parser);
        break;
    case BP_SYNC:
    case BP_THREAD_LOCAL:
        refuse_word(parser);
        break;
    default:
        parse_simple(parser, is_async);
    }
}

static bool at_label(const struct bp_parser *parser)
{
    return (bp_at(parser, BP_IDENTIFIER) || bp_at(parser, BP_NUMBER)) && parser->token[1].kind == BP_COLON;
}

/* The label of c2bp that says that the call is asynchronous, or NULL. */
static const struct bp_token *parse_labels(struct bp_parser *parser)
{
    const struct bp_token *async = NULL;
    while (at_label(parser)) {
        struct bp_label label = {{parser->token->text, parser->token->span}, step_count(parser)};
        if (!strncmp(label.name.text, "ASYNC_", 6))
            async = parser->token;
        VEC_PUSH(&parser->procedure->labels, label);
        bp_advance(parser);
        bp_advance(parser);
        parser->is_beginning = false;
    }
    return async;
}

static void recover(struct bp_parser *parser)
{
    while (!bp_at(parser, BP_SEMICOLON) && !at_block_end(parser))
        bp_advance(parser);
    parser->syntax.lost = false;
}

static void parse_one(struct bp_parser *parser)
{
    const struct bp_token *first = parser->token, *async = parse_labels(parser);
    uint32_t before = step_count(parser);
    if (!at_block_end(parser) && !bp_at(parser, BP_SEMICOLON))
        parse_statement(parser, async);
    else if (parser->token > first)
        add_step(parser, BP_STEP_SKIP, first->span)->text = "skip";
    bool is_start = step_count(parser) > before && parser->procedure->steps.items[before]->kind == BP_STEP_START_CALL;
    if (async && !is_start)
        syntax_error(&parser->syntax, async->span, "a label ASYNC_... stands before a call");
}

static bool may_lack_semicolon(const struct bp_parser *parser)
{
    return parser->token > parser->tokens && (parser->token[-1].kind == BP_FI || parser->token[-1].kind == BP_OD);
}

static void parse_statements(struct bp_parser *parser)
{
    if (!syntax_enter(&parser->syntax, parser->token->span))
        return;
    while (!at_block_end(parser) && !diag_is_late(parser->syntax.diagnostics)) {
        parse_one(parser);
        if (!parser->syntax.lost && !at_block_end(parser) && !bp_at(parser, BP_SEMICOLON) &&
            !may_lack_semicolon(parser))
            bp_unexpected(parser, "\";\" after the statement");
        if (parser->syntax.lost)
            recover(parser);
        bp_take(parser, BP_SEMICOLON);
    }
    syntax_leave(&parser->syntax);
}

void bp_parse_body(struct bp_parser *parser)
{
    parser->is_beginning = parser->program->is_numbered;
    parse_statements(parser);
    struct bp_step *end = add_step(parser, BP_STEP_RETURN, parser->token->span);
    end->text = "end";
    end->next = BP_NOWHERE;
    while (!bp_at(parser, BP_END) && !bp_at(parser, BP_EOF)) { /* a stray fi, od or else */
        bp_unexpected(parser, "a statement or \"end\"");
        bp_advance(parser);
    }
    parser->syntax.lost = false;
    bp_expect(parser, BP_END, "at the end of the procedure");
}
