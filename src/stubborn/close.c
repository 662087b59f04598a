/* The stubborn sets of a state: from each enabled unit, what must be in the set with it, until nothing more must. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "stubborn/inner.h"

struct candidate {
    uint32_t count; /* of moving units */
    uint64_t *set;  /* of units; moving ones only */
};

struct stubborn_hand {
    const struct stubborn *stubborn;
    struct peval peval;
    const int32_t *cells;
    uint64_t *enabled, *moving; /* units */
    VEC(uint32_t) noted;
    uint32_t moving_count;
    uint32_t seed; /* the next one of `noted` to begin with */
    bool is_lost;  /* something does not fit: no set */
    uint64_t *set, *risks;
    uint32_t count, most; /* moving units in the set, and how many are too many */
    uint64_t *hopeless;   /* units from which all moving ones follow */
    VEC(uint32_t) stack;
    /* By unit that is not enabled: which of its conjuncts is chosen in this state. */
    struct close_choice {
        uint32_t state, conjunct;
    } * choices;
    uint32_t state;
    uint64_t **wakers; /* by unit: made when first needed */
    struct candidate *candidates;
    uint32_t candidate_count;
    const uint64_t *chosen;
};

struct stubborn_hand *stubborn_hand_create(const struct stubborn *stubborn)
{
    struct stubborn_hand *hand = memory_zeroed(1, sizeof *hand);
    size_t words = stubborn->unit_words;
    hand->stubborn = stubborn;
    peval_create(&hand->peval, stubborn->system);
    hand->peval.is_definite = stubborn->is_definite;
    hand->enabled = memory_zeroed(words, sizeof(uint64_t));
    hand->moving = memory_zeroed(words, sizeof(uint64_t));
    hand->set = memory_zeroed(words, sizeof(uint64_t));
    hand->hopeless = memory_zeroed(words, sizeof(uint64_t));
    hand->choices = memory_zeroed((size_t)stubborn->unit_count + 1, sizeof *hand->choices);
    hand->risks = memory_zeroed(words, sizeof(uint64_t));
    hand->wakers = memory_zeroed((size_t)stubborn->unit_count + 1, sizeof *hand->wakers);
    hand->candidates = memory_zeroed(STUBBORN_TRIES, sizeof *hand->candidates);
    for (uint32_t i = 0; i < STUBBORN_TRIES; i++)
        hand->candidates[i].set = memory_zeroed(words, sizeof(uint64_t));
    return hand;
}

void stubborn_hand_destroy(struct stubborn_hand *hand)
{
    if (!hand)
        return;
    peval_destroy(&hand->peval);
    free(hand->enabled);
    free(hand->moving);
    free(hand->set);
    free(hand->hopeless);
    free(hand->choices);
    free(hand->risks);
    for (uint32_t u = 0; u < hand->stubborn->unit_count; u++)
        free(hand->wakers[u]);
    free(hand->wakers);
    for (uint32_t i = 0; i < STUBBORN_TRIES; i++)
        free(hand->candidates[i].set);
    free(hand->candidates);
    VEC_FREE(&hand->noted);
    VEC_FREE(&hand->stack);
    free(hand);
}

void stubborn_begin(struct stubborn_hand *hand, const int32_t *cells)
{
    for (size_t i = 0; i < hand->noted.count; i++) {
        bits_remove(hand->enabled, hand->noted.items[i]);
        bits_remove(hand->moving, hand->noted.items[i]);
        bits_remove(hand->hopeless, hand->noted.items[i]);
    }
    if (!++hand->state) { /* after 2^32 states */
        memset(hand->choices, 0, hand->stubborn->unit_count * sizeof *hand->choices);
        hand->state = 1;
    }
    VEC_CLEAR(&hand->noted);
    hand->cells = hand->peval.cells = cells;
    hand->moving_count = hand->seed = hand->candidate_count = 0;
    hand->is_lost = false;
    hand->chosen = NULL;
}

void stubborn_note(struct stubborn_hand *hand, const struct rule *rule, uint64_t instance, bool is_moving)
{
    uint32_t unit = units_number(hand->stubborn, rule, instance);
    if (!bits_has(hand->enabled, unit)) {
        bits_add(hand->enabled, unit);
        VEC_PUSH(&hand->noted, unit);
    }
    if (is_moving && !bits_has(hand->moving, unit)) {
        bits_add(hand->moving, unit);
        hand->moving_count++;
    }
}

