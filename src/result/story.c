#include "result/story.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "exec/conditions.h"
#include "result/close.h"

struct guide {
    const struct story *story;
    struct stepper *stepper, *judge; /* evaluators: of steps, and of assumptions about where they lead */
    struct trace *trace;
    struct text *words;
    VEC(const struct variable *) chosen; /* quantified variables whose values are part of the story */
    bool has_shown;                      /* something that one run can show */
    bool has_failed;
};

static const int32_t *guide_state(const struct guide *guide)
{
    return guide->trace->steps[guide->trace->count - 1].cells;
}

static enum truth guide_truth(struct guide *guide, const struct ctl *ctl, const int32_t *cells)
{
    return guide->story->source->truth(guide->story->user, ctl, cells);
}

/* --- real steps --- */

struct guide_goal {
    struct guide *guide;
    const struct ctl *ctl;
    size_t position;
};

static bool guide_is_there(void *user, const struct step *step)
{
    const struct guide_goal *goal = user;
    const struct story *story = goal->guide->story;
    return story->source->is_at(story->user, goal->ctl, step->cells, goal->position);
}

static const struct canon *guide_canonise(void *user, const int32_t *cells)
{
    const struct guide_goal *goal = user;
    const struct story *story = goal->guide->story;
    return story->source->canonise(story->user, goal->ctl, cells);
}

static struct closer guide_closer(struct guide_goal *goal)
{
    struct guide *guide = goal->guide;
    return (struct closer){.layout = guide->story->layout,
                           .symmetry = guide->story->symmetry,
                           .stepper = guide->stepper,
                           .judge = guide->judge,
                           .user = goal,
                           .canonise = guide_canonise};
}

/* Goes the way that shows it. False: there was no memory or time to find one. */
static bool guide_go(struct guide *guide, const struct ctl *ctl, bool is_true)
{
    const struct story *story = guide->story;
    struct story_way way = {.back = STORY_NO_LOOP};
    uint32_t begin = guide->trace->count - 1;
    if (!story->source->find(story->user, ctl, is_true, guide_state(guide), &way)) {
        guide->has_failed = true;
        return false;
    }
    struct guide_goal goal = {guide, ctl, 0};
    struct closer closer = guide_closer(&goal);
    for (goal.position = 1; goal.position <= way.length; goal.position++)
        close_step(&closer, guide->trace, guide_is_there, &goal);
    if (way.goes_on && !story->source->go_on(story->user, ctl, is_true, guide->trace)) {
        guide->has_failed = true;
        return false;
    }
    if (way.back != STORY_NO_LOOP && !close_loop(&closer, guide->trace, begin + (uint32_t)way.back)) {
        guide->has_failed = true;
        return false;
    }
    guide->has_shown = true;
    return true;
}

/* --- the story --- */

static void guide_say_values(const struct guide *guide)
{
    for (size_t i = 0; i < guide->chosen.count; i++) {
        const struct variable *variable = guide->chosen.items[i];
        text_format(guide->words, "%s%s: ", i ? ", " : " (", variable->name);
        type_print_value(variable->type, *story_value(guide->story, variable), guide->words);
    }
    if (guide->chosen.count)
        text_char(guide->words, ')');
}

/* The formula as the user wrote it. */
static void guide_say_formula(const struct guide *guide, const struct ctl *ctl)
{
    size_t width;
    const char *line = source_line(ctl->span, &width);
    size_t begin = ctl->span.column - 1;
    if (line && ctl->span.line && begin + ctl->span.length <= width)
        text_format(guide->words, "%.*s", (int)ctl->span.length, line + begin);
    else
        text_append(guide->words, ctl_kind_name(ctl->kind));
}

static void guide_say(struct guide *guide, const struct ctl *ctl, bool is_true)
{
    if (guide->trace->count == 1)
        text_append(guide->words, "in this start state ");
    else if (guide->story->must_go_on)
        text_format(guide->words, "after step %u of this run ",
                    (unsigned)trace_number(guide->trace, guide->trace->count - 1));
    else
        text_append(guide->words, "in the last state of this run ");
    guide_say_formula(guide, ctl);
    text_format(guide->words, " is %s", is_true ? "true" : "false");
    guide_say_values(guide);
}

static void guide_say_for_ever(struct guide *guide, const struct ctl *operand, bool is_true)
{
    guide_say_formula(guide, operand);
    text_format(guide->words, " is %s for ever", is_true ? "true" : "false");
    guide_say_values(guide);
}

static void guide_show(struct guide *guide, const struct ctl *ctl, bool is_true);

static void guide_show_for_ever(struct guide *guide, const struct ctl *ctl, bool is_true)
{
    if (guide_go(guide, ctl, is_true))
        guide_say_for_ever(guide, ctl->kind == CTL_AU ? ctl->right : ctl->left, is_true);
}

/* A[f U g] is false: a way without g to where f is false too, or one without g for ever. */
static void guide_show_no_until(struct guide *guide, const struct ctl *ctl)
{
    if (!guide_go(guide, ctl, false))
        return;
    if (guide->trace->has_loop || guide_truth(guide, ctl->left, guide_state(guide)) != TRUTH_FALSE) {
        guide_say_for_ever(guide, ctl->right, false);
        return;
    }
    guide_say(guide, ctl->left, false);
    text_append(guide->words, " before ");
    guide_say_formula(guide, ctl->right);
    text_append(guide->words, " was true");
}

