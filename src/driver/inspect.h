/* The symmetry of a model, to be shown: the group, what breaks it, and what each rule leaves symmetric. */
#ifndef NOETHER_DRIVER_INSPECT_H
#define NOETHER_DRIVER_INSPECT_H

#include "driver/model.h"
#include "pass/view.h"
#include "portrait/rule_partition.h"

struct inspection {
    struct view *view; /* the symmetry, and the layout of the system that has it */
    struct rule_partitions *rules;
};

/* Ends early when the watch of the thread is up (symmetry->cut_short). */
struct inspection inspect_symmetry(const struct model *model);
/* Would more be interchangeable if processes that have ended stayed, where nothing can see them disappear (Promela)? */
bool inspect_keeping_dead(const struct model *model);
void inspection_free(struct inspection *inspection);

#endif
