#include "lang/murphi/lower.h"

struct stmt *stmts_add(struct lower *lower, struct stmts *stmts, enum stmt_kind kind, struct span span)
{
    struct stmt *stmt = stmt_new(lower->system, kind, span);
    VEC_PUSH(stmts, stmt);
    return stmt;
}

struct block stmts_seal(struct lower *lower, struct stmts *stmts)
{
    uint32_t count = (uint32_t)stmts->count;
    return (struct block){VEC_SEAL(stmts, lower->system->arena), count};
}

struct block lower_block(struct lower *lower, const struct ast_stmts *list)
{
    struct stmts stmts = {0};
    lower_stmts(lower, list, &stmts);
    return stmts_seal(lower, &stmts);
}

static void lower_stmt(struct lower *lower, const struct ast_stmt *ast, struct stmts *out);

void lower_stmts(struct lower *lower, const struct ast_stmts *list, struct stmts *out)
{
    for (size_t i = 0; i < list->count && lower->diagnostics->errors < DIAGNOSTICS_MAX_ERRORS; i++)
        lower_stmt(lower, list->items[i], out);
}

static void report_mismatch(struct lower *lower, const struct ast_stmt *ast, const struct type *target,
                            const struct murphi_value *value)
{
    if (value->slot_of) {
        report_error(lower->diagnostics, ast->value->span, "a slot of a multiset cannot be stored");
        return;
    }
    if (!report_error(lower->diagnostics, ast->value->span, "cannot assign %s to a variable of type %s",
                      type_text(lower, value->type), type_text(lower, target)))
        return;
    const struct type *scalarset = type_is_scalar(target) ? type_scalarset_in(target) : NULL;
    if (scalarset && type_is_integer(value->type))
        diag_hint(lower->diagnostics, "the elements of a scalarset have no numbers: use a parameter or a loop variable "
                                      "of that type");
    else if (target->kind == TYPE_ARRAY && type_is_scalar(value->type) && target->index)
        diag_hint(lower->diagnostics, "an element at a time: for i: %s do x[i] := ... end",
                  target->index->name ? target->index->name : "INDEX");
}

/* An undefined value is copied, or an error where the dialect has it so: always in rumur, in CMurphi where a number or
 * truth value comes from a field or element. */
static struct expr *assigned_value(struct lower *lower, const struct murphi_value *value, struct span span)
{
    enum dialect dialect = lower->reading->manner.dialect;
    bool is_part = value->place && value->place->kind != PLACE_VARIABLE && value->place->kind != PLACE_DEREF;
    bool is_number = value->type->kind == TYPE_RANGE || value->type->kind == TYPE_BOOL;
    bool is_read = dialect == DIALECT_RUMUR || (dialect == DIALECT_CMURPHI && is_part && is_number);
    return is_read ? value_read(lower, value, span) : value_copy(lower, value, span);
}

static void lower_assign(struct lower *lower, const struct ast_stmt *ast, struct stmts *out)
{
    struct place *target = lower_target(lower, ast->target, "assign to");
    struct murphi_value value = lower_value(lower, ast->value);
    if (!target || !value.ok)
        return;
    if (value.is_undefined) {
        stmts_add(lower, out, STMT_UNDEFINE, ast->span)->place = target;
        return;
    }
    if (value.slot_of || !types_compatible(target->type, value.type)) {
        report_mismatch(lower, ast, target->type, &value);
        return;
    }
    keep_call_result(lower, &value, ast->target);
    bool is_scalar = type_is_scalar(target->type);
    struct stmt *stmt = stmts_add(lower, out, is_scalar ? STMT_ASSIGN : STMT_COPY, ast->span);
    stmt->place = target;
    if (is_scalar)
        stmt->value = assigned_value(lower, &value, ast->value->span);
    else
        stmt->source = value.place;
}

static void lower_wipe(struct lower *lower, const struct ast_stmt *ast, struct stmts *out)
{
    bool is_clear = ast->kind == AST_CLEAR;
    struct place *target = lower_target(lower, ast->target, is_clear ? "clear" : "undefine");
    if (target && (!is_clear || check_first_value(lower, target->type, "what is cleared", ast->target->span)))
        stmts_add(lower, out, is_clear ? STMT_CLEAR : STMT_UNDEFINE, ast->span)->place = target;
}

static void lower_while(struct lower *lower, const struct ast_stmt *ast, struct stmts *out)
{
    struct expr *condition = lower_condition(lower, ast->value, "the condition of a while");
    struct block body = lower_block(lower, &ast->body);
    if (!condition)
        return;
    struct stmt *stmt = stmts_add(lower, out, STMT_WHILE, ast->span);
    stmt->value = condition;
    stmt->body = body;
}

