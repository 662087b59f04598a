#include "engine/adaptive/unwind.h"

#include <string.h>

static uint32_t *view_scratch(uint32_t **scratch, size_t *size, size_t wanted)
{
    if (*size < wanted) {
        *scratch = memory_resize(*scratch, 2 * wanted * sizeof **scratch);
        *size = 2 * wanted;
    }
    return *scratch;
}

uint32_t view_find(const struct adaptive_view *view, uint32_t local)
{
    for (uint32_t i = 0; i < view->local_count; i++)
        if (view->locals[i] == local)
            return i;
    return WORDS_NONE;
}

static void view_collect_locals(struct adaptive_view *view, const struct reached *reached, const uint32_t *words,
                                uint32_t length)
{
    view_scratch(&view->locals, &view->locals_size, 2 * (size_t)length);
    view->local_count = 0;
    for (uint32_t at = 2; at < length;)
        for (uint32_t left = words[at++]; left > 0; left--, at++) {
            uint32_t local = pair_local(reached, words[at]), i = view->local_count;
            if (view_find(view, local) != WORDS_NONE)
                continue;
            for (; i > 0 && view->locals[i - 1] > local; i--)
                view->locals[i] = view->locals[i - 1];
            view->locals[i] = local;
            view->local_count++;
        }
    view->totals = view->locals + length;
}

void view_load_words(struct adaptive_view *view, const struct reached *reached, const uint32_t *words, uint32_t length)
{
    uint32_t cell = 0;
    view->shared = words[0];
    view->partition_number = words[1];
    view->partition = *partitions_at(reached->partitions, words[1]);
    view_collect_locals(view, reached, words, length);
    size_t entries = (size_t)view->partition.cell_count * view->local_count;
    view_scratch(&view->counts, &view->counts_size, entries);
    memset(view->counts, 0, entries * sizeof *view->counts);
    memset(view->totals, 0, view->local_count * sizeof *view->totals);
    for (uint32_t at = 2; at < length; cell++)
        for (uint32_t left = words[at++]; left > 0; left--, at++) {
            uint32_t i = view_find(view, pair_local(reached, words[at])), count = pair_count(reached, words[at]);
            view->counts[cell * view->local_count + i] = count;
            view->totals[i] += count;
        }
}

void view_load(struct adaptive_view *view, const struct reached *reached, uint32_t state)
{
    view_load_words(view, reached, words_at(&reached->states, state), words_length(&reached->states, state));
}

void view_free(struct adaptive_view *view)
{
    free(view->locals);
    free(view->counts);
    *view = (struct adaptive_view){0};
}
