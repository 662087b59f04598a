/* What editors are told of a model: its names, described when their scope is closed, and an outline. */
#include "lang/murphi/lower.h"

/* The index type whose elements the value is, or is indexed by: its symmetry is what users ask for. A range or enum may
 * turn out to be one. */
static const struct type *index_in(const struct type *type)
{
    while (type->kind == TYPE_ARRAY && !type_scalarset_in(type->index) && type->element)
        type = type->element;
    const struct type *index = type->kind == TYPE_ARRAY ? type->index : type;
    const struct type *set = type_scalarset_in(index);
    return set ? set : type_is_scalar(index) ? index : NULL;
}

static const char *index_name(const struct type *type)
{
    const struct type *index = type ? index_in(type) : NULL;
    return index ? index->name : NULL;
}

static void describe_routine(const struct symbol *symbol, struct text *out)
{
    const struct function *function = symbol->routine->function;
    text_format(out, "%s %s(", function->result ? "function" : "procedure", symbol->name);
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        const struct variable *parameter = function->parameters[i];
        text_format(out, "%s%s%s: ", i ? "; " : "", parameter->is_reference ? "var " : "", parameter->name);
        type_print(parameter->type, out);
    }
    text_char(out, ')');
    if (function->result) {
        text_append(out, ": ");
        type_print(function->result->type, out);
    }
}

static enum name_kind describe_value(const struct symbol *symbol, struct text *out)
{
    const struct expr *value = symbol->value;
    bool is_label = value->type->kind == TYPE_ENUM && value->kind == EXPR_CONST;
    text_format(out, "%s%s: ", is_label ? "" : "const ", symbol->name);
    if (value->kind == EXPR_CONST && !is_label)
        type_print_value(value->type, value->value, out);
    else
        type_print(value->type, out);
    return is_label ? NAME_VALUE : NAME_CONSTANT;
}

static enum name_kind describe_place(const struct symbol *symbol, struct text *out)
{
    bool is_parameter = symbol->read_only || symbol->parameter >= 0;
    text_format(out, "%s%s: ", is_parameter ? "" : "var ", symbol->name);
    type_print(symbol->place->type, out);
    if (symbol->read_only)
        text_format(out, " -- %s", symbol->read_only);
    else if (!symbol->is_outside)
        text_append(out, " -- local");
    return is_parameter ? NAME_PARAMETER : NAME_VARIABLE;
}

static void note_symbol(void *user, const struct symbol *symbol)
{
    struct lower *lower = user;
    struct text detail = {0};
    enum name_kind kind = NAME_ROUTINE;
    const struct type *type = NULL;
    if (symbol->kind == SYMBOL_TYPE && symbol->type) {
        kind = NAME_TYPE;
        type = symbol->type;
        text_format(&detail, "type %s: ", symbol->name);
        type_print_structure(type, &detail);
    } else if (symbol->kind == SYMBOL_VALUE && symbol->value) {
        kind = describe_value(symbol, &detail);
        type = kind == NAME_VALUE ? symbol->value->type : NULL;
    } else if (symbol->kind == SYMBOL_PLACE && symbol->place) {
        kind = describe_place(symbol, &detail);
        type = symbol->place->type;
    } else if (symbol->kind == SYMBOL_ROUTINE && symbol->routine)
        describe_routine(symbol, &detail);
    if (detail.length)
        names_define(lower->reading->names, kind, symbol->name, symbol->span, text_chars(&detail), index_name(type));
    text_free(&detail);
}

void note_symbols(struct lower *lower)
{
    if (!lower->reading->names || lower->reading->question)
        return;
    lower->scope.forget = note_symbol;
    lower->scope.user = lower;
}

void note_fields(struct lower *lower, const struct ast_type *ast, const struct type *record)
{
    if (!record || !lower->reading->names)
        return;
    uint32_t number = 0;
    for (size_t f = 0; f < ast->field_count; f++)
        for (size_t n = 0; n < ast->fields[f].names.count && number < record->field_count; n++, number++) {
            struct text detail = {0};
            text_format(&detail, "%s: ", record->fields[number].name);
            type_print(record->fields[number].type, &detail);
            names_define_member(lower->reading->names, NAME_FIELD, record, record->fields[number].name,
                                ast->fields[f].names.items[n].span, text_chars(&detail));
            text_free(&detail);
        }
}

/* --- the outline --- */

static void outline_names(struct names *names, const struct ast_names *list, enum name_kind kind)
{
    for (size_t i = 0; i < list->count; i++)
        names_outline(names, kind, list->items[i].text, list->items[i].span, list->items[i].span, list->items[i].span,
                      0);
}

static void outline_decls(struct names *names, const struct ast_decls *decls)
{
    static const enum name_kind kinds[] = {
        [AST_CONST] = NAME_CONSTANT, [AST_TYPE] = NAME_TYPE, [AST_VAR] = NAME_VARIABLE};
    for (size_t i = 0; i < decls->count; i++)
        outline_names(names, &decls->items[i].names, kinds[decls->items[i].kind]);
}

/* "ruleset n: NODE; d: DATA" */
static const char *ruleset_title(struct names *names, const struct ast_rule *rule)
{
    struct text title = {0};
    text_append(&title, rule->kind == AST_RULESET ? "ruleset" : rule->kind == AST_CHOOSE ? "choose" : "alias");
    for (size_t i = 0; i < rule->quantifiers.count; i++) {
        const struct ast_quantifier *quantifier = &rule->quantifiers.items[i];
        bool has_name = quantifier->type && quantifier->type->kind == AST_TYPE_NAME && quantifier->type->name.text;
        text_format(&title, "%s %s%s%s", i ? ";" : "", quantifier->name.text ? quantifier->name.text : "",
                    has_name ? ": " : "", has_name ? quantifier->type->name.text : "");
    }
    const char *kept = arena_string(names->arena, text_chars(&title));
    text_free(&title);
    return kept;
}

static void outline_rule(struct names *names, const struct ast_rule *rule, uint32_t depth)
{
    enum name_kind kind = rule->kind == AST_PROPERTY     ? NAME_PROPERTY
                          : rule->kind == AST_STARTSTATE ? NAME_START
                                                         : NAME_RULE;
    const char *title = rule->title;
    if (!title && kind == NAME_PROPERTY)
        title = property_kind_name((enum property_kind)rule->property);
    else if (!title)
        title = rule->kind == AST_RULE         ? "rule"
                : rule->kind == AST_STARTSTATE ? "startstate"
                                               : ruleset_title(names, rule);
    names_outline(names, kind, title, rule->span, rule->span, rule->end, depth);
    for (size_t i = 0; i < rule->rules.count; i++)
        outline_rule(names, rule->rules.items[i], depth + 1);
}

void note_outline(struct names *names, const struct ast_model *model)
{
    for (size_t i = 0; names && model && i < model->count; i++) {
        const struct ast_item *item = &model->items[i];
        outline_decls(names, &item->decls);
        if (item->function && item->function->name.text)
            names_outline(names, NAME_ROUTINE, item->function->name.text, item->function->name.span, item->span,
                          item->end, 0);
        if (item->rule && item->rule->end.line)
            outline_rule(names, item->rule, 0);
    }
}
