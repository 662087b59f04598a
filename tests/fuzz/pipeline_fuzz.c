/* libFuzzer target: any bytes through the whole pipeline, with tiny limits.
 *
 * Bytes -> front end -> validation -> evaluator and VM side by side on the first states -> explicit engine with the
 * symmetry that was found. Wrong input must be refused with a diagnostic; nothing may crash, hang, or differ. The rooms
 * abort on a broken invariant, which is what the fuzzer looks for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "ir/validate.h"
#include "lang/murphi/murphi.h"
#include "lockstep.h"
#include "small.h"

enum { MAX_STATES = 200, MAX_DEPTH = 20, LOCKSTEP_STATES = 10 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void insist(bool good, const struct failure *failure)
{
    if (good)
        return;
    fprintf(stderr, "the steppers differ: %s\n", text_chars(&failure->what));
    abort();
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
    options.limits =
        (struct limits){.memory_bytes = (uint64_t)64 << 20, .states = MAX_STATES, .seconds = 0.2, .depth = MAX_DEPTH};
    struct layout *layout = layout_create(system);
    struct symmetry *symmetry = symmetry_find(system);
    step_together(layout);
    if (!engine_explicit.supports(system, NULL, NULL)) {
        struct result *result = engine_explicit.run(layout, symmetry, &options);
        if (result->is_complete)
            temporal_decide(layout, symmetry, &options, result);
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
        system->loop_limit = SMALL_LOOP;
        if (system_is_small(system))
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
