#include "lang/murphi/lower.h"

/* Models cannot name the elements of scalarsets: that would break the symmetry. Somebody who looks at one state may. */
static void declare_elements(struct lower *lower, const struct type *type)
{
    struct text name = {0};
    for (uint32_t i = 0; i < type->size; i++) {
        text_clear(&name);
        type_print_value(type, type_code(type, i), &name);
        if (scope_find(&lower->scope, text_chars(&name)))
            continue;
        struct ast_name declared = {.text = arena_string(lower->arena, text_chars(&name)), .span = type->span};
        scope_add(&lower->scope, SYMBOL_VALUE, declared)->value =
            expr_const(lower->system, type, type_code(type, i), type->span);
    }
    text_free(&name);
}

void lower_question(struct lower *lower, const struct ast_expr *ast, struct question *question)
{
    enum { MOST_NAMED_ELEMENTS = 4096 };
    scope_open(&lower->scope);
    for (size_t i = 0; i < lower->system->types.count; i++) {
        const struct type *type = lower->system->types.items[i];
        if (type->kind == TYPE_INDEX && type->size <= MOST_NAMED_ELEMENTS)
            declare_elements(lower, type);
    }
    lower->pure = "an expression";
    struct murphi_value value = lower_value(lower, ast);
    lower->pure = NULL;
    scope_close(&lower->scope);
    if (!value.ok)
        return;
    if (value.is_undefined || value.slot_of) {
        report_error(lower->diagnostics, ast->span, "this is no value");
        return;
    }
    question->type = value.type;
    if (type_is_scalar(value.type))
        question->value = value_copy(lower, &value, ast->span);
    else
        question->place = value.place;
}
