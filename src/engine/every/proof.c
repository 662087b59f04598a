#include "engine/every/every.h"

#include <stdlib.h>
#include <string.h>

#include "base/watch.h"

enum { PROOF_MOST_INSTANCES = 4096 };

/* -- Instances of rules: a variable for each parameter of an index type, a constant for each other -- */

static uint32_t alternatives_of(const struct type *type)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < type->block_count; b++) {
        const struct code_block *block = &type->blocks[b];
        count += block->owner->kind == TYPE_INDEX ? 1 : (uint32_t)((int64_t)block->hi - block->lo + 1);
    }
    return count;
}

static const struct smt_value *alternative(struct every_proof *proof, struct every_obligation *obligation,
                                           const struct type *type, uint32_t number)
{
    struct smt_machine *machine = &proof->machine;
    for (uint32_t b = 0; b < type->block_count; b++) {
        const struct code_block *block = &type->blocks[b];
        uint32_t count = block->owner->kind == TYPE_INDEX ? 1 : (uint32_t)((int64_t)block->hi - block->lo + 1);
        if (number >= count) {
            number -= count;
            continue;
        }
        if (block->owner->kind != TYPE_INDEX)
            return smt_code(machine, block->lo + (int64_t)number);
        uint32_t sort = machine->sorts[block->owner->id];
        term variable = fol_variable(&proof->terms, sort);
        obligation->parameters[obligation->parameter_count++] = variable;
        return smt_element(machine, sort, variable);
    }
    UNREACHABLE("no such value");
}

static uint32_t instances_of(struct every_proof *proof, const struct rule *rule)
{
    uint64_t count = 1;
    for (uint32_t p = 0; p < rule->parameter_count; p++) {
        if (rule->parameters[p].choose)
            smt_refuse(&proof->machine, rule->span, "a choice from a multiset");
        count *= alternatives_of(rule->parameters[p].type);
        if (count > PROOF_MOST_INSTANCES) {
            smt_refuse(&proof->machine, rule->span, "more than %d instances", PROOF_MOST_INSTANCES);
            return 0;
        }
    }
    return (uint32_t)count;
}

/* -- Obligations -- */

static term candidate_formula(struct every_proof *proof, size_t candidate, const term *variables)
{
    const struct every_candidate *about = &proof->candidates->items[candidate];
    if (about->property != UINT32_MAX)
        return smt_holds(&proof->machine, proof->system->properties.items[about->property]->formula);
    return clause_formula(&proof->machine, &about->clause, variables);
}

static void obligation_make(struct every_proof *proof, const struct rule *rule, bool is_start, uint32_t number,
                            term (*variables)[EVERY_MOST_VARIABLES])
{
    struct smt_machine *machine = &proof->machine;
    struct every_obligation obligation = {.rule = rule, .is_start = is_start};
    struct arena *arena = proof->terms.arena;
    const struct smt_value **values = ARENA_ARRAY(arena, const struct smt_value *, rule->parameter_count + 1);
    obligation.number = (uint32_t)proof->obligations.count;
    obligation.parameters = ARENA_ARRAY(arena, term, rule->parameter_count + 1);
    for (uint32_t p = rule->parameter_count; p-- > 0;) {
        uint32_t count = alternatives_of(rule->parameters[p].type);
        values[p] = alternative(proof, &obligation, rule->parameters[p].type, number % count);
        number /= count;
    }
    smt_reset(machine, is_start);
    for (uint32_t p = 0; p < obligation.parameter_count; p++)
        VEC_PUSH(&machine->binders, obligation.parameters[p]);
    obligation.fires = smt_fire(machine, rule, values);
    for (size_t i = 0; i < machine->events.count; i++)
        VEC_PUSH(&obligation.events, machine->events.items[i]);
    obligation.alters = is_start ? TERM_TRUE : smt_alters(machine);
    obligation.after = ARENA_ARRAY(arena, term, proof->candidates->count + 1);
    for (size_t i = 0; i < proof->candidates->count && !machine->is_refused; i++)
        obligation.after[i] = candidate_formula(proof, i, variables[i]);
    VEC_PUSH(&proof->obligations, obligation);
}

static void proof_add_rules(struct every_proof *proof, struct rule *const *rules, size_t count, bool is_start,
                            term (*variables)[EVERY_MOST_VARIABLES])
{
    for (size_t r = 0; r < count; r++) {
        uint32_t instances = instances_of(proof, rules[r]);
        for (uint32_t i = 0; i < instances && !proof->machine.is_refused && !watch_is_up(); i++)
            obligation_make(proof, rules[r], is_start, i, variables);
    }
}

/* The invariants, and the final states of the deadlock property. */
static void proof_add_properties(struct every_proof *proof)
{
    const struct system *system = proof->system;
    proof->holds = memory_zeroed(system->properties.count + 1, sizeof *proof->holds);
    for (size_t p = 0; p < system->properties.count && !proof->machine.is_refused; p++) {
        const struct property *property = system->properties.items[p];
        bool is_formula = property->kind == PROPERTY_INVARIANT || property->kind == PROPERTY_DEADLOCK;
        if (is_formula && property->formula)
            proof->holds[p] = smt_holds(&proof->machine, property->formula);
    }
}

bool proof_open(struct every_proof *proof, const struct system *system, const candidate_list *candidates,
                const struct engine_options *options)
{
    *proof = (struct every_proof){.system = system, .candidates = candidates};
    proof->is_stuck_by_firing = options->deadlock == DEADLOCK_STUCK;
    terms_open(&proof->terms);
    term(*variables)[EVERY_MOST_VARIABLES] = memory_zeroed(candidates->count + 1, sizeof *variables);
    if (smt_open(&proof->machine, system, &proof->terms)) {
        smt_reset(&proof->machine, false);
        proof->axioms = smt_axioms(&proof->machine);
        proof->before = ARENA_ARRAY(proof->terms.arena, term, candidates->count + 1);
        for (size_t i = 0; i < candidates->count && !proof->machine.is_refused; i++) {
            clause_variables(&proof->machine, &candidates->items[i].clause, variables[i]);
            proof->before[i] = candidate_formula(proof, i, variables[i]);
        }
        proof_add_properties(proof);
        proof_add_rules(proof, system->starts.items, system->starts.count, true, variables);
        proof_add_rules(proof, system->rules.items, system->rules.count, false, variables);
    }
    free(variables);
    return !proof->machine.is_refused && !watch_is_up();
}

void proof_close(struct every_proof *proof)
{
    for (size_t i = 0; i < proof->obligations.count; i++)
        VEC_FREE(&proof->obligations.items[i].events);
    VEC_FREE(&proof->obligations);
    free(proof->holds);
    smt_close(&proof->machine);
    terms_close(&proof->terms);
}
