#include "exec/native_follow.h"

#include <stdlib.h>

#include "base/memory.h"

/* A link of the chain is a rule behind the first. */
enum link {
    LINK_FIRED,
    LINK_BLOCKED, /* nothing is enabled */
    LINK_OTHER    /* more than one way, or none that is a state */
};

/* May a rule fire that is not one of the holder's? */
static bool selector_has_callers(const struct native_selector *selector)
{
    uint32_t values = (uint32_t)selector->high - (uint32_t)selector->low + 1;
    for (uint32_t i = 0; i < selector->loose.begins[values]; i++)
        if (selector->loose.items[i].rule != UINT32_MAX)
            return true;
    return false;
}

static bool program_is_bound(const struct native_program *program)
{
    for (uint32_t w = 0; w <= program->rule_count / 64; w++)
        if (program->always[w])
            return false;
    for (uint32_t s = 0; s < program->selector_count; s++)
        if (selector_has_callers(&program->selectors[s]))
            return false;
    return true;
}

static void follow_list_seats(struct native_follow *follow)
{
    const struct native_program *program = follow->program;
    int64_t first = INT64_MAX, end = INT64_MIN;
    for (uint32_t s = 0; s < program->selector_count; s++) {
        int64_t who = program->selectors[s].who, behind = who + program->selectors[s].count;
        first = who < first ? who : first;
        end = behind > end ? behind : end;
    }
    follow->first_seat = first;
    follow->seat_count = first < end ? end - first : 0;
    follow->seats = memory_zeroed((size_t)follow->seat_count + 1, sizeof *follow->seats);
    uint32_t *selectors = memory_zeroed((size_t)follow->seat_count + 1, sizeof *selectors);
    for (uint32_t s = 0; s < program->selector_count; s++)
        for (uint32_t p = 0; p < program->selectors[s].count; p++) {
            int64_t seat = (int64_t)program->selectors[s].who + p - first;
            bool is_alone = !selectors[seat]++;
            follow->seats[seat] = (struct follow_seat){is_alone ? &program->selectors[s] : NULL, p};
        }
    free(selectors);
}

void follow_open(struct native_follow *follow, const struct native_program *program, const struct layout *layout)
{
    follow->program = program;
    follow->layout = layout;
    follow->is_possible = program->holder != UINT32_MAX && !layout->multiset_count && program_is_bound(program);
    if (!follow->is_possible)
        return;
    dispatch_open(&follow->dispatch, program);
    follow_list_seats(follow);
    follow->held = memory_zeroed((size_t)layout->cell_count + 1, sizeof *follow->held);
}

void follow_close(struct native_follow *follow)
{
    if (!follow->is_possible)
        return;
    dispatch_close(&follow->dispatch);
    free(follow->seats);
    free(follow->held);
}

static enum link follow_fire(const struct native_program *program, struct native_run *run, int32_t *memory,
                             uint32_t rule)
{
    run->resume = 0;
    switch (program->rules[rule](run, memory)) {
    case NATIVE_STATE:
        return LINK_FIRED;
    case NATIVE_DONE:
        return LINK_BLOCKED;
    default:
        return LINK_OTHER;
    }
}

/* How many instances of the rule are enabled; 2: more than one, or it is not known. */
static uint32_t follow_ask(const struct native_follow *follow, struct native_run *run, int32_t *memory, uint32_t rule)
{
    const struct native_program *program = follow->program;
    if (program->answers[rule] == NATIVE_MUTE)
        return 2;
    run->is_asked = true;
    run->resume = 0;
    int status = program->rules[rule](run, memory), next = NATIVE_DONE;
    if (status == NATIVE_TRUE && program->answers[rule] != NATIVE_ANSWERS_ONCE) {
        run->resume = follow->layout->system->rules.items[rule]->parameter_count;
        next = program->rules[rule](run, memory);
    }
    run->is_asked = false;
    return status == NATIVE_DONE ? 0 : status == NATIVE_TRUE && next == NATIVE_DONE ? 1 : 2;
}

/* The rule that is enabled alone. */
static enum link follow_choose(const struct native_follow *follow, struct native_run *run, int32_t *memory,
                               uint32_t *chosen)
{
    uint32_t end = follow->program->rule_count, enabled = 0;
    for (uint32_t rule = *chosen; rule < end; rule = dispatch_find(&follow->dispatch, rule + 1, end)) {
        uint32_t instances = follow_ask(follow, run, memory, rule);
        enabled += instances;
        if (enabled > 1)
            return LINK_OTHER;
        if (instances)
            *chosen = rule;
    }
    return enabled ? LINK_FIRED : LINK_BLOCKED;
}

