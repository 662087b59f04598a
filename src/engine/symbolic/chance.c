#include "engine/symbolic/chance_numbers.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/turns.h"
#include "engine/symbolic/search.h"

bool chance_stop(struct chance *chance)
{
    symbolic_failed(&chance->model); /* keeps a reason that is known */
    stop_once(&chance->evaluator.failure, stop_copy(&chance->model.stop));
    return false;
}

bool chance_has_choice(const struct chance *chance)
{
    return chance->chain->kind == CHAIN_MDP;
}

dd chance_keep(struct chance *chance, dd set)
{
    if (set == DD_NONE) {
        symbolic_failed(&chance->model);
        chance_stop(chance);
        return set;
    }
    VEC_PUSH(&chance->kept, dd_ref(chance->model.m, set));
    return set;
}

static void release(struct chance *chance)
{
    for (size_t i = 0; i < chance->kept.count; i++)
        dd_unref(chance->model.m, chance->kept.items[i]);
    VEC_CLEAR(&chance->kept);
}

/* --- the choices --- */

static const struct dd_permutation *turning_of(struct chance *chance, dd changed)
{
    struct dd_manager *m = chance->model.m;
    for (size_t i = 0; i < chance->turnings.count; i++)
        if (chance->turnings.items[i].changed == changed)
            return chance->turnings.items[i].permutation;
    uint32_t count = dd_variable_count(m);
    uint32_t *images = memory_alloc((count + 1) * sizeof *images);
    for (uint32_t v = 0; v < count; v++)
        images[v] = v;
    for (dd rest = changed; !dd_is_constant(m, rest); rest = dd_high(m, rest)) {
        uint32_t variable = dd_top(m, rest);
        images[variable] = variable + 1;
        images[variable + 1] = variable;
    }
    struct chance_turning turning = {dd_ref(m, changed), dd_permutation(m, images)};
    VEC_PUSH(&chance->turnings, turning);
    free(images);
    return turning.permutation;
}

dd chance_turn(struct chance *chance, dd relation, dd changed)
{
    dd keep = relation;
    dd_register(chance->model.m, &keep, 1);
    const struct dd_permutation *permutation = turning_of(chance, changed);
    dd turned = dd_permute(chance->model.m, keep, permutation);
    dd_unregister(chance->model.m, &keep);
    return turned;
}

static bool add_outcome(struct chance *chance, const struct ground_rule *rule)
{
    struct dd_manager *m = chance->model.m;
    struct chance_outcome outcome;
    if (!chance_weigh(chance, rule, &outcome))
        return false;
    outcome.back.relation = dd_ref(m, chance_turn(chance, outcome.step.relation, outcome.step.changed));
    outcome.rule = rule->rule;
    outcome.alters = dd_ref(m, rule->alters);
    VEC_PUSH(&chance->outcomes, outcome);
    return outcome.back.relation != DD_NONE || chance_stop(chance);
}

/* Rules come in the order of the choices. */
static bool add_choices(struct chance *chance)
{
    struct dd_manager *m = chance->model.m;
    size_t next = 0, count = chance->model.ground.rules.count;
    bool is_good = true;
    for (uint32_t c = 0; c < chance->chain->choice_count && is_good; c++) {
        struct chance_choice choice = {&chance->chain->choices[c], (uint32_t)chance->outcomes.count, 0, 0, 0, DD_FALSE};
        uint32_t end = choice.choice->first_rule + choice.choice->rule_count;
        dd enabled = DD_FALSE;
        dd_register(m, &enabled, 1);
        for (; next < count && chance->model.ground.rules.items[next].rule->id < end && is_good; next++) {
            is_good = add_outcome(chance, &chance->model.ground.rules.items[next]);
            enabled = is_good ? dd_or(m, enabled, VEC_LAST(&chance->outcomes).happens) : DD_NONE;
        }
        dd_unregister(m, &enabled);
        choice.count = (uint32_t)chance->outcomes.count - choice.first;
        choice.enabled = dd_ref(m, enabled);
        VEC_PUSH(&chance->choices, choice);
    }
    return is_good;
}

static bool reach(struct chance *chance)
{
    struct symbolic_model *model = &chance->model;
    struct dd_relation *steps = memory_alloc((chance->outcomes.count + 1) * sizeof *steps);
    for (size_t i = 0; i < chance->outcomes.count; i++)
        steps[i] = chance->outcomes.items[i].step;
    model->reached = dd_saturate(model->m, model->starts, steps, chance->outcomes.count);
    free(steps);
    chance->dead = model->reached;
    for (size_t c = 0; c < chance->choices.count; c++)
        chance->dead = dd_difference(model->m, chance->dead, chance->choices.items[c].enabled);
    if (model->reached == DD_NONE || chance->dead == DD_NONE) {
        symbolic_failed(model);
        return chance_stop(chance);
    }
    model->is_reached = true;
    return model->starts != DD_FALSE || pctl_fail(&chance->evaluator, "there is no initial state");
}

/* --- answers --- */

static void settle_number(struct property_result *found, const struct chance_bounds *bounds)
{
    found->has_value = true;
    found->lower = bounds->least_lower;
    found->upper = bounds->greatest_upper;
    found->is_range = bounds->least_upper < bounds->greatest_lower;
}

