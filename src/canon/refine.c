/* Colour refinement on the relational structure of a state (survey section 4; the method is that of
 * one-dimensional Weisfeiler-Leman with hashed signatures).
 *
 * A colour is the first position of a class, so colours are compared between states of an orbit as they are. In
 * each round an element's signature sums hashes of the facts it takes part in, with the colours of the others;
 * classes are sorted by signature and split. All of it is a function of the state that commutes with the group: a
 * collision of hashes loses a split, nothing else. */
#include <string.h>

#include "base/hash.h"
#include "canon/canon_inner.h"

/* Cheap chaining of values; the result is put through hash_mix before it is summed. */
static inline uint64_t refine_chain(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9fb21c651e98df25u;
    return hash ^ (hash >> 32);
}

static const uint64_t tuple_salt = 0xd6e8feb86659fd93u, ref_salt = 0xa0761d6478bd642fu;

static uint64_t refine_hash_plain(const struct structure *s, const struct fact *fact, const int32_t *cells)
{
    uint64_t hash = fact->seed;
    const uint32_t *address = s->addresses + fact->plain, *end = address + fact->plain_count;
    for (; address < end; address++)
        hash = refine_chain(hash, (uint32_t)cells[*address]);
    return hash;
}

static void refine_sort(uint32_t *order, uint32_t count, const uint64_t *signature)
{
    static const uint32_t gaps[] = {1750, 701, 301, 132, 57, 23, 10, 4, 1}; /* Ciura's, for Shell's sort */
    for (uint32_t g = count > 8 ? 0 : 8; g < 9; g++)
        for (uint32_t i = gaps[g]; i < count; i++) {
            uint32_t element = order[i], j = i;
            uint64_t key = signature[element];
            for (; j >= gaps[g] && signature[order[j - gaps[g]]] > key; j -= gaps[g])
                order[j] = order[j - gaps[g]];
            order[j] = element;
        }
}

/* Splits one class by signature. Returns how many classes came of it. */
static uint32_t refine_split(struct canon_partition *partition, uint32_t start, const uint64_t *signature,
                             uint64_t *trace)
{
    uint32_t *order = partition->order + start, count = partition->length[start], made = 0;
    refine_sort(order, count, signature);
    for (uint32_t end, at = 0; at < count; at = end) {
        uint64_t key = signature[order[at]];
        for (end = at; end < count && signature[order[end]] == key; end++)
            partition->rank[order[end]] = start + at;
        partition->length[start + at] = end - at;
        *trace = hash_combine(*trace, key + start + at);
        made++;
    }
    return made;
}

bool partition_split(const struct canon *canon, struct canon_partition *partition, uint64_t *trace)
{
    uint32_t before = partition->classes;
    for (uint32_t end, at = 0; at < canon->structure->element_count; at = end) {
        end = at + partition->length[at];
        if (end - at > 1)
            partition->classes += refine_split(partition, at, canon->signature, trace) - 1;
    }
    return partition->classes > before;
}

/* Chains the colours of a fact's tuple and references. */
static inline uint64_t refine_hash_colours(const struct structure *s, const struct fact *fact, const int32_t *cells,
                                           const uint32_t *rank, uint64_t hash)
{
    for (uint32_t p = 0; p < fact->arity; p++)
        hash = refine_chain(hash, rank[s->elements[fact->tuple + p]]);
    for (uint32_t r = 0; r < fact->ref_count; r++) {
        int32_t code = cells[s->addresses[fact->refs + r]];
        uint32_t element = structure_element(s, code);
        hash = refine_chain(hash, element == NO_ELEMENT ? (uint32_t)code : (uint64_t)rank[element] + ref_salt);
    }
    return hash;
}

/* Tells every element of the fact what it takes part in, and at which position. */
static inline void refine_spread(struct canon *canon, const struct fact *fact, const int32_t *cells, uint64_t hash)
{
    const struct structure *s = canon->structure;
    for (uint32_t p = 0; p < fact->arity; p++)
        canon->signature[s->elements[fact->tuple + p]] += hash_mix(hash + (p + 1) * tuple_salt);
    for (uint32_t r = 0; r < fact->ref_count; r++) {
        uint32_t element = structure_element(s, cells[s->addresses[fact->refs + r]]);
        if (element != NO_ELEMENT)
            canon->signature[element] += hash_mix(hash + (r + 1) * ref_salt);
    }
}

/* Slots are unordered: what they tell is summed, so their order in memory does not matter. */
static void refine_slots(struct canon *canon, const struct slots *slots, const uint64_t *plain, const int32_t *cells,
                         const uint32_t *rank)
{
    const struct structure *s = canon->structure;
    const int32_t *slot = cells + slots->address;
    uint64_t site = slots->seed;
    for (uint32_t p = 0; p < slots->arity; p++)
        site = refine_chain(site, rank[s->elements[slots->tuple + p]]);
    for (uint32_t i = 0; i < slots->capacity && slot[0]; i++, slot += slots->stride, plain += slots->part_count) {
        uint64_t whole = site;
        const struct fact *part = s->parts + slots->parts;
        for (uint32_t q = 0; q < slots->part_count; q++)
            whole += hash_mix(refine_hash_colours(s, &part[q], slot, rank, plain[q]));
        for (uint32_t q = 0; q < slots->part_count; q++)
            refine_spread(canon, &part[q], slot,
                          whole + (slots->part_count > 1 ? refine_hash_colours(s, &part[q], slot, rank, plain[q]) : 0));
        for (uint32_t p = 0; p < slots->arity; p++)
            canon->signature[s->elements[slots->tuple + p]] += hash_mix(whole + (p + 1) * tuple_salt);
    }
}

