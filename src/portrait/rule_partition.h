/* The partition of the processes that each rule and each property leaves symmetric: the partition Q of Wahl, "Adaptive
 * Symmetry Reduction" (CAV 2007), Section 5, for all states at once, and where in the source its cells are
 * distinguished.
 *
 * Every instance has a portrait (portrait.h). Two processes share a cell of a rule iff exchanging them maps the
 * portraits of its instances to each other. Instances are split into classes first, by what no permutation changes and
 * then by the cells of the processes that act: `prio[j] < prio[i]` gives three cells (above, same, below) for each
 * class of priorities, not a cell for each class.
 *
 * This serves explanation and the choice of an engine. The adaptive engine decides the same question with the values of
 * a state, which may leave more processes together, and with run-time faults, which may leave fewer. */
#ifndef NOETHER_PORTRAIT_RULE_PARTITION_H
#define NOETHER_PORTRAIT_RULE_PARTITION_H

#include "portrait/roster.h"
#include "symmetry/symmetry.h"

/* Two processes in different cells, and the place that distinguishes them. */
struct rule_boundary {
    uint32_t left, right; /* elements */
    struct span span;
};

struct rule_class {
    const bool *acts;        /* parameter p may be element e: acts[p * elements + e]; all false: of no family */
    uint32_t *label_of;      /* by element: the least element of its cell */
    uint64_t first_instance; /* of the rule, in the class; classes are in this order */
    uint32_t cell_count;     /* at least the number of families */
    bool is_symmetric;       /* one cell for each family */
    struct rule_boundary *boundaries; /* neighbouring cells of a family */
    uint32_t boundary_count;
};

struct rule_partition {
    const struct rule *rule; /* or: */
    const struct property *property;
    const char *not_analysed; /* the reason, or NULL */
    struct span not_analysed_span;
    struct rule_class *classes; /* none: it is never enabled */
    uint32_t class_count;
};

struct rule_partitions {
    struct arena *arena;
    struct roster *roster; /* NULL: nothing was analysed, see below */
    const char *not_analysed;
    const bool *is_settled;       /* by family: the group of the whole model permutes it in all ways */
    struct rule_partition *items; /* the rules, then the properties with a formula */
    uint32_t count;
};

/* Families that `symmetry` (or NULL) permutes in all ways are not looked at. `starts`: cells of the start states, one
 * after the other (variables on which they agree and that no rule writes are constants). `work` bounds the effort; some
 * 60 million take a second. `blames`: with the places that distinguish cells (boundaries), which may take longer. */
struct rule_partitions *rule_partitions_find(const struct layout *layout, const struct symmetry *symmetry,
                                             const int32_t *starts, size_t start_count, uint64_t work, bool blames);
void rule_partitions_destroy(struct rule_partitions *partitions);

/* Are the elements of a family not distinguished at all? */
bool rule_partition_is_symmetric(const struct rule_partition *partition);
/* "1..3, 5": the elements of a family for which `has` is true. */
void rule_partition_print_set(const struct roster *roster, uint32_t family, const bool *has, struct text *out);
/* "1..3, 5 | 4 | 6" */
void rule_partition_print_cells(const struct roster *roster, const struct rule_class *class, uint32_t family,
                                struct text *out);

#endif
