/* Terms under the exchange of two processes, and what no permutation changes of a term. */
#include <string.h>

#include "base/hash.h"
#include "portrait/portrait_term.h"

static uint64_t *memo_at(struct pterm_memo *memo, uint32_t term, uint64_t stamp, bool *is_known)
{
    if (term >= memo->count) {
        size_t count = term + term / 2 + 64;
        memo->stamps = memory_resize(memo->stamps, count * sizeof *memo->stamps);
        memo->values = memory_resize(memo->values, count * sizeof *memo->values);
        memset(memo->stamps + memo->count, 0, (count - memo->count) * sizeof *memo->stamps);
        memo->count = count;
    }
    *is_known = memo->stamps[term] == stamp;
    memo->stamps[term] = stamp;
    return &memo->values[term];
}

uint32_t pterm_swap_cell(const struct roster *roster, uint32_t cell, uint32_t p, uint32_t q)
{
    if (roster->role[cell] != ROLE_LOCAL)
        return cell;
    uint32_t element = roster->element_of[cell];
    return element == p   ? roster->addresses[q][roster->slot_of[cell]]
           : element == q ? roster->addresses[p][roster->slot_of[cell]]
                          : cell;
}

/* Does the reference range over the family? Else its values stay where they are. */
static bool swap_concerns(const struct roster *roster, uint32_t cell, uint32_t family)
{
    const struct type *type = roster->layout->cells[cell].type;
    bool concerns = roster_family(roster, type) == family;
    for (uint32_t b = 0; b < type->block_count && !concerns; b++)
        concerns = type->blocks[b].owner->kind == TYPE_INDEX && roster_family(roster, type->blocks[b].owner) == family;
    return concerns;
}

enum pterm_mode pterm_mode_of_cell(const struct pterms *terms, uint32_t cell, uint32_t p)
{
    const struct roster *roster = terms->roster;
    bool is_name = roster->role[cell] == ROLE_REFERENCE && swap_concerns(roster, cell, roster->family_of[p]);
    return is_name ? PTERM_AS_ELEMENT : PTERM_AS_DATA;
}

static bool swap_names_concerned(const struct pterms *terms, uint32_t term)
{
    uint32_t named = terms->named.items[term];
    return named && pterm_mode_of_cell(terms, named - 1, terms->p) == PTERM_AS_ELEMENT;
}

static uint32_t swap_run(struct pterms *terms, uint32_t term, enum pterm_mode mode);

static uint32_t swap_moved(struct pterms *terms, uint32_t term)
{
    uint32_t words[] = {PTERM_MOVED, term, terms->p, terms->q};
    return pterm_intern(terms, words, 4);
}

static uint32_t swap_const(struct pterms *terms, uint32_t term)
{
    const struct roster *roster = terms->roster;
    int64_t value = 0;
    pterm_get_const(terms, term, &value);
    if (value == roster->code_of[terms->p])
        return pterm_const(terms, roster->code_of[terms->q]);
    return value == roster->code_of[terms->q] ? pterm_const(terms, roster->code_of[terms->p]) : term;
}

static uint32_t swap_cell(struct pterms *terms, uint32_t term, uint32_t cell, enum pterm_mode mode)
{
    const struct roster *roster = terms->roster;
    enum pterm_mode own = pterm_mode_of_cell(terms, cell, terms->p);
    uint32_t moved = pterm_swap_cell(roster, cell, terms->p, terms->q);
    uint32_t image = moved == cell ? term : pterm_cell(terms, moved);
    return own == mode ? image : swap_moved(terms, image);
}

/* Operands that are data, or both names where one is. */
static uint32_t swap_eq(struct pterms *terms, const uint32_t *words)
{
    bool is_name = swap_names_concerned(terms, words[1]) || swap_names_concerned(terms, words[2]);
    enum pterm_mode mode = is_name ? PTERM_AS_ELEMENT : PTERM_AS_DATA;
    uint32_t left = swap_run(terms, words[1], mode);
    return pterm_eq(terms, left, swap_run(terms, words[2], mode));
}

