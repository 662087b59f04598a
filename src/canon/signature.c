/* The first colours: a signature of each element, a sum of what the single cells say.
 *
 * The sum makes it cheap to keep up: when a rule changes a few cells, what they said is taken away and what they say
 * now is added. What a cell says:
 *
 *   a cell of one element     its value times an odd random number of its kind, the upper bits of it: as good as the
 * values themselves, for small values (multilinear hashing; two rows collide with a chance of about 2^-34) a reference
 * to its row: which factor, or that it is the row's own element; to the element it names: a number of the kind cells of
 * several elements one such sum for each fact, mixed and told to each of them with its position a slot of a multiset a
 * hash of its contents, told to the elements it mentions and those it stands with
 *
 * What the cells of its own row say is in the upper bits, all else in the lower: elements are in order of their own
 * state before anything else, so that rows stand in one order wherever the same rows occur, and the visited set meets
 * the same parts of states again. (The lower sum may carry; that is as good an order as any other.)
 *
 * All of it commutes with the group. As everywhere, a collision loses a split and nothing else. */
#include <string.h>

#include "base/hash.h"
#include "canon/canon_inner.h"

static const uint64_t tuple_salt = 0xd6e8feb86659fd93u, ref_salt = 0xa0761d6478bd642fu;
static const uint64_t factor_shape = 0x9fb21c651e98df25u, self_shape = 0xe7037ed1a0b428dbu;

enum { REST_SHIFT = 37 /* room for eight without a carry */, SIGNATURE_FEW = 8 };

static inline uint64_t signature_rest(uint64_t value)
{
    return hash_mix(value) >> REST_SHIFT;
}

/* What a reference tells the element that it names: signature_rest of its weight. */
static inline uint64_t signature_told(const struct use *use)
{
    return use->mixed >> REST_SHIFT;
}

static inline uint64_t signature_chain(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9fb21c651e98df25u;
    return hash ^ (hash >> 32);
}

static inline void signature_meet(struct canon *canon, uint32_t element)
{
    canon->touched |= canon_bit(element);
}

/* What is known of a reference before colours are: which factor it points into, which element of its own tuple it is,
 * or the value that is no element. `sign` (1 or -1) of what it tells the element it names is added to that. */
static inline uint64_t signature_shape(struct canon *canon, const struct use *use, int32_t code, uint64_t sign)
{
    const struct structure *s = canon->structure;
    uint32_t element = structure_element(s, code), p = 0;
    if (element == NO_ELEMENT)
        return (uint32_t)code;
    signature_meet(canon, element);
    while (p < use->arity && s->elements[use->tuple + p] != element)
        p++;
    if (p < use->arity)
        return (p + 1) * self_shape;
    canon->referenced |= canon_bit(element);
    canon->signature[element] += sign * signature_told(use);
    return (s->factor_of[element] + 1) * factor_shape;
}

/* What the cell adds to the sum of its fact. */
static inline uint64_t signature_value(struct canon *canon, const struct use *use, int32_t code, uint64_t sign)
{
    return use->weight * (use->is_ref ? signature_shape(canon, use, code, sign) : (uint32_t)code);
}

static inline void signature_spread(struct canon *canon, const struct fact *fact, uint64_t sum, uint64_t sign)
{
    const uint32_t *elements = canon->structure->elements + fact->tuple;
    for (uint32_t p = 0; p < fact->arity; p++)
        canon->signature[elements[p]] += sign * signature_rest(sum + (p + 1) * tuple_salt);
}

/* What a reference to this element, or a value that is none, is known for before colours are. */
static inline uint64_t signature_ref(const struct structure *s, uint32_t element, int32_t code)
{
    return element == NO_ELEMENT ? (uint32_t)code : (s->factor_of[element] + 1) * factor_shape;
}

static uint64_t signature_hash_part(const struct structure *s, const struct fact *part, const int32_t *slot)
{
    uint64_t hash = part->seed;
    for (uint32_t i = 0; i < part->plain_count; i++)
        hash = signature_chain(hash, (uint32_t)slot[s->addresses[part->plain + i]]);
    for (uint32_t i = 0; i < part->ref_count; i++) {
        int32_t code = slot[s->addresses[part->refs + i]];
        hash = signature_chain(hash, signature_ref(s, structure_element(s, code), code));
    }
    return hash;
}

