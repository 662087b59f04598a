/* Choices that differ in the names of interchangeable modules only. */
#include "reduce/census_inner.h"

/* --- which modules a choice names --- */

static bool is_among(uint32_t module, const uint32_t *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == module)
            return true;
    return false;
}

/* The members of the family that do not act fall into classes of those that the term does not tell apart. All but those
 * of the largest class are named. */
static void distinguish_in(struct census *census, const struct census_family *family, const struct gterm *term,
                           const uint32_t *acting, uint32_t acting_count, uint32_t *named, uint32_t *named_count)
{
    uint32_t *class_of = memory_zeroed(family->count, sizeof *class_of);
    uint32_t *sizes = memory_zeroed(family->count, sizeof *sizes), largest = 0;
    for (uint32_t i = 0; i < family->count; i++) {
        bool is_acting = is_among(family->members[i], acting, acting_count);
        class_of[i] = i;
        if (is_acting)
            named[(*named_count)++] = family->members[i];
        for (uint32_t k = 0; k < i && class_of[i] == i && !is_acting; k++)
            if (class_of[k] == k && sizes[k] &&
                gterm_swap(census->terms, term, family->members[k], family->members[i]) == term)
                class_of[i] = k;
        sizes[class_of[i]] += !is_acting;
        if (sizes[class_of[i]] > sizes[largest])
            largest = class_of[i];
    }
    for (uint32_t i = 0; i < family->count; i++)
        if (class_of[i] != largest && !is_among(family->members[i], acting, acting_count))
            named[(*named_count)++] = family->members[i];
    free(class_of);
    free(sizes);
}

static bool is_exchangeable(struct census *census, const struct gterm *term, uint32_t a, uint32_t b)
{
    return census->family_of[a] == census->family_of[b] && gterm_swap(census->terms, term, a, b) == term;
}

static uint64_t factorial(uint64_t number)
{
    uint64_t product = 1;
    for (; number > 1; number--)
        if (__builtin_mul_overflow(product, number, &product))
            return 0;
    return product;
}

/* All ways to name so many modules; 0: too many. */
static uint64_t count_namings(const struct census *census, const struct census_names *names)
{
    uint64_t all = 1;
    for (uint32_t f = 0; f < census->families.count; f++) {
        uint32_t left = census->families.items[f].count;
        for (uint32_t i = 0; i < names->count; i++)
            if (census->family_of[names->modules[i]] == f && __builtin_mul_overflow(all, left--, &all))
                return 0;
    }
    return all;
}

static void find_blocks(struct census *census, const struct gterm *term, struct census_names *names)
{
    uint64_t within = 1, all = count_namings(census, names);
    uint32_t *sizes = memory_zeroed(names->count + 1, sizeof *sizes);
    for (uint32_t i = 0; i < names->count; i++) {
        names->block[i] = i;
        for (uint32_t k = 0; k < i && names->block[i] == i; k++)
            if (names->block[k] == k && is_exchangeable(census, term, names->modules[k], names->modules[i]))
                names->block[i] = k;
        sizes[names->block[i]]++;
    }
    for (uint32_t i = 0; i < names->count; i++)
        if (sizes[i] > 1 && __builtin_mul_overflow(within, factorial(sizes[i]), &within))
            within = 0;
    names->is_blocked = all && within && all / names->size == within;
    free(sizes);
}

struct census_names census_distinguish(struct census *census, const struct gterm *term, const uint32_t *acting,
                                       uint32_t acting_count, uint64_t size)
{
    uint32_t most = census->module_count + 1;
    struct census_names names = {.modules = ARENA_ARRAY(census->arena, uint32_t, most),
                                 .block = ARENA_ARRAY(census->arena, uint32_t, most),
                                 .size = size};
    for (size_t f = 0; f < census->families.count; f++)
        distinguish_in(census, &census->families.items[f], term, acting, acting_count, names.modules, &names.count);
    find_blocks(census, term, &names);
    return names;
}

uint32_t census_first_location(const struct census *census, const struct census_names *names, uint32_t position)
{
    if (!names->is_blocked)
        return 0;
    for (uint32_t i = position; i-- > 0;)
        if (names->block[i] == names->block[position])
            return census->location_of[names->modules[i]];
    return 0;
}

/* Of modules in one block and one location, it does not matter which is which. */
static uint64_t same_in_blocks(const struct census *census, const struct census_names *names)
{
    uint64_t same = 1;
    for (uint32_t i = 0; i < names->count; i++) {
        uint64_t before = 1;
        for (uint32_t k = 0; k < i; k++)
            before += names->block[k] == names->block[i] &&
                      census->location_of[names->modules[k]] == census->location_of[names->modules[i]];
        if (__builtin_mul_overflow(same, before, &same))
            return 0;
    }
    return same;
}

