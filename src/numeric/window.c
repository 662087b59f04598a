#include "numeric/window.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* In `place`, while states are chosen. */
enum { OUTSIDE, QUEUED };
#define NO_PLACE UINT32_MAX
/* What is not followed at first, of what may be lost; and by how much less where that is too much. */
#define TINY_PART 1e-3
enum { LESS_TINY = 64, MOST_CHOICES = 8 };
/* So many visits of each state, on average, are enough; and so much of itself may a guess be off. */
enum { MOST_VISITS = 16, VISITS_BETWEEN_LOOKS = 1 << 14 };
#define NOTABLE 0.2

void window_open(struct window *window)
{
    size_t size = (size_t)matrix_states(window->matrix) + 1;
    window->guess = memory_zeroed(size, sizeof *window->guess);
    window->off = memory_zeroed(size, sizeof *window->off);
    window->place = memory_zeroed(size, sizeof *window->place);
    window->queue = memory_zeroed(size, sizeof *window->queue);
    window->states = memory_zeroed(size, sizeof *window->states);
    window->exit = memory_zeroed(size, sizeof *window->exit);
}

void window_close(struct window *window)
{
    sources_free(&window->sources);
    free(window->guess);
    free(window->off);
    free(window->place);
    free(window->queue);
    free(window->states);
    free(window->exit);
}

static double rate_of(const struct window *window, uint32_t state)
{
    return window->active && !window->active[state] ? 0 : window->exit_rate[state];
}

/* --- which states --- */

struct reaching {
    struct window *window;
    uint32_t *first, *last, *end; /* of a ring: each state is in it once at most */
    double length, tiny;
};

static void queue_put(struct reaching *reaching, uint32_t state)
{
    struct window *window = reaching->window;
    window->place[state] = QUEUED;
    *reaching->last++ = state;
    reaching->last = reaching->last == reaching->end ? window->queue : reaching->last;
}

static uint32_t queue_take(struct reaching *reaching)
{
    uint32_t state = *reaching->first++;
    reaching->first = reaching->first == reaching->end ? reaching->window->queue : reaching->first;
    return state;
}

/* Is it so far off that it matters? */
static void look_at(struct reaching *reaching, uint32_t state)
{
    const struct window *window = reaching->window;
    double off = fabs(window->off[state]), jumps = 1 + rate_of(window, state) * reaching->length;
    if (window->place[state] != QUEUED && off >= reaching->tiny && off >= NOTABLE * jumps * window->guess[state])
        queue_put(reaching, state);
}

/* So much more leaves the state. */
static void send(struct reaching *reaching, uint32_t state, double amount)
{
    struct window *window = reaching->window;
    const struct matrix *matrix = window->matrix;
    uint32_t row = matrix->state_row.items[state];
    window->off[state] -= amount;
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++)
        window->off[matrix->entries.items[i].target] += amount * matrix->entries.items[i].value;
}

static void look_behind(struct reaching *reaching, uint32_t state)
{
    const struct matrix *matrix = reaching->window->matrix;
    uint32_t row = matrix->state_row.items[state];
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++)
        look_at(reaching, matrix->entries.items[i].target);
}

static void begin(struct reaching *reaching, const double *distribution)
{
    struct window *window = reaching->window;
    uint32_t count = matrix_states(window->matrix);
    for (uint32_t s = 0; s < count; s++) {
        window->guess[s] = fmax(0, distribution[s]);
        window->off[s] = 0;
        window->place[s] = OUTSIDE;
    }
    for (uint32_t s = 0; s < count; s++)
        if (window->guess[s] > 0 && rate_of(window, s) > 0)
            send(reaching, s, window->guess[s] * rate_of(window, s) * reaching->length);
    for (uint32_t s = 0; s < count; s++)
        look_at(reaching, s);
}

static bool may_go_on(const struct window *window, uint64_t visit)
{
    return visit % VISITS_BETWEEN_LOOKS || !window->go_on || window->go_on(window->user);
}

/* Where the chain is about if the time ends at a constant rate: (1 + length A) guess = distribution, solved by what is
 * off in single states, first come first served (as Andersen, Chung and Lang do for the rank of pages, 2006). It begins
 * with the distribution, so that where the chain is in balance there is nothing to do. */
static void guess(struct window *window, const double *distribution, double length)
{
    uint32_t count = matrix_states(window->matrix);
    struct reaching reaching = {window, window->queue, window->queue, window->queue + count + 1, length, window->tiny};
    begin(&reaching, distribution);
    uint64_t most = (uint64_t)count * MOST_VISITS;
    for (uint64_t i = 0; i < most && reaching.first != reaching.last && may_go_on(window, i); i++) {
        uint32_t state = queue_take(&reaching);
        double jumps = rate_of(window, state) * length, more = window->off[state] / (1 + jumps);
        more = fmax(more, -window->guess[state]);
        window->place[state] = OUTSIDE;
        window->guess[state] += more;
        window->off[state] -= more;
        send(&reaching, state, more * jumps);
        look_behind(&reaching, state);
    }
}

/* --- how many of them --- */

/* The classes of states: powers of 2 of how often the chain gets there, about; the first is all that is less. */
enum { CLASSES = 256, LAST_EXPONENT = 40 };

