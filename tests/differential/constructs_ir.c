/* The kinds of nodes of the IR, and what they are about: types, places, domains. */
#include <stdio.h>
#include <string.h>

#include "constructs.h"
#include "ir/ctl.h"
#include "ir/walk.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static const char *const types[] = {"boolean", "range", "enum", "scalarset", "union", "array", "record", "multiset"};
static const char *const places[] = {"variable", "reference", "element", "field", "slot", "result"};
static const char *const exprs[] = {"constant",   "read",         "unary",    "binary", "conditional",
                                    "quantifier", "isundefined",  "ismember", "call",   "equality of aggregates",
                                    "slot taken", "multisetcount"};
static const char *const stmts[] = {"assignment",
                                    "copy",
                                    "if",
                                    "for",
                                    "while",
                                    "call",
                                    "return",
                                    "assert",
                                    "assume",
                                    "cover",
                                    "error",
                                    "put",
                                    "clear",
                                    "undefine",
                                    "bind",
                                    "require",
                                    "multisetadd",
                                    "multisetremove",
                                    "multisetremovepred"};
static const char *const operators[] = {
    "!", "-",        "~", "and", "or", "->",          "=",          "!=",          "<",  "<=", ">",      ">=",
    "+", "- of two", "*", "/",   "%",  "bitwise and", "bitwise or", "bitwise xor", "<<", ">>", "forall", "exists"};
static const char *const bound[] = {"for", "quantifier", "parameter"};

/* A kind without a name is a new one: it gets its number, and is missing until the generator makes it and it has a name
 * here. */
static const char *name_of(const char *const *names, size_t count, unsigned kind)
{
    static char number[32];
    if (kind < count)
        return names[kind];
    snprintf(number, sizeof number, "kind %u", kind);
    return number;
}
#define NAME(names, kind) name_of(names, LENGTH(names), (unsigned)(kind))

static void expect_types(struct constructs *constructs)
{
    static const char *const wholes[] = {"clear",  "undefine",           "put",
                                         "result", "parameter by value", "parameter by reference"};
    for (int type = 0; type <= TYPE_MULTISET; type++) {
        constructs_expect(constructs, "type %s", NAME(types, type));
        for (size_t i = 0; i < LENGTH(wholes); i++)
            if (type < TYPE_ARRAY || (type < TYPE_MULTISET && i < 6) || i == 0)
                constructs_expect(constructs, "%s of type %s", wholes[i], NAME(types, type));
        for (size_t i = 0; i < LENGTH(bound) && type <= TYPE_UNION; i++)
            constructs_expect(constructs, "%s over %s", bound[i], NAME(types, type));
        if (type <= TYPE_UNION)
            constructs_expect(constructs, "array over %s", NAME(types, type));
        if (type != TYPE_MULTISET)
            constructs_expect(constructs, "multiset of %s", NAME(types, type));
        constructs_expect(constructs, "array of %s", NAME(types, type));
        if (type != TYPE_MULTISET)
            constructs_expect(constructs, "field of type %s", NAME(types, type));
    }
    constructs_expect(constructs, "copy of type array");
    constructs_expect(constructs, "copy of type record");
    constructs_expect(constructs, "scalarset of size 1");
    constructs_expect(constructs, "record without fields");
    constructs_expect(constructs, "several scalarsets");
}

