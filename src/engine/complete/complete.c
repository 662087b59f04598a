/* Complete symmetry reduction: Chu and Jaffar, A complete method for symmetry reduction in safety verification, CAV
 * 2011. Unlike there, no array is renamed by index: a cell is a function of the names of the objects (term.h), so a
 * permutation counts only where what was looked at stays the same. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/complete/explore.h"
#include "ir/instance.h"
#include "ir/walk.h"

enum { COMPLETE_MAX_TRANSITIONS = 1 << 24 };

static bool complete_is_plain(const struct rule *rule)
{
    return !rule->weight;
}

static const char *complete_refusal_of_rules(const struct system *system)
{
    uint64_t instances = 0;
    for (size_t i = 0; i < system->rules.count; i++) {
        if (!complete_is_plain(system->rules.items[i]))
            return "a rule has a probability: the complete engine knows no probabilities";
        if (system->rules.items[i]->instance_count > COMPLETE_MAX_TRANSITIONS - instances)
            return "the rules have more instances than the complete engine can try in every state";
        instances += system->rules.items[i]->instance_count;
    }
    for (size_t i = 0; i < system->starts.count; i++)
        if (!complete_is_plain(system->starts.items[i]))
            return "a start state has a probability: the complete engine knows no probabilities";
    return NULL;
}

/* Statements and expressions that follow*.c has code for. */
static const bool follows_stmt[] = {
    [STMT_ASSIGN] = true, [STMT_COPY] = true,     [STMT_IF] = true,     [STMT_FOR] = true,
    [STMT_WHILE] = true,  [STMT_CALL] = true,     [STMT_RETURN] = true, [STMT_ASSERT] = true,
    [STMT_ASSUME] = true, [STMT_COVER] = true,    [STMT_ERROR] = true,  [STMT_PUT] = true,
    [STMT_CLEAR] = true,  [STMT_UNDEFINE] = true, [STMT_BIND] = true,   [STMT_REQUIRE] = true,
};
static const bool follows_expr[] = {
    [EXPR_CONST] = true, [EXPR_READ] = true,       [EXPR_UNARY] = true,        [EXPR_BINARY] = true,
    [EXPR_COND] = true,  [EXPR_QUANTIFIER] = true, [EXPR_IS_UNDEFINED] = true, [EXPR_IS_MEMBER] = true,
    [EXPR_CALL] = true,  [EXPR_EQUAL] = true,
};

static bool complete_meets_stmt(void *user, const struct stmt *stmt)
{
    *(bool *)user |= stmt->kind >= sizeof follows_stmt / sizeof *follows_stmt || !follows_stmt[stmt->kind];
    return true;
}

static bool complete_meets_expr(void *user, const struct expr *expr)
{
    *(bool *)user |= expr->kind >= sizeof follows_expr / sizeof *follows_expr || !follows_expr[expr->kind];
    return true;
}

static bool complete_knows_all(const struct system *system)
{
    bool is_strange = false;
    walk_system(&(struct walker){.on_stmt = complete_meets_stmt, .on_expr = complete_meets_expr, .user = &is_strange},
                system);
    return !is_strange;
}

static const char *complete_supports(const struct system *system, const struct engine_options *options,
                                     struct arena *words)
{
    (void)words; /* all its reasons are constant */
    const char *refusal = system_refuses_single_rules(system);
    if (!refusal)
        refusal = complete_refusal_of_rules(system);
    for (size_t t = 0; t < system->types.count && !refusal; t++)
        if (type_has_multiset(system->types.items[t]))
            refusal = "the complete engine does not know multisets";
    if (!refusal && !complete_knows_all(system))
        refusal = "the complete engine does not know a statement or expression of the model";
    for (size_t i = 0; i < system->properties.count && !refusal; i++)
        if (system->properties.items[i]->kind == PROPERTY_LIVENESS)
            refusal = "the complete engine decides what can be reached, not liveness properties";
        else if (system->properties.items[i]->kind == PROPERTY_CTL)
            refusal = "the complete engine decides what can be reached, not CTL properties";
        else if (system->properties.items[i]->kind == PROPERTY_LTL)
            refusal = "the complete engine decides what can be reached, not LTL properties";
    if (!refusal)
        shape_destroy(shape_create(system, options->location, &refusal));
    return refusal;
}

static int complete_compare_transitions(const void *left, const void *right)
{
    const struct transition *a = left, *b = right;
    if (a->object != b->object)
        return a->object < b->object ? -1 : 1;
    if (a->rule != b->rule)
        return a->rule->id < b->rule->id ? -1 : 1;
    return a->instance < b->instance ? -1 : a->instance > b->instance;
}

/* The process a transition belongs to: its first parameter that is an object, counted from 1; 0: none. */
static uint32_t complete_actor(const struct shape *shape, const struct rule *rule, const int32_t *values)
{
    for (uint32_t p = 0; p < rule->parameter_count; p++) {
        uint32_t f = shape_family_of_type(shape, rule->parameters[p].type);
        if (f != SHAPE_NONE)
            return 1 + shape->families[f].first + (uint32_t)type_ordinal(rule->parameters[p].type, values[p]);
    }
    return 0;
}

