/* Is the antecedent of each invariant true somewhere? Each worker looks for itself, until it has seen all of them; at
 * the end of a level they forget what one of them has seen. One that is true nowhere would slow down the whole search:
 * looking takes a small part of the time, or ends. */
#include "base/clock.h"
#include "engine/explicit/search.h"

enum { VACUITY_SAMPLE = 64 };                                  /* every so many looks, one is timed */
static const double vacuity_free = 0.25, vacuity_share = 0.05; /* seconds, and part of the search */

void vacuity_begin(struct worker *worker)
{
    const struct explicit_search *search = worker->search;
    const struct worker *first = &search->workers[0]; /* the others begin with what it has not seen yet */
    if (thin_is_on(search))                           /* it may be true in states that are left out */
        return;
    for (uint32_t i = 0; worker == first && i < search->invariants.count; i++)
        if (search->invariants.items[i]->antecedent)
            VEC_PUSH(&worker->unmet, search->invariants.items[i]);
    for (size_t i = 0; worker != first && i < first->unmet.count; i++)
        VEC_PUSH(&worker->unmet, first->unmet.items[i]);
    if (worker->unmet.count)
        worker->lens = stepper_create_vm(search->system, search->layout);
    if (worker->lens)
        worker->lens->is_watched = true;
}

void vacuity_end(struct worker *worker)
{
    if (worker->lens)
        stepper_destroy(worker->lens);
    worker->lens = NULL;
    VEC_FREE(&worker->unmet);
}

static void vacuity_try(struct worker *worker, const int32_t *cells)
{
    struct fault fault;
    size_t kept = 0;
    for (size_t i = 0; i < worker->unmet.count; i++) {
        const struct proposition *antecedent = worker->unmet.items[i]->antecedent;
        if (stepper_judge(worker->lens, antecedent, cells, NULL, &fault) == TRUTH_FALSE)
            worker->unmet.items[kept++] = worker->unmet.items[i];
    }
    worker->unmet.count = kept;
}

void vacuity_look(struct worker *worker, const int32_t *cells)
{
    bool is_timed = worker->looks++ % VACUITY_SAMPLE == 0;
    double begin = is_timed ? clock_wall() : 0;
    vacuity_try(worker, cells);
    if (!is_timed)
        return;
    double now = clock_wall();
    worker->looked += (now - begin) * (worker->looks > 1 ? VACUITY_SAMPLE : 1);
    if (worker->looked > vacuity_free + vacuity_share * (now - worker->search->begin))
        worker->unmet.count = 0;
}

bool vacuity_is_unmet(const struct explicit_search *search, const struct property *property)
{
    for (uint32_t w = 0; w < search->worker_count; w++) {
        const struct worker *worker = &search->workers[w];
        bool is_unmet = false;
        for (size_t i = 0; i < worker->unmet.count; i++)
            is_unmet |= worker->unmet.items[i] == property;
        if (!is_unmet)
            return false;
    }
    return true;
}

void vacuity_end_level(struct explicit_search *search)
{
    for (uint32_t w = 0; w < search->worker_count; w++) {
        struct worker *worker = &search->workers[w];
        size_t kept = 0;
        for (size_t i = 0; i < worker->unmet.count; i++)
            if (vacuity_is_unmet(search, worker->unmet.items[i]))
                worker->unmet.items[kept++] = worker->unmet.items[i];
        worker->unmet.count = kept;
    }
}

void vacuity_conclude(struct explicit_search *search)
{
    for (uint32_t i = 0; i < search->invariants.count; i++) {
        const struct property *property = search->invariants.items[i];
        if (property->antecedent && vacuity_is_unmet(search, property))
            search->result->properties[property->id].is_vacuous = true;
    }
}
