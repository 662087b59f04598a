#include "engine/adaptive/unary.h"

#include <string.h>

enum { UNARY_MOST_ENTRIES = 4096, UNARY_MOST_SLOTS = 16 };

/* The slots of a function, taken apart. */
struct adaptive_shape {
    uint32_t family, slot_count, entries;
    uint32_t slots[UNARY_MOST_SLOTS], radix[UNARY_MOST_SLOTS];
};

void unaries_create(struct unaries *unaries, const struct roster *roster)
{
    *unaries = (struct unaries){.roster = roster};
}

void unaries_destroy(struct unaries *unaries)
{
    words_free(&unaries->words);
    words_free(&unaries->keys);
    VEC_FREE(&unaries->results);
}

static uint32_t unary_radix(const struct unaries *unaries, uint32_t family, uint32_t slot)
{
    const struct family *about = &unaries->roster->families[family];
    return about->slot_types[slot]->size + about->may_be_undefined[slot];
}

/* The digit of a value of the slot; where it may be undefined, that is digit 0. */
static int64_t unary_value(const struct unaries *unaries, uint32_t family, uint32_t slot, uint32_t digit)
{
    const struct family *about = &unaries->roster->families[family];
    if (!about->may_be_undefined[slot])
        return type_code(about->slot_types[slot], digit);
    return digit ? type_code(about->slot_types[slot], digit - 1) : UNDEFINED;
}

static uint32_t unary_digit(const struct unaries *unaries, uint32_t family, uint32_t slot, int32_t value)
{
    const struct family *about = &unaries->roster->families[family];
    if (value == UNDEFINED)
        return 0;
    return (uint32_t)type_ordinal(about->slot_types[slot], value) + about->may_be_undefined[slot];
}

static struct adaptive_shape unary_shape(const struct unaries *unaries, uint32_t function)
{
    const uint32_t *words = words_at(&unaries->words, function);
    struct adaptive_shape shape = {.family = words[0], .slot_count = words[1], .entries = 1};
    for (uint32_t s = 0; s < shape.slot_count; s++) {
        shape.slots[s] = words[2 + s];
        shape.radix[s] = unary_radix(unaries, shape.family, words[2 + s]);
        shape.entries *= shape.radix[s];
    }
    return shape;
}

uint32_t unary_entries(const struct unaries *unaries, uint32_t function)
{
    return (words_length(&unaries->words, function) - 2 - words_at(&unaries->words, function)[1]) / 2;
}

int64_t unary_entry(const struct unaries *unaries, uint32_t function, uint32_t entry)
{
    const uint32_t *words = words_at(&unaries->words, function);
    const uint32_t *at = words + 2 + words[1] + 2 * entry;
    return (int64_t)((uint64_t)at[1] << 32 | at[0]);
}

int64_t unary_at(const struct unaries *unaries, uint32_t function, const uint32_t *slots)
{
    const uint32_t *words = words_at(&unaries->words, function);
    uint32_t entry = 0;
    for (uint32_t s = 0; s < words[1]; s++) {
        uint32_t slot = words[2 + s];
        entry =
            entry * unary_radix(unaries, words[0], slot) + unary_digit(unaries, words[0], slot, (int32_t)slots[slot]);
    }
    return unary_entry(unaries, function, entry);
}

/* Is the table the same for all values of slot `which`? `inner`: entries between neighbouring values of it. */
static bool unary_is_idle(const struct adaptive_shape *shape, const int64_t *table, uint32_t inner, uint32_t radix)
{
    for (uint32_t e = 0; e < shape->entries; e++)
        if (e / inner % radix && table[e] != table[e - e / inner % radix * inner])
            return false;
    return true;
}

/* Leaves out the slots on which nothing depends. */
static void unary_reduce(struct adaptive_shape *shape, int64_t *table)
{
    for (uint32_t s = shape->slot_count; s-- > 0;) {
        uint32_t inner = 1, radix = shape->radix[s], kept = 0;
        for (uint32_t t = s + 1; t < shape->slot_count; t++)
            inner *= shape->radix[t];
        if (!unary_is_idle(shape, table, inner, radix))
            continue;
        for (uint32_t e = 0; e < shape->entries; e++)
            if (e / inner % radix == 0)
                table[kept++] = table[e];
        shape->entries = kept;
        shape->slot_count--;
        for (uint32_t t = s; t < shape->slot_count; t++) {
            shape->slots[t] = shape->slots[t + 1];
            shape->radix[t] = shape->radix[t + 1];
        }
    }
}

static struct operand unary_make(struct unaries *unaries, struct adaptive_shape *shape, int64_t *table)
{
    uint32_t words[2 + UNARY_MOST_SLOTS + 2 * UNARY_MOST_ENTRIES], count = 2;
    unary_reduce(shape, table);
    if (!shape->slot_count)
        return (struct operand){.is_number = true, .number = table[0]};
    words[0] = shape->family;
    words[1] = shape->slot_count;
    for (uint32_t s = 0; s < shape->slot_count; s++)
        words[count++] = shape->slots[s];
    for (uint32_t e = 0; e < shape->entries; e++) {
        words[count++] = (uint32_t)table[e];
        words[count++] = (uint32_t)((uint64_t)table[e] >> 32);
    }
    return (struct operand){.function = words_intern(&unaries->words, words, count)};
}

