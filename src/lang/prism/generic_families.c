/* Which modules are interchangeable.
 *
 * Copies of one module are, when exchanging any two of them leaves the model as it is. For n copies that act one at a
 * time it is enough that (1) exchanging the first with another leaves everything but their commands as it is, (2)
 * exchanging two others leaves the first one's commands as they are, and (3) the commands of each are those of the
 * first with the two exchanged: every permutation is made of these. Where that fails, all pairs are tried: being
 * exchangeable is an equivalence. */
#include "lang/prism/generic.h"

/* More copies than these are not tried in pairs. */
enum { MOST_PAIRED = 100 };

struct candidates {
    uint32_t *members;
    uint32_t count;
};
typedef VEC(struct candidates) candidate_lists;

static bool is_copy(const struct prism_component *a, const struct prism_component *b)
{
    if (a->original != b->original || a->variable_count != b->variable_count || !a->variable_count)
        return false;
    for (uint32_t i = 0; i < a->variable_count; i++)
        if (a->variables[i]->low != b->variables[i]->low || a->variables[i]->high != b->variables[i]->high ||
            a->variables[i]->type != b->variables[i]->type)
            return false;
    return true;
}

static const struct gterm *bag_of(struct prism_generic *generic, generic_terms *items)
{
    const struct gterm *bag = gterm_join(generic->terms, TERM_BAG, items->items, (uint32_t)items->count);
    VEC_FREE(items);
    return bag;
}

static bool takes_part(const struct generic_choice *choice, uint32_t module)
{
    for (uint32_t i = 0; i < choice->participant_count; i++)
        if (choice->participants[i] == module)
            return true;
    return false;
}

static uint32_t count_acting(const struct generic_choice *choice, const bool *is_candidate)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < choice->participant_count; i++)
        count += is_candidate[choice->participants[i]];
    return count;
}

static const struct gterm *choices_of(struct prism_generic *generic, uint32_t module)
{
    generic_terms items = {0};
    for (size_t i = 0; i < generic->choices.count; i++)
        if (takes_part(&generic->choices.items[i], module))
            VEC_PUSH(&items, generic->choices.items[i].whole);
    return bag_of(generic, &items);
}

static const struct gterm *everything(struct prism_generic *generic)
{
    generic_terms items = {0};
    for (size_t i = 0; i < generic->choices.count; i++)
        VEC_PUSH(&items, generic->choices.items[i].whole);
    VEC_PUSH(&items, generic_surroundings(generic));
    return bag_of(generic, &items);
}

static void add_family(struct prism_generic *generic, const uint32_t *members, uint32_t count)
{
    struct generic_family family = {.members = arena_copy(generic->arena, members, count * sizeof *members),
                                    .count = count,
                                    .variable_count = generic->network->components[members[0]].variable_count};
    for (uint32_t i = 0; i < count; i++)
        generic->family_of[members[i]] = (uint32_t)generic->families.count;
    VEC_PUSH(&generic->families, family);
}

/* --- at once --- */

/* What must stay as it is when copies in one list are exchanged: all but their own commands; of another list, those of
 * its first. */
static const struct gterm *rest_of(struct prism_generic *generic, const candidate_lists *lists, size_t own,
                                   const bool *is_candidate)
{
    generic_terms items = {0};
    for (size_t i = 0; i < generic->choices.count; i++)
        if (!count_acting(&generic->choices.items[i], is_candidate))
            VEC_PUSH(&items, generic->choices.items[i].whole);
    for (size_t i = 0; i < lists->count; i++)
        if (i != own)
            VEC_PUSH(&items, choices_of(generic, lists->items[i].members[0]));
    VEC_PUSH(&items, generic_surroundings(generic));
    return bag_of(generic, &items);
}

static bool is_whole_list_alike(struct prism_generic *generic, const candidate_lists *lists, size_t own,
                                const bool *is_candidate)
{
    const struct candidates *list = &lists->items[own];
    const struct gterm *rest = rest_of(generic, lists, own, is_candidate);
    const struct gterm *first = choices_of(generic, list->members[0]);
    for (uint32_t i = 1; i < list->count; i++) {
        if (watch_is_up())
            return false;
        if (gterm_swap(generic->terms, rest, list->members[0], list->members[i]) != rest ||
            gterm_swap(generic->terms, first, list->members[0], list->members[i]) !=
                choices_of(generic, list->members[i]))
            return false;
        if (i > 1 && gterm_swap(generic->terms, first, list->members[1], list->members[i]) != first)
            return false;
    }
    return true;
}

