/* libFuzzer target: any bytes through the whole pipeline, with tiny limits.
 *
 * Bytes -> front end -> validation -> evaluator and VM side by side on the first states -> explicit engine with the symmetry
 * that was found. Wrong input must be refused with a diagnostic; nothing may crash, hang, or differ. The rooms abort on
 * a broken invariant, which is what the fuzzer looks for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "ir/validate.h"
#include "ir/walk.h"
#include "lang/murphi/murphi.h"
#include "lockstep.h"

enum { MAX_STATES = 200, MAX_DEPTH = 20, MAX_CELLS = 2000, MAX_LOOP = 50, LOCKSTEP_STATES = 10 };
static const uint64_t MAX_INSTANCES = 500, MAX_ROUNDS = 1000000;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void insist(bool good, const struct failure *failure)
{
    if (good)
        return;
    fprintf(stderr, "the steppers differ: %s\n", text_chars(&failure->what));
    abort();
}

/* How often the loops of a system go round if all of them were nested: an upper bound, up to MAX_ROUNDS. */
struct rounds {
    uint64_t product;
};

static void multiply_rounds(struct rounds *rounds, const struct domain *domain)
{
    uint64_t size = MAX_ROUNDS;
    if (domain->type)
        size = domain->type->size;
    else if (domain->from && domain->from->kind == EXPR_CONST && domain->to->kind == EXPR_CONST)
        size = (uint64_t)llabs(domain->to->value / 2 - domain->from->value / 2) * 2 + 2;
    rounds->product *= size < MAX_ROUNDS ? size + 1 : MAX_ROUNDS;
    if (rounds->product > MAX_ROUNDS)
        rounds->product = MAX_ROUNDS;
}

static bool count_stmt(void *user, const struct stmt *stmt)
{
    if (stmt->kind == STMT_FOR)
        multiply_rounds(user, &stmt->domain);
    if (stmt->kind == STMT_WHILE)
        multiply_rounds(user, &(struct domain){.type = &(const struct type){.size = MAX_LOOP}});
    return true;
}

static bool count_expr(void *user, const struct expr *expr)
{
    if (expr->kind == EXPR_QUANTIFIER)
        multiply_rounds(user, &expr->domain);
    return true;
}

static bool has_short_loops(const struct system *system)
{
    struct rounds rounds = {1};
    struct walker walker = {.on_stmt = count_stmt, .on_expr = count_expr, .user = &rounds};
    for (size_t i = 0; i < system->rules.count; i++)
        walk_rule(&walker, system->rules.items[i]);
    for (size_t i = 0; i < system->starts.count; i++)
        walk_rule(&walker, system->starts.items[i]);
    for (size_t i = 0; i < system->functions.count; i++)
        walk_block(&walker, &system->functions.items[i]->body);
    for (size_t i = 0; i < system->properties.count; i++)
        if (system->properties.items[i]->formula)
            walk_expr(&walker, system->properties.items[i]->formula);
    return rounds.product < MAX_ROUNDS;
}

/* Is it worth running? Loops and types may be as large as the language allows; that is not what is tested here. */
static bool is_small(const struct system *system)
{
    uint64_t instances = 0;
    if (system->memory_cells > MAX_CELLS || !has_short_loops(system))
        return false;
    for (size_t i = 0; i < system->rules.count && instances <= MAX_INSTANCES; i++)
        instances += system->rules.items[i]->instance_count;
    for (size_t i = 0; i < system->starts.count && instances <= MAX_INSTANCES; i++)
        instances += system->starts.items[i]->instance_count;
    return instances <= MAX_INSTANCES;
}

/* A bounded number of start states, and what follows from them. */
static void step_together(const struct layout *layout)
{
    struct lockstep lockstep = lockstep_create(layout, stepper_create_vm(layout->system, layout));
    struct failure failure = {0};
    struct stepper *stepper = stepper_create_evaluator(layout->system, layout);
    struct step step;
    enum step_outcome outcome;
    unsigned states = 0;
    insist(lockstep_starts(&lockstep, &failure), &failure);
    stepper_begin_starts(stepper);
    while ((outcome = stepper_next(stepper, &step)) != STEP_END && states < LOCKSTEP_STATES) {
        if (outcome != STEP_STATE)
            continue;
        states++;
        insist(lockstep_state(&lockstep, step.cells, &failure), &failure);
    }
    stepper_destroy(stepper);
    lockstep_destroy(&lockstep);
}

static void check(struct system *system)
{
    struct engine_options options = {.keep_going = true};
    options.limits = (struct limits){.memory_bytes = (uint64_t)64 << 20, .states = MAX_STATES, .seconds = 0.2,
                                     .depth = MAX_DEPTH};
    struct layout *layout = layout_create(system);
    struct symmetry *symmetry = symmetry_find(system);
    step_together(layout);
    if (!engine_explicit.supports(system, NULL, NULL)) {
        struct result *result = engine_explicit.run(layout, symmetry, &options);
        if (result->is_complete)
            ctl_decide(layout, symmetry, &options, result);
        result_destroy(result);
    }
    symmetry_destroy(symmetry);
    layout_destroy(layout);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct source *source = source_from_text("fuzz.m", (const char *)data, size);
    struct diagnostics diagnostics = {0};
    struct reading options = {0};
    struct system *system = murphi_read(source, &options, &diagnostics);
    if (system) {
        const char *broken_promise = ir_validate(system);
        if (broken_promise) {
            fprintf(stderr, "ir_validate: %s\n", broken_promise);
            abort();
        }
        system->loop_limit = MAX_LOOP;
        if (is_small(system))
            check(system);
        system_destroy(system);
    } else if (!diagnostics.errors) {
        fprintf(stderr, "refused without a diagnostic\n");
        abort();
    }
    struct text text = {0};
    diag_print(&diagnostics, &text);
    text_free(&text);
    diag_free(&diagnostics);
    source_free(source);
    return 0;
}
