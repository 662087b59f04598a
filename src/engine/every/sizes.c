/* Small sizes, in all combinations: a violation at one of them is the answer, and so many elements are covered as every
 * combination of sizes up to that number is.
 *
 * Combinations come in shells, by their largest size; in a shell those with fewer elements in all are first. */
#include <stdlib.h>
#include <string.h>

#include "base/watch.h"
#include "engine/every/every.h"
#include "population/sizes.h"

/* States of a plain search: before anything else, of the model as declared, and where nothing else is left to do. */
enum { SIZES_BRIEF = 4096, SIZES_DECLARED = 65536, SIZES_LONG = 262144 };
/* A shell with more combinations is not searched. */
enum { SIZES_MOST_COMBINATIONS = 1024 };

static uint32_t sizes_count(const struct every_search *search)
{
    return (uint32_t)search->system->sized.count;
}

/* The first type whose size is the same constant. */
static uint32_t sizes_leader(const struct every_search *search, uint32_t sized)
{
    uint32_t leader = 0;
    while (strcmp(search->system->sized.items[leader].constant, search->system->sized.items[sized].constant) != 0)
        leader++;
    return leader;
}

/* -- Combinations -- */

static struct every_combination *combination_add(struct every_search *search, const uint32_t *sizes)
{
    size_t bytes = (sizes_count(search) + 1) * sizeof *sizes;
    struct every_combination combination = {.sizes = memory_alloc(bytes)};
    memcpy(combination.sizes, sizes, bytes);
    for (uint32_t i = 0; i < sizes_count(search); i++) {
        bool changes = every_changes(search, i) && sizes_leader(search, i) == i;
        combination.elements += changes ? sizes[i] : 0;
        combination.largest = changes && sizes[i] > combination.largest ? sizes[i] : combination.largest;
    }
    VEC_PUSH(&search->combinations, combination);
    return &search->combinations.items[search->combinations.count - 1];
}

