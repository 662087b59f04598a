#include "engine/probabilistic/synchronous.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "exec/probe.h"
#include "ir/chain.h"

/* FRONT: how many combinations of the first modules are listed, to be gone through in one loop. TRIAL: after so many
 * states it must have been of use in half of them. */
enum { FRONT = 1024, TRIAL = 64 };

/* An outcome, or one of several modules: how far it moves the place (modulo 2^64), and its probability. */
struct synchronous_move {
    uint64_t shift;
    double weight;
};

struct synchronous {
    struct markov *markov;
    struct places *places;
    struct probe *probe;
    uint32_t asked, useful;
    /* The combination that is enabled: its rule, and the command of each part. */
    const struct rule *rule;
    uint32_t *commands, *tried;
    /* The moves of the modules with several outcomes, one after the other; where those of the next begin. */
    VEC(struct synchronous_move) moves;
    VEC(size_t) ends;
    VEC(struct synchronous_move) front; /* of the first modules together */
    size_t listed;                      /* these */
    VEC(double) sums;                   /* by target; 0 between uses */
    VEC(struct entry) entries;          /* the targets with a sum */
    bool is_full;                       /* a state does not fit into the store */
};

/* Other rules have no parameters: their guards are those of the state. */
static bool has_joints(const struct system *system)
{
    bool has_any = false;
    for (size_t i = 0; i < system->rules.count; i++) {
        const struct rule *rule = system->rules.items[i];
        if (rule->prelude.count || (!rule->joint && rule->parameter_count))
            return false;
        has_any |= rule->joint != NULL;
    }
    return has_any;
}

struct synchronous *synchronous_create(struct markov *markov)
{
    const struct system *system = markov->layout->system;
    if (markov->chain->kind != CHAIN_DTMC || !has_joints(system) || !explore_places(markov->explore))
        return NULL;
    struct synchronous *synchronous = memory_zeroed(1, sizeof *synchronous);
    synchronous->markov = markov;
    synchronous->places = explore_places(markov->explore);
    synchronous->probe = probe_create(markov->layout);
    probe_watch(synchronous->probe);
    synchronous->commands = memory_zeroed(chain_most_weights(system), sizeof *synchronous->commands);
    synchronous->tried = memory_zeroed(chain_most_weights(system), sizeof *synchronous->tried);
    return synchronous;
}

void synchronous_destroy(struct synchronous *synchronous)
{
    if (!synchronous)
        return;
    probe_destroy(synchronous->probe);
    free(synchronous->commands);
    free(synchronous->tried);
    VEC_FREE(&synchronous->moves);
    VEC_FREE(&synchronous->ends);
    VEC_FREE(&synchronous->front);
    VEC_FREE(&synchronous->sums);
    VEC_FREE(&synchronous->entries);
    free(synchronous);
}

/* --- which commands --- */

/* False: it fails. */
static bool is_true(struct synchronous *synchronous, const struct expr *guard, bool *truth)
{
    struct fault fault;
    int64_t value = 1;
    if (guard && probe_value(synchronous->probe, guard, &value, &fault) != PROBE_VALUE)
        return false;
    *truth = value;
    return true;
}

/* How many commands of the part are enabled, 2 for more than one; the last of them. False: a guard fails. */
static bool find_command(struct synchronous *synchronous, const struct joint_part *part, uint32_t *command,
                         uint32_t *count)
{
    *count = 0;
    for (uint32_t c = 0; c < part->command_count && *count < 2; c++) {
        bool truth;
        if (!is_true(synchronous, part->commands[c].guard, &truth))
            return false;
        if (!truth)
            continue;
        *command = c;
        ++*count;
    }
    return true;
}

/* Is it enabled, with one combination of commands? False: a guard fails, or there are several. */
static bool find_commands(struct synchronous *synchronous, const struct rule *rule, uint32_t *commands,
                          bool *is_enabled)
{
    *is_enabled = true;
    bool is_single = true;
    for (uint32_t p = 0; p < rule->joint->part_count && *is_enabled; p++) {
        uint32_t count;
        if (!find_command(synchronous, &rule->joint->parts[p], &commands[p], &count))
            return false;
        *is_enabled = count > 0;
        is_single &= count < 2;
    }
    return !*is_enabled || is_single;
}

