/* Steps of several rules (exec/macro.h). A rule that makes a process go on alone is followed, in the same step, by the
 * rules that may be enabled then, and so on: the step reads and writes what they do. Which rules may follow is read off
 * the guards, with what the rule before has surely stored: the holder, and where control stands.
 *
 * Where the chain blocks in the middle depends on the guards of these rules, which are read. What a later rule does
 * with a queue is no send or receive to others: whether it blocks there depends on them. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "stubborn/inner.h"

struct chain_finder {
    struct stubborn *stubborn;
    uint32_t holder;
    int32_t *cells;
    bool *is_known;
    uint32_t *stack;
    uint64_t **followers; /* by unit: the rules that may come next; NULL: none, or not asked yet */
    uint64_t **members;   /* by unit: the rules that may come behind it; NULL: none */
};

/* Can a process go on alone behind it? */
static bool chain_goes_on(const struct chain_finder *chain, const struct unit *unit)
{
    const struct effect *effect = unit_effect(unit, chain->holder);
    int32_t nobody = system_nobody(chain->stubborn->system);
    if (!unit->rule || !unit_writes(unit, chain->holder))
        return false;
    return !effect || effect->kind != EFFECT_CONSTANTS || effect->count > 1 || effect->values[0] != nobody;
}

static void chain_know(struct chain_finder *chain, const struct unit *unit)
{
    const struct stubborn *stubborn = chain->stubborn;
    memcpy(chain->cells, stubborn->constants, stubborn->layout->cell_count * sizeof *chain->cells);
    memcpy(chain->is_known, stubborn->is_constant, stubborn->layout->cell_count * sizeof *chain->is_known);
    for (size_t i = 0; i < unit->effects.count; i++) {
        const struct effect *effect = &unit->effects.items[i];
        if (effect->kind != EFFECT_CONSTANTS || effect->count != 1 || !effect->is_sure)
            continue;
        chain->cells[effect->cell] = effect->values[0];
        chain->is_known[effect->cell] = true;
    }
}

static bool chain_may_follow(struct chain_finder *chain, const struct unit *next)
{
    struct peval *peval = &chain->stubborn->peval;
    if (!next->rule)
        return false;
    if (!next->rule->guard || next->rule->prelude.count)
        return true;
    chain->stubborn->work += 4; /* most are false at once */
    peval->cells = chain->cells;
    peval->is_known = chain->is_known;
    if (!next->is_coarse)
        peval_bind_instance(peval, next->rule, next->instance);
    struct peval_value truth = peval_evaluate(peval, next->rule->guard);
    peval_release_instance(peval, next->rule);
    peval->cells = chain->stubborn->constants;
    peval->is_known = chain->stubborn->is_constant;
    return truth.kind != PEVAL_KNOWN || truth.value;
}

/* The units that may fire next; NULL: the step ends with this one. */
static const uint64_t *chain_followers(struct chain_finder *chain, uint32_t number)
{
    struct stubborn *stubborn = chain->stubborn;
    const struct unit *unit = &stubborn->units[number];
    if (chain->followers[number] || !chain_goes_on(chain, unit))
        return chain->followers[number];
    uint64_t *followers = chain->followers[number] = memory_zeroed(stubborn->unit_words, sizeof *followers);
    chain_know(chain, unit);
    for (uint32_t u = 0; u < stubborn->unit_count; u++)
        if (chain_may_follow(chain, &stubborn->units[u]))
            bits_add(followers, u);
    return followers;
}

/* The units that may fire behind the one given, in the same step. */
static bool chain_find_members(struct chain_finder *chain, uint32_t first)
{
    struct stubborn *stubborn = chain->stubborn;
    uint32_t count = 0;
    uint64_t *members = chain->members[first] = memory_zeroed(stubborn->unit_words, sizeof *members);
    chain->stack[count++] = first;
    while (count) {
        const uint64_t *followers = chain_followers(chain, chain->stack[--count]);
        for (uint32_t w = 0; followers && w < stubborn->unit_words; w++) {
            uint64_t new = followers[w] & ~members[w];
            members[w] |= new;
            for (; new; new &= new - 1)
                chain->stack[count++] = w * 64 + (uint32_t)__builtin_ctzll(new);
        }
        if (stubborn->work > STUBBORN_WORK || watch_is_up())
            return false;
    }
    return true;
}

static void chain_join_constants(struct effect *effect, const struct effect *other)
{
    for (uint32_t v = 0; v < other->count; v++) {
        bool is_there = false;
        for (uint32_t w = 0; w < effect->count; w++)
            is_there |= effect->values[w] == other->values[v];
        if (!is_there && effect->count == STUBBORN_CONSTANTS)
            effect->kind = EFFECT_ANY;
        else if (!is_there)
            effect->values[effect->count++] = other->values[v];
    }
}

