/* Backward coverability: the least configurations from which a violation can be reached, with any number of threads.
 *
 * An element stands for all configurations above it: the same shared state, and these local states or more. What leads
 * by a step into this set is again of the form "above one of finitely many": the participants, and for each thread of
 * the element that is none of them after the step, one that the broadcast takes there. An element's threads never get
 * fewer on the way back, so elements are taken by their number of threads, and the first that a start state is above
 * has the least. */
#include <string.h>

#include "engine/cover/cover.h"

/* --- the basis --- */

static const uint32_t *element_locals(const struct cover_backward *backward, const struct cover_element *element)
{
    return VEC_FROM(&backward->locals, element->first);
}

static uint64_t locals_mask(const uint32_t *locals, uint32_t count)
{
    uint64_t mask = 0;
    for (uint32_t i = 0; i < count; i++)
        mask |= (uint64_t)1 << (locals[i] & 63);
    return mask;
}

static bool element_is_below(const struct cover_backward *backward, const struct cover_element *below,
                             const struct cover_element *above, const uint32_t *above_locals)
{
    return below->count <= above->count && !(below->mask & ~above->mask) &&
           multiset_is_below(element_locals(backward, below), below->count, above_locals, above->count);
}

static bool is_subsumed(const struct cover_backward *backward, const struct cover_element *element,
                        const uint32_t *locals)
{
    const struct thread_numbers *basis = &backward->basis.items[element->shared];
    for (size_t i = 0; i < basis->list.count; i++)
        if (element_is_below(backward, &backward->elements.items[basis->list.items[i]], element, locals))
            return true;
    return false;
}

static void drop_subsumed(struct cover_backward *backward, const struct cover_element *element)
{
    struct thread_numbers *basis = &backward->basis.items[element->shared];
    size_t kept = 0;
    for (size_t i = 0; i < basis->list.count; i++) {
        struct cover_element *other = &backward->elements.items[basis->list.items[i]];
        if (element_is_below(backward, element, other, element_locals(backward, other))) {
            other->is_dead = true;
            backward->alive--;
        } else {
            basis->list.items[kept++] = basis->list.items[i];
        }
    }
    basis->list.count = kept;
}

/* How many threads a start state needs to be above it; WORDS_NONE: none is. */
static uint32_t threads_needed(const struct thread_start *start, const uint32_t *locals, uint32_t count)
{
    bool has_chosen = start->chosen != WORDS_NONE, is_taken = false;
    for (uint32_t i = 0; i < count; i++)
        if (has_chosen && !is_taken && locals[i] == start->chosen)
            is_taken = true;
        else if (locals[i] != start->rest)
            return WORDS_NONE;
    count += has_chosen && !is_taken;
    return count ? count : 1;
}

static void look_for_start(struct cover_backward *backward, const struct cover_element *element, const uint32_t *locals,
                           uint32_t number)
{
    const struct thread_numbers *starts = &backward->starts.items[element->shared];
    for (size_t i = 0; i < starts->list.count; i++) {
        const struct thread_start *start = &backward->cover->threads->starts.items[starts->list.items[i]];
        uint32_t needed = threads_needed(start, locals, element->count);
        if (needed < backward->least) {
            backward->least = needed;
            backward->found = number;
        }
    }
}

static bool has_reached_pairs(const struct cover_backward *backward, const struct cover_element *element,
                              const uint32_t *locals)
{
    for (uint32_t i = 0; i < element->count; i++)
        if ((!i || locals[i] != locals[i - 1]) &&
            pairs_get(backward->cover->known, pairs_key(element->shared, locals[i])) == WORDS_NONE)
            return false;
    return true;
}

/* `locals` are sorted here. */
static void backward_add(struct cover_backward *backward, struct cover_element element, uint32_t *locals)
{
    words_sort(locals, element.count, 1);
    element.mask = locals_mask(locals, element.count);
    if (element.count >= backward->least || !has_reached_pairs(backward, &element, locals) ||
        is_subsumed(backward, &element, locals))
        return;
    uint32_t number = (uint32_t)backward->elements.count;
    element.first = (uint32_t)backward->locals.count;
    for (uint32_t i = 0; i < element.count; i++)
        VEC_PUSH(&backward->locals, locals[i]);
    VEC_PUSH(&backward->elements, element);
    backward->cover->stored++;
    drop_subsumed(backward, &element);
    VEC_PUSH(&backward->basis.items[element.shared].list, number);
    backward->alive++;
    while (backward->queues.count <= element.count)
        VEC_PUSH(&backward->queues, (struct thread_numbers){0});
    VEC_PUSH(&backward->queues.items[element.count].list, number);
    look_for_start(backward, &element, element_locals(backward, &element), number);
}

