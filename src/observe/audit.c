#include "observe/audit.h"

#include <stdlib.h>
#include <string.h>

#include "base/disjoint.h"
#include "base/hash.h"
#include "base/words.h"
#include "observe/audit_chain.h"
#include "explore/explore.h"
#include "ir/pctl.h"
#include "result/masked.h"
#include "ir/definite.h"
#include "symmetry/failures.h"

struct audit {
    const struct layout *layout;
    struct budget budget;
    struct explore *explore;
    struct store *store; /* its own */
    struct stepper *stepper;
    struct audit_chain *chain; /* NULL: there are no probabilities */
    bool hides_failures;       /* which of several failures is met depends on the numbering (result/masked.h) */
    bool has_free_starts;      /* no property asks which states are initial, and they need not be symmetric */
    VEC(size_t) first;         /* by state: its successors, in order of number, each once */
    VEC(uint32_t) successors;
    VEC(uint64_t) labels; /* by state: what holds and what goes wrong in it */
    bool *is_start;
    int32_t *cells, *image;
    uint32_t *targets, *moved; /* room for sets of successors */
    uint32_t *joined;          /* by state: towards the least of its orbit; NULL: no generator was looked at */
    size_t room;
};

static bool audit_insert(struct audit *a, const int32_t *cells, uint32_t *number)
{
    return explore_insert(a->explore, cells, number) != STORE_FULL;
}

/* --- states --- */

/* The least value of each cell: undefined; of a variable all of whose cells always have a value (definite.h), one. */
static void audit_least_cells(const struct layout *layout, enum audit_scope scope, int32_t *cells)
{
    const struct system *system = layout->system;
    struct arena *arena = arena_create();
    const bool *is_definite =
        scope == AUDIT_DEFINITE && !system_has_probabilities(system) ? definite_find(system, arena) : NULL;
    for (uint32_t c = 0; c < layout->cell_count; c++)
        cells[c] = UNDEFINED;
    for (size_t g = 0; is_definite && g < system->globals.count; g++) {
        const struct variable *variable = system->globals.items[g];
        bool is_set = true;
        for (uint32_t c = 0; is_set && c < variable->type->cells; c++)
            is_set = is_definite[variable->address + c];
        for (uint32_t c = variable->address; is_set && c < variable->address + variable->type->cells; c++)
            cells[c] = type_code(layout->cells[c].type, 0);
    }
    arena_destroy(arena);
}

/* The next combination of values: the first cell runs fastest, each from its least value up. */
static bool audit_next_cells(const struct layout *layout, const int32_t *least, int32_t *cells)
{
    for (uint32_t c = 0; c < layout->cell_count; c++) {
        const struct type *type = layout->cells[c].type;
        int64_t ordinal = cells[c] == UNDEFINED ? -1 : type_ordinal(type, cells[c]);
        if (ordinal + 1 < type->size) {
            cells[c] = type_code(type, (uint32_t)(ordinal + 1));
            return true;
        }
        cells[c] = least[c];
    }
    return false;
}

static bool audit_insert_all(struct audit *a, enum audit_scope scope)
{
    uint32_t number;
    bool is_room = true;
    for (uint32_t c = 0; c < a->layout->cell_count; c++)
        if (!a->layout->cells[c].type)
            return false;
    audit_least_cells(a->layout, scope, a->cells);
    int32_t *least = memory_alloc((a->layout->cell_count + 1) * sizeof *least);
    memcpy(least, a->cells, a->layout->cell_count * sizeof *least);
    do {
        is_room = audit_insert(a, a->cells, &number);
    } while (is_room && audit_next_cells(a->layout, least, a->cells));
    free(least);
    return is_room;
}

static bool audit_insert_starts(struct audit *a, bool is_marking)
{
    struct step step = {0};
    enum step_outcome outcome;
    uint32_t number;
    stepper_begin_starts(a->stepper);
    while ((outcome = stepper_next(a->stepper, &step)) != STEP_END) {
        if (outcome != STEP_STATE)
            continue;
        if (!audit_insert(a, step.cells, &number))
            return false;
        if (is_marking)
            a->is_start[number] = true;
    }
    return true;
}

