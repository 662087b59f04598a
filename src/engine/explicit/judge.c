/* What is checked of a state when it is found: assumptions before it is stored, the rest once, when it is new. */
#include <stdlib.h>

#include "base/memory.h"
#include "engine/explicit/search.h"
#include "ir/reads.h"
#include "result/decide.h"

/* Longer states are not remembered: comparing them takes as long as evaluating the formulas. */
enum { JUDGE_CLEAN_BYTES = 64 << 10, JUDGE_CLEAN_WORDS = 8 };

static struct property_list judge_select(const struct system *system, enum property_kind kind, bool has_formula)
{
    struct property_list list = {memory_zeroed(system->properties.count, sizeof *list.items), 0};
    for (size_t i = 0; i < system->properties.count; i++) {
        const struct property *property = system->properties.items[i];
        if (property->kind == kind && (property->formula != NULL) == has_formula)
            list.items[list.count++] = property;
    }
    return list;
}

/* What no formula reads may change without any of them being evaluated again. */
static uint64_t *judge_list_bits(const struct explicit_search *search)
{
    const struct layout *layout = search->layout;
    uint64_t *bits = memory_zeroed(layout->words, sizeof *bits);
    bool *cells = memory_zeroed((size_t)layout->cell_count + 1, sizeof *cells);
    for (uint32_t i = 0; i < search->invariants.count; i++)
        reads_add(search->system, search->invariants.items[i]->formula, cells);
    for (uint32_t i = 0; i < search->covers.count; i++)
        reads_add(search->system, search->covers.items[i]->formula, cells);
    for (uint32_t c = 0; c < layout->cell_count; c++)
        if (cells[c])
            bits[layout->cells[c].word] |= (((uint64_t)1 << layout->cells[c].bits) - 1) << layout->cells[c].shift;
    free(cells);
    return bits;
}

void judge_create(struct explicit_search *search)
{
    const struct system *system = search->system;
    search->invariants = judge_select(system, PROPERTY_INVARIANT, true);
    search->assumptions = judge_select(system, PROPERTY_ASSUMPTION, true);
    search->covers = judge_select(system, PROPERTY_COVER, true);
    search->cover_statements = judge_select(system, PROPERTY_COVER, false);
    search->livenesses = judge_select(system, PROPERTY_LIVENESS, true);
    search->judged_bits = judge_list_bits(search);
    search->decided = memory_zeroed(system->properties.count, sizeof *search->decided);
    search->found = memory_zeroed(system->properties.count, sizeof(struct explicit_finding *));
    search->unevaluated = memory_zeroed(system->properties.count, sizeof(struct explicit_finding *));
    if (search->options->deadlock == DEADLOCK_OFF)
        search->result->checked[SYSTEM_DEADLOCK] = false;
    search->undecided = decide_count(search->result);
}

void judge_destroy(struct explicit_search *search)
{
    free(search->invariants.items);
    free(search->assumptions.items);
    free(search->covers.items);
    free(search->cover_statements.items);
    free(search->livenesses.items);
    free(search->judged_bits);
    free(search->decided);
    findings_destroy(search);
}

void search_decide(struct explicit_search *search, const struct property *property)
{
    if (decide_property(property, search->decided, &search->undecided) && !search->stopped)
        search_stop(search, stop_of(STOP_DECIDED));
}

void judge_create_state(struct worker *worker)
{
    const struct layout *layout = worker->search->layout;
    worker->judged.cells = memory_alloc(((size_t)layout->cell_count + 1) * sizeof *worker->judged.cells);
    worker->judged.changed = memory_alloc(((size_t)layout->cell_count + 1) * sizeof *worker->judged.changed);
    worker->judged.packed = memory_zeroed(layout->words, sizeof *worker->judged.packed);
    worker->judged.next = memory_zeroed(layout->words, sizeof *worker->judged.next);
    layout_blank(layout, worker->judged.cells); /* as zeros are unpacked */
    if (layout->words <= JUDGE_CLEAN_WORDS)
        recent_open(&worker->judged.clean, layout->words, JUDGE_CLEAN_BYTES);
}

void judge_destroy_state(struct worker *worker)
{
    free(worker->judged.cells);
    free(worker->judged.changed);
    free(worker->judged.packed);
    free(worker->judged.next);
    recent_close(&worker->judged.clean);
}

/* The cells of a state that invariants, covers and antecedents may read, from its bits in `next`; the others are
 * undefined. Valid until the next call. States that are found one after the other differ in few of them. */
static const int32_t *judge_unpack(struct worker *worker)
{
    struct judged_state *judged = &worker->judged;
    uint64_t *known = judged->packed;
    layout_unpack_changes(worker->search->layout, known, judged->next, judged->cells, judged->changed);
    judged->packed = judged->next;
    judged->next = known;
    return judged->cells;
}

/* The state under judgement: a new one, or one that the assumptions decide about. */
struct judged {
    state_id last;         /* the last stored state of the run to it */
    const uint64_t *state; /* that state */
    const int32_t *beyond; /* itself, when it is not stored */
    uint32_t length;
};

static void judge_note(struct explicit_search *search, const struct property *property, enum trace_evidence evidence,
                       const struct fault *fault, const struct judged *judged)
{
    struct explicit_finding finding = {
        .property = property,
        .evidence = evidence,
        .fault = *fault,
        .last = judged->last,
        .state = judged->state,
        .beyond = judged->beyond,
        .length = judged->length,
    };
    findings_note(search, &finding);
}

