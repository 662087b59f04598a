/* Fixed points. All sets are among the reached states, which no step leaves. */
#include <stdlib.h>

#include "engine/symbolic/chance.h"

dd chance_complement(struct chance *chance, dd set)
{
    return chance_keep(chance, dd_difference(chance->model.m, chance->model.reached, set));
}

static dd before(struct chance *chance, dd set, uint32_t outcome)
{
    const struct dd_relation *step = &chance->outcomes.items[outcome].step;
    return dd_previous(chance->model.m, set, step->relation, step->changed);
}

/* Some outcome of the choice is in the set. */
static dd some_before(struct chance *chance, dd set, const struct chance_choice *choice)
{
    dd keep[2] = {set, DD_FALSE};
    dd_register(chance->model.m, keep, 2);
    for (uint32_t i = 0; i < choice->count; i++)
        keep[1] = dd_or(chance->model.m, keep[1], before(chance, keep[0], choice->first + i));
    dd_unregister(chance->model.m, keep);
    return keep[1];
}

dd chance_before(struct chance *chance, dd set)
{
    struct dd_manager *m = chance->model.m;
    dd keep[2] = {set, dd_and(m, set, chance->dead)};
    dd_register(m, keep, 2);
    for (uint32_t i = 0; i < chance->outcomes.count; i++)
        keep[1] = dd_or(m, keep[1], before(chance, keep[0], i));
    keep[1] = dd_and(m, keep[1], chance->model.reached);
    dd_unregister(m, keep);
    return chance_keep(chance, keep[1]);
}

/* Backward by saturation, through unreachable states as well: those that are reached have no others after them, so what
 * there is of them in the answer is right. */
static dd reach_at_once(struct chance *chance, dd through, dd goal)
{
    struct dd_manager *m = chance->model.m;
    size_t count = chance->outcomes.count;
    bool is_anywhere = dd_is_subset(m, chance->model.reached, through) == DD_TRUE;
    struct dd_relation *relations = memory_alloc((count + 1) * sizeof *relations);
    dd *handles = memory_zeroed(count + 1, sizeof *handles);
    dd_register(m, handles, count);
    for (size_t i = 0; i < count; i++) {
        relations[i] = chance->outcomes.items[i].back;
        if (is_anywhere)
            continue;
        handles[i] = dd_and(m, chance->outcomes.items[i].step.relation, through);
        handles[i] = relations[i].relation = chance_turn(chance, handles[i], relations[i].changed);
    }
    dd result = dd_saturate(m, goal, relations, count);
    dd_unregister(m, handles);
    free(handles);
    free(relations);
    return dd_and(m, result, chance->model.reached);
}

/* Outcome by outcome: the next one starts from what the one before has found. */
static dd reach_in_turn(struct chance *chance, dd through, dd goal, const dd *safe)
{
    struct dd_manager *m = chance->model.m;
    dd found = goal, last;
    dd_register(m, &found, 1);
    do {
        last = found;
        for (size_t c = 0; c < chance->choices.count && found != DD_NONE; c++) {
            const struct chance_choice *choice = &chance->choices.items[c];
            for (uint32_t i = 0; i < choice->count; i++) {
                dd more = dd_and(m, before(chance, found, choice->first + i), safe[c]);
                found = dd_or(m, found, dd_and(m, more, through));
            }
        }
    } while (found != last && found != DD_NONE);
    dd_unregister(m, &found);
    return found;
}

dd chance_reach(struct chance *chance, dd through, dd goal, const dd *safe)
{
    return chance_keep(chance,
                       safe ? reach_in_turn(chance, through, goal, safe) : reach_at_once(chance, through, goal));
}

/* From where every choice has a way on to the goal: least chance above 0. */
static dd reach_surely(struct chance *chance, dd left, dd goal)
{
    struct dd_manager *m = chance->model.m;
    dd keep[3] = {goal, DD_FALSE, dd_difference(m, dd_and(m, left, chance->model.reached), chance->dead)};
    dd last;
    dd_register(m, keep, 3);
    do {
        last = keep[0];
        keep[1] = keep[2];
        for (size_t c = 0; c < chance->choices.count && keep[1] != DD_NONE; c++) {
            const struct chance_choice *choice = &chance->choices.items[c];
            dd lost = dd_difference(m, choice->enabled, some_before(chance, keep[0], choice));
            keep[1] = dd_difference(m, keep[1], lost);
        }
        keep[0] = dd_or(m, keep[0], keep[1]);
    } while (keep[0] != last && keep[0] != DD_NONE);
    dd_unregister(m, keep);
    return chance_keep(chance, keep[0]);
}

dd chance_zero(struct chance *chance, dd left, dd goal, bool is_least)
{
    bool is_sure = is_least && chance_has_choice(chance);
    dd positive = is_sure ? reach_surely(chance, left, goal) : chance_reach(chance, left, goal, NULL);
    return chance_complement(chance, positive);
}

/* No way leads to a state from which the goal is avoided for certain (by some scheduler). */
static dd least_one(struct chance *chance, dd left, dd goal)
{
    dd lost = chance_zero(chance, left, goal, true);
    dd through = chance_keep(chance, dd_difference(chance->model.m, left, goal));
    return chance_complement(chance, chance_reach(chance, through, lost, NULL));
}