/* Just one combination of one rule, and nothing else? */
static bool find_combination(struct synchronous *synchronous)
{
    const struct system *system = synchronous->markov->layout->system;
    synchronous->rule = NULL;
    for (size_t i = 0; i < system->rules.count; i++) {
        const struct rule *rule = system->rules.items[i];
        bool is_enabled;
        if (!rule->joint && (!is_true(synchronous, rule->guard, &is_enabled) || is_enabled))
            return false;
        if (!rule->joint)
            continue;
        if (!find_commands(synchronous, rule, synchronous->tried, &is_enabled) || (is_enabled && synchronous->rule))
            return false;
        if (is_enabled) {
            synchronous->rule = rule;
            memcpy(synchronous->commands, synchronous->tried, rule->joint->part_count * sizeof *synchronous->tried);
        }
    }
    return synchronous->rule;
}

/* --- what they do --- */

/* All values are of the state before. False: an update fails, or is more than assignments to the state. */
static bool find_shift(struct synchronous *synchronous, const struct block *body, const int32_t *cells, uint64_t *shift)
{
    const struct layout *layout = synchronous->markov->layout;
    struct fault fault;
    *shift = 0;
    for (uint32_t i = 0; i < body->count; i++) {
        const struct stmt *stmt = body->items[i];
        int64_t value;
        uint32_t cell;
        if (stmt->kind != STMT_ASSIGN || probe_value(synchronous->probe, stmt->value, &value, &fault) != PROBE_VALUE ||
            probe_place(synchronous->probe, stmt->place, &cell, &fault) != PROBE_VALUE || cell >= layout->cell_count)
            return false;
        const struct type *type = layout->cells[cell].type;
        if (!type_has(stmt->place->type, value) || !type_has(type, value))
            return false;
        uint64_t steps = (uint64_t)type_ordinal(type, value) - (uint64_t)type_ordinal(type, cells[cell]);
        *shift += steps * synchronous->places->strides[cell];
    }
    return true;
}

/* What is common to all successors, and the modules that have a choice. */
struct synchronous_common {
    uint64_t place;
    double weight;
    double least, sum; /* products over the modules: of the least probability, and of their sums */
};

/* Adds a module's moves; what never happens is left out. */
static enum synchronous_outcome add_module(struct synchronous *synchronous, const struct joint_command *command,
                                           const int32_t *cells, struct synchronous_common *common)
{
    size_t first = synchronous->moves.count;
    double least = 1, sum = 0;
    for (uint32_t i = 0; i < command->outcome_count; i++) {
        struct synchronous_move move;
        if (!markov_number(synchronous->markov, command->outcomes[i].weight, cells, &move.weight))
            return SYNCHRONOUS_FAILED;
        if (move.weight < 0)
            return SYNCHRONOUS_OTHER;
        if (move.weight == 0)
            continue;
        if (!find_shift(synchronous, &command->outcomes[i].body, cells, &move.shift))
            return SYNCHRONOUS_OTHER;
        least = move.weight < least ? move.weight : least;
        sum += move.weight;
        VEC_PUSH(&synchronous->moves, move);
    }
    common->least *= least;
    common->sum *= sum;
    size_t count = synchronous->moves.count - first;
    if (count == 1) {
        struct synchronous_move only = VEC_POP(&synchronous->moves);
        common->place += only.shift;
        common->weight *= only.weight;
    } else if (count > 1) {
        VEC_PUSH(&synchronous->ends, synchronous->moves.count);
    }
    return count ? SYNCHRONOUS_ROW : SYNCHRONOUS_OTHER;
}

static enum synchronous_outcome add_modules(struct synchronous *synchronous, const int32_t *cells,
                                            struct synchronous_common *common)
{
    const struct joint *joint = synchronous->rule->joint;
    enum synchronous_outcome outcome = SYNCHRONOUS_ROW;
    VEC_CLEAR(&synchronous->moves);
    VEC_CLEAR(&synchronous->ends);
    for (uint32_t p = 0; p < joint->part_count && outcome == SYNCHRONOUS_ROW; p++)
        outcome = add_module(synchronous, &joint->parts[p].commands[synchronous->commands[p]], cells, common);
    if (outcome != SYNCHRONOUS_ROW)
        return outcome;
    bool is_even = !chain_is_uneven(common->sum); /* the least: no product may be lost, whatever the order */
    return is_even && common->least >= DBL_MIN ? SYNCHRONOUS_ROW : SYNCHRONOUS_OTHER;
}

/* --- all together --- */

/* The first modules, as long as their combinations are few. */
static void list_front(struct synchronous *synchronous)
{
    size_t from = 0;
    VEC_CLEAR(&synchronous->front);
    VEC_PUSH(&synchronous->front, ((struct synchronous_move){0, 1}));
    for (synchronous->listed = 0; synchronous->listed < synchronous->ends.count; synchronous->listed++) {
        size_t to = synchronous->ends.items[synchronous->listed], old = synchronous->front.count;
        if (old * (to - from) > FRONT)
            return;
        for (size_t m = from + 1; m < to; m++)
            for (size_t i = 0; i < old; i++) {
                struct synchronous_move both = synchronous->front.items[i];
                both.shift += synchronous->moves.items[m].shift;
                both.weight *= synchronous->moves.items[m].weight;
                VEC_PUSH(&synchronous->front, both);
            }
        for (size_t i = 0; i < old; i++) {
            synchronous->front.items[i].shift += synchronous->moves.items[from].shift;
            synchronous->front.items[i].weight *= synchronous->moves.items[from].weight;
        }
        from = to;
    }
}

