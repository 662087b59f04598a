#include "result/follow.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "ir/face.h"
#include "result/replaying.h"

enum { MOST_SILENT = 100000 }; /* steps without an event in a row */

struct following {
    const struct system *system;
    const struct follow_run *run;
    struct stepper *stepper;
    struct trace *trace;
    int32_t *cells; /* scratch: what a step leads to */
    size_t at;      /* the next event */
};

static const int32_t *cells_now(const struct following *following)
{
    return following->trace->steps[following->trace->count - 1].cells;
}

/* What the rule instance leads to, pushed. False: it is not enabled. */
static bool fire(struct following *following, const struct rule *rule, uint64_t instance)
{
    const struct trace_step claim = {.rule = rule, .instance = instance};
    struct step step = {0};
    enum step_outcome outcome = replay_fire(following->stepper, following->trace->count ? cells_now(following) : NULL,
                                            &claim, following->cells, &step);
    if (outcome != STEP_STATE && outcome != STEP_FAULT)
        return false;
    trace_push(following->trace, rule, instance, outcome == STEP_STATE ? step.cells : NULL,
               outcome == STEP_FAULT ? &step.fault : NULL);
    return true;
}

static bool is_process(const struct following *following, const struct rule *rule, uint64_t instance, uint32_t actor,
                       uint32_t number)
{
    const struct face *face = following->system->face;
    uint32_t process = face_actor(rule, instance, actor);
    return face->processes.items[process].number == number &&
           face_process_is_there(face, process, cells_now(following));
}

/* Does the event name a statement of the process? */
static bool is_event(const struct following *following, size_t event, uint32_t process, uint32_t statement)
{
    return event < following->run->count && following->run->events[event].process == process &&
           following->run->events[event].statement == statement;
}

/* The first of the rule's statements that is the next event; `skips`: those before it may be missing. statement_count:
 * none is. */
static uint32_t first_statement(const struct following *following, const struct face_step *shown, bool skips)
{
    uint32_t at = 0;
    while (at < shown->statement_count && shown->statements[at] != following->run->events[following->at].statement)
        at++;
    return at && !(skips && shown->act != FACE_MEETS) ? shown->statement_count : at;
}

/* How many events the instance stands for, from this statement on; 0: it is not what comes next. */
static size_t events_of(const struct following *following, const struct rule *rule, uint64_t instance, uint32_t first)
{
    const struct face_step *shown = rule->shown;
    const struct follow_event *next = &following->run->events[following->at];
    if (!is_process(following, rule, instance, 0, next->process))
        return 0;
    if (shown->act == FACE_MEETS) {
        bool has_partner = following->at + 1 < following->run->count && next[1].statement == shown->statements[1] &&
                           is_process(following, rule, instance, 1, next[1].process);
        return has_partner ? 2 : 0;
    }
    size_t taken = 1;
    for (uint32_t i = first + 1; i < shown->statement_count; i++) {
        if (is_event(following, following->at + taken, next->process, shown->statements[i]))
            taken++;
        else if (!following->run->is_merged && following->at + taken < following->run->count)
            return 0; /* one that is cut short by the end of the run is none */
    }
    return taken;
}

/* Does a rule stand for the statement of the next event? Jumps that the front end has followed are no steps. */
static bool is_known(const struct following *following)
{
    bool found = false;
    for (size_t r = 0; r < following->system->rules.count && !found; r++) {
        const struct face_step *shown = following->system->rules.items[r]->shown;
        for (uint32_t i = 0; shown && i < shown->statement_count && !found; i++)
            found = shown->statements[i] == following->run->events[following->at].statement;
    }
    return found;
}

static bool take_event(struct following *following, bool skips)
{
    for (size_t r = 0; r < following->system->rules.count; r++) {
        const struct rule *rule = following->system->rules.items[r];
        uint32_t first = rule->shown ? first_statement(following, rule->shown, skips) : 0;
        if (!rule->shown || first == rule->shown->statement_count)
            continue;
        for (uint64_t instance = 0; instance < rule->instance_count; instance++) {
            size_t taken = events_of(following, rule, instance, first);
            if (taken && fire(following, rule, instance)) {
                following->at += taken;
                return true;
            }
        }
    }
    return false;
}

/* The only step that the process can take by itself, without an event. False: there is none, or more than one. With
 * `is_inner` only steps that have no event at all. */
