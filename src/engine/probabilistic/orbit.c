/* How many states of the chain the states of a quotient stand for. */
#include "engine/probabilistic/markov.h"

enum { STATES_BETWEEN_LOOKS = 4096 };

static bool is_interrupted(const struct markov *markov, uint32_t state)
{
    return watch_is_up() || (state % STATES_BETWEEN_LOOKS == 0 && flag_is_set(markov->options->interrupted));
}

/* A state of a counted model stands for those in which its modules are somewhere in that way. */
static bool add_counted(struct markov *markov, const struct counting *counting, struct bigint *count)
{
    struct counter_weights *weights = counting_weights(counting);
    struct bigint *product = bigint_create(1);
    bigint_set(count, 0);
    uint32_t s = 0;
    for (; s < markov_count(markov) && !is_interrupted(markov, s); s++) {
        const int32_t *cells = markov_cells(markov, s);
        bigint_set(product, 1);
        for (uint32_t cell = 0; cell < counting->cell_count; cell++)
            if (counting->family_of[cell] != COUNTING_NONE)
                bigint_multiply(product, counting_weight(counting, weights, cell, (uint32_t)cells[cell]));
        bigint_add(count, product);
    }
    counting_settle(counting, weights, count);
    bigint_destroy(product);
    counting_free(counting, weights);
    return s == markov_count(markov);
}

bool markov_represented(struct markov *markov, struct bigint *count)
{
    if (markov->options->counting)
        return add_counted(markov, markov->options->counting, count);
    struct bigint *size = bigint_create(1);
    bigint_set(count, markov->canon ? 0 : markov_count(markov));
    uint32_t s = 0;
    for (; markov->canon && s < markov_count(markov) && !is_interrupted(markov, s); s++) {
        canon_orbit_size(markov->canon, markov_cells(markov, s), size);
        bigint_add(count, size);
    }
    bigint_destroy(size);
    return !markov->canon || s == markov_count(markov);
}

bool markov_represents(struct markov *markov, uint64_t count)
{
    struct bigint *all = bigint_create(0);
    uint64_t found;
    bool does = markov_represented(markov, all) && bigint_fits_u64(all, &found) && found == count;
    bigint_destroy(all);
    return does;
}

double markov_orbit_size(struct markov *markov, uint32_t state)
{
    if (!markov->canon)
        return 1;
    ENSURE(
        markov
            ->has_whole_orbits); /* the group takes initial states to initial states: who counts says so (ir/pctl.h) */
    if (!markov->orbit_sizes) {
        struct bigint *size = bigint_create(1);
        markov->orbit_sizes = memory_zeroed((size_t)markov_count(markov) + 1, sizeof *markov->orbit_sizes);
        for (uint32_t s = 0; s < markov_count(markov); s++) {
            canon_orbit_size(markov->canon, markov_cells(markov, s), size);
            markov->orbit_sizes[s] = bigint_to_double(size);
        }
        bigint_destroy(size);
    }
    return markov->orbit_sizes[state];
}
