/* Statements and calls of a portrait. */
#include "portrait/portrait.h"

enum { PORTRAIT_MOST_ROUNDS = 4096 };

/* What goes on after a statement under which some paths may have ended. */
static void stmt_resume(struct portrait *portrait, uint32_t path)
{
    struct pterms *terms = portrait->terms;
    portrait->path = pterm_and(terms, path, pterm_not(terms, pterm_or(terms, portrait->returned, portrait->dead)));
}

/* A value with the number of a process in it goes into the state: as a name, or as data. */
static void stmt_note_store(struct portrait *portrait, const struct portrait_spots *spots, uint32_t offset,
                            const void *node, struct span span, struct pvalue value)
{
    int64_t number;
    uint32_t address = spots->count ? spots->items[0].address + offset : UINT32_MAX;
    if (address >= portrait->system->state_cells || !pvalue_number(portrait, value, &number) || number == UNDEFINED)
        return;
    if (portrait->roster->role[address] == ROLE_REFERENCE)
        portrait_note_name(portrait, node, span, portrait->roster->layout->cells[address].type, number);
    else if (value.is_tainted)
        portrait_note(portrait, node, span, true, EVENT_DATA, number);
}

static bool stmt_assign(struct portrait *portrait, const struct stmt *stmt)
{
    struct portrait_spots spots = {0};
    struct pvalue value;
    int64_t number;
    bool goes_on = portrait_expr(portrait, stmt->value, &value) && portrait_place(portrait, stmt->place, &spots);
    bool is_copied = stmt->value->kind == EXPR_CONST || stmt->value->raw; /* the undefined value, too */
    if (goes_on && pvalue_number(portrait, value, &number) && !(number == UNDEFINED && is_copied) &&
        !type_has(stmt->place->type, number))
        portrait_fault(portrait, SYSTEM_RUNTIME, PTERM_TRUE);
    if (goes_on) {
        stmt_note_store(portrait, &spots, 0, stmt->value, stmt->value->span, value);
        portrait_store(portrait, &spots, 0, value, stmt->place->type->kind == TYPE_BOOL);
    }
    VEC_FREE(&spots);
    return goes_on;
}

static bool stmt_copy(struct portrait *portrait, const struct place *from, struct portrait_spots *to, uint32_t cells)
{
    struct portrait_spots spots = {0};
    struct pvalue *values = memory_alloc((cells + 1) * sizeof *values);
    bool goes_on = portrait_place(portrait, from, &spots);
    for (uint32_t c = 0; goes_on && c < cells; c++)
        portrait_read(portrait, &spots, c, &values[c]);
    for (uint32_t c = 0; goes_on && c < cells; c++)
        portrait_store(portrait, to, c, values[c], false);
    VEC_FREE(&spots);
    free(values);
    return goes_on;
}

/* The first code of the type of each cell, or nothing. */
static void stmt_fill(struct portrait *portrait, const struct stmt *stmt, const struct type *type,
                      const struct portrait_spots *spots, uint32_t offset)
{
    bool clears = stmt->kind == STMT_CLEAR;
    if (type->kind == TYPE_ARRAY) {
        for (uint32_t i = 0; i < type->index->size; i++)
            stmt_fill(portrait, stmt, type->element, spots, offset + i * type->element->cells);
    } else if (type->kind == TYPE_RECORD) {
        for (uint32_t f = 0; f < type->field_count; f++)
            stmt_fill(portrait, stmt, type->fields[f].type, spots, offset + type->fields[f].offset);
    } else {
        struct pvalue value = pvalue_known(portrait, clears ? type_code(type, 0) : UNDEFINED, false);
        stmt_note_store(portrait, spots, offset, stmt, stmt->span, value);
        portrait_store(portrait, spots, offset, value, type->kind == TYPE_BOOL);
    }
}

static bool stmt_clear(struct portrait *portrait, const struct stmt *stmt)
{
    struct portrait_spots spots = {0};
    bool goes_on = portrait_place(portrait, stmt->place, &spots);
    if (goes_on)
        stmt_fill(portrait, stmt, stmt->place->type, &spots, 0);
    VEC_FREE(&spots);
    return goes_on;
}

static bool stmt_bind(struct portrait *portrait, const struct variable *reference, const struct place *place)
{
    struct portrait_spots spots = {0};
    bool goes_on = portrait_place(portrait, place, &spots);
    if (goes_on && spots.count != 1)
        goes_on = portrait_fail(portrait, "an alias depends on the state", place->span);
    if (goes_on)
        portrait_set(portrait, reference->address, pvalue_known(portrait, spots.items[0].address, false));
    VEC_FREE(&spots);
    return goes_on;
}

