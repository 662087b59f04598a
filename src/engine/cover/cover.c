#include "engine/cover/cover.h"

#include "base/clock.h"
#include "engine/cover/answer.h"

bool cover_spend(struct cover *cover, uint32_t work)
{
    uint64_t most = cover->pace.limits->states;
    struct stop stop = {0};
    struct progress_sample sample = {.states = cover->stored, .bytes = cover->bytes};
    cover->work += work;
    if (most && cover->stored >= most)
        stop = stop_limit(STOP_STATES, most);
    else if (pace_spend(&cover->pace, work) || pace_tick(&cover->pace, sample, &stop))
        return true;
    stop_once(&cover->stop, stop);
    return false;
}

void cover_run_free(struct cover_run *run)
{
    VEC_FREE(&run->words);
    trace_destroy(run->trace);
}

/* --- taking turns --- */

/* Units of work: short at first, so that what one search finds at once does not wait for the other. */
enum { COVER_FIRST_TURN = 1000, COVER_LONGEST_TURN = 20000000 };

/* Units of work in all, after which decision diagrams are likely to be faster than lists. */
enum { COVER_LISTED = 100000 };

/* Processor seconds of the helper where the number of threads is fixed and other engines wait, and where nobody does.
 */
static const double COVER_FIXED_SECONDS = 5, COVER_VIEWS_SECONDS = 1e9;

/* Pairs of a shared and a local state that are listed before the helper is asked, and how many times as many before it
 * is asked again. */
enum { COVER_FIRST_PAIRS = 1000, COVER_MORE_PAIRS = 4 };

struct turns {
    struct cover *cover;
    struct cover_forward forward;
    struct cover_backward backward;
    struct cover_tree tree;
    struct cover_helper *helper;
    double given;         /* processor seconds that the diagrams have taken */
    uint32_t explored;    /* there is no violation with so many threads */
    struct pairs reached; /* pairs of a shared and a local state that these have */
    bool asks;            /* `query` is about the pairs one step away */
    struct cover_backward query;
    size_t asked;    /* how many pairs there were then */
    uint32_t cutoff; /* the pairs are complete with so many threads; 0: not known */
};

static void turns_count(struct turns *turns)
{
    turns->cover->bytes = turns->forward.states.bytes + turns->forward.parents.capacity * sizeof(uint32_t) +
                          turns->backward.elements.capacity * sizeof(struct cover_element) +
                          turns->backward.locals.capacity * sizeof(uint32_t) + turns->tree.nodes.bytes;
}

/* The pairs of all configurations of the forward search. Are there new ones? */
static bool turns_gather(struct turns *turns)
{
    size_t before = turns->reached.count;
    for (uint32_t s = 0; s < words_count(&turns->forward.states); s++) {
        const uint32_t *configuration = words_at(&turns->forward.states, s);
        for (uint32_t t = 1; t <= turns->forward.size; t++)
            if (t == 1 || configuration[t] != configuration[t - 1])
                pairs_set(&turns->reached, pairs_key(configuration[0], configuration[t]), 1);
    }
    return turns->reached.count > before;
}

/* The pairs are complete: the backward search begins again, and passes over all others. */
static void turns_cut_off(struct turns *turns)
{
    turns->cutoff = turns->explored;
    turns->cover->known = &turns->reached;
    backward_end(&turns->backward);
    backward_begin(&turns->backward, turns->cover);
}

/* Another thread has added no pair: are there any left? Asked once for the same pairs. */
static void turns_ask(struct turns *turns)
{
    struct cover_targets targets = {0};
    if (turns->asks || turns->cutoff || turns->asked == turns->reached.count)
        return;
    turns->asked = turns->reached.count;
    if (cutoff_candidates(turns->cover, &turns->reached, &targets)) {
        backward_begin_at(&turns->query, turns->cover, &targets);
        turns->asks = true;
    }
    VEC_FREE(&targets.list);
}

