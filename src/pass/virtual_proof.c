/* The proof that the orbits of an assumed group are a bisimulation, with a SAT solver, on all states.
 *
 * For each generator g and each step of an instance r from a state s, some instance w must lead from g(s) to a state
 * whose image under g^-1 lies in the orbit of the target of r. By composition this holds for all permutations: a
 * transposition is its own inverse, and a power of a cycle is its inverse. So the question is whether
 *
 *     r fires in s, and for no pair (w, p): w fires in g(s) and p(r(s)) = g^-1(w(g(s)))
 *
 * can be satisfied. Pairs (w, p) are added one by one: each model of the question is a state, in which a pair is looked
 * for by firing rules (counterexample-guided refinement). If there is none, the state refutes the group. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bits/circuit.h"
#include "canon/canon.h"
#include "exec/steppers.h"
#include "pass/virtual.h"

enum {
    PROOF_MOST_CELLS = 4096,
    PROOF_MOST_STEPS = 20000, /* instances of rules */
    PROOF_MOST_PAIRS = 64,    /* for one step */
    PROOF_CONFLICTS = 2000,   /* for one question: the same on every machine */
    PROOF_MOST_NODES = 1 << 23
};

struct proof {
    const struct layout *layout;
    const struct symmetry *symmetry;
    struct circuit circuit;
    struct solver *solver;
    struct cnf cnf;
    struct stepper *stepper;
    struct canon *canon;
    const uint32_t **images, **inverses; /* the generator g and its inverse: by factor, as in symmetry_act */
    uint32_t *image, *inverse;           /* the two permutations themselves */
    VEC(uint32_t *) maps;                /* of all generators, by variable: the variable that it is taken to */
    uint32_t *back;                      /* by variable: the variable that g^-1 takes it to */
    bit *moved;                          /* by variable: its value in g(s) */
    bit *after, *other;                  /* by variable: its value behind r, and behind w (taken back by g) */
    const uint32_t **exchange;           /* the permutation p: by factor */
    uint32_t **exchanges;                /* by factor: room for p */
    uint32_t *exchange_map;              /* by variable, of p */
    bool *model;                         /* by variable: a state that the solver found */
    int32_t *from, *to, *from_moved, *candidate, *scratch; /* states: s, r(s), g(s), g^-1(w(g(s))) */
};

/* -- Functions -- */

static bit proof_and(struct proof *p, bit f, bit g)
{
    return f == BIT_NONE || g == BIT_NONE ? BIT_NONE : aig_and(&p->circuit.aig, f, g);
}

static bit proof_or(struct proof *p, bit f, bit g)
{
    return f == BIT_NONE || g == BIT_NONE ? BIT_NONE : aig_or(&p->circuit.aig, f, g);
}

static bit proof_differ(struct proof *p, bit f, bit g)
{
    return f == BIT_NONE || g == BIT_NONE ? BIT_NONE : aig_xor(&p->circuit.aig, f, g);
}

/* f(g(s)) as a function of s. */
static bit proof_moved(struct proof *p, bit f)
{
    return f == BIT_NONE ? BIT_NONE : aig_compose(&p->circuit.aig, f, p->moved);
}

/* Is f false in all states? */
static enum virtual_answer proof_is_never(struct proof *p, bit f)
{
    if (f == BIT_FALSE)
        return VIRTUAL_PROVED;
    if (f == BIT_NONE || watch_is_up() || p->circuit.aig.nodes.count > PROOF_MOST_NODES)
        return VIRTUAL_UNKNOWN;
    solver_assume(p->solver, cnf_literal(&p->cnf, f));
    enum solver_answer answer = solver_ask(p->solver, PROOF_CONFLICTS);
    return answer == SOLVER_UNSATISFIABLE ? VIRTUAL_PROVED
           : answer == SOLVER_SATISFIABLE ? VIRTUAL_REFUTED
                                          : VIRTUAL_UNKNOWN;
}

