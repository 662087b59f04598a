/* effects MODEL...: rules as functions of the state (exec/evaluate_effect.h) against the evaluator. In the first states
 * of each model each instance is enabled, fails, is dropped and leads to where the evaluator says. The last line is "N
 * passed, N failed"; an instance that is refused does not count. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "driver/model.h"
#include "exec/evaluate_effect.h"
#include "exec/stepper.h"
#include "ir/chain.h"
#include "ir/instance.h"

enum { MOST_STATES = 400 };

struct subject {
    struct model *model;
    VEC(int32_t *) states;
    struct diagrams diagrams;
    struct symbolic symbolic;
};

static uint64_t passed, failed, refused;

static bool add_state(struct subject *subject, const int32_t *cells)
{
    size_t size = subject->model->layout->cell_count * sizeof *cells;
    for (size_t s = 0; s < subject->states.count; s++)
        if (!memcmp(subject->states.items[s], cells, size))
            return false;
    int32_t *copy = memory_alloc(size + 1);
    memcpy(copy, cells, size);
    VEC_PUSH(&subject->states, copy);
    return true;
}

static void explore(struct subject *subject)
{
    struct stepper *stepper = stepper_create_single(subject->model->system, subject->model->layout);
    struct step step;
    enum step_outcome outcome;
    stepper_begin_starts(stepper);
    while ((outcome = stepper_next(stepper, &step)) != STEP_END)
        if (outcome == STEP_STATE)
            add_state(subject, step.cells);
    for (size_t s = 0; s < subject->states.count && subject->states.count < MOST_STATES; s++) {
        stepper_begin_successors(stepper, subject->states.items[s]);
        while ((outcome = stepper_next(stepper, &step)) != STEP_END)
            if (outcome == STEP_STATE)
                add_state(subject, step.cells);
    }
    stepper_destroy(stepper);
}

static void add_values(struct subject *subject)
{
    for (uint32_t c = 0; c < subject->model->layout->cell_count; c++)
        for (size_t s = 0; s < subject->states.count; s++)
            diagram_add_value(&subject->diagrams, c, subject->states.items[s][c]);
}

static int64_t value_at(const struct subject *subject, diagram d, const int32_t *cells)
{
    const struct diagram_node *node = &subject->diagrams.nodes.items[d];
    int64_t number;
    if (diagram_is_leaf(&subject->diagrams, d, &number))
        return number;
    size_t v = 0;
    while (subject->diagrams.domains[node->cell].items[v] != cells[node->cell])
        v++;
    return value_at(subject, subject->diagrams.children.items[node->children + v], cells);
}

static void put_add(const struct subject *subject, const struct symbolic_add *add, const int32_t *cells, int32_t *out)
{
    uint32_t slot = add->address;
    if (!value_at(subject, add->condition, cells))
        return;
    while (slot + multiset_stride(add->type) < add->address + add->type->cells && out[slot])
        slot += multiset_stride(add->type);
    out[slot] = 1;
    for (uint32_t c = 0; c < add->type->element->cells; c++)
        out[slot + 1 + c] = (int32_t)value_at(subject, add->cells[c], cells);
}

static bool agrees(const struct subject *subject, const struct effect_row *effect, const int32_t *cells,
                   enum step_outcome outcome, const struct step *step)
{
    const struct layout *layout = subject->model->layout;
    bool has_effect = effect->truths.count > 0;
    bool is_enabled = has_effect && value_at(subject, effect->truths.items[0], cells);
    bool fails = has_effect && value_at(subject, effect->truths.items[1], cells);
    bool is_dropped = has_effect && value_at(subject, effect->truths.items[2], cells);
    if (fails || outcome == STEP_FAULT)
        return fails && outcome == STEP_FAULT;
    if (is_dropped != (outcome == STEP_DISCARDED) || (is_enabled && !is_dropped) != (outcome == STEP_STATE))
        return false;
    if (outcome != STEP_STATE)
        return true;
    int32_t *out = memory_alloc((layout->cell_count + 1) * sizeof *out);
    memcpy(out, cells, layout->cell_count * sizeof *out);
    for (size_t i = 0; i < effect->cells.count; i++)
        out[effect->cells.items[i]] = (int32_t)value_at(subject, effect->results.items[i], cells);
    for (size_t a = 0; a < effect->adds.count; a++)
        put_add(subject, &effect->adds.items[a], cells, out);
    layout_normalise(layout, out);
    bool is_same = !memcmp(out, step->cells, layout->cell_count * sizeof *out);
    free(out);
    return is_same;
}

static void compare_instance(struct subject *subject, const struct rule *rule, uint64_t instance)
{
    struct stepper *stepper = stepper_create_single(subject->model->system, subject->model->layout);
    struct effect_row effect;
    bool is_right = true;
    effect_fire(&subject->symbolic, rule, instance, &effect);
    bool is_refused = subject->symbolic.refusal || subject->diagrams.is_full;
    for (size_t s = 0; s < subject->states.count && is_right && !is_refused; s++) {
        struct step step;
        stepper_begin_successors(stepper, subject->states.items[s]);
        enum step_outcome outcome = stepper_fire_evaluator(stepper, rule, instance, &step);
        is_right = agrees(subject, &effect, subject->states.items[s], outcome, &step);
        if (!is_right)
            printf("%s: %s, instance %" PRIu64 ", state %zu: not as the evaluator has it\n",
                   subject->model->system->name, rule->name, instance, s);
    }
    refused += is_refused;
    passed += is_right && !is_refused;
    failed += !is_right;
    subject->symbolic.refusal = NULL;
    effect_free(&effect);
    stepper_destroy(stepper);
}

static void compare_model(const char *path)
{
    struct subject subject = {0};
    struct diagnostics diagnostics = {0};
    struct source *source = NULL;
    subject.model = model_load(path, NULL, NULL, 0, &diagnostics, &source);
    if (!subject.model || system_has_probabilities(subject.model->system)) {
        source_free(source);
        diag_free(&diagnostics);
        model_destroy(subject.model);
        return;
    }
    explore(&subject);
    diagrams_begin(&subject.diagrams, subject.model->layout);
    add_values(&subject);
    symbolic_begin(&subject.symbolic, &subject.diagrams, subject.model->system);
    for (size_t r = 0; r < subject.model->system->rules.count; r++)
        for (uint64_t i = 0; i < subject.model->system->rules.items[r]->instance_count && subject.states.count; i++)
            compare_instance(&subject, subject.model->system->rules.items[r], i);
    symbolic_end(&subject.symbolic);
    diagrams_end(&subject.diagrams);
    for (size_t s = 0; s < subject.states.count; s++)
        free(subject.states.items[s]);
    VEC_FREE(&subject.states);
    model_destroy(subject.model);
    source_free(source);
    diag_free(&diagnostics);
}

int main(int count, char **words)
{
    for (int i = 1; i < count; i++)
        compare_model(words[i]);
    printf("%" PRIu64 " refused\n%" PRIu64 " passed, %" PRIu64 " failed\n", refused, passed, failed);
    return failed != 0;
}
