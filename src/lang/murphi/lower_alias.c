#include "lang/murphi/lower.h"

/* Does the expression denote the same value as long as its variables are in scope, without ever failing? */
static bool is_fixed_index(struct lower *lower, const struct expr *index, const struct type *wanted)
{
    if (index->kind == EXPR_CONST)
        return type_has(wanted, index->value);
    if (index->kind != EXPR_READ || index->place->kind != PLACE_VARIABLE)
        return false;
    const struct symbol *symbol = scope_find(&lower->scope, index->place->variable->name);
    bool is_that = symbol && symbol->kind == SYMBOL_PLACE && symbol->place->kind == PLACE_VARIABLE &&
                   symbol->place->variable == index->place->variable;
    if (!is_that || !symbol->is_fixed)
        return false;
    const struct type *type = index->type;
    for (uint32_t b = 0; b < type->block_count; b++)
        if (!type_has(wanted, type->blocks[b].lo) || !type_has(wanted, type->blocks[b].hi))
            return false;
    return true;
}

/* A place whose address cannot change while the alias is in scope needs no reference: it is written out. */
static bool is_fixed_place(struct lower *lower, const struct place *place)
{
    for (; place->base; place = place->base) {
        if (place->kind == PLACE_SLOT)
            return false;
        if (place->kind == PLACE_ELEMENT && !is_fixed_index(lower, place->index, place->base->type->index))
            return false;
    }
    return place->kind == PLACE_VARIABLE || place->kind == PLACE_DEREF;
}

static struct place *bind_place(struct lower *lower, struct ast_name name, const struct murphi_value *value,
                                struct stmts *before)
{
    if (!before || is_fixed_place(lower, value->place))
        return value->place;
    struct variable *reference = system_add_reference(lower->system, name.text, value->type, name.span);
    struct stmt *stmt = stmts_add(lower, before, STMT_BIND, name.span);
    stmt->variable = reference;
    stmt->place = value->place;
    return place_variable(lower->system, reference, name.span);
}

/* A value computed once. */
static struct place *store_value(struct lower *lower, struct ast_name name, const struct murphi_value *value,
                                 struct stmts *before)
{
    struct variable *variable = system_add_scratch(lower->system, name.text, value->type, name.span);
    struct place *place = place_variable(lower->system, variable, name.span);
    bool is_scalar = type_is_scalar(value->type);
    struct stmt *stmt = stmts_add(lower, before, is_scalar ? STMT_ASSIGN : STMT_COPY, name.span);
    stmt->place = place;
    if (is_scalar)
        stmt->value = value_read(lower, value, name.span);
    else
        stmt->source = value->place;
    return place_variable(lower->system, variable, name.span);
}

static void declare_place_alias(struct lower *lower, struct ast_name name, const struct murphi_value *value,
                                struct stmts *before)
{
    struct place *place = bind_place(lower, name, value, before);
    struct symbol *symbol = declare(lower, SYMBOL_PLACE, name);
    if (!symbol)
        return;
    const struct symbol *root = value->root;
    symbol->place = place;
    symbol->read_only = root->read_only;
    symbol->is_outside = root->is_outside;
    symbol->parameter = root->parameter;
    symbol->slot_of = value->slot_of;
    symbol->is_fixed = root->is_fixed && value->place->kind == PLACE_VARIABLE;
}

/* Around a property an alias is expanded wherever it is used, so aliases of aliases could grow without bound. */
enum { MAX_EXPANDED = 1000 };

static void count_nodes(const struct expr *expr, uint32_t *count)
{
    if (!expr || ++*count > MAX_EXPANDED)
        return;
    count_nodes(expr->condition, count);
    count_nodes(expr->left, count);
    count_nodes(expr->right, count);
    for (const struct place *place = expr->place; place; place = place->base)
        count_nodes(place->index, count);
    for (const struct place *place = expr->other; place; place = place->base)
        count_nodes(place->index, count);
    for (uint32_t i = 0; expr->kind == EXPR_CALL && i < expr->function->parameter_count; i++) {
        count_nodes(expr->arguments[i].value, count);
        for (const struct place *place = expr->arguments[i].place; place; place = place->base)
            count_nodes(place->index, count);
    }
}

static bool is_small(struct lower *lower, const struct murphi_value *value, struct span span)
{
    uint32_t count = 0;
    count_nodes(value->expr, &count);
    for (const struct place *place = value->place; place; place = place->base)
        count_nodes(place->index, &count);
    if (count <= MAX_EXPANDED)
        return true;
    report_error(lower->diagnostics, span, "the alias is too large to stand around a property");
    return false;
}

static void declare_value_alias(struct lower *lower, struct ast_name name, const struct murphi_value *value,
                                struct stmts *before)
{
    bool is_constant = value->expr && value->expr->kind == EXPR_CONST;
    if (is_constant || !before) {
        struct symbol *symbol = declare(lower, SYMBOL_VALUE, name);
        if (symbol)
            symbol->value = value->expr;
        return;
    }
    struct place *place = store_value(lower, name, value, before);
    struct symbol *symbol = declare(lower, SYMBOL_PLACE, name);
    if (!symbol)
        return;
    symbol->place = place;
    symbol->read_only = "an alias of an expression";
    symbol->is_fixed = type_is_scalar(value->type);
}

static bool lower_alias(struct lower *lower, struct ast_name name, const struct ast_expr *ast, struct stmts *before)
{
    struct murphi_value value = lower_value(lower, ast);
    if (value.ok && value.is_undefined) {
        report_error(lower->diagnostics, ast->span, "UNDEFINED cannot have an alias");
        value.ok = false;
    }
    if (value.ok && !before && !value.root && value.place) {
        report_error(lower->diagnostics, ast->span, "the result of a call cannot have an alias around a property");
        value.ok = false;
    }
    if (value.ok && !is_small(lower, &value, ast->span))
        value.ok = false;
    if (!value.ok)
        declare(lower, SYMBOL_ERROR, name);
    else if (value.root)
        declare_place_alias(lower, name, &value, before);
    else
        declare_value_alias(lower, name, &value, before);
    return value.ok;
}

bool lower_aliases(struct lower *lower, const struct ast_aliases *aliases, struct stmts *before)
{
    bool ok = true;
    for (size_t a = 0; a < aliases->count; a++)
        for (size_t n = 0; n < aliases->items[a].names.count; n++)
            ok &= lower_alias(lower, aliases->items[a].names.items[n], aliases->items[a].value, before);
    return ok;
}