static void decide(struct chance *chance, const struct property *property)
{
    struct symbolic_model *model = &chance->model;
    struct pctl_evaluator *evaluator = &chance->evaluator;
    struct pctl_value value = {0};
    struct chance_bounds bounds;
    dd holds = DD_TRUE;
    evaluator->root = property->pctl;
    chance->has_partial = chance->has_extent = false;
    bool is_found = pctl_evaluate(evaluator, property->pctl, &value);
    if (is_found && value.is_number)
        is_found = chance_range(chance, property->pctl, value.numbers, model->starts, &bounds);
    else if (is_found)
        holds = dd_is_subset(model->m, model->starts, value.truth.diagram);
    if (holds == DD_NONE) {
        symbolic_failed(model);
        is_found = chance_stop(chance);
    }
    if (!is_found)
        pctl_settle_unknown(evaluator, chance->result, property, chance->has_partial ? &chance->partial : NULL);
    else if (holds != DD_TRUE)
        pctl_settle_violated(evaluator, chance->result, property, NULL, NULL,
                             chance->has_extent ? &chance->extent : NULL);
    else {
        result_set_verdict(chance->result, property, VERDICT_HOLDS, NULL);
        if (value.is_number)
            settle_number(&chance->result->properties[property->id], &bounds);
    }
    pctl_value_free(evaluator, &value);
    stop_free(&chance->evaluator.failure);
    release(chance);
}

static bool decide_item(void *user, size_t item)
{
    struct chance *chance = user;
    const struct property *property = chance->model.system->properties.items[item];
    if (property->kind != PROPERTY_PCTL)
        return true;
    decide(chance, property);
    bool is_decided = chance->result->properties[property->id].verdict != VERDICT_UNKNOWN;
    if (!is_decided && chance->model.stop.kind == STOP_TIME)
        stop_free(&chance->model.stop); /* its share of the time may be over, not that of others */
    return is_decided;
}

static void decide_all(struct chance *chance)
{
    const struct system *system = chance->model.system;
    struct turn_order turns = {.count = system->properties.count, .decide = decide_item, .user = chance};
    turns_run(&turns);
    result_set_verdict(chance->result, system->properties.items[SYSTEM_RUNTIME], VERDICT_HOLDS, NULL);
    chance->result->is_complete = true;
}

static void fill_statistics(struct chance *chance, double begin_cpu)
{
    struct symbolic_model *model = &chance->model;
    struct statistics *statistics = &chance->result->statistics;
    if (model->encoding && model->reached != DD_NONE)
        answer_count_states(model, chance->result);
    if (model->is_reached && model->options->counting)
        chance_count_represented(model, model->options->counting, statistics);
    if (model->m)
        statistics->store_bytes = dd_statistics(model->m).bytes;
    statistics->peak_bytes = clock_peak_bytes();
    statistics->seconds = clock_wall() - model->begin;
    statistics->cpu_seconds = clock_cpu() - begin_cpu;
}

static void close(struct chance *chance)
{
    struct dd_manager *m = chance->model.m;
    if (chance->model.encoding) {
        release(chance);
        for (size_t i = 0; i < chance->outcomes.count; i++) {
            const struct chance_outcome *outcome = &chance->outcomes.items[i];
            dd_unref(m, outcome->step.relation);
            dd_unref(m, outcome->step.changed);
            dd_unref(m, outcome->back.relation);
            dd_unref(m, outcome->happens);
            dd_unref(m, outcome->alters);
        }
        for (size_t i = 0; i < chance->moves.count; i++)
            dd_unref(m, chance->moves.items[i].where);
        for (size_t i = 0; i < chance->choices.count; i++)
            dd_unref(m, chance->choices.items[i].enabled);
        for (size_t i = 0; i < chance->turnings.count; i++)
            dd_unref(m, chance->turnings.items[i].changed);
        dd_unregister(m, &chance->dead);
    }
    symbolic_close(&chance->model);
    VEC_FREE(&chance->outcomes);
    VEC_FREE(&chance->choices);
    VEC_FREE(&chance->moves);
    VEC_FREE(&chance->turnings);
    VEC_FREE(&chance->kept);
    stop_free(&chance->evaluator.failure);
}

struct result *chance_run(const struct layout *layout, const struct symmetry *symmetry,
                          const struct engine_options *options)
{
    struct chance chance = {.chain = layout->system->chain,
                            .result = pctl_result_create(layout->system, engine_symbolic.name),
                            .dead = DD_FALSE};
    chance.evaluator = (struct pctl_evaluator){.carrier = &chance_carrier,
                                               .self = &chance,
                                               .chain = chance.chain,
                                               .arithmetic = PCTL_DIAGRAMS,
                                               .absolute = options->epsilon_absolute};
    double begin_cpu = clock_cpu();
    bool is_open = symbolic_open(&chance.model, layout, symmetry, options);
    if (chance.model.encoding)
        dd_register(chance.model.m, &chance.dead, 1);
    if (is_open && add_choices(&chance) && reach(&chance) && chance_check_weights(&chance)) {
        release(&chance);
        decide_all(&chance);
    } else {
        chance_stop(&chance); /* where nothing else failed */
        pctl_give_up(&chance.evaluator, chance.result);
    }
    fill_statistics(&chance, begin_cpu);
    close(&chance);
    return chance.result;
}
