#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lang/murphi/lower.h"

struct symbol *declare(struct lower *lower, enum symbol_kind kind, struct ast_name name)
{
    const struct symbol *other = scope_find_here(&lower->scope, name.text);
    if (other && other->kind == SYMBOL_ERROR)
        other = NULL;
    if (other) {
        if (report_error(lower->diagnostics, name.span, "\"%s\" is declared twice", name.text))
            diag_hint(lower->diagnostics, "the first declaration is in line %u", other->span.line);
        return NULL;
    }
    names_define(lower->reading->names, NAME_VARIABLE, name.text, name.span, NULL, NULL);
    return scope_add(&lower->scope, kind, name);
}

void note_use(struct lower *lower, struct symbol *symbol, struct span use)
{
    names_use(lower->reading->names, use, symbol->span);
    if (!symbol->uses++)
        VEC_PUSH(&lower->used, symbol->span);
}

/* Only constants of the whole model can be set. */
static const struct define *find_define(struct lower *lower, const char *name)
{
    return lower->scope.starts.count == 1 ? reading_define(lower->reading, name) : NULL;
}

/* Names of enums are values too, but not with -D. */
static bool can_be_set(const struct lower *lower, const struct symbol *symbol)
{
    return symbol->kind == SYMBOL_VALUE && symbol->value &&
           (type_is_integer(symbol->value->type) || symbol->value->type == lower->system->boolean);
}

/* The closest constant in spelling, else all of them when they are few. */
static void hint_constants(struct lower *lower, const char *name)
{
    enum { FEW = 8 };
    VEC(const char *) names = {0};
    for (size_t i = 0; i < lower->scope.symbols.count; i++)
        if (can_be_set(lower, lower->scope.symbols.items[i]))
            VEC_PUSH(&names, lower->scope.symbols.items[i]->name);
    const char *closest = names.count ? diag_closest(name, names.items, names.count) : NULL;
    struct text list = {0};
    for (size_t i = 0; i < names.count; i++)
        text_format(&list, "%s%s", i ? ", " : "", names.items[i]);
    if (closest)
        diag_hint(lower->diagnostics, "did you mean \"%s\"?", closest);
    else if (names.count && names.count <= FEW)
        diag_hint(lower->diagnostics, "its constants: %s", list.chars);
    text_free(&list);
    VEC_FREE(&names);
}

void report_unused_defines(struct lower *lower, const struct source *source)
{
    for (size_t i = 0; i < lower->reading->define_count; i++) {
        const struct define *define = &lower->reading->defines[i];
        const struct symbol *symbol = scope_find(&lower->scope, define->name);
        if (!(symbol && can_be_set(lower, symbol)) &&
            report_error(lower->diagnostics, (struct span){.source = source},
                         "-D %s=%s: the model declares no constant \"%s\"", define->name, define->value, define->name))
            hint_constants(lower, define->name);
    }
}

static bool read_define(const char *text, bool is_boolean, int64_t *value)
{
    if (is_boolean) {
        *value = !strcmp(text, "true");
        return *value || !strcmp(text, "false");
    }
    char *end;
    errno = 0;
    *value = strtoll(text, &end, 10);
    return *text && !*end && !errno;
}

/* -D NAME=VALUE replaces the value, not the type. */
static struct expr *override_constant(struct lower *lower, struct ast_name name, struct expr *value)
{
    const struct define *define = find_define(lower, name.text);
    if (!define)
        return value;
    bool is_boolean = value->type == lower->system->boolean;
    int64_t given;
    if (!is_boolean && !type_is_integer(value->type)) {
        report_error(lower->diagnostics, name.span, "\"%s\" cannot be set with -D: it is of type %s", name.text,
                     type_text(lower, value->type));
        return NULL;
    }
    if (!read_define(define->value, is_boolean, &given)) {
        bool is_new = report_error(lower->diagnostics, name.span, "-D %s=%s: the value must be %s", name.text,
                                   define->value, is_boolean ? "true or false" : "an integer");
        if (is_new && strstr(define->value, ".."))
            diag_hint(lower->diagnostics, "one value after the other: -D %s=2:6", name.text);
        return NULL;
    }
    return expr_const(lower->system, value->type, given, name.span);
}

