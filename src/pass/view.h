/* A view: a system that an engine runs on instead of the model, and the lifting of its results.
 *
 * A pass makes a view of what is below it; the lowest one is the model itself. The result of an engine on a view is
 * lifted from view to view, down to the first that says no more of `lift`: its states are those that the user sees. */
#ifndef NOETHER_PASS_VIEW_H
#define NOETHER_PASS_VIEW_H

#include "engine/engine.h"
#include "detect/detect.h"

struct view {
    const struct view *below; /* NULL: the model */
    const struct layout *layout;
    const struct symmetry *symmetry;
    const struct reduction *reduction; /* it counts (reduce/reduce.h); NULL: it does not */
    const struct counting *counting;   /* cells of a chain that count; NULL: there are none */
    /* Takes a result about this view and returns one about the view below. NULL: they are the same. */
    struct result *(*lift)(const struct view *view, struct result *result, const struct engine_options *options);
    void (*close)(struct view *view);
};

void view_close(struct view *view); /* NULL: nothing. Views above it are closed first */
/* Down to where nothing is left to lift; *view becomes that view. */
struct result *view_lift(const struct view **view, struct result *result, const struct engine_options *options);

/* The model as it is, with the symmetry that is declared, or with none. */
struct view *view_declared(const struct layout *layout);
struct view *view_plain(const struct layout *layout);
/* With the symmetry that is found: where that is more than what is declared, in a copy with other codes
 * (rewrite/retype.h; *is_copy), in which evaluation may fail where that of the model does not. */
struct view *view_detected(const struct layout *layout, const struct detect_options *options, bool *is_copy);
/* A copy of the model and its symmetry, with the layout of the copy; takes both. */
struct view *view_of_detection(struct detection found, struct layout *layout);
/* Another system that says the same, without symmetry; takes it. */
struct view *view_rewritten(struct system *system);

#endif