static uint32_t judge_length(const struct explicit_search *search, state_id parent)
{
    return parent == STATE_NONE ? 0 : search->depth + 1;
}

/* The formula of an assumption could not be evaluated: that is a violation of it. */
static void judge_ungranted(struct worker *worker, const struct property *property, const struct fault *fault,
                            state_id parent, const int32_t *cells)
{
    struct judged judged = {parent, parent == STATE_NONE ? NULL : worker->parent_packed, cells,
                            judge_length(worker->search, parent)};
    if (worker->canon) {
        represent_cells(worker, cells, worker->fresh);
        judged.beyond = worker->fresh;
    }
    judge_note(worker->search, property, TRACE_SHOWS_FALSE, fault, &judged);
}

bool judge_is_granted(struct worker *worker, state_id parent, const int32_t *cells)
{
    const struct explicit_search *search = worker->search;
    for (uint32_t i = 0; i < search->assumptions.count; i++) {
        const struct property *property = search->assumptions.items[i];
        struct fault fault = {0};
        enum truth truth = stepper_holds(worker->judge, property, cells, &fault);
        if (truth == TRUTH_TRUE)
            continue;
        if (truth == TRUTH_FAULT && !search->decided[property->id])
            judge_ungranted(worker, property, &fault, parent, cells);
        return false;
    }
    return true;
}

/* This one and the next: was there nothing to note? */
static bool judge_invariant(struct worker *worker, const struct property *property, const struct judged *judged,
                            const int32_t *cells)
{
    struct fault fault = {0};
    if (worker->search->decided[property->id] || stepper_holds(worker->judge, property, cells, &fault) == TRUTH_TRUE)
        return true;
    judge_note(worker->search, property, TRACE_SHOWS_FALSE, &fault, judged);
    return false;
}

static bool judge_cover(struct worker *worker, const struct property *property, const struct judged *judged,
                        const int32_t *cells)
{
    struct explicit_search *search = worker->search;
    struct fault fault = {0};
    if (search->decided[property->id])
        return true;
    enum truth truth = stepper_holds(worker->judge, property, cells, &fault);
    if (truth == TRUTH_TRUE)
        judge_note(search, property, TRACE_SHOWS_TRUE, &fault, judged);
    if (truth != TRUTH_FAULT)
        return truth == TRUTH_FALSE;
    /* Not met here. Whether it is met elsewhere must not depend on the order of the search: remembered for the end. */
    struct explicit_finding finding = {property, TRACE_SHOWS_FALSE, fault, judged->last, judged->state, NULL,
                                       0,        judged->length};
    findings_note_unevaluated(search, &finding);
    return false;
}

/* Big numbers only when they do not fit in a word. */
void judge_count_orbit(struct worker *worker, const uint64_t *packed, uint64_t classes)
{
    uint64_t size;
    if (!canon_orbit_of(worker->canon, classes, &size)) {
        layout_unpack(worker->search->layout, packed, worker->fresh);
        canon_orbit_size(worker->canon, worker->fresh, worker->orbit);
        if (canon_was_cut(worker->canon)) /* the size may be wrong; the search is about to stop */
            return;
        if (!bigint_fits_u64(worker->orbit, &size)) {
            bigint_add(worker->represented, worker->orbit);
            return;
        }
    }
    if (__builtin_add_overflow(worker->represented_small, size, &worker->represented_small)) {
        /* The sum wrapped round: what is missing is 2^64. */
        bigint_add_u64(worker->represented, UINT64_MAX);
        bigint_add_u64(worker->represented, 1);
    }
}

/* Was there nothing to note? */
static bool judge_formulas(struct worker *worker, const struct judged *judged, const int32_t *cells)
{
    const struct explicit_search *search = worker->search;
    bool is_clean = true;
    for (uint32_t i = 0; i < search->invariants.count; i++)
        is_clean &= judge_invariant(worker, search->invariants.items[i], judged, cells);
    for (uint32_t i = 0; i < search->covers.count; i++)
        is_clean &= judge_cover(worker, search->covers.items[i], judged, cells);
    if (worker->unmet.count)
        vacuity_look(worker, cells);
    return is_clean;
}

bool judge_new_state(struct worker *worker, state_id id, state_id parent, const uint64_t *packed, const int32_t *cells)
{
    const struct explicit_search *search = worker->search;
    struct judged judged = {id, packed, NULL, judge_length(search, parent)};
    judge_formulas(worker, &judged, cells);
    return !search->livenesses.count || liveness_note(worker, id, packed, cells, judged.length);
}

/* A state of which there is something to note is not remembered: of equally short runs to such states the least is
 * reported, so each of them is noted. An antecedent that was not met in a state is not met in one that reads the same;
 * but how long one looks for it goes by the number of states. */
void judge_reads(struct worker *worker, state_id id, state_id parent, const uint64_t *packed)
{
    const struct explicit_search *search = worker->search;
    struct judged_state *state = &worker->judged;
    for (uint32_t w = 0; w < search->layout->words; w++)
        state->next[w] = packed[w] & search->judged_bits[w];
    uint64_t hash = state->clean.states ? state_hash(state->next, search->layout->words) : 0;
    if (state->clean.states && !worker->unmet.count && recent_has(&state->clean, hash, state->next))
        return;
    struct judged judged = {id, packed, NULL, judge_length(search, parent)};
    if (judge_formulas(worker, &judged, judge_unpack(worker)) && state->clean.states)
        recent_meet(&state->clean, hash, state->packed);
}
