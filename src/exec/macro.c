#include "exec/macro.h"

#include "base/hash.h"
#include "base/vec.h"
#include "ir/fairness.h"

/* A state that was passed through or, with nobody as holder, yielded. */
struct macro_node {
    struct passed passed;
    uint64_t hash;
};

enum {
    FIRST_NODES = 16,     /* of the first block; each block has twice as many as the one before */
    MOST_BLOCKS = 27,     /* numbers of nodes are 32-bit */
    KEPT_BLOCKS = 8,      /* the rest is freed behind the step */
    NO_NODE = UINT32_MAX, /* of a slot */
    FIRST_SLOTS = 64,
    FEW_NODES = 8 /* which are compared one by one */
};

struct macro_block {
    struct macro_node *nodes;
    int32_t *cells;
};

struct macro_stepper {
    struct stepper stepper;
    macro_maker *make;
    void *user;
    struct stepper *outer, *inner; /* of states; of what is passed through, NULL: not needed yet */
    bool has_covers;               /* some statement may cover something */
    bool has_holder;
    bool names_all;        /* fairness asks who moves: a state is told of once for each way to it */
    uint32_t holder, idle; /* cells; idle: UINT32_MAX, there is none */
    int32_t nobody;
    int32_t *origin, *found;
    const uint64_t *packed; /* not NULL: the origin, which is not unpacked yet */
    uint32_t *changed;      /* room for the list in struct step */
    /* About the state whose successors are enumerated. */
    bool is_start, is_idle;
    bool is_enabled; /* something is */
    /* About the step that has begun: nodes in the order in which they were met, and, where they are more than a few, a
     * table of them by hash. */
    bool is_inside;
    bool has_led; /* somewhere */
    bool is_open; /* the rules of node `current` are being tried */
    bool is_blocked;
    uint32_t current, count;
    struct macro_block blocks[MOST_BLOCKS];
    uint32_t *slots, slot_count;
};

static struct macro_stepper *macro_of(struct stepper *stepper)
{
    return (struct macro_stepper *)stepper; /* its first member */
}

/* --- what was met in this step --- */

/* Block b begins with node FIRST_NODES * (2^b - 1). */
static uint32_t macro_block(uint32_t number)
{
    return 31u - (uint32_t)__builtin_clz(number / FIRST_NODES + 1);
}

static uint32_t macro_block_begin(uint32_t block)
{
    return FIRST_NODES * ((1u << block) - 1);
}

static struct macro_node *macro_node(struct macro_stepper *self, uint32_t number)
{
    uint32_t block = macro_block(number);
    return &self->blocks[block].nodes[number - macro_block_begin(block)];
}

static void macro_open_block(struct macro_stepper *self, uint32_t block)
{
    size_t count = (size_t)FIRST_NODES << block;
    if (self->blocks[block].nodes)
        return;
    self->blocks[block].nodes = memory_alloc(count * sizeof *self->blocks[block].nodes);
    self->blocks[block].cells = memory_alloc((count * self->stepper.layout->cell_count + 1) * sizeof(int32_t));
}

static void macro_free_blocks(struct macro_stepper *self, uint32_t from)
{
    for (uint32_t b = from; b < MOST_BLOCKS && self->blocks[b].nodes; b++) {
        free(self->blocks[b].nodes);
        free(self->blocks[b].cells);
        self->blocks[b] = (struct macro_block){0};
    }
}

static void macro_set_slots(struct macro_stepper *self, uint32_t count)
{
    self->slots = memory_resize(self->slots, count * sizeof *self->slots);
    self->slot_count = count;
    memset(self->slots, 0xff, count * sizeof *self->slots);
}

/* Where the node is, or would be. */
static uint32_t *macro_slot(struct macro_stepper *self, const int32_t *cells, uint64_t hash)
{
    size_t size = self->stepper.layout->cell_count * sizeof *cells;
    for (uint32_t s = (uint32_t)hash & (self->slot_count - 1);; s = (s + 1) & (self->slot_count - 1)) {
        if (self->slots[s] == NO_NODE)
            return &self->slots[s];
        const struct macro_node *node = macro_node(self, self->slots[s]);
        if (node->hash == hash && memcmp(node->passed.cells, cells, size) == 0)
            return &self->slots[s];
    }
}

static uint64_t macro_hash(const struct macro_stepper *self, const int32_t *cells)
{
    return hash_bytes(cells, self->stepper.layout->cell_count * sizeof *cells);
}

static void macro_fill_slots(struct macro_stepper *self)
{
    for (uint32_t n = 0; n < self->count; n++) {
        const struct macro_node *node = macro_node(self, n);
        *macro_slot(self, node->passed.cells, node->hash) = n;
    }
}