/* Does f have the same value in all states of an orbit? */
static enum virtual_answer proof_is_invariant(struct proof *p, bit f)
{
    return proof_is_never(p, proof_differ(p, f, proof_moved(p, f)));
}

/* -- Pairs (w, p) -- */

static void proof_exchange_act(void *user, const int32_t *cells, int32_t *out)
{
    struct proof *p = user;
    symmetry_act(p->symmetry, p->layout, p->exchange, cells, out);
}

/* The states in which w fires behind g and leads where r leads, up to the permutation p->exchange. */
static bit proof_pair(struct proof *p, const struct circuit_step *r, const struct circuit_step *w)
{
    const struct circuit *circuit = &p->circuit;
    bit same = proof_moved(p, w->fires);
    if (!circuit_permutation(circuit, proof_exchange_act, p, p->exchange_map))
        return BIT_NONE;
    for (uint32_t v = 0; v < circuit->variable_count; v++)
        p->after[v] = p->other[v] = circuit_variable(v);
    for (uint32_t c = 0; c < r->change_count; c++) {
        const struct circuit_change *change = &circuit->changes.items[r->first_change + c];
        p->after[change->variable] = change->value;
    }
    for (uint32_t c = 0; c < w->change_count; c++) {
        struct circuit_change change = circuit->changes.items[w->first_change + c];
        p->other[p->back[change.variable]] = proof_moved(p, change.value);
    }
    for (uint32_t v = 0; v < circuit->variable_count; v++)
        same = proof_and(p, same, bit_not(proof_differ(p, p->after[v], p->other[p->exchange_map[v]])));
    return same;
}

/* -- A pair for one state, by firing rules -- */

/* Fires one instance in p->from; the target goes to p->to. */
static bool proof_fire(struct proof *p, const struct circuit_step *r)
{
    struct step step = {0};
    enum step_outcome outcome;
    stepper_begin_successors(p->stepper, p->from);
    while ((outcome = stepper_next(p->stepper, &step)) != STEP_END)
        if (outcome == STEP_STATE && step.rule->id == r->rule->id && step.instance == r->instance) {
            memcpy(p->to, step.cells, p->layout->cell_count * sizeof *p->to);
            return true;
        }
    return false;
}

static bool proof_is_exchanged(struct proof *p)
{
    symmetry_act(p->symmetry, p->layout, p->exchange, p->to, p->scratch);
    return !memcmp(p->scratch, p->candidate, p->layout->cell_count * sizeof *p->scratch);
}

/* A transposition that takes p->to to p->candidate, left in p->exchange. */
static bool proof_transposition(struct proof *p)
{
    for (uint32_t f = 0; f < p->symmetry->factor_count; f++) {
        const struct symmetry_factor *factor = &p->symmetry->factors[f];
        if (!factor->is_used || factor->kind != SYMMETRY_FULL)
            continue;
        uint32_t *image = p->exchanges[f];
        for (uint32_t i = 0; i < factor->degree; i++)
            image[i] = i;
        p->exchange[f] = image;
        for (uint32_t a = 0; a < factor->degree; a++)
            for (uint32_t b = a + 1; b < factor->degree; b++) {
                image[a] = b;
                image[b] = a;
                if (proof_is_exchanged(p))
                    return true;
                image[a] = a;
                image[b] = b;
            }
        p->exchange[f] = NULL;
    }
    return false;
}

