/* Rewards of the reduced model. An item of states that names modules (p1=2 : 1; p2=2 : 1; ...) becomes one for each
 * location, as many times as there are modules in it. */
#include <string.h>

#include "lang/prism/generic.h"

static bool write_item(struct prism_generic *generic, const char *action, bool is_transition, const struct gterm *guard,
                       const struct gterm *value, struct span span, struct text *out)
{
    if (gterm_is(guard, false) || gterm_is_number(value, 0))
        return true;
    text_append(out, "  ");
    if (is_transition)
        text_format(out, "[%s] ", action ? action : "");
    bool is_good = generic_print(generic, guard, false, span, out);
    text_append(out, " : ");
    is_good = is_good && generic_print(generic, value, false, span, out);
    text_append(out, ";\n");
    return is_good;
}

/* A reward of states in which a module is named: for each that is there. */
struct reward_orbit {
    const struct gterm *guard, *value;
    struct generic_names names;
    struct span span;
};

static bool write_named(struct prism_generic *generic, const struct reward_orbit *orbit, uint32_t number,
                        struct text *out)
{
    struct gterms *terms = generic->terms;
    if (number == orbit->names.count) {
        const struct gterm *guard = generic_translate_or_refuse(generic, orbit->guard, orbit->span, "the reward");
        const struct gterm *value =
            guard ? generic_translate_or_refuse(generic, orbit->value, orbit->span, "the reward") : NULL;
        if (!value)
            return false;
        if (orbit->names.count) {
            uint64_t same;
            const struct gterm *number_of_ways = generic_ways(generic, &orbit->names, &same);
            guard = gterm_pair(terms, TERM_AND, guard, gterm_pair(terms, TERM_LT, gterm_int(terms, 0), number_of_ways));
            value = gterm_pair(terms, TERM_MUL, value, number_of_ways);
            if (!same)
                return generic_error(generic, orbit->span, "a reward names too many modules");
            if (same > 1)
                value = gterm_pair(terms, TERM_DIV, value, gterm_int(terms, (int64_t)same));
        }
        return write_item(generic, NULL, false, guard, value, orbit->span, out);
    }
    uint32_t module = orbit->names.modules[number];
    const struct generic_family *family = &generic->families.items[generic->family_of[module]];
    bool is_good = true;
    for (uint32_t i = generic_first_location(generic, &orbit->names, number); i < family->locations.count && is_good;
         i++) {
        generic_name(generic, module, i);
        if (!gterm_is(generic_substitute(generic, orbit->guard), false))
            is_good = write_named(generic, orbit, number + 1, out);
        generic_unname(generic, module);
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

static uint64_t take_orbit(struct prism_generic *generic, const struct gterm **items, uint32_t count, uint32_t first)
{
    VEC(uint32_t) found = {0};
    VEC_PUSH(&found, first);
    for (size_t i = 0; i < found.count; i++)
        for (size_t f = 0; f < generic->families.count; f++)
            for (uint32_t m = 1; m < generic->families.items[f].count; m++) {
                const uint32_t *members = generic->families.items[f].members;
                const struct gterm *image = gterm_swap(generic->terms, items[found.items[i]], members[0], members[m]);
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

static bool write_states(struct prism_generic *generic, const struct prism_reward_structure *structure,
                         struct text *out)
{
    const struct gterm **items = memory_zeroed(structure->count + 1, sizeof *items);
    bool is_good = true;
    for (uint32_t i = 0; i < structure->count; i++) {
        const struct prism_reward *item = &structure->items[i];
        const struct gterm *parts[2] = {gterm_from(generic->terms, item->guard),
                                        gterm_from(generic->terms, item->value)};
        items[i] = item->is_transition ? NULL : gterm_tuple(generic->terms, parts, 2);
    }
    for (uint32_t i = 0; i < structure->count && is_good; i++) {
        if (!items[i])
            continue;
        const struct gterm *item = items[i];
        struct reward_orbit orbit = {
            .guard = item->parts[0], .value = item->parts[1], .span = structure->items[i].guard->span};
        orbit.names = generic_distinguish(generic, item, NULL, 0, take_orbit(generic, items, structure->count, i));
        is_good = write_named(generic, &orbit, 0, out);
    }
    free(items);
    return is_good;
}

/* Of transitions: those of actions that some command of the reduced model has. */
static bool is_action_written(const struct prism_generic *generic, const char *action)
{
    for (size_t i = 0; i < generic->orbits.count; i++) {
        const char *other = generic->orbits.items[i].choice->action;
        if (generic->orbits.items[i].is_written && (action && other ? !strcmp(action, other) : action == other))
            return true;
    }
    return false;
}

static bool write_transitions(struct prism_generic *generic, const struct prism_reward_structure *structure,
                              struct text *out)
{
    bool is_good = true;
    for (uint32_t i = 0; i < structure->count && is_good; i++) {
        const struct prism_reward *item = &structure->items[i];
        if (!item->is_transition || !is_action_written(generic, item->action))
            continue;
        const struct gterm *guard = generic_translate_or_refuse(generic, gterm_from(generic->terms, item->guard),
                                                                item->guard->span, "the reward");
        const struct gterm *value = guard
                                        ? generic_translate_or_refuse(generic, gterm_from(generic->terms, item->value),
                                                                      item->value->span, "the reward")
                                        : NULL;
        is_good = value && write_item(generic, item->action, true, guard, value, item->guard->span, out);
    }
    return is_good;
}

bool generic_write_rewards(struct prism_generic *generic, struct text *out)
{
    bool is_good = true;
    for (uint32_t i = 0; i < generic->network->reward_count && is_good; i++) {
        const struct prism_reward_structure *structure = &generic->network->rewards[i];
        text_append(out, "\nrewards");
        if (structure->name)
            text_format(out, " \"%s\"", structure->name);
        text_char(out, '\n');
        size_t before = out->length;
        is_good = write_states(generic, structure, out) && write_transitions(generic, structure, out);
        if (out->length == before)
            text_append(out, "  false : 0;\n");
        text_append(out, "endrewards\n");
    }
    return is_good;
}