/* Process by process, as in the paper: the order decides which of two similar states is explored. */
static void complete_list_transitions(struct complete_search *search)
{
    VEC(struct transition) list = {0};
    for (size_t r = 0; r < search->system->rules.count; r++) {
        const struct rule *rule = search->system->rules.items[r];
        int32_t *values = memory_alloc((rule->parameter_count + 1) * sizeof *values);
        for (uint64_t i = 0; i < rule->instance_count; i++) {
            instance_values(rule, i, values);
            VEC_PUSH(&list, ((struct transition){rule, i, complete_actor(search->shape, rule, values)}));
        }
        free(values);
    }
    if (list.count)
        qsort(list.items, list.count, sizeof *list.items, complete_compare_transitions);
    search->transitions = list.items;
    search->transition_count = list.count;
}

static void complete_create(struct complete_search *search)
{
    const char *refusal;
    search->shape = shape_create(search->system, search->options->location, &refusal);
    ENSURE(search->shape);
    uint32_t objects = search->shape->object_count;
    search->next_number = 1;
    search->orbit_capacity = 1024;
    search->orbits = memory_zeroed(search->orbit_capacity, sizeof *search->orbits);
    search->classes = memory_zeroed(objects, sizeof *search->classes);
    search->signatures = memory_zeroed(objects, sizeof *search->signatures);
    search->left_order = memory_zeroed(objects, sizeof *search->left_order);
    search->right_order = memory_zeroed(objects, sizeof *search->right_order);
    search->map = memory_zeroed(objects, sizeof *search->map);
    complete_list_transitions(search);
    assess_create(search);
}

static void complete_destroy(struct complete_search *search)
{
    VEC_FREE(&search->frames);
    VEC_FREE(&search->open);
    VEC_FREE(&search->released);
    open_destroy(search);
    assess_destroy(search);
    memos_destroy(search->memos);
    backward_destroy(&search->backward);
    follow_destroy(search->follow);
    terms_destroy(search->terms);
    shape_destroy(search->shape);
    free(search->transitions);
}

struct start {
    const struct rule *rule;
    uint64_t instance;
    int32_t *cells; /* NULL: it faults */
    struct fault fault;
};

struct complete_starts {
    VEC(struct start) list;
};

/* All of them first: whether some cell may be undefined decides what has to be remembered. */
static void complete_collect_starts(struct complete_search *search, struct complete_starts *starts, bool *covered)
{
    struct stepper *stepper = stepper_create_evaluator(search->system, search->layout);
    size_t cells = search->layout->cell_count;
    struct step step = {0};
    enum step_outcome outcome;
    stepper_begin_starts(stepper);
    while ((outcome = stepper_next(stepper, &step)) != STEP_END) {
        struct start start = {.rule = step.rule, .instance = step.instance, .fault = step.fault};
        if (outcome == STEP_DISCARDED)
            continue;
        if (outcome == STEP_STATE) {
            start.cells = memory_alloc((cells + 1) * sizeof *start.cells);
            memcpy(start.cells, step.cells, cells * sizeof *start.cells);
            for (size_t c = 0; c < cells; c++)
                if (start.cells[c] == UNDEFINED)
                    search->shape->is_always_defined = false;
        }
        VEC_PUSH(&starts->list, start);
    }
    memcpy(covered, stepper->covered, search->system->properties.count * sizeof *covered);
    stepper_destroy(stepper);
}

static bool complete_explore_start(struct complete_search *search, const struct start *start)
{
    bool goes_on = true;
    if (start->cells) {
        if (assess_is_granted(search, NULL, start->rule, start->instance, start->cells, &goes_on) && goes_on)
            goes_on = explore_start(search, start->rule, start->instance, start->cells);
        return goes_on;
    }
    struct finding finding = {start->fault.property, TRACE_SHOWS_FAULT, &start->fault, NULL,
                              start->rule,           start->instance,   NULL};
    if (search->decided[start->fault.property->id])
        return true;
    return evidence_report(search, &finding, NULL);
}

static void complete_explore(struct complete_search *search)
{
    struct complete_starts starts = {0};
    bool *covered = memory_zeroed(search->system->properties.count + 1, sizeof *covered);
    complete_collect_starts(search, &starts, covered);
    search->terms = terms_create(search->shape);
    search->follow = follow_create(search->shape, search->terms);
    search->memos = memos_create(search->shape, search->options->permutations);
    backward_create(&search->backward, search->terms);
    memcpy(search->follow->covered, covered, search->system->properties.count * sizeof *covered);
    free(covered);
    bool goes_on = assess_covers(search, NULL, NULL, 0, NULL, NULL);
    for (size_t i = 0; i < starts.list.count; i++) {
        goes_on = goes_on && complete_explore_start(search, &starts.list.items[i]);
        free(starts.list.items[i].cells);
    }
    VEC_FREE(&starts.list);
}

static struct result *complete_run(const struct layout *layout, const struct symmetry *symmetry,
                                   const struct engine_options *options)
{
    (void)symmetry; /* it finds its own */
    struct complete_search search = {
        .layout = layout,
        .system = layout->system,
        .options = options,
        .result = result_create(layout->system, engine_complete.name),
    };
    complete_create(&search);
    explore_begin(&search);
    complete_explore(&search);
    settle_conclude(&search);
    complete_destroy(&search);
    return search.result;
}

const struct engine engine_complete = {
    .name = "complete",
    .summary = "depth first with interpolants that are reused under permutations of the processes",
    .supports = complete_supports,
    .run = complete_run,
};