static void signature_spread_part(struct canon *canon, const struct fact *part, const int32_t *slot, uint64_t hash,
                                  uint64_t sign)
{
    const struct structure *s = canon->structure;
    for (uint32_t p = 0; p < part->arity; p++) {
        uint32_t element = s->elements[part->tuple + p];
        signature_meet(canon, element);
        canon->signature[element] += sign * signature_rest(hash + (p + 1) * tuple_salt);
    }
    for (uint32_t i = 0; i < part->ref_count; i++) {
        uint32_t element = structure_element(s, slot[s->addresses[part->refs + i]]);
        if (element == NO_ELEMENT)
            continue;
        signature_meet(canon, element);
        canon->referenced |= canon_bit(element);
        canon->signature[element] += sign * signature_rest(hash + (i + 1) * ref_salt);
    }
}

/* The same as signature_slot does, in one pass: of a slot of a bare multiset that is one fact, with few references. */
static void signature_bare_slot(struct canon *canon, const struct slots *slots, const int32_t *slot, uint64_t sign)
{
    const struct structure *s = canon->structure;
    const struct fact *part = s->parts + slots->parts;
    const uint32_t *plain = s->addresses + part->plain, *refs = s->addresses + part->refs;
    uint32_t elements[SIGNATURE_FEW];
    uint64_t hash = part->seed;
    for (uint32_t i = 0; i < part->plain_count; i++)
        hash = signature_chain(hash, (uint32_t)slot[plain[i]]);
    for (uint32_t i = 0; i < part->ref_count; i++) {
        elements[i] = structure_element(s, slot[refs[i]]);
        hash = signature_chain(hash, signature_ref(s, elements[i], slot[refs[i]]));
    }
    hash = slots->seed + hash_mix(hash);
    for (uint32_t i = 0; i < part->ref_count; i++)
        if (elements[i] != NO_ELEMENT) {
            signature_meet(canon, elements[i]);
            canon->referenced |= canon_bit(elements[i]);
            canon->signature[elements[i]] += sign * signature_rest(hash + (i + 1) * ref_salt);
        }
}

/* `sign` of what one taken slot says. */
static void signature_slot(struct canon *canon, const struct slots *slots, const int32_t *slot, uint64_t sign)
{
    const struct structure *s = canon->structure;
    const struct fact *parts = s->parts + slots->parts;
    uint64_t whole = slots->seed;
    if (slots->is_bare && slots->part_count == 1 && parts->ref_count <= SIGNATURE_FEW) {
        signature_bare_slot(canon, slots, slot, sign);
        return;
    }
    for (uint32_t q = 0; q < slots->part_count; q++)
        whole += hash_mix(signature_hash_part(s, &parts[q], slot));
    for (uint32_t q = 0; q < slots->part_count; q++)
        signature_spread_part(canon, &parts[q], slot,
                              whole + (slots->part_count > 1 ? signature_hash_part(s, &parts[q], slot) : 0), sign);
    for (uint32_t p = 0; p < slots->arity; p++) {
        uint32_t element = s->elements[slots->tuple + p];
        signature_meet(canon, element);
        canon->signature[element] += sign * signature_rest(whole + (p + 1) * tuple_salt);
    }
}

/* What a reference in the row of this element is known for, as signature_shape has it. */
static inline uint64_t signature_row_shape(struct canon *canon, uint32_t element, uint64_t mixed, int32_t code)
{
    const struct structure *s = canon->structure;
    uint32_t named = structure_element(s, code);
    if (named == NO_ELEMENT)
        return (uint32_t)code;
    if (named == element)
        return self_shape;
    canon->referenced |= canon_bit(named);
    canon->signature[named] += mixed >> REST_SHIFT;
    return (s->factor_of[named] + 1) * factor_shape;
}