static uint64_t audit_judge(struct audit *a, const int32_t *cells)
{
    const struct system *system = a->layout->system;
    uint64_t label = 0;
    for (size_t p = 0; p < system->properties.count; p++) {
        struct fault fault = {0};
        if (system->properties.items[p]->formula)
            label = hash_combine(label, stepper_holds(a->stepper, system->properties.items[p], cells, &fault));
    }
    return label;
}

/* One that may be met instead of another one is the same as that. */
static uint64_t audit_failure(const struct audit *a, const struct property *property)
{
    bool is_same = !property || (a->hides_failures && masked_concerns(property));
    return (uint64_t)1 << (is_same ? 63 : property->id % 63);
}

static bool audit_expand(void *user, uint32_t state, const int32_t *cells)
{
    struct audit *a = user;
    struct step step = {0};
    enum step_outcome outcome;
    uint64_t faults = 0, label = audit_judge(a, cells);
    uint32_t sent = 0;
    (void)state;
    stepper_begin_successors(a->stepper, cells);
    while ((outcome = stepper_next(a->stepper, &step)) != STEP_END) {
        if (outcome == STEP_FAULT)
            faults |= audit_failure(a, step.fault.property);
        if (outcome != STEP_STATE)
            continue;
        explore_send(a->explore, &step);
        if (a->chain)
            audit_chain_step(a->chain, &step, cells, sent++);
    }
    if (a->chain)
        audit_chain_end(a->chain, cells);
    VEC_PUSH(&a->labels, hash_combine(label, faults));
    return !watch_is_up();
}

static bool audit_settle_state(void *user, uint32_t state, const struct explore_edge *edges, size_t count)
{
    struct audit *a = user;
    size_t first = a->successors.count;
    VEC_PUSH(&a->first, first);
    for (size_t i = 0; i < count; i++)
        VEC_PUSH(&a->successors, edges[i].target);
    if (a->chain)
        audit_chain_settle(a->chain, state, VEC_FROM(&a->successors, first));
    count = words_sort_unique(VEC_FROM(&a->successors, first), count);
    a->successors.count = first + count;
    a->room = count > a->room ? count : a->room;
    return true;
}

static bool audit_explore(struct audit *a)
{
    const struct explore_client client = {a, audit_expand, audit_settle_state};
    return explore_run(a->explore, &client) == EXPLORE_DONE;
}

static bool audit_frees_starts(const struct system *system, const struct symmetry *symmetry)
{
    bool needs_starts = false;
    for (size_t p = 0; p < system->properties.count; p++) {
        const struct property *property = system->properties.items[p];
        bool is_elsewhere = pctl_shows_states(property->pctl) || (symmetry && !symmetry_keeps(symmetry, property));
        needs_starts |= !is_elsewhere && pctl_needs_starts(property->pctl);
    }
    if (!system_has_probabilities(system))
        return symmetry && symmetry_picks_starts(symmetry);
    return !needs_starts;
}

/* The states are complete: what is needed to compare them. */
static void audit_settle(struct audit *a)
{
    VEC_PUSH(&a->first, a->successors.count);
    a->is_start = memory_resize(a->is_start, ((size_t)store_count(a->store) + 1) * sizeof *a->is_start);
    memset(a->is_start, 0, ((size_t)store_count(a->store) + 1) * sizeof *a->is_start);
    a->targets = memory_resize(a->targets, (a->room + 1) * sizeof *a->targets);
    audit_insert_starts(a, true);
}