/* --- conjuncts --- */

enum verity { IS_FALSE, IS_TRUE, IS_UNKNOWN };

static enum verity close_evaluate(struct stubborn_hand *hand, const struct unit *unit,
                                  const struct guard_conjunct *conjunct)
{
    if (conjunct->is_heavy)
        return IS_UNKNOWN;
    if (conjunct->allowed && conjunct->is_exact) {
        int32_t code = hand->cells[conjunct->cell];
        const struct type *type = hand->stubborn->layout->cells[conjunct->cell].type;
        int64_t ordinal = type->block_count == 1 ? (int64_t)code - type->blocks->lo : type_ordinal(type, code);
        if (code == UNDEFINED || ordinal < 0)
            return IS_UNKNOWN;
        return bits_has(conjunct->allowed, (uint32_t)ordinal + 1) ? IS_TRUE : IS_FALSE;
    }
    if (unit->rule)
        peval_bind_instance(&hand->peval, unit->rule, unit->instance);
    struct peval_value truth = peval_evaluate(&hand->peval, conjunct->expr);
    if (truth.kind != PEVAL_KNOWN)
        return IS_UNKNOWN;
    return (truth.value != 0) != conjunct->is_negated ? IS_TRUE : IS_FALSE;
}

static const uint64_t *close_row(const struct stubborn_hand *hand, const struct guard_conjunct *conjunct)
{
    return hand->stubborn->rows.items[conjunct->row];
}

/* How many moving units the set would grow by. */
static uint32_t close_cost(const struct stubborn_hand *hand, const uint64_t *row)
{
    uint32_t cost = 0;
    for (uint32_t w = 0; w < hand->stubborn->unit_words; w++)
        for (uint64_t new = (row[w] | hand->risks[w]) & hand->moving[w] & ~hand->set[w]; new; new &= new - 1)
            cost++;
    return cost;
}

static void close_add(struct stubborn_hand *hand, const uint64_t *row)
{
    for (uint32_t w = 0; w < hand->stubborn->unit_words; w++) {
        uint64_t new = row[w] & ~hand->set[w];
        if (!new)
            continue;
        hand->set[w] |= new;
        if (new & hand->hopeless[w])
            hand->count = hand->most;
        for (uint64_t moving = new & hand->moving[w]; moving; moving &= moving - 1)
            hand->count++;
        for (; new; new &= new - 1)
            VEC_PUSH(&hand->stack, w * 64 + (uint32_t)__builtin_ctzll(new));
    }
}

enum { CHOICE_ALL = UINT32_MAX, CHOICE_NONE = UINT32_MAX - 1 };

/* The unit is not enabled: one of the conjuncts that are false must become true before it is. A conjunct before that
 * one may fault instead, when what it reads is changed: then it has to be minded, too. */
static uint32_t close_choose(struct stubborn_hand *hand, const struct unit *unit)
{
    uint32_t least = UINT32_MAX, best = CHOICE_ALL;
    bool are_true = true;
    memset(hand->risks, 0, hand->stubborn->unit_words * sizeof(uint64_t));
    for (uint32_t i = 0; i < unit->conjunct_count && least; i++) {
        const struct guard_conjunct *conjunct = &unit->conjuncts[i];
        const uint64_t *row = close_row(hand, conjunct);
        enum verity verity = close_evaluate(hand, unit, conjunct);
        uint32_t cost = verity == IS_FALSE && (are_true || !conjunct->is_late) ? close_cost(hand, row) : UINT32_MAX;
        if (cost < least) {
            least = cost;
            best = i;
        }
        if (!conjunct->is_safe)
            bits_join(hand->risks, row, hand->stubborn->unit_words);
        are_true &= verity == IS_TRUE;
    }
    if (best != CHOICE_ALL || !are_true)
        return best;
    hand->is_lost |= unit->rule != NULL; /* it should be enabled */
    return CHOICE_NONE;                  /* else the formula is violated, or the goal met, here: that is found out */
}

