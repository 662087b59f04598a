#include "lang/prism/resolve.h"

#include <string.h>

#include "lang/prism/fold.h"
#include "lang/prism/symbols.h"

enum { MAX_EXPANDED = 4 * 1000 * 1000, MAX_EXPANDED_DEPTH = 2000, MAX_SHORT_DIGITS = 9 };

static const struct {
    const char *name;
    enum prism_function function;
    uint32_t least, most; /* arguments */
} functions[] = {
    {"min", PRISM_MIN, 1, UINT32_MAX}, {"max", PRISM_MAX, 1, UINT32_MAX}, {"floor", PRISM_FLOOR, 1, 1},
    {"ceil", PRISM_CEIL, 1, 1},        {"round", PRISM_ROUND, 1, 1},      {"pow", PRISM_POW, 2, 2},
    {"mod", PRISM_MOD, 2, 2},          {"log", PRISM_LOG, 2, 2},
};
enum { FUNCTION_COUNT = sizeof functions / sizeof *functions };

const char *prism_type_phrase(enum prism_type type)
{
    static const char *const phrases[] = {"nothing", "a bool", "an int", "a double"};
    return phrases[type];
}

const char *prism_scope_rename(const struct prism_scope *scope, const char *name)
{
    for (; scope; scope = scope->outer)
        for (uint32_t i = 0; i < scope->module->renaming_count; i++)
            if (!strcmp(scope->module->renamings[i].from.text, name)) {
                name = scope->module->renamings[i].to.text;
                break;
            }
    return name;
}

static bool is_number(const struct prism_expr *expr)
{
    return expr->type == PRISM_TYPE_INT || expr->type == PRISM_TYPE_REAL;
}

struct prism_expr *prism_broken(struct prism_expr *expr)
{
    expr->type = PRISM_TYPE_NONE;
    return expr;
}

static struct prism_expr *constant(struct prism_expr *expr, const struct prism_value *value)
{
    expr->kind = PRISM_EXPR_VALUE;
    expr->value = value;
    expr->type = value->type;
    return expr;
}

static struct prism_expr *literal(struct prism_reader *reader, struct prism_expr *expr)
{
    if (expr->value)
        return expr;
    if (expr->type == PRISM_TYPE_BOOL)
        return constant(expr, prism_value_bool(&reader->values, !strcmp(expr->name.text, "true")));
    if (expr->type == PRISM_TYPE_INT && strlen(expr->name.text) <= MAX_SHORT_DIGITS)
        return constant(expr, prism_value_int(&reader->values, strtoll(expr->name.text, NULL, 10)));
    struct rational *real = prism_values_new(&reader->values);
    int64_t integer = 0;
    if (!rational_parse(real, expr->name.text)) {
        prism_error(reader, expr->span, "the number %s is out of reach", expr->name.text);
        return prism_broken(expr);
    }
    if (expr->type == PRISM_TYPE_REAL)
        return constant(expr, prism_value_real(&reader->values, real, false));
    rational_fits_i64(real, &integer);
    return constant(expr, prism_value_int(&reader->values, integer));
}

static struct prism_expr *expand(struct prism_reader *reader, struct prism_expr *expr, struct prism_symbol *symbol,
                                 const struct prism_scope *scope)
{
    if (symbol->is_busy) {
        prism_error(reader, symbol->name.span, "the formula \"%s\" is defined by itself", symbol->name.text);
        return prism_broken(expr);
    }
    if (symbol->expanded && symbol->expanded_in == scope) {
        if (!symbol->expanded->shared)
            symbol->expanded->shared = ++reader->shared;
        return symbol->expanded;
    }
    symbol->is_busy = true;
    uint64_t tolerated = reader->tolerated;
    struct prism_expr *expanded = prism_resolve(reader, symbol->formula->definition, scope);
    symbol->is_busy = false;
    if (tolerated == reader->tolerated) { /* what is wrong was reported once */
        symbol->expanded = expanded;
        symbol->expanded_in = scope;
    }
    return expanded;
}

/* Formulas by their name as written, everything else by what it is called in this copy of the module. */
static struct prism_expr *resolve_name(struct prism_reader *reader, struct prism_expr *expr,
                                       const struct prism_scope *scope)
{
    if (!expr->name.text)
        return prism_broken(expr); /* the parser has reported it */
    struct prism_symbol *symbol = prism_symbols_find(reader, expr->name.text);
    if (symbol && symbol->kind == PRISM_SYMBOL_FORMULA)
        return expand(reader, expr, symbol, scope);
    expr->name.text = prism_scope_rename(scope, expr->name.text);
    symbol = prism_symbols_find(reader, expr->name.text);
    if (!symbol) {
        prism_symbols_unknown(reader, expr->name);
        return prism_broken(expr);
    }
    if (symbol->kind == PRISM_SYMBOL_FORMULA)
        return expand(reader, expr, symbol, NULL);
    if (symbol->kind == PRISM_SYMBOL_VARIABLE) {
        expr->kind = PRISM_EXPR_VARIABLE;
        expr->variable = symbol->variable;
        expr->type = symbol->variable->type;
        return expr;
    }
    const struct prism_value *value = prism_symbols_value(reader, symbol, expr->span);
    return value ? constant(expr, value) : prism_broken(expr);
}

