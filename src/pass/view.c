#include "pass/view.h"

#include <stdlib.h>

#include "base/memory.h"

void view_close(struct view *view)
{
    if (view)
        view->close(view);
}

struct result *view_lift(const struct view **view, struct result *result, const struct engine_options *options)
{
    for (; (*view)->lift; *view = (*view)->below)
        result = (*view)->lift(*view, result, options);
    return result;
}

/* The model or a copy of it. */
struct base_view {
    struct view view;
    struct symmetry *symmetry; /* its own; NULL: that of the detection */
    struct detection detection;
    struct layout *layout; /* its own; NULL: the model's */
    struct system *system; /* its own, or NULL */
};

static void base_close(struct view *view)
{
    struct base_view *base = (struct base_view *)view;
    if (base->symmetry)
        symmetry_destroy(base->symmetry);
    else
        detection_free(&base->detection);
    layout_destroy(base->layout);
    system_destroy(base->system);
    free(base);
}

static struct base_view *base_create(const struct layout *layout, struct symmetry *symmetry)
{
    struct base_view *base = memory_zeroed(1, sizeof *base);
    base->view = (struct view){.layout = layout, .symmetry = symmetry, .close = base_close};
    base->symmetry = symmetry;
    return base;
}

struct view *view_declared(const struct layout *layout)
{
    return &base_create(layout, symmetry_find(layout->system))->view;
}

struct view *view_plain(const struct layout *layout)
{
    return &base_create(layout, symmetry_none(layout->system))->view;
}

struct view *view_detected(const struct layout *layout, const struct detect_options *options, bool *is_copy)
{
    struct base_view *base = base_create(layout, NULL);
    base->detection = detect_symmetry(layout->system, options);
    base->view.symmetry = base->detection.symmetry;
    *is_copy = base->detection.retyped.system != NULL;
    if (*is_copy)
        base->view.layout = base->layout = layout_create(base->detection.system);
    return &base->view;
}

struct view *view_of_detection(struct detection found, struct layout *layout)
{
    struct base_view *base = base_create(layout, NULL);
    base->detection = found;
    base->view.symmetry = found.symmetry;
    base->layout = layout;
    return &base->view;
}

struct view *view_rewritten(struct system *system)
{
    struct layout *layout = layout_create(system);
    struct base_view *base = base_create(layout, symmetry_none(system));
    base->layout = layout;
    base->system = system;
    return &base->view;
}
