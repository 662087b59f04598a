#include <string.h>
#include <strings.h>

#include "ir/system.h"
#include "lang/murphi/foreign.h"
#include "lang/murphi/murphi.h"
#include "lang/murphi/parse.h"

static struct ast_rule *new_rule(struct parser *parser, enum ast_rule_kind kind)
{
    struct ast_rule *rule = ARENA_NEW(parser->arena, struct ast_rule);
    rule->kind = kind;
    rule->span = parser->token->span;
    return rule;
}

static struct ast_rule *begin_rule(struct parser *parser, enum ast_rule_kind kind)
{
    struct ast_rule *rule = new_rule(parser, kind);
    parse_advance(parser);
    return rule;
}

static void parse_title(struct parser *parser, struct ast_rule *rule)
{
    if (!parse_at(parser, TOKEN_STRING))
        return;
    rule->title = parser->token->text;
    rule->span = span_join(rule->span, parser->token->span);
    parse_advance(parser);
}

static void refuse_word(struct parser *parser, const char *what, const char *hint)
{
    if (syntax_error(&parser->syntax, parser->token->span, "%s", what))
        diag_hint(parser->syntax.diagnostics, "%s", hint);
    parse_advance(parser);
}

static bool at_expression(const struct parser *parser)
{
    if (!parse_at(parser, TOKEN_NAME))
        return parse_begins_operand(parser->token->kind) || parse_at(parser, TOKEN_MINUS) ||
               parse_at(parser, TOKEN_PLUS);
    switch (parser->token->soft) {
    case SOFT_MULTISETADD:
    case SOFT_MULTISETREMOVE:
    case SOFT_MULTISETREMOVEPRED:
        return parse_ahead(parser, 1)->kind != TOKEN_OPEN_PAREN;
    default:
        return !parse_at_block_end(parser);
    }
}

/* "decls BEGIN stmts", where both the declarations and BEGIN may be missing. */
static void parse_body(struct parser *parser, struct ast_rule *rule, struct ast_expr *first)
{
    if (parser->syntax.lost)
        parse_recover(parser);
    if (!first) {
        rule->decls = parse_decls(parser);
        parse_take(parser, KEY_BEGIN);
    }
    rule->body = parse_stmts_after(parser, first);
}

/* A number that no operator follows is a priority, not the beginning of a guard. */
static bool at_priority(const struct parser *parser)
{
    enum token_kind next = parse_ahead(parser, 1)->kind;
    bool is_operator = next == TOKEN_QUESTION || next == TOKEN_LONG_ARROW ||
                       (next >= TOKEN_IMPLIES && next <= TOKEN_PERCENT && next != TOKEN_NOT && next != TOKEN_TILDE);
    return parse_at(parser, TOKEN_NUMBER) && !parser->token->is_real && !is_operator;
}

/* Without a guard the body may begin at once, so an expression is a guard only if ==> follows. */
static struct ast_rule *parse_simple_rule(struct parser *parser)
{
    struct ast_rule *rule = begin_rule(parser, AST_RULE);
    if (at_priority(parser)) {
        rule->priority = parser->token->value;
        parse_advance(parser);
    }
    parse_title(parser, rule);
    if (parser->token->is_real)
        refuse_word(parser, "probabilistic rules are not supported", "a guard is true or false");
    struct ast_expr *first = NULL;
    if (at_expression(parser)) {
        first = parse_expr(parser);
        bool is_stmt = !parser->syntax.lost && ((parse_at(parser, TOKEN_ASSIGN) && first->kind != AST_BINARY) ||
                                                (first->kind == AST_CALL && !parse_at(parser, TOKEN_LONG_ARROW)));
        if (!is_stmt) {
            parse_expect(parser, TOKEN_LONG_ARROW, "after the guard");
            rule->guard = first;
            first = NULL;
        }
    }
    parse_take(parser, TOKEN_LONG_ARROW);
    parse_body(parser, rule, first);
    parse_end(parser, KEY_ENDRULE, KEY_ENDRULE, rule->span, "rule");
    return rule;
}

static struct ast_rule *parse_startstate(struct parser *parser)
{
    struct ast_rule *rule = begin_rule(parser, AST_STARTSTATE);
    parse_title(parser, rule);
    parse_body(parser, rule, NULL);
    parse_end(parser, KEY_ENDSTARTSTATE, KEY_ENDSTARTSTATE, rule->span, "startstate");
    return rule;
}

static struct ast_rule *parse_property(struct parser *parser, enum property_kind kind)
{
    struct ast_rule *rule = begin_rule(parser, AST_PROPERTY);
    rule->property = kind;
    parse_message_and_expr(parser, &rule->title, &rule->guard);
    return rule;
}

