/* Rewards over counters. An item of states that names modules (p1=2 : 1; p2=2 : 1; ...) becomes one for each location,
 * as many times as there are modules in it. */
#include "reduce/census_inner.h"

typedef VEC(struct reward) reward_items;

static void add_item(struct census *census, const struct reward *from, const struct gterm *guard,
                     const struct census_weight *value, struct span span, reward_items *items)
{
    struct arena *arena = census->out->arena;
    if (gterm_is(guard, false) || census_weight_is_zero(census, value))
        return;
    struct reward item = {.is_transition = from->is_transition,
                          .action = from->action ? arena_string(arena, from->action) : NULL,
                          .guard = proposition_create(census->out, census_make_expr(census, guard, span)),
                          .value = census_weight_make(census, value, span)};
    VEC_PUSH(items, item);
}

/* Over counters; false: it cannot be translated. */
static bool translate_item(struct census *census, const struct gterm **guard, struct census_weight *value,
                           struct span span)
{
    *guard = census_translate_or_refuse(census, *guard, span, "the reward");
    return *guard && census_weight_translate(census, value, span, "the reward");
}

/* A reward of states in which a module is named: for each that is there. */
struct reward_orbit {
    const struct reward *item;
    const struct gterm *guard;
    struct census_weight value;
    struct census_names names;
    struct span span;
};

static bool add_here(struct census *census, const struct reward_orbit *orbit, reward_items *items)
{
    struct gterms *terms = census->terms;
    const struct gterm *guard = orbit->guard;
    struct census_weight value = orbit->value;
    if (!translate_item(census, &guard, &value, orbit->span))
        return false;
    if (orbit->names.count) {
        uint64_t same;
        const struct gterm *ways = census_ways(census, &orbit->names, &same);
        if (!same)
            return census_error(census, orbit->span, "a reward names too many modules");
        guard = gterm_pair(terms, TERM_AND, guard, gterm_pair(terms, TERM_LT, gterm_int(terms, 0), ways));
        value = census_weight_scale(census, &value, ways, same);
    }
    add_item(census, orbit->item, guard, &value, orbit->span, items);
    return true;
}

static bool add_named(struct census *census, const struct reward_orbit *orbit, uint32_t number, reward_items *items)
{
    if (number == orbit->names.count)
        return add_here(census, orbit, items);
    uint32_t module = orbit->names.modules[number];
    const struct census_family *family = &census->families.items[census->family_of[module]];
    bool is_good = true;
    for (uint32_t i = census_first_location(census, &orbit->names, number); i < family->locations.count && is_good;
         i++) {
        census_name(census, module, i);
        if (!gterm_is(census_substitute(census, orbit->guard), false))
            is_good = add_named(census, orbit, number + 1, items);
        census_unname(census, module);
    }
    return is_good;
}

/* The items that exchanging modules makes of this one, itself included, are dealt with: the number of different ones.
 */
static bool is_among(const struct gterm *const *items, const uint32_t *list, size_t count, const struct gterm *term)
{
    for (size_t i = 0; i < count; i++)
        if (items[list[i]] == term)
            return true;
    return false;
}

static uint32_t find_item(const struct gterm *const *items, uint32_t count, const struct gterm *term)
{
    uint32_t i = 0;
    while (i < count && items[i] != term)
        i++;
    return i;
}

static uint64_t take_orbit(struct census *census, const struct gterm **items, uint32_t count, uint32_t first)
{
    VEC(uint32_t) found = {0};
    VEC_PUSH(&found, first);
    for (size_t i = 0; i < found.count; i++)
        for (size_t f = 0; f < census->families.count; f++)
            for (uint32_t m = 1; m < census->families.items[f].count; m++) {
                const uint32_t *members = census->families.items[f].members;
                const struct gterm *image = gterm_swap(census->terms, items[found.items[i]], members[0], members[m]);
                uint32_t at = find_item(items, count, image);
                if (at < count && !is_among(items, found.items, found.count, image))
                    VEC_PUSH(&found, at);
            }
    uint64_t size = found.count;
    for (size_t i = 0; i < found.count; i++)
        items[found.items[i]] = NULL;
    VEC_FREE(&found);
    return size;
}

static bool make_states(struct census *census, const struct reward_structure *structure, reward_items *made)
{
    const struct gterm **items = memory_zeroed(structure->count + 1, sizeof *items);
    bool is_good = true;
    for (uint32_t i = 0; i < structure->count; i++) {
        const struct reward *item = &structure->items[i];
        struct census_weight value = census_weight_from(census, item->value);
        const struct gterm *parts[2] = {gterm_from(census->terms, item->guard->formula),
                                        census_weight_term(census, &value)};
        items[i] = item->is_transition ? NULL : gterm_tuple(census->terms, parts, 2);
    }
    for (uint32_t i = 0; i < structure->count && is_good; i++) {
        const struct reward *item = &structure->items[i];
        if (!items[i])
            continue;
        const struct gterm *whole = items[i];
        struct reward_orbit orbit = {.item = item,
                                     .guard = whole->parts[0],
                                     .value = census_weight_from(census, item->value),
                                     .span = item->guard->formula->span};
        orbit.names = census_distinguish(census, whole, NULL, 0, take_orbit(census, items, structure->count, i));
        is_good = add_named(census, &orbit, 0, made);
    }
    free(items);
    return is_good;
}

/* Of transitions: those of actions that some command over counters has. */
static bool is_action_made(const struct census *census, const char *action)
{
    for (size_t i = 0; i < census->orbits.count; i++)
        if (census->orbits.items[i].is_written && chain_is_same_action(action, census->orbits.items[i].choice->action))
            return true;
    return false;
}

static bool make_transitions(struct census *census, const struct reward_structure *structure, reward_items *made)
{
    for (uint32_t i = 0; i < structure->count; i++) {
        const struct reward *item = &structure->items[i];
        if (!item->is_transition || !is_action_made(census, item->action))
            continue;
        struct span span = item->guard->formula->span;
        const struct gterm *guard = gterm_from(census->terms, item->guard->formula);
        struct census_weight value = census_weight_from(census, item->value);
        if (!translate_item(census, &guard, &value, span))
            return false;
        add_item(census, item, guard, &value, span, made);
    }
    return true;
}

bool census_make_rewards(struct census *census)
{
    struct chain *chain = census->out->chain;
    struct arena *arena = census->out->arena;
    bool is_good = true;
    chain->reward_count = census->chain->reward_count;
    chain->rewards = ARENA_ARRAY(arena, struct reward_structure, chain->reward_count);
    for (uint32_t i = 0; i < chain->reward_count && is_good; i++) {
        const struct reward_structure *from = &census->chain->rewards[i];
        reward_items items = {0};
        is_good = make_states(census, from, &items) && make_transitions(census, from, &items);
        chain->rewards[i] = (struct reward_structure){.name = from->name ? arena_string(arena, from->name) : NULL,
                                                      .span = from->span,
                                                      .count = (uint32_t)items.count};
        chain->rewards[i].items = VEC_SEAL(&items, arena);
    }
    return is_good;
}
