#include <string.h>

#include "engine/cover/cover.h"

bool multiset_is_below(const uint32_t *part, uint32_t count, const uint32_t *whole, uint32_t whole_count)
{
    uint32_t w = 0;
    for (uint32_t p = 0; p < count; p++, w++) {
        while (w < whole_count && whole[w] < part[p])
            w++;
        if (w == whole_count || whole[w] != part[p])
            return false;
    }
    return true;
}

/* Insertion: few words, nearly sorted. */
static void sort_locals(uint32_t *locals, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint32_t local = locals[i], j = i;
        for (; j > 0 && locals[j - 1] > local; j--)
            locals[j] = locals[j - 1];
        locals[j] = local;
    }
}

/* Takes the participants out; they are at the end then. False: one is not there, and the order is lost. */
static bool take_participants(const uint32_t *before, uint32_t width, uint32_t *locals, uint32_t size)
{
    for (uint32_t p = 0; p < width; p++) {
        uint32_t rest = size - p, t = 0;
        while (t < rest && locals[t] != before[p])
            t++;
        if (t == rest)
            return false;
        memmove(locals + t, locals + t + 1, (rest - t - 1) * sizeof *locals);
        locals[rest - 1] = before[p];
    }
    return true;
}

bool configuration_step(const struct thread_system *threads, uint32_t number, uint32_t *configuration, uint32_t size)
{
    const struct thread_step *step = &threads->steps.items[number];
    uint32_t *locals = configuration + 1;
    if (step->width > size || !take_participants(threads_before(threads, step), step->width, locals, size))
        return false;
    for (uint32_t t = 0; step->is_broadcast && t < size - step->width; t++) {
        locals[t] = threads_image(threads, number, locals[t]);
        if (locals[t] == WORDS_NONE)
            return false;
    }
    for (uint32_t p = 0; p < step->width; p++)
        locals[size - step->width + p] = threads_after(threads, step)[p];
    configuration[0] = step->to;
    sort_locals(locals, size);
    return true;
}

void configuration_start(const struct thread_start *start, uint32_t *configuration, uint32_t size)
{
    configuration[0] = start->shared;
    for (uint32_t t = 0; t < size; t++)
        configuration[1 + t] = start->rest;
    if (start->chosen != WORDS_NONE)
        configuration[1] = start->chosen;
    sort_locals(configuration + 1, size);
}

uint32_t configuration_violates(const struct cover *cover, const uint32_t *configuration, uint32_t size)
{
    const struct thread_system *threads = cover->threads;
    const struct thread_numbers *generated = &threads->generated.items[configuration[0]];
    for (size_t i = 0; i < generated->list.count; i++) {
        const struct thread_generator *generator = &threads->generators.items[generated->list.items[i]];
        if (cover->is_open[generator->property] &&
            multiset_is_below(VEC_FROM(&threads->tuples, generator->first), generator->width, configuration + 1, size))
            return generated->list.items[i];
    }
    return WORDS_NONE;
}