/* The permutation by which the canonical forms of p->to and p->candidate agree. */
static bool proof_canonical(struct proof *p)
{
    canon_apply(p->canon, p->to, p->scratch);
    for (uint32_t f = 0; f < p->symmetry->factor_count; f++) {
        const uint32_t *image = canon_image(p->canon, f);
        for (uint32_t i = 0; i < p->symmetry->factors[f].degree; i++)
            p->exchanges[f][i] = image ? image[i] : i;
    }
    canon_apply(p->canon, p->candidate, p->scratch);
    for (uint32_t f = 0; f < p->symmetry->factor_count; f++) {
        const uint32_t *image = canon_image(p->canon, f);
        uint32_t degree = p->symmetry->factors[f].degree;
        uint32_t *first = memory_alloc((degree + 1) * sizeof *first);
        for (uint32_t i = 0; i < degree; i++)
            first[image ? image[i] : i] = i;
        for (uint32_t i = 0; i < degree; i++)
            p->exchanges[f][i] = first[p->exchanges[f][i]];
        free(first);
        p->exchange[f] = p->symmetry->factors[f].is_used ? p->exchanges[f] : NULL;
    }
    return proof_is_exchanged(p);
}

/* How p->to is taken to p->candidate: as simple as possible, since that serves for other states, too. 0: not at all;
 * else the less the better. The permutation is in p->exchange. */
static int proof_compare(struct proof *p)
{
    size_t bytes = p->layout->cell_count * sizeof *p->to;
    memset(p->exchange, 0, p->symmetry->factor_count * sizeof *p->exchange);
    if (!memcmp(p->to, p->candidate, bytes))
        return 1;
    canon_apply(p->canon, p->to, p->scratch);
    int32_t *form = memory_alloc(bytes + 1);
    memcpy(form, p->scratch, bytes);
    canon_apply(p->canon, p->candidate, p->scratch);
    bool is_same = !memcmp(form, p->scratch, bytes);
    free(form);
    if (!is_same)
        return 0;
    return proof_transposition(p) ? 2 : proof_canonical(p) ? 3 : 4;
}

static const struct circuit_step *proof_step_of(const struct proof *p, const struct rule *rule, uint64_t instance)
{
    for (size_t s = 0; s < p->circuit.steps.count; s++)
        if (p->circuit.steps.items[s].rule->id == rule->id && p->circuit.steps.items[s].instance == instance)
            return &p->circuit.steps.items[s];
    return NULL;
}

/* A pair for the state p->from, whose successor by r is p->to: its function in *pair. REFUTED: there is none. */
static enum virtual_answer proof_find_pair(struct proof *p, const struct circuit_step *r, bit *pair)
{
    struct step step = {0};
    enum step_outcome outcome;
    const struct circuit_step *best = NULL;
    int best_rank = 4;
    bool is_found = false;
    symmetry_act(p->symmetry, p->layout, p->images, p->from, p->from_moved);
    stepper_begin_successors(p->stepper, p->from_moved);
    while (best_rank > 1 && (outcome = stepper_next(p->stepper, &step)) != STEP_END) {
        if (outcome != STEP_STATE)
            continue;
        symmetry_act(p->symmetry, p->layout, p->inverses, step.cells, p->candidate);
        int rank = proof_compare(p);
        is_found |= rank > 0;
        if (!rank || rank >= best_rank)
            continue;
        best_rank = rank;
        best = proof_step_of(p, step.rule, step.instance);
        *pair = best ? proof_pair(p, r, best) : BIT_NONE;
    }
    return !is_found ? VIRTUAL_REFUTED : best && *pair != BIT_NONE ? VIRTUAL_PROVED : VIRTUAL_UNKNOWN;
}

/* -- Obligations -- */

static void proof_read_model(struct proof *p)
{
    for (uint32_t v = 0; v < p->circuit.variable_count; v++)
        p->model[v] = solver_value(p->solver, cnf_literal(&p->cnf, circuit_variable(v)));
    circuit_decode(&p->circuit, p->model, p->from);
}

static enum virtual_answer proof_step(struct proof *p, const struct circuit_step *r)
{
    bit open = r->fires; /* the states for which no pair is known */
    for (int pairs = 0; pairs <= PROOF_MOST_PAIRS; pairs++) {
        enum virtual_answer answer = proof_is_never(p, open);
        if (answer != VIRTUAL_REFUTED)
            return answer;
        bit pair;
        proof_read_model(p);
        if (!proof_fire(p, r))
            return VIRTUAL_UNKNOWN;
        answer = proof_find_pair(p, r, &pair);
        if (answer != VIRTUAL_PROVED)
            return answer;
        open = proof_and(p, open, bit_not(pair));
    }
    return VIRTUAL_UNKNOWN;
}