static void lower_const(struct lower *lower, const struct ast_decl *ast)
{
    struct expr *value = lower_scalar(lower, ast->value, "the value of a constant");
    int64_t number;
    if (value && value->kind != EXPR_CONST && constant_value(value, &number))
        value = expr_const(lower->system, value->type, number, value->span);
    else if (value && value->kind != EXPR_CONST) {
        report_not_constant(lower, ast->value, value, "the value of a constant");
        value = NULL;
    }
    for (size_t i = 0; i < ast->names.count; i++) {
        struct expr *final = value ? override_constant(lower, ast->names.items[i], value) : NULL;
        struct symbol *symbol = declare(lower, final ? SYMBOL_VALUE : SYMBOL_ERROR, ast->names.items[i]);
        if (symbol) {
            symbol->value = final;
            symbol->is_derived = ast->value->kind != AST_NUMBER;
        }
    }
}

static void lower_type_decl(struct lower *lower, const struct ast_decl *ast)
{
    for (size_t i = 0; i < ast->names.count; i++) {
        bool is_first = i == 0; /* "A, B: enum {...}" declares the names once */
        const struct type *type;
        if (is_first)
            type = lower_type(lower, ast->type, ast->names.items[i].text);
        else
            type = scope_find(&lower->scope, ast->names.items[0].text)->type;
        struct symbol *symbol = declare(lower, type ? SYMBOL_TYPE : SYMBOL_ERROR, ast->names.items[i]);
        if (symbol)
            symbol->type = type;
    }
}

static struct variable *add_variable(struct lower *lower, struct ast_name name, const struct type *type,
                                     struct stmts *entry)
{
    if (!entry)
        return system_add_global(lower->system, name.text, type, name.span);
    struct variable *variable = system_add_scratch(lower->system, name.text, type, name.span);
    stmts_add(lower, entry, STMT_UNDEFINE, name.span)->place = place_variable(lower->system, variable, name.span);
    return variable;
}

static void lower_var(struct lower *lower, const struct ast_decl *ast, struct stmts *entry)
{
    const struct type *type = lower_type(lower, ast->type, NULL);
    for (size_t i = 0; i < ast->names.count; i++) {
        struct symbol *symbol = declare(lower, type ? SYMBOL_PLACE : SYMBOL_ERROR, ast->names.items[i]);
        if (!symbol || !type)
            continue;
        struct variable *variable = add_variable(lower, ast->names.items[i], type, entry);
        symbol->place = place_variable(lower->system, variable, ast->names.items[i].span);
        symbol->is_outside = !entry;
    }
}

void lower_decls(struct lower *lower, const struct ast_decls *decls, struct stmts *entry)
{
    for (size_t i = 0; i < decls->count; i++)
        switch (decls->items[i].kind) {
        case AST_CONST:
            lower_const(lower, &decls->items[i]);
            break;
        case AST_TYPE:
            lower_type_decl(lower, &decls->items[i]);
            break;
        case AST_VAR:
            lower_var(lower, &decls->items[i], entry);
            break;
        }
}

static size_t count_parameters(const struct ast_function *ast)
{
    size_t count = 0;
    for (size_t i = 0; i < ast->parameter_count; i++)
        count += ast->parameters[i].names.count;
    return count;
}

static const struct variable *lower_parameter(struct lower *lower, struct ast_name name, const struct type *type,
                                              bool by_reference, int position)
{
    struct symbol *symbol = declare(lower, SYMBOL_PLACE, name);
    if (!symbol)
        return NULL;
    struct variable *variable = by_reference ? system_add_reference(lower->system, name.text, type, name.span)
                                             : system_add_scratch(lower->system, name.text, type, name.span);
    symbol->place = place_variable(lower->system, variable, name.span);
    symbol->read_only = by_reference ? NULL : "a parameter";
    symbol->is_outside = by_reference;
    symbol->parameter = by_reference ? position : -1;
    return variable;
}

