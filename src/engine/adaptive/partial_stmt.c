/* Statements and calls under partial evaluation. In step with exec/evaluate_stmt.c. */
#include <string.h>

#include "engine/adaptive/partial.h"

enum { TAG_FITS = 1 << 18, TAG_FITS_RAW };

static int64_t entry_fits(int64_t user, const int64_t *entries)
{
    const struct type *type = (const struct type *)(uintptr_t)user;
    return entries[0] != UNARY_FAULT && type_has(type, entries[0]);
}

static int64_t entry_fits_raw(int64_t user, const int64_t *entries)
{
    return entries[0] == UNDEFINED || entry_fits(user, entries);
}

/* May the value be stored in a cell of the type? `may_be_undefined`: a raw value that is copied. */
static enum go partial_check(struct partial *partial, const struct type *type, struct adaptive_value value,
                             bool may_be_undefined, struct span span)
{
    struct adaptive_value fits;
    if (value.sort == SORT_KNOWN) {
        if ((may_be_undefined && value.number == UNDEFINED) || type_has(type, value.number))
            return GO_OK;
        enum go go = partial_fault(partial, FAULT_RANGE, span);
        partial->fault.value = value.number;
        partial->fault.type = type;
        return go;
    }
    if (value.sort == SORT_FORMULA)
        return type_has(type, 0) && type_has(type, 1) ? GO_OK : GO_UNCLEAR;
    enum go go = partial_apply(partial, may_be_undefined ? entry_fits_raw : entry_fits,
                               may_be_undefined ? TAG_FITS_RAW : TAG_FITS, (int64_t)(uintptr_t)type, &value, 1, &fits);
    return go == GO_OK && (fits.sort != SORT_KNOWN || !fits.number) ? GO_UNCLEAR : go;
}

static enum go partial_check_storable(struct partial *partial, const struct expr *expr, const struct type *type,
                                      struct adaptive_value value)
{
    bool may_be_undefined = expr->kind == EXPR_CONST || (expr->kind == EXPR_READ && expr->raw);
    return partial_check(partial, type, value, may_be_undefined, expr->span);
}

enum go partial_set_variable(struct partial *partial, const struct variable *variable, struct adaptive_value value,
                             struct span span)
{
    enum go go = partial_check(partial, variable->type, value, false, span);
    if (go == GO_OK)
        partial_set(partial, variable->address, value);
    return go;
}

/* The cells of an aggregate, appended to `taken`. */
struct taken {
    struct adaptive_value *items;
    size_t count, capacity;
};

static enum go partial_take(struct partial *partial, const struct place *place, struct taken *taken)
{
    uint32_t address;
    enum go go = partial_place(partial, place, &address);
    for (uint32_t c = 0; go == GO_OK && c < place->type->cells; c++) {
        struct adaptive_value value;
        go = partial_raw(partial, address + c, &value);
        if (go == GO_OK)
            VEC_PUSH(taken, value);
    }
    return go;
}

static enum go partial_argument(struct partial *partial, const struct variable *parameter,
                                const struct argument *argument, struct taken *taken)
{
    struct adaptive_value value;
    uint32_t address;
    enum go go;
    if (parameter->is_reference) {
        go = partial_place(partial, argument->place, &address);
        value = value_known(address);
    } else if (!type_is_scalar(parameter->type)) {
        return partial_take(partial, argument->place, taken);
    } else {
        go = partial_expr(partial, argument->value, &value);
        if (go == GO_OK)
            go = partial_check_storable(partial, argument->value, parameter->type, value);
    }
    if (go == GO_OK)
        VEC_PUSH(taken, value);
    return go;
}

static enum go partial_pass(struct partial *partial, const struct expr *call)
{
    const struct function *function = call->function;
    struct taken taken = {0};
    size_t at = 0;
    enum go go = GO_OK;
    for (uint32_t p = 0; go == GO_OK && p < function->parameter_count; p++)
        go = partial_argument(partial, function->parameters[p], &call->arguments[p], &taken);
    for (uint32_t p = 0; go == GO_OK && p < function->parameter_count; p++) {
        const struct variable *parameter = function->parameters[p];
        uint32_t cells = parameter->is_reference ? 1 : parameter->type->cells;
        for (uint32_t c = 0; c < cells; c++)
            partial_set(partial, parameter->address + c, taken.items[at++]);
    }
    VEC_FREE(&taken);
    return go;
}

enum go partial_call(struct partial *partial, const struct expr *call)
{
    enum go go = partial_pass(partial, call);
    if (go != GO_OK)
        return go;
    const struct function *caller = partial->function;
    partial->function = call->function;
    go = partial_block(partial, &call->function->body);
    partial->function = caller;
    if (go == GO_OK && call->function->result)
        return partial_fault(partial, FAULT_NO_RETURN, call->function->span);
    return go == GO_RETURNED ? GO_OK : go;
}

