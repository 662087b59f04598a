/* The run of the model that violates the formula: along the shortest way to the good region, and around in it, past
 * every mark and every event that fairness asks for, of each process; then turns until it is a cycle of states. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/ctl/linear.h"
#include "exec/conditions.h"
#include "result/close.h"
#include "result/fair.h"

/* A requirement with values for its variables. */
struct lasso_goal {
    const struct requirement *requirement;
    int32_t *values;
    bool is_met;
};

struct lasso {
    struct linear_case *linear;
    struct closer closer;
    struct trace *trace;
    uint32_t state; /* of the product */
    uint64_t marks; /* met with since the cycle began */
    VEC(struct lasso_goal) goals;
    uint32_t start;       /* the node of the start state */
    VEC(uint32_t) places; /* of the automaton, beside the states of the run */
};

/* --- real steps --- */

static const int32_t *lasso_cells(const struct lasso *lasso)
{
    return lasso->trace->steps[lasso->trace->count - 1].cells;
}

static void lasso_bind(const struct lasso *lasso, const struct lasso_goal *goal)
{
    const struct fairness *fairness = goal->requirement->fairness;
    for (uint32_t v = 0; v < fairness->variable_count; v++)
        *checker_value(lasso->linear->checker, fairness->variables[v]) = goal->values[v];
}

static uint32_t lasso_find(const struct lasso *lasso, const struct linear_product *product, const int32_t *cells)
{
    return graph_find(lasso->linear->checker, product->graph, product->variables, cells);
}

static const struct canon *lasso_canonise(void *user, const int32_t *cells)
{
    const struct lasso *lasso = user;
    lasso_find(lasso, &lasso->linear->product, cells);
    return explore_canon(lasso->linear->product.graph->explore);
}

/* A step to a node of a product; of a goal's own, if it is to be. */
struct lasso_aim {
    const struct lasso *lasso;
    const struct linear_product *product;
    uint32_t node;
    const struct lasso_goal *goal;
};

static bool lasso_is_aim(void *user, const struct step *step)
{
    const struct lasso_aim *aim = user;
    if (aim->goal && !step_is_own(step, aim->goal->requirement->fairness, aim->goal->values))
        return false;
    return lasso_find(aim->lasso, aim->product, step->cells) == aim->node;
}

/* --- what the cycle has to pass --- */

static void lasso_note(struct lasso *lasso, bool is_step)
{
    const struct trace_step *last = &lasso->trace->steps[lasso->trace->count - 1];
    for (size_t i = 0; i < lasso->goals.count; i++) {
        struct lasso_goal *goal = &lasso->goals.items[i];
        const struct requirement *r = goal->requirement;
        if (goal->is_met)
            continue;
        lasso_bind(lasso, goal);
        goal->is_met =
            requirement_happens(r->met, lasso_find(lasso, &r->threads, last->cells)) ||
            (is_step && r->fairness->kind != FAIRNESS_CONDITION && trace_step_is_own(last, r->fairness, goal->values));
    }
}

/* Along the way of a hunt; `goal`: its last step is one of the goal's own. */
static void lasso_follow(struct lasso *lasso, const struct hunt *hunt, const struct lasso_goal *goal)
{
    for (size_t i = 0; i < hunt->way.count; i++) {
        const struct product_edge *edge = &hunt->way.items[i];
        struct lasso_aim aim = {lasso, hunt->product, product_node(hunt->product, edge->target), NULL};
        bool is_last = i + 1 == hunt->way.count;
        if (goal)
            lasso_bind(lasso, goal);
        if (goal && is_last && edge->graph_edge != PRODUCT_STAYS &&
            requirement_happens(goal->requirement->own, edge->graph_edge))
            aim.goal = goal;
        if (edge->graph_edge != PRODUCT_STAYS)
            close_step(&lasso->closer, lasso->trace, lasso_is_aim, &aim);
        lasso->state = product_below(hunt->product, edge->target);
        if (edge->graph_edge != PRODUCT_STAYS)
            VEC_PUSH(&lasso->places, product_place(&lasso->linear->product, lasso->state));
        lasso->marks |= edge->marks;
        lasso_note(lasso, edge->graph_edge != PRODUCT_STAYS);
    }
}

static void lasso_add_goals(struct lasso *lasso, const struct requirement *r, int32_t *values, uint32_t position)
{
    const struct fairness *fairness = r->fairness;
    if (position == fairness->variable_count) {
        size_t size = fairness->variable_count * sizeof *values;
        struct lasso_goal goal = {.requirement = r, .values = memory_alloc(size + 1)};
        memcpy(goal.values, values, size);
        VEC_PUSH(&lasso->goals, goal);
        return;
    }
    const struct type *type = fairness->variables[position]->type;
    for (uint32_t i = 0; i < type->size; i++) {
        values[position] = type_code(type, i);
        lasso_add_goals(lasso, r, values, position + 1);
    }
}

