/* Decision diagrams where threads have many local states: listed, configurations of a few threads are too many.
 *
 * The helper (the symbolic engine) answers two questions in turn. Views (engine/symbolic/views.c) show that there is no
 * violation with any number of threads; all states with so many threads as that question had show whether there is a
 * violation with these. Then views of one thread more, and so on. */
#include "base/clock.h"
#include "engine/cover/cover.h"

enum { HELPER_FIRST_VIEWS = 2, HELPER_MOST_VIEWS = 4 };

/* At least so much processor time: the diagrams of a rule take some. */
static const double HELPER_LEAST_SECONDS = 0.5;

/* What the helper decides. It would take time for other properties, too. */
static bool has_only_safety(const struct system *system)
{
    for (size_t p = 0; p < system->properties.count; p++) {
        enum property_kind kind = system->properties.items[p]->kind;
        if (kind != PROPERTY_INVARIANT && kind != PROPERTY_ASSERTION && kind != PROPERTY_ERROR &&
            kind != PROPERTY_RUNTIME && kind != PROPERTY_DEADLOCK)
            return false;
    }
    return true;
}

void helper_begin(struct cover_helper *helper, struct cover *cover, const struct thread_shape *shape,
                  const struct engine_options *options)
{
    *helper = (struct cover_helper){
        .cover = cover, .shape = shape, .options = options, .views = HELPER_FIRST_VIEWS, .asks_views = true};
    helper->is_open = options->helper && has_only_safety(shape->system);
    helper->most = options->is_fixed ? shape->thread->size : UINT32_MAX;
}

/* Threads of a view and participants of a step, or as many as show a violation. */
static uint32_t threads_for_views(const struct cover_helper *helper)
{
    const struct thread_shape *shape = helper->shape;
    uint32_t participants = 1, witnesses = 0;
    for (size_t r = 0; r < shape->system->rules.count; r++)
        if (shape->rules[r].participants > participants)
            participants = shape->rules[r].participants;
    for (size_t p = 0; p < shape->system->properties.count; p++)
        if (!shape->properties[p].left_out && shape->properties[p].witnesses > witnesses)
            witnesses = shape->properties[p].witnesses;
    uint32_t threads = helper->views + participants;
    return threads > witnesses ? threads : witnesses;
}

/* Is something checked that is not asked for? Then the first violation may be none that is asked for. */
static bool has_closed(const struct cover_helper *helper)
{
    const struct system *system = helper->shape->system;
    for (size_t p = 0; p < system->properties.count; p++)
        if (p != SYSTEM_DEADLOCK && !helper->cover->is_open[p])
            return true;
    return false;
}

/* NULL: the time is over, or the helper does not support the model. */
static struct result *helper_ask(struct cover_helper *helper, uint32_t threads, double cpu_seconds)
{
    const struct sizes *sizes = helper->options->sizes;
    struct engine_options options = *helper->options;
    struct arena *words = arena_create();
    struct watch watch;
    options.views = helper->asks_views ? helper->views : 0;
    options.method = METHOD_NONE;
    options.deadlock = DEADLOCK_OFF;
    options.keep_going = has_closed(helper);
    options.limits.states = 0;
    options.progress = NULL;
    options.tell = NULL;
    watch_begin_trial(&watch, cpu_seconds, options.interrupted);
    const struct layout *layout = sizes->at(sizes->user, threads);
    helper->is_open &= watch_is_up() || (layout && !options.helper->supports(layout->system, &options, words));
    struct result *result = NULL;
    if (helper->is_open && !watch_is_up()) {
        struct symmetry *none = symmetry_none(layout->system);
        result = options.helper->run(layout, none, &options);
        symmetry_destroy(none);
    }
    bool is_late = watch_is_up() || watch_was_cut(&watch);
    watch_end(&watch);
    arena_destroy(words);
    if (!is_late)
        return result;
    result_destroy(result);
    return NULL;
}

/* Does every property hold that small numbers of threads decide? */
static bool all_hold(const struct cover_helper *helper, const struct result *result)
{
    for (size_t p = 0; p < result->system->properties.count; p++)
        if (p != SYSTEM_DEADLOCK && !helper->shape->properties[p].left_out &&
            result->properties[p].verdict != VERDICT_HOLDS)
            return false;
    return true;
}

/* Takes the run that shows the violation of a property that is asked for. */
static bool take_violation(struct cover_helper *helper, struct result *result, struct cover_run *run)
{
    for (size_t p = 0; p < result->system->properties.count; p++) {
        struct property_result *found = &result->properties[p];
        if (!helper->cover->is_open[p] || found->verdict != VERDICT_VIOLATED || !found->trace)
            continue;
        *run = (struct cover_run){
            .size = result->system->population->size, .trace = found->trace, .property = (uint32_t)p};
        found->trace = NULL;
        return true;
    }
    return false;
}

/* Are all states known, or those of a search that found violations of other properties only? */
static bool is_explored(const struct cover_helper *helper, const struct result *result)
{
    for (size_t p = 0; p < result->system->properties.count; p++)
        if (helper->cover->is_open[p] && result->properties[p].verdict != VERDICT_HOLDS)
            return false;
    return result->is_complete;
}

static enum cover_outcome take_views(struct cover_helper *helper, const struct result *result)
{
    if (all_hold(helper, result)) {
        helper->proved = helper->views;
        return COVER_DONE;
    }
    helper->asks_views = false;
    return COVER_GOES_ON;
}

static enum cover_outcome take_states(struct cover_helper *helper, struct result *result, struct cover_run *run)
{
    if (take_violation(helper, result, run))
        return COVER_FOUND;
    helper->is_open = is_explored(helper, result);
    helper->explored += helper->is_open;
    if (helper->explored == helper->most) /* these were all threads there are */
        helper->is_open = false;
    if (helper->explored == threads_for_views(helper)) {
        helper->asks_views = true;
        helper->is_open &= ++helper->views <= HELPER_MOST_VIEWS;
    }
    return COVER_GOES_ON;
}

enum cover_outcome helper_go(struct cover_helper *helper, double cpu_seconds, struct cover_run *run)
{
    double least = cpu_seconds > HELPER_LEAST_SECONDS ? cpu_seconds : HELPER_LEAST_SECONDS;
    double begin = clock_cpu();
    enum cover_outcome outcome = COVER_GOES_ON;
    while (outcome == COVER_GOES_ON && helper->is_open) {
        double left = least - (clock_cpu() - begin);
        uint32_t threads = helper->asks_views ? threads_for_views(helper) : helper->explored + 1;
        struct result *result = left > 0 ? helper_ask(helper, threads, left) : NULL;
        if (!result)
            break;
        outcome = helper->asks_views ? take_views(helper, result) : take_states(helper, result, run);
        result_destroy(result);
    }
    return outcome == COVER_GOES_ON && !cover_spend(helper->cover, 1) ? COVER_STOPPED : outcome;
}