static void lower_alias_stmt(struct lower *lower, const struct ast_stmt *ast, struct stmts *out)
{
    scope_open(&lower->scope);
    lower_aliases(lower, &ast->aliases, out);
    lower_stmts(lower, &ast->body, out);
    scope_close(&lower->scope);
}

static void lower_call_stmt(struct lower *lower, const struct ast_stmt *ast, struct stmts *out)
{
    struct murphi_value value = lower_call(lower, ast->value, true);
    if (value.ok)
        stmts_add(lower, out, STMT_CALL, ast->span)->value = value.expr;
}

/* In CMurphi a scalarset, union or enum may be returned undefined; the result of a function of the IR is defined, or a
 * record. */
static void note_return(struct lower *lower, const struct murphi_value *value)
{
    bool is_number = value->type->kind == TYPE_RANGE || value->type->kind == TYPE_BOOL;
    if (lower->reading->manner.dialect == DIALECT_CMURPHI && value->place && !value_is_sure(value) && !is_number)
        lower->routine->may_be_undefined = true;
}

static void return_boxed(struct lower *lower, const struct murphi_value *value, struct span span, struct stmts *out)
{
    struct system *system = lower->system;
    const struct variable *result = lower->routine->function->result;
    struct variable *box = system_add_scratch(system, result->name, result->type, span);
    struct stmt *stmt = stmts_add(lower, out, STMT_ASSIGN, span);
    stmt->place = place_field(system, place_variable(system, box, span), &box->type->fields[0], span);
    stmt->value = value_copy(lower, value, span);
    stmts_add(lower, out, STMT_RETURN, span)->source = place_variable(system, box, span);
}

static void lower_return_value(struct lower *lower, const struct ast_stmt *ast, const struct type *wanted,
                               struct stmts *out)
{
    struct murphi_value value = lower_value(lower, ast->value);
    if (!value.ok)
        return;
    if (value.is_undefined || value.slot_of || !types_compatible(wanted, value.type)) {
        report_error(lower->diagnostics, ast->value->span, "cannot return %s from a function of type %s",
                     value.is_undefined ? "UNDEFINED" : type_text(lower, value.type), type_text(lower, wanted));
        return;
    }
    if (type_is_scalar(wanted))
        note_return(lower, &value);
    if (lower->routine->boxed) {
        return_boxed(lower, &value, ast->value->span, out);
        return;
    }
    struct stmt *stmt = stmts_add(lower, out, STMT_RETURN, ast->span);
    if (type_is_scalar(wanted))
        stmt->value = value_read(lower, &value, ast->value->span);
    else
        stmt->source = value.place;
}

static void lower_return(struct lower *lower, const struct ast_stmt *ast, struct stmts *out)
{
    const struct variable *result = lower->routine ? lower->routine->function->result : NULL;
    if (result && ast->value)
        lower_return_value(lower, ast, lower->routine->boxed ? lower->routine->boxed : result->type, out);
    else if (result)
        report_error(lower->diagnostics, ast->span, "the function \"%s\" must return a value",
                     lower->routine->function->name);
    else if (ast->value)
        report_error(lower->diagnostics, ast->value->span, "%s does not return a value",
                     lower->routine ? "a procedure" : "a rule");
    else
        stmts_add(lower, out, STMT_RETURN, ast->span);
}

static void lower_check(struct lower *lower, const struct ast_stmt *ast, struct stmts *out)
{
    static const struct {
        enum stmt_kind stmt;
        enum property_kind property;
        const char *what;
    } kinds[] = {
        [AST_ASSERT] = {STMT_ASSERT, PROPERTY_ASSERTION, "an assertion"},
        [AST_ASSUME] = {STMT_ASSUME, PROPERTY_ASSUMPTION, "an assumption"},
        [AST_COVER] = {STMT_COVER, PROPERTY_COVER, "a cover"},
    };
    struct expr *condition = lower_condition(lower, ast->value, kinds[ast->kind].what);
    if (!condition)
        return;
    struct stmt *stmt = stmts_add(lower, out, kinds[ast->kind].stmt, ast->span);
    stmt->value = condition;
    stmt->property = lower_add_property(lower, kinds[ast->kind].property, ast->message, NULL, ast->span);
}

static void lower_error(struct lower *lower, const struct ast_stmt *ast, struct stmts *out)
{
    stmts_add(lower, out, STMT_ERROR, ast->span)->property =
        lower_add_property(lower, PROPERTY_ERROR, ast->message, NULL, ast->span);
}