static struct prism_expr *folded(struct prism_reader *reader, struct prism_expr *expr, const struct prism_value *value,
                                 const char *reason)
{
    if (value)
        return constant(expr, value);
    if (reader->untaken) {
        reader->tolerated++;
        return expr;
    }
    prism_error(reader, expr->span, "%s", reason);
    return prism_broken(expr);
}

static bool want(struct prism_reader *reader, const struct prism_expr *expr, bool is_right, const char *wanted)
{
    if (expr->type == PRISM_TYPE_NONE)
        return false;
    if (!is_right)
        prism_error(reader, expr->span, "expected %s here, this is %s", wanted, prism_type_phrase(expr->type));
    return is_right;
}

static struct prism_expr *resolve_unary(struct prism_reader *reader, struct prism_expr *expr,
                                        const struct prism_scope *scope)
{
    expr->left = prism_resolve(reader, expr->left, scope);
    bool is_not = expr->op == PRISM_OP_NOT;
    if (!want(reader, expr->left, is_not ? expr->left->type == PRISM_TYPE_BOOL : is_number(expr->left),
              is_not ? "a bool" : "a number"))
        return prism_broken(expr);
    expr->type = expr->left->type;
    if (expr->left->kind != PRISM_EXPR_VALUE)
        return expr;
    const char *reason = NULL;
    const struct prism_value *value = prism_fold_unary(&reader->values, expr->op, expr->left->value, &reason);
    return folded(reader, expr, value, reason);
}

/* The types of the operands are right; which type has the result? NONE: they are wrong. */
static enum prism_type type_binary(struct prism_reader *reader, const struct prism_expr *expr)
{
    const struct prism_expr *left = expr->left, *right = expr->right;
    bool is_bool = left->type == PRISM_TYPE_BOOL;
    if (left->type == PRISM_TYPE_NONE || right->type == PRISM_TYPE_NONE)
        return PRISM_TYPE_NONE;
    if (expr->op <= PRISM_OP_IFF) {
        bool are_bools =
            want(reader, left, is_bool, "a bool") && want(reader, right, right->type == PRISM_TYPE_BOOL, "a bool");
        return are_bools ? PRISM_TYPE_BOOL : PRISM_TYPE_NONE;
    }
    if ((expr->op == PRISM_OP_EQ || expr->op == PRISM_OP_NE) && is_bool)
        return want(reader, right, right->type == PRISM_TYPE_BOOL, "a bool") ? PRISM_TYPE_BOOL : PRISM_TYPE_NONE;
    if (!want(reader, left, is_number(left), "a number") || !want(reader, right, is_number(right), "a number"))
        return PRISM_TYPE_NONE;
    if (expr->op <= PRISM_OP_GE)
        return PRISM_TYPE_BOOL;
    bool is_int = expr->op != PRISM_OP_DIV && left->type == PRISM_TYPE_INT && right->type == PRISM_TYPE_INT;
    return is_int ? PRISM_TYPE_INT : PRISM_TYPE_REAL;
}

/* false & x, true | x and false => x are decided though x is not constant. */
static const struct prism_expr *shortcut(const struct prism_expr *expr)
{
    const struct prism_expr *sides[2] = {expr->left, expr->right};
    for (int i = 0; i < 2; i++) {
        const struct prism_expr *known = sides[i], *other = sides[1 - i];
        if (known->kind != PRISM_EXPR_VALUE)
            continue;
        if (expr->op == PRISM_OP_AND)
            return known->value->integer ? other : known;
        if (expr->op == PRISM_OP_OR)
            return known->value->integer ? known : other;
    }
    return NULL;
}

static struct prism_expr *resolve_branch(struct prism_reader *reader, struct prism_expr *branch,
                                         const struct prism_scope *scope, bool is_taken)
{
    reader->untaken += !is_taken;
    branch = prism_resolve(reader, branch, scope);
    reader->untaken -= !is_taken;
    return branch;
}

/* Is what stands on the right not looked at, as in false & x? */
static bool is_settled(const struct prism_expr *expr)
{
    const struct prism_expr *left = expr->left;
    if (left->kind != PRISM_EXPR_VALUE || left->type != PRISM_TYPE_BOOL)
        return false;
    return expr->op == PRISM_OP_OR
               ? left->value->integer != 0
               : (expr->op == PRISM_OP_AND || expr->op == PRISM_OP_IMPLIES) && !left->value->integer;
}