void constructs_expect_ir(struct constructs *constructs)
{
    expect_types(constructs);
    for (int kind = 0; kind <= EXPR_COUNT; kind++)
        constructs_expect(constructs, "expression %s", NAME(exprs, kind));
    for (int kind = 0; kind <= STMT_MULTISET_REMOVE_IF; kind++)
        constructs_expect(constructs, "statement %s", NAME(stmts, kind));
    for (int kind = 0; kind <= PLACE_CALL; kind++)
        constructs_expect(constructs, "place %s", NAME(places, kind));
    for (int op = 0; op <= OP_EXISTS; op++)
        constructs_expect(constructs, "operator %s", NAME(operators, op));
    for (int kind = 0; kind <= PLACE_SLOT; kind++) {
        if (kind != PLACE_VARIABLE && kind != PLACE_DEREF) /* an alias of these is just another name */
            constructs_expect(constructs, "reference to a %s", NAME(places, kind));
        constructs_expect(constructs, "argument by reference: a %s", NAME(places, kind));
    }
    for (size_t i = 0; i < 2; i++) {
        constructs_expect(constructs, "%s from to", bound[i]);
        constructs_expect(constructs, "%s from to by", bound[i]);
    }
    for (int kind = 0; kind <= PROPERTY_RUNTIME; kind++)
        if (kind != PROPERTY_PCTL)
            constructs_expect(constructs, "property %s", property_kind_name((enum property_kind)kind));
    for (int kind = 0; kind <= CTL_EP; kind++)
        constructs_expect(constructs, "ctl %s", ctl_kind_name((enum ctl_kind)kind));
    constructs_expect(constructs, "parameter of a start state");
    constructs_expect(constructs, "choose");
    constructs_expect(constructs, "a function that calls another");
    constructs_expect(constructs, "two results compared");
    constructs_expect(constructs, "two results as arguments");
}

struct visit {
    struct constructs *constructs;
    const struct function *inside;
};

static void note_domain(struct constructs *constructs, const char *what, const struct domain *domain)
{
    if (domain->from)
        constructs_note(constructs, "%s from to%s", what, domain->by ? " by" : "");
    else
        constructs_note(constructs, "%s over %s", what, NAME(types, domain->type->kind));
}

static bool is_result(const struct place *place)
{
    return place && place->kind == PLACE_CALL;
}

static void note_call(const struct visit *visit, const struct expr *call)
{
    uint32_t results = 0;
    for (uint32_t i = 0; i < call->function->parameter_count; i++)
        results += is_result(call->arguments[i].place);
    if (results > 1)
        constructs_note(visit->constructs, "two results as arguments");
    for (uint32_t i = 0; i < call->function->parameter_count; i++)
        if (call->function->parameters[i]->is_reference)
            constructs_note(visit->constructs, "argument by reference: a %s",
                            NAME(places, call->arguments[i].place->kind));
    if (visit->inside)
        constructs_note(visit->constructs, "a function that calls another");
}

static bool on_expr(void *user, const struct expr *expr)
{
    const struct visit *visit = user;
    constructs_note(visit->constructs, "expression %s", NAME(exprs, expr->kind));
    if (expr->kind == EXPR_UNARY || expr->kind == EXPR_BINARY || expr->kind == EXPR_QUANTIFIER)
        constructs_note(visit->constructs, "operator %s", NAME(operators, expr->op));
    if (expr->kind == EXPR_QUANTIFIER)
        note_domain(visit->constructs, "quantifier", &expr->domain);
    if (expr->kind == EXPR_EQUAL && is_result(expr->place) && is_result(expr->other))
        constructs_note(visit->constructs, "two results compared");
    if (expr->kind == EXPR_CALL)
        note_call(visit, expr);
    return true;
}

static bool on_place(void *user, const struct place *place, bool is_written)
{
    const struct visit *visit = user;
    (void)is_written;
    constructs_note(visit->constructs, "place %s", NAME(places, place->kind));
    return true;
}

static bool on_stmt(void *user, const struct stmt *stmt)
{
    const struct visit *visit = user;
    constructs_note(visit->constructs, "statement %s", NAME(stmts, stmt->kind));
    if (stmt->kind == STMT_FOR)
        note_domain(visit->constructs, "for", &stmt->domain);
    if (stmt->kind == STMT_BIND)
        constructs_note(visit->constructs, "reference to a %s", NAME(places, stmt->place->kind));
    if (stmt->kind == STMT_CLEAR || stmt->kind == STMT_UNDEFINE || stmt->kind == STMT_COPY)
        constructs_note(visit->constructs, "%s of type %s", NAME(stmts, stmt->kind),
                        NAME(types, stmt->place->type->kind));
    if (stmt->kind == STMT_PUT && (stmt->value || stmt->source))
        constructs_note(visit->constructs, "put of type %s",
                        NAME(types, (stmt->value ? stmt->value->type : stmt->source->type)->kind));
    return true;
}