static bool stmt_if(struct portrait *portrait, const struct stmt *stmt)
{
    struct pvalue condition;
    if (!portrait_expr(portrait, stmt->value, &condition))
        return false;
    if (condition.term == PTERM_TRUE || condition.term == PTERM_FALSE)
        return portrait_block(portrait, condition.term == PTERM_TRUE ? &stmt->body : &stmt->otherwise);
    uint32_t before = portrait->path, returned = portrait->returned, dead = portrait->dead;
    portrait->path = pterm_and(portrait->terms, before, condition.term);
    if (!portrait_block(portrait, &stmt->body))
        return false;
    portrait->path = pterm_and(portrait->terms, before, pterm_not(portrait->terms, condition.term));
    if (!portrait_block(portrait, &stmt->otherwise))
        return false;
    portrait->path = before;
    if (portrait->returned != returned || portrait->dead != dead)
        stmt_resume(portrait, before);
    return true;
}

static bool stmt_round(struct portrait *portrait, void *user)
{
    const struct stmt *stmt = user;
    return portrait_block(portrait, &stmt->body) && portrait->path != PTERM_FALSE;
}

static bool stmt_while(struct portrait *portrait, const struct stmt *stmt)
{
    for (uint32_t round = 0; round < PORTRAIT_MOST_ROUNDS && portrait->path != PTERM_FALSE; round++) {
        struct pvalue condition;
        if (!portrait_expr(portrait, stmt->value, &condition))
            return false;
        if (condition.term == PTERM_FALSE)
            return true;
        if (condition.term != PTERM_TRUE)
            return portrait_fail(portrait, "how long a loop runs depends on the state", stmt->span);
        if (!portrait_block(portrait, &stmt->body))
            return false;
    }
    return portrait->path == PTERM_FALSE || portrait_fail(portrait, "it does too much", stmt->span);
}

static bool stmt_return(struct portrait *portrait, const struct stmt *stmt)
{
    const struct variable *result = portrait->function ? portrait->function->result : NULL;
    struct pvalue value;
    if (stmt->value) {
        struct portrait_spots spots = {0};
        struct portrait_spot spot = {PTERM_TRUE, result->address};
        if (!portrait_expr(portrait, stmt->value, &value))
            return false;
        VEC_PUSH(&spots, spot);
        portrait_store(portrait, &spots, 0, value, result->type->kind == TYPE_BOOL);
        VEC_FREE(&spots);
    } else if (stmt->source) {
        struct portrait_spots spots = {0};
        struct portrait_spot spot = {PTERM_TRUE, result->address};
        VEC_PUSH(&spots, spot);
        bool goes_on = stmt_copy(portrait, stmt->source, &spots, result->type->cells);
        VEC_FREE(&spots);
        if (!goes_on)
            return false;
    }
    portrait->returned = pterm_or(portrait->terms, portrait->returned, portrait->path);
    portrait->path = PTERM_FALSE;
    return true;
}

/* Assertions, assumptions, goals, requirements. */
static bool stmt_claim(struct portrait *portrait, const struct stmt *stmt)
{
    struct pterms *terms = portrait->terms;
    struct pvalue value = {PTERM_FALSE, false};
    if (stmt->value && !portrait_expr(portrait, stmt->value, &value))
        return false;
    uint32_t fails = pterm_not(terms, value.term), path = portrait->path, dead = portrait->dead;
    switch (stmt->kind) {
    case STMT_REQUIRE:
        portrait->guard = pterm_and(terms, portrait->guard, value.term);
        break;
    case STMT_ASSUME:
        fails = pterm_and(terms, path, fails);
        portrait->discarded = pterm_or(terms, portrait->discarded, fails);
        portrait->dead = pterm_or(terms, portrait->dead, fails);
        portrait->path = pterm_and(terms, path, value.term);
        break;
    case STMT_COVER: /* noted like a fault, but the step goes on */
        portrait_fault(portrait, stmt->property->id, value.term);
        portrait->path = path;
        portrait->dead = dead;
        break;
    default:
        portrait_fault(portrait, stmt->property->id, fails);
    }
    return true;
}

