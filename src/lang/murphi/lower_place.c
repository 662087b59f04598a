#include <string.h>

#include "lang/murphi/foreign.h"
#include "lang/murphi/lower.h"

static bool declares(const struct ast_item *item, const char *name, struct span *where)
{
    for (size_t d = 0; d < item->decls.count; d++)
        for (size_t n = 0; n < item->decls.items[d].names.count; n++)
            if (!strcmp(item->decls.items[d].names.items[n].text, name)) {
                *where = item->decls.items[d].names.items[n].span;
                return true;
            }
    if (item->function && item->function->name.text && !strcmp(item->function->name.text, name)) {
        *where = item->function->name.span;
        return true;
    }
    return false;
}

/* "Node_2", as elements are printed? */
static bool names_element(struct lower *lower, const char *name)
{
    const char *line = strrchr(name, '_');
    if (!line || !line[1] || line[1 + strspn(line + 1, "0123456789")])
        return false;
    const char *type = arena_string_n(lower->arena, name, (size_t)(line - name));
    const struct symbol *symbol = scope_find(&lower->scope, type);
    return symbol && symbol->kind == SYMBOL_TYPE && symbol->type->kind == TYPE_INDEX;
}

static void hint_unknown(struct lower *lower, const char *name)
{
    static const char *const keywords[] = {"true", "false", "isundefined", "ismember", "multisetcount", NULL};
    struct span where;
    for (size_t i = 0; i < lower->model->count; i++)
        if (declares(&lower->model->items[i], name, &where)) {
            diag_hint(lower->diagnostics, "it is declared later, in line %u; a declaration comes before its use",
                      where.line);
            return;
        }
    const char *closest = scope_suggest(&lower->scope, name, keywords), *murphi = foreign_word(name);
    if (!murphi && lower->is_linear)
        murphi = foreign_prefix(name);
    if (murphi)
        diag_hint(lower->diagnostics, "\"%s\" is written %s", name, murphi);
    else if (names_element(lower, name))
        diag_hint(lower->diagnostics, "the elements of a scalarset have no names: they are interchangeable");
    else if (closest)
        diag_hint(lower->diagnostics, "did you mean \"%s\"?", closest);
}

static struct murphi_value unknown_name(struct lower *lower, const struct ast_expr *ast)
{
    if (lower->is_linear && ast->kind == AST_NAME && parse_is_prefix(ast->name.text))
        report_error(lower->diagnostics, ast->span, "\"%s\" needs an operand", ast->name.text);
    else if (report_error(lower->diagnostics, ast->span, "unknown name \"%s\"", ast->name.text))
        hint_unknown(lower, ast->name.text);
    scope_add(&lower->scope, SYMBOL_ERROR, ast->name);
    return (struct murphi_value){0};
}

/* A new place of the same cells, pointing at where it is used. */
static struct place *copy_place(struct lower *lower, const struct place *place, struct span span)
{
    struct place *copy = arena_copy(lower->system->arena, place, sizeof *place);
    copy->span = span;
    return copy;
}

static struct murphi_value name_value(struct lower *lower, const struct symbol *symbol, struct span span)
{
    struct murphi_value value = {.ok = true, .expr = symbol->value, .type = symbol->value->type};
    int64_t number;
    if (constant_value(symbol->value, &number))
        value.expr = expr_const(lower->system, value.type, number, span);
    return value;
}

/* The only element of a scalarset of size 1 may be called by the name of its type: there is nothing to break. */
static struct murphi_value name_type(struct lower *lower, const struct symbol *symbol, struct span span)
{
    if (symbol->type->kind == TYPE_INDEX && symbol->type->size == 1) {
        struct expr *expr = expr_const(lower->system, symbol->type, type_code(symbol->type, 0), span);
        return (struct murphi_value){.ok = true, .expr = expr, .type = symbol->type};
    }
    report_error(lower->diagnostics, span, "\"%s\" is a type, not a value", symbol->name);
    return (struct murphi_value){0};
}

