/* Tokens, the kinds of nodes of the syntax tree, and where some of them stand: aliases of what and around what, calls
 * where. */
#include <string.h>

#include "constructs.h"
#include "lang/murphi/parse.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static const char *const exprs[] = {
    "name",  "number", "true or false", "undefined", "unary",       "binary",        "conditional", "index",
    "field", "call",   "quantified",    "ismember",  "isundefined", "multisetcount", "plus",        "temporal"};
static const char *const stmts[] = {
    "assignment", "if",    "switch", "for",    "while", "alias", "call",        "clear",          "undefine",
    "return",     "error", "assert", "assume", "cover", "put",   "multisetadd", "multisetremove", "multisetremovepred"};
static const char *const rules[] = {"rule", "startstate", "property", "ruleset", "alias", "choose"};
static const char *const subjects[] = {"variable", "element", "field", "alias", "reference", "local", "value"};
/* Where a call can stand, or an index with a call in it. */
static const char *const positions[] = {"a guard",           "a property", "an alias", "a condition", "a while",
                                        "a switch",          "a case",     "a bound",  "an index",    "an argument",
                                        "a right-hand side", "a return",   "a put",    "a check"};

struct tree {
    struct constructs *constructs;
    const struct ast_model *model;
    const char *around; /* what the alias or ruleset around is around */
    VEC(const char *) aliases, references, locals;
    const struct ast_function *function;
    bool is_function, is_procedure, is_in_loop;
};