static void macro_grow(struct macro_stepper *self)
{
    ENSURE(self->slot_count <= UINT32_MAX / 4);
    macro_set_slots(self, 2 * self->slot_count);
    macro_fill_slots(self);
}

/* They are no longer few. */
static void macro_begin_table(struct macro_stepper *self)
{
    for (uint32_t n = 0; n < self->count; n++)
        macro_node(self, n)->hash = macro_hash(self, macro_node(self, n)->passed.cells);
    macro_fill_slots(self);
}

static bool macro_is_among_few(struct macro_stepper *self, const int32_t *cells)
{
    size_t size = self->stepper.layout->cell_count * sizeof *cells;
    const int32_t *node = self->blocks[0].cells;
    _Static_assert(FEW_NODES <= FIRST_NODES, "they are in the first block");
    for (uint32_t n = 0; n < self->count; n++, node += self->stepper.layout->cell_count)
        if (memcmp(node, cells, size) == 0)
            return true;
    return false;
}

static struct macro_node *macro_add(struct macro_stepper *self, const struct step *step, const struct passed *before)
{
    size_t cells = self->stepper.layout->cell_count;
    uint32_t block = macro_block(self->count);
    macro_open_block(self, block);
    int32_t *copy = self->blocks[block].cells + (self->count - macro_block_begin(block)) * cells;
    memcpy(copy, step->cells, cells * sizeof *copy);
    struct macro_node *node = macro_node(self, self->count++);
    node->passed = (struct passed){step->rule, step->instance, copy, before};
    if (self->stepper.on_passed)
        self->stepper.on_passed(self->stepper.on_passed_user, copy);
    return node;
}

/* False: it has been met. */
static bool macro_meet(struct macro_stepper *self, const struct step *step, const struct passed *before)
{
    if (self->count < FEW_NODES) {
        if (macro_is_among_few(self, step->cells))
            return false;
        macro_add(self, step, before);
        if (self->count == FEW_NODES)
            macro_begin_table(self);
        return true;
    }
    uint64_t hash = macro_hash(self, step->cells);
    uint32_t *slot = macro_slot(self, step->cells, hash);
    if (*slot != NO_NODE)
        return false;
    *slot = self->count;
    macro_add(self, step, before)->hash = hash;
    if (self->count > self->slot_count / 2)
        macro_grow(self);
    return true;
}

static void macro_forget(struct macro_stepper *self)
{
    if (self->count > macro_block_begin(KEPT_BLOCKS) || !self->slots) {
        macro_free_blocks(self, KEPT_BLOCKS);
        macro_set_slots(self, FIRST_SLOTS);
        self->count = 0;
    }
    for (uint32_t n = 0; self->count >= FEW_NODES && n < self->count;
         n++) { /* a step of few states must not pay for one of many before */
        uint32_t s = (uint32_t)macro_node(self, n)->hash & (self->slot_count - 1);
        while (self->slots[s] != n)
            s = (s + 1) & (self->slot_count - 1);
        self->slots[s] = NO_NODE;
    }
    self->count = 0;
}

/* --- a step that has begun --- */

static bool macro_is_held(const struct macro_stepper *self, const int32_t *cells)
{
    return self->has_holder && cells[self->holder] != self->nobody;
}

/* What differs from the state that the step comes from, in which nothing was idle. */
static void macro_list_changed(struct macro_stepper *self, struct step *step)
{
    uint32_t count = 0;
    for (uint32_t c = 0; c < self->stepper.layout->cell_count; c++) {
        self->changed[count] = c;
        count += step->cells[c] != self->origin[c] && c != self->idle;
    }
    step->changed = self->changed;
    step->changed_count = count;
}

/* The first rule of the step has led to a state that is passed through. */
static void macro_enter(struct macro_stepper *self, const struct step *step)
{
    if (!self->inner)
        self->inner = self->make(self->stepper.system, self->stepper.layout, self->user);
    self->inner->is_watched = self->stepper.is_watched;
    macro_forget(self);
    macro_meet(self, step, NULL);
    self->stepper.passed_by_rule[step->rule->id]++;
    self->is_inside = true;
    self->has_led = self->is_open = false;
    self->current = 0;
}

/* Begins with the rules of the next state that is passed through. False: that was the last. */
static bool macro_open(struct macro_stepper *self)
{
    while (self->current < self->count && !macro_is_held(self, macro_node(self, self->current)->passed.cells))
        self->current++;
    if (self->current == self->count)
        return false;
    stepper_begin_successors(self->inner, macro_node(self, self->current)->passed.cells);
    self->is_open = self->is_blocked = true;
    return true;
}