static bool stmt_run(struct portrait *portrait, const struct stmt *stmt)
{
    struct portrait_spots spots = {0};
    bool goes_on;
    switch (stmt->kind) {
    case STMT_ASSIGN:
        return stmt_assign(portrait, stmt);
    case STMT_COPY:
        goes_on = portrait_place(portrait, stmt->place, &spots) &&
                  stmt_copy(portrait, stmt->source, &spots, stmt->place->type->cells);
        VEC_FREE(&spots);
        return goes_on;
    case STMT_IF:
        return stmt_if(portrait, stmt);
    case STMT_FOR:
        return portrait_each(portrait, &stmt->domain, stmt->variable, stmt->span, stmt_round, (void *)stmt);
    case STMT_WHILE:
        return stmt_while(portrait, stmt);
    case STMT_CALL:
        return portrait_call(portrait, stmt->value);
    case STMT_RETURN:
        return stmt_return(portrait, stmt);
    case STMT_ASSERT:
    case STMT_ERROR:
    case STMT_ASSUME:
    case STMT_COVER:
    case STMT_REQUIRE:
        return stmt_claim(portrait, stmt);
    case STMT_PUT:
        return true;
    case STMT_CLEAR:
    case STMT_UNDEFINE:
        return stmt_clear(portrait, stmt);
    case STMT_BIND:
        return stmt_bind(portrait, stmt->variable, stmt->place);
    case STMT_MULTISET_ADD:
    case STMT_MULTISET_REMOVE:
    case STMT_MULTISET_REMOVE_IF:
        return portrait_fail(portrait, "multisets are not analysed", stmt->span);
    default:
        return portrait_fail(portrait, "this statement is not analysed", stmt->span);
    }
}

bool portrait_block(struct portrait *portrait, const struct block *block)
{
    for (uint32_t i = 0; i < block->count && portrait->path != PTERM_FALSE; i++)
        if (!portrait_step(portrait, block->items[i]->span) || !stmt_run(portrait, block->items[i]))
            return false;
    return true;
}

/* A reference is an address, also one to a record without fields. */
static uint32_t parameter_cells(const struct variable *parameter)
{
    return parameter->is_reference ? 1 : parameter->type->cells;
}

/* Arguments first, then the parameters: one may be computed with the function itself. */
static bool call_bind(struct portrait *portrait, const struct expr *call)
{
    const struct function *function = call->function;
    struct pterm_list values = {0}; /* (term, taint)... */
    bool goes_on = true;
    for (uint32_t p = 0; goes_on && p < function->parameter_count; p++) {
        const struct argument *argument = &call->arguments[p];
        struct pvalue value = {0};
        struct portrait_spots spots = {0};
        if (argument->value) {
            goes_on = portrait_expr(portrait, argument->value, &value);
            VEC_PUSH(&values, value.term);
            VEC_PUSH(&values, value.is_tainted);
            continue;
        }
        goes_on = portrait_place(portrait, argument->place, &spots);
        if (goes_on && function->parameters[p]->is_reference && spots.count != 1)
            goes_on = portrait_fail(portrait, "an argument depends on the state", argument->place->span);
        for (uint32_t c = 0; goes_on && c < parameter_cells(function->parameters[p]); c++) {
            if (function->parameters[p]->is_reference)
                value = pvalue_known(portrait, spots.items[0].address, false);
            else
                portrait_read(portrait, &spots, c, &value);
            VEC_PUSH(&values, value.term);
            VEC_PUSH(&values, value.is_tainted);
        }
        VEC_FREE(&spots);
    }
    size_t at = 0;
    for (uint32_t p = 0; goes_on && p < function->parameter_count; p++) {
        const struct variable *parameter = function->parameters[p];
        for (uint32_t c = 0; c < parameter_cells(parameter); c++, at += 2)
            portrait_set(portrait, parameter->address + c,
                         (struct pvalue){values.items[at], values.items[at + 1] != 0});
    }
    VEC_FREE(&values);
    return goes_on;
}

bool portrait_call(struct portrait *portrait, const struct expr *call)
{
    const struct function *caller = portrait->function, *function = call->function;
    if (!call_bind(portrait, call))
        return false;
    uint32_t before = portrait->path, returned = portrait->returned, dead = portrait->dead;
    for (uint32_t c = 0; function->result && c < function->result->type->cells; c++)
        portrait_set(portrait, function->result->address + c, pvalue_known(portrait, UNDEFINED, false));
    portrait->function = function;
    portrait->returned = PTERM_FALSE;
    bool goes_on = portrait_block(portrait, &function->body);
    portrait->function = caller;
    portrait->returned = returned;
    portrait->path = before;
    if (portrait->dead != dead)
        stmt_resume(portrait, before);
    return goes_on;
}
