#include "driver/undefined.h"

#include <stdlib.h>

#include "engine/complete/shape.h"
#include "explore/explore.h"
#include "ir/ctl.h"
#include "ir/walk.h"

static const double LEAST_SECONDS = 0.03, SHARE = 0.1;

/* A comparison that met an undefined value, and the first state where it did. */
struct meeting {
    struct span span;
    const char *outcome;
    uint32_t state; /* as in the search */
};

struct undefined_search {
    struct stepper *stepper;
    struct explore *explore;
    struct diagnostics *notes;
    VEC(struct span) possible;
    VEC(struct meeting) met;
    uint32_t state; /* that is being looked at; EXPLORE_NOWHERE: a start state is being made */
    bool is_local;  /* a local variable or a reference is compared */
};

static bool is_same_place(struct span a, struct span b)
{
    return a.source == b.source && a.line == b.line && a.column == b.column;
}

/* --- could anything be met? --- */

static bool collect_place(void *user, const struct expr *expr)
{
    struct undefined_search *search = user;
    if (expr->kind != EXPR_IS_UNDEFINED || !expr->is_implied)
        return true;
    const struct variable *root = place_home(expr->place);
    search->is_local |= !root || !root->is_global;
    for (size_t i = 0; i < search->possible.count; i++)
        if (is_same_place(search->possible.items[i], expr->span))
            return true;
    VEC_PUSH(&search->possible, expr->span);
    return true;
}

static bool is_whole(const struct layout *layout, const int32_t *cells)
{
    for (uint32_t c = 0; c < layout->cell_count; c++)
        if (cells[c] == UNDEFINED)
            return false;
    return true;
}

/* --- the search --- */

/* The second operand is asked after the first: where both are undefined, its outcome is that of the comparison. */
static void note(void *user, const struct expr *test)
{
    struct undefined_search *search = user;
    for (size_t i = 0; i < search->met.count; i++) {
        struct meeting *known = &search->met.items[i];
        if (!is_same_place(known->span, test->span))
            continue;
        if (known->state == search->state)
            known->outcome = test->outcome;
        return;
    }
    VEC_PUSH(&search->met, ((struct meeting){test->span, test->outcome, search->state}));
}

static void tell(const struct undefined_search *search, const struct meeting *meeting)
{
    static const char *const compared = "an undefined value is compared, first";
    uint32_t length = 1;
    if (meeting->state != EXPLORE_NOWHERE)
        free(explore_path(explore_store(search->explore), meeting->state, &length));
    if (meeting->state == EXPLORE_NOWHERE || length == 1)
        diag_warning(search->notes, meeting->span, "%s %s a start state: %s", compared,
                     meeting->state == EXPLORE_NOWHERE ? "in the making of" : "in", meeting->outcome);
    else
        diag_warning(search->notes, meeting->span, "%s %u step%s from a start state: %s", compared, length - 1,
                     length == 2 ? "" : "s", meeting->outcome);
}

static void tell_all(const struct undefined_search *search)
{
    for (size_t i = 0; i < search->met.count; i++) {
        tell(search, &search->met.items[i]);
        diag_kind(search->notes, WARNING_UNDEFINED);
        if (i == 0) /* said of one place, it holds for the others */
            diag_hint(search->notes,
                      "here Noether goes on as CMurphi does. If that is meant, write isundefined(...) to say so; if "
                      "not, give it a value first (--undefined error stops here, as rumur does)");
    }
}

static bool is_done(const struct undefined_search *search)
{
    return search->met.count == search->possible.count || watch_is_up();
}

/* The next values of the variables, the first of them fastest. False: those were the last. */
static bool next_values(const struct proposition *proposition, uint32_t *ordinals)
{
    for (uint32_t v = 0; v < proposition->variable_count; v++) {
        if (++ordinals[v] < proposition->variables[v]->type->size)
            return true;
        ordinals[v] = 0;
    }
    return false;
}