static bool take_silent(struct following *following, const uint32_t *process, bool is_inner)
{
    const struct rule *found = NULL;
    uint64_t which = 0;
    struct step step = {0};
    stepper_begin_successors(following->stepper, cells_now(following));
    for (enum step_outcome outcome; (outcome = stepper_next(following->stepper, &step)) != STEP_END;) {
        const struct face_step *shown = step.rule->shown;
        bool is_asked = shown && shown->act != FACE_MEETS && (!is_inner || !shown->statement_count) &&
                        (!process || is_process(following, step.rule, step.instance, 0, *process));
        if (!is_asked || outcome == STEP_DISCARDED)
            continue;
        if (found && process)
            return false;
        found = step.rule;
        which = step.instance;
        if (!process)
            break;
    }
    return found && fire(following, found, which);
}

/* The process that goes on alone; NULL: none does. */
static const uint32_t *holder(const struct following *following, uint32_t *number)
{
    if (!following->system->holder || !system_passes_through(following->system, cells_now(following)))
        return NULL;
    *number = (uint32_t)cells_now(following)[following->system->holder->address];
    return number;
}

static bool has_ended(const struct following *following)
{
    return !cells_now(following) || watch_is_up();
}

/* The next event, and what must come before it. */
static bool follow_event(struct following *following)
{
    uint32_t number;
    for (uint32_t silent = 0; silent < MOST_SILENT && !has_ended(following); silent++) {
        const struct follow_event *next = &following->run->events[following->at];
        while (!has_ended(following) && holder(following, &number) && take_silent(following, NULL, true))
            ;
        if (has_ended(following) || take_event(following, false))
            return true;
        if (!is_known(following)) {
            following->at++;
            return true;
        }
        if (following->run->is_merged && take_event(following, true))
            return true;
        const uint32_t *alone = holder(following, &number);
        if (!following->run->is_merged || !take_silent(following, alone ? alone : &next->process, false))
            return false;
    }
    return true;
}

static void complain(struct following *following, struct text *message)
{
    const struct follow_event *next = &following->run->events[following->at];
    const struct face *face = following->system->face;
    const char *name = NULL;
    for (uint32_t p = 0; p < face->processes.count; p++)
        if (face->processes.items[p].number == next->process && face_process_is_there(face, p, cells_now(following)))
            name = face->processes.items[p].name;
    text_format(message, "line %zu: ", following->at + 1);
    if (name)
        text_format(message, "%s cannot take statement %u here", name, (unsigned)next->statement);
    else
        text_format(message, "there is no process %u here", (unsigned)next->process);
}

/* What merged statements are left at the end: in a state from which nothing can move they are done, too. */
static void settle(struct following *following)
{
    uint32_t steps = 0;
    const struct trace *trace = following->trace;
    uint32_t count = trace->count, number;
    while (!has_ended(following) && holder(following, &number) && take_silent(following, NULL, true))
        ;
    if (!following->run->is_merged || !following->run->comes_to_rest || following->run->has_loop)
        return;
    count = trace->count;
    while (steps++ < 64 && !has_ended(following) && take_silent(following, NULL, false))
        ;
    if (steps <= 64)
        return;
    while (trace->count > count) /* it did not come to rest: it was nothing of that kind */
        trace_pop(following->trace);
}

struct trace *trace_follow(const struct layout *layout, const struct follow_run *run, size_t *left,
                           struct text *message)
{
    struct following following = {.system = layout->system,
                                  .run = run,
                                  .stepper = stepper_create_single(layout->system, layout),
                                  .trace = trace_create(layout->system, layout),
                                  .cells = memory_alloc((layout->cell_count + 1) * sizeof(int32_t))};
    bool is_good = fire(&following, layout->system->starts.items[0], 0);
    for (bool has_begun = false; is_good && following.at < run->count && !has_ended(&following);) {
        if (run->has_loop && !has_begun && following.at >= run->loop) {
            following.trace->has_loop = has_begun = true;
            following.trace->loop = following.trace->count - 1;
        }
        is_good = follow_event(&following);
    }
    *left = run->count - following.at;
    if (!is_good)
        complain(&following, message);
    if (*left <= 1 && !has_ended(&following))
        settle(&following);
    trace_fold(following.trace);
    stepper_destroy(following.stepper);
    free(following.cells);
    return following.trace;
}
