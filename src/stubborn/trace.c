#include "stubborn/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

bool trace_works(struct tracer *tracer)
{
    if (++tracer->stubborn->work > STUBBORN_WORK)
        tracer->is_too_much = true;
    return !tracer->is_too_much;
}

/* --- expressions --- */

static void trace_domain(struct tracer *tracer, const struct domain *domain)
{
    if (domain->from)
        trace_value(tracer, domain->from);
    if (domain->to)
        trace_value(tracer, domain->to);
    if (domain->by)
        trace_value(tracer, domain->by);
}

static void trace_block(struct tracer *tracer, const struct block *block);

void trace_call(struct tracer *tracer, const struct expr *call)
{
    const struct function *function = call->function;
    VEC(struct trace_binding) bound = {0};
    tracer->calls++;
    for (uint32_t p = 0; p < function->parameter_count; p++) {
        const struct argument *argument = &call->arguments[p];
        if (argument->value)
            trace_value(tracer, argument->value);
        if (argument->place && !function->parameters[p]->is_reference)
            trace_read(tracer, argument->place);
        if (argument->place && function->parameters[p]->is_reference) {
            struct trace_binding binding = {function->parameters[p], trace_region(tracer, argument->place)};
            VEC_PUSH(&bound, binding);
        }
    }
    for (size_t i = 0; i < bound.count; i++)
        VEC_PUSH(&tracer->bindings, bound.items[i]);
    VEC_FREE(&bound);
    bool was_sure = tracer->is_sure;
    tracer->is_sure = false;
    tracer->repeated++;
    trace_block(tracer, &function->body);
    tracer->repeated--;
    tracer->is_sure = was_sure;
}

void trace_value(struct tracer *tracer, const struct expr *expr)
{
    if (!trace_works(tracer))
        return;
    if (expr->kind == EXPR_CALL) {
        trace_call(tracer, expr);
        return;
    }
    if (expr->kind == EXPR_QUANTIFIER)
        trace_domain(tracer, &expr->domain);
    if (expr->place)
        trace_read(tracer, expr->place);
    if (expr->other)
        trace_read(tracer, expr->other);
    if (expr->condition)
        trace_value(tracer, expr->condition);
    if (expr->left)
        trace_value(tracer, expr->left);
    if (expr->right)
        trace_value(tracer, expr->right);
}

/* --- statements --- */

static void trace_unsure(struct tracer *tracer, const struct block *block, bool is_repeated)
{
    bool was_sure = tracer->is_sure;
    tracer->is_sure = false;
    tracer->repeated += is_repeated;
    trace_block(tracer, block);
    tracer->repeated -= is_repeated;
    tracer->is_sure = was_sure;
}

static void trace_if(struct tracer *tracer, const struct stmt *stmt)
{
    struct peval_value truth = peval_evaluate(&tracer->stubborn->peval, stmt->value);
    trace_value(tracer, stmt->value);
    if (truth.kind != PEVAL_KNOWN || truth.value)
        trace_unsure(tracer, &stmt->body, false);
    if (truth.kind != PEVAL_KNOWN || !truth.value)
        trace_unsure(tracer, &stmt->otherwise, false);
}

/* The multiset is changed: it is read, and what becomes of its slots depends on it. */
static void trace_multiset(struct tracer *tracer, const struct stmt *stmt)
{
    trace_read(tracer, stmt->place);
    trace_write(tracer, stmt->place);
    if (stmt->value)
        trace_value(tracer, stmt->value);
    if (stmt->source)
        trace_read(tracer, stmt->source);
}

static void trace_stmt(struct tracer *tracer, const struct stmt *stmt)
{
    if (!trace_works(tracer))
        return;
    switch (stmt->kind) {
    case STMT_ASSIGN:
        trace_store(tracer, stmt->place, stmt->value);
        break;
    case STMT_COPY:
        trace_read(tracer, stmt->source);
        trace_write(tracer, stmt->place);
        break;
    case STMT_IF:
        trace_if(tracer, stmt);
        break;
    case STMT_FOR:
        trace_domain(tracer, &stmt->domain);
        trace_unsure(tracer, &stmt->body, true);
        break;
    case STMT_WHILE:
        trace_value(tracer, stmt->value);
        trace_unsure(tracer, &stmt->body, true);
        break;
    case STMT_CLEAR:
    case STMT_UNDEFINE:
        trace_write(tracer, stmt->place);
        break;
    case STMT_BIND:
        trace_bind(tracer, stmt->variable, trace_region(tracer, stmt->place));
        break;
    case STMT_MULTISET_ADD:
    case STMT_MULTISET_REMOVE:
    case STMT_MULTISET_REMOVE_IF:
        trace_multiset(tracer, stmt);
        break;
    default: /* a kind that is not known here may do anything with its parts */
        if (stmt->value)
            trace_value(tracer, stmt->value);
        if (stmt->source)
            trace_read(tracer, stmt->source);
        if (stmt->place) {
            trace_read(tracer, stmt->place);
            trace_write(tracer, stmt->place);
        }
        trace_unsure(tracer, &stmt->body, true);
        trace_unsure(tracer, &stmt->otherwise, true);
        if (stmt->kind == STMT_RETURN)
            tracer->is_sure = false;
        break;
    }
}

static void trace_block(struct tracer *tracer, const struct block *block)
{
    for (uint32_t i = 0; i < block->count && !tracer->is_too_much; i++)
        trace_stmt(tracer, block->items[i]);
}

