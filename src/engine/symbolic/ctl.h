/* Symbolic CTL.
 *
 * The sets of a formula are computed from the inside out, within the reachable states: under a method that reduces by
 * symmetry, within their representatives (survey, section 5.4: every image is followed by the mapping to
 * representatives). A property with quantifiers around temporal operators is about pointed states (rewrite/point.h),
 * and has a model of its own, of these; the group acts on state and values at once, so that nothing has to be
 * rewritten.
 *
 *   ctl.c        the properties one by one
 *   ctl_sets.c   the sets of a formula
 *   ctl_way.c, ctl_evidence.c   runs that show it */
#ifndef NOETHER_ENGINE_SYMBOLIC_CTL_H
#define NOETHER_ENGINE_SYMBOLIC_CTL_H

#include "engine/symbolic/search.h"
#include "ir/ctl.h"

/* Where a formula holds, and where it may hold: it is in doubt where propositions in it cannot be evaluated and matter.
 * Subsets of the reached states, referenced. DD_NONE: no memory or time. */
struct ctl_sets {
    const struct ctl *ctl;
    dd sure, maybe;
};

/* The sets of a formula and of all that is in it. */
struct ctl_table {
    struct ctl_sets *items;
    size_t count, capacity;
};

/* False: see model->stop. Free the table in any case. */
bool ctl_table_fill(struct symbolic_model *model, const struct ctl *ctl, struct ctl_table *table);
void ctl_table_free(struct symbolic_model *model, struct ctl_table *table);
const struct ctl_sets *ctl_table_get(const struct ctl_table *table, const struct ctl *ctl);

/* Sets of reached states: referenced ones in, referenced ones out. */
dd set_and(struct symbolic_model *model, dd a, dd b);
dd set_or(struct symbolic_model *model, dd a, dd b);
dd set_without(struct symbolic_model *model, dd a, dd b);
dd set_complement(struct symbolic_model *model, dd set);
dd set_after(struct symbolic_model *model, dd set);
/* All the representatives whose orbits have a state in the set, which need not be referenced: there may be several of
 * one orbit. */
dd set_close(struct symbolic_model *model, dd set);
/* States without successors. */
dd set_ends(struct symbolic_model *model);

/* ctl_way.c: ways through sets. The states on a way, one after the other, each of the model's cells. */
struct ctl_way {
    int32_t *cells;
    size_t count, capacity; /* states */
    size_t back;            /* as in struct story_way */
};
enum ctl_way_found { CTL_WAY_NONE, CTL_WAY_FOUND, CTL_WAY_FAILED };
/* A shortest way from states of one orbit to the goal, through states inside. */
enum ctl_way_found ctl_way_to(struct symbolic_model *model, dd from, dd inside, dd goal, struct ctl_way *way);
/* One step to the goal. */
enum ctl_way_found ctl_way_step(struct symbolic_model *model, dd from, dd goal, struct ctl_way *way);
/* A maximal way inside; there must be one. */
enum ctl_way_found ctl_way_for_ever(struct symbolic_model *model, dd from, dd inside, struct ctl_way *way);

/* ctl_evidence.c: the run that shows why the formula is true or false in a start state, and in words what it shows;
 * NULL: there is nothing one run could show, or no memory or time. `layout` is that of the model of the user. */
struct trace *ctl_show(struct symbolic_model *model, const struct layout *layout, const struct ctl_table *table,
                       const struct ctl *ctl, bool is_true, struct text *words);

/* A run to the state, where a proposition of the property (CTL or LTL) cannot be evaluated; NULL: no memory or time, or
 * it begins where that does not matter. */
struct trace *ctl_fault_trace(struct symbolic_search *search, const struct property *property, const int32_t *cells);
/* Decides a CTL property, when everything reachable is known. */
void ctl_answer(struct symbolic_search *search, const struct property *property);

#endif