bool chance_find_safe(struct chance *chance, dd set, dd *safe)
{
    struct dd_manager *m = chance->model.m;
    dd outside = chance_complement(chance, set);
    for (size_t c = 0; c < chance->choices.count && outside != DD_NONE; c++) {
        const struct chance_choice *choice = &chance->choices.items[c];
        safe[c] = dd_difference(m, choice->enabled, some_before(chance, outside, choice));
        if (safe[c] == DD_NONE)
            return false;
    }
    return outside != DD_NONE;
}

/* The largest set in which some choice stays inside and has a way to the goal; shrunk until it is stable. At first it
 * is all that is reached, which nothing leaves. */
static dd greatest_one(struct chance *chance, dd left, dd goal)
{
    struct dd_manager *m = chance->model.m;
    size_t count = chance->choices.count;
    dd *safe = memory_zeroed(count + 1, sizeof *safe);
    dd set = chance->model.reached, inner = chance_reach(chance, left, goal, NULL);
    dd_register(m, safe, count);
    while (inner != set && inner != DD_NONE) {
        set = inner;
        inner = chance_find_safe(chance, set, safe) ? chance_reach(chance, left, goal, safe) : DD_NONE;
    }
    dd_unregister(m, safe);
    free(safe);
    return inner;
}

dd chance_one(struct chance *chance, dd left, dd goal, bool is_least)
{
    return is_least || !chance_has_choice(chance) ? least_one(chance, left, goal) : greatest_one(chance, left, goal);
}

dd chance_forever(struct chance *chance, dd set)
{
    dd found = set, last;
    do {
        last = found;
        found = chance_keep(chance, dd_and(chance->model.m, found, chance_before(chance, found)));
    } while (found != last && found != DD_NONE);
    return found;
}

dd chance_can_stay(struct chance *chance, dd set, const dd *rows)
{
    struct dd_manager *m = chance->model.m;
    size_t count = chance->choices.count;
    dd *safe = memory_zeroed(count + 1, sizeof *safe), found = set, last;
    dd_register(m, safe, count + 1);
    do {
        last = found;
        safe[count] = DD_FALSE; /* all of them */
        if (!chance_find_safe(chance, found, safe))
            found = DD_NONE;
        for (size_t c = 0; c < count && found != DD_NONE; c++) {
            safe[c] = dd_and(m, safe[c], rows[c]);
            safe[count] = dd_or(m, safe[count], safe[c]);
        }
        found = chance_keep(chance, found == DD_NONE ? DD_NONE : dd_and(m, found, safe[count]));
    } while (found != last && found != DD_FALSE && found != DD_NONE);
    dd_unregister(m, safe);
    free(safe);
    return found;
}

dd chance_ahead(struct chance *chance, dd from, dd through)
{
    struct dd_manager *m = chance->model.m;
    size_t count = chance->outcomes.count;
    struct dd_relation *relations = memory_alloc((count + 1) * sizeof *relations);
    dd *handles = memory_zeroed(count + 1, sizeof *handles);
    dd_register(m, handles, count);
    for (size_t i = 0; i < count; i++) {
        relations[i] = chance->outcomes.items[i].step;
        handles[i] = relations[i].relation = dd_and(m, relations[i].relation, through);
    }
    dd result = dd_saturate(m, dd_and(m, from, through), relations, count);
    dd_unregister(m, handles);
    free(handles);
    free(relations);
    return chance_keep(chance, dd_and(m, result, through));
}

/* --- within so many steps --- */

/* Some choice has only outcomes in the set; a dead state stays where it is. */
static dd safely_before(struct chance *chance, dd set)
{
    struct dd_manager *m = chance->model.m;
    dd keep[3] = {chance_complement(chance, set), dd_and(m, set, chance->dead), DD_FALSE};
    dd_register(m, keep, 3);
    for (size_t c = 0; c < chance->choices.count && keep[0] != DD_NONE; c++) {
        const struct chance_choice *choice = &chance->choices.items[c];
        keep[2] = dd_difference(m, choice->enabled, some_before(chance, keep[0], choice));
        keep[1] = dd_or(m, keep[1], keep[2]);
    }
    dd result = keep[0] == DD_NONE ? DD_NONE : dd_and(m, keep[1], chance->model.reached);
    dd_unregister(m, keep);
    return chance_keep(chance, result);
}

/* From where one step leads to the set: with a chance above 0, or (is_sure) of 1; the least or the greatest. */
static dd step_before(struct chance *chance, dd set, bool is_least, bool is_sure)
{
    if (chance_has_choice(chance) && is_least != is_sure) /* above 0 least: not surely elsewhere, whatever is chosen */
        return is_sure ? safely_before(chance, set)
                       : chance_complement(chance, safely_before(chance, chance_complement(chance, set)));
    return is_sure ? chance_complement(chance, chance_before(chance, chance_complement(chance, set)))
                   : chance_before(chance, set);
}

dd chance_within(struct chance *chance, const struct chance_until *until, bool is_sure)
{
    struct dd_manager *m = chance->model.m;
    if (until->is_next)
        return step_before(chance, until->goal, until->is_least, is_sure);
    dd keep[2] = {until->goal, DD_FALSE}; /* these grow, and the set after them follows from the one before alone */
    dd_register(m, keep, 2);
    for (uint64_t i = 0; i < until->steps && keep[0] != keep[1] && keep[0] != DD_NONE; i++) {
        keep[1] = keep[0];
        dd next = dd_and(m, step_before(chance, keep[0], until->is_least, is_sure), until->left);
        keep[0] = dd_or(m, keep[0], next);
    }
    dd_unregister(m, keep);
    return chance_keep(chance, keep[0]);
}