bool unary_slot(struct unaries *unaries, uint32_t family, uint32_t slot, struct operand *result)
{
    int64_t table[UNARY_MOST_ENTRIES];
    uint32_t radix = unary_radix(unaries, family, slot);
    if (radix > UNARY_MOST_ENTRIES)
        return false;
    for (uint32_t d = 0; d < radix; d++)
        table[d] = unary_value(unaries, family, slot, d);
    struct adaptive_shape shape = {
        .family = family, .slot_count = 1, .slots = {slot}, .radix = {radix}, .entries = radix};
    *result = unary_make(unaries, &shape, table);
    return true;
}

/* The slots of all operands together, in order. */
static bool unary_join(const struct unaries *unaries, const struct operand *operands, uint32_t count,
                       struct adaptive_shape *joint)
{
    *joint = (struct adaptive_shape){.entries = 1};
    for (uint32_t o = 0; o < count; o++) {
        if (operands[o].is_number)
            continue;
        const uint32_t *words = words_at(&unaries->words, operands[o].function);
        joint->family = words[0];
        for (uint32_t s = 0; s < words[1]; s++) {
            uint32_t at = joint->slot_count, slot = words[2 + s];
            bool is_there = false;
            for (uint32_t t = 0; t < joint->slot_count; t++)
                is_there |= joint->slots[t] == slot;
            if (is_there)
                continue;
            if (joint->slot_count == UNARY_MOST_SLOTS)
                return false;
            for (; at > 0 && joint->slots[at - 1] > slot; at--)
                joint->slots[at] = joint->slots[at - 1];
            joint->slots[at] = slot;
            joint->slot_count++;
        }
    }
    for (uint32_t s = 0; s < joint->slot_count; s++) {
        joint->radix[s] = unary_radix(unaries, joint->family, joint->slots[s]);
        if (joint->radix[s] > UNARY_MOST_ENTRIES / joint->entries)
            return false;
        joint->entries *= joint->radix[s];
    }
    return true;
}

/* The entry of an operand's own table that belongs to an entry of the joint one. */
static uint32_t unary_project(const struct adaptive_shape *joint, const struct adaptive_shape *own, uint32_t entry)
{
    uint32_t digits[UNARY_MOST_SLOTS], result = 0, s = 0;
    for (uint32_t t = joint->slot_count; t-- > 0;) {
        digits[t] = entry % joint->radix[t];
        entry /= joint->radix[t];
    }
    for (uint32_t t = 0; t < joint->slot_count; t++)
        if (s < own->slot_count && own->slots[s] == joint->slots[t])
            result = result * own->radix[s++] + digits[t];
    return result;
}

static struct operand unary_tabulate(struct unaries *unaries, unary_rule rule, int64_t user,
                                     const struct operand *operands, uint32_t count, struct adaptive_shape *joint)
{
    int64_t table[UNARY_MOST_ENTRIES];
    struct adaptive_shape own[UNARY_MAX_OPERANDS];
    for (uint32_t o = 0; o < count; o++)
        if (!operands[o].is_number)
            own[o] = unary_shape(unaries, operands[o].function);
    for (uint32_t e = 0; e < joint->entries; e++) {
        int64_t entries[UNARY_MAX_OPERANDS];
        for (uint32_t o = 0; o < count; o++)
            entries[o] = operands[o].is_number
                             ? operands[o].number
                             : unary_entry(unaries, operands[o].function, unary_project(joint, &own[o], e));
        table[e] = rule(user, entries);
    }
    return unary_make(unaries, joint, table);
}

bool unary_apply(struct unaries *unaries, unary_rule rule, uint32_t tag, int64_t user, const struct operand *operands,
                 uint32_t count, struct operand *result)
{
    uint32_t key[3 + 3 * UNARY_MAX_OPERANDS] = {tag, (uint32_t)user, (uint32_t)((uint64_t)user >> 32)}, length = 3;
    for (uint32_t o = 0; o < count; o++) {
        uint64_t number = operands[o].is_number ? (uint64_t)operands[o].number : operands[o].function;
        key[length++] = operands[o].is_number;
        key[length++] = (uint32_t)number;
        key[length++] = (uint32_t)(number >> 32);
    }
    uint32_t known = words_find(&unaries->keys, key, length);
    if (known != WORDS_NONE) {
        *result = unaries->results.items[known];
        return true;
    }
    struct adaptive_shape joint;
    if (!unary_join(unaries, operands, count, &joint))
        return false;
    *result = unary_tabulate(unaries, rule, user, operands, count, &joint);
    words_intern(&unaries->keys, key, length);
    VEC_PUSH(&unaries->results, *result);
    return true;
}
