/* Bounded model checking (Biere, Cimatti, Clarke, Zhu: Symbolic model checking without BDDs, TACAS 1999).
 *
 * In rounds, as the explicit engine explores: first what start states show; then, for each depth, what happens when
 * states at this depth are expanded (deadlocks, steps that fail), and what the states one step further show. In a round
 * goals come first, then the shortest run, then the property that comes first in the model.
 *
 * Where the question is about the last state, that is a representative of its orbit (representative.c). It is not where
 * a step fails: which failure is met first may depend on the names of the processes (result/masked.h). */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "engine/sat/search.h"

/* A run to a target that waits for the others of its round. */
struct bmc_run {
    struct sat_target *target;
    uint32_t length; /* steps */
    uint32_t states;
    bool *values;
};

enum bmc_stage { BMC_STATES, BMC_REPORT, BMC_STEPS, BMC_PATHS };

struct sat_bmc {
    struct sat_unrolling unrolling;
    enum bmc_stage stage;
    VEC(struct bmc_run) runs;
};

static struct sat_bmc *bmc_create(struct sat_search *search)
{
    struct sat_bmc *bmc = memory_zeroed(1, sizeof *bmc);
    sat_unroll_begin(&bmc->unrolling, search);
    sat_unroll_extend(&bmc->unrolling);
    cnf_require(&bmc->unrolling.frames.items[0], search->starts);
    return bmc;
}

static void bmc_forget_runs(struct sat_bmc *bmc)
{
    for (size_t i = 0; i < bmc->runs.count; i++)
        free(bmc->runs.items[i].values);
    VEC_CLEAR(&bmc->runs);
}

void sat_bmc_destroy(struct sat_bmc *bmc)
{
    if (!bmc)
        return;
    bmc_forget_runs(bmc);
    VEC_FREE(&bmc->runs);
    sat_unroll_end(&bmc->unrolling);
    free(bmc);
}

static bool target_is_step(const struct sat_target *target)
{
    return target->kind == SAT_FAULT || target->kind == SAT_DEADLOCK || target->kind == SAT_COVERED;
}

static bool bmc_has_run(const struct sat_bmc *bmc, const struct sat_target *target)
{
    for (size_t i = 0; i < bmc->runs.count; i++)
        if (bmc->runs.items[i].target == target)
            return true;
    return false;
}

static bool bmc_wants(const struct sat_search *search, const struct sat_target *target, bool is_step)
{
    return target_is_step(target) == is_step && sat_target_is_open(search, target) && !bmc_has_run(search->bmc, target);
}

static uint32_t bmc_last(const struct sat_bmc *bmc)
{
    return (uint32_t)bmc->unrolling.frames.count - 1;
}

static void bmc_keep_run(struct sat_search *search, struct sat_target *target)
{
    struct sat_bmc *bmc = search->bmc;
    size_t width = search->circuit.variable_count;
    uint32_t last = bmc_last(bmc);
    bool is_long = target->kind == SAT_FAULT || target->kind == SAT_COVERED;
    struct bmc_run run = {target, last + is_long, last + 1, memory_alloc((last + 1) * width + 1)};
    for (uint32_t i = 0; i <= last; i++)
        sat_unroll_state(&bmc->unrolling, i, run.values + i * width);
    VEC_PUSH(&bmc->runs, run);
}

static int bmc_literal(struct sat_search *search, bit f)
{
    return sat_unroll_literal(&search->bmc->unrolling, bmc_last(search->bmc), f);
}

/* The first of the wanted targets that the solver's run ends in. */
static struct sat_target *bmc_hit(struct sat_search *search, bool is_step)
{
    struct sat_unrolling *unrolling = &search->bmc->unrolling;
    for (size_t i = 0; i < search->targets.count; i++) {
        struct sat_target *target = &search->targets.items[i];
        if (bmc_wants(search, target, is_step) && solver_value(unrolling->solver, bmc_literal(search, target->when)))
            return target;
    }
    UNREACHABLE("the run found ends in no target");
}

/* Finds a run to the last frame for each of the targets that has one. False: the effort was not enough. */
static bool bmc_look(struct sat_search *search, bool is_step, uint32_t conflicts)
{
    struct sat_unrolling *unrolling = &search->bmc->unrolling;
    for (;;) {
        bit any = BIT_FALSE;
        for (size_t i = 0; i < search->targets.count; i++)
            if (bmc_wants(search, &search->targets.items[i], is_step))
                any = aig_or(&search->circuit.aig, any, search->targets.items[i].when);
        if (any == BIT_FALSE)
            return true;
        for (size_t i = 0; i < search->targets.count; i++) /* so that their values can be asked for */
            bmc_literal(search, search->targets.items[i].when);
        solver_assume(unrolling->solver, bmc_literal(search, any));
        if (!is_step) /* a permutation of the run shows the same */
            solver_assume(unrolling->solver, bmc_literal(search, search->representative));
        enum solver_answer answer = solver_ask(unrolling->solver, conflicts);
        if (answer == SOLVER_UNSATISFIABLE) /* so it is known when later frames are asked about */
            solver_add_unit(unrolling->solver, -bmc_literal(search, any));
        if (answer != SOLVER_SATISFIABLE)
            return answer == SOLVER_UNSATISFIABLE;
        bmc_keep_run(search, bmc_hit(search, is_step));
    }
}