struct audit *audit_open(const struct layout *layout, const struct symmetry *symmetry, enum audit_scope scope,
                         uint64_t most)
{
    struct audit *a = memory_zeroed(1, sizeof *a);
    a->layout = layout;
    a->hides_failures = failures_can_hide(layout->system);
    a->explore = explore_create(layout, layout->cell_count, NULL, &a->budget, most);
    a->store = explore_store(a->explore);
    a->stepper = stepper_create_vm(layout->system, layout);
    a->stepper->is_watched = true;
    a->chain = audit_chain_create(layout, symmetry);
    a->cells = memory_zeroed((size_t)layout->cell_count + 1, sizeof *a->cells);
    a->image = memory_zeroed((size_t)layout->cell_count + 1, sizeof *a->image);
    if (!(scope != AUDIT_REACHABLE ? audit_insert_all(a, scope) : audit_insert_starts(a, false)) || !audit_explore(a)) {
        audit_close(a);
        return NULL;
    }
    a->has_free_starts = audit_frees_starts(layout->system, symmetry);
    audit_settle(a);
    return a;
}

void audit_close(struct audit *a)
{
    if (!a)
        return;
    explore_destroy(a->explore);
    stepper_destroy(a->stepper);
    audit_chain_destroy(a->chain);
    VEC_FREE(&a->first);
    VEC_FREE(&a->successors);
    VEC_FREE(&a->labels);
    free(a->is_start);
    free(a->cells);
    free(a->image);
    free(a->targets);
    free(a->moved);
    free(a->joined);
    free(a);
}

uint32_t audit_states(const struct audit *a)
{
    return store_count(a->store);
}

uint64_t audit_steps(const struct audit *a)
{
    return a->successors.count;
}

/* --- permutations --- */

static void audit_complain(const struct audit *a, uint32_t state, const char *what, struct text *why)
{
    struct text name = {0};
    layout_unpack(a->layout, store_state(a->store, state), a->cells);
    text_format(why, "%s:", what);
    for (uint32_t c = 0; c < a->layout->cell_count; c++) {
        text_clear(&name);
        layout_cell_name(a->layout, c, &name);
        text_format(why, "%s %s = ", c ? "," : "", text_chars(&name)); /* also what users never see: it may be that */
        if (a->layout->cells[c].type)
            type_print_value(a->layout->cells[c].type, a->cells[c], why);
        else
            text_format(why, "%d", a->cells[c]);
    }
    text_free(&name);
}

/* moved[s] = the number of the image of state s. */
static bool audit_move_states(struct audit *a, const struct symmetry *symmetry, const uint32_t *const *images,
                              struct text *why)
{
    for (uint32_t s = 0; s < store_count(a->store); s++) {
        layout_unpack(a->layout, store_state(a->store, s), a->cells);
        symmetry_act(symmetry, a->layout, images, a->cells, a->image);
        if (explore_find(a->explore, a->image, &a->moved[s]) != STORE_FOUND) {
            audit_complain(a, s, "the image of this state is not reachable", why);
            return false;
        }
    }
    return true;
}

static bool audit_compare_state(struct audit *a, uint32_t s, struct text *why)
{
    uint32_t image = a->moved[s];
    size_t count = a->first.items[s + 1] - a->first.items[s];
    const uint32_t *of_image = VEC_FROM(&a->successors, a->first.items[image]);
    const char *what = NULL;
    for (size_t i = 0; i < count; i++)
        a->targets[i] = a->moved[a->successors.items[a->first.items[s] + i]];
    words_sort_unique(a->targets, count);
    if (a->is_start[s] != a->is_start[image] && !a->has_free_starts)
        what = "of this state and its image only one is a start state";
    else if (a->labels.items[s] != a->labels.items[image])
        what = "what holds or goes wrong in this state differs from its image";
    else if (count != a->first.items[image + 1] - a->first.items[image] ||
             (count && memcmp(a->targets, of_image, count * sizeof *of_image)))
        what = "the steps of this state are not those of its image";
    else if (a->chain && !audit_chain_compare(a->chain, s, image, a->moved))
        what = "the probabilities or rewards of this state differ from those of its image";
    if (what)
        audit_complain(a, s, what, why);
    return !what;
}

