/* The orbit relation (survey 5.1; Clarke, Enders, Filkorn, Jha, "Exploiting symmetry in temporal logic model checking",
 * 1996): theta(s, t) when some permutation takes s to t; a representative is the least state of its orbit, and the map
 * is theta with its second state restricted to representatives. It is here to be compared with: its diagram grows
 * without bounds. */
#include <stdlib.h>

#include "engine/symbolic/method.h"
#include "engine/symbolic/orbit_relation.h"

/* One cluster of factors, the cells it touches, and the relation in the making. */
struct orbit {
    struct symbolic_reducer *reducer;
    uint32_t cluster;
    bool *concerns; /* by cell */
    dd theta;       /* registered, with ... */
    dd valid;       /* ... the codes that are values, of next variables: others have no images */
};

static bool orbit_find_cells(struct orbit *orbit)
{
    const struct footprint *footprint = orbit->reducer->footprint;
    bool any = false;
    for (uint32_t c = 0; c < footprint->layout->cell_count; c++)
        for (uint32_t f = 0; f < footprint->factors; f++)
            if (footprint->cluster[f] == orbit->cluster && footprint_touches(footprint, c, f))
                any = orbit->concerns[c] = true;
    return any;
}

/* theta(s, t) becomes theta(s, t) or theta(s, p(t)) for each permutation p met. */
static bool orbit_extend(struct orbit *orbit, const uint32_t *const *images, dd from)
{
    struct symbolic_reducer *reducer = orbit->reducer;
    dd image = shuffle_next(&reducer->shuffler, images, orbit->concerns, from);
    image = dd_and(reducer->shuffler.encoding->m, image, orbit->valid);
    orbit->theta = dd_or(reducer->shuffler.encoding->m, orbit->theta, image);
    return orbit->theta != DD_NONE;
}

/* As in orbit_relation_full: permutations of the first k points, then an exchange with the next. */
static bool orbit_add_full(struct orbit *orbit, uint32_t factor, const uint32_t **images, uint32_t *image)
{
    struct dd_manager *m = orbit->reducer->shuffler.encoding->m;
    uint32_t degree = orbit->reducer->footprint->symmetry->factors[factor].degree;
    bool is_ok = true;
    dd from = DD_FALSE;
    for (uint32_t p = 0; p < degree; p++)
        image[p] = p;
    dd_register(m, &from, 1);
    for (uint32_t k = 1; is_ok && k < degree; k++) {
        from = orbit->theta;
        for (uint32_t i = 0; is_ok && i < k; i++) {
            image[i] = k;
            image[k] = i;
            is_ok = orbit_extend(orbit, images, from);
            image[i] = i;
            image[k] = k;
        }
    }
    dd_unregister(m, &from);
    return is_ok;
}

static bool orbit_add_generated(struct orbit *orbit, uint32_t factor, const uint32_t **images, uint32_t *image)
{
    const struct symmetry_factor *about = &orbit->reducer->footprint->symmetry->factors[factor];
    bool is_new = true, is_ok = true;
    while (is_new && is_ok) {
        dd before = orbit->theta;
        is_new = false;
        for (uint32_t g = 0; is_ok && g < symmetry_generator_count(about); g++) {
            symmetry_generator(about, g, image);
            is_ok = orbit_extend(orbit, images, orbit->theta);
            is_new |= orbit->theta != before; /* it only grows: equal handles, equal sets */
            before = orbit->theta;
        }
    }
    return is_ok;
}

static bool orbit_add_factor(struct orbit *orbit, uint32_t factor)
{
    const struct footprint *footprint = orbit->reducer->footprint;
    const uint32_t **images = memory_zeroed((size_t)footprint->factors + 1, sizeof *images);
    uint32_t *image = memory_alloc((footprint->symmetry->factors[factor].degree + 1) * sizeof *image);
    images[factor] = image;
    bool is_ok = footprint->symmetry->factors[factor].kind == SYMMETRY_FULL
                     ? orbit_add_full(orbit, factor, images, image)
                     : orbit_add_generated(orbit, factor, images, image);
    free(image);
    free(images);
    return is_ok;
}

static dd orbit_cells_identity(const struct orbit *orbit)
{
    const struct encoding *encoding = orbit->reducer->shuffler.encoding;
    uint32_t *pairs = memory_alloc((encoding->pair_count + 1) * sizeof *pairs), count = 0;
    for (uint32_t c = 0; c < encoding->layout->cell_count; c++)
        for (uint32_t b = 0; orbit->concerns[c] && b < encoding_width(encoding, c); b++)
            pairs[count++] = encoding_pair(encoding, c, b);
    dd identity = orbit_identity(encoding->m, pairs, count);
    free(pairs);
    return identity;
}

