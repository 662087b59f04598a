/* Rules that partial evaluation cannot express: evaluated in every single state that the abstract state stands for.
 *
 * What they do there is then looked at as a set of transitions. Elements of one cell whose exchange maps this set
 * to itself share a cell of the partition given to the successors: the invariance is decided by finite evaluation. */
#include <string.h>

#include "engine/adaptive/search.h"

enum { CONCRETE_MOST_COMPARED = 20000 };

struct concrete {
    struct adaptive_search *search;
    uint32_t variant;
    struct words transitions; /* actors, local states before, shared values after, local states after */
    uint32_t *before, *after;
    struct unwinding unwinding;
    /* What is looked for, or NULL. */
    const uint32_t *wanted;
    uint32_t wanted_shared;
    struct firing *firing;
};

struct adaptive_choice {
    uint32_t actors[VARIANT_MOST_ACTORS];
    bool (*use)(struct adaptive_search *search, uint32_t variant, const uint32_t *actors, void *user);
    void *user;
    const uint32_t *locals;
};

static bool concrete_choose(struct adaptive_search *search, uint32_t number, struct adaptive_choice *choice,
                            uint32_t at)
{
    const struct variant *variant = &search->variants.items[number];
    if (at == variant->actor_count)
        return !variant_admits(variant, search->roster, choice->actors) ||
               choice->use(search, number, choice->actors, choice->user);
    const struct family *family = &search->roster->families[variant->family[at]];
    for (uint32_t e = family->first; e < family->first + family->size; e++) {
        bool is_free = variant_accepts(variant, &search->scene, at, choice->locals[e]);
        for (uint32_t a = 0; a < at; a++)
            is_free &= choice->actors[a] != e;
        choice->actors[at] = e;
        if (is_free && !concrete_choose(search, number, choice, at + 1))
            return false;
    }
    return true;
}

bool concrete_each(struct adaptive_search *search, uint32_t variant, uint32_t shared, const uint32_t *locals,
                   bool (*use)(struct adaptive_search *search, uint32_t variant, const uint32_t *actors, void *user),
                   void *user)
{
    struct adaptive_choice choice = {.use = use, .user = user, .locals = locals};
    return !variant_suits(&search->variants.items[variant], &search->scene, shared) ||
           concrete_choose(search, variant, &choice, 0);
}

static bool concrete_fault(struct concrete *concrete, const uint32_t *actors)
{
    struct adaptive_search *search = concrete->search;
    struct fault fault = search->book.partial.fault;
    struct firing firing = {.variant = concrete->variant, .shared = search->view.shared};
    if (search->decided[fault.property->id])
        return true;
    memcpy(firing.actors, actors, sizeof firing.actors);
    return judging_report(search, fault.property, search->current, concrete->before, &firing, &fault, NULL);
}

static void concrete_note(struct concrete *concrete, const uint32_t *actors, uint32_t shared)
{
    struct adaptive_search *search = concrete->search;
    uint32_t actor_count = search->variants.items[concrete->variant].actor_count;
    uint32_t n = search->roster->element_count, length = actor_count + 2 * n + 1;
    uint32_t *words = memory_alloc(length * sizeof *words);
    memcpy(words, actors, actor_count * sizeof *words);
    memcpy(words + actor_count, concrete->before, n * sizeof *words);
    words[actor_count + n] = shared;
    memcpy(words + actor_count + n + 1, concrete->after, n * sizeof *words);
    words_intern(&concrete->transitions, words, length);
    free(words);
}

static bool concrete_fire(struct adaptive_search *search, uint32_t variant, const uint32_t *actors, void *user)
{
    struct concrete *concrete = user;
    uint32_t shared, source = concrete->unwinding.view->shared;
    size_t size = search->roster->element_count * sizeof(uint32_t);
    enum go go =
        rulebook_run_concrete(&search->book, &search->variants.items[variant], source, concrete->before, actors);
    if (go == GO_OK)
        scene_read(&search->scene, search->book.partial.memory, &shared, concrete->after);
    if (concrete->firing) {
        if (go != GO_OK || shared != concrete->wanted_shared || memcmp(concrete->after, concrete->wanted, size))
            return true;
        memcpy(concrete->firing->actors, actors, search->variants.items[variant].actor_count * sizeof *actors);
        return false;
    }
    if (go == GO_FAULT)
        return concrete_fault(concrete, actors);
    if (go != GO_OK)
        return true;
    concrete_note(concrete, actors, shared);
    return bounds_spend(search, 16);
}

static bool concrete_use(struct unwinding *unwinding)
{
    struct concrete *concrete = unwinding->user;
    uint32_t none[VARIANT_MOST_ACTORS];
    if (!concrete->firing && !bounds_spend(concrete->search, 4))
        return false;
    unwind_concretise(unwinding, concrete->before, none);
    return concrete_each(concrete->search, concrete->variant, unwinding->view->shared, concrete->before, concrete_fire,
                         concrete);
}

