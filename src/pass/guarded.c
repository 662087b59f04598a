#include "pass/guarded.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "exec/conditions.h"
#include "ir/fairness.h"
#include "pass/unwind.h"
#include "result/path.h"
#include "rewrite/weaken.h"

/* Of a state without other exits at most so many images are looked at; of all of them together. */
enum { GUARDED_MOST_IMAGES = 5000, GUARDED_MOST_IN_ALL = 100000 };

struct guarded {
    struct view view;
    struct system *weak; /* the super-structure */
    struct detection detection;
    struct layout *layout;      /* of the system with the symmetry: `weak`, or a copy with other codes */
    struct system *own;         /* the model again, with those codes */
    struct layout *own_layout;  /* of it */
    VEC(uint32_t) hidden_cells; /* constants that the super-structure leaves undefined, and their values */
    VEC(int32_t) hidden_values;
    int32_t *image; /* with them */
    enum deadlock_mode deadlock;
    bool may_end; /* a run of the model may end where one of the super-structure does not */
    bool is_decided;
    /* For questions of the engine's threads, one at a time. */
    pthread_mutex_t lock;
    struct canon *canon;
    uint32_t images;                 /* that were looked at */
    struct stepper *stepper, *judge; /* of steps; of assumptions about where they lead */
};

static void guarded_close(struct view *view)
{
    struct guarded *guarded = (struct guarded *)view;
    stepper_destroy(guarded->stepper);
    stepper_destroy(guarded->judge);
    if (guarded->canon)
        canon_destroy(guarded->canon);
    VEC_FREE(&guarded->hidden_cells);
    VEC_FREE(&guarded->hidden_values);
    free(guarded->image);
    layout_destroy(guarded->own_layout);
    weaken_undo_free(guarded->own);
    layout_destroy(guarded->layout);
    detection_free(&guarded->detection);
    system_destroy(guarded->weak);
    pthread_mutex_destroy(&guarded->lock);
    free(guarded);
}

/* --- states without a successor in the model --- */

static bool guarded_is_stuck(void *user, const int32_t *cells)
{
    struct guarded *guarded = user;
    struct step step = {0};
    enum step_outcome outcome;
    stepper_begin_successors(guarded->stepper, cells);
    while ((outcome = stepper_next(guarded->stepper, &step)) != STEP_END) {
        bool counts = outcome != STEP_STATE || guarded->deadlock == DEADLOCK_STUCK ||
                      step_is_other(&step, cells, guarded->own->state_cells);
        if (outcome != STEP_DISCARDED && counts)
            return false;
    }
    return true;
}

/* Does no step lead on to a state that counts? */
static bool guarded_is_end(void *user, const int32_t *cells)
{
    struct guarded *guarded = user;
    struct step step = {0};
    enum step_outcome outcome;
    stepper_begin_successors(guarded->stepper, cells);
    while ((outcome = stepper_next(guarded->stepper, &step)) != STEP_END)
        if (outcome == STEP_STATE && conditions_admit(guarded->judge, step.cells))
            return false;
    return true;
}

/* --- about all states of an orbit --- */

struct guarded_question {
    struct guarded *guarded;
    bool (*ask)(void *guarded, const int32_t *cells);
    bool answer;
};

static bool guarded_visit(void *user, const int32_t *image)
{
    struct guarded_question *question = user;
    struct guarded *guarded = question->guarded;
    memcpy(guarded->image, image, guarded->layout->cell_count * sizeof *image);
    for (size_t h = 0; h < guarded->hidden_cells.count; h++)
        guarded->image[guarded->hidden_cells.items[h]] = guarded->hidden_values.items[h];
    question->answer =
        guarded->images++ >= GUARDED_MOST_IN_ALL || watch_is_up() || question->ask(guarded, guarded->image);
    return !question->answer;
}

/* Is it so of some state of the orbit, or is that not known? */
static bool guarded_may_be(struct guarded *guarded, const int32_t *cells, bool (*ask)(void *, const int32_t *))
{
    struct guarded_question question = {.guarded = guarded, .ask = ask};
    pthread_mutex_lock(&guarded->lock);
    bool is_whole = canon_visit_orbit(guarded->canon, cells, GUARDED_MOST_IMAGES, guarded_visit, &question);
    pthread_mutex_unlock(&guarded->lock);
    return question.answer || !is_whole;
}

