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

void follow_open(struct native_follow *follow, const struct native_program *program, const struct layout *layout)
{
    follow->program = program;
    follow->layout = layout;
    follow->is_possible = program->holder != UINT32_MAX && !layout->multiset_count && program_is_bound(program);
    if (!follow->is_possible)
        return;
    dispatch_open(&follow->dispatch, program);
    follow->held = memory_zeroed((size_t)layout->cell_count + 1, sizeof *follow->held);
}

void follow_close(struct native_follow *follow)
{
    if (!follow->is_possible)
        return;
    dispatch_close(&follow->dispatch);
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

/* One rule more. */
static enum link follow_link(struct native_follow *follow, struct native_run *run, int32_t *memory, uint32_t *rule)
{
    uint32_t end = follow->program->rule_count;
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
        uint32_t rule;
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
    run->selected = follow->dispatch.selected;
    bool is_chain = follow_to_end(follow, run, memory, step, &count);
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
