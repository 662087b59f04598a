/* Loops: over the values of a type, from one bound to another, and as long as a condition holds. */
#include <stdlib.h>

#include "bits/machine.h"
#include "ir/iteration.h"

/* One iteration, for the states that are live and have not seen enough. */
static void machine_step(struct machine *machine, const struct variable *variable, int64_t value, machine_body *body,
                         void *data, const bit *stopped)
{
    struct calculator *calculator = &machine->calculator;
    bit aside = stopped ? calculate_and(calculator, machine->live, *stopped) : BIT_FALSE;
    if (stopped)
        machine_keep(machine, bit_not(*stopped));
    if (!type_has(variable->type, value))
        machine_fault(machine, NULL, BIT_TRUE);
    if (machine->live != BIT_FALSE) {
        machine_set(machine, variable->address, number_constant(calculator, value));
        body(machine, data);
    }
    machine->live = calculate_or(calculator, machine->live, aside);
}

struct quantifier_bounds {
    const struct variable *variable;
    struct span span;
    machine_body *body;
    void *data;
    const bit *stopped;
};

static void machine_iterate_over(struct machine *machine, const struct quantifier_bounds *bounds,
                                 struct iteration iteration)
{
    int64_t value;
    while (machine->live != BIT_FALSE && machine_goes_on(machine) && iteration_next(&iteration, &value)) {
        /* Where all have seen enough, the rest does not matter. */
        if (bounds->stopped &&
            calculate_and(&machine->calculator, machine->live, bit_not(*bounds->stopped)) == BIT_FALSE)
            return;
        machine_step(machine, bounds->variable, value, bounds->body, bounds->data, bounds->stopped);
    }
}

/* For each value of the number alone: `next` is the bound to be chosen after it. */
static void machine_split_bounds(struct machine *machine, const struct quantifier_bounds *bounds,
                                 const struct number *const *numbers, uint32_t next, int64_t *chosen)
{
    if (next == 3) {
        if (chosen[2] == 0)
            machine_fault(machine, NULL, BIT_TRUE);
        else
            machine_iterate_over(machine, bounds,
                                 (struct iteration){.next = chosen[0], .to = chosen[1], .by = chosen[2]});
        return;
    }
    number_cases cases = {0};
    bit done = BIT_FALSE;
    if (machine_list(machine, numbers[next], bounds->span, &cases))
        for (size_t i = 0; i < cases.count; i++) {
            chosen[next] = cases.items[i].value;
            machine->live = cases.items[i].when;
            machine_split_bounds(machine, bounds, numbers, next + 1, chosen);
            done = calculate_or(&machine->calculator, done, machine->live);
        }
    machine->live = done;
    VEC_FREE(&cases);
}

void machine_iterate(struct machine *machine, const struct domain *domain, const struct variable *variable,
                     struct span span, machine_body *body, void *data, const bit *stopped)
{
    struct quantifier_bounds bounds = {variable, span, body, data, stopped};
    if (!domain->from) {
        machine_iterate_over(machine, &bounds, iteration_of(domain));
        return;
    }
    const struct number *numbers[3];
    int64_t chosen[3];
    numbers[0] = machine_expr(machine, domain->from);
    numbers[1] = machine_expr(machine, domain->to);
    numbers[2] = domain->by ? machine_expr(machine, domain->by) : number_constant(&machine->calculator, 1);
    machine_split_bounds(machine, &bounds, numbers, 0, chosen);
}

struct quantified {
    const struct expr *body;
    bool decisive; /* the truth of one instance that decides */
    bit decided;
};

static void machine_quantify(struct machine *machine, void *data)
{
    struct quantified *quantified = data;
    bit holds = machine_condition(machine, quantified->body);
    bit decides = quantified->decisive ? holds : bit_not(holds);
    decides = calculate_and(&machine->calculator, decides, machine->live);
    quantified->decided = calculate_or(&machine->calculator, quantified->decided, decides);
}

const struct number *machine_quantifier(struct machine *machine, const struct expr *expr)
{
    struct quantified quantified = {expr->left, expr->op == OP_EXISTS, BIT_FALSE};
    bool is_exhaustive = !expr->domain.from && type_has_index(expr->domain.type);
    machine_iterate(machine, &expr->domain, expr->variable, expr->span, machine_quantify, &quantified,
                    is_exhaustive ? NULL : &quantified.decided);
    return number_boolean(&machine->calculator, quantified.decisive ? quantified.decided : bit_not(quantified.decided));
}

void machine_while(struct machine *machine, const struct stmt *stmt)
{
    struct calculator *calculator = &machine->calculator;
    bit left = BIT_FALSE;
    for (uint64_t done = 0; !calculate_is_false(calculator, machine->live); done++) {
        bit holds = machine_condition(machine, stmt->value);
        left = calculate_or(calculator, left, calculate_and(calculator, machine->live, bit_not(holds)));
        machine_keep(machine, holds);
        if (!machine_is_ok(machine))
            machine->live = BIT_FALSE;
        if (done == machine->system->loop_limit)
            machine_fault(machine, NULL, BIT_TRUE);
        machine_block(machine, &stmt->body);
    }
    machine->live = calculate_or(calculator, machine->live, left);
}