static uint32_t swap_list(struct pterms *terms, const uint32_t *words, uint32_t length, enum pterm_mode mode)
{
    struct pterm_list list = {0};
    uint32_t result;
    for (uint32_t w = 1; w < length; w++)
        VEC_PUSH(&list, swap_run(terms, words[w], words[0] == PTERM_CASES && w % 2 == 0 ? mode : PTERM_AS_DATA));
    if (words[0] == PTERM_CASES)
        result = pterm_cases(terms, list.items, (uint32_t)list.count / 2);
    else
        result = pterm_junction(terms, (enum pterm_kind)words[0], &list);
    VEC_FREE(&list);
    return result;
}

static uint32_t swap_sum(struct pterms *terms, const uint32_t *words, uint32_t length)
{
    uint32_t *image = memory_alloc(length * sizeof *image);
    memcpy(image, words, length * sizeof *image);
    for (uint32_t w = 3; w < length; w += 2)
        image[w] = swap_run(terms, words[w], PTERM_AS_DATA);
    words_sort(image + 3, (length - 3) / 2, 2);
    uint32_t result = pterm_intern(terms, image, length);
    free(image);
    return result;
}

static uint32_t swap_rebuild(struct pterms *terms, uint32_t term, enum pterm_mode mode)
{
    const uint32_t *words = words_at(&terms->words, term);
    uint32_t length = words_length(&terms->words, term);
    enum pterm_mode inner = PTERM_AS_DATA;
    bool is_choice =
        words[0] == PTERM_CONST || words[0] == PTERM_CELL || words[0] == PTERM_ITE || words[0] == PTERM_CASES;
    if (mode == PTERM_AS_ELEMENT && !is_choice)
        return swap_moved(terms, swap_run(terms, term, PTERM_AS_DATA));
    switch ((enum pterm_kind)words[0]) {
    case PTERM_CONST:
        return mode == PTERM_AS_ELEMENT ? swap_const(terms, term) : term;
    case PTERM_CELL:
        return swap_cell(terms, term, words[1], mode);
    case PTERM_SUM:
        return swap_sum(terms, words, length);
    case PTERM_AND:
    case PTERM_OR:
    case PTERM_CASES:
        return swap_list(terms, words, length, mode);
    case PTERM_NOT:
        return pterm_not(terms, swap_run(terms, words[1], PTERM_AS_DATA));
    case PTERM_EQ:
        return swap_eq(terms, words);
    case PTERM_OP: {
        uint32_t image[] = {PTERM_OP, words[1], swap_run(terms, words[2], PTERM_AS_DATA),
                            words[3] == PTERM_NONE ? PTERM_NONE : swap_run(terms, words[3], PTERM_AS_DATA)};
        return image[3] == PTERM_NONE ? pterm_intern(terms, image, 4)
                                      : pterm_binary(terms, (enum operator)image[1], image[2], image[3]);
    }
    case PTERM_ITE: {
        uint32_t image[] = {PTERM_ITE, swap_run(terms, words[1], PTERM_AS_DATA), swap_run(terms, words[2], mode),
                            swap_run(terms, words[3], mode)};
        return pterm_intern(terms, image, 4);
    }
    case PTERM_IS_MEMBER:
    case PTERM_IS_UNDEFINED: {
        uint32_t image[3];
        const struct type *type = words[0] == PTERM_IS_MEMBER ? terms->roster->system->types.items[words[2]] : NULL;
        /* Whether a process is of a whole type does not change when it is exchanged with another one of its family. */
        if (swap_names_concerned(terms, words[1]) && (!type || type->kind != TYPE_RANGE))
            inner = PTERM_AS_ELEMENT;
        memcpy(image, words, length * sizeof *image);
        image[1] = swap_run(terms, words[1], inner);
        return pterm_intern(terms, image, length);
    }
    case PTERM_MOVED:
        return swap_moved(terms, term);
    }
    UNREACHABLE("a kind of term");
}

static uint32_t swap_run(struct pterms *terms, uint32_t term, enum pterm_mode mode)
{
    bool is_known;
    uint64_t value = *memo_at(&terms->swapped[mode], term, terms->stamp, &is_known);
    if (is_known)
        return (uint32_t)value;
    terms->work += words_length(&terms->words, term);
    value = pterms_is_exhausted(terms) ? term : swap_rebuild(terms, term, mode);
    *memo_at(&terms->swapped[mode], term, terms->stamp, &is_known) = value;
    return (uint32_t)value;
}

