#include "driver/certify_vectors.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sorted.h"
#include "verify/certificate.h"

static uint64_t count_of(const struct certified_vectors *vectors)
{
    return vectors->states.count / vectors->words;
}

void certified_vectors_add(struct certified_vectors *vectors, const struct property *property, const double *lower,
                           const double *upper, const uint64_t *rank)
{
    uint64_t count = count_of(vectors);
    uint64_t *values = memory_alloc((CERTIFICATE_MEASURE_WORDS * count + 1) * sizeof *values);
    for (uint64_t s = 0; s < count; s++) {
        memcpy(&values[CERTIFICATE_MEASURE_WORDS * s], &lower[s], sizeof *lower);
        memcpy(&values[CERTIFICATE_MEASURE_WORDS * s + 1], &upper[s], sizeof *upper);
        values[CERTIFICATE_MEASURE_WORDS * s + 2] = rank[s];
    }
    VEC_PUSH(&vectors->measures, property->id);
    VEC_PUSH(&vectors->values, values);
}

struct json *certified_vectors_list(const struct certified_vectors *vectors)
{
    struct json *list = json_make_array();
    for (size_t m = 0; m < vectors->measures.count; m++)
        json_push(list, json_make_integer(vectors->measures.items[m]));
    return list;
}

struct placed {
    const uint64_t *state;
    uint64_t number;
    uint32_t words;
};

static int compare_placed(const void *left, const void *right)
{
    const struct placed *a = left, *b = right;
    return sorted_compare(a->state, b->state, a->words);
}

uint64_t certified_vectors_write(const struct certified_vectors *vectors, struct certificate_file *file)
{
    uint64_t count = count_of(vectors);
    struct placed *order = memory_alloc((count + 1) * sizeof *order);
    for (uint64_t s = 0; s < count; s++)
        order[s] = (struct placed){vectors->states.items + s * vectors->words, s, vectors->words};
    qsort(order, count, sizeof *order, compare_placed);
    for (uint64_t s = 0; s < count; s++) {
        certificate_file_write_numbers(file, order[s].state, vectors->words);
        for (size_t m = 0; m < vectors->measures.count; m++)
            certificate_file_write_numbers(file, vectors->values.items[m] + CERTIFICATE_MEASURE_WORDS * order[s].number,
                                           CERTIFICATE_MEASURE_WORDS);
    }
    free(order);
    return count;
}

void certified_vectors_clear(struct certified_vectors *vectors)
{
    for (size_t m = 0; m < vectors->values.count; m++)
        free(vectors->values.items[m]);
    VEC_FREE(&vectors->states);
    VEC_FREE(&vectors->measures);
    VEC_FREE(&vectors->values);
}