static void lasso_begin_cycle(struct lasso *lasso)
{
    const struct linear_case *linear = lasso->linear;
    lasso->marks = 0;
    for (size_t i = 0; i < linear->requirements.count; i++) {
        const struct requirement *r = &linear->requirements.items[i];
        int32_t *values = memory_zeroed((size_t)r->fairness->variable_count + 1, sizeof *values);
        lasso_add_goals(lasso, r, values, 0);
        free(values);
    }
    lasso_note(lasso, false);
}

static bool ends_with_mark(const struct hunt *hunt, const struct product_edge *edge)
{
    const uint64_t *missing = hunt->user;
    return edge->marks & *missing;
}

/* The nearest of those that are missing, one after the other. */
static bool lasso_meet_marks(struct lasso *lasso)
{
    const struct linear_case *linear = lasso->linear;
    uint64_t all = marks_all(linear->automaton->mark_count), missing;
    while ((missing = all & ~lasso->marks)) {
        struct hunt hunt = {
            .product = &linear->product, .region = linear->good, .ends_with = ends_with_mark, .user = &missing};
        bool is_found = hunt_run(&hunt, &lasso->state, 1);
        if (is_found)
            lasso_follow(lasso, &hunt, NULL);
        VEC_FREE(&hunt.way);
        if (!is_found)
            return false;
    }
    return true;
}

static bool ends_in_event(const struct hunt *hunt, uint32_t state)
{
    const struct lasso_goal *goal = hunt->user;
    return requirement_happens(goal->requirement->met, product_node(hunt->product, state));
}

static bool ends_with_event(const struct hunt *hunt, const struct product_edge *edge)
{
    const struct lasso_goal *goal = hunt->user;
    return edge->graph_edge != PRODUCT_STAYS && requirement_happens(goal->requirement->own, edge->graph_edge);
}

/* Where there is no such event, nothing obliges the goal here either. */
static bool lasso_meet(struct lasso *lasso, struct lasso_goal *goal)
{
    const struct linear_case *linear = lasso->linear;
    const struct linear_product *threads = &goal->requirement->threads;
    struct hunt hunt = {.product = threads,
                        .region = linear->good,
                        .ends_in = ends_in_event,
                        .ends_with = ends_with_event,
                        .user = goal};
    lasso_bind(lasso, goal);
    uint32_t from = lasso_find(lasso, threads, lasso_cells(lasso)) * linear->automaton->state_count +
                    product_place(&linear->product, lasso->state);
    if (hunt_run(&hunt, &from, 1))
        lasso_follow(lasso, &hunt, goal);
    VEC_FREE(&hunt.way);
    goal->is_met = true;
    return !stop_is_set(&linear->checker->stop);
}

static bool is_state(const struct hunt *hunt, uint32_t state)
{
    return state == *(const uint32_t *)hunt->user;
}

static bool leads_to_state(const struct hunt *hunt, const struct product_edge *edge)
{
    return edge->target == *(const uint32_t *)hunt->user;
}

static bool lasso_return(struct lasso *lasso, uint32_t home, bool has_moved)
{
    const struct linear_case *linear = lasso->linear;
    struct hunt hunt = {.product = &linear->product,
                        .region = linear->good,
                        .ends_in = has_moved ? is_state : NULL,
                        .ends_with = leads_to_state,
                        .user = &home};
    bool is_found = hunt_run(&hunt, &lasso->state, 1);
    if (is_found)
        lasso_follow(lasso, &hunt, NULL);
    VEC_FREE(&hunt.way);
    return is_found;
}

static bool lasso_meet_goals(struct lasso *lasso)
{
    for (size_t i = 0; i < lasso->goals.count; i++)
        if (!lasso->goals.items[i].is_met && !lasso_meet(lasso, &lasso->goals.items[i]))
            return false;
    return true;
}

static void lasso_forget_goals(struct lasso *lasso)
{
    for (size_t i = 0; i < lasso->goals.count; i++)
        free(lasso->goals.items[i].values);
    VEC_CLEAR(&lasso->goals);
}

/* A cycle from here on, past everything it has to pass. */
static bool lasso_cycle(struct lasso *lasso)
{
    uint32_t home = lasso->state, begin = lasso->trace->count - 1;
    lasso_begin_cycle(lasso);
    if (!lasso_meet_marks(lasso) || !lasso_meet_goals(lasso) ||
        !lasso_return(lasso, home, lasso->trace->count - 1 > begin))
        return false;
    bool is_closed = close_loop(&lasso->closer, lasso->trace, begin);
    lasso_forget_goals(lasso);
    return is_closed;
}