/* An atom of a temporal property, for all values of the quantified variables in it. */
static void judge_proposition(struct undefined_search *search, const struct proposition *proposition,
                              const int32_t *cells)
{
    uint32_t count = proposition->variable_count;
    uint32_t *ordinals = memory_zeroed(count + 1, sizeof *ordinals);
    int32_t *values = memory_zeroed(count + 1, sizeof *values);
    struct fault fault;
    do {
        for (uint32_t v = 0; v < count; v++)
            values[v] = type_code(proposition->variables[v]->type, ordinals[v]);
        stepper_judge(search->stepper, proposition, cells, values, &fault);
    } while (!is_done(search) && next_values(proposition, ordinals));
    free(ordinals);
    free(values);
}

static void judge(struct undefined_search *search, const int32_t *cells)
{
    const struct system *system = search->stepper->system;
    struct fault fault;
    for (size_t i = 0; i < system->properties.count; i++)
        if (system->properties.items[i]->formula && i != SYSTEM_DEADLOCK) /* evaluated only where nothing can move */
            stepper_holds(search->stepper, system->properties.items[i], cells, &fault);
    for (size_t p = 0; p < system->propositions.count && !is_done(search); p++)
        judge_proposition(search, system->propositions.items[p], cells);
}

static bool expand(void *user, uint32_t state, const int32_t *cells)
{
    struct undefined_search *search = user;
    struct step step;
    enum step_outcome outcome;
    search->state = state;
    judge(search, cells);
    stepper_begin_successors(search->stepper, cells);
    while (!is_done(search) && (outcome = stepper_next(search->stepper, &step)) != STEP_END)
        if (outcome == STEP_STATE)
            explore_send(search->explore, &step);
    return !is_done(search);
}

static bool settle(void *user, uint32_t state, const struct explore_edge *edges, size_t count)
{
    (void)user, (void)state, (void)edges, (void)count;
    return true;
}

/* False: all start states are defined. */
static bool insert_starts(struct undefined_search *search, const struct layout *layout)
{
    struct step step;
    enum step_outcome outcome;
    uint32_t number;
    bool is_undefined = false;
    search->state = EXPLORE_NOWHERE;
    stepper_begin_starts(search->stepper);
    while (!is_done(search) && (outcome = stepper_next(search->stepper, &step)) != STEP_END)
        if (outcome == STEP_STATE) {
            is_undefined |= !is_whole(layout, step.cells);
            if (explore_insert(search->explore, step.cells, &number) == STORE_FULL)
                break;
        }
    return is_undefined;
}

static void run(struct undefined_search *search, const struct model *model)
{
    struct budget budget = {0};
    const struct explore_client client = {.user = search, .expand = expand, .settle = settle};
    const struct layout *layout = model->layout;
    search->stepper = stepper_create_evaluator(model->system, layout);
    search->stepper->is_watched = true;
    stepper_tell_undefined(search->stepper, note, search);
    search->explore = explore_create(layout, layout->cell_count, NULL, &budget, UNDEFINED_STATES);
    explore_go_on_when_full(search->explore);
    bool is_undefined = insert_starts(search, layout);
    if (is_undefined || search->is_local || !shape_is_always_defined(model->system))
        explore_run(search->explore, &client);
    tell_all(search);
    explore_destroy(search->explore);
    stepper_destroy(search->stepper);
}

void undefined_find(const struct model *model, double seconds, struct diagnostics *notes)
{
    struct undefined_search search = {.notes = notes};
    struct watch watch;
    if (system_has_macro_steps(model->system)) /* only a single evaluator tells of what it reads */
        return;
    struct walker walker = {.on_expr = collect_place, .user = &search};
    walk_system(&walker, model->system);
    for (size_t p = 0; p < model->system->propositions.count; p++)
        walk_expr(&walker, model->system->propositions.items[p]->formula);
    if (search.possible.count) {
        watch_begin(&watch, LEAST_SECONDS + SHARE * seconds, NULL);
        run(&search, model);
        watch_end(&watch);
    }
    VEC_FREE(&search.possible);
    VEC_FREE(&search.met);
}