/* --- predecessors --- */

/* The threads of the element that are no participants after the step, into backward->scratch. */
static void leave_rest(struct cover_backward *backward, const struct cover_element *target,
                       const struct thread_step *step)
{
    const uint32_t *locals = element_locals(backward, target), *after = threads_after(backward->cover->threads, step);
    VEC_CLEAR(&backward->scratch);
    for (uint32_t i = 0; i < target->count; i++)
        VEC_PUSH(&backward->scratch, locals[i]);
    for (uint32_t p = 0; p < step->width; p++)
        for (size_t i = 0; i < backward->scratch.count; i++)
            if (backward->scratch.items[i] == after[p]) {
                backward->scratch.items[i] = VEC_LAST(&backward->scratch);
                backward->scratch.count--;
                break;
            }
}

static void add_predecessor(struct cover_backward *backward, uint32_t target, uint32_t number)
{
    const struct thread_system *threads = backward->cover->threads;
    const struct thread_step *step = &threads->steps.items[number];
    size_t rest = backward->chosen.count;
    for (uint32_t p = 0; p < step->width; p++)
        VEC_PUSH(&backward->chosen, threads_before(threads, step)[p]);
    struct cover_element element = {
        .shared = step->from, .count = (uint32_t)backward->chosen.count, .step = number, .target = target};
    VEC_CLEAR(&backward->sorted);
    for (size_t i = 0; i < backward->chosen.count; i++)
        VEC_PUSH(&backward->sorted, backward->chosen.items[i]);
    backward_add(backward, element, backward->sorted.items);
    backward->chosen.count = rest;
}

/* Each thread of the rest comes from a local state that the broadcast takes there. */
static bool choose_rest(struct cover_backward *backward, uint32_t target, uint32_t number, size_t at)
{
    const struct thread_system *threads = backward->cover->threads;
    const struct thread_step *step = &threads->steps.items[number];
    if (at == backward->scratch.count) {
        add_predecessor(backward, target, number);
        return cover_spend(backward->cover, 1);
    }
    const struct thread_numbers *reached = &threads->reached.items[step->from];
    for (size_t i = 0; i < reached->list.count; i++) {
        uint32_t local = reached->list.items[i];
        if (threads_image(threads, number, local) != backward->scratch.items[at])
            continue;
        VEC_PUSH(&backward->chosen, local);
        bool goes_on = choose_rest(backward, target, number, at + 1);
        backward->chosen.count--;
        if (!goes_on)
            return false;
    }
    return true;
}

static bool backward_step(struct cover_backward *backward, uint32_t target, uint32_t number)
{
    const struct thread_step *step = &backward->cover->threads->steps.items[number];
    const struct cover_element element = backward->elements.items[target];
    leave_rest(backward, &element, step);
    VEC_CLEAR(&backward->chosen);
    if (step->is_broadcast)
        return choose_rest(backward, target, number, 0);
    for (size_t i = 0; i < backward->scratch.count; i++)
        VEC_PUSH(&backward->chosen, backward->scratch.items[i]);
    add_predecessor(backward, target, number);
    return true;
}

static bool backward_expand(struct cover_backward *backward, uint32_t target)
{
    struct cover *cover = backward->cover;
    const struct thread_numbers *entering = &cover->threads->entering.items[backward->elements.items[target].shared];
    for (size_t i = 0; i < entering->list.count; i++) {
        size_t scanned = backward->basis.items[cover->threads->steps.items[entering->list.items[i]].from].list.count;
        if (!backward_step(backward, target, entering->list.items[i]) ||
            !cover_spend(cover, 1 + (uint32_t)(scanned / 8)))
            return false;
        if (backward->elements.items[target].is_dead)
            break; /* what is below it will be expanded */
    }
    return true;
}

/* --- the search --- */

static void backward_prepare(struct cover_backward *backward, struct cover *cover)
{
    const struct thread_system *threads = cover->threads;
    *backward = (struct cover_backward){.cover = cover, .least = WORDS_NONE, .found = WORDS_NONE};
    for (uint32_t s = 0; s < words_count(&threads->shared); s++) {
        VEC_PUSH(&backward->basis, (struct thread_numbers){0});
        VEC_PUSH(&backward->starts, (struct thread_numbers){0});
    }
    for (size_t i = 0; i < threads->starts.count; i++)
        VEC_PUSH(&backward->starts.items[threads->starts.items[i].shared].list, (uint32_t)i);
}

