/* Instances are fired, and the states that they lead to handed over: one by one, or in bulk (exec/burst.h).
 *
 * A rule may be split (native_split): its guard was evaluated for all instances when the state was loaded, and its
 * function only fires the one that it is told. The loop over the instances, those asleep and the return to a loop that
 * was left are the same for all such rules: they stand here, and not in what is compiled for each model. */
#include "base/bits.h"
#include "exec/native_fire.h"

/* --- handing over --- */

/* A step of several rules, to its end. The rule that it ends with, or NULL: it is not so simple. */
static const struct rule *native_follow_through(struct native_stepper *native)
{
    struct step step = {.rule = native->rules[native->next]};
    if (native->stepper.passed_by_rule && native->follow.is_possible)
        follow_chain(&native->follow, &native->run, native->workspace.memory, &step, native->stepper.passed_by_rule);
    return native_is_held(native) ? NULL : step.rule;
}

int native_show(struct native_run *run)
{
    struct native_stepper *native = (struct native_stepper *)((char *)run - offsetof(struct native_stepper, run));
    const struct rule *rule = native->rules[native->next];
    struct step *step = &native->shown;
    step->rule = rule;
    step->instance = native_instance(run, rule, rule->parameter_count);
    native->workspace.dirty = run->dirty;
    native->burst->slept = run->slept;
    workspace_yield(&native->workspace, step);
    native->is_full = !native->burst->visit(native->burst->user, step);
    workspace_take_back(&native->workspace, step);
    run->dirty = 0;
    return !native->is_full;
}

/* One more state is in the burst. */
static inline void native_note(struct native_stepper *native, const struct rule *rule)
{
    struct burst *burst = native->burst;
    burst->rules[burst->count] = rule->id;
    burst->ordinals[burst->count] = burst->count + native->run.slept;
    burst->numbers[burst->count++] = (uint16_t)native->run.number;
}

/* A rule has led to a state. 0: it is to be reported one by one, or there is no room for more. */
static int native_emit(struct native_run *run)
{
    struct native_stepper *native = (struct native_stepper *)((char *)run - offsetof(struct native_stepper, run));
    struct burst *burst = native->burst;
    const struct rule *rule = native_is_held(native) ? native_follow_through(native) : native->rules[native->next];
    if (!rule)
        return 0;
    native->workspace.dirty = run->dirty;
    workspace_pack(&native->workspace, native->packed, burst_state(burst, burst->count));
    run->dirty = 0;
    native_note(native, rule);
    native->is_full = burst->count == burst->most;
    return !native->is_full;
}

/* The same where every cell has a bit of `dirty` for itself, and nothing is in the way: no multiset, no holder, no type
 * with gaps. This is where most time is spent in a step, so the number of words is known to the compiler. */
static inline __attribute__((always_inline)) int native_emit_cells(struct native_run *run, uint32_t words)
{
    struct native_stepper *native = (struct native_stepper *)((char *)run - offsetof(struct native_stepper, run));
    struct burst *burst = native->burst;
    uint64_t *packed = burst->states + (size_t)burst->count * words;
    const int32_t *original = native->workspace.original;
    int32_t *memory = native->workspace.memory;
    for (uint32_t w = 0; w < words; w++)
        packed[w] = native->packed[w];
    for (uint64_t dirty = run->dirty & native->own_bits; dirty; dirty &= dirty - 1) {
        uint32_t cell = (uint32_t)__builtin_ctzll(dirty);
        int32_t code = memory[cell];
        memory[cell] = original[cell];
        placement_put(&native->stepper.layout->placements[cell], code, packed);
    }
    run->dirty = 0;
    native_note(native, native->rules[native->next]);
    native->is_full = burst->count == burst->most;
    return !native->is_full;
}

static int native_emit_1(struct native_run *run)
{
    return native_emit_cells(run, 1);
}

static int native_emit_2(struct native_run *run)
{
    return native_emit_cells(run, 2);
}

static int native_emit_3(struct native_run *run)
{
    return native_emit_cells(run, 3);
}

static int native_emit_any(struct native_run *run)
{
    return native_emit_cells(
        run, ((struct native_stepper *)((char *)run - offsetof(struct native_stepper, run)))->stepper.layout->words);
}

/* --- rules that are split --- */

/* Of instances asleep, those before the one that is to be fired are counted; those behind it are left. (The same is in
 * native_runtime.h, for rules that are not split.) */
static __attribute__((noinline)) uint64_t pass_over(struct native_run *run, uint64_t slept, uint64_t before,
                                                    uint32_t rule)
{
    uint32_t count = bits_count_few(slept & before);
    run->slept += count;
    run->counts[rule] += count;
    return slept & ~before;
}

/* The instances that the loader has found, as bits; of those, the ones behind that which was fired last. */
static inline uint64_t split_left(const struct native_split *split, const struct native_run *run)
{
    uint64_t all = split->has_parameter ? run->selected[split->selection] : 1;
    return run->resume ? all & UINT64_MAX << run->at[0] << 1 : all;
}