static bool concrete_run(struct concrete *concrete, struct adaptive_search *search, const struct adaptive_view *view,
                         uint32_t variant)
{
    size_t size = search->roster->element_count * sizeof(uint32_t);
    concrete->search = search;
    concrete->variant = variant;
    concrete->before = memory_alloc(size);
    concrete->after = memory_alloc(size);
    concrete->unwinding.use = concrete_use;
    concrete->unwinding.user = concrete;
    return unwind_over(&concrete->unwinding, &search->book, view, search->finest);
}

static void concrete_free(struct concrete *concrete)
{
    words_free(&concrete->transitions);
    unwind_free(&concrete->unwinding);
    free(concrete->before);
    free(concrete->after);
}

static void concrete_exchange(uint32_t *locals, uint32_t p, uint32_t q)
{
    uint32_t kept = locals[p];
    locals[p] = locals[q];
    locals[q] = kept;
}

/* Elements of one cell whose exchange maps the transitions to themselves. */
static bool concrete_are_alike(void *user, uint32_t p, uint32_t q)
{
    struct concrete *concrete = user;
    const uint32_t *cell_of = concrete->search->view.partition.cell_of;
    if (cell_of[p] != cell_of[q] || words_count(&concrete->transitions) > CONCRETE_MOST_COMPARED)
        return false;
    uint32_t actor_count = concrete->search->variants.items[concrete->variant].actor_count;
    uint32_t n = concrete->search->roster->element_count, length = actor_count + 2 * n + 1;
    uint32_t *image = memory_alloc(length * sizeof *image);
    bool is_invariant = true;
    for (uint32_t t = 0; is_invariant && t < words_count(&concrete->transitions); t++) {
        memcpy(image, words_at(&concrete->transitions, t), length * sizeof *image);
        for (uint32_t a = 0; a < actor_count; a++)
            image[a] = image[a] == p ? q : image[a] == q ? p : image[a];
        concrete_exchange(image + actor_count, p, q);
        concrete_exchange(image + actor_count + n + 1, p, q);
        is_invariant = words_find(&concrete->transitions, image, length) != WORDS_NONE;
    }
    free(image);
    return is_invariant;
}

/* The coarsest partition below that of the state whose permutations map the transitions to themselves. */
static uint32_t concrete_partition(struct concrete *concrete)
{
    struct adaptive_search *search = concrete->search;
    uint32_t *labels = memory_alloc(search->roster->element_count * sizeof *labels);
    roster_label(search->roster, concrete_are_alike, concrete, labels);
    uint32_t partition = partitions_intern(&search->partitions, labels);
    free(labels);
    return partition;
}

static bool concrete_emit(struct concrete *concrete, uint32_t partition)
{
    struct adaptive_search *search = concrete->search;
    uint32_t n = search->roster->element_count;
    const struct rule *rule = search->variants.items[concrete->variant].rule;
    uint32_t at = search->variants.items[concrete->variant].actor_count + n;
    for (uint32_t t = 0; t < words_count(&concrete->transitions); t++) {
        const uint32_t *words = words_at(&concrete->transitions, t);
        search->result->statistics.transitions++;
        search->result->statistics.rules_fired++;
        search->result->statistics.fired_by_rule[rule->id]++;
        unfold_build_concrete(search, words[at], words + at + 1, partition);
        if (!unfold_emit(search, search->current))
            return false;
    }
    return true;
}

bool concrete_expand(struct adaptive_search *search, uint32_t variant)
{
    struct concrete concrete = {0};
    bool goes_on = concrete_run(&concrete, search, &search->view, variant);
    if (goes_on && search->scene.is_broken) {
        search->must_begin_again = true;
        goes_on = false;
    }
    if (goes_on)
        goes_on = concrete_emit(&concrete, concrete_partition(&concrete));
    concrete_free(&concrete);
    return goes_on;
}

bool concrete_find(struct adaptive_search *search, const struct adaptive_view *view, uint32_t shared,
                   const uint32_t *locals, struct firing *firing)
{
    bool is_found = false;
    for (uint32_t v = 0; v < search->rule_variants && !is_found; v++) {
        if (!search->variants.items[v].is_unclear)
            continue;
        struct concrete concrete = {.wanted = locals, .wanted_shared = shared, .firing = firing};
        is_found = !concrete_run(&concrete, search, view, v);
        if (is_found) {
            firing->variant = v;
            firing->shared = view->shared;
            memcpy(firing->locals, concrete.before, search->roster->element_count * sizeof *locals);
        }
        concrete_free(&concrete);
    }
    return is_found;
}