/* Nothing is enabled while it is held: it is a state, held by nobody. False: one that was met. */
static bool macro_give_up(struct macro_stepper *self, const struct passed *blocked, struct step *step)
{
    memcpy(self->found, blocked->cells, self->stepper.layout->cell_count * sizeof *self->found);
    self->found[self->holder] = self->nobody;
    *step = (struct step){.rule = blocked->rule, .instance = blocked->instance, .cells = self->found};
    step->passed = blocked->before;
    if (!macro_meet(self, step, NULL) && !self->names_all)
        return false;
    macro_list_changed(self, step);
    self->stepper.passed_by_rule[blocked->rule->id]--; /* it is the rule of a step after all */
    return true;
}

/* Behind all rules of a node. */
static bool macro_close(struct macro_stepper *self, const struct passed *passed, struct step *step)
{
    self->is_open = false;
    self->current++;
    bool is_led = self->is_blocked && macro_give_up(self, passed, step);
    self->has_led |= is_led;
    return is_led;
}

/* A rule has led from a node to a state. False: to one that is passed through, or was met. */
static bool macro_arrive(struct macro_stepper *self, const struct passed *passed, struct step *step)
{
    bool is_new = macro_meet(self, step, passed);
    self->is_blocked = false;
    if ((is_new || self->names_all) && !macro_is_held(self, step->cells)) {
        macro_list_changed(self, step);
        self->has_led = true;
        return true;
    }
    self->stepper.passed_by_rule[step->rule->id]++;
    return false;
}

static enum step_outcome macro_end(struct macro_stepper *self, struct step *step)
{
    stepper_note_covered(&self->stepper, self->inner, self->has_covers);
    const struct passed *first = &macro_node(self, 0)->passed;
    *step = (struct step){.rule = first->rule, .instance = first->instance};
    self->is_inside = false;
    return self->has_led ? STEP_END : STEP_ENDLESS;
}

/* STEP_END: the step leads nowhere else. */
static enum step_outcome macro_go_on(struct macro_stepper *self, struct step *step)
{
    while (self->is_open || macro_open(self)) {
        const struct passed *passed = &macro_node(self, self->current)->passed;
        enum step_outcome outcome = stepper_next(self->inner, step);
        if (outcome == STEP_END && stepper_is_cut(&self->stepper))
            return STEP_END;
        step->passed = passed;
        if (outcome == STEP_FAULT) {
            self->has_led = true;
            self->is_blocked = false;
        }
        if (outcome == STEP_FAULT || outcome == STEP_DISCARDED)
            return outcome;
        if (outcome == STEP_END ? macro_close(self, passed, step) : macro_arrive(self, passed, step))
            return STEP_STATE;
    }
    return macro_end(self, step);
}

/* --- the stepper --- */

static void macro_begin_starts(struct stepper *stepper)
{
    struct macro_stepper *self = macro_of(stepper);
    self->outer->is_watched = stepper->is_watched;
    self->is_start = true;
    self->is_inside = self->is_idle = false;
    stepper_begin_starts(self->outer);
}

static void macro_begin_successors(struct stepper *stepper, const int32_t *cells)
{
    struct macro_stepper *self = macro_of(stepper);
    self->outer->is_watched = stepper->is_watched;
    self->outer->passed_by_rule = stepper->is_brief ? stepper->passed_by_rule : NULL;
    self->is_start = self->is_inside = self->is_idle = self->is_enabled = false;
    self->packed = NULL;
    memcpy(self->origin, cells, stepper->layout->cell_count * sizeof *cells);
    stepper_begin_successors(self->outer, cells);
}

static bool macro_begin_packed(struct stepper *stepper, const uint64_t *packed)
{
    struct macro_stepper *self = macro_of(stepper);
    self->outer->is_watched = stepper->is_watched;
    self->outer->passed_by_rule = stepper->is_brief ? stepper->passed_by_rule : NULL;
    self->is_start = self->is_inside = self->is_idle = self->is_enabled = false;
    self->packed = packed;
    return stepper_begin_packed(self->outer, packed);
}

/* The cells of the state that the step comes from are needed after all. */
static void macro_unpack(struct macro_stepper *self)
{
    if (self->packed)
        layout_unpack(self->stepper.layout, self->packed, self->origin);
    self->packed = NULL;
}

/* Nothing is enabled: what waits for that is tried. False: it was, or there is nothing of the kind. */
static bool macro_try_idle(struct macro_stepper *self)
{
    if (self->is_start || self->is_enabled || self->is_idle || self->idle == UINT32_MAX ||
        stepper_is_cut(&self->stepper))
        return false;
    self->is_idle = true;
    macro_unpack(self);
    self->outer->passed_by_rule = NULL; /* what is passed through is no longer idle */
    self->origin[self->idle] = true;
    stepper_begin_successors(self->outer, self->origin);
    return true;
}

static void macro_wake(struct macro_stepper *self, struct step *step)
{
    memcpy(self->found, step->cells, self->stepper.layout->cell_count * sizeof *self->found);
    self->found[self->idle] = false;
    step->cells = self->found;
    macro_list_changed(self, step);
}