static bool is_among(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

/* What a designator, or another expression, is. */
static const char *subject_of(const struct tree *tree, const struct ast_expr *expr)
{
    switch (expr->kind) {
    case AST_NAME:
        return is_among(tree->aliases.items, tree->aliases.count, expr->name.text)         ? "alias"
               : is_among(tree->references.items, tree->references.count, expr->name.text) ? "reference"
               : is_among(tree->locals.items, tree->locals.count, expr->name.text)         ? "local"
                                                                                           : "variable";
    case AST_INDEX:
        return "element";
    case AST_FIELD:
        return "field";
    default:
        return "value";
    }
}

static const struct ast_function *find_function(const struct tree *tree, const char *name)
{
    for (size_t i = 0; i < tree->model->count; i++)
        if (tree->model->items[i].function && !strcmp(tree->model->items[i].function->name.text, name))
            return tree->model->items[i].function;
    return NULL;
}

static bool is_own(const struct ast_function *function, const char *name)
{
    for (size_t i = 0; i < function->decls.count; i++)
        for (size_t n = 0; n < function->decls.items[i].names.count; n++)
            if (!strcmp(function->decls.items[i].names.items[n].text, name))
                return true;
    return false;
}

static bool writes(const struct ast_function *function, const struct ast_stmts *list)
{
    bool is = false;
    for (size_t i = 0; i < list->count && !is; i++) {
        const struct ast_stmt *stmt = list->items[i];
        const struct ast_expr *root = stmt->target;
        while (root && (root->kind == AST_INDEX || root->kind == AST_FIELD))
            root = root->left;
        is = (root && root->kind == AST_NAME && !is_own(function, root->name.text)) || writes(function, &stmt->body);
        for (size_t a = 0; a < stmt->arm_count; a++)
            is |= writes(function, &stmt->arms[a].body);
    }
    return is;
}

static void visit_expr(struct tree *tree, const struct ast_expr *expr, const char *position);

static void visit_call(struct tree *tree, const struct ast_expr *call, const char *position)
{
    const struct ast_function *function = find_function(tree, call->name.text);
    constructs_note(tree->constructs, "call in %s", position);
    if (function && function == tree->function)
        constructs_note(tree->constructs, "call of itself");
    if (function && writes(function, &function->body))
        constructs_note(tree->constructs, "call that writes, in %s", position);
    for (size_t i = 0; i < call->arguments.count; i++) {
        if (call->arguments.items[i]->kind == AST_UNDEFINED)
            constructs_note(tree->constructs, "undefined as an argument");
        visit_expr(tree, call->arguments.items[i], "an argument");
    }
}

static void visit_quantifiers(struct tree *tree, const struct ast_quantifiers *quantifiers, const char *of)
{
    if (quantifiers->count > 1)
        constructs_note(tree->constructs, "several variables of a %s", of);
    for (size_t i = 0; i < quantifiers->count; i++) {
        const struct ast_quantifier *quantifier = &quantifiers->items[i];
        if (quantifier->from)
            constructs_note(tree->constructs, "%s from to%s", of, quantifier->by ? " by" : "");
        else if (quantifier->type->kind != AST_TYPE_NAME)
            constructs_note(tree->constructs, "%s over a type without a name", of);
        const struct ast_expr *const bounds[] = {quantifier->from, quantifier->to, quantifier->by};
        for (size_t b = 0; b < LENGTH(bounds); b++)
            visit_expr(tree, bounds[b], "a bound");
    }
}

static void visit_expr(struct tree *tree, const struct ast_expr *expr, const char *position)
{
    if (!expr)
        return;
    constructs_note(tree->constructs, "syntax: expression %s",
                    expr->kind < LENGTH(exprs) ? exprs[expr->kind] : "of a new kind");
    if (expr->kind == AST_CALL) {
        visit_call(tree, expr, position);
        return;
    }
    visit_expr(tree, expr->left, position);
    visit_expr(tree, expr->right, expr->kind == AST_INDEX ? "an index" : position);
    visit_expr(tree, expr->third, position);
    visit_quantifiers(tree, &expr->quantifiers, "quantifier");
}

static void visit_aliases(struct tree *tree, const struct ast_aliases *aliases, const char *where)
{
    if (aliases->count > 1)
        constructs_note(tree->constructs, "several aliases %s", where);
    for (size_t i = 0; i < aliases->count; i++) {
        constructs_note(tree->constructs, "alias of a %s, %s", subject_of(tree, aliases->items[i].value), where);
        visit_expr(tree, aliases->items[i].value, "an alias");
        for (size_t n = 0; n < aliases->items[i].names.count; n++)
            VEC_PUSH(&tree->aliases, aliases->items[i].names.items[n].text);
    }
}

static void visit_stmts(struct tree *tree, const struct ast_stmts *list);

static void visit_arms(struct tree *tree, const struct ast_stmt *stmt)
{
    for (size_t i = 0; i < stmt->arm_count; i++) {
        const struct ast_arm *arm = &stmt->arms[i];
        const char *what = stmt->kind == AST_IF ? "if" : "switch";
        constructs_note(tree->constructs, "%s of %s", arm->is_else ? "else" : i ? "another arm" : "first arm", what);
        if (stmt->kind == AST_SWITCH && arm->values.count > 1)
            constructs_note(tree->constructs, "case with several values");
        for (size_t v = 0; v < arm->values.count; v++)
            visit_expr(tree, arm->values.items[v], stmt->kind == AST_IF ? "a condition" : "a case");
        visit_stmts(tree, &arm->body);
    }
}

static const char *position_in(const struct ast_stmt *stmt)
{
    switch (stmt->kind) {
    case AST_SWITCH:
        return "a switch";
    case AST_WHILE:
        return "a while";
    case AST_CALL_STMT:
        return "a statement";
    case AST_RETURN:
        return "a return";
    case AST_PUT:
        return "a put";
    case AST_ASSERT:
    case AST_ASSUME:
    case AST_COVER:
        return "a check";
    default:
        return "a right-hand side";
    }
}

static void note_return(struct tree *tree, const struct ast_stmt *stmt)
{
    constructs_note(tree->constructs, "return from a %s%s",
                    tree->is_function    ? "function"
                    : tree->is_procedure ? "procedure"
                                         : "rule",
                    tree->is_in_loop ? ", in a loop" : "");
    (void)stmt;
}

static void visit_stmt(struct tree *tree, const struct ast_stmt *stmt)
{
    bool was_in_loop = tree->is_in_loop;
    constructs_note(tree->constructs, "syntax: statement %s",
                    stmt->kind < LENGTH(stmts) ? stmts[stmt->kind] : "of a new kind");
    if (stmt->kind == AST_ASSIGN && stmt->value->kind == AST_UNDEFINED)
        constructs_note(tree->constructs, "undefined assigned");
    if (stmt->kind == AST_PUT)
        constructs_note(tree->constructs, "put of a %s", stmt->value ? "value" : "string");
    if (stmt->kind == AST_CALL_STMT) {
        const struct ast_function *function = find_function(tree, stmt->value->name.text);
        constructs_note(tree->constructs,
                        function && function->result ? "result that is dropped" : "call of a procedure");
    }
    if (stmt->kind == AST_RETURN)
        note_return(tree, stmt);
    visit_expr(tree, stmt->target, "a target");
    visit_expr(tree, stmt->value, position_in(stmt));
    visit_arms(tree, stmt);
    visit_quantifiers(tree, &stmt->quantifiers, "for");
    visit_aliases(tree, &stmt->aliases, "in a body");
    tree->is_in_loop |= stmt->kind == AST_FOR || stmt->kind == AST_WHILE;
    visit_stmts(tree, &stmt->body);
    tree->is_in_loop = was_in_loop;
}

static void visit_stmts(struct tree *tree, const struct ast_stmts *list)
{
    for (size_t i = 0; i < list->count; i++)
        visit_stmt(tree, list->items[i]);
}

static void visit_decls(struct tree *tree, const struct ast_decls *decls, const char *whose)
{
    static const char *const kinds[] = {"const", "type", "var"};
    for (size_t i = 0; i < decls->count; i++) {
        constructs_note(tree->constructs, "%s of a %s", kinds[decls->items[i].kind], whose);
        for (size_t n = 0; n < decls->items[i].names.count && strcmp(whose, "model"); n++)
            VEC_PUSH(&tree->locals, decls->items[i].names.items[n].text);
    }
}

static const char *kind_inside(const struct ast_rule *rule)
{
    while (rule->rules.count)
        rule = rule->rules.items[0];
    return rule->kind < LENGTH(rules) ? rules[rule->kind] : "rule";
}

static void visit_rule(struct tree *tree, const struct ast_rule *rule)
{
    const char *kind = rule->kind < LENGTH(rules) ? rules[rule->kind] : "of a new kind";
    constructs_note(tree->constructs, "syntax: %s", kind);
    if (rule->rules.count)
        constructs_note(tree->constructs, "%s around a %s", kind, kind_inside(rule));
    if (rule->kind != AST_RULESET && rule->kind != AST_ALIAS_RULE && rule->kind != AST_CHOOSE && !rule->title)
        constructs_note(tree->constructs, "%s without a name", kind);
    if (rule->kind == AST_RULE && !rule->guard)
        constructs_note(tree->constructs, "rule without a guard");
    if (rule->priority)
        constructs_note(tree->constructs, "priority");
    visit_expr(tree, rule->guard, rule->kind == AST_RULE ? "a guard" : "a property");
    visit_expr(tree, rule->set, "a set");
    visit_quantifiers(tree, &rule->quantifiers, "ruleset");
    visit_aliases(tree, &rule->aliases, "around a rule");
    visit_decls(tree, &rule->decls, "rule");
    visit_stmts(tree, &rule->body);
    for (size_t i = 0; i < rule->rules.count; i++) {
        if (rule->rules.items[i]->kind == rule->kind)
            constructs_note(tree->constructs, "%s in a %s", kind, kind);
        visit_rule(tree, rule->rules.items[i]);
    }
}

static void visit_function(struct tree *tree, const struct ast_function *function)
{
    tree->function = function;
    tree->is_function = function->result;
    tree->is_procedure = !function->result;
    for (size_t i = 0; i < function->parameter_count; i++)
        for (size_t n = 0; n < function->parameters[i].names.count && function->parameters[i].by_reference; n++)
            VEC_PUSH(&tree->references, function->parameters[i].names.items[n].text);
    visit_decls(tree, &function->decls, "function");
    visit_stmts(tree, &function->body);
    tree->function = NULL;
    tree->is_function = tree->is_procedure = false;
}

static void note_tokens(struct constructs *constructs, const struct tokens *tokens)
{
    for (size_t i = 0; i < tokens->count; i++) {
        const struct token *token = &tokens->items[i];
        constructs_note(constructs, "token %s", token_kind_spelling(token->soft ? token->soft : token->kind));
        if (token->kind >= TOKEN_SEMICOLON && token->kind < KEY_ALIAS)
            constructs_note(constructs, "spelling %s", token->text);
    }
}

void constructs_note_tree(struct constructs *constructs, const struct source *source, bool is_model)
{
    struct arena *arena = arena_create();
    struct diagnostics diagnostics = {0};
    struct tokens tokens = {0};
    struct tree tree = {.constructs = constructs};
    lexer_read(source, DIALECT_AUTO, arena, &diagnostics, &tokens);
    note_tokens(constructs, &tokens);
    tree.model = is_model ? parse_model(arena, &tokens, &diagnostics) : parse_properties(arena, &tokens, &diagnostics);
    for (size_t i = 0; i < tree.model->count; i++) {
        const struct ast_item *item = &tree.model->items[i];
        visit_decls(&tree, &item->decls, "model");
        if (item->function)
            visit_function(&tree, item->function);
        if (item->rule)
            visit_rule(&tree, item->rule);
    }
    VEC_FREE(&tree.aliases);
    VEC_FREE(&tree.references);
    VEC_FREE(&tree.locals);
    tokens_free(&tokens);
    diag_free(&diagnostics);
    arena_destroy(arena);
}

static void expect_all(struct constructs *constructs, const char *format, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct text text = {0};
        text_append(&text, format);
        text_append(&text, names[i]);
        constructs_expect(constructs, "%s", text_chars(&text));
        text_free(&text);
    }
}

