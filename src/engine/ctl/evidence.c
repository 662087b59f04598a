/* A run of the model that shows why a formula is true or false in a start state, as far as one run can: counterexamples
 * of A-formulas, witnesses of E-formulas, and what they lead to. The ways are found in the graphs of orbits; the run
 * is real from the start: each step is searched among the successors of the real state before it (as in result/lift.c). */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/ctl/checker.h"

struct guide {
    struct checker *checker;
    struct stepper *stepper; /* the evaluator */
    struct trace *trace;
    struct text *words;
    VEC(const struct variable *) chosen; /* quantified variables whose values are part of the story */
    bool has_shown; /* something that one run can show */
};

static const int32_t *guide_state(const struct guide *guide)
{
    return guide->trace->steps[guide->trace->count - 1].cells;
}

static uint32_t guide_node(struct guide *guide, const struct temporal *t)
{
    return graph_find(guide->checker, t->graph, t->ctl->free, guide_state(guide));
}

static enum truth guide_truth(struct guide *guide, const struct ctl *ctl, const int32_t *cells)
{
    struct spot spot = {.cells = cells};
    return truth_at(guide->checker, ctl, &spot);
}

/* --- real steps --- */

/* To a successor of the node, or to exactly that state. */
static void guide_step(struct guide *guide, const struct temporal *t, uint32_t node, const int32_t *state)
{
    struct checker *checker = guide->checker;
    struct step step = {0};
    enum step_outcome outcome;
    size_t size = checker->system->state_cells * sizeof *state;
    stepper_begin_successors(guide->stepper, guide_state(guide));
    while ((outcome = stepper_next(guide->stepper, &step)) != STEP_END) {
        if (outcome != STEP_STATE || !checker_grants(checker, step.cells))
            continue;
        bool is_it = state ? memcmp(step.cells, state, size) == 0
                           : graph_find(checker, t->graph, t->ctl->free, step.cells) == node;
        if (!is_it)
            continue;
        trace_push(guide->trace, step.rule, step.instance, step.cells, NULL);
        return;
    }
    UNREACHABLE("the way found in the graph cannot be lifted to a run of the model");
}

/* --- closing a loop --- */

/* images[f] of the permutation that took the real pointed state to its representative, copied. */
static uint32_t **guide_images(struct guide *guide, const struct temporal *t, const int32_t *cells)
{
    const struct symmetry *symmetry = guide->checker->symmetry;
    uint32_t **images = memory_zeroed(symmetry->factor_count + 1, sizeof *images);
    graph_find(guide->checker, t->graph, t->ctl->free, cells); /* for canon_image */
    for (uint32_t f = 0; f < symmetry->factor_count; f++) {
        const uint32_t *image = canon_image(t->graph->canon, f);
        size_t size = symmetry->factors[f].degree * sizeof *image;
        if (image)
            images[f] = memcpy(memory_alloc(size), image, size);
    }
    return images;
}

static void images_free(const struct symmetry *symmetry, uint32_t **images)
{
    for (uint32_t f = 0; f < symmetry->factor_count; f++)
        free(images[f]);
    free(images);
}

/* Both are taken to the same representative: `from` becomes the permutation that takes one state to the other. */
static void images_connect(const struct symmetry *symmetry, uint32_t **from, uint32_t *const *to)
{
    for (uint32_t f = 0; f < symmetry->factor_count; f++) {
        uint32_t degree = symmetry->factors[f].degree;
        if (!from[f])
            continue;
        uint32_t *inverse = memory_alloc(degree * sizeof *inverse);
        for (uint32_t e = 0; e < degree; e++)
            inverse[to[f] ? to[f][e] : e] = e;
        for (uint32_t e = 0; e < degree; e++)
            from[f][e] = inverse[from[f][e]];
        free(inverse);
    }
}

/* The steps since `begin` led from a state h to p(h), p a symmetry: p of these steps leads on to p(p(h)), and after as
 * many rounds as p has order the run is back at h. */
