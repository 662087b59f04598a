#include "engine/probabilistic/weigh.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* A part whose outcome is chosen: what may be, and what was chosen last. */
struct factor {
    uint32_t size;   /* how many values its parameter has */
    double *values;  /* by outcome, of the command taken */
    uint64_t before; /* what the parameters before it say, as a number */
    double product;  /* of the parts up to here */
};

struct weigher {
    struct markov *markov;
    const int32_t *cells;
    const struct rule *rule; /* whose joint the rest is about; NULL: of none yet */
    uint64_t way;
    double base;  /* the product of the parts that have nothing to choose */
    bool is_zero; /* one of them is 0 */
    struct factor *levels;
    uint32_t level_count;
    bool has_last; /* the levels are those of an outcome */
    double *values;
    uint32_t *commands; /* by part */
};

static void most_of(const struct system *system, uint32_t *parts, size_t *values)
{
    *parts = 0;
    *values = 0;
    for (size_t i = 0; i < system->rules.count; i++) {
        const struct rule *rule = system->rules.items[i];
        size_t own = 0;
        for (uint32_t p = 0; p < rule->parameter_count && rule->joint; p++)
            own += rule->parameters[p].type->size;
        *values = own > *values ? own : *values;
    }
    *parts = chain_most_weights(system);
}

struct weigher *weigher_create(struct markov *markov)
{
    struct weigher *weigher = memory_zeroed(1, sizeof *weigher);
    uint32_t parts;
    size_t values;
    most_of(markov->layout->system, &parts, &values);
    weigher->markov = markov;
    weigher->levels = memory_zeroed(parts, sizeof *weigher->levels);
    weigher->commands = memory_zeroed(parts, sizeof *weigher->commands);
    weigher->values = memory_zeroed(values + 1, sizeof *weigher->values);
    return weigher;
}

void weigher_destroy(struct weigher *weigher)
{
    if (!weigher)
        return;
    free(weigher->levels);
    free(weigher->commands);
    free(weigher->values);
    free(weigher);
}

void weigher_load(struct weigher *weigher, const int32_t *cells)
{
    weigher->cells = cells;
    weigher->rule = NULL;
}

static void decode_commands(struct weigher *weigher, const struct joint *joint, uint64_t way)
{
    for (uint32_t p = joint->part_count; p-- > 0;) {
        uint32_t count = joint->parts[p].command_count;
        weigher->commands[p] = (uint32_t)(way % count);
        way /= count;
    }
}

/* Another choice: its factors. */
static bool begin_way(struct weigher *weigher, const struct rule *rule, uint64_t way)
{
    const struct joint *joint = rule->joint;
    double *next = weigher->values;
    decode_commands(weigher, joint, way);
    weigher->rule = NULL;
    weigher->base = 1;
    weigher->is_zero = false;
    weigher->level_count = 0;
    weigher->has_last = false;
    for (uint32_t p = 0; p < joint->part_count; p++) {
        const struct joint_part *part = &joint->parts[p];
        const struct joint_command *command = &part->commands[weigher->commands[p]];
        for (uint32_t i = 0; i < command->outcome_count; i++)
            if (!markov_number(weigher->markov, command->outcomes[i].weight, weigher->cells, &next[i]))
                return false;
        if (part->outcome_parameter == JOINT_ALONE) {
            weigher->base *= next[0];
            weigher->is_zero |= next[0] == 0;
            continue;
        }
        uint32_t size = rule->parameters[part->outcome_parameter].type->size;
        weigher->levels[weigher->level_count++] = (struct factor){.size = size, .values = next};
        next += size;
    }
    weigher->rule = rule;
    weigher->way = way;
    return true;
}

/* What the parameters before a level say is the same: so is their product. */
static double weigh_outcome(struct weigher *weigher, uint64_t outcome)
{
    uint32_t l = weigher->level_count;
    uint64_t rest = outcome;
    while (l > 0) {
        uint64_t before = rest / weigher->levels[l - 1].size;
        bool is_same = weigher->has_last && before == weigher->levels[l - 1].before;
        weigher->levels[l - 1].before = before;
        weigher->levels[l - 1].product = weigher->levels[l - 1].values[rest % weigher->levels[l - 1].size];
        rest = before;
        l--;
        if (is_same)
            break;
    }
    double product = l ? weigher->levels[l - 1].product : weigher->base;
    for (; l < weigher->level_count; l++)
        product = weigher->levels[l].product *= product;
    weigher->has_last = true;
    return product;
}

/* A chance that is not 0 must not become it. */
static bool is_lost(const struct weigher *weigher, uint64_t outcome)
{
    bool is_zero = weigher->is_zero;
    for (uint32_t l = weigher->level_count; l-- > 0; outcome /= weigher->levels[l].size)
        is_zero |= weigher->levels[l].values[outcome % weigher->levels[l].size] == 0;
    return !is_zero;
}

bool weigher_weigh(struct weigher *weigher, const struct rule *rule, uint64_t instance, double *weight)
{
    if (!rule->joint)
        return markov_number(weigher->markov, rule->weight, weigher->cells, weight);
    uint64_t way = instance / rule->joint->outcome_ways;
    if ((weigher->rule != rule || weigher->way != way) && !begin_way(weigher, rule, way))
        return false;
    *weight = weigh_outcome(weigher, instance % rule->joint->outcome_ways);
    if (fabs(*weight) < DBL_MIN && is_lost(weigher, instance % rule->joint->outcome_ways))
        return pctl_fail_at(&weigher->markov->evaluator, rule->span.line, "a probability or rate is too small");
    return true;
}