static void signature_of_rows(struct canon *canon, const int32_t *cells)
{
    const struct structure *s = canon->structure;
    for (uint32_t e = 0; e < s->element_count; e++)
        canon->signature[e] = 0;
    for (uint32_t e = 0; e < s->element_count; e++) {
        const struct row *row = &s->rows[e];
        const struct row_cell *plain = s->row_cells + row->plain, *ref = s->row_cells + row->refs;
        uint64_t sum = 0;
        for (uint32_t i = 0; i < row->plain_count; i++)
            sum += canon_row_part(plain[i].weight * (uint32_t)cells[plain[i].address]);
        for (uint32_t i = 0; i < row->ref_count; i++)
            sum += canon_row_part(ref[i].weight * signature_row_shape(canon, e, ref[i].mixed, cells[ref[i].address]));
        canon->signature[e] += sum;
        canon->row_sum[e] = sum;
    }
}

static void signature_of_variables(struct canon *canon, const int32_t *cells)
{
    const struct structure *s = canon->structure;
    for (uint32_t r = 0; r < s->ref_count; r++) {
        const struct use *use = &s->uses[s->ref_uses[r]];
        if (use->arity)
            break; /* in order of arity */
        signature_shape(canon, use, cells[use->address], 1);
    }
}

static void signature_of_wide(struct canon *canon, const int32_t *cells)
{
    const struct structure *s = canon->structure;
    for (uint32_t f = s->wide_fact; f < s->fact_count; f++)
        canon->fact_sum[f] = 0;
    for (uint32_t u = s->wide_use; u < s->use_count; u++) {
        const struct use *use = &s->uses[u];
        canon->fact_sum[use->fact] += signature_value(canon, use, cells[use->address], 1);
    }
    for (uint32_t f = s->wide_fact; f < s->fact_count; f++)
        signature_spread(canon, &s->facts[f], canon->fact_sum[f], 1);
}

void canon_sign(struct canon *canon, const int32_t *cells)
{
    const struct structure *s = canon->structure;
    canon->referenced = 0;
    canon->base = cells;
    canon->held_listed = 0;
    for (uint32_t f = 0; f < s->factor_count; f++)
        canon->held_count[f] = NO_USE;
    signature_of_rows(canon, cells);
    signature_of_variables(canon, cells);
    signature_of_wide(canon, cells);
    for (uint32_t i = 0; i < s->slots_count; i++) {
        const int32_t *slot = cells + s->slots[i].address;
        for (uint32_t j = 0; j < s->slots[i].capacity && slot[0]; j++, slot += s->slots[i].stride)
            signature_slot(canon, &s->slots[i], slot, 1);
    }
}

void canon_sign_change(struct canon *canon, uint32_t number, int32_t old, int32_t new)
{
    const struct structure *s = canon->structure;
    const struct use *use = &s->uses[number];
    const uint32_t *elements = s->elements + use->tuple;
    for (uint32_t p = 0; p < use->arity; p++)
        signature_meet(canon, elements[p]);
    uint64_t after = signature_value(canon, use, new, 1), before = signature_value(canon, use, old, (uint64_t)-1);
    if (use->arity == 1) {
        canon->signature[elements[0]] += canon_row_part(after) - canon_row_part(before);
    } else if (use->arity) {
        signature_spread(canon, &s->facts[use->fact], canon->fact_sum[use->fact], (uint64_t)-1);
        canon->fact_sum[use->fact] += after - before;
        signature_spread(canon, &s->facts[use->fact], canon->fact_sum[use->fact], 1);
    }
}

/* Both are sorted, so slots that stayed are met side by side. (Were they not sorted, the sums would still be right.) */
void canon_sign_slots_change(struct canon *canon, const struct slots *slots, uint32_t count, const int32_t *old,
                             const int32_t *new)
{
    uint32_t stride = slots->stride;
    const int32_t *old_end = old + count * stride, *new_end = new + count *stride;
    for (;;) {
        bool has_old = old < old_end && old[0], has_new = new < new_end &&new[0];
        if (!has_old && !has_new)
            return;
        uint32_t c = 1;
        while (has_old && has_new && c < stride && old[c] == new[c])
            c++;
        bool is_gone = has_old && (!has_new || (c < stride && old[c] < new[c]));
        bool is_come = has_new && (!has_old || (c < stride && new[c] < old[c]));
        if (is_gone)
            signature_slot(canon, slots, old, (uint64_t)-1);
        else if (is_come)
            signature_slot(canon, slots, new, 1);
        old += is_come ? 0 : stride;
        new += is_gone ? 0 : stride;
    }
}