static void guide_close_loop(struct guide *guide, const struct temporal *t, uint32_t begin)
{
    struct checker *checker = guide->checker;
    struct trace *trace = guide->trace;
    size_t size = checker->system->state_cells * sizeof(int32_t);
    uint32_t length = trace->count - 1 - begin;
    if (t->graph->canon && memcmp(trace->steps[begin].cells, guide_state(guide), size) != 0) {
        uint32_t **move = guide_images(guide, t, trace->steps[begin].cells);
        uint32_t **other = guide_images(guide, t, guide_state(guide));
        int32_t *state = memory_alloc(size);
        images_connect(checker->symmetry, move, other);
        while (memcmp(trace->steps[begin].cells, guide_state(guide), size) != 0) {
            symmetry_act(checker->symmetry, checker->layout, (const uint32_t *const *)move,
                         trace->steps[trace->count - length].cells, state);
            guide_step(guide, t, 0, state);
        }
        free(state);
        images_free(checker->symmetry, move);
        images_free(checker->symmetry, other);
    }
    ENSURE(memcmp(trace->steps[begin].cells, guide_state(guide), size) == 0);
    trace->loop = begin;
    trace->has_loop = true;
}

static void guide_follow(struct guide *guide, const struct temporal *t, struct way *way)
{
    uint32_t begin = guide->trace->count - 1;
    for (size_t i = 1; i < way->nodes.count; i++)
        guide_step(guide, t, way->nodes.items[i], NULL);
    if (way->back != SIZE_MAX)
        guide_close_loop(guide, t, begin + (uint32_t)way->back);
    guide->has_shown = true;
    VEC_FREE(&way->nodes);
}

/* --- the story --- */

