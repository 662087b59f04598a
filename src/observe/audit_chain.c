#include "observe/audit_chain.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/vec.h"
#include "exec/probe.h"
#include "ir/pctl.h"

struct driver_event {
    uint32_t choice, target;
    uint64_t way;    /* of the choices that its rule stands for */
    uint64_t weight; /* the bits of a double */
};

struct audit_chain {
    const struct system *system;
    const struct chain *chain;
    struct probe *probe;
    uint32_t *choice_of;           /* by rule */
    const struct weight **weights; /* room for those of an instance */
    bool *is_asked;                /* by reward structure: a property asks for it */
    VEC(struct driver_event) events;
    VEC(size_t) first;     /* by state */
    VEC(uint64_t) rewards; /* by state: of being there; and of its choices, as events with the target NO_TARGET */
    VEC(double) values;    /* room for a sum */
    VEC(uint64_t) rows;    /* room for the choices of a state */
    VEC(uint64_t) parts;   /* room for the outcomes of a choice */
};

enum { NO_TARGET = UINT32_MAX };

static void mark_asked(struct audit_chain *audit, const struct pctl *formula)
{
    if (!formula || pctl_shows_states(formula))
        return;
    if (formula->kind == PCTL_REWARD)
        audit->is_asked[formula->reward] = true;
    mark_asked(audit, formula->condition_formula);
    mark_asked(audit, formula->left);
    mark_asked(audit, formula->right);
}

struct audit_chain *audit_chain_create(const struct layout *layout, const struct symmetry *symmetry)
{
    const struct system *system = layout->system;
    if (!system_has_probabilities(system))
        return NULL;
    struct audit_chain *audit = memory_zeroed(1, sizeof *audit);
    audit->system = system;
    audit->chain = system->chain;
    audit->probe = probe_create(layout);
    audit->choice_of = memory_zeroed(system->rules.count + 1, sizeof *audit->choice_of);
    audit->weights = memory_alloc(chain_most_weights(system) * sizeof *audit->weights);
    audit->is_asked = memory_zeroed((size_t)audit->chain->reward_count + 1, sizeof *audit->is_asked);
    for (uint32_t c = 0; c < audit->chain->choice_count; c++)
        for (uint32_t i = 0; i < audit->chain->choices[c].rule_count; i++)
            audit->choice_of[audit->chain->choices[c].first_rule + i] = c;
    for (size_t p = 0; p < system->properties.count; p++)
        if (!symmetry || symmetry_keeps(symmetry, system->properties.items[p]))
            mark_asked(audit, system->properties.items[p]->pctl);
    VEC_PUSH(&audit->first, 0);
    return audit;
}

void audit_chain_destroy(struct audit_chain *audit)
{
    if (!audit)
        return;
    probe_destroy(audit->probe);
    free(audit->choice_of);
    free(audit->weights);
    free(audit->is_asked);
    VEC_FREE(&audit->events);
    VEC_FREE(&audit->first);
    VEC_FREE(&audit->rewards);
    VEC_FREE(&audit->values);
    VEC_FREE(&audit->rows);
    VEC_FREE(&audit->parts);
    free(audit);
}

/* What cannot be evaluated counts as 0, here as there. */
static int64_t integer(struct audit_chain *audit, const struct expr *expr)
{
    struct fault fault;
    int64_t value = 1;
    return expr && probe_value(audit->probe, expr, &value, &fault) != PROBE_VALUE ? 0 : value;
}

