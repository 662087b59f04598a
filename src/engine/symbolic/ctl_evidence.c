/* What the sets know of ways that show why a formula is true or false (result/story.h). */
#include <stdlib.h>
#include <string.h>

#include "engine/symbolic/ctl.h"
#include "result/story.h"

struct symbolic_evidence {
    struct symbolic_model *model;
    const struct layout *layout; /* of the user's model: the first cells of the states of `model` */
    const struct ctl_table *table;
    struct canon *canon; /* NULL: the symmetry is trivial */
    int32_t *values;     /* of the other cells */
    int32_t *cells, *image;
    struct ctl_way way; /* found last; representatives */
};

static const int32_t *evidence_point(struct symbolic_evidence *evidence, const int32_t *cells)
{
    uint32_t state = evidence->layout->cell_count, all = evidence->model->layout->cell_count;
    memcpy(evidence->cells, cells, state * sizeof *cells);
    memcpy(evidence->cells + state, evidence->values, (all - state) * sizeof *cells);
    if (!evidence->canon)
        return evidence->cells;
    canon_apply(evidence->canon, evidence->cells, evidence->image);
    return evidence->image;
}

/* The reached states of the orbit; referenced. */
static dd evidence_set(struct symbolic_evidence *evidence, const int32_t *cells)
{
    return set_close(evidence->model, encoding_state(evidence->model->encoding, evidence_point(evidence, cells)));
}

static enum truth evidence_truth(void *user, const struct ctl *ctl, const int32_t *cells)
{
    struct symbolic_evidence *evidence = user;
    struct dd_manager *m = evidence->model->m;
    const struct ctl_sets *sets = ctl_table_get(evidence->table, ctl);
    dd here = evidence_set(evidence, cells);
    bool is_sure = here != DD_NONE && dd_is_disjoint(m, here, sets->sure) == DD_FALSE;
    bool is_false = here != DD_NONE && dd_is_disjoint(m, here, sets->maybe) == DD_TRUE;
    dd_unref(m, here);
    if (!is_sure && !is_false && sets->sure == sets->maybe)
        symbolic_failed(evidence->model);
    return is_sure ? TRUTH_TRUE : is_false ? TRUTH_FALSE : TRUTH_FAULT;
}

static bool evidence_is_at(void *user, const struct ctl *ctl, const int32_t *cells, size_t position)
{
    struct symbolic_evidence *evidence = user;
    size_t all = evidence->model->layout->cell_count;
    (void)ctl;
    return memcmp(evidence_point(evidence, cells), evidence->way.cells + position * all, all * sizeof *cells) == 0;
}

static const struct canon *evidence_canonise(void *user, const struct ctl *ctl, const int32_t *cells)
{
    struct symbolic_evidence *evidence = user;
    (void)ctl;
    evidence_point(evidence, cells);
    return evidence->canon;
}

/* The states of the way become those that the steps of the run are compared with. */
static void evidence_canonise_way(struct symbolic_evidence *evidence)
{
    size_t all = evidence->model->layout->cell_count;
    for (size_t i = 0; evidence->canon && i < evidence->way.count; i++) {
        canon_apply(evidence->canon, evidence->way.cells + i * all, evidence->image);
        memcpy(evidence->way.cells + i * all, evidence->image, all * sizeof *evidence->image);
    }
}

/* The states in which the operand is what it has to be; referenced. */
static dd evidence_where(struct symbolic_evidence *evidence, const struct ctl *ctl, bool is_true)
{
    struct symbolic_model *model = evidence->model;
    const struct ctl_sets *sets = ctl_table_get(evidence->table, ctl);
    return is_true ? dd_ref(model->m, sets->sure) : set_complement(model, sets->maybe);
}

static enum ctl_way_found evidence_find_for_ever(struct symbolic_evidence *evidence, const struct ctl *ctl,
                                                 bool is_true, dd from)
{
    dd inside = evidence_where(evidence, ctl, is_true);
    enum ctl_way_found found = ctl_way_for_ever(evidence->model, from, inside, &evidence->way);
    dd_unref(evidence->model->m, inside);
    return found;
}