static enum go partial_assign(struct partial *partial, const struct stmt *stmt)
{
    struct adaptive_value value;
    uint32_t address;
    enum go go = partial_expr(partial, stmt->value, &value);
    if (go == GO_OK)
        go = partial_place(partial, stmt->place, &address);
    if (go == GO_OK)
        go = partial_check_storable(partial, stmt->value, stmt->place->type, value);
    if (go == GO_OK)
        partial_set(partial, address, value);
    return go;
}

static enum go partial_copy(struct partial *partial, const struct stmt *stmt)
{
    struct taken taken = {0};
    uint32_t address;
    enum go go = partial_take(partial, stmt->source, &taken);
    if (go == GO_OK)
        go = partial_place(partial, stmt->place, &address);
    for (uint32_t c = 0; go == GO_OK && c < stmt->place->type->cells; c++)
        partial_set(partial, address + c, taken.items[c]);
    VEC_FREE(&taken);
    return go;
}

/* A cell written in one branch or the other. */
struct written {
    uint32_t cell;
    struct adaptive_value old, yes, no;
    bool is_lost; /* the two cannot be made one value */
};
struct written_list {
    struct written *items;
    size_t count, capacity;
};

static struct written *partial_note(struct partial *partial, struct written_list *list, uint32_t cell)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].cell == cell)
            return &list->items[i];
    struct written made = {.cell = cell};
    if (partial_raw(partial, cell, &made.old) != GO_OK)
        return NULL;
    made.yes = made.no = made.old;
    VEC_PUSH(list, made);
    return &VEC_LAST(list);
}

/* Runs one branch, notes what it wrote, and undoes it. */
static enum go partial_try(struct partial *partial, const struct block *block, bool is_yes, struct written_list *list)
{
    size_t mark = partial->log.count;
    struct taken news = {0};
    VEC(uint32_t) cells = {0};
    enum go go = partial_block(partial, block);
    for (size_t i = mark; i < partial->log.count; i++) {
        struct adaptive_value value = {0};
        if (partial_raw(partial, partial->log.items[i].cell, &value) != GO_OK)
            go = GO_UNCLEAR;
        VEC_PUSH(&cells, partial->log.items[i].cell);
        VEC_PUSH(&news, value);
    }
    partial_undo(partial, mark);
    for (size_t i = 0; i < cells.count; i++) {
        struct written *written = partial_note(partial, list, cells.items[i]);
        if (!written)
            go = GO_UNCLEAR;
        else if (is_yes)
            written->yes = news.items[i];
        else
            written->no = news.items[i];
    }
    VEC_FREE(&news);
    VEC_FREE(&cells);
    return go;
}

static enum go partial_merge(struct partial *partial, const struct stmt *stmt, struct adaptive_value condition)
{
    struct written_list list = {0};
    bool may_fork = partial->may_fork;
    partial->may_fork = false;
    enum go yes = partial_try(partial, &stmt->body, true, &list);
    enum go no = yes <= GO_RETURNED ? partial_try(partial, &stmt->otherwise, false, &list) : yes;
    partial->may_fork = may_fork;
    enum go go = yes == no && yes <= GO_RETURNED ? GO_OK : GO_FORK;
    for (size_t i = 0; go == GO_OK && i < list.count; i++) {
        struct written *written = &list.items[i];
        bool is_scratch = written->cell >= partial->system->state_cells;
        enum go chosen = partial_choose(partial, condition, written->yes, written->no, &written->old);
        /* Most of what is left in scratch cells is never read again. */
        written->is_lost = chosen != GO_OK && is_scratch;
        go = written->is_lost ? GO_OK : chosen;
    }
    for (size_t i = 0; go == GO_OK && i < list.count; i++) {
        partial_set(partial, list.items[i].cell, list.items[i].is_lost ? value_known(0) : list.items[i].old);
        if (list.items[i].is_lost)
            partial->marks[list.items[i].cell] = MARK_BARRED;
    }
    VEC_FREE(&list);
    return go == GO_OK ? yes : GO_FORK;
}

static enum go partial_if(struct partial *partial, const struct stmt *stmt)
{
    struct adaptive_value condition;
    bool outcome;
    enum go go = partial_expr(partial, stmt->value, &condition);
    if (go != GO_OK)
        return go;
    if (condition.sort != SORT_KNOWN) {
        uint32_t formula;
        if (partial_formula(partial, condition, &formula) != GO_OK)
            return GO_UNCLEAR;
        go = partial_merge(partial, stmt, condition);
        if (go <= GO_RETURNED)
            return go;
    }
    go = partial_decide(partial, condition, &outcome);
    return go == GO_OK ? partial_block(partial, outcome ? &stmt->body : &stmt->otherwise) : go;
}

static enum go partial_for(struct partial *partial, const struct stmt *stmt)
{
    struct iteration iteration;
    enum go go = partial_iteration(partial, &stmt->domain, stmt->span, &iteration);
    int64_t value;
    while (go == GO_OK && iteration_next(&iteration, &value)) {
        go = partial_set_variable(partial, stmt->variable, value_known(value), stmt->span);
        if (go == GO_OK)
            go = partial_block(partial, &stmt->body);
    }
    return go;
}