static bool lower_parameters(struct lower *lower, const struct ast_function *ast, struct function *function)
{
    size_t count = count_parameters(ast);
    function->parameters = ARENA_ARRAY(lower->system->arena, const struct variable *, count);
    bool ok = true;
    for (size_t i = 0; i < ast->parameter_count; i++) {
        const struct ast_parameter *parameter = &ast->parameters[i];
        const struct type *type = lower_type(lower, parameter->type, NULL);
        for (size_t n = 0; n < parameter->names.count; n++) {
            int position = (int)function->parameter_count;
            const struct variable *variable = NULL;
            if (type)
                variable = lower_parameter(lower, parameter->names.items[n], type, parameter->by_reference, position);
            ok &= variable != NULL;
            if (variable)
                function->parameters[function->parameter_count++] = variable;
            else
                declare(lower, SYMBOL_ERROR, parameter->names.items[n]);
        }
    }
    return ok;
}

/* Reaching the end of a function is an error of the model, found when it happens. */
static void close_function(struct lower *lower, const struct ast_function *ast, struct stmts *body)
{
    if (!ast->result || stmts_always_leave(&ast->body))
        return;
    const char *title = arena_format(lower->arena, "function %s ended without returning a value", ast->name.text);
    stmts_add(lower, body, STMT_ERROR, ast->end)->property =
        lower_add_property(lower, PROPERTY_ERROR, title, NULL, ast->end);
}

static void lower_function_body(struct lower *lower, const struct ast_function *ast, struct routine *routine)
{
    struct stmts body = {0}, entry = {0};
    struct function *function = routine->function;
    if (function->result)
        stmts_add(lower, &entry, STMT_UNDEFINE, ast->name.span)->place =
            place_variable(lower->system, function->result, ast->name.span);
    lower->routine = routine;
    lower->entry = &entry;
    scope_open(&lower->scope);
    lower_decls(lower, &ast->decls, &entry);
    lower_stmts(lower, &ast->body, &body);
    scope_close(&lower->scope);
    close_function(lower, ast, &body);
    for (size_t i = 0; i < body.count; i++)
        VEC_PUSH(&entry, body.items[i]);
    VEC_FREE(&body);
    function->body = stmts_seal(lower, &entry);
    lower->routine = NULL;
    lower->entry = NULL;
}

/* What a chain of calls of itself ends in. */
static void lower_last_level(struct lower *lower, const struct ast_function *ast, struct function *function)
{
    struct stmts body = {0};
    const char *title = arena_format(lower->arena, "recursion of %s", ast->name.text);
    stmts_add(lower, &body, STMT_ERROR, ast->name.span)->property =
        lower_add_property(lower, PROPERTY_ERROR, title, NULL, ast->name.span);
    function->body = stmts_seal(lower, &body);
}

/* The result of a function, and whether it may be undefined though it is a scalar. */
struct result_type {
    const struct type *type; /* NULL: a procedure */
    bool is_boxed;
};

static const struct type *box_of(struct lower *lower, const struct type *type, struct span span)
{
    struct field field = {.name = "value", .type = type};
    return type_record(lower->system, NULL, &field, 1, span);
}