static void lower_put(struct lower *lower, const struct ast_stmt *ast, struct stmts *out)
{
    struct murphi_value value = {.ok = true};
    if (ast->value)
        value = lower_value(lower, ast->value);
    if (!value.ok)
        return;
    if (value.is_undefined || value.slot_of) {
        report_error(lower->diagnostics, ast->value->span, "this cannot be printed");
        return;
    }
    struct stmt *stmt = stmts_add(lower, out, STMT_PUT, ast->span);
    stmt->message = ast->message ? arena_string(lower->system->arena, ast->message) : NULL;
    stmt->source = value.place;
    stmt->value = value.place ? NULL : value.expr;
}

static struct place *lower_changed_multiset(struct lower *lower, const struct ast_expr *ast)
{
    struct murphi_value set = lower_multiset(lower, ast);
    return set.ok ? lower_target(lower, ast, "change") : NULL;
}

static void lower_add(struct lower *lower, const struct ast_stmt *ast, struct stmts *out)
{
    struct murphi_value value = lower_value(lower, ast->value);
    struct place *set = lower_changed_multiset(lower, ast->target);
    if (!set || !value.ok)
        return;
    if (value.is_undefined || value.slot_of || !types_compatible(set->type->element, value.type)) {
        report_error(lower->diagnostics, ast->value->span, "cannot add %s to a multiset of %s",
                     value.is_undefined ? "UNDEFINED" : type_text(lower, value.type),
                     type_text(lower, set->type->element));
        return;
    }
    keep_call_result(lower, &value, ast->target);
    struct stmt *stmt = stmts_add(lower, out, STMT_MULTISET_ADD, ast->span);
    stmt->place = set;
    if (type_is_scalar(value.type))
        stmt->value = value_copy(lower, &value, ast->value->span);
    else
        stmt->source = value.place;
}

static void lower_remove(struct lower *lower, const struct ast_stmt *ast, struct stmts *out)
{
    struct murphi_value slot = lower_value(lower, ast->value);
    struct place *set = lower_changed_multiset(lower, ast->target);
    if (!set || !slot.ok)
        return;
    if (slot.slot_of != set->type) {
        if (report_error(lower->diagnostics, ast->value->span, "multisetremove needs a slot of that multiset"))
            diag_hint(lower->diagnostics, "take it from choose, or use multisetremovepred(i: m, condition)");
        return;
    }
    struct stmt *stmt = stmts_add(lower, out, STMT_MULTISET_REMOVE, ast->span);
    stmt->place = set;
    stmt->value = value_read(lower, &slot, ast->value->span);
}

static void lower_remove_if(struct lower *lower, const struct ast_stmt *ast, struct stmts *out)
{
    struct place *set = lower_changed_multiset(lower, ast->target);
    if (!set)
        return;
    scope_open(&lower->scope);
    const struct variable *slot = declare_slot(lower, ast->name, set->type);
    struct expr *predicate = lower_condition(lower, ast->value, "the condition of multisetremovepred");
    scope_close(&lower->scope);
    if (!slot || !predicate)
        return;
    struct stmt *stmt = stmts_add(lower, out, STMT_MULTISET_REMOVE_IF, ast->span);
    stmt->place = set;
    stmt->variable = slot;
    stmt->value = predicate;
}

static void lower_stmt(struct lower *lower, const struct ast_stmt *ast, struct stmts *out)
{
    lower->cost++;
    switch (ast->kind) {
    case AST_ASSIGN:
        lower_assign(lower, ast, out);
        return;
    case AST_IF:
        lower_if(lower, ast, out);
        return;
    case AST_SWITCH:
        lower_switch(lower, ast, out);
        return;
    case AST_FOR:
        lower_for(lower, ast, out);
        return;
    case AST_WHILE:
        lower_while(lower, ast, out);
        return;
    case AST_ALIAS:
        lower_alias_stmt(lower, ast, out);
        return;
    case AST_CALL_STMT:
        lower_call_stmt(lower, ast, out);
        return;
    case AST_CLEAR:
    case AST_UNDEFINE:
        lower_wipe(lower, ast, out);
        return;
    case AST_RETURN:
        lower_return(lower, ast, out);
        return;
    case AST_ERROR:
        lower_error(lower, ast, out);
        return;
    case AST_ASSERT:
    case AST_ASSUME:
    case AST_COVER:
        lower_check(lower, ast, out);
        return;
    case AST_PUT:
        lower_put(lower, ast, out);
        return;
    case AST_ADD:
        lower_add(lower, ast, out);
        return;
    case AST_REMOVE:
        lower_remove(lower, ast, out);
        return;
    case AST_REMOVE_IF:
        lower_remove_if(lower, ast, out);
        return;
    }
    UNREACHABLE("statement syntax");
}