/* Both operands matter: shown is the one that has something to show. */
static void guide_show_both(struct guide *guide, const struct ctl *ctl, bool left, bool right, bool is_true)
{
    if (!ctl_has_temporal(ctl->left))
        guide_show(guide, ctl->right, right);
    else if (!ctl_has_temporal(ctl->right))
        guide_show(guide, ctl->left, left);
    else
        guide_say(guide, ctl, is_true);
}

/* AND (is_true), OR (false), IMPLIES (false) need both operands; else one suffices. */
static void guide_show_connective(struct guide *guide, const struct ctl *ctl, bool is_true)
{
    bool left = ctl->kind == CTL_IMPLIES ? !is_true : is_true, right = is_true;
    if (is_true == (ctl->kind == CTL_AND)) {
        guide_show_both(guide, ctl, left, right, is_true);
        return;
    }
    if (guide_truth(guide, ctl->left, guide_state(guide)) == (left ? TRUTH_TRUE : TRUTH_FALSE))
        guide_show(guide, ctl->left, left);
    else
        guide_show(guide, ctl->right, right);
}

static void guide_show_quantifier(struct guide *guide, const struct ctl *ctl, bool is_true)
{
    int32_t *value = story_value(guide->story, ctl->variable);
    if (is_true == (ctl->kind == CTL_FORALL)) {
        guide_say(guide, ctl, is_true);
        return;
    }
    for (uint32_t i = 0; i < ctl->variable->type->size; i++) {
        *value = type_code(ctl->variable->type, i);
        if (guide_truth(guide, ctl->left, guide_state(guide)) != (is_true ? TRUTH_TRUE : TRUTH_FALSE))
            continue;
        VEC_PUSH(&guide->chosen, ctl->variable);
        guide_show(guide, ctl->left, is_true);
        return;
    }
    guide->has_failed = true; /* the engine could not tell */
}

/* The formula is_true in the last state: goes on from there as long as there is something to show. */
static void guide_show(struct guide *guide, const struct ctl *ctl, bool is_true)
{
    switch (ctl->kind) {
    case CTL_NOT:
        guide_show(guide, ctl->left, !is_true);
        return;
    case CTL_AND:
    case CTL_OR:
    case CTL_IMPLIES:
        guide_show_connective(guide, ctl, is_true);
        return;
    case CTL_FORALL:
    case CTL_EXISTS:
        guide_show_quantifier(guide, ctl, is_true);
        return;
    default:
        break;
    }
    bool is_universal = ctl->kind >= CTL_AX && ctl->kind <= CTL_AU;
    bool is_existential = ctl->kind >= CTL_EX && ctl->kind <= CTL_EU;
    if (!(is_true ? is_existential : is_universal))
        guide_say(guide, ctl, is_true);
    else if (ctl->kind == CTL_AU)
        guide_show_no_until(guide, ctl);
    else if (ctl->kind == CTL_EG || ctl->kind == CTL_AF)
        guide_show_for_ever(guide, ctl, is_true);
    else if (guide_go(guide, ctl, is_true))
        guide_show(guide, ctl->kind == CTL_EU ? ctl->right : ctl->left, is_true);
}

/* --- where it begins --- */

static bool guide_begins(const struct guide *guide, const int32_t *cells)
{
    const struct story *story = guide->story;
    return !story->source->begins || story->source->begins(story->user, cells);
}

/* The first real start state of which it is so, and in which the run may begin. */
static bool guide_start(struct guide *guide, const struct ctl *ctl, bool is_true)
{
    struct step step = {0};
    enum step_outcome outcome;
    stepper_begin_starts(guide->stepper);
    while ((outcome = stepper_next(guide->stepper, &step)) != STEP_END)
        if (outcome == STEP_STATE && conditions_admit(guide->judge, step.cells) &&
            guide_truth(guide, ctl, step.cells) == (is_true ? TRUTH_TRUE : TRUTH_FALSE) &&
            guide_begins(guide, step.cells)) {
            trace_push_step(guide->trace, &step, STEP_STATE);
            return true;
        }
    return false;
}

/* What was shown counts if the run can go on fairly. */
static void guide_end(struct guide *guide)
{
    const struct story *story = guide->story;
    if (!story->must_go_on || !guide->has_shown || guide->has_failed || guide->trace->has_loop)
        return;
    guide->has_failed = !story->source->go_on(story->user, NULL, true, guide->trace);
}

struct trace *story_tell(const struct story *story, const struct ctl *ctl, bool is_true)
{
    const struct system *system = story->layout->system;
    struct guide guide = {.story = story, .words = story->words};
    guide.stepper = stepper_create_evaluator(system, story->layout);
    guide.judge = stepper_create_evaluator(system, story->layout);
    guide.trace = trace_create(system, story->layout);
    if (guide_start(&guide, ctl, is_true))
        guide_show(&guide, ctl, is_true);
    guide_end(&guide);
    stepper_destroy(guide.stepper);
    stepper_destroy(guide.judge);
    VEC_FREE(&guide.chosen);
    if (guide.trace->count && !guide.has_failed && (guide.has_shown || !is_true))
        return guide.trace;
    trace_destroy(guide.trace);
    return NULL;
}