/* Is it this word, which is no keyword? Case does not matter, as with all words of the language. */
static bool is_word(const struct token *token, const char *word)
{
    return token->kind == TOKEN_NAME && !strcasecmp(token->text, word);
}

/* ALWAYS EVENTUALLY of older dialects stands for rumur's liveness, which is weaker. Names side by side are no
 * expression, so models may have variables that are called so. */
static void skip_always_eventually(struct parser *parser)
{
    if (!is_word(parser->token, "always") || !is_word(parse_ahead(parser, 1), "eventually"))
        return;
    diag_warning(parser->syntax.diagnostics, span_join(parser->token->span, parse_ahead(parser, 1)->span),
                 "ALWAYS EVENTUALLY is read as rumur's liveness: the condition can always be reached again");
    diag_hint(parser->syntax.diagnostics,
              "ltl G F (...) says that every run reaches it again and again, and may assume fairness; "
              "ctl AG AF (...) says it without fairness");
    parse_advance(parser);
    parse_advance(parser);
}

static struct ast_rule *parse_liveness(struct parser *parser)
{
    struct ast_rule *rule = begin_rule(parser, AST_PROPERTY);
    const char *title = parse_at(parser, TOKEN_STRING) ? parser->token->text : NULL;
    rule->property = PROPERTY_LIVENESS;
    if (title)
        parse_advance(parser);
    skip_always_eventually(parser);
    parse_message_and_expr(parser, &rule->title, &rule->guard);
    if (title)
        rule->title = title;
    return rule;
}

static struct ast_rule *parse_formula(struct parser *parser, enum property_kind kind)
{
    parser->is_temporal = true;
    parser->is_linear = kind == PROPERTY_LTL;
    struct ast_rule *rule = parse_property(parser, kind);
    if (!parser->syntax.lost && at_foreign_formula(parser))
        parse_unexpected(parser, "the end of the formula");
    parser->is_temporal = parser->is_linear = false;
    return rule;
}

/* fair CONDITION; fair CONDITION => CONDITION; */
static struct ast_rule *parse_fair(struct parser *parser)
{
    struct ast_rule *rule = parse_property(parser, PROPERTY_FAIRNESS);
    rule->fairness = FAIRNESS_CONDITION;
    if (!parser->syntax.lost && (parse_take(parser, TOKEN_DOUBLE_ARROW) || parse_take(parser, TOKEN_LONG_ARROW))) {
        rule->set = rule->guard;
        rule->guard = parse_expr(parser);
    }
    rule->span = span_join(rule->span, parse_previous_span(parser));
    return rule;
}

static void suggest_strength(struct parser *parser)
{
    static const char *const words[] = {"weak", "strong"};
    const char *closest =
        parse_at(parser, TOKEN_NAME) ? diag_closest(parser->token->text, words, sizeof words / sizeof *words) : NULL;
    if (syntax_error(&parser->syntax, parser->token->span, "expected \"weak\" or \"strong\", found %s",
                     token_describe(parser->token, parser->arena)) &&
        closest)
        diag_hint(parser->syntax.diagnostics, "did you mean \"%s\"?", closest);
}

/* fairness weak; fairness strong TYPE; fairness strong "RULE"; */
static struct ast_rule *parse_fairness(struct parser *parser)
{
    struct ast_rule *rule = begin_rule(parser, AST_PROPERTY);
    bool is_strong = parse_at(parser, TOKEN_NAME) && !strcmp(parser->token->text, "strong");
    rule->property = PROPERTY_FAIRNESS;
    rule->fairness = is_strong ? FAIRNESS_STRONG : FAIRNESS_WEAK;
    if (!is_strong && !(parse_at(parser, TOKEN_NAME) && !strcmp(parser->token->text, "weak"))) {
        suggest_strength(parser);
        return rule;
    }
    parse_advance(parser);
    parse_title(parser, rule);
    if (!rule->title && parse_at(parser, TOKEN_NAME))
        parse_expect_name(parser, &rule->name, "the name of a type");
    rule->span = span_join(rule->span, parse_previous_span(parser));
    return rule;
}

/* What is refused is read all the same: what follows it is then not reported line by line. */
static void refuse_in_properties(struct parser *parser)
{
    if (parser->only_properties &&
        syntax_error(&parser->syntax, parser->token->span, "expected a property, found \"%s\"", parser->token->text)) {
        diag_hint(parser->syntax.diagnostics,
                  "a file of properties describes no system: it has invariants, covers, liveness "
                  "properties, ctl and ltl formulas, and fairness");
        parser->syntax.lost = false;
    }
}