static struct prism_expr *resolve_binary(struct prism_reader *reader, struct prism_expr *expr,
                                         const struct prism_scope *scope)
{
    expr->left = prism_resolve(reader, expr->left, scope);
    bool is_decided = is_settled(expr);
    expr->right = resolve_branch(reader, expr->right, scope, !is_decided);
    expr->type = type_binary(reader, expr);
    if (expr->type == PRISM_TYPE_NONE)
        return expr;
    if (is_decided) {
        expr->left = expr->right = NULL; /* what was not looked at is gone */
        return constant(expr, prism_value_bool(&reader->values, expr->op != PRISM_OP_AND));
    }
    if (expr->left->kind == PRISM_EXPR_VALUE && expr->right->kind == PRISM_EXPR_VALUE) {
        const char *reason = NULL;
        const struct prism_value *value =
            prism_fold_binary(&reader->values, expr->op, expr->left->value, expr->right->value, &reason);
        return folded(reader, expr, value, reason);
    }
    const struct prism_expr *left_over = shortcut(expr);
    return left_over ? (struct prism_expr *)left_over : expr;
}

/* Both branches are checked, also when it is known which is taken. */
static struct prism_expr *resolve_condition(struct prism_reader *reader, struct prism_expr *expr,
                                            const struct prism_scope *scope)
{
    expr->condition = prism_resolve(reader, expr->condition, scope);
    if (!want(reader, expr->condition, expr->condition->type == PRISM_TYPE_BOOL, "a bool"))
        return prism_broken(expr);
    bool is_known = expr->condition->kind == PRISM_EXPR_VALUE;
    bool takes_left = is_known && expr->condition->value->integer, takes_right = is_known && !takes_left;
    expr->left = resolve_branch(reader, expr->left, scope, !takes_right);
    expr->right = resolve_branch(reader, expr->right, scope, !takes_left);
    if (expr->left->type == PRISM_TYPE_NONE || expr->right->type == PRISM_TYPE_NONE)
        return prism_broken(expr);
    if (is_number(expr->left) != is_number(expr->right)) {
        prism_error(reader, expr->span, "one branch is %s and the other %s", prism_type_phrase(expr->left->type),
                    prism_type_phrase(expr->right->type));
        return prism_broken(expr);
    }
    if (is_known)
        return takes_left ? expr->left : expr->right;
    expr->type = expr->left->type > expr->right->type ? expr->left->type : expr->right->type;
    return expr;
}

static bool find_function(struct prism_reader *reader, struct prism_expr *expr, const struct prism_scope *scope)
{
    expr->name.text = prism_scope_rename(scope, expr->name.text);
    for (size_t i = 0; i < FUNCTION_COUNT; i++) {
        if (strcmp(functions[i].name, expr->name.text))
            continue;
        expr->function = functions[i].function;
        uint32_t count = expr->arguments.count;
        if (count >= functions[i].least && count <= functions[i].most)
            return true;
        prism_error(reader, expr->span, "%s takes %u argument%s, not %u", expr->name.text, functions[i].least,
                    functions[i].least == 1 ? "" : "s", count);
        return false;
    }
    const char *names[FUNCTION_COUNT + 1] = {[FUNCTION_COUNT] = "multi"};
    for (size_t i = 0; i < FUNCTION_COUNT; i++)
        names[i] = functions[i].name;
    const char *closest = diag_closest(expr->name.text, names, FUNCTION_COUNT + 1);
    if (prism_error(reader, expr->name.span, "unknown function \"%s\"", expr->name.text) && closest)
        diag_hint(reader->diagnostics, "did you mean \"%s\"?", closest);
    return false;
}

static enum prism_type type_call(const struct prism_expr *expr)
{
    bool all_int = true;
    for (uint32_t i = 0; i < expr->arguments.count; i++)
        all_int &= expr->arguments.items[i]->type == PRISM_TYPE_INT;
    switch (expr->function) {
    case PRISM_FLOOR:
    case PRISM_CEIL:
    case PRISM_ROUND:
    case PRISM_MOD:
        return PRISM_TYPE_INT;
    case PRISM_LOG:
        return PRISM_TYPE_REAL;
    default:
        return all_int ? PRISM_TYPE_INT : PRISM_TYPE_REAL;
    }
}