static enum virtual_answer proof_events(struct proof *p, const event_list *events)
{
    enum virtual_answer answer = VIRTUAL_PROVED;
    for (size_t i = 0; answer == VIRTUAL_PROVED && i < events->count; i++)
        answer = proof_is_invariant(p, events->items[i].when);
    return answer;
}

/* Which states are deadlocks: those from which no step leads to another state, or no step leads. The second follows
 * from the steps. */
static enum virtual_answer proof_deadlock(struct proof *p)
{
    bit alters = BIT_FALSE;
    for (size_t s = 0; s < p->circuit.steps.count; s++)
        alters = proof_or(p, alters, p->circuit.steps.items[s].alters);
    return proof_is_invariant(p, alters);
}

static enum virtual_answer proof_generator(struct proof *p, enum deadlock_mode deadlock)
{
    enum virtual_answer answer = proof_events(p, &p->circuit.faults);
    if (answer == VIRTUAL_PROVED)
        answer = proof_events(p, &p->circuit.covered);
    if (answer == VIRTUAL_PROVED && deadlock == DEADLOCK_STUTTERING)
        answer = proof_deadlock(p);
    for (size_t s = 0; answer == VIRTUAL_PROVED && s < p->circuit.steps.count; s++) {
        struct circuit_step step = p->circuit.steps.items[s];
        answer = proof_step(p, &step);
    }
    return answer;
}

/* -- All of it -- */

struct proof_move {
    const struct proof *proof;
    const uint32_t *const *images;
};

static void proof_act(void *user, const int32_t *cells, int32_t *out)
{
    const struct proof_move *move = user;
    symmetry_act(move->proof->symmetry, move->proof->layout, move->images, cells, out);
}

/* Maps the state variables by a generator. False: it does not permute them. */
static bool proof_map(struct proof *p, uint32_t factor, uint32_t number)
{
    struct proof_move move = {p, p->images};
    uint32_t *map = memory_alloc(((size_t)p->circuit.variable_count + 1) * sizeof *map);
    VEC_PUSH(&p->maps, map);
    virtual_generator(p->symmetry, factor, number, p->images, p->image);
    bool is_ok = circuit_permutation(&p->circuit, proof_act, &move, map);
    p->images[factor] = NULL;
    return is_ok;
}

static bool proof_map_all(struct proof *p)
{
    bool is_ok = true;
    for (uint32_t f = 0; f < p->symmetry->factor_count; f++)
        for (uint32_t g = 0; is_ok && g < VIRTUAL_GENERATORS && p->symmetry->factors[f].is_assumed; g++)
            is_ok = proof_map(p, f, g);
    return is_ok;
}

/* Takes up a generator and its map. */
static void proof_take(struct proof *p, uint32_t factor, uint32_t number, const uint32_t *map)
{
    virtual_generator(p->symmetry, factor, number, p->images, p->image);
    for (uint32_t i = 0; i < p->symmetry->factors[factor].degree; i++)
        p->inverse[p->image[i]] = i;
    p->inverses[factor] = p->inverse;
    for (uint32_t v = 0; v < p->circuit.variable_count; v++)
        p->back[map[v]] = v;
    for (uint32_t v = 0; v < p->circuit.variable_count; v++)
        p->moved[v] = circuit_variable(p->back[v]);
}