static bool target_is_goal(const struct sat_target *target)
{
    return target->kind == SAT_GOAL || target->kind == SAT_COVERED || target->kind == SAT_UNEVALUATED;
}

static int bmc_run_compare(const void *a, const void *b)
{
    const struct bmc_run *x = a, *y = b;
    if (target_is_goal(x->target) != target_is_goal(y->target))
        return target_is_goal(x->target) ? -1 : 1;
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    return x->target->property->id < y->target->property->id ? -1 : 1;
}

static bool bmc_report(struct sat_search *search)
{
    struct sat_bmc *bmc = search->bmc;
    bool has_any = bmc->runs.count > 0;
    if (has_any)
        qsort(bmc->runs.items, bmc->runs.count, sizeof *bmc->runs.items, bmc_run_compare);
    for (size_t i = 0; i < bmc->runs.count && !search->is_over; i++) {
        const struct bmc_run *run = &bmc->runs.items[i];
        if (sat_target_is_open(search, run->target))
            sat_found(search, run->target, run->values, run->states);
    }
    bmc_forget_runs(bmc);
    return has_any;
}

/* One stage of a round. False: the effort was not enough. */
static bool bmc_stage(struct sat_search *search, uint32_t conflicts, enum sat_answer *answer)
{
    struct sat_bmc *bmc = search->bmc;
    switch (bmc->stage) {
    case BMC_STATES:
        if (!bmc_look(search, false, conflicts))
            return false;
        bmc->stage = BMC_REPORT;
        return true;
    case BMC_REPORT:
        *answer = bmc_report(search) ? SAT_FOUND : SAT_OPEN;
        bmc->stage = BMC_STEPS;
        return true;
    case BMC_STEPS:
        if (!bmc_look(search, true, conflicts))
            return false;
        sat_unroll_extend(&bmc->unrolling);
        bmc->stage = BMC_PATHS;
        return true;
    case BMC_PATHS:
        switch (solver_ask(bmc->unrolling.solver, conflicts)) {
        case SOLVER_UNKNOWN:
            return false;
        case SOLVER_UNSATISFIABLE: /* no run is as long */
            *answer = bmc_report(search) ? SAT_FOUND : SAT_OPEN;
            *answer = search->is_over ? *answer : SAT_SETTLED;
            return true;
        case SOLVER_SATISFIABLE:
            break;
        }
        bmc->stage = BMC_STATES;
        return true;
    }
    UNREACHABLE("stage");
}

enum sat_answer sat_bmc_advance(struct sat_search *search, uint32_t conflicts)
{
    enum sat_answer answer = SAT_OPEN;
    uint32_t most = search->options->limits.depth;
    if (!search->bmc)
        search->bmc = bmc_create(search);
    do {
        if (!bmc_stage(search, conflicts, &answer))
            return watch_is_up() ? sat_cut(search) : SAT_OPEN;
        sat_tell(search);
    } while (answer == SAT_OPEN && search->bmc->stage != BMC_STEPS);
    if (answer == SAT_SETTLED)
        return answer;
    search->depth = bmc_last(search->bmc) > search->depth ? bmc_last(search->bmc) : search->depth;
    if (answer == SAT_OPEN && most && bmc_last(search->bmc) >= most) {
        stop_once(&search->stop, stop_limit(STOP_DEPTH, most));
        return SAT_CUT;
    }
    return answer;
}

/* -- In turn with IC3 -- */

enum { BMC_FIRST_CONFLICTS = 2000, BMC_MOST_CONFLICTS = 1 << 30 };
static const double BMC_SHARE = 0.4, BMC_SHORTER_SECONDS = 2;

static bool bmc_spend(struct sat_search *search)
{
    double begin = clock_cpu();
    uint32_t depth = search->depth;
    if (!search->bmc_conflicts)
        search->bmc_conflicts = BMC_FIRST_CONFLICTS;
    enum sat_answer answer = sat_bmc_advance(search, search->bmc_conflicts);
    if (answer == SAT_OPEN && search->depth == depth && search->bmc_conflicts < BMC_MOST_CONFLICTS)
        search->bmc_conflicts *= 2; /* the same question again, with more effort */
    search->bmc_has_ended = answer == SAT_CUT || answer == SAT_SETTLED;
    search->is_settled = answer == SAT_SETTLED;
    search->bmc_cpu += clock_cpu() - begin;
    return answer == SAT_FOUND;
}

bool sat_is_over(struct sat_search *search)
{
    return watch_is_up() || search->is_over || search->is_settled;
}

bool sat_bmc_take_turn(struct sat_search *search)
{
    while (!sat_is_over(search) && !search->bmc_has_ended &&
           search->bmc_cpu <= BMC_SHARE * (clock_cpu() - search->begin_cpu))
        bmc_spend(search);
    return sat_is_over(search);
}

bool sat_bmc_find_shorter(struct sat_search *search, uint32_t states)
{
    double most = clock_cpu() + BMC_SHORTER_SECONDS + (clock_cpu() - search->begin_cpu);
    if (search->options->method == METHOD_IC3)
        return false;
    while (!sat_is_over(search) && !search->bmc_has_ended && clock_cpu() < most &&
           (!search->bmc || bmc_last(search->bmc) < states))
        if (bmc_spend(search))
            return true;
    return false;
}
