#include "lockstep.h"

#include <string.h>

#include "ir/instance.h"

struct lockstep lockstep_create(const struct layout *layout, struct stepper *right)
{
    return (struct lockstep){stepper_create_evaluator(layout->system, layout), right};
}

void lockstep_destroy(struct lockstep *lockstep)
{
    stepper_destroy(lockstep->left);
    stepper_destroy(lockstep->right);
}

static const char *outcome_name(enum step_outcome outcome)
{
    static const char *const names[] = {"a state", "discarded", "a fault", "the end"};
    return names[outcome];
}

static void print_fault(const struct fault *fault, struct text *out)
{
    text_format(out, "%u:%u ", fault->span.line, fault->span.column);
    fault_print(fault, out);
    text_format(out, " (%s)", fault->property ? fault->property->name : "no property");
}

static bool same_fault(const struct fault *a, const struct fault *b)
{
    return a->kind == b->kind && a->property == b->property && a->span.line == b->span.line &&
           a->span.column == b->span.column && a->value == b->value && a->type == b->type;
}

static bool differ_in_fault(const struct fault *left, const struct fault *right, const char *where,
                            struct failure *failure)
{
    struct text text = {0};
    print_fault(left, &text);
    text_append(&text, " / ");
    print_fault(right, &text);
    failure_set(failure, "%s: the faults differ: %s", where, text_chars(&text));
    text_free(&text);
    return false;
}

static bool same_cells(const struct layout *layout, const int32_t *left, const int32_t *right, const char *where,
                       struct failure *failure)
{
    for (uint32_t i = 0; i < layout->cell_count; i++) {
        if (left[i] == right[i])
            continue;
        struct text name = {0};
        layout_cell_name(layout, i, &name);
        failure_set(failure, "%s: the states differ in %s: %d / %d", where, text_chars(&name), left[i], right[i]);
        text_free(&name);
        return false;
    }
    return true;
}

static bool same_step(const struct layout *layout, enum step_outcome left_outcome, const struct step *left,
                      enum step_outcome right_outcome, const struct step *right, struct failure *failure)
{
    struct text where = {0};
    if (left_outcome != STEP_END)
        instance_print(left->rule, left->instance, &where);
    bool same = true;
    if (left_outcome != right_outcome)
        same = failure_set(failure, "%s: %s / %s", text_chars(&where), outcome_name(left_outcome),
                           outcome_name(right_outcome));
    else if (left_outcome != STEP_END && (left->rule != right->rule || left->instance != right->instance))
        same = failure_set(failure, "%s / another instance, number %llu of %s", text_chars(&where),
                           (unsigned long long)right->instance, right->rule->name);
    else if (left_outcome == STEP_FAULT && !same_fault(&left->fault, &right->fault))
        same = differ_in_fault(&left->fault, &right->fault, text_chars(&where), failure);
    else if (left_outcome == STEP_STATE)
        same = same_cells(layout, left->cells, right->cells, text_chars(&where), failure);
    text_free(&where);
    return same;
}

/* What a stepper says has changed is what differs from `origin` (NULL: a start state, of which it says nothing). */
static bool tells_changes(const struct layout *layout, const int32_t *origin, const struct step *step,
                          struct failure *failure)
{
    uint32_t differing = 0, listed = 0;
    if (!step->changed)
        return true;
    if (!origin)
        return failure_set(failure, "changes of a start state");
    for (uint32_t c = 0; c < layout->cell_count; c++)
        differing += step->cells[c] != origin[c];
    for (uint32_t i = 0; i < step->changed_count; i++)
        listed += step->cells[step->changed[i]] != origin[step->changed[i]];
    return (listed == differing && step->changed_count == differing) ||
           failure_set(failure, "%u cells changed, %u are listed, %u of them rightly", differing, step->changed_count,
                       listed);
}

/* `origin`: the state they step from, or NULL. */
static bool same_steps(struct lockstep *lockstep, const int32_t *origin, struct failure *failure)
{
    enum step_outcome left_outcome, right_outcome;
    do {
        struct step left = {0}, right = {0};
        left_outcome = stepper_next(lockstep->left, &left);
        right_outcome = stepper_next(lockstep->right, &right);
        if (!same_step(lockstep->left->layout, left_outcome, &left, right_outcome, &right, failure))
            return false;
        if (left_outcome == STEP_STATE && (!tells_changes(lockstep->left->layout, origin, &left, failure) ||
                                           !tells_changes(lockstep->left->layout, origin, &right, failure)))
            return false;
    } while (left_outcome != STEP_END);
    size_t properties = lockstep->left->system->properties.count;
    for (size_t i = 0; i < properties; i++)
        if (lockstep->left->covered[i] != lockstep->right->covered[i])
            return failure_set(failure, "cover \"%s\": met by one of them only",
                               lockstep->left->system->properties.items[i]->name);
    return true;
}

bool lockstep_starts(struct lockstep *lockstep, struct failure *failure)
{
    stepper_begin_starts(lockstep->left);
    stepper_begin_starts(lockstep->right);
    return same_steps(lockstep, NULL, failure);
}

static bool same_truths(struct lockstep *lockstep, const int32_t *cells, struct failure *failure)
{
    const struct system *system = lockstep->left->system;
    for (size_t i = 0; i < system->properties.count; i++) {
        const struct property *property = system->properties.items[i];
        if (!property->formula)
            continue;
        struct fault left_fault = {0}, right_fault = {0};
        enum truth left = stepper_holds(lockstep->left, property, cells, &left_fault);
        enum truth right = stepper_holds(lockstep->right, property, cells, &right_fault);
        if (left != right)
            return failure_set(failure, "property \"%s\": truth %d / %d", property->name, left, right);
        if (left == TRUTH_FAULT && !same_fault(&left_fault, &right_fault))
            return differ_in_fault(&left_fault, &right_fault, property->name, failure);
    }
    return true;
}

bool lockstep_state(struct lockstep *lockstep, const int32_t *cells, struct failure *failure)
{
    stepper_begin_successors(lockstep->left, cells);
    stepper_begin_successors(lockstep->right, cells);
    return same_steps(lockstep, cells, failure) && same_truths(lockstep, cells, failure);
}