static enum virtual_answer proof_all(struct proof *p, enum deadlock_mode deadlock)
{
    enum virtual_answer answer = VIRTUAL_PROVED;
    uint32_t map = 0;
    if (!proof_map_all(p))
        return VIRTUAL_UNKNOWN;
    virtual_require_invariant(&p->circuit, p->solver, &p->cnf, (const uint32_t *const *)p->maps.items,
                              (uint32_t)p->maps.count);
    for (uint32_t f = 0; f < p->symmetry->factor_count; f++)
        for (uint32_t g = 0; g < VIRTUAL_GENERATORS && p->symmetry->factors[f].is_assumed; g++) {
            proof_take(p, f, g, p->maps.items[map++]);
            answer = answer == VIRTUAL_PROVED ? proof_generator(p, deadlock) : answer;
            p->images[f] = p->inverses[f] = NULL;
        }
    return answer;
}

static void proof_open(struct proof *p)
{
    const struct symmetry *symmetry = p->symmetry;
    size_t factors = (size_t)symmetry->factor_count + 1, cells = (size_t)p->layout->cell_count + 1;
    size_t variables = (size_t)p->circuit.variable_count + 1;
    uint32_t most = 0;
    p->exchanges = memory_zeroed(factors, sizeof *p->exchanges);
    for (uint32_t f = 0; f < symmetry->factor_count; f++) {
        most = symmetry->factors[f].degree > most ? symmetry->factors[f].degree : most;
        p->exchanges[f] = memory_alloc(((size_t)symmetry->factors[f].degree + 1) * sizeof **p->exchanges);
    }
    p->images = memory_zeroed(factors, sizeof *p->images);
    p->inverses = memory_zeroed(factors, sizeof *p->inverses);
    p->exchange = memory_zeroed(factors, sizeof *p->exchange);
    p->image = memory_alloc(2 * ((size_t)most + 1) * sizeof *p->image);
    p->inverse = p->image + most + 1;
    p->back = memory_alloc(2 * variables * sizeof *p->back);
    p->exchange_map = p->back + variables;
    p->moved = memory_alloc(3 * variables * sizeof *p->moved);
    p->after = p->moved + variables;
    p->other = p->after + variables;
    p->model = memory_alloc(variables * sizeof *p->model);
    p->from = memory_alloc(5 * cells * sizeof *p->from);
    p->to = p->from + cells;
    p->from_moved = p->to + cells;
    p->candidate = p->from_moved + cells;
    p->scratch = p->candidate + cells;
    p->stepper = stepper_create_evaluator(p->layout->system, p->layout);
    p->canon = canon_create(symmetry, p->layout);
    p->solver = solver_create();
    cnf_open(&p->cnf, &p->circuit.aig, p->solver);
    for (size_t i = 0; i < p->circuit.states.count; i++)
        cnf_require(&p->cnf, p->circuit.states.items[i]);
    for (uint32_t v = 0; v < p->circuit.variable_count; v++)
        cnf_literal(&p->cnf, circuit_variable(v));
}

static void proof_close(struct proof *p)
{
    cnf_close(&p->cnf);
    solver_destroy(p->solver);
    canon_destroy(p->canon);
    stepper_destroy(p->stepper);
    for (uint32_t f = 0; f < p->symmetry->factor_count; f++)
        free(p->exchanges[f]);
    free(p->exchanges);
    free(p->images);
    free(p->inverses);
    free(p->exchange);
    free(p->image);
    for (size_t m = 0; m < p->maps.count; m++)
        free(p->maps.items[m]);
    VEC_FREE(&p->maps);
    free(p->back);
    free(p->moved);
    free(p->model);
    free(p->from);
}

enum virtual_answer virtual_prove(const struct layout *layout, const struct symmetry *symmetry,
                                  enum deadlock_mode deadlock)
{
    struct proof p = {.layout = layout, .symmetry = symmetry};
    enum virtual_answer answer = VIRTUAL_UNKNOWN;
    if (layout->cell_count > PROOF_MOST_CELLS ||
        system_total_instances(layout->system, PROOF_MOST_STEPS + 1) > PROOF_MOST_STEPS)
        return answer;
    if (circuit_open(&p.circuit, layout)) {
        proof_open(&p);
        answer = proof_all(&p, deadlock);
        proof_close(&p);
    }
    circuit_close(&p.circuit);
    return answer;
}