static uint32_t class_of(double visits)
{
    int exponent;
    if (!(visits > 0))
        return 0;
    frexp(visits, &exponent);
    exponent += CLASSES - 1 - LAST_EXPONENT;
    return exponent < 0 ? 0 : exponent > CLASSES - 1 ? CLASSES - 1 : (uint32_t)exponent;
}

static void classify(struct window *window, double length)
{
    for (uint32_t s = 0; s < matrix_states(window->matrix); s++) {
        double all = window->guess[s] * (1 + rate_of(window, s) * length);
        window->place[s] = class_of(fmax(all, all + window->off[s]));
    }
}

/* What is lost if the states of this class are the first to stay: rises[c + 1] is what that is more than for c. What
 * flows to a state of a class less than that of its source is lost if the first class is between these. */
static void find_losses(const struct window *window, const double *distribution, double length, double *rises)
{
    const struct matrix *matrix = window->matrix;
    const uint32_t *class = window->place;
    for (uint32_t s = 0; s < matrix_states(matrix); s++) {
        uint32_t row = matrix->state_row.items[s];
        double flow = window->guess[s] * rate_of(window, s) * length;
        rises[class[s] + 1] += fmax(0, distribution[s]);
        for (uint64_t i = matrix->row_entry.items[row]; flow > 0 && i < matrix->row_entry.items[row + 1]; i++) {
            const struct entry *entry = &matrix->entries.items[i];
            if (class[entry->target] < class[s]) {
                rises[class[entry->target] + 1] += flow * entry->value;
                rises[class[s] + 1] -= flow * entry->value;
            }
        }
    }
}

/* The last class that can be the first to stay. */
static uint32_t choose_class(const struct window *window, const double *distribution, double length, double may_lose)
{
    double rises[CLASSES + 1] = {0}, lost = 0;
    uint32_t class = 0;
    find_losses(window, distribution, length, rises);
    while (class + 1 < CLASSES && lost + rises[class + 1] <= may_lose)
        lost += rises[++class];
    return class;
}

/* Where even what was not followed is too much to lose, more is followed. */
static uint32_t choose(struct window *window, const double *distribution, double length, double may_lose)
{
    uint32_t class = 0;
    window->tiny = window->tiny > 0 ? fmin(window->tiny, may_lose) : TINY_PART * may_lose;
    for (int i = 0; i < MOST_CHOICES && may_go_on(window, 0); i++) {
        guess(window, distribution, length);
        classify(window, length);
        class = choose_class(window, distribution, length, may_lose);
        if (class > class_of(window->tiny))
            break;
        window->tiny /= LESS_TINY;
    }
    if (class > class_of(LESS_TINY * window->tiny))
        window->tiny *= 4;
    return class;
}

/* --- their chain --- */

static void list_states(struct window *window, uint32_t first_class)
{
    window->count = 0;
    for (uint32_t s = 0; s < matrix_states(window->matrix); s++) {
        bool is_in = window->place[s] >= first_class;
        window->place[s] = is_in ? window->count : NO_PLACE;
        if (is_in)
            window->states[window->count++] = s;
    }
}

/* Its entries are counted by target first; then each is put where its target's next one goes. */
static void visit_row(struct window *window, uint32_t place, uint64_t *next, bool is_counted)
{
    const struct matrix *matrix = window->matrix;
    uint32_t state = window->states[place], row = matrix->state_row.items[state];
    double rate = rate_of(window, state), own = 0;
    for (uint64_t i = matrix->row_entry.items[row]; rate > 0 && i < matrix->row_entry.items[row + 1]; i++) {
        const struct entry *entry = &matrix->entries.items[i];
        uint32_t target = window->place[entry->target];
        if (target == place)
            own += rate * entry->value;
        if (target == place || target == NO_PLACE)
            continue;
        uint64_t at = next[target]++;
        if (!is_counted) {
            window->sources.source[at] = place;
            window->sources.share[at] = rate * entry->value;
        }
    }
    window->exit[place] = fmax(0, rate - own);
}

static void make_chain(struct window *window)
{
    struct sources *sources = &window->sources;
    uint64_t *next = memory_zeroed((size_t)window->count + 1, sizeof *next);
    sources_free(sources);
    sources->first = memory_zeroed((size_t)window->count + 1, sizeof *sources->first);
    for (uint32_t place = 0; place < window->count; place++)
        visit_row(window, place, next, true);
    for (uint32_t place = 0; place < window->count; place++) {
        sources->first[place + 1] = sources->first[place] + next[place];
        next[place] = sources->first[place];
    }
    sources->source = memory_alloc((sources->first[window->count] + 1) * sizeof *sources->source);
    sources->share = memory_alloc((sources->first[window->count] + 1) * sizeof *sources->share);
    window->fastest = 0;
    for (uint32_t place = 0; place < window->count; place++) {
        visit_row(window, place, next, false);
        window->fastest = fmax(window->fastest, window->exit[place]);
    }
    free(next);
}

void window_choose(struct window *window, const double *distribution, double length, double may_lose)
{
    list_states(window, choose(window, distribution, length, may_lose));
    make_chain(window);
}

uint64_t window_bytes(const struct matrix *matrix)
{
    enum { WORDS = 3, NUMBERS = 5 };
    return matrix->entries.count * 12 +
           (uint64_t)matrix_states(matrix) * (WORDS * sizeof(uint32_t) + NUMBERS * sizeof(double));
}
