#include "exec/profile.h"

#include <pthread.h>
#include <string.h>

#include "base/clock.h"

/* Ticks of the cheapest clock there is, turned into seconds at the end. */
struct tick_row {
    uint64_t asked, enabled, fired;
    uint64_t measured, ticks;
};

enum { OUTLIER = 64 };
static const double INTERRUPTION = 2e-4; /* seconds */

struct profiler {
    const struct layout *layout;
    pthread_mutex_t lock;
    struct tick_row *rules, *properties;
    uint64_t begin_ticks, interruption_ticks;
    double begin_seconds;
};

/* The enumeration of one rule. */
struct profile_lane {
    struct system system; /* the original with no other rule, and no start state */
    struct stepper *stepper;
};

struct profile_stepper {
    struct stepper stepper;
    struct profiler *profiler;
    struct profile_lane *lanes; /* by rule id */
    struct stepper *rest;       /* start states and properties */
    struct tick_row *rules, *properties;
    int32_t *origin; /* whose successors are enumerated */
    size_t current;  /* rule */
    bool has_begun;  /* it was given the state */
    bool is_start;
    bool has_covers; /* some statement may cover something */
};

static struct profile_stepper *profile_of(struct stepper *stepper)
{
    return (struct profile_stepper *)stepper; /* its first member */
}

static void profile_begin_starts(struct stepper *stepper)
{
    struct profile_stepper *self = profile_of(stepper);
    self->is_start = true;
    self->rest->is_watched = stepper->is_watched;
    stepper_begin_starts(self->rest);
}

static void profile_begin_successors(struct stepper *stepper, const int32_t *cells)
{
    struct profile_stepper *self = profile_of(stepper);
    self->is_start = false;
    memcpy(self->origin, cells, stepper->layout->cell_count * sizeof *cells);
    self->current = 0;
    self->has_begun = false;
}

static void profile_note_covers(struct profile_stepper *self, const struct stepper *inner)
{
    stepper_note_covered(&self->stepper, inner, self->has_covers);
}

/* The clock goes on while another process has the processor: what takes much longer than it does on average, and long
 * enough for that, counts as average. */
static void row_measure(struct tick_row *row, uint64_t ticks, uint64_t interruption)
{
    if (ticks > interruption && row->measured && ticks / OUTLIER > row->ticks / row->measured)
        ticks = row->ticks / row->measured;
    row->ticks += ticks;
    row->measured++;
}

/* The next step of the current rule. */
static enum step_outcome profile_step(struct profile_stepper *self, struct step *step)
{
    struct stepper *inner = self->lanes[self->current].stepper;
    struct tick_row *row = &self->rules[self->current];
    uint64_t begin = clock_ticks();
    inner->is_watched = self->stepper.is_watched;
    if (!self->has_begun)
        stepper_begin_successors(inner, self->origin);
    enum step_outcome outcome = stepper_next(inner, step);
    if (!self->stepper.is_uncounted) {
        row_measure(row, clock_ticks() - begin, self->profiler->interruption_ticks);
        row->asked += !self->has_begun;
        row->enabled += outcome != STEP_END;
        row->fired += outcome == STEP_STATE;
    }
    self->has_begun = true;
    profile_note_covers(self, inner);
    return outcome;
}

static enum step_outcome profile_next(struct stepper *stepper, struct step *step)
{
    struct profile_stepper *self = profile_of(stepper);
    if (self->is_start) {
        enum step_outcome outcome = stepper_next(self->rest, step);
        profile_note_covers(self, self->rest);
        return outcome;
    }
    for (; self->current < stepper->system->rules.count; self->current++, self->has_begun = false) {
        enum step_outcome outcome = profile_step(self, step);
        if (outcome != STEP_END)
            return outcome;
    }
    *step = (struct step){0};
    return STEP_END;
}

static enum truth profile_holds(struct stepper *stepper, const struct property *property, const int32_t *cells,
                                struct fault *fault)
{
    struct profile_stepper *self = profile_of(stepper);
    struct tick_row *row = &self->properties[property->id];
    uint64_t begin = clock_ticks();
    enum truth truth = stepper_holds(self->rest, property, cells, fault);
    row_measure(row, clock_ticks() - begin, self->profiler->interruption_ticks);
    row->asked++;
    profile_note_covers(self, self->rest);
    return truth;
}

static void add_rows(struct tick_row *to, const struct tick_row *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to[i].asked += from[i].asked;
        to[i].enabled += from[i].enabled;
        to[i].fired += from[i].fired;
        to[i].ticks += from[i].ticks;
    }
}