struct murphi_value lower_name(struct lower *lower, const struct ast_expr *ast)
{
    struct symbol *symbol = scope_find(&lower->scope, ast->name.text);
    if (!symbol && ast->kind == AST_UNDEFINED)
        return (struct murphi_value){.ok = true, .is_undefined = true};
    if (!symbol)
        return unknown_name(lower, ast);
    note_use(lower, symbol, ast->name.span);
    symbol->last_use = ast->span;
    switch (symbol->kind) {
    case SYMBOL_VALUE:
        return name_value(lower, symbol, ast->span);
    case SYMBOL_TYPE:
        return name_type(lower, symbol, ast->span);
    case SYMBOL_PLACE:
        return (struct murphi_value){.ok = true,
                                     .place = copy_place(lower, symbol->place, ast->span),
                                     .type = symbol->place->type,
                                     .root = symbol,
                                     .slot_of = symbol->slot_of};
    case SYMBOL_ROUTINE:
        if (report_error(lower->diagnostics, ast->span, "\"%s\" is a %s", symbol->name,
                         symbol->routine->function->result ? "function" : "procedure"))
            diag_hint(lower->diagnostics, "call it: %s(...)", symbol->name);
        return (struct murphi_value){0};
    case SYMBOL_ERROR:
        return (struct murphi_value){0};
    }
    UNREACHABLE("symbol kind");
}

static struct murphi_value lower_slot(struct lower *lower, const struct ast_expr *ast, struct murphi_value base,
                                      struct murphi_value index)
{
    if (index.slot_of != base.type) {
        if (report_error(lower->diagnostics, ast->right->span, "a multiset is not indexed by %s",
                         index.slot_of ? "a slot of another one" : type_text(lower, index.type)))
            diag_hint(lower->diagnostics, "its elements are reached by choose, multisetcount and multisetremovepred");
        return (struct murphi_value){0};
    }
    struct expr *slot = value_read(lower, &index, ast->right->span);
    base.place = place_slot(lower->system, base.place, slot, ast->span);
    base.type = base.place->type;
    return base;
}

static struct murphi_value lower_element(struct lower *lower, const struct ast_expr *ast, struct murphi_value base,
                                         struct murphi_value index)
{
    const struct type *wanted = base.type->index;
    bool fits = index.type && !index.slot_of && types_compatible(wanted, index.type);
    if (!fits) {
        if (!report_error(lower->diagnostics, ast->right->span, "the index is %s, but the array is indexed by %s",
                          index.slot_of ? "a slot of a multiset" : type_text(lower, index.type),
                          type_text(lower, wanted)))
            return (struct murphi_value){0};
        if (wanted->kind == TYPE_INDEX && index.type && type_is_integer(index.type))
            diag_hint(lower->diagnostics, "the elements of a scalarset have no numbers");
        return (struct murphi_value){0};
    }
    struct expr *expr = value_read(lower, &index, ast->right->span);
    base.place = place_element(lower->system, base.place, expr, ast->span);
    base.type = base.place->type;
    return base;
}

struct murphi_value lower_index(struct lower *lower, const struct ast_expr *ast)
{
    struct murphi_value base = lower_value(lower, ast->left);
    struct murphi_value index = lower_value(lower, ast->right);
    if (!base.ok || !index.ok)
        return (struct murphi_value){0};
    if (!base.place || (base.type->kind != TYPE_ARRAY && base.type->kind != TYPE_MULTISET)) {
        report_error(lower->diagnostics, ast->left->span, "%s is not an array",
                     base.type ? type_text(lower, base.type) : "UNDEFINED");
        return (struct murphi_value){0};
    }
    if (index.is_undefined) {
        report_error(lower->diagnostics, ast->right->span, "UNDEFINED cannot be an index");
        return (struct murphi_value){0};
    }
    base.slot_of = NULL;
    base.expr = NULL;
    return base.type->kind == TYPE_MULTISET ? lower_slot(lower, ast, base, index)
                                            : lower_element(lower, ast, base, index);
}