/* `deeper`: what it calls when it calls itself; NULL: nothing may. */
static struct routine *lower_level(struct lower *lower, const struct ast_function *ast, struct result_type result,
                                   struct routine *deeper, bool is_last)
{
    struct routine *routine = ARENA_NEW(lower->arena, struct routine);
    uint64_t cost = lower->cost;
    routine->function = system_add_function(lower->system, ast->name.text, ast->name.span);
    routine->writes_parameter = ARENA_ARRAY(lower->arena, bool, count_parameters(ast));
    routine->boxed = result.is_boxed ? result.type : NULL;
    if (result.type)
        routine->function->result = system_add_scratch(
            lower->system, ast->name.text, result.is_boxed ? box_of(lower, result.type, ast->name.span) : result.type,
            ast->name.span);
    scope_open(&lower->scope);
    if (deeper)
        scope_add(&lower->scope, SYMBOL_ROUTINE, ast->name)->routine = deeper;
    scope_open(&lower->scope);
    bool ok = lower_parameters(lower, ast, routine->function);
    if (ok && is_last)
        lower_last_level(lower, ast, routine->function);
    else if (ok)
        lower_function_body(lower, ast, routine);
    scope_close(&lower->scope);
    scope_close(&lower->scope);
    cost = lower->cost - cost;
    routine->cost = cost < UINT32_MAX ? (uint32_t)cost : UINT32_MAX;
    return ok ? routine : NULL;
}

/* At most so many calls in a chain, and no more than so many cells and so long a walk by those who follow each call. */
enum { RECURSION_LEVELS = 100, RECURSION_CELLS = 1 << 20, RECURSION_COST = 10000, RECURSION_LEAST = 3 };

static bool has_room(const struct lower *lower, const struct routine *routine, size_t first_variable)
{
    uint64_t cells = 0;
    for (size_t i = first_variable; i < lower->system->scratch.count; i++)
        cells += lower->system->scratch.items[i]->type->cells;
    return cells <= RECURSION_CELLS && routine->cost <= RECURSION_COST;
}

/* `depth`: how often a call may call itself, one in the other. */
static void name_last_level(struct lower *lower, const struct ast_function *ast, const struct routine *last,
                            size_t depth)
{
    struct property *property = lower->system->properties.items[last->function->body.items[0]->property->id];
    property->failure =
        arena_format(lower->system->arena, "%s \"%s\" called itself more than %zu times deep, %s",
                     ast->result ? "function" : "procedure", ast->name.text, depth, "which is Noether's limit for it");
}

/* One that calls itself is a chain of functions, the innermost first: no engine has to know. */
static struct routine *lower_levels(struct lower *lower, const struct ast_function *ast, struct result_type result)
{
    if (!calls_itself(ast))
        return lower_level(lower, ast, result, NULL, false);
    size_t first = lower->system->scratch.count;
    struct routine *last = lower_level(lower, ast, result, NULL, true), *routine = last;
    size_t levels = 0;
    for (; levels <= RECURSION_LEVELS && routine && !lower->diagnostics->errors &&
           (levels <= RECURSION_LEAST || has_room(lower, routine, first));
         levels++)
        routine = lower_level(lower, ast, result, routine, false);
    if (routine && levels)
        name_last_level(lower, ast, last, levels - 1);
    return routine;
}

/* One that may return an undefined scalar is lowered once more, with a record as its result. */
static struct routine *lower_routine(struct lower *lower, const struct ast_function *ast, const struct type *result)
{
    lower->is_repeated = true; /* what it asserts is one property, however often it is lowered */
    struct routine *routine = lower_levels(lower, ast, (struct result_type){result, false});
    if (routine && routine->may_be_undefined && !lower->diagnostics->errors)
        routine = lower_levels(lower, ast, (struct result_type){result, true});
    lower->is_repeated = false;
    VEC_CLEAR(&lower->repeated);
    return routine;
}

void lower_function(struct lower *lower, const struct ast_function *ast)
{
    const struct type *result = ast->result ? lower_type(lower, ast->result, NULL) : NULL; /* outside: a parameter may
                                                                                     have the name of the type */
    struct routine *routine = ast->result && !result ? NULL : lower_routine(lower, ast, result);
    struct symbol *symbol = declare(lower, routine ? SYMBOL_ROUTINE : SYMBOL_ERROR, ast->name);
    if (symbol)
        symbol->routine = routine;
}