void backward_begin_at(struct cover_backward *backward, struct cover *cover, const struct cover_targets *targets)
{
    backward_prepare(backward, cover);
    for (size_t i = 0; i < targets->list.count; i++) {
        uint32_t local = (uint32_t)targets->list.items[i];
        struct cover_element element = {
            .shared = (uint32_t)(targets->list.items[i] >> 32), .count = 1, .step = (uint32_t)i, .target = WORDS_NONE};
        backward_add(backward, element, &local);
    }
}

void backward_begin(struct cover_backward *backward, struct cover *cover)
{
    const struct thread_system *threads = cover->threads;
    backward_prepare(backward, cover);
    for (size_t i = 0; i < threads->generators.count; i++) {
        const struct thread_generator *generator = &threads->generators.items[i];
        struct cover_element element = {
            .shared = generator->shared, .count = generator->width, .step = (uint32_t)i, .target = WORDS_NONE};
        VEC_CLEAR(&backward->sorted);
        for (uint32_t t = 0; t < generator->width; t++)
            VEC_PUSH(&backward->sorted, threads->tuples.items[generator->first + t]);
        if (cover->is_open[generator->property])
            backward_add(backward, element, backward->sorted.items);
    }
}

void backward_end(struct cover_backward *backward)
{
    struct {
        struct thread_numbers *items;
        size_t count;
    } lists[] = {{backward->basis.items, backward->basis.count},
                 {backward->queues.items, backward->queues.count},
                 {backward->starts.items, backward->starts.count}};
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (size_t i = 0; i < lists[l].count; i++)
            VEC_FREE(&lists[l].items[i].list);
    VEC_FREE(&backward->basis);
    VEC_FREE(&backward->queues);
    VEC_FREE(&backward->starts);
    VEC_FREE(&backward->elements);
    VEC_FREE(&backward->locals);
    VEC_FREE(&backward->scratch);
    VEC_FREE(&backward->chosen);
    VEC_FREE(&backward->sorted);
}

/* The next element; WORDS_NONE: there is none that could lead to fewer threads. */
static uint32_t backward_next(struct cover_backward *backward)
{
    for (; backward->size < backward->queues.count && backward->size < backward->least; backward->size++) {
        const struct thread_numbers *queue = &backward->queues.items[backward->size];
        while (backward->next < queue->list.count) {
            uint32_t number = queue->list.items[backward->next++];
            if (!backward->elements.items[number].is_dead)
                return number;
        }
        backward->next = 0;
    }
    return WORDS_NONE;
}

enum cover_outcome backward_go(struct cover_backward *backward, uint64_t most)
{
    struct cover *cover = backward->cover;
    uint64_t begin = cover->work;
    while (cover->work - begin < most) {
        uint32_t number = backward_next(backward);
        if (number == WORDS_NONE)
            return backward->found == WORDS_NONE ? COVER_DONE : COVER_FOUND;
        if (!backward_expand(backward, number) || !cover_spend(cover, 1))
            return COVER_STOPPED;
    }
    return COVER_GOES_ON;
}

/* The start state that needs the fewest threads. */
static const struct thread_start *find_start(const struct cover_backward *backward, const struct cover_element *element)
{
    const struct thread_numbers *starts = &backward->starts.items[element->shared];
    for (size_t i = 0; i < starts->list.count; i++) {
        const struct thread_start *start = &backward->cover->threads->starts.items[starts->list.items[i]];
        if (threads_needed(start, element_locals(backward, element), element->count) == backward->least)
            return start;
    }
    UNREACHABLE("start");
}

void backward_run(const struct cover_backward *backward, struct cover_run *run)
{
    const struct cover_element *element = &backward->elements.items[backward->found];
    uint32_t size = backward->least, *configuration = memory_zeroed(size + 1, sizeof *configuration);
    *run = (struct cover_run){.size = size};
    configuration_start(find_start(backward, element), configuration, size);
    for (;; element = &backward->elements.items[element->target]) {
        for (uint32_t w = 0; w <= size; w++)
            VEC_PUSH(&run->words, configuration[w]);
        run->generator = element->step;
        if (element->target == WORDS_NONE)
            break;
        /* a thread that the element does not ask for may make a broadcast fault */
        run->generator = configuration_violates(backward->cover, configuration, size);
        if (!configuration_step(backward->cover->threads, element->step, configuration, size))
            break;
    }
    free(configuration);
}
