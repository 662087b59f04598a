#include "rewrite/prenex.h"

#include <stdlib.h>

#include "base/vec.h"
#include "ir/fairness.h"

typedef VEC(const struct variable *) variable_list;

static bool prenex_is_quantifier(const struct ctl *ctl)
{
    return ctl->kind == CTL_FORALL || ctl->kind == CTL_EXISTS;
}

bool prenex_is_needed(const struct ctl *ctl)
{
    return ctl_has(ctl, CTL_FORALL) || ctl_has(ctl, CTL_EXISTS);
}

/* A path satisfies (for all i: f(i)) U g iff it satisfies f(i) U g for all i, since the first g decides; W likewise. R
 * and M are the duals of U and W. */
bool prenex_lets_pass(enum ctl_kind kind, bool is_positive, bool is_right)
{
    switch (kind) {
    case CTL_NOT:
    case CTL_AND:
    case CTL_OR:
    case CTL_IMPLIES:
    case CTL_FORALL:
    case CTL_EXISTS:
        return true;
    case CTL_AX:
    case CTL_AG:
        return is_positive;
    case CTL_AU:
        return is_positive && !is_right;
    case CTL_EX:
    case CTL_EF:
        return !is_positive;
    case CTL_EU:
        return !is_positive && is_right;
    case LTL_X:
        return true;
    case LTL_G:
        return is_positive;
    case LTL_F:
        return !is_positive;
    case LTL_U:
    case LTL_W:
        return is_positive != is_right;
    case LTL_R:
    case LTL_M:
        return is_positive == is_right;
    default:
        return false;
    }
}

/* The variables of the quantifiers in a formula that has to be true (is_positive) or false; is_open: they may be
 * brought to where the walk began. */
static bool prenex_collect(const struct ctl *ctl, bool is_positive, bool is_open, variable_list *list,
                           struct span *where)
{
    if (prenex_is_quantifier(ctl)) {
        if (!is_open || is_positive != (ctl->kind == CTL_FORALL)) {
            *where = ctl->span;
            return false;
        }
        VEC_PUSH(list, ctl->variable);
    }
    bool flips = ctl->kind == CTL_NOT || ctl->kind == CTL_IMPLIES;
    if (ctl->left && !prenex_collect(ctl->left, is_positive != flips,
                                     is_open && prenex_lets_pass(ctl->kind, is_positive, false), list, where))
        return false;
    return !ctl->right || prenex_collect(ctl->right, is_positive,
                                         is_open && prenex_lets_pass(ctl->kind, is_positive, true), list, where);
}

bool prenex_is_possible(const struct ctl *ctl, struct span *where)
{
    variable_list list = {0};
    bool is_possible = prenex_collect(ctl, true, true, &list, where);
    VEC_FREE(&list);
    return is_possible;
}

/* As one of the propositions of the system. */
static const struct proposition *prenex_own(struct system *system, const struct proposition *proposition)
{
    struct proposition *own = ARENA_NEW(system->arena, struct proposition);
    *own = *proposition;
    own->id = (uint32_t)system->propositions.count;
    VEC_PUSH(&system->propositions, own);
    return own;
}

/* Without its quantifiers: their variables are part of the state, and nothing is free any more. Its propositions become
 * the only ones of the system. */
static struct ctl *prenex_strip(struct system *system, struct ctl *ctl)
{
    if (!ctl)
        return NULL;
    if (prenex_is_quantifier(ctl))
        return prenex_strip(system, ctl->left);
    ctl->left = prenex_strip(system, ctl->left);
    ctl->right = prenex_strip(system, ctl->right);
    ctl->free_count = 0;
    if (ctl->proposition)
        ctl->proposition = prenex_own(system, &(struct proposition){.formula = ctl->proposition->formula});
    return ctl;
}

static void prenex_keep_fairness(struct system *system, struct property *property)
{
    struct fairness *fairness = ARENA_NEW(system->arena, struct fairness);
    *fairness = *property->fairness;
    fairness->when = fairness->when ? prenex_own(system, fairness->when) : NULL;
    fairness->then = fairness->then ? prenex_own(system, fairness->then) : NULL;
    property->fairness = fairness;
}

/* Goals and claims about states go, but for the assumptions; what statements refer to stays, and, where the formula is
 * about fair runs, so does fairness. */
static void prenex_drop_claims(struct system *system, bool is_fair)
{
    size_t kept = 0;
    for (size_t p = 0; p < system->properties.count; p++) {
        struct property *property = system->properties.items[p];
        bool is_claim =
            (property->formula && property->kind != PROPERTY_ASSUMPTION && property->kind != PROPERTY_DEADLOCK) ||
            property->ctl || property->ltl || (property->fairness && !is_fair);
        if (is_claim)
            continue;
        if (property->fairness)
            prenex_keep_fairness(system, property);
        property->id = (uint32_t)kept;
        system->properties.items[kept++] = property;
    }
    system->properties.count = kept;
}

struct system *prenex_system(const struct system *system, const struct property *property)
{
    variable_list list = {0};
    struct span where;
    bool is_possible = prenex_collect(property->ctl ? property->ctl : property->ltl, true, true, &list, &where);
    ENSURE(is_possible);
    struct system *pointed = point_system(system, list.items, (uint32_t)list.count);
    VEC_FREE(&list);
    if (!pointed)
        return NULL;
    struct property *own = pointed->properties.items[property->id];
    VEC_CLEAR(&pointed->propositions);
    /* the copy's own */
    own->ctl = prenex_strip(pointed, (struct ctl *)own->ctl);
    own->ltl = prenex_strip(pointed, (struct ctl *)own->ltl);
    const struct ctl *antecedent = ctl_antecedent(own->ctl ? own->ctl : own->ltl, &is_possible);
    own->antecedent = antecedent ? antecedent->proposition : NULL;
    prenex_drop_claims(pointed, own->ltl != NULL);
    own->id = (uint32_t)pointed->properties.count;
    VEC_PUSH(&pointed->properties, own);
    return pointed;
}
