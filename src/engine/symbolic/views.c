/* View abstraction (Abdulla, Haziza, Holik, "All for the price of few: parameterized verification through view
 * abstraction", VMCAI 2013), on decision diagrams: the answer holds for any number of threads.
 *
 * The system is one of the shape of population/shape.h, with m threads. A *view* of a configuration is its shared state
 * with the local states of k of its threads, in any order; m is k and the participants of a step together, at least.
 * The set of views computed here is the least one that has the views of the start states, and with all views of a
 * configuration of m threads those of its successors. A reachable configuration of m or more threads has no other
 * views, by induction over the run: what its next step does to a view is what it does among the threads of the view and
 * the participants, which are m at most. So where no configuration of m threads with these views violates anything,
 * none with more threads does. None with fewer does either: a run with fewer threads is one of m threads, of which some
 * are spectators, unless a step fails for a spectator, and that would be a violation with m threads.
 *
 * A local state is a path of a diagram here, and a view one through the diagrams of its threads: independent local
 * variables add up, they do not multiply (the survey, section 6, "local state explosion"). */
#include <stdlib.h>

#include "engine/symbolic/search.h"

struct views {
    struct symbolic_model *model;
    uint32_t size, threads; /* of a view, of the model */
    /* Current variables of each thread, one thread after the other. */
    uint32_t *variables;
    uint32_t width;                           /* how many a thread has */
    VEC(const struct dd_permutation *) moves; /* the first `size` threads to each subset of that many */
    VEC(const struct dd_permutation *) swaps; /* neighbours among the first `size` threads */
    VEC(struct dd_relation) relations;        /* referenced */
    dd others;                                /* the cube of the threads that are not in a view; referenced */
    dd known, around;                         /* the views, and configurations that have no others; registered */
};

/* --- threads in variables --- */

static void views_add_cell(struct views *views, uint32_t thread, uint32_t cell, uint32_t *count)
{
    const struct encoding *encoding = views->model->encoding;
    for (uint32_t b = 0; b < encoding_width(encoding, cell); b++)
        views->variables[thread * views->width + (*count)++] = encoding_variable(encoding, cell, b);
}

static void views_place_thread(struct views *views, uint32_t thread)
{
    const struct system *system = views->model->system;
    uint32_t count = 0;
    for (size_t g = 0; g < system->globals.count; g++) {
        const struct variable *variable = system->globals.items[g];
        if (!type_mentions(variable->type, system->population))
            continue;
        uint32_t cells = variable->type->element->cells;
        for (uint32_t c = 0; c < cells; c++)
            views_add_cell(views, thread, variable->address + thread * cells + c, &count);
    }
}

static uint32_t views_width(const struct views *views)
{
    const struct system *system = views->model->system;
    uint32_t width = 0;
    for (size_t g = 0; g < system->globals.count; g++) {
        const struct variable *variable = system->globals.items[g];
        for (uint32_t c = 0; type_mentions(variable->type, system->population) && c < variable->type->element->cells;
             c++)
            width += encoding_width(views->model->encoding, variable->address + c);
    }
    return width;
}

/* The permutation of variables that takes each thread to images[thread]. */
static const struct dd_permutation *views_permutation(const struct views *views, const uint32_t *images)
{
    struct dd_manager *m = views->model->m;
    uint32_t count = dd_variable_count(m), *to = memory_alloc((count + 1) * sizeof *to);
    for (uint32_t v = 0; v < count; v++)
        to[v] = v;
    for (uint32_t t = 0; t < views->threads; t++)
        for (uint32_t i = 0; i < views->width; i++)
            to[views->variables[t * views->width + i]] = views->variables[images[t] * views->width + i];
    const struct dd_permutation *permutation = dd_permutation(m, to);
    free(to);
    return permutation;
}

/* Subsets as increasing sequences; the threads that are left follow in order. */
static void views_add_moves(struct views *views, uint32_t *images, uint32_t chosen, uint32_t from)
{
    if (chosen == views->size) {
        uint32_t next = chosen;
        for (uint32_t t = 0; t < views->threads; t++) {
            bool is_chosen = false;
            for (uint32_t i = 0; i < views->size; i++)
                is_chosen |= images[i] == t;
            if (!is_chosen)
                images[next++] = t;
        }
        VEC_PUSH(&views->moves, views_permutation(views, images));
        return;
    }
    for (uint32_t t = from; t < views->threads; t++) {
        images[chosen] = t;
        views_add_moves(views, images, chosen + 1, t + 1);
    }
}

static void views_add_swaps(struct views *views, uint32_t *images)
{
    for (uint32_t s = 0; s + 1 < views->size; s++) {
        for (uint32_t t = 0; t < views->threads; t++)
            images[t] = t == s ? s + 1 : t == s + 1 ? s : t;
        VEC_PUSH(&views->swaps, views_permutation(views, images));
    }
}

/* --- transitions --- */

/* Instances of a rule that differ in a choice only change the same variables: one relation for all of them. */
static bool views_add_relation(struct views *views, const struct dd_relation *step)
{
    struct dd_manager *m = views->model->m;
    size_t at = 0;
    while (at < views->relations.count && views->relations.items[at].changed != step->changed)
        at++;
    if (at == views->relations.count) {
        struct dd_relation none = {DD_FALSE, dd_ref(m, step->changed)};
        VEC_PUSH(&views->relations, none);
    }
    struct dd_relation *all = &views->relations.items[at];
    dd more = dd_ref(m, dd_or(m, all->relation, step->relation));
    dd_unref(m, all->relation);
    all->relation = more;
    return more != DD_NONE;
}

