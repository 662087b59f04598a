/* Which modules are interchangeable.
 *
 * Copies of one module are, when exchanging any two of them leaves the model as it is. For n copies that act one at a
 * time it is enough that (1) exchanging the first with another leaves everything but their commands as it is, (2)
 * exchanging two others leaves the first one's commands as they are, and (3) the commands of each are those of the
 * first with the two exchanged: every permutation is made of these. Where that fails, all pairs are tried: being
 * exchangeable is an equivalence. */
#include "reduce/census_inner.h"

/* More copies than these are not tried in pairs. */
enum { MOST_PAIRED = 100 };

struct candidates {
    uint32_t *members;
    uint32_t count;
};
typedef VEC(struct candidates) candidate_lists;

static bool is_copy(const struct census_module *a, const struct census_module *b)
{
    if (a->original != b->original || a->variable_count != b->variable_count || !a->variable_count)
        return false;
    for (uint32_t i = 0; i < a->variable_count; i++)
        if (a->variables[i]->low != b->variables[i]->low || a->variables[i]->high != b->variables[i]->high ||
            a->variables[i]->is_bool != b->variables[i]->is_bool)
            return false;
    return true;
}

static const struct gterm *bag_of(struct census *census, census_terms *items)
{
    const struct gterm *bag = gterm_join(census->terms, TERM_BAG, items->items, (uint32_t)items->count);
    VEC_FREE(items);
    return bag;
}

static bool takes_part(const struct census_choice *choice, uint32_t module)
{
    for (uint32_t i = 0; i < choice->participant_count; i++)
        if (choice->participants[i] == module)
            return true;
    return false;
}

static uint32_t count_acting(const struct census_choice *choice, const bool *is_candidate)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < choice->participant_count; i++)
        count += is_candidate[choice->participants[i]];
    return count;
}

static const struct gterm *choices_of(struct census *census, uint32_t module)
{
    census_terms items = {0};
    for (size_t i = 0; i < census->choices.count; i++)
        if (takes_part(&census->choices.items[i], module))
            VEC_PUSH(&items, census->choices.items[i].whole);
    return bag_of(census, &items);
}

static const struct gterm *everything(struct census *census)
{
    census_terms items = {0};
    for (size_t i = 0; i < census->choices.count; i++)
        VEC_PUSH(&items, census->choices.items[i].whole);
    VEC_PUSH(&items, census_surroundings(census));
    return bag_of(census, &items);
}

static void add_family(struct census *census, const uint32_t *members, uint32_t count)
{
    struct census_family family = {.members = arena_copy(census->arena, members, count * sizeof *members),
                                   .count = count,
                                   .variable_count = census->modules[members[0]].variable_count};
    for (uint32_t i = 0; i < count; i++)
        census->family_of[members[i]] = (uint32_t)census->families.count;
    VEC_PUSH(&census->families, family);
}

/* --- at once --- */

/* What must stay as it is when copies in one list are exchanged: all but their own commands; of another list, those of
 * its first. */
static const struct gterm *rest_of(struct census *census, const candidate_lists *lists, size_t own,
                                   const bool *is_candidate)
{
    census_terms items = {0};
    for (size_t i = 0; i < census->choices.count; i++)
        if (!count_acting(&census->choices.items[i], is_candidate))
            VEC_PUSH(&items, census->choices.items[i].whole);
    for (size_t i = 0; i < lists->count; i++)
        if (i != own)
            VEC_PUSH(&items, choices_of(census, lists->items[i].members[0]));
    VEC_PUSH(&items, census_surroundings(census));
    return bag_of(census, &items);
}

static bool is_whole_list_alike(struct census *census, const candidate_lists *lists, size_t own,
                                const bool *is_candidate)
{
    const struct candidates *list = &lists->items[own];
    const struct gterm *rest = rest_of(census, lists, own, is_candidate);
    const struct gterm *first = choices_of(census, list->members[0]);
    for (uint32_t i = 1; i < list->count; i++) {
        if (watch_is_up())
            return false;
        if (gterm_swap(census->terms, rest, list->members[0], list->members[i]) != rest ||
            gterm_swap(census->terms, first, list->members[0], list->members[i]) !=
                choices_of(census, list->members[i]))
            return false;
        if (i > 1 && gterm_swap(census->terms, first, list->members[1], list->members[i]) != first)
            return false;
    }
    return true;
}