/* Where processes have to move, a cycle may be much shorter once they have: those that then wait need no step of their
 * own. */
static bool lasso_cycle_later(struct lasso *lasso)
{
    lasso_begin_cycle(lasso);
    bool is_good = lasso_meet_goals(lasso);
    lasso_forget_goals(lasso);
    return is_good && lasso_cycle(lasso);
}

/* The same run so far. */
static struct lasso lasso_copy(const struct lasso *lasso)
{
    struct lasso copy = *lasso;
    copy.trace = trace_create(lasso->trace->system, lasso->trace->layout);
    for (uint32_t i = 0; i < lasso->trace->count; i++)
        trace_push_copy(copy.trace, &lasso->trace->steps[i]);
    memset(&copy.places, 0, sizeof copy.places);
    memset(&copy.goals, 0, sizeof copy.goals);
    for (size_t i = 0; i < lasso->places.count; i++)
        VEC_PUSH(&copy.places, lasso->places.items[i]);
    return copy;
}

/* The run of the other one is shorter. */
static void lasso_take(struct lasso *lasso, struct lasso *other)
{
    struct trace trace = *lasso->trace;
    struct lasso own = *lasso;
    *lasso->trace = *other->trace;
    *other->trace = trace;
    lasso->places = other->places;
    other->places = own.places;
}

static bool lasso_go_around(struct lasso *lasso)
{
    const struct linear_product *product = &lasso->linear->product;
    uint32_t begin = lasso->trace->count;
    if (!graph_out(product->graph, product_node(product, lasso->state)))
        return true; /* it stays there */
    struct lasso other = lasso_copy(lasso);
    other.closer.user = &other;
    bool is_good = lasso_cycle(lasso);
    if (is_good && lasso->linear->requirements.count && lasso->trace->count > begin + 3 && lasso_cycle_later(&other) &&
        other.trace->count < lasso->trace->count)
        lasso_take(lasso, &other);
    lasso_forget_goals(&other);
    VEC_FREE(&other.goals);
    VEC_FREE(&other.places);
    trace_destroy(other.trace);
    return is_good;
}

/* --- where it begins --- */

/* Values for tracked variables number `position` and on, so that the state is the start node. */
static bool lasso_point(struct lasso *lasso, const int32_t *cells, size_t position)
{
    struct linear_case *linear = lasso->linear;
    if (position == linear->claim.tracked.count)
        return lasso_find(lasso, &linear->product, cells) == lasso->start;
    const struct variable *variable = linear->claim.tracked.items[position];
    for (uint32_t i = 0; i < variable->type->size; i++) {
        *checker_value(linear->checker, variable) = type_code(variable->type, i);
        if (lasso_point(lasso, cells, position + 1))
            return true;
    }
    return false;
}

static void lasso_start(struct lasso *lasso)
{
    struct step step = {0};
    enum step_outcome outcome;
    stepper_begin_starts(lasso->closer.stepper);
    while ((outcome = stepper_next(lasso->closer.stepper, &step)) != STEP_END)
        if (outcome == STEP_STATE && conditions_admit(lasso->closer.judge, step.cells) &&
            lasso_point(lasso, step.cells, 0)) {
            trace_push_step(lasso->trace, &step, STEP_STATE);
            return;
        }
    UNREACHABLE("no start state is in the orbit of the first node of the way");
}

/* From a start state along the way of the hunt. */
static bool lasso_go(struct lasso *lasso, struct hunt *hunt)
{
    struct linear_case *linear = lasso->linear;
    if (!hunt_from_starts(hunt))
        return false;
    lasso->state = hunt->from;
    lasso->start = product_node(&linear->product, hunt->from);
    lasso_start(lasso);
    VEC_PUSH(&lasso->places, product_place(&linear->product, lasso->state));
    lasso_follow(lasso, hunt, NULL);
    return true;
}

/* --- finite runs of safety formulas --- */

bool lasso_is_finite(struct linear_case *linear)
{
    struct hunt hunt = {.product = &linear->product, .ends_in = hunt_ends_in_violation};
    bool is_found = hunt_from_starts(&hunt);
    VEC_FREE(&hunt.way);
    return is_found;
}

static bool ends_in_good(const struct hunt *hunt, uint32_t state)
{
    return hunt->product->linear->region[state] == hunt->product->linear->good;
}

/* --- in words --- */

static void lasso_say_values(const struct lasso *lasso, struct text *words)
{
    const struct linear_case *linear = lasso->linear;
    for (size_t i = 0; i < linear->claim.tracked.count; i++) {
        const struct variable *variable = linear->claim.tracked.items[i];
        text_format(words, "%s%s: ", i ? ", " : " (", variable->name);
        type_print_value(variable->type, *checker_value(linear->checker, variable), words);
    }
    if (linear->claim.tracked.count)
        text_char(words, ')');
}