bool audit_permutation(struct audit *a, const struct symmetry *symmetry, const uint32_t *const *images,
                       struct text *why)
{
    if (!a->moved)
        a->moved = memory_zeroed((size_t)store_count(a->store) + 1, sizeof *a->moved);
    if (!audit_move_states(a, symmetry, images, why))
        return false;
    for (uint32_t s = 0; s < store_count(a->store); s++)
        if (!audit_compare_state(a, s, why))
            return false;
    return true;
}

/* Every state with its image under the permutation looked at last. */
static void audit_join(struct audit *a)
{
    uint32_t count = store_count(a->store);
    if (!a->joined) {
        a->joined = memory_alloc(((size_t)count + 1) * sizeof *a->joined);
        for (uint32_t s = 0; s < count; s++)
            a->joined[s] = s;
    }
    for (uint32_t s = 0; s < count; s++)
        disjoint_join(a->joined, s, a->moved[s]);
}

uint32_t audit_orbits(const struct audit *a)
{
    uint32_t count = store_count(a->store), orbits = 0;
    for (uint32_t s = 0; s < count; s++)
        orbits += !a->joined || a->joined[s] == s;
    return orbits;
}

/* Calls `visit` for each generator, until it returns false. */
static bool audit_each_generator(struct audit *a, const struct symmetry *symmetry, struct text *why,
                                 bool (*visit)(struct audit *a, const struct symmetry *symmetry,
                                               const uint32_t *const *images, struct text *why))
{
    const uint32_t **images = memory_zeroed((size_t)symmetry->factor_count + 1, sizeof *images);
    bool is_fine = true;
    for (uint32_t f = 0; f < symmetry->factor_count && is_fine; f++) {
        const struct symmetry_factor *factor = &symmetry->factors[f];
        if (!factor->is_used || factor->degree < 2)
            continue;
        uint32_t *image = memory_zeroed((size_t)factor->degree + 1, sizeof *image);
        images[f] = image;
        for (uint32_t g = 0; g < symmetry_generator_count(factor) && is_fine; g++) {
            symmetry_generator(factor, g, image);
            is_fine = visit(a, symmetry, images, why);
        }
        images[f] = NULL;
        free(image);
    }
    free(images);
    return is_fine;
}

static bool audit_insert_images(struct audit *a, const struct symmetry *symmetry, const uint32_t *const *images,
                                struct text *why)
{
    uint32_t number;
    for (uint32_t s = 0; s < store_count(a->store); s++) {
        layout_unpack(a->layout, store_state(a->store, s), a->cells);
        symmetry_act(symmetry, a->layout, images, a->cells, a->image);
        if (!audit_insert(a, a->image, &number)) {
            text_append(why, "with the images of its states the model is too large");
            return false;
        }
    }
    return true;
}

/* Where the start may be anywhere, the images of reachable states are states as well, and what they lead to. */
static bool audit_add_images(struct audit *a, const struct symmetry *symmetry, struct text *why)
{
    a->first.count--;
    for (uint32_t s = store_count(a->store); audit_each_generator(a, symmetry, why, audit_insert_images);) {
        if (s == store_count(a->store)) {
            audit_settle(a);
            return true;
        }
        if (!audit_explore(a)) {
            text_append(why, "with the images of its states the model is too large");
            return false;
        }
        s = store_count(a->store);
    }
    return false;
}

static bool audit_generator(struct audit *a, const struct symmetry *symmetry, const uint32_t *const *images,
                            struct text *why)
{
    if (!audit_permutation(a, symmetry, images, why))
        return false;
    audit_join(a);
    return true;
}

bool audit_symmetry(struct audit *a, const struct symmetry *symmetry, struct text *why)
{
    return (!a->has_free_starts || audit_add_images(a, symmetry, why)) &&
           audit_each_generator(a, symmetry, why, audit_generator);
}