/* Of the rules in the list, the one that is enabled alone. */
static enum link follow_choose_of(const struct native_follow *follow, struct native_run *run, int32_t *memory,
                                  const struct native_selection *one, const struct native_selection *end,
                                  uint32_t *chosen)
{
    uint32_t enabled = 0;
    if (end - one == 1 && one->rule != UINT32_MAX && follow->program->answers[one->rule] == NATIVE_ANSWERS_ONCE) {
        *chosen = one->rule;
        return LINK_FIRED;
    }
    for (; one < end; one++) {
        uint32_t instances = one->rule == UINT32_MAX ? 0 : follow_ask(follow, run, memory, one->rule);
        enabled += instances;
        if (enabled > 1)
            return LINK_OTHER;
        if (instances)
            *chosen = one->rule;
    }
    return enabled ? LINK_FIRED : LINK_BLOCKED;
}

/* One rule more, by the only selector that looks at the holder: its list has the rules, and nothing has to be cleared
 * but what they read. */
static enum link follow_link_at(struct native_follow *follow, struct native_run *run, int32_t *memory,
                                const struct follow_seat *seat, uint32_t value, uint32_t *rule)
{
    const struct native_choice *all = &seat->selector->all;
    const struct native_selection *begin = all->items + all->begins[value], *end = all->items + all->begins[value + 1];
    uint64_t *selected = follow->dispatch.selected;
    for (const struct native_selection *one = begin; one < end; one++)
        selected[one->number] = (uint64_t)1 << seat->position;
    enum link link = follow_choose_of(follow, run, memory, begin, end, rule);
    if (link == LINK_FIRED)
        link = follow_fire(follow->program, run, memory, *rule);
    for (const struct native_selection *one = begin; one < end; one++)
        selected[one->number] = 0;
    return link;
}

/* One rule more. */
static enum link follow_link(struct native_follow *follow, struct native_run *run, int32_t *memory, uint32_t *rule)
{
    uint32_t end = follow->program->rule_count;
    int64_t at = memory[follow->program->holder] - follow->first_seat;
    const struct follow_seat *seat = at >= 0 && at < follow->seat_count ? &follow->seats[at] : NULL;
    if (seat && seat->selector) {
        const struct native_selector *selector = seat->selector;
        int32_t cell = memory[selector->first + seat->position * selector->stride];
        uint32_t value = (uint32_t)cell - (uint32_t)selector->low;
        if (value <= (uint32_t)selector->high - (uint32_t)selector->low) {
            dispatch_end(&follow->dispatch);
            return follow_link_at(follow, run, memory, seat, value, rule);
        }
    }
    dispatch_begin_holder(&follow->dispatch, memory);
    *rule = dispatch_find(&follow->dispatch, 0, end);
    if (*rule == end)
        return LINK_BLOCKED;
    if (follow->program->answers[*rule] != NATIVE_ANSWERS_ONCE ||
        dispatch_find(&follow->dispatch, *rule + 1, end) < end) {
        enum link link = follow_choose(follow, run, memory, rule);
        if (link != LINK_FIRED)
            return link;
    }
    return follow_fire(follow->program, run, memory, *rule);
}

/* To the end of the chain, of which `step` tells; the rules are in follow->chain. False: it is none. */
static bool follow_to_end(struct native_follow *follow, struct native_run *run, int32_t *memory, struct step *step,
                          uint32_t *count)
{
    const struct native_program *program = follow->program;
    for (*count = 0; *count < FOLLOW_MOST; ++*count) {
        uint32_t rule = 0;
        if (memory[program->holder] == program->nobody)
            return true;
        switch (follow_link(follow, run, memory, &rule)) {
        case LINK_FIRED:
            follow->chain[*count] = step->rule->id;
            step->rule = follow->layout->system->rules.items[rule];
            step->instance = native_instance(run, step->rule, step->rule->parameter_count);
            break;
        case LINK_BLOCKED: /* it is a state, held by nobody */
            memory[program->holder] = program->nobody;
            run->dirty |= (uint64_t)1 << (program->holder >> program->block_shift & 63);
            return true;
        case LINK_OTHER:
            return false;
        }
    }
    return false;
}

void follow_chain(struct native_follow *follow, struct native_run *run, int32_t *memory, struct step *step,
                  uint64_t *passed_by_rule)
{
    size_t state = follow->layout->cell_count * sizeof *memory, at = step->rule->parameter_count * sizeof *run->at;
    const uint64_t *selected = run->selected;
    uint32_t resume = run->resume, count;
    const struct passed first = {.rule = step->rule, .instance = step->instance};
    memcpy(follow->held, memory, state);
    memcpy(follow->at, run->at, at);
    int (*emit)(struct native_run *) = run->emit;
    run->selected = follow->dispatch.selected;
    run->emit = NULL;
    bool is_chain = follow_to_end(follow, run, memory, step, &count);
    run->emit = emit;
    run->selected = selected;
    run->resume = resume;
    memcpy(run->at, follow->at, at);
    if (!is_chain) {
        memcpy(memory, follow->held, state);
        step->rule = first.rule;
        step->instance = first.instance;
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        passed_by_rule[follow->chain[i]]++;
    follow->first = first;
    step->passed = count ? &follow->first : NULL;
}