static void profile_destroy_stepper(struct stepper *stepper)
{
    struct profile_stepper *self = profile_of(stepper);
    const struct system *system = stepper->system;
    pthread_mutex_lock(&self->profiler->lock);
    add_rows(self->profiler->rules, self->rules, system->rules.count);
    add_rows(self->profiler->properties, self->properties, system->properties.count);
    pthread_mutex_unlock(&self->profiler->lock);
    for (size_t r = 0; r < system->rules.count; r++)
        stepper_destroy(self->lanes[r].stepper);
    stepper_destroy(self->rest);
    free(self->lanes);
    free(self->rules);
    free(self->properties);
    free(self->origin);
    free(stepper->covered);
    free(self);
}

static void lane_open(struct profile_lane *lane, const struct system *system, uint32_t rule,
                      const struct profile_maker *maker)
{
    lane->system = *system;
    lane->system.rules.items = &system->rules.items[rule];
    lane->system.rules.count = 1;
    lane->system.starts.count = 0;
    lane->stepper = maker->make_rule(maker->user, &lane->system, rule);
}

struct stepper *profiler_wrap(struct profiler *profiler, const struct profile_maker *maker)
{
    static const struct stepper_operations operations = {
        .name = "profile",
        .begin_starts = profile_begin_starts,
        .begin_successors = profile_begin_successors,
        .next = profile_next,
        .holds = profile_holds,
        .destroy = profile_destroy_stepper,
    };
    const struct system *system = profiler->layout->system;
    struct profile_stepper *self = memory_zeroed(1, sizeof *self);
    self->stepper = (struct stepper){.operations = &operations, .system = system, .layout = profiler->layout};
    self->stepper.covered = memory_zeroed(system->properties.count + 1, sizeof(bool));
    self->profiler = profiler;
    self->lanes = memory_zeroed(system->rules.count + 1, sizeof *self->lanes);
    self->rules = memory_zeroed(system->rules.count + 1, sizeof *self->rules);
    self->properties = memory_zeroed(system->properties.count + 1, sizeof *self->properties);
    self->origin = memory_zeroed((size_t)profiler->layout->cell_count + 1, sizeof *self->origin);
    self->current = system->rules.count; /* nothing to enumerate before begin_* */
    self->has_covers = system_has_cover_statements(system);
    for (uint32_t r = 0; r < system->rules.count; r++)
        lane_open(&self->lanes[r], system, r, maker);
    self->rest = maker->make_rest(maker->user);
    return &self->stepper;
}

struct profiler *profiler_create(const struct layout *layout)
{
    struct profiler *profiler = memory_zeroed(1, sizeof *profiler);
    profiler->layout = layout;
    pthread_mutex_init(&profiler->lock, NULL);
    profiler->rules = memory_zeroed(layout->system->rules.count + 1, sizeof *profiler->rules);
    profiler->properties = memory_zeroed(layout->system->properties.count + 1, sizeof *profiler->properties);
    profiler->begin_ticks = clock_ticks();
    profiler->begin_seconds = clock_wall();
    while (clock_wall() - profiler->begin_seconds < INTERRUPTION)
        continue;
    profiler->interruption_ticks = clock_ticks() - profiler->begin_ticks;
    return profiler;
}

void profiler_destroy(struct profiler *profiler)
{
    if (!profiler)
        return;
    pthread_mutex_destroy(&profiler->lock);
    free(profiler->rules);
    free(profiler->properties);
    free(profiler);
}

static struct profile_row *rows_in_seconds(const struct tick_row *rows, size_t count, double tick)
{
    struct profile_row *made = memory_zeroed(count + 1, sizeof *made);
    for (size_t i = 0; i < count; i++)
        made[i] = (struct profile_row){rows[i].asked, rows[i].enabled, rows[i].fired, (double)rows[i].ticks * tick};
    return made;
}

struct profile *profiler_result(struct profiler *profiler)
{
    const struct system *system = profiler->layout->system;
    uint64_t ticks = clock_ticks() - profiler->begin_ticks;
    double tick = ticks ? (clock_wall() - profiler->begin_seconds) / (double)ticks : 0;
    struct profile *profile = memory_zeroed(1, sizeof *profile);
    profile->system = system;
    profile->rules = rows_in_seconds(profiler->rules, system->rules.count, tick);
    profile->properties = rows_in_seconds(profiler->properties, system->properties.count, tick);
    return profile;
}

void profile_destroy(struct profile *profile)
{
    if (!profile)
        return;
    free(profile->rules);
    free(profile->properties);
    free(profile);
}
