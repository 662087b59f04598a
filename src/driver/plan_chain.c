/* Models with probabilities: the quotient, or counters of interchangeable modules, state by state or in sets of states.
 */
#include "driver/plan.h"
#include "pass/counted_chain.h"

/* Fewer copies are no matter for the quotient, unless it is large; below the last number counted states are taken one
 * by one. Where there are many more counters than modules, most of them are 0, and most of the states that they could
 * have are never reached. */
enum { CHAIN_LEAST_CELLS = 8, CHAIN_MANY_COPIES = 20, CHAIN_COUNTERS_A_MODULE = 8 };
static const double CHAIN_MANY_STATES = 1e7, CHAIN_FEW_STATES = 2e6, CHAIN_LEAST_STATES = 5e4;

/* With all properties, or it is not worth it. NULL: `why_not` says why. */
static struct view *chain_count_all(struct plan *plan, struct text *why_not)
{
    struct diagnostics diagnostics = {0};
    struct view *view = counted_chain_open(plan_base(plan, BASE_PLAIN), &diagnostics);
    const struct diagnostics *wrong = view ? &counted_chain_facts(view)->warnings : &diagnostics;
    bool is_whole = view && !wrong->count;
    if (!is_whole)
        text_append(why_not, diag_first(wrong, plan->words));
    if (view && !is_whole)
        view_close(view);
    diag_free(&diagnostics);
    return is_whole ? view : NULL;
}

/* As many as its variables have values, whatever is reached? */
static bool chain_has_few_states(const struct layout *layout)
{
    double states = 1;
    for (uint32_t c = 0; c < layout->cell_count && states <= CHAIN_LEAST_STATES; c++)
        states *= layout->cells[c].type ? layout->cells[c].type->size : 2;
    return states <= CHAIN_LEAST_STATES;
}

/* What only the quotient has. */
static const char *chain_excuse(const struct plan *plan)
{
    const struct engine_options *options = &plan->options;
    if (plan->symmetry != SYMMETRY_AUTO && plan->symmetry != SYMMETRY_DETECTED)
        return "not all symmetry is to be used";
    if (options->is_exact || options->is_fair || options->witness || options->method != METHOD_AUTO ||
        options->stepper != STEPPER_AUTO || options->limits.states)
        return "only this engine has the options given";
    if (plan->model->layout->cell_count < CHAIN_LEAST_CELLS)
        return "there are few variables";
    return chain_has_few_states(plan->model->layout) ? "there are few states" : NULL;
}

/* Counters where there are many interchangeable modules, else the quotient: *view is NULL then. */
static enum engine_choice chain_choose(struct plan *plan, struct view **view)
{
    struct text why_not = {0};
    const char *excuse = chain_excuse(plan);
    *view = excuse ? NULL : chain_count_all(plan, &why_not);
    if (excuse)
        text_format(&plan->why, "probabilistic, since %s", excuse);
    else if (!*view)
        text_format(&plan->why, "probabilistic, since not all can be counted (%s)", text_chars(&why_not));
    text_free(&why_not);
    if (!*view)
        return ENGINE_PROBABILISTIC;
    uint32_t copies;
    double states = counted_chain_most_states(*view, &copies);
    const struct census_facts *facts = counted_chain_facts(*view);
    bool is_dense = facts->counters <= CHAIN_COUNTERS_A_MODULE * facts->modules;
    enum engine_choice choice = ENGINE_PROBABILISTIC;
    if (copies >= CHAIN_MANY_COPIES || (states > CHAIN_MANY_STATES && is_dense))
        choice = states <= CHAIN_FEW_STATES      ? ENGINE_COUNTER
                 : counted_chain_is_small(*view) ? ENGINE_SYMBOLIC
                                                 : ENGINE_PROBABILISTIC;
    text_format(&plan->why,
                "%s, since %u interchangeable modules, counted by local state (%u counters), have %.4g states at most",
                engine_of(choice)->name, facts->modules, facts->counters, states);
    if (choice == ENGINE_PROBABILISTIC) {
        view_close(*view);
        *view = NULL;
    }
    return choice;
}

/* The symbolic engine counts by its own choice where that is promising; else plan->set_aside says why it does not. */
static struct view *chain_promising(struct plan *plan)
{
    text_append(&plan->set_aside, "the symbolic engine supports symmetry by counters only, and ");
    struct view *view = chain_count_all(plan, &plan->set_aside);
    if (view && counted_chain_is_small(view)) {
        text_free(&plan->set_aside);
        return view;
    }
    if (view)
        text_format(&plan->set_aside, "there would be %u of them and %zu commands", counted_chain_facts(view)->counters,
                    counted_chain_facts(view)->commands);
    view_close(view);
    return NULL;
}