/* The instances asleep: their numbers follow one another. */
static inline uint64_t split_asleep(const struct native_split *split, const struct native_run *run)
{
    uint32_t word = split->first / 64, shift = split->first % 64;
    uint64_t asleep = run->asleep[word] >> shift;
    return split->is_astride ? asleep | run->asleep[word + 1] << (64 - shift) : asleep;
}

static inline void split_choose(const struct native_split *split, struct native_run *run, uint64_t left)
{
    run->at[0] = (uint32_t)__builtin_ctzll(left);
    run->number = split->first ? split->first + run->at[0] : 0;
}

/* The guard of the instance is not decided by the loader's tables, and there is no code for it: it faults, which needs
 * not be fast. */
static int split_judge(struct native_stepper *native)
{
    const struct rule *rule = native->rules[native->next];
    struct step step;
    if (!native->judge)
        native->judge = stepper_create_single(native->stepper.system, native->stepper.layout);
    native->judge->is_watched = native->stepper.is_watched;
    stepper_begin_successors(native->judge, native->workspace.original);
    uint64_t instance = native_instance(&native->run, rule, rule->parameter_count);
    enum step_outcome outcome = stepper_fire_evaluator(native->judge, rule, instance, &step);
    stepper_note_covered(&native->stepper, native->judge, true);
    if (outcome == STEP_FAULT)
        native->judged = step.fault;
    return outcome == STEP_FAULT ? NATIVE_FAULT : outcome == STEP_END ? NATIVE_FALSE : NATIVE_TRUE;
}

/* Is the instance enabled? */
static int split_test(struct native_stepper *native, const struct native_split *split)
{
    if (!split->has_test)
        return split_judge(native);
    native->run.is_asked = true;
    int status = native->program->effects[native->next](&native->run, native->workspace.memory, native->next);
    native->run.is_asked = false;
    return status;
}

/* The loader is not sure of all of them. */
static __attribute__((noinline)) int split_fire_unsure(struct native_stepper *native, const struct native_split *split)
{
    struct native_run *run = &native->run;
    for (uint64_t left = split_left(split, run); left; left &= left - 1) {
        split_choose(split, run, left);
        int status = split_test(native, split);
        if (status == NATIVE_FALSE)
            continue;
        if (status != NATIVE_TRUE)
            return status;
        if (split->first && bits_has(run->asleep, run->number)) {
            run->slept++;
            run->counts[native->next]++;
            continue;
        }
        status = native->program->effects[native->next](run, native->workspace.memory, native->next);
        if (status != NATIVE_STATE || !run->emit || !run->emit(run))
            return status;
    }
    return NATIVE_DONE;
}

/* This is the inner loop of most searches: `emit` is known to the compiler. */
static inline __attribute__((always_inline)) int split_fire(struct native_stepper *native,
                                                            const struct native_split *split,
                                                            int (*emit)(struct native_run *run))
{
    struct native_run *run = &native->run;
    if (__builtin_expect(run->unsure[split->mask] != 0, 0))
        return split_fire_unsure(native, split);
    native_effect *effect = native->program->effects[native->next];
    uint64_t left = split_left(split, run), slept = split->first ? left & split_asleep(split, run) : 0;
    for (left &= ~slept; left; left &= left - 1) {
        split_choose(split, run, left);
        if (slept)
            slept = pass_over(run, slept, ((uint64_t)1 << run->at[0]) - 1, native->next);
        int status = effect(run, native->workspace.memory, native->next);
        if (status != NATIVE_STATE || !emit || !emit(run))
            return status;
    }
    if (slept)
        pass_over(run, slept, UINT64_MAX, native->next);
    return NATIVE_DONE;
}

int native_fire_each(struct native_stepper *native, const struct native_split *split)
{
    return split_fire(native, split, native->run.emit);
}

static int native_fire_1(struct native_stepper *native, const struct native_split *split)
{
    return split_fire(native, split, native_emit_1);
}

static int native_fire_2(struct native_stepper *native, const struct native_split *split)
{
    return split_fire(native, split, native_emit_2);
}

static int native_fire_3(struct native_stepper *native, const struct native_split *split)
{
    return split_fire(native, split, native_emit_3);
}

void native_choose_emit(struct native_stepper *native)
{
    static int (*const by_words[])(struct native_run *) = {native_emit_any, native_emit_1, native_emit_2,
                                                           native_emit_3};
    static int (*const fire_by_words[])(struct native_stepper *, const struct native_split *) = {
        native_fire_each, native_fire_1, native_fire_2, native_fire_3};
    const struct layout *layout = native->stepper.layout;
    native->emit = native_emit;
    native->fire = native->fire_many = native_fire_each;
    if (native->workspace.shift || layout->multiset_count || layout->scattered_count ||
        native->program->holder != UINT32_MAX)
        return;
    native->own_bits = layout->cell_count < 64 ? ((uint64_t)1 << layout->cell_count) - 1 : UINT64_MAX;
    uint32_t known = layout->words < sizeof by_words / sizeof *by_words ? layout->words : 0;
    native->emit = by_words[known];
    native->fire_many = fire_by_words[known];
}