static enum go partial_while(struct partial *partial, const struct stmt *stmt)
{
    for (uint64_t done = 0;; done++) {
        struct adaptive_value condition;
        bool outcome;
        enum go go = partial_expr(partial, stmt->value, &condition);
        if (go == GO_OK)
            go = partial_decide(partial, condition, &outcome);
        if (go != GO_OK || !outcome)
            return go;
        if (done == partial->system->loop_limit)
            return partial_fault(partial, FAULT_LOOP_LIMIT, stmt->span);
        go = partial_block(partial, &stmt->body);
        if (go != GO_OK)
            return go;
    }
}

static enum go partial_return(struct partial *partial, const struct stmt *stmt)
{
    const struct variable *result = partial->function ? partial->function->result : NULL;
    struct adaptive_value value;
    enum go go = GO_OK;
    if (stmt->source) {
        struct taken taken = {0};
        go = partial_take(partial, stmt->source, &taken);
        for (uint32_t c = 0; go == GO_OK && c < taken.count; c++)
            partial_set(partial, result->address + c, taken.items[c]);
        VEC_FREE(&taken);
    } else if (stmt->value) {
        go = partial_expr(partial, stmt->value, &value);
        if (go == GO_OK)
            go = partial_set_variable(partial, result, value, stmt->value->span);
    }
    return go == GO_OK ? GO_RETURNED : go;
}

/* ASSERT, ASSUME, REQUIRE */
static enum go partial_condition(struct partial *partial, const struct stmt *stmt)
{
    struct adaptive_value condition;
    bool outcome;
    enum go go = partial_expr(partial, stmt->value, &condition);
    if (go == GO_OK)
        go = partial_decide(partial, condition, &outcome);
    if (go != GO_OK || outcome)
        return go;
    if (stmt->kind == STMT_ASSUME)
        return GO_DISCARDED;
    if (stmt->kind == STMT_REQUIRE)
        return GO_DISABLED;
    partial_fault(partial, FAULT_ASSERTION, stmt->span);
    partial->fault.property = stmt->property;
    return GO_FAULT;
}

static enum go partial_put(struct partial *partial, const struct stmt *stmt)
{
    struct adaptive_value value;
    uint32_t address;
    if (stmt->value)
        return partial_expr(partial, stmt->value, &value);
    return stmt->source ? partial_place(partial, stmt->source, &address) : GO_OK;
}

static void partial_fill(struct partial *partial, const struct type *type, uint32_t cell, bool is_cleared)
{
    if (type->kind == TYPE_ARRAY)
        for (uint32_t i = 0; i < type->index->size; i++)
            partial_fill(partial, type->element, cell + i * type->element->cells, is_cleared);
    else if (type->kind == TYPE_RECORD)
        for (uint32_t f = 0; f < type->field_count; f++)
            partial_fill(partial, type->fields[f].type, cell + type->fields[f].offset, is_cleared);
    else
        partial_set(partial, cell, value_known(is_cleared ? type_code(type, 0) : UNDEFINED));
}

static enum go partial_reset(struct partial *partial, const struct stmt *stmt)
{
    uint32_t address;
    enum go go = partial_place(partial, stmt->place, &address);
    if (go == GO_OK)
        partial_fill(partial, stmt->place->type, address, stmt->kind == STMT_CLEAR);
    return go;
}

static enum go partial_bind(struct partial *partial, const struct stmt *stmt)
{
    uint32_t address;
    enum go go = partial_place(partial, stmt->place, &address);
    if (go == GO_OK)
        partial_set(partial, stmt->variable->address, value_known(address));
    return go;
}

static enum go partial_error(struct partial *partial, const struct stmt *stmt)
{
    partial_fault(partial, FAULT_ERROR, stmt->span);
    partial->fault.property = stmt->property;
    return GO_FAULT;
}

static enum go partial_stmt(struct partial *partial, const struct stmt *stmt)
{
    switch (stmt->kind) {
    case STMT_ASSIGN:
        return partial_assign(partial, stmt);
    case STMT_COPY:
        return partial_copy(partial, stmt);
    case STMT_IF:
        return partial_if(partial, stmt);
    case STMT_FOR:
        return partial_for(partial, stmt);
    case STMT_WHILE:
        return partial_while(partial, stmt);
    case STMT_CALL:
        return partial_call(partial, stmt->value);
    case STMT_RETURN:
        return partial_return(partial, stmt);
    case STMT_ASSERT:
    case STMT_ASSUME:
    case STMT_REQUIRE:
        return partial_condition(partial, stmt);
    case STMT_ERROR:
        return partial_error(partial, stmt);
    case STMT_PUT:
        return partial_put(partial, stmt);
    case STMT_CLEAR:
    case STMT_UNDEFINE:
        return partial_reset(partial, stmt);
    case STMT_BIND:
        return partial_bind(partial, stmt);
    default:
        return GO_UNCLEAR;
    }
}

enum go partial_block(struct partial *partial, const struct block *block)
{
    enum go go = GO_OK;
    for (uint32_t s = 0; go == GO_OK && s < block->count; s++)
        go = partial_stmt(partial, block->items[s]);
    return go;
}