uint32_t pterm_swap(struct pterms *terms, uint32_t term, enum pterm_mode mode, uint32_t p, uint32_t q)
{
    if (!terms->stamp || terms->p != p || terms->q != q) {
        terms->stamp++;
        terms->p = p;
        terms->q = q;
    }
    return swap_run(terms, term, mode);
}

static uint64_t signature_of_cell(const struct roster *roster, uint32_t cell)
{
    if (roster->role[cell] != ROLE_LOCAL)
        return hash_combine(1, cell);
    return hash_combine(2 + roster->family_of[roster->element_of[cell]], roster->slot_of[cell]);
}

static uint64_t signature_run(struct pterms *terms, uint32_t term, enum pterm_mode mode)
{
    const uint32_t *words = words_at(&terms->words, term);
    uint32_t length = words_length(&terms->words, term);
    uint64_t sum = 0, seed = hash_mix(words[0] + 100);
    bool is_name;
    switch ((enum pterm_kind)words[0]) {
    case PTERM_CONST:
        return mode == PTERM_AS_ELEMENT ? seed : hash_combine(hash_combine(seed, words[1]), words[2]);
    case PTERM_CELL:
        return signature_of_cell(terms->roster, words[1]);
    case PTERM_SUM:
        for (uint32_t w = 3; w < length; w += 2)
            sum += hash_combine(words[w + 1], pterm_signature(terms, words[w], PTERM_AS_DATA));
        return hash_combine(hash_combine(seed, words[1]), sum);
    case PTERM_AND:
    case PTERM_OR:
    case PTERM_NOT:
        for (uint32_t w = 1; w < length; w++)
            sum += pterm_signature(terms, words[w], PTERM_AS_DATA);
        return hash_combine(seed, sum);
    case PTERM_EQ:
        is_name = pterm_names_element(terms, words[1]) || pterm_names_element(terms, words[2]);
        mode = is_name ? PTERM_AS_ELEMENT : PTERM_AS_DATA;
        sum = pterm_signature(terms, words[1], mode) + pterm_signature(terms, words[2], mode);
        return hash_combine(seed, sum);
    case PTERM_OP:
        seed = hash_combine(seed, words[1]);
        sum = pterm_signature(terms, words[2], PTERM_AS_DATA);
        if (words[3] != PTERM_NONE && (words[1] == OP_LT || words[1] == OP_SUB))
            sum = hash_combine(sum, 7);
        if (words[3] != PTERM_NONE)
            sum += pterm_signature(terms, words[3], PTERM_AS_DATA);
        return hash_combine(seed, sum);
    case PTERM_ITE:
        seed = hash_combine(seed, pterm_signature(terms, words[1], PTERM_AS_DATA));
        seed = hash_combine(seed, pterm_signature(terms, words[2], mode));
        return hash_combine(seed, pterm_signature(terms, words[3], mode));
    case PTERM_CASES:
        for (uint32_t w = 1; w + 1 < length; w += 2)
            sum += hash_combine(pterm_signature(terms, words[w], PTERM_AS_DATA),
                                pterm_signature(terms, words[w + 1], mode));
        return hash_combine(seed, sum);
    case PTERM_IS_UNDEFINED:
    case PTERM_IS_MEMBER:
        return hash_combine(seed, pterm_signature(terms, words[1], PTERM_AS_DATA));
    case PTERM_MOVED:
        return seed;
    }
    UNREACHABLE("a kind of term");
}

uint64_t pterm_signature(struct pterms *terms, uint32_t term, enum pterm_mode mode)
{
    bool is_known;
    uint64_t value = *memo_at(&terms->signatures[mode], term, 1, &is_known);
    if (is_known)
        return value;
    terms->work += words_length(&terms->words, term);
    value = signature_run(terms, term, mode);
    *memo_at(&terms->signatures[mode], term, 1, &is_known) = value;
    return value;
}
