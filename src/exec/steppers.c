#include "exec/steppers.h"

#include "exec/macro.h"
#include "exec/native.h"
#include "exec/vm.h"

struct steppers {
    const struct layout *layout;
    enum stepper_choice choice;
    struct native *native;     /* NULL: not asked for */
    bool was_ready;            /* from the start */
    struct profiler *profiler; /* NULL: not asked for */
};

struct steppers *steppers_create(const struct layout *layout, enum stepper_choice choice, bool is_profiled)
{
    struct steppers *steppers = memory_zeroed(1, sizeof *steppers);
    steppers->layout = layout;
    steppers->choice = choice;
    if (is_profiled) {
        steppers->profiler = profiler_create(layout);
        if (choice == STEPPER_AUTO) /* one that does not change under way, so that times can be compared */
            choice = steppers->choice = STEPPER_VM;
    }
    if (choice == STEPPER_AUTO || choice == STEPPER_NATIVE)
        steppers->native = native_create(layout);
    steppers->was_ready = steppers->native && native_poll(steppers->native) == NATIVE_READY;
    if (choice == STEPPER_NATIVE)
        native_wait(steppers->native);
    return steppers;
}

void steppers_destroy(struct steppers *steppers)
{
    if (!steppers)
        return;
    native_destroy(steppers->native);
    profiler_destroy(steppers->profiler);
    free(steppers);
}

const char *steppers_refusal(const struct steppers *steppers)
{
    return steppers->choice == STEPPER_NATIVE ? native_reason(steppers->native) : NULL;
}

struct stop steppers_stop(const struct steppers *steppers)
{
    return watch_is_up() ? watch_stop(watch_of_thread)
                         : stop_because(STOP_FAILED, "no native code: %s", steppers_refusal(steppers));
}

static struct stepper *make_plain(struct steppers *steppers)
{
    switch (steppers->choice) {
    case STEPPER_AUTO:
        if (native_poll(steppers->native) != NATIVE_READY)
            return native_stepper_auto(steppers->native);
        return native_stepper(steppers->native);
    case STEPPER_NATIVE:
        return native_stepper(steppers->native);
    case STEPPER_VM:
        return vm_create_single(steppers->layout->system, steppers->layout);
    case STEPPER_EVALUATOR:
        return stepper_create_single(steppers->layout->system, steppers->layout);
    }
    UNREACHABLE("choice of a stepper");
}

static struct stepper *make_rest(void *user)
{
    return make_plain(user);
}

static struct stepper *make_rule(void *user, const struct system *single, uint32_t rule)
{
    struct steppers *steppers = user;
    if (steppers->choice == STEPPER_NATIVE)
        return native_stepper_of_rule(steppers->native, rule);
    if (steppers->choice == STEPPER_EVALUATOR)
        return stepper_create_single(single, steppers->layout);
    return vm_create_single(single, steppers->layout);
}

static struct stepper *make_single(const struct system *system, const struct layout *layout, void *user)
{
    struct steppers *steppers = user;
    const struct profile_maker maker = {make_rule, make_rest, steppers};
    (void)system, (void)layout; /* those of the steppers */
    return steppers->profiler ? profiler_wrap(steppers->profiler, &maker) : make_plain(steppers);
}

struct stepper *steppers_make(struct steppers *steppers)
{
    return macro_wrap(steppers->layout->system, steppers->layout, make_single, steppers);
}

void steppers_foresee(struct steppers *steppers, double left)
{
    if (steppers->native)
        native_foresee(steppers->native, left);
}

struct profile *steppers_profile(struct steppers *steppers)
{
    return steppers->profiler ? profiler_result(steppers->profiler) : NULL;
}

void steppers_describe(const struct steppers *steppers, struct text *out)
{
    if (!steppers->native)
        return;
    switch (native_poll(steppers->native)) {
    case NATIVE_READY:
        text_append(out, steppers->was_ready ? "native code from the cache" : "native code, compiled by this run");
        return;
    case NATIVE_FAILED:
        text_format(out, "no native code: %s", native_reason(steppers->native));
        return;
    case NATIVE_COMPILING:
        text_append(out, "no native code: the search was over before the compiler");
        return;
    case NATIVE_UNTRIED:
        text_append(out, "no native code: the search was too short for it to pay");
        return;
    }
}