static struct prism_expr *fold_call(struct prism_reader *reader, struct prism_expr *expr)
{
    bool has_divisor = expr->function == PRISM_MOD && expr->arguments.items[1]->kind == PRISM_EXPR_VALUE;
    const char *objection = has_divisor ? prism_fold_divisor(expr->arguments.items[1]->value->integer) : NULL;
    if (objection)
        return folded(reader, expr, NULL, objection);
    VEC(const struct prism_value *) known = {0};
    for (uint32_t i = 0; i < expr->arguments.count; i++)
        if (expr->arguments.items[i]->kind == PRISM_EXPR_VALUE)
            VEC_PUSH(&known, expr->arguments.items[i]->value);
    if (known.count == expr->arguments.count) {
        const char *reason = NULL;
        const struct prism_value *value =
            prism_fold_call(&reader->values, expr->function, known.items, expr->arguments.count, &reason);
        if (value && expr->type == PRISM_TYPE_REAL)
            value = prism_value_widen(&reader->values, value);
        expr = folded(reader, expr, value, reason);
    }
    VEC_FREE(&known);
    return expr;
}

static struct prism_expr *resolve_call(struct prism_reader *reader, struct prism_expr *expr,
                                       const struct prism_scope *scope)
{
    if (expr->name.text && !strcmp(expr->name.text, "multi"))
        return prism_resolve_multi(reader, expr);
    if (!expr->name.text || !find_function(reader, expr, scope))
        return prism_broken(expr);
    bool is_right = true;
    bool wants_int = expr->function == PRISM_MOD;
    struct prism_expr **arguments = ARENA_ARRAY(reader->arena, struct prism_expr *, expr->arguments.count);
    for (uint32_t i = 0; i < expr->arguments.count; i++) {
        arguments[i] = prism_resolve(reader, expr->arguments.items[i], scope);
        is_right &=
            want(reader, arguments[i], wants_int ? arguments[i]->type == PRISM_TYPE_INT : is_number(arguments[i]),
                 wants_int ? "an int" : "a number");
    }
    expr->arguments.items = arguments;
    if (!is_right)
        return prism_broken(expr);
    expr->type = type_call(expr);
    return fold_call(reader, expr);
}

static struct prism_expr *resolve_kind(struct prism_reader *reader, struct prism_expr *expr,
                                       const struct prism_scope *scope)
{
    switch (expr->kind) {
    case PRISM_EXPR_VALUE:
        return literal(reader, expr);
    case PRISM_EXPR_NAME:
        return resolve_name(reader, expr, scope);
    case PRISM_EXPR_UNARY:
        return resolve_unary(reader, expr, scope);
    case PRISM_EXPR_BINARY:
        return resolve_binary(reader, expr, scope);
    case PRISM_EXPR_COND:
        return resolve_condition(reader, expr, scope);
    case PRISM_EXPR_CALL:
        return resolve_call(reader, expr, scope);
    case PRISM_EXPR_VARIABLE:
        return expr;
    default:
        return prism_resolve_property(reader, expr);
    }
}

struct prism_expr *prism_resolve(struct prism_reader *reader, const struct prism_expr *written,
                                 const struct prism_scope *scope)
{
    struct prism_expr *expr = arena_copy(reader->arena, written, sizeof *written);
    bool is_too_large = ++reader->expanded > MAX_EXPANDED, is_too_deep = reader->depth >= MAX_EXPANDED_DEPTH;
    if (is_too_large || is_too_deep) {
        if (!reader->is_expanded_reported)
            prism_error(reader, expr->span, "the formulas expand to more than %d %s",
                        is_too_deep ? MAX_EXPANDED_DEPTH : MAX_EXPANDED, is_too_deep ? "levels" : "operations");
        reader->is_expanded_reported = true;
        return prism_broken(expr);
    }
    reader->depth++;
    expr = resolve_kind(reader, expr, scope);
    reader->depth--;
    return expr;
}

struct prism_expr *prism_resolve_as(struct prism_reader *reader, const struct prism_expr *expr,
                                    const struct prism_scope *scope, enum prism_type type, const char *what)
{
    struct prism_expr *resolved = prism_resolve(reader, expr, scope);
    if (resolved->type == PRISM_TYPE_NONE)
        return NULL;
    if (resolved->type == type || (type == PRISM_TYPE_REAL && is_number(resolved)))
        return resolved;
    prism_error(reader, expr->span, "%s must be %s, this is %s", what,
                type == PRISM_TYPE_REAL ? "a number" : prism_type_phrase(type), prism_type_phrase(resolved->type));
    return NULL;
}

const struct prism_value *prism_resolve_constant(struct prism_reader *reader, const struct prism_expr *expr,
                                                 const struct prism_scope *scope, enum prism_type type,
                                                 const char *what)
{
    const struct prism_expr *resolved = prism_resolve_as(reader, expr, scope, type, what);
    if (!resolved)
        return NULL;
    if (resolved->kind == PRISM_EXPR_VALUE)
        return resolved->value;
    prism_error(reader, expr->span, "%s must be constant", what);
    return NULL;
}