/* The pairs of the cells in question in the order of the variables: which of two states is the less. */
static dd orbit_is_less(const struct orbit *orbit)
{
    const struct encoding *encoding = orbit->reducer->shuffler.encoding;
    struct dd_manager *m = encoding->m;
    bool *is_meant = memory_zeroed((size_t)encoding->pair_count + 1, sizeof *is_meant);
    dd less = DD_FALSE; /* next < current */
    for (uint32_t c = 0; c < encoding->layout->cell_count; c++)
        for (uint32_t b = 0; orbit->concerns[c] && b < encoding_width(encoding, c); b++)
            is_meant[encoding_pair(encoding, c, b)] = true;
    dd_pause(m);
    for (uint32_t p = encoding->pair_count; p-- > 0;)
        if (is_meant[p]) {
            dd now = dd_variable(m, 2 * p), then = dd_variable(m, 2 * p + 1);
            dd here = dd_and(m, now, dd_not(then));
            less = dd_or(m, here, dd_and(m, dd_iff(m, now, then), less));
        }
    dd_resume(m);
    free(is_meant);
    return less;
}

static dd orbit_cube(const struct orbit *orbit, uint32_t next)
{
    const struct encoding *encoding = orbit->reducer->shuffler.encoding;
    uint32_t *variables = memory_alloc((encoding->pair_count + 1) * sizeof *variables), count = 0;
    for (uint32_t c = 0; c < encoding->layout->cell_count; c++)
        for (uint32_t b = 0; orbit->concerns[c] && b < encoding_width(encoding, c); b++)
            variables[count++] = encoding_variable(encoding, c, b) + next;
    dd cube = dd_cube(encoding->m, variables, count);
    free(variables);
    return cube;
}

/* A representative has nothing less in its orbit. */
static bool orbit_add_map(struct orbit *orbit)
{
    struct symbolic_reducer *reducer = orbit->reducer;
    struct dd_manager *m = reducer->shuffler.encoding->m;
    struct dd_relation map;
    dd_pause(m);
    dd others = dd_and_exists(m, orbit->theta, orbit_is_less(orbit), orbit_cube(orbit, 1));
    dd representatives = dd_permute(m, dd_not(others), encoding_exchange(reducer->shuffler.encoding));
    map.relation = dd_ref(m, dd_and(m, orbit->theta, representatives));
    map.changed = dd_ref(m, orbit_cube(orbit, 0));
    dd_resume(m);
    VEC_PUSH(&reducer->maps, map);
    return map.relation != DD_NONE && map.changed != DD_NONE;
}

static dd orbit_find_valid(const struct orbit *orbit)
{
    struct encoding *encoding = orbit->reducer->shuffler.encoding;
    struct machine machine;
    machine_open(&machine, encoding->layout, &encoding->algebra);
    for (uint32_t c = encoding->layout->cell_count; c-- > 0;)
        if (orbit->concerns[c])
            machine_keep(&machine, machine_valid(&machine, c));
    dd valid = machine_is_ok(&machine) ? dd_permute(encoding->m, machine.live, encoding_exchange(encoding)) : DD_NONE;
    machine_close(&machine);
    return valid;
}

static bool orbit_add_cluster(struct symbolic_reducer *reducer, uint32_t cluster)
{
    const struct footprint *footprint = reducer->footprint;
    struct dd_manager *m = reducer->shuffler.encoding->m;
    struct orbit orbit = {.reducer = reducer, .cluster = cluster};
    orbit.concerns = memory_zeroed((size_t)footprint->layout->cell_count + 1, sizeof *orbit.concerns);
    bool is_ok = true;
    if (orbit_find_cells(&orbit)) {
        orbit.theta = orbit.valid = DD_FALSE;
        dd_register(m, &orbit.theta, 2);
        orbit.valid = orbit_find_valid(&orbit);
        orbit.theta = orbit_cells_identity(&orbit);
        orbit.theta = dd_and(m, orbit.theta, orbit.valid);
        for (uint32_t f = 0; is_ok && f < footprint->factors; f++)
            if (footprint->cluster[f] == cluster)
                is_ok = orbit_add_factor(&orbit, f);
        is_ok = is_ok && orbit_add_map(&orbit);
        dd_unregister(m, &orbit.theta);
    }
    free(orbit.concerns);
    return is_ok;
}

bool reducer_open_orbit(struct symbolic_reducer *reducer)
{
    const struct footprint *footprint = reducer->footprint;
    bool is_ok = true;
    reducer->is_unique = true;
    for (uint32_t f = 0; is_ok && f < footprint->factors; f++)
        if (footprint->symmetry->factors[f].is_used && footprint->cluster[f] == f)
            is_ok = orbit_add_cluster(reducer, f);
    return is_ok;
}