static bool views_open(struct views *views)
{
    struct symbolic_model *model = views->model;
    uint32_t *images = memory_zeroed(views->threads + 1, sizeof *images);
    views->width = views_width(views);
    views->variables = memory_zeroed((size_t)views->threads * views->width + 1, sizeof *views->variables);
    for (uint32_t t = 0; t < views->threads; t++)
        views_place_thread(views, t);
    views_add_moves(views, images, 0, 0);
    views_add_swaps(views, images);
    free(images);
    views->others = dd_ref(model->m, dd_cube(model->m, views->variables + (size_t)views->size * views->width,
                                             (size_t)(views->threads - views->size) * views->width));
    bool is_ok = views->others != DD_NONE;
    for (size_t r = 0; r < model->ground.rules.count && is_ok; r++)
        is_ok = views_add_relation(views, &model->ground.rules.items[r].step);
    return is_ok;
}

static void views_close(struct views *views)
{
    struct dd_manager *m = views->model->m;
    for (size_t r = 0; r < views->relations.count; r++) {
        dd_unref(m, views->relations.items[r].relation);
        dd_unref(m, views->relations.items[r].changed);
    }
    dd_unref(m, views->others);
    VEC_FREE(&views->relations);
    VEC_FREE(&views->moves);
    VEC_FREE(&views->swaps);
    free(views->variables);
}

/* --- the fixpoint --- */

/* The views of the configurations `around`, with every order of their threads. */
static void views_project(struct views *views)
{
    struct dd_manager *m = views->model->m;
    dd before = DD_NONE;
    views->known = dd_or(m, views->known, dd_exists(m, views->around, views->others));
    while (views->known != before) {
        before = views->known;
        for (size_t s = 0; s < views->swaps.count; s++)
            views->known = dd_or(m, views->known, dd_permute(m, views->known, views->swaps.items[s]));
    }
}

/* All configurations that have no other views. */
static void views_concretise(struct views *views)
{
    struct dd_manager *m = views->model->m;
    views->around = DD_TRUE;
    for (size_t s = 0; s < views->moves.count; s++)
        views->around = dd_and(m, views->around, dd_permute(m, views->known, views->moves.items[s]));
}

/* Rule by rule: the next one starts from what the one before has found. */
static void views_step(struct views *views)
{
    struct dd_manager *m = views->model->m;
    for (size_t r = 0; r < views->relations.count && views->around != DD_NONE; r++) {
        const struct dd_relation *step = &views->relations.items[r];
        views->around = dd_or(m, views->around, dd_next(m, views->around, step->relation, step->changed));
    }
}

static bool views_run(struct views *views)
{
    dd before = DD_FALSE;
    struct dd_manager *m = views->model->m;
    views->around = views->model->starts;
    dd_register(m, &before, 1); /* lest another set gets its number */
    views_project(views);
    while (views->known != before && views->known != DD_NONE) {
        before = views->known;
        views_concretise(views);
        views_step(views);
        views_project(views);
    }
    views_concretise(views);
    dd_unregister(m, &before);
    return views->known != DD_NONE && views->around != DD_NONE;
}

/* Properties that a state or a step violates: those that views decide. */
static bool views_decide(const struct property *property)
{
    return property->kind == PROPERTY_INVARIANT || property->kind == PROPERTY_ASSERTION ||
           property->kind == PROPERTY_ERROR || property->kind == PROPERTY_RUNTIME;
}

/* Marks the targets that configurations with these views meet. */
static bool views_meet(struct symbolic_search *search, dd around)
{
    for (size_t i = 0; i < search->targets.count; i++) {
        struct target *target = &search->targets.items[i];
        dd disjoint = dd_is_disjoint(search->model.m, around, target->set);
        if (disjoint == DD_NONE)
            return false;
        target->is_met = disjoint == DD_FALSE;
    }
    return true;
}

/* A property holds if no target of it is met; all others stay open. */
static void views_answer(struct symbolic_search *search)
{
    const struct system *system = search->model.system;
    for (size_t p = 0; p < system->properties.count; p++) {
        const struct property *property = system->properties.items[p];
        bool is_met = search->decided[p] || !views_decide(property);
        for (size_t i = 0; i < search->targets.count && !is_met; i++)
            is_met = search->targets.items[i].property == property && search->targets.items[i].is_met;
        if (is_met || !search->result->checked[p])
            continue;
        result_set_verdict(search->result, property, VERDICT_HOLDS, NULL);
        search->decided[p] = true;
    }
}

bool views_search(struct symbolic_search *search)
{
    struct symbolic_model *model = &search->model;
    struct views views = {.model = model,
                          .size = search->options->views,
                          .threads = model->system->population->size,
                          .known = DD_FALSE,
                          .around = DD_FALSE};
    ENSURE(!model->reducer && !model->has_assumptions && views.size && views.size < views.threads);
    answer_report_start_faults(search);
    dd_register(model->m, &views.known, 2);
    bool is_ok = views_open(&views) && views_run(&views) && views_meet(search, views.around);
    dd_unregister(model->m, &views.known);
    views_close(&views);
    if (!is_ok)
        return symbolic_failed(model);
    views_answer(search);
    stop_once(&model->stop, stop_of(STOP_WORK)); /* what is open now is not decided by more time */
    return true;
}
