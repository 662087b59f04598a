#include "explore/memo.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "ir/layout.h"

/* One in four of the first LOOKS must be found. */
enum { MEMO_ENTRIES = 1 << 20, MEMO_MOST_WORDS = 4, LOOKS = 1 << 19 };

struct explore_memo {
    const struct layout *layout;
    uint64_t *keys;    /* layout->words each */
    uint32_t *numbers; /* UINT32_MAX: nothing here */
    uint32_t looked, found;
    bool has_given_up;
};

struct explore_memo *memo_create(const struct layout *layout)
{
    struct explore_memo *memo = memory_zeroed(1, sizeof *memo);
    memo->layout = layout;
    memo->has_given_up = layout->words > MEMO_MOST_WORDS;
    return memo;
}

void memo_destroy(struct explore_memo *memo)
{
    if (!memo)
        return;
    free(memo->keys);
    free(memo->numbers);
    free(memo);
}

bool memo_is_worth_it(const struct explore_memo *memo)
{
    return !memo->has_given_up;
}

static void make_room(struct explore_memo *memo)
{
    memo->keys = memory_zeroed((size_t)MEMO_ENTRIES * memo->layout->words, sizeof *memo->keys);
    memo->numbers = memory_alloc(MEMO_ENTRIES * sizeof *memo->numbers);
    memset(memo->numbers, 0xff, MEMO_ENTRIES * sizeof *memo->numbers);
}

bool memo_find(struct explore_memo *memo, const uint64_t *packed, size_t *place, uint32_t *number)
{
    size_t words = memo->layout->words;
    if (!memo->keys)
        make_room(memo);
    uint64_t hash = 0;
    for (size_t i = 0; i < words; i++)
        hash = hash_combine(hash, packed[i]);
    *place = hash % MEMO_ENTRIES;
    *number = memo->numbers[*place];
    bool is_found = *number != UINT32_MAX && !memcmp(memo->keys + *place * words, packed, words * sizeof *packed);
    memo->found += is_found;
    if (++memo->looked == LOOKS) {
        memo->has_given_up = memo->found < LOOKS / 4;
        memo->looked = memo->found = 0;
    }
    return is_found;
}

void memo_keep(struct explore_memo *memo, size_t place, const uint64_t *packed, uint32_t number)
{
    size_t words = memo->layout->words;
    if (memo->has_given_up)
        return;
    memcpy(memo->keys + place * words, packed, words * sizeof *packed);
    memo->numbers[place] = number;
}
