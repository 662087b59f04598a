#include "lang/promela/lower.h"
#include "lang/promela/walk.h"

static void fail_if_crowded(struct pml_lower *lower, struct pml_steps *steps, struct span span)
{
    struct pml_steps error = {0};
    if (!lower->crowded)
        return;
    struct stmt *test = stmt_new(lower->system, STMT_IF, span), *fail = stmt_new(lower->system, STMT_ERROR, span);
    fail->property = lower->crowded;
    VEC_PUSH(&error, fail);
    test->value = pml_compare(lower, OP_EQ, pml_variable_value(lower, lower->count, span),
                              pml_constant(lower, lower->cast.count, span));
    test->body = pml_close(lower, &error);
    VEC_PUSH(steps, test);
}

static void set_parameters(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self,
                           struct pml_self child, const struct pml_expr *run)
{
    for (uint32_t i = 0; i < run->argument_count && i < run->proctype->parameter_count; i++) {
        const struct pml_variable *parameter = run->proctype->locals.items[i];
        struct pml_place place = {.span = run->span, .variable = parameter};
        const struct pml_expr *argument = run->arguments[i].value;
        bool is_set = run->value && pml_is_constant(lower, argument); /* from the start */
        if (lower->homes[parameter->leaf] && !is_set)
            pml_put(lower, steps, pml_lower_place(lower, child, &place),
                    pml_fit(lower, pml_lower_value(lower, self, argument), pml_values_of(&lower->values, argument),
                            parameter->type),
                    parameter->leaf);
    }
}

/* A new process has the number of those that are there as its pid. Where that is known it has its variables already. */
static void start_process(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self,
                          const struct pml_expr *run)
{
    struct span span = run->span;
    struct pml_self child = {.proctype = run->proctype, .pid = lower->child};
    struct system *system = lower->system;
    if (run->value) {
        child.pid = NULL;
        child.number = (uint32_t)run->value - 1;
    } else {
        fail_if_crowded(lower, steps, span);
        pml_assign(lower, steps, place_variable(system, lower->child, span),
                   pml_variable_value(lower, lower->count, span));
    }
    set_parameters(lower, steps, self, child, run);
    pml_begin_locals(lower, steps, child, run->value ? PML_BEGIN_REST : PML_BEGIN_LOCALS, span);
    pml_go(lower, steps, child, lower->flows[run->proctype->id].entry, span);
    pml_set_priority(lower, steps, child, run->priority, span);
    if (!lower->count)
        return;
    struct expr *more =
        expr_binary(system, OP_ADD, pml_variable_value(lower, lower->count, span), pml_constant(lower, 1, span), span);
    pml_assign(lower, steps, place_variable(system, lower->count, span),
               run->value ? pml_constant(lower, run->value, span) : more);
}

static void lower_assert(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self,
                         const struct pml_stmt *stmt)
{
    struct stmt *check = stmt_new(lower->system, STMT_ASSERT, stmt->span);
    check->value = pml_lower_condition(lower, self, stmt->value);
    for (size_t i = 0; i < lower->system->properties.count; i++) /* one for each place in the text */
        if (lower->system->properties.items[i]->span.source == stmt->span.source &&
            lower->system->properties.items[i]->span.line == stmt->span.line &&
            lower->system->properties.items[i]->span.column == stmt->span.column &&
            lower->system->properties.items[i]->kind == PROPERTY_ASSERTION)
            check->property = lower->system->properties.items[i];
    if (!check->property)
        check->property = system_add_property(lower->system, PROPERTY_ASSERTION,
                                              arena_string(lower->system->arena, stmt->text), NULL, stmt->span);
    VEC_PUSH(steps, check);
}

static void evaluate(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self,
                     const struct pml_stmt *stmt)
{
    for (uint32_t i = 0; i < stmt->argument_count; i++) {
        if (!stmt->arguments[i].value)
            continue;
        struct stmt *put = stmt_new(lower->system, STMT_PUT, stmt->span);
        put->value = pml_lower_value(lower, self, stmt->arguments[i].value);
        VEC_PUSH(steps, put);
    }
}

void pml_lower_effect(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self,
                      const struct pml_stmt *stmt, const struct pml_port *port)
{
    const struct pml_expr *run = pml_started(stmt);
    if (run)
        start_process(lower, steps, self, run);
    switch (stmt->kind) {
    case PML_ASSIGN:
        pml_store(lower, steps, self, stmt->place, pml_lower_value(lower, self, stmt->value),
                  pml_values_of(&lower->values, stmt->value));
        break;
    case PML_SEND:
        pml_send(lower, steps, port, stmt);
        break;
    case PML_RECEIVE:
        pml_receive(lower, steps, port, stmt);
        break;
    case PML_PRINT:
        evaluate(lower, steps, self, stmt);
        break;
    case PML_ASSERT:
        lower_assert(lower, steps, self, stmt);
        break;
    case PML_PRIORITIZE:
        pml_prioritize(lower, steps, self, stmt);
        break;
    case PML_DECLARE:
        pml_set_initial(lower, steps, self, stmt->variable, stmt->span);
        break;
    default:
        break;
    }
}
