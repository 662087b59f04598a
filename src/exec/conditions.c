#include "exec/conditions.h"

const struct property *conditions_breach(struct stepper *judge, const int32_t *cells, enum truth *truth,
                                         struct fault *fault)
{
    const struct system *system = judge->system;
    for (size_t i = 0; i < system->properties.count; i++) {
        const struct property *property = system->properties.items[i];
        if (!property_is_assumed(property))
            continue;
        *truth = stepper_holds(judge, property, cells, fault);
        if (*truth != TRUTH_TRUE)
            return property;
    }
    return NULL;
}

enum { MOST_STARTS = 1000 };

/* One more start state; `is_first`: of them. */
static void note_cut(struct stepper *judge, const struct step *step, enum step_outcome outcome, bool is_first,
                     enum condition_cut *cuts)
{
    for (size_t i = 0; i < judge->system->properties.count; i++) {
        const struct property *property = judge->system->properties.items[i];
        struct fault fault;
        if (!property_is_assumed(property))
            continue;
        bool is_cut = outcome == STEP_STATE && stepper_holds(judge, property, step->cells, &fault) == TRUTH_FALSE;
        if (is_first)
            cuts[i] = is_cut ? CUTS_ALL : CUTS_NONE;
        else if (is_cut != (cuts[i] == CUTS_ALL))
            cuts[i] = is_cut || cuts[i] != CUTS_NONE ? CUTS_SOME : CUTS_NONE;
    }
}

void conditions_cut(struct stepper *judge, enum condition_cut *cuts)
{
    const struct system *system = judge->system;
    struct stepper *starts = stepper_create_evaluator(system, judge->layout);
    struct step step = {0};
    enum step_outcome outcome;
    size_t count = 0;
    starts->is_watched = true;
    for (size_t i = 0; i < system->properties.count; i++)
        cuts[i] = system->properties.items[i]->kind == PROPERTY_ASSUMPTION ? CUTS_SOME : CUTS_NONE;
    stepper_begin_starts(starts);
    while (count <= MOST_STARTS && !watch_is_up() && (outcome = stepper_next(starts, &step)) != STEP_END)
        note_cut(judge, &step, outcome, count++ == 0, cuts);
    bool is_cut = count > MOST_STARTS || watch_is_up(); /* others were not looked at */
    for (size_t i = 0; i < system->properties.count && is_cut; i++)
        if (system->properties.items[i]->kind == PROPERTY_ASSUMPTION)
            cuts[i] = CUTS_SOME;
    stepper_destroy(starts);
}

bool conditions_admit(struct stepper *judge, const int32_t *cells)
{
    enum truth truth;
    struct fault fault;
    return !conditions_breach(judge, cells, &truth, &fault);
}

bool conditions_allow_end(struct stepper *judge, const int32_t *cells)
{
    const struct property *deadlock = judge->system->properties.items[SYSTEM_DEADLOCK];
    struct fault fault;
    return deadlock->formula && stepper_holds(judge, deadlock, cells, &fault) == TRUTH_TRUE;
}