/* All numbers of threads that are done within the turn. */
static enum cover_outcome turn_forward(struct turns *turns, uint64_t most)
{
    struct cover *cover = turns->cover;
    uint64_t begin = cover->work;
    while (cover->work - begin < most) {
        enum cover_outcome outcome = forward_go(&turns->forward, most - (cover->work - begin));
        turns_count(turns);
        if (outcome != COVER_DONE)
            return outcome;
        turns->explored = turns->forward.size;
        if (!turns_gather(turns))
            turns_ask(turns);
        forward_end(&turns->forward);
        forward_begin(&turns->forward, cover, turns->explored + 1);
        if (!cover_spend(cover, 100)) /* a search of few steps costs something, too */
            return COVER_STOPPED;
    }
    return COVER_GOES_ON;
}

static enum cover_outcome turn_backward(struct turns *turns, uint64_t most)
{
    enum cover_outcome outcome = turns->asks ? backward_go(&turns->query, most) : COVER_GOES_ON;
    if (outcome == COVER_STOPPED)
        return outcome;
    if (outcome != COVER_GOES_ON) {
        turns->asks = false;
        backward_end(&turns->query);
    }
    if (outcome == COVER_DONE)
        turns_cut_off(turns);
    outcome = backward_go(&turns->backward, most);
    turns_count(turns);
    return outcome;
}

/* Where the others have not come to an end soon: with as much time as they have taken. */
static enum cover_outcome turn_helper(struct turns *turns, struct cover_run *run)
{
    struct cover *cover = turns->cover;
    if (!turns->helper->is_open || cover->work < COVER_LISTED)
        return COVER_GOES_ON;
    double begin = clock_cpu();
    enum cover_outcome outcome = helper_go(turns->helper, pace_cpu_seconds(&cover->pace) - turns->given, run);
    turns->given += clock_cpu() - begin;
    return outcome;
}

static enum cover_outcome turns_take(struct turns *turns, struct cover_run *run)
{
    for (uint64_t most = COVER_FIRST_TURN;; most = most < COVER_LONGEST_TURN ? 2 * most : most) {
        enum cover_outcome outcome = turn_forward(turns, most);
        if (outcome == COVER_FOUND)
            forward_run(&turns->forward, run);
        if (outcome != COVER_GOES_ON)
            return outcome;
        outcome = turn_backward(turns, most);
        if (outcome == COVER_FOUND)
            backward_run(&turns->backward, run);
        if (outcome != COVER_GOES_ON)
            return outcome;
        outcome = tree_go(&turns->tree, most);
        if (outcome == COVER_GOES_ON)
            outcome = turn_helper(turns, run);
        if (outcome != COVER_GOES_ON)
            return outcome;
    }
}

static void turns_end(struct turns *turns)
{
    forward_end(&turns->forward);
    backward_end(&turns->backward);
    tree_end(&turns->tree);
    if (turns->asks)
        backward_end(&turns->query);
    pairs_free(&turns->reached);
}

/* --- the engine --- */

static bool has_open(const struct cover *cover, size_t count)
{
    for (size_t p = 0; p < count; p++)
        if (cover->is_open[p])
            return true;
    return false;
}

/* The helper begins again with the properties that are left. */
static void take_run(struct cover_answer *answer, struct cover_run *run)
{
    cover_answer_violate(answer, run);
    helper_begin(&answer->helper, answer->cover, answer->shape, answer->options);
}

/* One violation after the other, as long as there are open properties and more than one is asked for. */
static void cover_search(struct cover_answer *answer)
{
    struct cover *cover = answer->cover;
    enum cover_outcome outcome = COVER_FOUND;
    while (outcome == COVER_FOUND && has_open(cover, answer->shape->system->properties.count)) {
        struct turns turns = {.cover = cover, .helper = &answer->helper};
        struct cover_run run = {0};
        cover->known = &cover->threads->pairs;
        forward_begin(&turns.forward, cover, 1);
        backward_begin(&turns.backward, cover);
        tree_begin(&turns.tree, cover);
        outcome = turns_take(&turns, &run);
        answer->explored = turns.explored > answer->helper.explored ? turns.explored : answer->helper.explored;
        answer->basis = turns.backward.alive;
        if (outcome == COVER_FOUND)
            take_run(answer, &run);
        answer->cutoff = turns.cutoff;
        turns_end(&turns);
        cover_run_free(&run);
        if (stop_is_set(&answer->stop) || !answer->options->keep_going)
            return;
    }
}

static struct stop why_helper_ends(void)
{
    return watch_is_up() ? watch_stop(watch_of_thread) : stop_of(STOP_WORK);
}