static void refine_hash_slots(struct canon *canon, const int32_t *cells)
{
    const struct structure *s = canon->structure;
    for (uint32_t i = 0; i < s->slots_count; i++) {
        const struct slots *slots = &s->slots[i];
        const int32_t *slot = cells + slots->address;
        uint64_t *hash = canon->slot_hash + canon->slot_start[i];
        for (uint32_t j = 0; j < slots->capacity && slot[0]; j++, slot += slots->stride)
            for (uint32_t q = 0; q < slots->part_count; q++)
                *hash++ = refine_hash_plain(s, &s->parts[slots->parts + q], slot);
    }
}

uint64_t canon_refine(struct canon *canon, const int32_t *cells, struct canon_partition *partition)
{
    const struct structure *s = canon->structure;
    uint64_t trace = 0;
    do {
        if (partition->classes == s->element_count)
            break;
        canon->work += WORK_ELEMENT * s->element_count + WORK_FACT * (canon->active_count + s->slots_count);
        for (uint32_t e = 0; e < s->element_count; e++)
            canon->signature[e] = 0;
        for (uint32_t i = 0; i < canon->active_count; i++) {
            const struct fact *fact = &s->facts[canon->active[i]];
            refine_spread(canon, fact, cells,
                          refine_hash_colours(s, fact, cells, partition->rank, canon->plain_hash[canon->active[i]]));
        }
        for (uint32_t i = 0; i < s->slots_count; i++)
            refine_slots(canon, &s->slots[i], canon->slot_hash + canon->slot_start[i], cells, partition->rank);
    } while (partition_split(canon, partition, &trace) && !canon_cuts(canon));
    return trace;
}

uint64_t canon_sum_facts(const struct canon *canon, const int32_t *cells, const struct canon_partition *partition)
{
    const struct structure *s = canon->structure;
    const uint32_t *rank = partition->rank;
    uint64_t sum = 0;
    for (uint32_t f = 0; f < s->fact_count; f++) {
        const struct fact *fact = &s->facts[f];
        sum += hash_mix(refine_hash_colours(s, fact, cells, rank, refine_hash_plain(s, fact, cells)));
    }
    for (uint32_t i = 0; i < s->slots_count; i++) {
        const struct slots *slots = &s->slots[i];
        const int32_t *slot = cells + slots->address;
        uint64_t site = slots->seed;
        for (uint32_t p = 0; p < slots->arity; p++)
            site = refine_chain(site, rank[s->elements[slots->tuple + p]]);
        for (uint32_t j = 0; j < slots->capacity && slot[0]; j++, slot += slots->stride) {
            uint64_t whole = site;
            for (uint32_t q = 0; q < slots->part_count; q++) {
                const struct fact *part = &s->parts[slots->parts + q];
                whole += hash_mix(refine_hash_colours(s, part, slot, rank, refine_hash_plain(s, part, slot)));
            }
            sum += hash_mix(whole);
        }
    }
    return sum;
}

void partition_single_out(const struct canon *canon, const struct canon_partition *from, uint32_t element,
                          struct canon_partition *to)
{
    size_t bytes = canon->structure->element_count * sizeof(uint32_t);
    memcpy(to->order, from->order, bytes);
    memcpy(to->rank, from->rank, bytes);
    memcpy(to->length, from->length, bytes);
    to->classes = from->classes;
    uint32_t start = to->rank[element], length = to->length[start], at = start;
    if (length == 1)
        return;
    while (to->order[at] != element)
        at++;
    to->order[at] = to->order[start];
    to->order[start] = element;
    to->length[start] = 1;
    to->length[start + 1] = length - 1;
    for (uint32_t i = start + 1; i < start + length; i++)
        to->rank[to->order[i]] = start + 1;
    to->classes++;
}

static void refine_reset(const struct canon *canon, struct canon_partition *partition)
{
    const struct structure *s = canon->structure;
    for (uint32_t f = 0; f < s->factor_count; f++) {
        const struct moved_factor *factor = &s->factors[f];
        partition->length[factor->first] = factor->degree;
        for (uint32_t i = 0; i < factor->degree; i++) {
            partition->order[factor->first + i] = factor->first + i;
            partition->rank[factor->first + i] = factor->first;
        }
    }
    partition->classes = s->factor_count;
}

void canon_colour(struct canon *canon)
{
    uint64_t trace = 0;
    struct canon_partition *partition = &canon->levels[0].partition;
    refine_reset(canon, partition);
    partition_split(canon, partition, &trace);
}

void canon_colour_sorted(struct canon *canon)
{
    const struct structure *s = canon->structure;
    struct canon_partition *partition = &canon->levels[0].partition;
    uint32_t start = 0;
    partition->classes = 0;
    for (uint32_t at = 0; at < s->element_count; at++) {
        uint32_t element = partition->order[at], before = at ? partition->order[at - 1] : element;
        if (!at || s->factor_of[element] != s->factor_of[before] ||
            canon->signature[element] != canon->signature[before]) {
            start = at;
            partition->length[start] = 0;
            partition->classes++;
        }
        partition->length[start]++;
        partition->rank[element] = start;
    }
}

uint64_t canon_refine_root(struct canon *canon, const int32_t *cells)
{
    const struct structure *s = canon->structure;
    if (!canon->active_count && !s->slots_count)
        return 0;
    for (uint32_t i = 0; i < canon->active_count; i++)
        canon->plain_hash[canon->active[i]] = refine_hash_plain(s, &s->facts[canon->active[i]], cells);
    refine_hash_slots(canon, cells);
    return canon_refine(canon, cells, &canon->levels[0].partition);
}