/* A return inside a branch: nothing behind it is sure. */
static bool has_return(const struct block *block)
{
    for (uint32_t i = 0; i < block->count; i++)
        if (block->items[i]->kind == STMT_RETURN || has_return(&block->items[i]->body) ||
            has_return(&block->items[i]->otherwise))
            return true;
    return false;
}

/* A statement that sends or receives: beside the queue it reads what it stores. */
static void trace_queue_stmt(struct tracer *tracer, const struct stmt *stmt, bool is_last)
{
    if (stmt->kind == STMT_ASSIGN && !is_last)
        trace_value(tracer, stmt->value);
    if (!is_last)
        return;
    trace_queue(tracer);
    tracer->is_before = false;
}

/* Is everything that the statement reads read before it writes? */
static bool stmt_writes_last(const struct stmt *stmt)
{
    return stmt->kind == STMT_ASSIGN || stmt->kind == STMT_COPY || stmt->kind == STMT_CLEAR ||
           stmt->kind == STMT_UNDEFINE;
}

/* Behind a part of the rule: is what a variant goes by still as it was? (`is_clear`: where the part has changed it, it
 * did so at its end.) */
static void trace_variant(struct tracer *tracer, bool is_clear)
{
    struct stubborn *stubborn = tracer->stubborn;
    struct unit *unit = tracer->unit;
    uint32_t cell = unit->varied_by;
    if (cell == UINT32_MAX || !stubborn->is_constant[cell] || !unit_writes(unit, cell))
        return;
    unit->is_loose |= !is_clear;
    stubborn->is_constant[cell] = false;
}

static void trace_body(struct tracer *tracer, const struct block *body)
{
    tracer->is_sure = !has_return(body);
    for (uint32_t i = 0; i < body->count && !tracer->is_too_much; i++) {
        const struct queue_use *queue = tracer->queue;
        bool is_queue = queue && i >= queue->first && i < queue->end;
        uint32_t calls = tracer->calls;
        if (is_queue)
            trace_queue_stmt(tracer, body->items[i], i + 1 == queue->end);
        else
            trace_stmt(tracer, body->items[i]);
        trace_variant(tracer, !is_queue && calls == tracer->calls && stmt_writes_last(body->items[i]));
    }
}

/* A conjunct: what the queue's operation asks of it is part of the operation. */
static void trace_guard(struct tracer *tracer, const struct expr *guard)
{
    if (guard->kind == EXPR_BINARY && guard->op == OP_AND) {
        trace_guard(tracer, guard->left);
        trace_guard(tracer, guard->right);
    } else if (tracer->queue && queue_is_condition(tracer->queue, guard)) {
        tracer->is_before = true; /* from here on there is a first message */
    } else {
        trace_value(tracer, guard);
    }
}

static void trace_end(struct tracer *tracer)
{
    for (size_t i = 0; i < tracer->bindings.count; i++)
        region_free(&tracer->bindings.items[i].region);
    VEC_FREE(&tracer->bindings);
}

static void trace_enabling(struct tracer *tracer, const struct rule *rule)
{
    trace_block(tracer, &rule->prelude);
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        if (rule->parameters[p].choose)
            trace_read(tracer, rule->parameters[p].choose);
    if (rule->guard)
        trace_guard(tracer, rule->guard);
}

static void trace_forget(const struct stubborn *stubborn, struct unit *unit)
{
    size_t size = stubborn->cell_words * sizeof(uint64_t);
    memset(unit->touched.reads, 0, size);
    memset(unit->touched.writes, 0, size);
    memset(unit->touched.sends, 0, size);
    memset(unit->touched.receives, 0, size);
    VEC_CLEAR(&unit->effects);
    unit->is_loose = false;
}

bool trace_unit(struct stubborn *stubborn, struct unit *unit)
{
    struct queue_use queue = unit->is_coarse ? (struct queue_use){0} : queue_find(unit->rule);
    for (;;) {
        struct tracer tracer = {.stubborn = stubborn, .unit = unit, .sets = unit->touched};
        tracer.queue = queue.kind == QUEUE_NONE ? NULL : &queue;
        trace_forget(stubborn, unit);
        if (!unit->is_coarse)
            peval_bind_instance(&stubborn->peval, unit->rule, unit->instance);
        control_bind(stubborn, unit);
        trace_enabling(&tracer, unit->rule);
        trace_variant(&tracer, false);
        trace_body(&tracer, &unit->rule->body);
        trace_end(&tracer);
        control_release(stubborn, unit);
        peval_release_instance(&stubborn->peval, unit->rule);
        if (tracer.is_too_much)
            return false;
        if (!tracer.queue_fails)
            return true;
        queue = (struct queue_use){0};
    }
}

bool trace_reads(struct stubborn *stubborn, const struct unit *unit, const struct expr *expr, uint64_t *reads)
{
    uint64_t *nothing = memory_zeroed(stubborn->cell_words, sizeof *nothing); /* is written */
    struct tracer tracer = {.stubborn = stubborn, .sets = {reads, nothing, nothing, nothing}};
    if (expr)
        trace_value(&tracer, expr);
    else
        trace_enabling(&tracer, unit->rule);
    trace_end(&tracer);
    free(nothing);
    for (uint32_t w = 0; w < stubborn->cell_words; w++)
        reads[w] &= ~stubborn->unseen[w];
    return !tracer.is_too_much;
}
