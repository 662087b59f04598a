/* Loops over a set (set_loop.h): a loop of the IR, whose variable stands for the counter. */
#include "lang/promela/lower.h"
#include "lang/promela/set_loop.h"

static void lower_block(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self,
                        const struct pml_block *block, uint32_t begin, uint32_t end, bool is_dstep);

const struct property *pml_blocked(struct pml_lower *lower, struct span span)
{
    if (!lower->blocked)
        lower->blocked = system_add_property(lower->system, PROPERTY_ERROR, "no d_step blocks", NULL, span);
    return lower->blocked;
}

/* The first option whose condition holds; without one the d_step blocks. */
static void lower_options(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self,
                          const struct pml_option *options, uint32_t count, bool is_dstep, struct span span)
{
    if (!count) {
        struct stmt *fail = stmt_new(lower->system, STMT_ERROR, span);
        fail->property = pml_blocked(lower, span);
        VEC_PUSH(steps, fail);
        return;
    }
    if (!options->condition) {
        lower_block(lower, steps, self, options->block, options->begin, options->end, is_dstep);
        return;
    }
    struct pml_steps body = {0}, otherwise = {0};
    struct stmt *choice = stmt_new(lower->system, STMT_IF, options->condition->span);
    choice->value = pml_lower_condition(lower, self, options->condition);
    lower_block(lower, &body, self, options->block, options->begin, options->end, is_dstep);
    lower_options(lower, &otherwise, self, options + 1, count - 1, is_dstep, span);
    choice->body = pml_close(lower, &body);
    choice->otherwise = pml_close(lower, &otherwise);
    VEC_PUSH(steps, choice);
}

static void lower_inner(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self,
                        const struct pml_stmt *stmt, bool is_dstep)
{
    struct pml_option *options;
    uint32_t count;
    switch (stmt->kind) {
    case PML_IF:
        ENSURE(pml_options_of(stmt, is_dstep, lower->arena, &options, &count));
        lower_options(lower, steps, self, options, count, is_dstep, stmt->span);
        break;
    case PML_DO:
        pml_lower_set_loop(lower, steps, self, stmt->loop, stmt->span);
        break;
    case PML_BLOCK:
        lower_block(lower, steps, self, &stmt->body, 0, stmt->body.count, is_dstep);
        break;
    default:
        pml_lower_effect(lower, steps, self, stmt, NULL);
        break;
    }
}

static void lower_block(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self,
                        const struct pml_block *block, uint32_t begin, uint32_t end, bool is_dstep)
{
    for (uint32_t i = begin; i < end; i++)
        lower_inner(lower, steps, self, block->items[i], is_dstep);
}

void pml_lower_set_loop(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self,
                        const struct pml_set_loop *loop, struct span span)
{
    const struct type *type = type_range(lower->system, NULL, (int32_t)loop->first, (int32_t)loop->last, span);
    struct stmt *all = stmt_new(lower->system, STMT_FOR, span);
    struct pml_bound bound = {.counter = loop->counter,
                              .variable = system_add_scratch(lower->system, loop->counter->name, type, span),
                              .outer = lower->bound};
    struct pml_steps body = {0};
    lower->bound = &bound;
    lower_options(lower, &body, self, loop->options, loop->option_count, loop->is_dstep, span);
    lower->bound = bound.outer;
    all->variable = bound.variable;
    all->domain.type = type;
    all->body = pml_close(lower, &body);
    VEC_PUSH(steps, all);
    struct pml_place place = {.span = span, .variable = loop->counter};
    pml_store(lower, steps, self, &place, pml_constant(lower, loop->last + 1, span),
              (struct pml_range){loop->last + 1, loop->last + 1});
}

void pml_lower_set_choice(struct pml_lower *lower, struct rule *rule, struct pml_steps *steps, struct pml_self self,
                          const struct pml_set_choice *choice, struct span span)
{
    const struct type *type = type_range(lower->system, NULL, (int32_t)choice->first, (int32_t)choice->last, span);
    const struct variable *chosen = system_add_scratch(lower->system, choice->counter->name, type, span);
    struct pml_place place = {.span = span, .variable = choice->counter};
    pml_add_parameter(lower, rule, chosen);
    pml_store(lower, steps, self, &place, pml_variable_value(lower, chosen, span),
              (struct pml_range){choice->first, choice->last});
}