void constructs_expect_tree(struct constructs *constructs)
{
    static const char *const others[] = {"undefined as an argument",
                                         "undefined assigned",
                                         "put of a value",
                                         "put of a string",
                                         "result that is dropped",
                                         "call of a procedure",
                                         "call of itself",
                                         "return from a function",
                                         "return from a function, in a loop",
                                         "return from a procedure",
                                         "return from a procedure, in a loop",
                                         "return from a rule",
                                         "return from a rule, in a loop",
                                         "case with several values",
                                         "first arm of if",
                                         "another arm of if",
                                         "else of if",
                                         "first arm of switch",
                                         "another arm of switch",
                                         "else of switch",
                                         "several aliases in a body",
                                         "several aliases around a rule",
                                         "several variables of a quantifier",
                                         "several variables of a for",
                                         "several variables of a ruleset",
                                         "for from to",
                                         "for from to by",
                                         "quantifier from to",
                                         "quantifier from to by",
                                         "ruleset from to",
                                         "ruleset from to by",
                                         "for over a type without a name",
                                         "quantifier over a type without a name",
                                         "ruleset over a type without a name",
                                         "const of a model",
                                         "type of a model",
                                         "var of a model",
                                         "const of a rule",
                                         "type of a rule",
                                         "var of a rule",
                                         "const of a function",
                                         "type of a function",
                                         "var of a function",
                                         "rule without a name",
                                         "startstate without a name",
                                         "property without a name",
                                         "rule without a guard",
                                         "priority",
                                         "ruleset around a rule",
                                         "ruleset around a startstate",
                                         "ruleset around a property",
                                         "alias around a rule",
                                         "alias around a startstate",
                                         "alias around a property",
                                         "choose around a rule",
                                         "ruleset in a ruleset",
                                         "choose in a choose",
                                         "call in a statement",
                                         "call that writes, in a statement"};
    for (int kind = TOKEN_EOF + 1; kind <= SOFT_UNDEFINED; kind++)
        constructs_expect(constructs, "token %s", token_kind_spelling((enum token_kind)kind));
    expect_all(constructs, "syntax: expression ", exprs, LENGTH(exprs));
    expect_all(constructs, "syntax: statement ", stmts, LENGTH(stmts));
    expect_all(constructs, "syntax: ", rules, LENGTH(rules));
    expect_all(constructs, "", others, LENGTH(others));
    for (size_t i = 0; i < LENGTH(subjects); i++) {
        constructs_expect(constructs, "alias of a %s, in a body", subjects[i]);
        if (strcmp(subjects[i], "reference") && strcmp(subjects[i], "local"))
            constructs_expect(constructs, "alias of a %s, around a rule", subjects[i]);
    }
    for (size_t i = 0; i < LENGTH(positions); i++) {
        constructs_expect(constructs, "call in %s", positions[i]);
        if (i > 1 && strcmp(positions[i], "a bound")) /* that one is too rare to be counted on */
            constructs_expect(constructs, "call that writes, in %s", positions[i]);
    }
}