/* Counters were asked for: properties that cannot be counted are left out. */
static struct view *chain_count_asked(struct plan *plan)
{
    struct view *view = counted_chain_open(plan_base(plan, BASE_PLAIN), &plan->refused);
    if (!view)
        plan->refusal = diag_first(&plan->refused, plan->words);
    return view;
}

static void chain_add_counted(struct plan *plan, struct view *view, const struct engine *engine)
{
    struct attempt attempt = {
        .base = BASE_PLAIN, .counts = true, .engine = engine, .options = plan->options, .view = view};
    VEC_PUSH(&plan->views, view);
    attempt.options.method = METHOD_NONE;
    if (plan->options.is_fair) /* section 6 of the paper: a process cannot be followed among those that are counted */
        plan->refusal = "fairness is about single modules, which counters do not distinguish";
    else
        plan->refusal = engine->supports(view->layout->system, &attempt.options, plan->words);
    if (plan->refusal)
        return;
    VEC_PUSH(&plan->attempts, attempt);
    attempt = (struct attempt){.cause = CAUSE_FAULT,
                               .base = plan_symmetry_base(plan),
                               .engine = &engine_probabilistic,
                               .options = plan->options};
    attempt.options.method = METHOD_AUTO;
    VEC_PUSH(&plan->attempts, attempt);
}

static bool has_joint(const struct system *system)
{
    for (size_t i = 0; i < system->rules.count; i++)
        if (system->rules.items[i]->joint)
            return true;
    return false;
}

/* The symbolic engine has a relation for each way to synchronise; where these are too many, it sees what it can do. It
 * has no symmetry: sets of representatives have no probabilities. */
static enum base chain_symbolic_base(struct plan *plan)
{
    struct system *combined = has_joint(plan->model->system) ? model_combine(plan->model) : NULL;
    if (combined && has_joint(combined)) {
        system_destroy(combined);
        combined = NULL;
    }
    if (!combined)
        return BASE_PLAIN;
    plan->bases[BASE_COMBINED] = view_rewritten(combined);
    return BASE_COMBINED;
}

/* A chain that is too large to be explored state by state may be small in sets of states. */
static void chain_add_rival(struct plan *plan)
{
    struct attempt rival = {
        .cause = CAUSE_RIVAL, .base = BASE_PLAIN, .engine = &engine_symbolic, .options = plan->options};
    const struct system *system = plan->model->system;
    rival.options.tell = NULL;
    rival.options.progress = NULL;
    if (!chain_excuse(plan) && !plan->options.on_measure && !has_joint(system) &&
        !engine_symbolic.supports(system, &plan->options, plan->words))
        VEC_PUSH(&plan->attempts, rival);
}

void plan_chain(struct plan *plan)
{
    enum engine_choice choice = plan->choice;
    struct view *counted = NULL;
    if (choice == ENGINE_AUTO)
        choice = chain_choose(plan, &counted);
    else if (choice == ENGINE_COUNTER || (choice == ENGINE_SYMBOLIC && plan->options.method == METHOD_GENERIC))
        counted = chain_count_asked(plan);
    else if (choice == ENGINE_SYMBOLIC && plan->options.method == METHOD_AUTO && plan->symmetry != SYMMETRY_OFF)
        counted = chain_promising(plan);
    if (plan->refusal)
        return;
    if (counted) {
        chain_add_counted(plan, counted, choice == ENGINE_COUNTER ? &engine_probabilistic : &engine_symbolic);
        return;
    }
    struct attempt attempt = {.base = plan_symmetry_base(plan), .engine = engine_of(choice), .options = plan->options};
    if (choice == ENGINE_SYMBOLIC)
        attempt.base = chain_symbolic_base(plan);
    const struct view *view = plan_base(plan, attempt.base);
    plan->refusal = attempt.engine->supports(choice == ENGINE_SYMBOLIC ? view->layout->system : plan->model->system,
                                             &plan->options, plan->words);
    if (!plan->refusal)
        VEC_PUSH(&plan->attempts, attempt);
    if (!plan->refusal && plan->choice == ENGINE_AUTO)
        chain_add_rival(plan);
}