static struct ast_rule *parse_rule(struct parser *parser);

static void parse_item(struct parser *parser, struct ast_item *item)
{
    if (parse_at_decl(parser) || parse_at(parser, KEY_FUNCTION) || parse_at(parser, KEY_PROCEDURE))
        refuse_in_properties(parser);
    if (parse_at_decl(parser))
        item->decls = parse_decls(parser);
    else if (parse_at(parser, KEY_FUNCTION) || parse_at(parser, KEY_PROCEDURE))
        item->function = parse_function(parser);
    else
        item->rule = parse_rule(parser);
}

static struct ast_rule *parse_inner_rules(struct parser *parser, struct ast_rule *outer, enum token_kind end,
                                          const char *word)
{
    parse_do(parser);
    VEC(struct ast_rule *) items = {0};
    parse_skip_semicolons(parser);
    while (!parse_at_block_end(parser)) {
        if (parse_at_decl(parser) || parse_at(parser, KEY_FUNCTION) || parse_at(parser, KEY_PROCEDURE)) {
            syntax_error(&parser->syntax, parser->token->span, "expected a rule, found \"%s\"", parser->token->text);
            parser->syntax.lost = false; /* it is clear what was meant */
            parse_item(parser, &(struct ast_item){0});
            if (parser->syntax.lost)
                parse_recover(parser);
            parse_skip_semicolons(parser);
            continue;
        }
        VEC_PUSH(&items, parse_rule(parser));
        if (parser->syntax.lost)
            parse_recover(parser);
        parse_skip_semicolons(parser);
    }
    size_t count = items.count;
    outer->rules = (struct ast_rules){VEC_SEAL(&items, parser->arena), count};
    parse_end(parser, end, end, outer->span, word);
    return outer;
}

static struct ast_rule *parse_ruleset(struct parser *parser)
{
    struct ast_rule *rule = begin_rule(parser, AST_RULESET);
    rule->quantifiers = parse_quantifiers(parser);
    return parse_inner_rules(parser, rule, KEY_ENDRULESET, "ruleset");
}

static struct ast_rule *parse_alias_rule(struct parser *parser)
{
    struct ast_rule *rule = begin_rule(parser, AST_ALIAS_RULE);
    rule->aliases = parse_aliases(parser);
    return parse_inner_rules(parser, rule, KEY_ENDALIAS, "alias");
}

static struct ast_rule *parse_choose(struct parser *parser)
{
    struct ast_rule *rule = begin_rule(parser, AST_CHOOSE);
    parse_expect_name(parser, &rule->name, "the name of a variable");
    parse_expect(parser, TOKEN_COLON, "after the variable");
    rule->set = parse_designator(parser);
    return parse_inner_rules(parser, rule, SOFT_ENDCHOOSE, "choose");
}

static bool is_ctl_word(const struct token *token)
{
    static const char *const words[] = {"AG", "AF", "AX", "EG", "EF", "EX"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(token, words[i]))
            return true;
    return false;
}

static void parse_unexpected_item(struct parser *parser)
{
    enum token_kind next = parse_ahead(parser, 1)->kind;
    bool is_assignment = next == TOKEN_ASSIGN || next == TOKEN_OPEN_BRACKET || next == TOKEN_DOT;
    bool is_statement = parse_at(parser, TOKEN_NAME) && (is_assignment || next == TOKEN_OPEN_PAREN);
    if (!syntax_error(&parser->syntax, parser->token->span, "expected a declaration, a rule or a property, found %s",
                      token_describe(parser->token, parser->arena)))
        return;
    if (is_ctl_word(parser->token))
        diag_hint(parser->syntax.diagnostics, "a formula of branching time begins with ctl: ctl \"name\" %s ...",
                  parser->token->text);
    else if (parser->only_properties || is_word(parser->token, "property"))
        diag_hint(parser->syntax.diagnostics, "write %s", language_murphi.property_form);
    else if (parse_at(parser, KEY_OF) && parser->token > parser->tokens)
        diag_hint(parser->syntax.diagnostics,
                  "\"%s\" is no kind of type; there are array [T] of T and multiset [4] of T", parser->token[-1].text);
    else if (parse_at(parser, TOKEN_CLOSE_BRACE))
        diag_hint(parser->syntax.diagnostics, "a body stands between begin and end");
    else if (is_statement)
        diag_hint(parser->syntax.diagnostics, "statements stand inside rules, start states and functions");
}