/* What both store is known; what only the other one stores may be anything. */
static void chain_join_effects(struct unit *joined, const struct unit *next)
{
    for (size_t i = 0; i < joined->effects.count; i++) {
        struct effect *effect = &joined->effects.items[i];
        const struct effect *other = unit_effect(next, effect->cell);
        effect->is_sure = false;
        if (!unit_writes(next, effect->cell))
            continue;
        if (effect->kind == EFFECT_CONSTANTS && other && other->kind == EFFECT_CONSTANTS)
            chain_join_constants(effect, other);
        else
            effect->kind = EFFECT_ANY;
    }
}

static uint64_t *chain_copy(struct stubborn *stubborn, const uint64_t *set)
{
    return arena_copy(stubborn->arena, set, stubborn->cell_words * sizeof *set);
}

static struct unit chain_join_unit(struct chain_finder *chain, uint32_t first)
{
    struct stubborn *stubborn = chain->stubborn;
    struct unit joined = stubborn->units[first];
    struct footprint_sets *to = &joined.touched;
    uint32_t words = stubborn->cell_words;
    *to = (struct footprint_sets){chain_copy(stubborn, to->reads), chain_copy(stubborn, to->writes), to->sends,
                                  to->receives};
    memset(&joined.effects, 0, sizeof joined.effects);
    for (size_t i = 0; i < stubborn->units[first].effects.count; i++)
        VEC_PUSH(&joined.effects, stubborn->units[first].effects.items[i]);
    for (uint32_t u = bits_next(chain->members[first], stubborn->unit_words, 0); u < stubborn->unit_count;
         u = bits_next(chain->members[first], stubborn->unit_words, u + 1)) {
        const struct footprint_sets *from = &stubborn->units[u].touched;
        uint64_t *sets[] = {from->reads, from->writes, from->sends, from->receives};
        for (uint32_t s = 0; s < 4; s++)
            bits_join(to->reads, sets[s], words);
        for (uint32_t s = 1; s < 4; s++)
            bits_join(to->writes, sets[s], words);
        chain_join_effects(&joined, &stubborn->units[u]);
    }
    return joined;
}

static void chain_join_all(struct chain_finder *chain)
{
    struct stubborn *stubborn = chain->stubborn;
    struct unit *joined = memory_zeroed((size_t)stubborn->unit_count + 1, sizeof *joined);
    for (uint32_t u = 0; u < stubborn->unit_count; u++)
        if (chain->members[u])
            joined[u] = chain_join_unit(chain, u);
    for (uint32_t u = 0; u < stubborn->unit_count; u++) {
        if (!chain->members[u])
            continue;
        VEC_FREE(&stubborn->units[u].effects);
        stubborn->units[u] = joined[u];
    }
    free(joined);
}

/* In system states the holder is nobody, and the flag is not set: no step depends on what another leaves there. */
static void chain_hide(struct stubborn *stubborn)
{
    for (uint32_t u = 0; u < stubborn->unit_count; u++)
        for (uint32_t w = 0; w < stubborn->cell_words; w++) {
            stubborn->units[u].touched.reads[w] &= ~stubborn->unseen[w];
            stubborn->units[u].touched.writes[w] &= ~stubborn->unseen[w];
        }
}

bool chain_join(struct stubborn *stubborn)
{
    size_t cells = (size_t)stubborn->layout->cell_count + 1, units = (size_t)stubborn->unit_count + 1;
    struct chain_finder chain = {.stubborn = stubborn};
    bool is_done = true;
    if (stubborn->system->holder) {
        chain.holder = stubborn->system->holder->address;
        chain.cells = memory_zeroed(cells, sizeof *chain.cells);
        chain.is_known = memory_zeroed(cells, sizeof *chain.is_known);
        chain.stack = memory_zeroed(units, sizeof *chain.stack);
        chain.members = memory_zeroed(units, sizeof *chain.members);
        chain.followers = memory_zeroed(units, sizeof *chain.followers);
        for (uint32_t u = 0; u < stubborn->unit_count && is_done; u++)
            if (chain_goes_on(&chain, &stubborn->units[u]))
                is_done = chain_find_members(&chain, u);
        if (is_done)
            chain_join_all(&chain);
        for (uint32_t u = 0; u < stubborn->unit_count; u++) {
            free(chain.members[u]);
            free(chain.followers[u]);
        }
        free(chain.cells);
        free(chain.is_known);
        free(chain.stack);
        free(chain.members);
        free(chain.followers);
    }
    chain_hide(stubborn);
    return is_done;
}