static int combination_compare(const void *left, const void *right)
{
    const struct every_combination *a = left, *b = right;
    if (a->largest != b->largest)
        return a->largest < b->largest ? -1 : 1;
    if (a->elements != b->elements)
        return a->elements < b->elements ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* The next vector of sizes from 1 to `most`. False: that was the last. */
static bool sizes_next(const struct every_search *search, uint32_t most, uint32_t *sizes)
{
    for (uint32_t i = sizes_count(search); i-- > 0;) {
        if (!every_changes(search, i) || sizes_leader(search, i) != i)
            continue;
        if (sizes[i]++ < most)
            return true;
        sizes[i] = 1;
    }
    return false;
}

static void sizes_follow_leaders(const struct every_search *search, uint32_t *sizes)
{
    for (uint32_t i = 0; i < sizes_count(search); i++)
        sizes[i] = every_changes(search, i) ? sizes[sizes_leader(search, i)] : sizes[i];
}

static bool shell_fits(const struct every_search *search, uint32_t size)
{
    uint64_t count = 1;
    for (uint32_t i = 0; i < sizes_count(search) && count <= SIZES_MOST_COMBINATIONS; i++)
        count *= every_changes(search, i) && sizes_leader(search, i) == i ? size : 1;
    return count <= SIZES_MOST_COMBINATIONS;
}

/* Adds the combinations whose largest size is the next one. False: they would be too many. */
static bool shell_add(struct every_search *search)
{
    uint32_t size = search->shells + 1, *sizes = memory_zeroed(sizes_count(search) + 1, sizeof *sizes);
    if (!shell_fits(search, size)) {
        free(sizes);
        return false;
    }
    for (uint32_t i = 0; i < sizes_count(search); i++)
        sizes[i] = every_changes(search, i) ? 1 : search->system->sized.items[i].type->size;
    do {
        uint32_t *all = memory_zeroed(sizes_count(search) + 1, sizeof *all);
        memcpy(all, sizes, sizes_count(search) * sizeof *all);
        sizes_follow_leaders(search, all);
        struct every_combination *added = combination_add(search, all);
        free(all);
        added->number = (uint32_t)search->combinations.count;
        if (search->is_varied && added->largest != size) { /* of a shell before */
            free(added->sizes);
            search->combinations.count--;
        }
    } while (sizes_next(search, size, sizes));
    free(sizes);
    search->shells = size;
    qsort(search->combinations.items, search->combinations.count, sizeof *search->combinations.items,
          combination_compare);
    return true;
}

void every_free_combinations(struct every_search *search)
{
    for (size_t i = 0; i < search->combinations.count; i++)
        free(search->combinations.items[i].sizes);
    VEC_FREE(&search->combinations);
}

/* NULL: the model cannot be read so, as with an empty range. */
static const struct layout *combination_layout(const struct every_search *search,
                                               const struct every_combination *combination)
{
    const struct sizes *family = search->options->sizes;
    return search->is_varied ? family->with(family->user, combination->sizes) : search->layout;
}

static bool is_at_least(const struct every_search *search, const struct every_combination *combination,
                        const struct every_combination *other)
{
    for (uint32_t i = 0; i < sizes_count(search); i++)
        if (combination->sizes[i] < other->sizes[i])
            return false;
    return true;
}

/* Was a search cut after as many states, with no more elements of any type? */
static bool is_hopeless(const struct every_search *search, const struct every_combination *combination, uint64_t states)
{
    for (size_t i = 0; i < search->combinations.count; i++) {
        const struct every_combination *other = &search->combinations.items[i];
        if (other->cut_at >= states && is_at_least(search, combination, other))
            return true;
    }
    return false;
}

/* Up to so many elements all combinations are covered. */
static void sizes_note_explored(struct every_search *search)
{
    uint32_t least = search->shells + 1;
    for (size_t i = 0; i < search->combinations.count; i++) {
        const struct every_combination *combination = &search->combinations.items[i];
        if (!combination->is_covered && combination->largest < least)
            least = combination->largest;
    }
    search->explored = search->is_varied ? least - 1 : least > 0;
}

/* -- One combination -- */

static bool is_decided(const struct result *result, bool *is_violated)
{
    bool is_decided = true;
    *is_violated = false;
    for (size_t p = 0; p < result->system->properties.count; p++) {
        const struct property_result *about = &result->properties[p];
        if (!result->checked[p] || about->is_left_out || !every_is_safety(about->property))
            continue;
        *is_violated |= about->verdict == VERDICT_VIOLATED;
        is_decided &= about->verdict != VERDICT_UNKNOWN;
    }
    return is_decided;
}

/* Runs an engine on the model at these sizes, and takes a violation. False: there is none, and some state is not
 * covered. */
static bool sizes_run(struct every_search *search, const struct engine *engine, const struct engine_options *options,
                      const struct layout *layout, struct result **open)
{
    const struct sizes *family = search->options->sizes;
    struct symmetry *own = layout == search->layout ? symmetry_find(layout->system) : NULL;
    struct result *result = engine->run(layout, own ? own : family->symmetry(family->user, layout->system), options);
    bool is_violated, is_complete = is_decided(result, &is_violated);
    symmetry_destroy(own);
    search->is_cut |= watch_is_up();
    *open = NULL;
    if (is_violated) {
        result_destroy(search->violated);
        search->violated = result;
    } else if (is_complete)
        result_destroy(result);
    else
        *open = result;
    return is_violated || is_complete;
}

static bool explore_layout(struct every_search *search, const struct layout *layout, uint64_t states)
{
    struct engine_options options = *search->options;
    struct result *open;
    uint64_t most = options.limits.states;
    options.sizes = NULL;
    options.limits.seconds = 0; /* the watch of this engine ends it */
    options.limits.states = most && most < states ? most : states;
    bool is_done = sizes_run(search, search->options->explorer, &options, layout, &open);
    result_destroy(open);
    return is_done;
}

/* By plain search. False: a violation was found, or there is no time. */
static bool explore_combination(struct every_search *search, struct every_combination *combination, uint64_t states)
{
    if (combination->is_covered || is_hopeless(search, combination, states))
        return true;
    const struct layout *layout = combination_layout(search, combination);
    struct result *declared = search->violated;
    search->violated = NULL;
    combination->is_covered = !layout || explore_layout(search, layout, states);
    combination->cut_at = combination->is_covered ? 0 : states;
    if (search->violated) {
        combination->is_covered = false;
        result_destroy(declared);
        return false;
    }
    search->violated = declared;
    return !search->is_cut;
}

/* All combinations with sizes up to `largest`. */
static void explore_all(struct every_search *search, uint32_t largest, uint64_t states)
{
    size_t next = 0;
    bool goes_on = true;
    while (goes_on) {
        while (goes_on && next < search->combinations.count && search->combinations.items[next].largest <= largest)
            goes_on = explore_combination(search, &search->combinations.items[next++], states);
        goes_on = goes_on && search->is_varied && next == search->combinations.count && search->shells < largest &&
                  shell_add(search);
    }
    sizes_note_explored(search);
}

void every_explore_first(struct every_search *search)
{
    shell_add(search);
    if (search->layout)
        explore_layout(search, search->layout, SIZES_DECLARED);
    explore_all(search, EVERY_LARGEST, SIZES_BRIEF);
}

void every_explore_rest(struct every_search *search)
{
    if (!search->violated && search->is_varied)
        explore_all(search, EVERY_LARGEST_EXPLORED, SIZES_LONG);
}

/* By the helper, whose invariant is a source of candidates. */
static bool solve_combination(struct every_search *search, struct every_combination *combination)
{
    const struct layout *layout = combination_layout(search, combination);
    struct engine_options options = *search->options;
    struct result *open;
    if (!layout)
        return combination->is_covered = true;
    options.method = METHOD_IC3;
    options.sizes = NULL;
    options.on_clause = every_take_clause;
    options.on_clause_user = search;
    options.limits.seconds = 0; /* the watch of this engine ends it */
    combination->is_covered |= sizes_run(search, search->options->helper, &options, layout, &open) && !search->violated;
    if (open && !search->obstacle.length) {
        text_append(&search->obstacle, combination->is_covered ? "no invariant was found with " : "not decided with ");
        every_print_sizes(layout->system, &search->obstacle);
        text_format(&search->obstacle, ": %s", open->stop.detail ? open->stop.detail : "there was no time");
    }
    bool is_done = !open;
    result_destroy(open);
    return is_done && !search->violated && !search->is_cut;
}

bool every_solve_shell(struct every_search *search, uint32_t size)
{
    bool goes_on = true;
    while (search->is_varied && search->shells < size && goes_on)
        goes_on = shell_add(search);
    uint32_t elements = 0; /* of the largest combination */
    for (size_t i = 0; i < search->combinations.count; i++)
        if (search->combinations.items[i].largest == size || !search->is_varied)
            elements = search->combinations.items[i].elements;
    for (size_t i = 0; goes_on && i < search->combinations.count; i++) {
        struct every_combination *combination = &search->combinations.items[i];
        bool is_of_shell = combination->largest == size || !search->is_varied;
        if (is_of_shell && (!combination->is_covered || combination->elements == elements))
            goes_on = solve_combination(search, combination);
    }
    sizes_note_explored(search);
    return goes_on;
}