static void hint_field(struct lower *lower, const struct type *record, const char *name)
{
    const char **names = ARENA_ARRAY(lower->arena, const char *, record->field_count);
    for (uint32_t i = 0; i < record->field_count; i++)
        names[i] = record->fields[i].name;
    const char *closest = diag_closest(name, names, record->field_count);
    if (closest)
        diag_hint(lower->diagnostics, "did you mean \"%s\"?", closest);
}

struct murphi_value lower_field(struct lower *lower, const struct ast_expr *ast)
{
    struct murphi_value base = lower_value(lower, ast->left);
    if (!base.ok)
        return base;
    if (!base.place || base.type->kind != TYPE_RECORD) {
        report_error(lower->diagnostics, ast->left->span, "%s is not a record",
                     base.type ? type_text(lower, base.type) : "UNDEFINED");
        return (struct murphi_value){0};
    }
    for (uint32_t i = 0; i < base.type->field_count; i++)
        if (!strcmp(base.type->fields[i].name, ast->name.text)) {
            names_use_member(lower->reading->names, base.type, ast->name.text, ast->name.span);
            base.place = place_field(lower->system, base.place, &base.type->fields[i], ast->span);
            base.type = base.place->type;
            base.expr = NULL;
            base.slot_of = NULL;
            return base;
        }
    if (report_error(lower->diagnostics, ast->name.span, "the record has no field \"%s\"", ast->name.text))
        hint_field(lower, base.type, ast->name.text);
    return (struct murphi_value){0};
}

void note_write(struct lower *lower, const struct symbol *root)
{
    if (!lower->routine || !root->is_outside)
        return;
    if (root->parameter >= 0)
        lower->routine->writes_parameter[root->parameter] = true;
    else
        lower->routine->writes_state = true;
}

struct place *lower_target(struct lower *lower, const struct ast_expr *ast, const char *verb)
{
    struct murphi_value value = lower_value(lower, ast);
    if (!value.ok)
        return NULL;
    if (!value.place && ast->kind == AST_NAME) {
        report_error(lower->diagnostics, ast->span, "cannot %s \"%s\": it is a constant", verb, ast->name.text);
        return NULL;
    }
    if (!value.place || !value.root) {
        report_error(lower->diagnostics, ast->span, "cannot %s this: it is not a variable", verb);
        return NULL;
    }
    if (value.root->read_only) {
        bool is_parameter = !strcmp(value.root->read_only, "a parameter");
        if (report_error(lower->diagnostics, ast->span, "cannot %s \"%s\": it is %s", verb, value.root->name,
                         value.root->read_only) &&
            is_parameter)
            diag_hint(lower->diagnostics, "declare it with VAR to change it");
        return NULL;
    }
    note_write(lower, value.root);
    return value.place;
}

struct murphi_value lower_multiset(struct lower *lower, const struct ast_expr *ast)
{
    struct murphi_value value = lower_value(lower, ast);
    if (value.ok && value.place && value.type->kind == TYPE_MULTISET)
        return value;
    if (value.ok)
        report_error(lower->diagnostics, ast->span, "%s is not a multiset",
                     value.type ? type_text(lower, value.type) : "UNDEFINED");
    return (struct murphi_value){0};
}

const struct variable *declare_slot(struct lower *lower, struct ast_name name, const struct type *multiset)
{
    struct symbol *symbol = declare(lower, SYMBOL_PLACE, name);
    if (!symbol)
        return NULL;
    const struct type *range = type_range(lower->system, NULL, 0, (int32_t)multiset->capacity - 1, name.span);
    const struct variable *variable = system_add_scratch(lower->system, name.text, range, name.span);
    symbol->place = place_variable(lower->system, variable, name.span);
    symbol->read_only = "a slot of a multiset";
    symbol->is_fixed = true;
    symbol->slot_of = multiset;
    return variable;
}