static void close_disabled(struct stubborn_hand *hand, uint32_t number)
{
    const struct unit *unit = &hand->stubborn->units[number];
    struct close_choice *choice = &hand->choices[number];
    if (choice->state != hand->state)
        *choice = (struct close_choice){hand->state, close_choose(hand, unit)};
    if (choice->conjunct == CHOICE_NONE)
        return;
    for (uint32_t i = 0; i < unit->conjunct_count && i <= choice->conjunct; i++)
        if (choice->conjunct == CHOICE_ALL || i == choice->conjunct || !unit->conjuncts[i].is_safe)
            close_add(hand, close_row(hand, &unit->conjuncts[i]));
}

/* --- sets --- */

/* The unit leads back to this state: it is as good as disabled until something that it touches is changed. */
static void close_still(struct stubborn_hand *hand, uint32_t unit)
{
    const struct stubborn *stubborn = hand->stubborn;
    if (!hand->wakers[unit]) {
        hand->wakers[unit] = memory_zeroed(stubborn->unit_words, sizeof(uint64_t));
        relate_wakers(stubborn, unit, hand->wakers[unit]);
    }
    close_add(hand, hand->wakers[unit]);
}

/* False: it is not smaller than the best so far. */
static bool close_from(struct stubborn_hand *hand, uint32_t seed)
{
    const struct stubborn *stubborn = hand->stubborn;
    memset(hand->set, 0, stubborn->unit_words * sizeof(uint64_t));
    VEC_CLEAR(&hand->stack);
    bits_add(hand->set, seed);
    VEC_PUSH(&hand->stack, seed);
    hand->count = 1;
    while (hand->stack.count && !hand->is_lost && hand->count < hand->most) {
        uint32_t number = VEC_POP(&hand->stack);
        const struct unit *unit = &stubborn->units[number];
        if (bits_has(hand->moving, number))
            close_add(hand, relate_dependent(stubborn, number));
        if (unit->is_coarse || (bits_has(hand->enabled, number) && !bits_has(hand->moving, number)))
            close_still(hand, number);
        else if (!bits_has(hand->enabled, number))
            close_disabled(hand, number);
    }
    return hand->count < hand->most;
}

/* Are rules tried that wait until nothing else can move? Their guards are false in the state as it is. */
static bool close_is_idle(struct stubborn_hand *hand)
{
    if (!hand->stubborn->system->idle)
        return false;
    for (size_t n = 0; n < hand->noted.count; n++) {
        const struct unit *unit = &hand->stubborn->units[hand->noted.items[n]];
        for (uint32_t i = 0; i < unit->conjunct_count; i++)
            if (unit->is_coarse || close_evaluate(hand, unit, &unit->conjuncts[i]) != IS_TRUE)
                return true;
    }
    return false;
}

/* The best of those that were put aside. */
static bool close_take(struct stubborn_hand *hand)
{
    struct candidate *best = NULL;
    for (uint32_t i = 0; i < hand->candidate_count; i++)
        if (hand->candidates[i].count && (!best || hand->candidates[i].count < best->count))
            best = &hand->candidates[i];
    if (!best)
        return false;
    best->count = 0;
    hand->chosen = best->set;
    return true;
}

bool stubborn_next(struct stubborn_hand *hand)
{
    uint32_t words = hand->stubborn->unit_words;
    if (hand->moving_count < 2 || (!hand->seed && close_is_idle(hand)))
        return false;
    while (hand->seed < hand->noted.count && hand->candidate_count < STUBBORN_TRIES) {
        uint32_t seed = hand->noted.items[hand->seed++];
        if (!bits_has(hand->moving, seed))
            continue;
        hand->most = hand->moving_count;
        if (!close_from(hand, seed))
            bits_add(hand->hopeless, seed);
        if (hand->is_lost)
            return false;
        if (hand->count >= hand->most)
            continue;
        struct candidate *candidate = &hand->candidates[hand->candidate_count++];
        memcpy(candidate->set, hand->set, words * sizeof(uint64_t));
        candidate->count = hand->count;
        if (hand->count == 1) {
            candidate->count = 0;
            hand->chosen = candidate->set;
            return true;
        }
    }
    return close_take(hand);
}

bool stubborn_has(const struct stubborn_hand *hand, const struct rule *rule, uint64_t instance)
{
    return bits_has(hand->chosen, units_number(hand->stubborn, rule, instance));
}