static enum step_outcome macro_next(struct stepper *stepper, struct step *step)
{
    struct macro_stepper *self = macro_of(stepper);
    for (;;) {
        enum step_outcome outcome = self->is_inside ? macro_go_on(self, step) : STEP_END;
        if (outcome != STEP_END || (self->is_inside && stepper_is_cut(stepper)))
            return outcome;
        outcome = stepper_next(self->outer, step);
        self->is_enabled |= outcome == STEP_STATE || outcome == STEP_FAULT;
        stepper_note_covered(stepper, self->outer, self->has_covers);
        if (outcome == STEP_END && macro_try_idle(self))
            continue;
        if (outcome == STEP_STATE && self->is_idle)
            macro_wake(self, step);
        if (outcome != STEP_STATE || self->is_start || !macro_is_held(self, step->cells))
            return outcome;
        macro_enter(self, step);
    }
}

/* A step that is no state yet is gone into as ever. */
static enum step_outcome macro_burst(struct stepper *stepper, struct burst *burst, struct step *step)
{
    struct macro_stepper *self = macro_of(stepper);
    if (self->is_inside || self->is_idle)
        return macro_next(stepper, step);
    enum step_outcome outcome = stepper_burst(self->outer, burst, step);
    self->is_enabled |= burst->count || outcome == STEP_STATE || outcome == STEP_FAULT;
    stepper_note_covered(stepper, self->outer, self->has_covers);
    if (outcome == STEP_END && macro_try_idle(self))
        return macro_next(stepper, step);
    if (outcome != STEP_STATE || !step->cells || !macro_is_held(self, step->cells))
        return outcome;
    macro_unpack(self);
    macro_enter(self, step);
    return macro_next(stepper, step);
}

static enum truth macro_holds(struct stepper *stepper, const struct property *property, const int32_t *cells,
                              struct fault *fault)
{
    struct macro_stepper *self = macro_of(stepper);
    self->outer->is_watched = stepper->is_watched;
    enum truth truth = stepper_holds(self->outer, property, cells, fault);
    stepper_note_covered(stepper, self->outer, self->has_covers);
    return truth;
}

static enum truth macro_judge(struct stepper *stepper, const struct proposition *proposition, const int32_t *cells,
                              const int32_t *values, struct fault *fault)
{
    struct macro_stepper *self = macro_of(stepper);
    self->outer->is_watched = stepper->is_watched;
    enum truth truth = stepper_judge(self->outer, proposition, cells, values, fault);
    stepper_note_covered(stepper, self->outer, self->has_covers);
    return truth;
}

static void macro_destroy(struct stepper *stepper)
{
    struct macro_stepper *self = macro_of(stepper);
    macro_free_blocks(self, 0);
    free(self->slots);
    free(self->origin);
    free(self->found);
    free(self->changed);
    free(stepper->passed_by_rule);
    free(stepper->covered);
    stepper_destroy(self->outer);
    stepper_destroy(self->inner);
    free(self);
}

struct stepper *macro_wrap(const struct system *system, const struct layout *layout, macro_maker *make, void *user)
{
    static const struct stepper_operations operations = {
        .name = "macro",
        .begin_starts = macro_begin_starts,
        .begin_successors = macro_begin_successors,
        .next = macro_next,
        .begin_packed = macro_begin_packed,
        .burst = macro_burst,
        .holds = macro_holds,
        .judge = macro_judge,
        .destroy = macro_destroy,
    };
    struct stepper *outer = make(system, layout, user);
    if (!system_has_macro_steps(system))
        return outer;
    struct macro_stepper *self = memory_zeroed(1, sizeof *self);
    self->stepper = (struct stepper){.operations = &operations, .system = system, .layout = layout};
    self->stepper.covered = memory_zeroed(system->properties.count + 1, sizeof(bool));
    self->stepper.passed_by_rule = memory_zeroed(system->rules.count + 1, sizeof *self->stepper.passed_by_rule);
    self->make = make;
    self->user = user;
    self->outer = outer;
    self->has_covers = system_has_cover_statements(system);
    self->has_holder = system->holder;
    self->names_all = fairness_is_required(system);
    self->holder = system->holder ? system->holder->address : 0;
    self->nobody = system->holder ? system_nobody(system) : 0;
    self->idle = system->idle ? system->idle->address : UINT32_MAX;
    self->origin = memory_zeroed((size_t)layout->cell_count + 1, sizeof *self->origin);
    self->found = memory_zeroed((size_t)layout->cell_count + 1, sizeof *self->found);
    self->changed = memory_zeroed((size_t)layout->cell_count + 1, sizeof *self->changed);
    return &self->stepper;
}