static bool guarded_may_be_stuck(void *user, const int32_t *cells)
{
    return guarded_may_be(user, cells, guarded_is_stuck);
}

static void guarded_note_exits(void *user, const int32_t *cells)
{
    struct guarded *guarded = user;
    guarded->may_end = guarded->may_end || guarded_may_be(guarded, cells, guarded_is_end);
}

void guarded_prepare(struct view *view, struct engine_options *options)
{
    struct guarded *guarded = (struct guarded *)view;
    guarded->deadlock = options->deadlock;
    options->may_be_stuck = guarded_may_be_stuck;
    options->note_exits = guarded_note_exits;
    options->guarded = guarded;
}

/* --- what a super-structure can tell --- */

/* About all runs? `is_positive`: under an even number of negations. */
static bool guarded_is_universal(const struct ctl *ctl, bool is_positive)
{
    if (!ctl)
        return true;
    switch (ctl->kind) {
    case CTL_PROPOSITION:
        return true;
    case CTL_NOT:
        return guarded_is_universal(ctl->left, !is_positive);
    case CTL_IMPLIES:
        return guarded_is_universal(ctl->left, !is_positive) && guarded_is_universal(ctl->right, is_positive);
    case CTL_AND:
    case CTL_OR:
    case CTL_FORALL:
    case CTL_EXISTS:
        break;
    case CTL_AX:
    case CTL_AF:
    case CTL_AG:
    case CTL_AU:
        if (!is_positive)
            return false;
        break;
    case CTL_EX:
    case CTL_EF:
    case CTL_EG:
    case CTL_EU:
        if (is_positive)
            return false;
        break;
    default: /* the past of a state is larger there, and what is a deadlock is not the same */
        return false;
    }
    return guarded_is_universal(ctl->left, is_positive) && guarded_is_universal(ctl->right, is_positive);
}

const char *guarded_refusal(const struct system *system)
{
    bool is_linear = false;
    const char *fair = NULL;
    if (system_has_macro_steps(system)) /* a weaker guard makes others wait longer */
        return "a step may fire several rules, and how far it goes depends on guards";
    for (size_t p = 0; p < system->properties.count; p++) {
        const struct property *property = system->properties.items[p];
        is_linear |= property->ltl || property->ctl;
        if (property->kind == PROPERTY_COVER || property->kind == PROPERTY_LIVENESS)
            return "goals are to be reached in the model itself";
        if (property->ctl && !guarded_is_universal(property->ctl, true))
            return "a CTL formula says that there is a run";
        if (property->fairness && property->fairness->kind != FAIRNESS_CONDITION)
            fair = "what is enabled, and so which runs are fair, depends on guards";
    }
    return is_linear ? fair : NULL;
}

/* --- results --- */

static bool guarded_is_temporal(const struct property *property)
{
    return property->ctl || property->ltl;
}

/* Is the formula false on the run alone? One of branching time may need several runs, and the model may lack others. */
static bool guarded_shows(const struct trace *run, const struct property *property)
{
    if (property->ctl)
        return path_evaluate(run, property->ctl) == PATH_FALSE;
    char *wrong = trace_confirm(run, TRACE_SHOWS_FALSE, property);
    bool shows = !wrong;
    free(wrong);
    return shows;
}

/* The run in the model; NULL: it has none that shows the same. */
static struct trace *guarded_follow(struct guarded *guarded, const struct property_result *found)
{
    bool is_deadlock = found->property->kind == PROPERTY_DEADLOCK;
    struct unwind_hidden hidden = {guarded->hidden_cells.items, guarded->hidden_values.items,
                                   (uint32_t)guarded->hidden_cells.count};
    struct trace *run = !found->trace ? NULL
                                      : unwind_trace(guarded->own_layout, guarded->detection.symmetry, found->trace,
                                                     &hidden, is_deadlock ? guarded_is_stuck : NULL, guarded);
    if (!run || !guarded_is_temporal(found->property) || guarded_shows(run, found->property))
        return run;
    trace_destroy(run);
    return NULL;
}

