#include "numeric/sources.h"

#include <stdlib.h>

#include "base/memory.h"

struct visit {
    const struct matrix *matrix;
    const double *factor;
    const uint8_t *active;
    struct sources *sources; /* NULL: they are only counted */
    uint64_t *next;          /* by state: how many were counted, or where the next one goes */
};

static bool is_active(const struct visit *visit, uint32_t state)
{
    return !visit->active || visit->active[state];
}

static void visit_row(const struct visit *visit, uint32_t state)
{
    const struct matrix *matrix = visit->matrix;
    uint32_t row = matrix->state_row.items[state];
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++) {
        uint32_t target = matrix->entries.items[i].target;
        if (!is_active(visit, target))
            continue;
        uint64_t at = visit->next[target]++;
        if (visit->sources) {
            visit->sources->source[at] = state;
            visit->sources->share[at] = visit->factor[state] * matrix->entries.items[i].value;
        }
    }
}

static void visit_all(const struct visit *visit)
{
    for (uint32_t s = 0; s < matrix_states(visit->matrix); s++)
        if (is_active(visit, s) && visit->factor[s] > 0)
            visit_row(visit, s);
}

struct sources sources_find(const struct matrix *matrix, const double *factor, const uint8_t *active)
{
    uint32_t count = matrix_states(matrix);
    struct sources sources = {.first = memory_zeroed((size_t)count + 1, sizeof(uint64_t))};
    struct visit visit = {.matrix = matrix, .factor = factor, .active = active};
    visit.next = memory_zeroed((size_t)count + 1, sizeof *visit.next);
    visit_all(&visit);
    for (uint32_t s = 0; s < count; s++) {
        sources.first[s + 1] = sources.first[s] + visit.next[s];
        visit.next[s] = sources.first[s];
    }
    sources.source = memory_alloc((sources.first[count] + 1) * sizeof(uint32_t));
    sources.share = memory_alloc((sources.first[count] + 1) * sizeof(double));
    visit.sources = &sources;
    visit_all(&visit);
    free(visit.next);
    return sources;
}

void sources_free(struct sources *sources)
{
    free(sources->first);
    free(sources->source);
    free(sources->share);
}