static bool find_at_once(struct prism_generic *generic, const candidate_lists *lists, const bool *is_candidate)
{
    for (size_t i = 0; i < generic->choices.count; i++)
        if (count_acting(&generic->choices.items[i], is_candidate) > 1)
            return false;
    for (size_t i = 0; i < lists->count; i++)
        if (!is_whole_list_alike(generic, lists, i, is_candidate))
            return false;
    for (size_t i = 0; i < lists->count; i++)
        add_family(generic, lists->items[i].members, lists->items[i].count);
    generic->acts_alone = true;
    return true;
}

/* --- pair by pair --- */

static void split_list(struct prism_generic *generic, const struct candidates *list, const struct gterm *all)
{
    bool *is_done = ARENA_ARRAY(generic->arena, bool, list->count);
    uint32_t *class = ARENA_ARRAY(generic->arena, uint32_t, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t count = 0;
        if (is_done[i] || watch_is_up())
            continue;
        class[count++] = list->members[i];
        for (uint32_t k = i + 1; k < list->count; k++)
            if (!is_done[k] && gterm_swap(generic->terms, all, list->members[i], list->members[k]) == all) {
                class[count++] = list->members[k];
                is_done[k] = true;
            }
        if (count > 1)
            add_family(generic, class, count);
    }
}

/* --- why there are none --- */

static const struct generic_choice *find_choice(const struct prism_generic *generic, const struct gterm *whole)
{
    for (size_t i = 0; i < generic->choices.count; i++)
        if (generic->choices.items[i].whole == whole)
            return &generic->choices.items[i];
    return NULL;
}

static void explain(struct prism_generic *generic, const struct candidates *list)
{
    uint32_t a = list->members[0], b = list->members[1];
    const struct prism_component *components = generic->network->components;
    for (size_t i = 0; i < generic->choices.count; i++) {
        const struct generic_choice *choice = &generic->choices.items[i];
        if (watch_is_up() || find_choice(generic, gterm_swap(generic->terms, choice->whole, a, b)))
            continue;
        generic_error(generic, choice->span,
                      "the modules \"%s\" and \"%s\" are not interchangeable: nothing does for one what this command "
                      "does for the other",
                      components[a].name.text, components[b].name.text);
        return;
    }
    generic_error(
        generic, components[a].name.span,
        "a property, a reward or the initial states tell \"%s\" from \"%s\", and so every copy from the others",
        components[a].name.text, components[b].name.text);
}

static void refuse(struct prism_generic *generic, const candidate_lists *lists)
{
    for (size_t i = 0; i < lists->count; i++)
        if (lists->items[i].count > MOST_PAIRED) {
            generic_error(generic, generic->network->components[lists->items[i].members[0]].name.span,
                          "the %u copies of \"%s\" are not all interchangeable, and too many to be tried in pairs",
                          lists->items[i].count, generic->network->components[lists->items[i].members[0]].name.text);
            return;
        }
    if (lists->count)
        explain(generic, &lists->items[0]);
    else if (generic->network->component_count)
        generic_error(generic, generic->network->components[0].name.span, "no module has a copy");
    else
        generic_error(generic, (struct span){0}, "the model has no modules");
}

static void find_candidates(struct prism_generic *generic, candidate_lists *lists, bool *is_candidate)
{
    const struct prism_network *network = generic->network;
    bool *is_done = ARENA_ARRAY(generic->arena, bool, network->component_count + 1);
    for (uint32_t i = 0; i < network->component_count; i++) {
        struct candidates list = {ARENA_ARRAY(generic->arena, uint32_t, network->component_count), 0};
        for (uint32_t k = i; k < network->component_count && !is_done[i]; k++)
            if (!is_done[k] && is_copy(&network->components[i], &network->components[k]))
                list.members[list.count++] = k;
        for (uint32_t k = 0; k < list.count; k++)
            is_done[list.members[k]] = true;
        for (uint32_t k = 0; k < list.count && list.count > 1; k++)
            is_candidate[list.members[k]] = true;
        if (list.count > 1)
            VEC_PUSH(lists, list);
    }
}

bool generic_find_families(struct prism_generic *generic)
{
    candidate_lists lists = {0};
    uint32_t modules = generic->network->component_count;
    bool *is_candidate = ARENA_ARRAY(generic->arena, bool, modules + 1);
    generic->family_of = ARENA_ARRAY(generic->arena, uint32_t, modules + 1);
    for (uint32_t i = 0; i < modules; i++)
        generic->family_of[i] = NOT_COUNTED;
    find_candidates(generic, &lists, is_candidate);
    if (lists.count && !find_at_once(generic, &lists, is_candidate)) {
        const struct gterm *all = everything(generic);
        for (size_t i = 0; i < lists.count; i++)
            if (lists.items[i].count <= MOST_PAIRED)
                split_list(generic, &lists.items[i], all);
    }
    if (!generic->families.count)
        refuse(generic, &lists);
    VEC_FREE(&lists);
    return generic->families.count;
}