static double number(struct audit_chain *audit, const struct weight *weight)
{
    double bottom = (double)integer(audit, weight->bottom);
    return bottom == 0 ? 0 : weight->value * (double)integer(audit, weight->top) / bottom;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static int compare_values(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The product in the order of size, so that rounding does not depend on the order of the modules. */
void audit_chain_step(struct audit_chain *audit, const struct step *step, const int32_t *source,
                      uint32_t number_of_step)
{
    uint32_t count = chain_weights(step->rule, step->instance, audit->weights);
    double weight = 1;
    probe_load(audit->probe, source);
    VEC_CLEAR(&audit->values);
    for (uint32_t i = 0; i < count; i++)
        VEC_PUSH(&audit->values, number(audit, audit->weights[i]));
    qsort(audit->values.items, count, sizeof *audit->values.items, compare_values);
    for (uint32_t i = 0; i < count; i++)
        weight *= audit->values.items[i];
    if (weight > 0)
        VEC_PUSH(&audit->events, ((struct driver_event){audit->choice_of[step->rule->id], number_of_step,
                                                        chain_way(step->rule, step->instance), bits_of(weight)}));
}

static int compare_hashes(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static bool is_for(const struct reward *item, const struct choice *choice)
{
    if (item->is_transition != (choice != NULL))
        return false;
    if (!choice || !item->action || !choice->action)
        return !choice || item->action == choice->action;
    return !strcmp(item->action, choice->action);
}

/* Summed in the order of size, so that rounding does not depend on how the items are written. */
static uint64_t rewards_for(struct audit_chain *audit, const struct choice *choice)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < audit->chain->reward_count; i++) {
        double sum = 0;
        VEC_CLEAR(&audit->values);
        for (uint32_t k = 0; audit->is_asked[i] && k < audit->chain->rewards[i].count; k++) {
            const struct reward *item = &audit->chain->rewards[i].items[k];
            if (is_for(item, choice) && integer(audit, item->guard->formula))
                VEC_PUSH(&audit->values, number(audit, item->value));
        }
        if (audit->values.count)
            qsort(audit->values.items, audit->values.count, sizeof *audit->values.items, compare_values);
        for (size_t k = 0; k < audit->values.count; k++)
            sum += audit->values.items[k];
        hash = hash_combine(hash, bits_of(sum));
    }
    return hash;
}

static bool is_same_choice(const struct driver_event *a, const struct driver_event *b)
{
    return a->choice == b->choice && a->way == b->way;
}

void audit_chain_end(struct audit_chain *audit, const int32_t *source)
{
    size_t from = VEC_LAST(&audit->first), to = audit->events.count;
    probe_load(audit->probe, source);
    VEC_PUSH(&audit->rewards, rewards_for(audit, NULL));
    for (size_t i = from; i < to; i++) {
        const struct driver_event event = audit->events.items[i];
        if (i + 1 == to || !is_same_choice(&audit->events.items[i + 1], &event))
            VEC_PUSH(&audit->events, ((struct driver_event){event.choice, NO_TARGET, event.way,
                                                            rewards_for(audit, &audit->chain->choices[event.choice])}));
    }
    VEC_PUSH(&audit->first, audit->events.count);
}

/* One hash for the choice: of its outcomes in any order, each as often as it is there. */
static uint64_t hash_choice(struct audit_chain *audit, struct driver_event choice, size_t from, size_t to,
                            const uint32_t *moved)
{
    uint64_t hash = 0;
    VEC_CLEAR(&audit->parts);
    for (size_t i = from; i < to; i++) {
        const struct driver_event *event = &audit->events.items[i];
        uint32_t target = event->target == NO_TARGET || !moved ? event->target : moved[event->target];
        if (is_same_choice(event, &choice))
            VEC_PUSH(&audit->parts, hash_combine(hash_combine(1, target), event->weight));
    }
    qsort(audit->parts.items, audit->parts.count, sizeof *audit->parts.items, compare_hashes);
    for (size_t i = 0; i < audit->parts.count; i++)
        hash = hash_combine(hash, audit->parts.items[i]);
    return hash;
}

static uint64_t hash_state(struct audit_chain *audit, uint32_t state, const uint32_t *moved)
{
    size_t from = audit->first.items[state], to = audit->first.items[state + 1];
    uint64_t hash = audit->rewards.items[state];
    VEC_CLEAR(&audit->rows);
    for (size_t i = from; i < to; i++)
        if (audit->events.items[i].target == NO_TARGET) /* there is one for each choice */
            VEC_PUSH(&audit->rows, hash_choice(audit, audit->events.items[i], from, to, moved));
    if (audit->rows.count)
        qsort(audit->rows.items, audit->rows.count, sizeof *audit->rows.items, compare_hashes);
    for (size_t i = 0; i < audit->rows.count; i++)
        hash = hash_combine(hash, audit->rows.items[i]);
    return hash;
}

void audit_chain_settle(struct audit_chain *audit, uint32_t state, const uint32_t *targets)
{
    for (size_t i = audit->first.items[state]; i < audit->first.items[state + 1]; i++)
        if (audit->events.items[i].target != NO_TARGET)
            audit->events.items[i].target = targets[audit->events.items[i].target];
}

bool audit_chain_compare(struct audit_chain *audit, uint32_t state, uint32_t image, const uint32_t *moved)
{
    return hash_state(audit, state, moved) == hash_state(audit, image, NULL);
}
