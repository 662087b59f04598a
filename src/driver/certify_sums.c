#include "driver/certify_sums.h"

#include <stdlib.h>

#include "base/memory.h"
#include "verify/rows.h"

struct even_sum {
    struct rational *sum, *one;
    bool is_even; /* so far: constants that add up to 1 */
};

static void add(struct even_sum *sum, const struct weight *weight)
{
    sum->is_even = sum->is_even && !weight->top && !weight->bottom;
    rational_add(sum->sum, weight->factor);
}

static void finish(struct even_sum *sum)
{
    sum->is_even = sum->is_even && !rational_compare(sum->sum, sum->one);
    rational_set(sum->sum, 0);
}

/* The sum of products is the product of sums. */
static void add_joint(struct even_sum *sum, const struct joint *joint)
{
    for (uint32_t p = 0; p < joint->part_count; p++)
        for (uint32_t c = 0; c < joint->parts[p].command_count; c++) {
            const struct joint_command *command = &joint->parts[p].commands[c];
            for (uint32_t i = 0; i < command->outcome_count; i++)
                add(sum, command->outcomes[i].weight);
            finish(sum);
        }
}

/* In all states, by the text of the model? */
static bool are_even_constants(const struct system *system)
{
    struct even_sum sum = {rational_create(0, 1), rational_create(1, 1), true};
    for (uint32_t c = 0; c < system->chain->choice_count && sum.is_even; c++) {
        const struct choice *choice = &system->chain->choices[c];
        struct rule *const *rules = system->rules.items + choice->first_rule;
        if (choice->rule_count && rules[0]->joint) {
            add_joint(&sum, rules[0]->joint);
            continue;
        }
        for (uint32_t r = 0; r < choice->rule_count; r++)
            add(&sum, rules[r]->weight);
        finish(&sum);
    }
    rational_destroy(sum.sum);
    rational_destroy(sum.one);
    return sum.is_even;
}

static uint64_t find_any(void *user, const int32_t *cells)
{
    (void)user;
    (void)cells;
    return 0;
}

bool certify_sums(const struct layout *layout, const uint64_t *states, uint64_t count)
{
    if (layout->system->chain->kind == CHAIN_CTMC || are_even_constants(layout->system))
        return true;
    struct rows rows;
    struct text reason = {0};
    int32_t *cells = memory_alloc(((size_t)layout->cell_count + 1) * sizeof *cells);
    bool is_even = true;
    rows_open(&rows, layout, &reason);
    rows.find = find_any;
    for (uint64_t s = 0; s < count && is_even; s++) {
        layout_unpack(layout, states + s * layout->words, cells);
        is_even = rows_load(&rows, cells, s);
    }
    rows_close(&rows);
    text_free(&reason);
    free(cells);
    return is_even;
}