static struct ast_rule *parse_named_rule(struct parser *parser)
{
    switch (parser->token->soft) {
    case SOFT_ASSUME:
        return parse_property(parser, PROPERTY_ASSUMPTION);
    case SOFT_COVER:
        return parse_property(parser, PROPERTY_COVER);
    case SOFT_LIVENESS:
        return parse_liveness(parser);
    case SOFT_FINAL:
        return parse_property(parser, PROPERTY_DEADLOCK);
    case SOFT_CTL:
        return parse_formula(parser, PROPERTY_CTL);
    case SOFT_LTL:
        return parse_formula(parser, PROPERTY_LTL);
    case SOFT_FAIR:
        return parse_fair(parser);
    case SOFT_CHOOSE:
        return parse_choose(parser);
    case SOFT_FAIRNESS:
        return parse_fairness(parser);
    case SOFT_PCTL:
        refuse_word(parser, "PCTL formulas are not supported", "probabilistic Murphi models cannot be checked");
        break;
    case SOFT_EXTERNFUN:
    case SOFT_EXTERNPROC:
        refuse_word(parser, "external functions are not supported", "write the function in Murphi");
        break;
    default:
        parse_unexpected_item(parser);
    }
    return new_rule(parser, AST_RULESET);
}

static struct ast_rule *parse_rule_inside(struct parser *parser)
{
    switch (parser->token->kind) {
    case KEY_RULE:
        refuse_in_properties(parser);
        return parse_simple_rule(parser);
    case KEY_STARTSTATE:
        refuse_in_properties(parser);
        return parse_startstate(parser);
    case KEY_INVARIANT:
    case KEY_ASSERT: /* to rumur the same word */
        return parse_property(parser, PROPERTY_INVARIANT);
    case KEY_RULESET:
        return parse_ruleset(parser);
    case KEY_ALIAS:
        return parse_alias_rule(parser);
    case TOKEN_NAME:
        return parse_named_rule(parser);
    default:
        parse_unexpected_item(parser);
        return new_rule(parser, AST_RULESET);
    }
}

static struct ast_rule *parse_rule(struct parser *parser)
{
    const struct token *start = parser->token;
    if (parser->syntax.lost || !syntax_enter(&parser->syntax, parser->token->span)) {
        parse_advance(parser);
        return new_rule(parser, AST_RULESET);
    }
    struct ast_rule *rule = parse_rule_inside(parser);
    rule->end = parser->token == start ? rule->span : parse_previous_span(parser);
    if (parser->token == start)
        parse_advance(parser); /* always some progress */
    syntax_leave(&parser->syntax);
    return rule;
}

static struct ast_model *parse_items(struct arena *arena, struct tokens *tokens, struct diagnostics *diagnostics,
                                     bool only_properties)
{
    struct parser parser = {.arena = arena, .syntax = {diagnostics, .most = PARSE_MAX_DEPTH}, .tokens = tokens->items};
    parser.only_properties = only_properties;
    parser.token = tokens->items;
    VEC(struct ast_item) items = {0};
    parse_skip_semicolons(&parser);
    while (!parse_at(&parser, TOKEN_EOF) && diagnostics->errors < DIAGNOSTICS_MAX_ERRORS &&
           !diag_is_late(diagnostics)) {
        struct ast_item item = {.span = parser.token->span};
        size_t errors = diagnostics->errors;
        parse_item(&parser, &item);
        item.end = parse_previous_span(&parser);
        item.is_broken = parser.syntax.lost || diagnostics->errors > errors;
        VEC_PUSH(&items, item);
        if (parser.syntax.lost)
            parse_recover(&parser);
        parse_skip_semicolons(&parser);
    }
    VEC_FREE(&parser.calls);
    struct ast_model *model = ARENA_NEW(arena, struct ast_model);
    model->count = items.count;
    model->items = VEC_SEAL(&items, arena);
    return model;
}

struct ast_model *parse_model(struct arena *arena, struct tokens *tokens, struct diagnostics *diagnostics)
{
    return parse_items(arena, tokens, diagnostics, false);
}

struct ast_model *parse_properties(struct arena *arena, struct tokens *tokens, struct diagnostics *diagnostics)
{
    return parse_items(arena, tokens, diagnostics, true);
}

struct ast_expr *parse_question(struct arena *arena, struct tokens *tokens, struct diagnostics *diagnostics)
{
    struct parser parser = {.arena = arena,
                            .syntax = {diagnostics, .most = PARSE_MAX_DEPTH},
                            .tokens = tokens->items,
                            .token = tokens->items};
    struct ast_expr *expr = parse_expr(&parser);
    if (!parser.syntax.lost && !parse_at(&parser, TOKEN_EOF))
        parse_unexpected(&parser, "the end of the expression");
    VEC_FREE(&parser.calls);
    return expr;
}