/* The number of threads is fixed: decision diagrams only, and only for a moment. */
static void cover_search_fixed(struct cover_answer *answer)
{
    struct cover_run run = {0};
    enum cover_outcome outcome = helper_go(&answer->helper, COVER_FIXED_SECONDS, &run);
    answer->explored = answer->helper.explored;
    if (outcome == COVER_FOUND && !answer->options->keep_going && cover_answer_shows(answer, &run))
        cover_answer_violate(answer, &run);
    else if (outcome != COVER_DONE)
        stop_once(&answer->stop, why_helper_ends());
    cover_run_free(&run);
}

/* --method views: decision diagrams only, as long as it takes. */
static void cover_search_views(struct cover_answer *answer)
{
    struct cover *cover = answer->cover;
    enum cover_outcome outcome = COVER_GOES_ON;
    while (outcome != COVER_DONE && outcome != COVER_STOPPED && answer->helper.is_open && !watch_is_up()) {
        struct cover_run run = {0};
        outcome = helper_go(&answer->helper, COVER_VIEWS_SECONDS, &run);
        answer->explored = answer->helper.explored;
        if (outcome != COVER_FOUND)
            continue;
        take_run(answer, &run);
        if (!answer->options->keep_going || !has_open(cover, answer->shape->system->properties.count))
            return;
    }
    if (outcome != COVER_DONE)
        stop_once(&answer->stop, why_helper_ends());
}

/* The thread transition system, unless the helper answers sooner. False: there is nothing left to search. */
static bool cover_prepare(struct cover_answer *answer)
{
    struct cover *cover = answer->cover;
    const struct sizes *sizes = answer->options->sizes;
    for (size_t most = COVER_FIRST_PAIRS;; most *= COVER_MORE_PAIRS) {
        cover->threads = threads_derive(answer->shape, sizes, answer->helper.is_open ? most : SIZE_MAX);
        if (!cover->threads || !cover->threads->is_large || watch_is_up())
            return cover_answer_begin(answer);
        threads_destroy(cover->threads);
        cover->threads = NULL;
        struct cover_run run = {0};
        enum cover_outcome outcome = helper_go(&answer->helper, pace_cpu_seconds(&cover->pace), &run);
        answer->explored = answer->helper.explored;
        if (outcome == COVER_FOUND)
            take_run(answer, &run);
        if (outcome == COVER_DONE || outcome == COVER_STOPPED ||
            (outcome == COVER_FOUND && !answer->options->keep_going))
            return false;
    }
}

static const char *cover_supports(const struct system *system, const struct engine_options *options,
                                  struct arena *words)
{
    struct diagnostics diagnostics = {0};
    struct thread_shape *shape = shape_find(system, &diagnostics);
    const char *refusal = shape ? NULL : diag_first(&diagnostics, words);
    (void)options;
    shape_free(shape);
    diag_free(&diagnostics);
    return refusal;
}

static struct result *cover_run(const struct layout *layout, const struct symmetry *symmetry,
                                const struct engine_options *options)
{
    struct diagnostics diagnostics = {0};
    struct thread_shape *shape = shape_find(layout->system, &diagnostics);
    struct cover cover = {.is_open = memory_zeroed(layout->system->properties.count, sizeof *cover.is_open)};
    struct cover_answer answer = {.cover = &cover, .shape = shape, .options = options, .layout = layout};
    (void)symmetry; /* it is in the shape */
    ENSURE(shape && options->sizes);
    diag_free(&diagnostics);
    pace_begin(&cover.pace, &options->limits, options->interrupted, options->progress, options->progress_user);
    cover_answer_open(&answer);
    helper_begin(&answer.helper, &cover, shape, options);
    if (options->is_fixed)
        cover_search_fixed(&answer);
    else if (options->method == METHOD_VIEWS)
        cover_search_views(&answer);
    else if (cover_prepare(&answer))
        cover_search(&answer);
    answer.views = answer.helper.proved;
    struct result *result = cover_answer_conclude(&answer);
    threads_destroy(cover.threads);
    shape_free(shape);
    stop_free(&cover.stop);
    free(cover.is_open);
    return result;
}

const struct engine engine_cover = {
    .name = "cover",
    .summary = "any number of threads: is a violation reachable with some number of them?",
    .supports = cover_supports,
    .run = cover_run,
};
