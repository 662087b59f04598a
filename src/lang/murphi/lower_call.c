#include <string.h>

#include "lang/murphi/lower.h"

static bool is_math_function(const char *name)
{
    static const char *const names[] = {"log",  "log10", "exp", "sin",  "cos",  "tan",  "fabs", "floor", "ceil",
                                        "sqrt", "fmod",  "pow", "asin", "acos", "atan", "sinh", "cosh",  "tanh"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

static const struct routine *find_routine(struct lower *lower, const struct ast_expr *ast)
{
    struct symbol *symbol = scope_find(&lower->scope, ast->name.text);
    if (symbol)
        note_use(lower, symbol, ast->name.span);
    if (symbol && symbol->kind == SYMBOL_ROUTINE)
        return symbol->routine;
    if (!symbol && is_math_function(ast->name.text))
        report_error(lower->diagnostics, ast->name.span, "the real function \"%s\" is not supported", ast->name.text);
    else if (!symbol) {
        struct ast_expr name = {.kind = AST_NAME, .name = ast->name, .span = ast->name.span};
        lower_name(lower, &name);
    } else if (symbol->kind != SYMBOL_ERROR)
        report_error(lower->diagnostics, ast->name.span, "\"%s\" is not a function", ast->name.text);
    return NULL;
}

/* UNDEFINED for an aggregate: a variable that nobody writes to. */
static struct place *undefined_place(struct lower *lower, const struct type *type, struct span span)
{
    if (!lower->entry) {
        report_error(lower->diagnostics, span, "UNDEFINED cannot be passed for %s here", type_text(lower, type));
        return NULL;
    }
    struct variable *variable = system_add_scratch(lower->system, "nothing", type, span);
    stmts_add(lower, lower->entry, STMT_UNDEFINE, span)->place = place_variable(lower->system, variable, span);
    return place_variable(lower->system, variable, span);
}

static bool pass_undefined(struct lower *lower, const struct variable *parameter, struct span span,
                           struct argument *argument)
{
    if (parameter->is_reference) {
        report_error(lower->diagnostics, span, "UNDEFINED cannot be passed to the VAR parameter \"%s\"",
                     parameter->name);
        return false;
    }
    if (type_is_scalar(parameter->type))
        argument->value = expr_undefined(lower->system, parameter->type, span);
    else
        argument->place = undefined_place(lower, parameter->type, span);
    return argument->value || argument->place;
}

/* Through a reference a value of the parameter's type is written, so the variable must hold exactly those. */
static bool same_values(const struct type *a, const struct type *b)
{
    if (a == b)
        return true;
    if (!type_is_scalar(a) || !type_is_scalar(b))
        return types_compatible(a, b);
    if (a->block_count != b->block_count)
        return false;
    for (uint32_t i = 0; i < a->block_count; i++)
        if (a->blocks[i].lo != b->blocks[i].lo || a->blocks[i].hi != b->blocks[i].hi)
            return false;
    return types_compatible(a, b);
}

static bool pass_reference(struct lower *lower, const struct variable *parameter, const struct murphi_value *value,
                           struct span span, struct argument *argument)
{
    if (!value->place || !value->root || value->root->read_only) {
        report_error(lower->diagnostics, span, "the VAR parameter \"%s\" needs a variable that can be changed",
                     parameter->name);
        return false;
    }
    if (!same_values(parameter->type, value->type)) {
        report_error(lower->diagnostics, span, "the VAR parameter \"%s\" has type %s, not %s", parameter->name,
                     type_text(lower, parameter->type), type_text(lower, value->type));
        return false;
    }
    argument->place = value->place;
    return true;
}

static bool pass_value(struct lower *lower, const struct variable *parameter, const struct murphi_value *value,
                       struct span span, struct argument *argument)
{
    if (value->slot_of || !types_compatible(parameter->type, value->type)) {
        report_error(lower->diagnostics, span, "the parameter \"%s\" has type %s, not %s", parameter->name,
                     type_text(lower, parameter->type),
                     value->slot_of ? "slot of a multiset" : type_text(lower, value->type));
        return false;
    }
    if (type_is_scalar(parameter->type))
        argument->value = value_copy(lower, value, span);
    else
        argument->place = value->place;
    return true;
}

static bool lower_argument(struct lower *lower, const struct ast_expr *ast, const struct variable *parameter,
                           struct murphi_value *value, struct argument *argument)
{
    *value = lower_value(lower, ast);
    if (!value->ok)
        return false;
    if (value->is_undefined)
        return pass_undefined(lower, parameter, ast->span, argument);
    return parameter->is_reference ? pass_reference(lower, parameter, value, ast->span, argument)
                                   : pass_value(lower, parameter, value, ast->span, argument);
}

bool has_call(const struct ast_expr *ast)
{
    if (!ast)
        return false;
    if (ast->kind == AST_CALL)
        return true;
    for (size_t i = 0; i < ast->quantifiers.count; i++) {
        const struct ast_quantifier *quantifier = &ast->quantifiers.items[i];
        if (has_call(quantifier->from) || has_call(quantifier->to) || has_call(quantifier->by))
            return true;
    }
    return has_call(ast->left) || has_call(ast->right) || has_call(ast->third);
}

static void keep_call_results(struct lower *lower, const struct ast_expr *ast, const struct murphi_value *values)
{
    for (size_t i = 0; i < ast->arguments.count; i++) {
        size_t other = 0;
        while (other < ast->arguments.count && (other == i || !has_call(ast->arguments.items[other])))
            other++;
        if (other < ast->arguments.count)
            keep_call_result(lower, &values[i], ast->arguments.items[other]);
    }
}

/* What the callee changes, the caller changes. */
static bool note_effects(struct lower *lower, const struct ast_expr *ast, const struct routine *routine,
                         const struct murphi_value *values)
{
    bool has_effect = routine->writes_state;
    lower->done.effects += has_effect;
    if (lower->routine && routine->writes_state)
        lower->routine->writes_state = true;
    for (size_t i = 0; i < ast->arguments.count; i++)
        if (routine->writes_parameter[i]) {
            lower->done.effects++;
            has_effect |= values[i].root->is_outside;
            note_write(lower, values[i].root);
        }
    if (!has_effect || !lower->pure)
        return true;
    if (report_error(lower->diagnostics, ast->span, "%s calls \"%s\", which changes variables", lower->pure,
                     ast->name.text))
        diag_hint(lower->diagnostics,
                  "what is only asked must not change the state: make the change in the body of a rule");
    return false;
}

static struct murphi_value call_result(struct lower *lower, const struct ast_expr *ast, const struct routine *routine,
                                       struct argument *arguments)
{
    struct expr *call = expr_call(lower->system, routine->function, arguments, ast->span);
    lower->cost += 1 + (uint64_t)routine->cost;
    struct murphi_value value = {.ok = true, .expr = call, .type = call->type};
    if (call->type && !type_is_scalar(call->type))
        value.place = place_call(lower->system, call, ast->span);
    if (routine->boxed) {
        value.place = place_field(lower->system, value.place, &call->type->fields[0], ast->span);
        value.type = routine->boxed;
    }
    return value;
}

struct murphi_value lower_call(struct lower *lower, const struct ast_expr *ast, bool is_statement)
{
    const struct routine *routine = find_routine(lower, ast);
    if (!routine)
        return (struct murphi_value){0};
    const struct function *function = routine->function;
    if (!is_statement && !function->result) {
        report_error(lower->diagnostics, ast->span, "the procedure \"%s\" has no value", function->name);
        return (struct murphi_value){0};
    }
    if (ast->arguments.count != function->parameter_count) {
        report_error(lower->diagnostics, ast->span, "\"%s\" takes %u argument%s, not %zu", function->name,
                     function->parameter_count, function->parameter_count == 1 ? "" : "s", ast->arguments.count);
        return (struct murphi_value){0};
    }
    struct argument *arguments = ARENA_ARRAY(lower->system->arena, struct argument, ast->arguments.count);
    struct murphi_value *values = ARENA_ARRAY(lower->arena, struct murphi_value, ast->arguments.count);
    bool ok = true;
    for (size_t i = 0; i < ast->arguments.count; i++)
        ok &= lower_argument(lower, ast->arguments.items[i], function->parameters[i], &values[i], &arguments[i]);
    if (!ok || !note_effects(lower, ast, routine, values))
        return (struct murphi_value){0};
    keep_call_results(lower, ast, values);
    return call_result(lower, ast, routine, arguments);
}