static void guide_say_values(const struct guide *guide)
{
    for (size_t i = 0; i < guide->chosen.count; i++) {
        const struct variable *variable = guide->chosen.items[i];
        text_format(guide->words, "%s%s: ", i ? ", " : " (", variable->name);
        type_print_value(variable->type, *checker_value(guide->checker, variable), guide->words);
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
    const char *where = guide->trace->count > 1 ? "in the last state of this run" : "in this start state";
    text_format(guide->words, "%s ", where);
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

static void guide_show_next(struct guide *guide, const struct ctl *ctl, bool is_true)
{
    const struct temporal *t = truth_of(guide->checker, ctl);
    uint32_t node = guide_node(guide, t);
    for (uint64_t i = t->graph->first[node]; i < t->graph->first[node + 1]; i++)
        if (bit_get(temporal_sets(t, is_true)->left, t->graph->targets[i]) == is_true) {
            guide_step(guide, t, t->graph->targets[i], NULL);
            guide->has_shown = true;
            guide_show(guide, ctl->left, is_true);
            return;
        }
    UNREACHABLE("a next state that shows it");
}

static void guide_show_path(struct guide *guide, const struct ctl *ctl, bool is_true)
{
    const struct temporal *t = truth_of(guide->checker, ctl);
    const struct sets *sets = temporal_sets(t, is_true);
    bool is_until = ctl->kind == CTL_EU;
    struct way way = {0};
    bool is_found = way_to(t->graph, guide_node(guide, t), is_until ? sets->left : NULL, true,
                           is_until ? sets->right : sets->left, is_true, &way);
    ENSURE(is_found);
    guide_follow(guide, t, &way);
    guide_show(guide, is_until ? ctl->right : ctl->left, is_true);
}

static void guide_show_for_ever(struct guide *guide, const struct ctl *ctl, bool is_true)
{
    const struct temporal *t = truth_of(guide->checker, ctl);
    struct way way = {0};
    bool is_found = way_for_ever(t->graph, guide_node(guide, t), temporal_sets(t, is_true)->holds, is_true, &way);
    ENSURE(is_found);
    guide_follow(guide, t, &way);
    guide_say_for_ever(guide, ctl->kind == CTL_AU ? ctl->right : ctl->left, is_true);
}

/* A[f U g] is false: a way without g to where f is false too, or one without g for ever. */
static void guide_show_no_until(struct guide *guide, const struct ctl *ctl)
{
    const struct temporal *t = truth_of(guide->checker, ctl);
    const struct sets *sets = temporal_sets(t, false);
    struct graph *graph = t->graph;
    struct way way = {0};
    uint64_t *either = memory_zeroed(bit_words(graph->count), sizeof *either);
    for (size_t w = 0; w < bit_words(graph->count); w++)
        either[w] = sets->left[w] | sets->right[w];
    bool is_found = way_to(graph, guide_node(guide, t), sets->right, false, either, false, &way);
    free(either);
    if (!is_found) {
        guide_show_for_ever(guide, ctl, false);
        return;
    }
    guide_follow(guide, t, &way);
    guide_say(guide, ctl->left, false);
    text_append(guide->words, " before ");
    guide_say_formula(guide, ctl->right);
    text_append(guide->words, " was true");
}

static bool has_temporal(const struct ctl *ctl)
{
    return ctl_is_temporal(ctl) || (ctl->left && has_temporal(ctl->left)) || (ctl->right && has_temporal(ctl->right));
}

/* Both operands matter: shown is the one that has something to show. */
static void guide_show_both(struct guide *guide, const struct ctl *ctl, bool left, bool right, bool is_true)
{
    if (!has_temporal(ctl->left))
        guide_show(guide, ctl->right, right);
    else if (!has_temporal(ctl->right))
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
    int32_t *value = checker_value(guide->checker, ctl->variable);
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
    UNREACHABLE("a value that shows it");
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
    else if (ctl->kind == CTL_EX || ctl->kind == CTL_AX)
        guide_show_next(guide, ctl, is_true);
    else if (ctl->kind == CTL_AU)
        guide_show_no_until(guide, ctl);
    else if (ctl->kind == CTL_EG || ctl->kind == CTL_AF)
        guide_show_for_ever(guide, ctl, is_true);
    else
        guide_show_path(guide, ctl, is_true);
}

/* --- where it begins --- */

static void guide_open(struct guide *guide, struct checker *checker, struct text *words)
{
    *guide = (struct guide){.checker = checker, .words = words};
    guide->stepper = stepper_create_evaluator(checker->system, checker->layout);
    guide->trace = trace_create(checker->system, checker->layout);
}

static void guide_close(struct guide *guide)
{
    stepper_destroy(guide->stepper);
    VEC_FREE(&guide->chosen);
}

/* Enumerates the real start states; the first that `is_wanted` begins the run. */
static bool guide_start(struct guide *guide, bool (*is_wanted)(struct guide *, const int32_t *, void *), void *user)
{
    struct step step = {0};
    enum step_outcome outcome;
    stepper_begin_starts(guide->stepper);
    while ((outcome = stepper_next(guide->stepper, &step)) != STEP_END)
        if (outcome == STEP_STATE && checker_grants(guide->checker, step.cells) && is_wanted(guide, step.cells, user)) {
            trace_push(guide->trace, step.rule, step.instance, step.cells, NULL);
            return true;
        }
    return false;
}

struct claim {
    const struct ctl *ctl;
    bool is_true;
};

static bool claim_is_met(struct guide *guide, const int32_t *cells, void *user)
{
    const struct claim *claim = user;
    return guide_truth(guide, claim->ctl, cells) == (claim->is_true ? TRUTH_TRUE : TRUTH_FALSE);
}

struct trace *evidence_show(struct checker *checker, const struct ctl *ctl, bool verdict, struct text *words)
{
    struct guide guide;
    struct claim claim = {ctl, verdict};
    guide_open(&guide, checker, words);
    if (guide_start(&guide, claim_is_met, &claim))
        guide_show(&guide, ctl, verdict);
    bool is_kept = guide.trace->count && (guide.has_shown || !verdict);
    guide_close(&guide);
    if (is_kept)
        return guide.trace;
    trace_destroy(guide.trace);
    return NULL;
}

/* --- a proposition that cannot be evaluated --- */

struct arrival {
    struct temporal t; /* of the graph of the fault, without values: they do not matter */
    const struct way *way;
};

static bool arrival_begins(struct guide *guide, const int32_t *cells, void *user)
{
    struct arrival *arrival = user;
    return graph_find(guide->checker, arrival->t.graph, NULL, cells) == arrival->way->nodes.items[0];
}

struct trace *evidence_fault(struct checker *checker)
{
    struct ctl nothing = {.kind = CTL_DEADLOCK};
    struct graph *graph = graph_get(checker, NULL, 0);
    if (!graph)
        return NULL;
    uint64_t *goal = memory_zeroed(bit_words(graph->count), sizeof *goal);
    bit_set(goal, graph_find(checker, graph, NULL, checker->fault_cells));
    struct guide guide;
    struct way way = {0};
    struct text words = {0};
    guide_open(&guide, checker, &words);
    for (uint32_t start = 0; start < graph->starts && !way.nodes.count; start++)
        way_to(graph, start, NULL, false, goal, true, &way);
    free(goal);
    struct arrival arrival = {{.ctl = &nothing, .graph = graph}, &way};
    bool is_begun = guide_start(&guide, arrival_begins, &arrival);
    ENSURE(is_begun);
    guide_follow(&guide, &arrival.t, &way);
    guide_close(&guide);
    text_free(&words);
    return guide.trace;
}