static void note_type(struct constructs *constructs, const struct type *type)
{
    constructs_note(constructs, "type %s", NAME(types, type->kind));
    if (type->kind == TYPE_ARRAY) {
        constructs_note(constructs, "array over %s", NAME(types, type->index->kind));
        constructs_note(constructs, "array of %s", NAME(types, type->element->kind));
    }
    if (type->kind == TYPE_MULTISET)
        constructs_note(constructs, "multiset of %s", NAME(types, type->element->kind));
    for (uint32_t f = 0; type->kind == TYPE_RECORD && f < type->field_count; f++)
        constructs_note(constructs, "field of type %s", NAME(types, type->fields[f].type->kind));
    if (type->kind == TYPE_RECORD && !type->field_count)
        constructs_note(constructs, "record without fields");
    if (type->kind == TYPE_INDEX && type->size == 1)
        constructs_note(constructs, "scalarset of size 1");
}

static void note_rule(struct visit *visit, const struct walker *walker, const struct rule *rule, bool is_start)
{
    for (uint32_t p = 0; p < rule->parameter_count; p++) {
        const struct parameter *parameter = &rule->parameters[p];
        constructs_note(visit->constructs, parameter->choose ? "choose" : "parameter over %s",
                        NAME(types, parameter->type->kind));
        if (is_start)
            constructs_note(visit->constructs, "parameter of a start state");
    }
    walk_rule(walker, rule);
}

static void note_ctl(struct constructs *constructs, const struct ctl *ctl)
{
    constructs_note(constructs, "ctl %s", ctl_kind_name(ctl->kind));
    if (ctl->left)
        note_ctl(constructs, ctl->left);
    if (ctl->right)
        note_ctl(constructs, ctl->right);
}

static void note_function(struct visit *visit, const struct walker *walker, const struct function *function)
{
    visit->inside = function;
    for (uint32_t p = 0; p < function->parameter_count; p++)
        constructs_note(visit->constructs, "parameter by %s of type %s",
                        function->parameters[p]->is_reference ? "reference" : "value",
                        NAME(types, function->parameters[p]->type->kind));
    if (function->result)
        constructs_note(visit->constructs, "result of type %s", NAME(types, function->result->type->kind));
    walk_block(walker, &function->body);
    visit->inside = NULL;
}

void constructs_note_ir(struct constructs *constructs, const struct system *system)
{
    struct visit visit = {constructs, NULL};
    struct walker walker = {on_stmt, on_expr, on_place, &visit};
    unsigned sets = 0;
    for (size_t i = 0; i < system->types.count; i++) {
        note_type(constructs, system->types.items[i]);
        sets += system->types.items[i]->kind == TYPE_INDEX;
    }
    if (sets > 1)
        constructs_note(constructs, "several scalarsets");
    for (size_t i = 0; i < system->starts.count; i++)
        note_rule(&visit, &walker, system->starts.items[i], true);
    for (size_t i = 0; i < system->rules.count; i++)
        note_rule(&visit, &walker, system->rules.items[i], false);
    for (size_t i = 0; i < system->functions.count; i++)
        note_function(&visit, &walker, system->functions.items[i]);
    for (size_t i = 0; i < system->properties.count; i++) {
        constructs_note(constructs, "property %s", property_kind_name(system->properties.items[i]->kind));
        walk_property(&walker, system->properties.items[i]);
        if (system->properties.items[i]->ctl)
            note_ctl(constructs, system->properties.items[i]->ctl);
        if (system->properties.items[i]->ltl)
            note_ctl(constructs, system->properties.items[i]->ltl);
    }
}