static bool find_at_once(struct census *census, const candidate_lists *lists, const bool *is_candidate)
{
    for (size_t i = 0; i < census->choices.count; i++)
        if (count_acting(&census->choices.items[i], is_candidate) > 1)
            return false;
    for (size_t i = 0; i < lists->count; i++)
        if (!is_whole_list_alike(census, lists, i, is_candidate))
            return false;
    for (size_t i = 0; i < lists->count; i++)
        add_family(census, lists->items[i].members, lists->items[i].count);
    census->acts_alone = true;
    return true;
}

/* --- pair by pair --- */

static void split_list(struct census *census, const struct candidates *list, const struct gterm *all)
{
    bool *is_done = ARENA_ARRAY(census->arena, bool, list->count);
    uint32_t *class = ARENA_ARRAY(census->arena, uint32_t, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t count = 0;
        if (is_done[i] || watch_is_up())
            continue;
        class[count++] = list->members[i];
        for (uint32_t k = i + 1; k < list->count; k++)
            if (!is_done[k] && gterm_swap(census->terms, all, list->members[i], list->members[k]) == all) {
                class[count++] = list->members[k];
                is_done[k] = true;
            }
        if (count > 1)
            add_family(census, class, count);
    }
}

/* --- why there are none --- */

static const struct census_choice *find_choice(const struct census *census, const struct gterm *whole)
{
    for (size_t i = 0; i < census->choices.count; i++)
        if (census->choices.items[i].whole == whole)
            return &census->choices.items[i];
    return NULL;
}

static void explain(struct census *census, const struct candidates *list)
{
    uint32_t a = list->members[0], b = list->members[1];
    const struct census_module *components = census->modules;
    for (size_t i = 0; i < census->choices.count; i++) {
        const struct census_choice *choice = &census->choices.items[i];
        if (watch_is_up() || find_choice(census, gterm_swap(census->terms, choice->whole, a, b)))
            continue;
        census_error(census, choice->span,
                     "the modules \"%s\" and \"%s\" are not interchangeable: nothing does for one what this command "
                     "does for the other",
                     components[a].name, components[b].name);
        return;
    }
    census_error(
        census, components[a].span,
        "a property, a reward or the initial states tell \"%s\" from \"%s\", and so every copy from the others",
        components[a].name, components[b].name);
}

static void refuse(struct census *census, const candidate_lists *lists)
{
    for (size_t i = 0; i < lists->count; i++)
        if (lists->items[i].count > MOST_PAIRED) {
            census_error(census, census->modules[lists->items[i].members[0]].span,
                         "the %u copies of \"%s\" are not all interchangeable, and too many to be tried in pairs",
                         lists->items[i].count, census->modules[lists->items[i].members[0]].name);
            return;
        }
    if (lists->count)
        explain(census, &lists->items[0]);
    else if (census->module_count)
        census_error(census, census->modules[0].span, "no module has a copy");
    else
        census_error(census, (struct span){0}, "the model has no modules");
}

static void find_candidates(struct census *census, candidate_lists *lists, bool *is_candidate)
{
    bool *is_done = ARENA_ARRAY(census->arena, bool, census->module_count + 1);
    for (uint32_t i = 0; i < census->module_count; i++) {
        struct candidates list = {ARENA_ARRAY(census->arena, uint32_t, census->module_count), 0};
        for (uint32_t k = i; k < census->module_count && !is_done[i]; k++)
            if (!is_done[k] && is_copy(&census->modules[i], &census->modules[k]))
                list.members[list.count++] = k;
        for (uint32_t k = 0; k < list.count; k++)
            is_done[list.members[k]] = true;
        for (uint32_t k = 0; k < list.count && list.count > 1; k++)
            is_candidate[list.members[k]] = true;
        if (list.count > 1)
            VEC_PUSH(lists, list);
    }
}

bool census_find_families(struct census *census)
{
    candidate_lists lists = {0};
    uint32_t modules = census->module_count;
    bool *is_candidate = ARENA_ARRAY(census->arena, bool, modules + 1);
    census->family_of = ARENA_ARRAY(census->arena, uint32_t, modules + 1);
    for (uint32_t i = 0; i < modules; i++)
        census->family_of[i] = NOT_COUNTED;
    find_candidates(census, &lists, is_candidate);
    if (lists.count && !find_at_once(census, &lists, is_candidate)) {
        const struct gterm *all = everything(census);
        for (size_t i = 0; i < lists.count; i++)
            if (lists.items[i].count <= MOST_PAIRED)
                split_list(census, &lists.items[i], all);
    }
    if (!census->families.count)
        refuse(census, &lists);
    VEC_FREE(&lists);
    return census->families.count;
}
