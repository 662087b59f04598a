/* The VM until native code is ready, then native code: swapped between two states. A stepper that only evaluates
 * properties is swapped between two of them. */
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/watch.h"
#include "exec/native.h"
#include "exec/vm.h"

enum {
    POLL_CALLS = 256, /* asking whether the compiler has finished is cheap, but not free */
    AUTO_PATIENCE = 4 /* the compiler is waited for so many times as long as it should take, */
};
#define AUTO_SHORT 0.5 /* where it is no more than so many seconds */

struct auto_stepper {
    struct stepper stepper;
    struct native *native;
    struct stepper *inner;
    bool is_settled; /* nothing more to wait for */
    bool has_begun;  /* it enumerates: properties are asked of states in the middle of it */
    bool has_waited; /* for the compiler */
    uint32_t until_poll;
    double begin;
};

static struct auto_stepper *auto_of(struct stepper *stepper)
{
    return (struct auto_stepper *)stepper; /* its first member */
}

static void auto_swap(struct auto_stepper *self)
{
    struct stepper *next = native_stepper(self->native);
    size_t count = stepper_undefined(self->stepper.system) + 1;
    memcpy(next->covered, self->inner->covered, count * sizeof *next->covered);
    stepper_destroy(self->inner);
    self->inner = next;
    self->stepper.covered = next->covered;
    self->is_settled = true;
}

/* What the VM does while a short program is compiled, compiled code does in a fraction of the time: it is not worth
 * the processor, which the compiler may need. */
static enum native_state auto_wait(struct auto_stepper *self)
{
    static const struct timespec nap = {0, 1000000};
    double estimate = native_estimate(self->native), begin = clock_wall();
    enum native_state state;
    while ((state = native_poll(self->native)) == NATIVE_COMPILING && !self->has_waited && estimate <= AUTO_SHORT &&
           clock_wall() - begin < AUTO_PATIENCE * estimate && !watch_is_up())
        nanosleep(&nap, NULL);
    self->has_waited |= state == NATIVE_COMPILING;
    return state;
}

/* A search that ends before compiled code could help must not pay for a compiler. The remaining search time is unknown
 * but for what is foreseen (native_foresee); a search that takes, with that, as long as compiling
 * will most often continue long enough for it to pay, and if it ends now, it has cost about twice what it had to.
 * Processor time: on a busy machine, little is done in much time. */
static bool auto_pays(const struct auto_stepper *self)
{
    double spent = clock_cpu() - self->begin;
    return spent * (1 + native_left(self->native)) >= native_estimate(self->native);
}

static void auto_poll(struct auto_stepper *self)
{
    self->until_poll = POLL_CALLS;
    enum native_state state = native_poll(self->native);
    if (state == NATIVE_UNTRIED && auto_pays(self))
        native_begin(self->native);
    state = auto_wait(self);
    if (state == NATIVE_READY)
        auto_swap(self);
    else if (state == NATIVE_FAILED)
        self->is_settled = true;
}

static inline void auto_tick(struct auto_stepper *self)
{
    if (!self->is_settled && self->until_poll-- == 0)
        auto_poll(self);
}

static void auto_begin_starts(struct stepper *stepper)
{
    struct auto_stepper *self = auto_of(stepper);
    self->has_begun = true;
    self->inner->is_watched = stepper->is_watched;
    stepper_begin_starts(self->inner);
}

static void auto_begin_successors(struct stepper *stepper, const int32_t *cells)
{
    struct auto_stepper *self = auto_of(stepper);
    self->has_begun = true;
    auto_tick(self);
    self->inner->is_watched = stepper->is_watched;
    self->inner->passed_by_rule = stepper->passed_by_rule;
    stepper_begin_successors(self->inner, cells);
}

static bool auto_begin_packed(struct stepper *stepper, const uint64_t *packed)
{
    struct auto_stepper *self = auto_of(stepper);
    self->inner->is_watched = stepper->is_watched;
    self->inner->passed_by_rule = stepper->passed_by_rule;
    bool has_begun = stepper_begin_packed(self->inner, packed);
    stepper->origin = self->inner->origin;
    return has_begun;
}

static enum step_outcome auto_burst(struct stepper *stepper, struct burst *burst, struct step *step)
{
    return stepper_burst(auto_of(stepper)->inner, burst, step);
}

static bool auto_begin_again(struct stepper *stepper)
{
    return stepper_begin_again(auto_of(stepper)->inner);
}

static enum step_outcome auto_next(struct stepper *stepper, struct step *step)
{
    return stepper_next(auto_of(stepper)->inner, step);
}

static enum truth auto_holds(struct stepper *stepper, const struct property *property, const int32_t *cells,
                             struct fault *fault)
{
    struct auto_stepper *self = auto_of(stepper);
    if (!self->has_begun)
        auto_tick(self);
    self->inner->is_watched = stepper->is_watched;
    return stepper_holds(self->inner, property, cells, fault);
}

/* Two calls less for each state: in a long search that is worth it. */
static struct stepper *auto_settle(struct stepper *stepper)
{
    struct auto_stepper *self = auto_of(stepper);
    struct stepper *inner = self->inner;
    if (!self->is_settled)
        return stepper;
    inner->is_brief = stepper->is_brief;
    inner->is_watched = stepper->is_watched;
    inner->passed_by_rule = stepper->passed_by_rule;
    free(stepper);
    return inner;
}

static void auto_destroy(struct stepper *stepper)
{
    stepper_destroy(auto_of(stepper)->inner);
    free(stepper);
}

struct stepper *native_stepper_auto(struct native *native)
{
    static const struct stepper_operations operations = {
        .name = "auto",
        .begin_starts = auto_begin_starts,
        .begin_successors = auto_begin_successors,
        .next = auto_next,
        .begin_packed = auto_begin_packed,
        .burst = auto_burst,
        .begin_again = auto_begin_again,
        .holds = auto_holds,
        .settle = auto_settle,
        .destroy = auto_destroy,
    };
    const struct layout *layout = native_layout(native);
    struct auto_stepper *self = memory_zeroed(1, sizeof *self);
    self->native = native;
    self->inner = vm_create_single(layout->system, layout);
    self->stepper = (struct stepper){
        .operations = &operations, .system = layout->system, .layout = layout, .covered = self->inner->covered};
    self->until_poll = POLL_CALLS;
    self->begin = clock_cpu();
    return &self->stepper;
}
