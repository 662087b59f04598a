/* Short lassos: the state for which the way from a start state to it and a cycle from it past all marks are shortest,
 * together. Breadth first from each candidate, in the order of their distances from the start states; a search ends at
 * the length of the best lasso so far. The states of the good region come first: there are cycles from all of them.
 *
 * Cost: at most SHORTEN_MOST_WORK steps; memory: some words for each state of the product and set of marks. */
#include <stdlib.h>

#include "base/account.h"
#include "base/memory.h"
#include "base/watch.h"
#include "engine/ctl/linear.h"

enum { SHORTEN_MOST_MARKS = 3, SHORTEN_MOST_PLACES = 1 << 21, SHORTEN_MOST_WORK = 30000000 };

struct shorten_step {
    uint32_t from;  /* place */
    uint32_t stamp; /* number of the search that has reached it; 0: none */
    uint32_t length;
    struct product_edge edge;
};

/* A place is a state of the product with the marks that were met. */
struct shortening {
    struct linear_case *linear;
    const struct linear_product *product;
    uint32_t sets; /* of marks */
    uint32_t *distance, *order, reached;
    struct shorten_step *steps;
    uint32_t *queue;
    uint32_t stamp;
    uint64_t work;
};

static bool shorten_goes_on(struct shortening *s)
{
    return ++s->work < SHORTEN_MOST_WORK && !watch_is_up();
}

/* Distances from the start states: s->order has the states that are reached, the nearest first. */
static bool shorten_measure(struct shortening *s)
{
    uint32_t states = s->linear->automaton->state_count;
    for (uint32_t i = 0; i < product_count(s->product); i++)
        s->distance[i] = UINT32_MAX;
    for (uint32_t n = 0; n < s->product->graph->starts; n++) {
        s->order[s->reached++] = n * states + s->linear->automaton->start;
        s->distance[n * states + s->linear->automaton->start] = 0;
    }
    for (uint32_t head = 0; head < s->reached; head++) {
        uint64_t cursor = 0;
        struct product_edge edge;
        while (product_next(s->product, s->order[head], &cursor, &edge)) {
            if (!shorten_goes_on(s))
                return false;
            if (s->distance[edge.target] != UINT32_MAX)
                continue;
            s->distance[edge.target] = s->distance[s->order[head]] + 1;
            s->order[s->reached++] = edge.target;
        }
    }
    return true;
}

static void shorten_reach(struct shortening *s, uint32_t place, uint32_t from, const struct product_edge *edge,
                          uint32_t *tail)
{
    struct shorten_step *step = &s->steps[place];
    if (step->stamp == s->stamp)
        return;
    *step = (struct shorten_step){.from = from, .stamp = s->stamp, .edge = *edge};
    step->length = s->steps[from].length + 1;
    s->queue[(*tail)++] = place;
}

/* A shortest cycle from the state past all marks, shorter than `most`: its length; 0: there is none, or no more time.
 */
static uint32_t shorten_cycle(struct shortening *s, uint32_t home, uint32_t most)
{
    uint32_t head = 0, tail = 0, all = s->sets - 1, begin = home * s->sets;
    s->stamp++;
    s->queue[tail++] = begin;
    s->steps[begin].length = 0; /* not stamped: it is to be reached again */
    for (; head < tail; head++) {
        uint32_t place = s->queue[head], length = s->steps[place].length;
        uint64_t cursor = 0;
        struct product_edge edge;
        if (length + 1 >= most)
            return 0;
        while (product_next(s->product, place / s->sets, &cursor, &edge)) {
            uint32_t marks = (place % s->sets) | ((uint32_t)edge.marks & all);
            if (!shorten_goes_on(s))
                return 0;
            if (edge.graph_edge == PRODUCT_STAYS)
                continue;
            if (edge.target == home && marks == 0 && all)
                continue;
            shorten_reach(s, edge.target * s->sets + marks, place, &edge, &tail);
            if (edge.target == home && marks == all)
                return length + 1;
        }
    }
    return 0;
}

static void shorten_take(const struct shortening *s, uint32_t home, struct hunt *around)
{
    uint32_t place = home * s->sets + s->sets - 1;
    around->product = s->product;
    around->from = home;
    VEC_CLEAR(&around->way);
    do {
        VEC_PUSH(&around->way, s->steps[place].edge);
        place = s->steps[place].from;
    } while (place != home * s->sets);
    for (size_t a = 0, b = around->way.count; a + 1 < b; a++, b--) {
        struct product_edge kept = around->way.items[a];
        around->way.items[a] = around->way.items[b - 1];
        around->way.items[b - 1] = kept;
    }
}

static uint32_t shorten_from(struct shortening *s, bool is_good, uint32_t best, struct hunt *around)
{
    for (uint32_t i = 0; i < s->reached && s->distance[s->order[i]] + 1 < best; i++) {
        uint32_t home = s->order[i];
        if ((s->linear->region[home] == s->linear->good) != is_good)
            continue;
        uint32_t length = shorten_cycle(s, home, best - s->distance[home]);
        if (length) {
            best = s->distance[home] + length;
            shorten_take(s, home, around);
        }
    }
    return best;
}

static bool shorten_run(struct shortening *s, struct hunt *around)
{
    if (!shorten_measure(s))
        return false;
    uint32_t best = shorten_from(s, true, UINT32_MAX, around);
    return shorten_from(s, false, best, around) != UINT32_MAX;
}

bool shorten_find(struct linear_case *linear, struct hunt *around)
{
    struct shortening s = {.linear = linear, .product = &linear->product};
    uint32_t count = product_count(&linear->product), marks = linear->automaton->mark_count;
    if (linear->requirements.count || marks > SHORTEN_MOST_MARKS || count > (uint32_t)SHORTEN_MOST_PLACES >> marks)
        return false;
    s.sets = 1U << marks;
    size_t places = (size_t)count * s.sets + 1;
    if (account_room() < 4 * places * sizeof *s.steps)
        return false;
    s.distance = memory_alloc(((size_t)count + 1) * sizeof *s.distance);
    s.order = memory_alloc(((size_t)count + 1) * sizeof *s.order);
    s.steps = memory_zeroed(places, sizeof *s.steps);
    s.queue = memory_alloc((places + 1) * sizeof *s.queue);
    bool is_found = shorten_run(&s, around);
    free(s.distance);
    free(s.order);
    free(s.steps);
    free(s.queue);
    return is_found;
}