static enum ctl_way_found evidence_find_path(struct symbolic_evidence *evidence, const struct ctl *ctl, bool is_true,
                                             dd from)
{
    struct symbolic_model *model = evidence->model;
    bool is_until = ctl->kind == CTL_EU, is_next = ctl->kind == CTL_EX || ctl->kind == CTL_AX;
    dd goal = evidence_where(evidence, is_until ? ctl->right : ctl->left, is_true);
    dd inside = is_until ? evidence_where(evidence, ctl->left, true) : dd_ref(model->m, model->reached);
    enum ctl_way_found found = is_next ? ctl_way_step(model, from, goal, &evidence->way)
                                       : ctl_way_to(model, from, inside, goal, &evidence->way);
    dd_unref(model->m, goal);
    dd_unref(model->m, inside);
    return found;
}

/* A[f U g] is false: a way without g to where f is false too, or one without g for ever. */
static enum ctl_way_found evidence_find_no_until(struct symbolic_evidence *evidence, const struct ctl *ctl, dd from)
{
    struct symbolic_model *model = evidence->model;
    dd not_left = evidence_where(evidence, ctl->left, false), not_right = evidence_where(evidence, ctl->right, false);
    dd neither = set_and(model, not_left, not_right);
    enum ctl_way_found found = ctl_way_to(model, from, not_right, neither, &evidence->way);
    dd_unref(model->m, not_left);
    dd_unref(model->m, not_right);
    dd_unref(model->m, neither);
    return found == CTL_WAY_NONE ? evidence_find_for_ever(evidence, ctl, false, from) : found;
}

static bool evidence_find(void *user, const struct ctl *ctl, bool is_true, const int32_t *cells, struct story_way *way)
{
    struct symbolic_evidence *evidence = user;
    enum ctl_way_found found;
    dd from = evidence_set(evidence, cells);
    evidence->way.count = 0;
    evidence->way.back = SIZE_MAX;
    if (ctl->kind == CTL_EG || ctl->kind == CTL_AF)
        found = evidence_find_for_ever(evidence, ctl, is_true, from);
    else if (ctl->kind == CTL_AU)
        found = evidence_find_no_until(evidence, ctl, from);
    else
        found = evidence_find_path(evidence, ctl, is_true, from);
    dd_unref(evidence->model->m, from);
    if (found == CTL_WAY_NONE && !stop_is_set(&evidence->model->stop))
        UNREACHABLE("a way that shows it");
    if (found != CTL_WAY_FOUND)
        return false;
    evidence_canonise_way(evidence);
    *way = (struct story_way){.length = evidence->way.count - 1, .back = evidence->way.back};
    return true;
}

struct trace *ctl_show(struct symbolic_model *model, const struct layout *layout, const struct ctl_table *table,
                       const struct ctl *ctl, bool is_true, struct text *words)
{
    static const struct story_source source = {
        .truth = evidence_truth, .find = evidence_find, .is_at = evidence_is_at, .canonise = evidence_canonise};
    size_t all = model->layout->cell_count;
    struct symbolic_evidence evidence = {.model = model, .layout = layout, .table = table};
    evidence.canon = symmetry_is_trivial(model->symmetry) ? NULL : canon_create(model->symmetry, model->layout);
    if (evidence.canon)
        canon_set_exact(evidence.canon, true);
    evidence.cells = memory_zeroed(all + 1, sizeof *evidence.cells);
    evidence.image = memory_zeroed(all + 1, sizeof *evidence.image);
    evidence.values = memory_zeroed(all - layout->cell_count + 1, sizeof *evidence.values);
    for (size_t c = layout->cell_count; c < all; c++) /* some value, as long as none is chosen */
        evidence.values[c - layout->cell_count] = type_code(model->layout->cells[c].type, 0);
    struct story story = {.layout = layout,
                          .symmetry = model->symmetry,
                          .source = &source,
                          .user = &evidence,
                          .values = evidence.values,
                          .words = words};
    struct trace *trace = story_tell(&story, ctl, is_true);
    if (evidence.canon)
        canon_destroy(evidence.canon);
    free(evidence.cells);
    free(evidence.image);
    free(evidence.values);
    free(evidence.way.cells);
    return trace;
}