static void lasso_say(const struct lasso *lasso, struct text *words)
{
    struct text values = {0};
    lasso_say_values(lasso, &values);
    fair_say_run(lasso->trace, lasso->linear->is_finite, text_chars(&values), words);
    text_free(&values);
}

/* The turns that closed the cycle repeat the places of the first one. */
static void lasso_keep_automaton(struct lasso *lasso)
{
    struct trace *trace = lasso->trace;
    size_t turn = lasso->places.count - 1 - (trace->has_loop ? trace->loop : 0);
    while (lasso->places.count < trace->count) {
        uint32_t place = lasso->places.items[lasso->places.count - turn];
        VEC_PUSH(&lasso->places, place);
    }
    trace->places = lasso->places.items;
    trace->automaton = linear_describe(lasso->linear);
}

static void lasso_open(struct lasso *lasso)
{
    const struct checker *checker = lasso->linear->checker;
    lasso->closer = (struct closer){.layout = checker->layout,
                                    .symmetry = checker->symmetry,
                                    .stepper = stepper_create_evaluator(checker->system, checker->layout),
                                    .judge = stepper_create_evaluator(checker->system, checker->layout),
                                    .user = lasso,
                                    .canonise = lasso_canonise};
}

static void lasso_close(struct lasso *lasso)
{
    lasso_forget_goals(lasso);
    VEC_FREE(&lasso->goals);
    stepper_destroy(lasso->closer.stepper);
    stepper_destroy(lasso->closer.judge);
}

/* To the state where the cycle begins, and around. */
static bool lasso_go_short(struct lasso *lasso, const struct hunt *around)
{
    struct hunt to = {.product = around->product, .ends_in = is_state, .user = &around->from};
    bool is_good = lasso_go(lasso, &to);
    VEC_FREE(&to.way);
    if (!is_good)
        return false;
    uint32_t begin = lasso->trace->count - 1;
    lasso->marks = 0;
    lasso_follow(lasso, around, NULL);
    close_loop(&lasso->closer, lasso->trace, begin);
    return true;
}

/* Takes a run with a cycle that begins elsewhere, if that is shorter. A cycle of orbits may take several turns to be
 * one of states: so both runs are made. */
static void lasso_shorten(struct lasso *lasso)
{
    struct checker *checker = lasso->linear->checker;
    struct hunt around = {0};
    if (shorten_find(lasso->linear, &around)) {
        struct lasso other = *lasso;
        memset(&other.places, 0, sizeof other.places);
        other.trace = trace_create(checker->system, checker->layout);
        other.closer.user = &other;
        if (lasso_go_short(&other, &around) && other.trace->count < lasso->trace->count) {
            lasso_take(lasso, &other);
            lasso->start = other.start;
        }
        VEC_FREE(&other.places);
        trace_destroy(other.trace);
    }
    VEC_FREE(&around.way);
}

struct trace *lasso_show(struct linear_case *linear, struct text *words)
{
    struct checker *checker = linear->checker;
    struct lasso lasso = {.linear = linear, .trace = trace_create(checker->system, checker->layout)};
    struct hunt hunt = {.product = &linear->product,
                        .ends_in = linear->is_finite ? hunt_ends_in_violation : ends_in_good};
    lasso_open(&lasso);
    bool is_good = lasso_go(&lasso, &hunt) && (linear->is_finite || lasso_go_around(&lasso));
    if (is_good && lasso.trace->has_loop && !stop_is_set(&checker->stop))
        lasso_shorten(&lasso);
    if (is_good) {
        lasso_say(&lasso, words);
        lasso_keep_automaton(&lasso);
    } else {
        VEC_FREE(&lasso.places);
    }
    lasso_close(&lasso);
    VEC_FREE(&hunt.way);
    if (is_good)
        return lasso.trace;
    trace_destroy(lasso.trace);
    return NULL;
}

bool lasso_go_on(struct linear_case *linear, struct trace *trace)
{
    struct lasso lasso = {.linear = linear, .trace = trace};
    struct hunt hunt = {.product = &linear->product, .ends_in = ends_in_good};
    lasso_open(&lasso);
    lasso.state = lasso_find(&lasso, &linear->product, lasso_cells(&lasso)) * linear->automaton->state_count +
                  linear->automaton->start;
    bool is_good = emptiness_decide_from(linear, lasso.state) && linear->good && hunt_run(&hunt, &lasso.state, 1);
    if (is_good) {
        lasso_follow(&lasso, &hunt, NULL);
        is_good = lasso_go_around(&lasso);
    }
    VEC_FREE(&lasso.places);
    lasso_close(&lasso);
    VEC_FREE(&hunt.way);
    return is_good;
}