static void add_target(struct synchronous *synchronous, uint32_t target, double weight)
{
    while (synchronous->sums.count <= target)
        VEC_PUSH(&synchronous->sums, 0);
    double *sum = &synchronous->sums.items[target];
    if (*sum == 0)
        VEC_PUSH(&synchronous->entries, ((struct entry){.target = target}));
    *sum += weight;
}

static bool add_front(struct synchronous *synchronous, uint64_t place, double weight)
{
    const struct places *places = synchronous->places;
    for (size_t i = 0; i < synchronous->front.count; i++) {
        uint64_t at = place + synchronous->front.items[i].shift;
        uint32_t target = places_number(places, at);
        if (target == EXPLORE_NOWHERE)
            target = explore_number_at(synchronous->markov->explore, at);
        if (target == EXPLORE_NOWHERE) {
            synchronous->is_full = true;
            return false;
        }
        add_target(synchronous, target, weight * synchronous->front.items[i].weight);
    }
    return !watch_is_up();
}

/* The modules from this one on, then those of the front. False: no more. */
static bool spread(struct synchronous *synchronous, size_t module, uint64_t place, double weight)
{
    if (module == synchronous->ends.count)
        return add_front(synchronous, place, weight);
    size_t from = module ? synchronous->ends.items[module - 1] : 0;
    for (size_t m = from; m < synchronous->ends.items[module]; m++) {
        const struct synchronous_move *move = &synchronous->moves.items[m];
        if (!spread(synchronous, module + 1, place + move->shift, weight * move->weight))
            return false;
    }
    return true;
}

static void take_sums(struct synchronous *synchronous)
{
    for (size_t i = 0; i < synchronous->entries.count; i++) {
        struct entry *entry = &synchronous->entries.items[i];
        entry->value = synchronous->sums.items[entry->target];
        synchronous->sums.items[entry->target] = 0;
    }
}

static void describe(const struct synchronous *synchronous, struct synchronous_row *row)
{
    const struct joint *joint = synchronous->rule->joint;
    *row = (struct synchronous_row){.rule = synchronous->rule, .fired = 1, .summands = 1};
    for (uint32_t p = 0; p < joint->part_count; p++) {
        row->way = row->way * joint->parts[p].command_count + synchronous->commands[p];
        row->fired *= joint->parts[p].commands[synchronous->commands[p]].outcome_count;
    }
    for (size_t i = 0, from = 0; i < synchronous->ends.count; from = synchronous->ends.items[i++])
        row->summands *= synchronous->ends.items[i] - from;
    row->entries = synchronous->entries.items;
    row->count = synchronous->entries.count;
}

static enum synchronous_outcome expand(struct synchronous *synchronous, const int32_t *cells,
                                       struct synchronous_row *row)
{
    struct synchronous_common common = {places_of(synchronous->places, cells), 1, 1, 1};
    probe_load(synchronous->probe, cells);
    if (!find_combination(synchronous))
        return SYNCHRONOUS_OTHER;
    enum synchronous_outcome outcome = add_modules(synchronous, cells, &common);
    if (outcome != SYNCHRONOUS_ROW)
        return outcome;
    VEC_CLEAR(&synchronous->entries);
    list_front(synchronous);
    bool is_whole = spread(synchronous, synchronous->listed, common.place, common.weight);
    take_sums(synchronous);
    if (synchronous->is_full) /* the exploration ends when the state is settled */
        VEC_CLEAR(&synchronous->entries);
    else if (!is_whole)
        return markov_may_go_on(synchronous->markov) ? SYNCHRONOUS_OTHER : SYNCHRONOUS_FAILED;
    describe(synchronous, row);
    return SYNCHRONOUS_ROW;
}

enum synchronous_outcome synchronous_expand(struct synchronous *synchronous, const int32_t *cells,
                                            struct synchronous_row *row)
{
    if (synchronous->asked >= TRIAL && synchronous->useful < synchronous->asked / 2)
        return SYNCHRONOUS_OTHER;
    enum synchronous_outcome outcome = expand(synchronous, cells, row);
    synchronous->asked++;
    synchronous->useful += outcome == SYNCHRONOUS_ROW;
    return outcome;
}