const struct gterm *census_ways(struct census *census, const struct census_names *names, uint64_t *same)
{
    census_terms factors = {0};
    for (uint32_t c = 0; c < census->counter_count; c++)
        for (uint32_t k = 0; k < census->named_at[c]; k++)
            VEC_PUSH(&factors, gterm_pair(census->terms, TERM_ADD, gterm_counter(census->terms, c),
                                          gterm_int(census->terms, -(int64_t)k)));
    const struct gterm *product = gterm_join(census->terms, TERM_MUL, factors.items, (uint32_t)factors.count);
    VEC_FREE(&factors);
    *same = names->is_blocked ? same_in_blocks(census, names) : count_namings(census, names) / names->size;
    if (*same > INT32_MAX)
        *same = 0;
    return product;
}

/* --- orbits --- */

struct orbit_finder {
    struct census *census;
    uint32_t *representative; /* by choice: one of its orbit; itself first */
    uint32_t *by_term;        /* by id of `whole`: the first choice with it, + 1 */
    uint32_t most_id;
    uint32_t *repeated; /* by first choice with a term */
};

static uint32_t root_of(struct orbit_finder *finder, uint32_t choice)
{
    while (finder->representative[choice] != choice) {
        finder->representative[choice] = finder->representative[finder->representative[choice]];
        choice = finder->representative[choice];
    }
    return choice;
}

static void find_repeated(struct orbit_finder *finder)
{
    const struct census *census = finder->census;
    for (size_t i = 0; i < census->choices.count; i++)
        if (census->choices.items[i].whole->id > finder->most_id)
            finder->most_id = census->choices.items[i].whole->id;
    finder->by_term = memory_zeroed((size_t)finder->most_id + 1, sizeof *finder->by_term);
    for (size_t i = 0; i < census->choices.count; i++) {
        uint32_t *first = &finder->by_term[census->choices.items[i].whole->id];
        if (!*first)
            *first = (uint32_t)i + 1;
        finder->repeated[*first - 1]++;
    }
}

static void unite(struct orbit_finder *finder, uint32_t choice, uint32_t a, uint32_t b)
{
    struct census *census = finder->census;
    const struct gterm *image = gterm_swap(census->terms, census->choices.items[choice].whole, a, b);
    ENSURE(image->id <= finder->most_id && finder->by_term[image->id]);
    uint32_t one = root_of(finder, choice), other = root_of(finder, finder->by_term[image->id] - 1);
    if (one < other)
        finder->representative[other] = one;
    else
        finder->representative[one] = other;
}

/* The first counted module that acts, or NOT_COUNTED. */
static uint32_t acting_in(const struct census *census, const struct census_choice *choice)
{
    for (uint32_t i = 0; i < choice->participant_count; i++)
        if (census->family_of[choice->participants[i]] != NOT_COUNTED)
            return choice->participants[i];
    return NOT_COUNTED;
}

/* Exchanges with the first member generate the group. Where modules act alone, each choice of another module is one of
 * the first with the two exchanged, so it is enough to look at that one, also under exchanges of others. */
static void unite_choice(struct orbit_finder *finder, uint32_t choice, uint32_t number)
{
    struct census *census = finder->census;
    const struct census_family *family = &census->families.items[number];
    uint32_t acting = census->acts_alone ? acting_in(census, &census->choices.items[choice]) : NOT_COUNTED;
    bool is_own = acting != NOT_COUNTED && census->family_of[acting] == number;
    if (acting != NOT_COUNTED && census->families.items[census->family_of[acting]].members[0] != acting)
        return;
    for (uint32_t m = 1; m < family->count; m++) {
        unite(finder, choice, family->members[0], family->members[m]);
        if (is_own && m > 1)
            unite(finder, choice, family->members[1], family->members[m]);
    }
}

static void unite_all(struct orbit_finder *finder)
{
    for (uint32_t f = 0; f < finder->census->families.count; f++)
        for (uint32_t i = 0; i < finder->census->choices.count; i++)
            if (finder->repeated[i] && !watch_is_up())
                unite_choice(finder, i, f);
}

static void add_orbit(struct orbit_finder *finder, uint32_t first, uint64_t size)
{
    struct census *census = finder->census;
    struct census_orbit orbit = {.choice = &census->choices.items[first], .repeated = finder->repeated[first]};
    orbit.names = census_distinguish(census, orbit.choice->whole, orbit.choice->participants,
                                     orbit.choice->participant_count, size);
    VEC_PUSH(&census->orbits, orbit);
}

void census_find_orbits(struct census *census)
{
    size_t count = census->choices.count;
    struct orbit_finder finder = {.census = census,
                                  .representative = memory_zeroed(count + 1, sizeof *finder.representative),
                                  .repeated = memory_zeroed(count + 1, sizeof *finder.repeated)};
    uint64_t *sizes = memory_zeroed(count + 1, sizeof *sizes);
    for (uint32_t i = 0; i < count; i++)
        finder.representative[i] = i;
    find_repeated(&finder);
    unite_all(&finder);
    for (uint32_t i = 0; i < count; i++)
        if (finder.repeated[i])
            sizes[root_of(&finder, i)]++;
    for (uint32_t i = 0; i < count; i++)
        if (sizes[i] && !watch_is_up())
            add_orbit(&finder, i, sizes[i]);
    free(finder.representative);
    free(finder.repeated);
    free(finder.by_term);
    free(sizes);
}