static void guarded_unwind(struct guarded *guarded, struct result *result, struct property_result *found)
{
    struct trace *run = guarded_follow(guarded, found);
    if (!run) {
        result_set_verdict(result, found->property, VERDICT_UNKNOWN,
                           "it is violated if guards that break the symmetry are left out");
        return;
    }
    struct text reason = {0};
    const struct trace_step *last = &run->steps[run->count - 1];
    struct fault fault = last->cells ? found->fault : last->fault;
    if (run->has_loop)
        text_format(&reason, "the formula is false on this run: steps %u to %u repeat for ever", run->loop + 1,
                    run->count - 1);
    else
        text_append(&reason, guarded_is_temporal(found->property)         ? "the formula is false on this run"
                             : found->property->kind == PROPERTY_DEADLOCK ? deadlock_reason(guarded->deadlock)
                                                                          : found->reason);
    result_set_failed(result, found->property, fault.kind == FAULT_NONE ? NULL : &fault, run, text_chars(&reason));
    text_free(&reason);
}

static struct result *guarded_lift(const struct view *view, struct result *result, const struct engine_options *options)
{
    struct guarded *guarded = (struct guarded *)view;
    bool is_violated = false, is_open = !result->is_complete;
    for (size_t p = 0; p < result->system->properties.count; p++) {
        struct property_result *found = &result->properties[p];
        if (!result->checked[p])
            continue;
        if (found->verdict == VERDICT_VIOLATED)
            guarded_unwind(guarded, result, found);
        else if (found->verdict == VERDICT_HOLDS && guarded_is_temporal(found->property) && guarded->may_end)
            result_set_verdict(result, found->property, VERDICT_UNKNOWN, "a run may end in the model only");
        is_violated |= found->verdict == VERDICT_VIOLATED;
        is_open |= found->verdict == VERDICT_UNKNOWN;
    }
    bigint_destroy(result->statistics.represented);
    result->statistics.represented =
        NULL; /* states of the super-structure: how many the model has, nobody has counted */
    guarded->is_decided = is_violated ? !options->keep_going || !is_open : !is_open;
    return result;
}

bool guarded_is_decided(const struct view *view)
{
    return ((const struct guarded *)view)->is_decided;
}

uint32_t guarded_count(const struct view *view)
{
    const struct system *system = view->layout->system;
    uint32_t count = 0;
    for (size_t r = 0; r < system->rules.count; r++)
        count += system->rules.items[r]->own_guard != NULL;
    return count;
}

/* The cells that a start state of the model has and the super-structure leaves undefined. */
static void guarded_hide(struct guarded *guarded)
{
    struct stepper *weak = stepper_create_evaluator(guarded->detection.system, guarded->layout);
    struct step start = {0}, own = {0};
    stepper_begin_starts(weak);
    stepper_begin_starts(guarded->stepper);
    bool are_states = stepper_next(weak, &start) == STEP_STATE && stepper_next(guarded->stepper, &own) == STEP_STATE;
    for (uint32_t c = 0; are_states && c < guarded->layout->cell_count; c++)
        if (start.cells[c] == UNDEFINED && own.cells[c] != UNDEFINED) {
            VEC_PUSH(&guarded->hidden_cells, c);
            VEC_PUSH(&guarded->hidden_values, own.cells[c]);
        }
    stepper_destroy(weak);
}

struct view *view_guarded(const struct view *below, struct system *weak, const struct detect_options *options)
{
    struct guarded *guarded = memory_zeroed(1, sizeof *guarded);
    guarded->weak = weak;
    guarded->detection = detect_symmetry(weak, options);
    guarded->layout = layout_create(guarded->detection.system);
    guarded->own = weaken_undo(guarded->detection.system);
    guarded->own_layout = layout_create(guarded->own);
    guarded->view = (struct view){.below = below,
                                  .layout = guarded->layout,
                                  .symmetry = guarded->detection.symmetry,
                                  .lift = guarded_lift,
                                  .close = guarded_close};
    pthread_mutex_init(&guarded->lock, NULL);
    if (symmetry_is_trivial(guarded->detection.symmetry)) {
        guarded_close(&guarded->view);
        return NULL;
    }
    guarded->stepper = stepper_create_evaluator(guarded->own, guarded->own_layout);
    guarded->judge = stepper_create_evaluator(guarded->own, guarded->own_layout);
    guarded->image = memory_alloc((guarded->layout->cell_count + 1) * sizeof *guarded->image);
    guarded_hide(guarded);
    guarded->canon = canon_create(guarded->detection.symmetry, guarded->layout);
    return &guarded->view;
}
