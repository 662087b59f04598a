#include "verify/check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "exec/conditions.h"
#include "ir/instance.h"
#include "verify/automorphism.h"
#include "verify/canonical.h"
#include "verify/stateset.h"

struct checker {
    struct certificate *certificate;
    const struct layout *layout;
    const struct system *system;
    const struct verify_options *options;
    struct verify_answer *answer;
    struct stepper *stepper, *judge; /* the evaluator: for steps, and for formulas */
    struct canonical *canonical;     /* NULL: the group is trivial */
    struct stateset *known;          /* representatives of R */
    struct stateset *reached;        /* of start states and successors; NULL: each is looked up at once */
    const uint64_t *missing;         /* looked for: which step leads there? NULL: nothing is */
    int32_t *cells;                  /* the state of R that is looked at */
    uint64_t *packed, *image;
    uint64_t number; /* of it; 0: start states */
};

bool verify_covers(const struct property *property)
{
    return property->kind == PROPERTY_INVARIANT || property->kind == PROPERTY_ASSUMPTION ||
           property->kind == PROPERTY_ASSERTION || property->kind == PROPERTY_ERROR ||
           property->kind == PROPERTY_RUNTIME || property->kind == PROPERTY_DEADLOCK;
}

static void print_state(const struct layout *layout, const int32_t *cells, struct text *out)
{
    for (uint32_t c = 0; c < layout->cell_count; c++) {
        if (!layout->cells[c].type || cells[c] == UNDEFINED || system_is_internal_cell(layout->system, c))
            continue;
        text_append(out, "\n    ");
        layout_cell_name(layout, c, out);
        text_append(out, " = ");
        type_print_value(layout->cells[c].type, cells[c], out);
    }
}

/* "state 7: " and what is wrong, then the state. */
static bool reject(struct checker *checker, const struct step *step, const char *format, ...)
{
    struct text *reason = &checker->answer->reason;
    va_list arguments;
    if (checker->answer->outcome != VERIFY_ACCEPTED)
        return false;
    checker->answer->outcome = VERIFY_REJECTED;
    if (checker->number)
        text_format(reason, "state %" PRIu64 ": ", checker->number);
    if (step && step->rule) {
        text_append(reason, checker->number ? "rule \"" : "start state \"");
        instance_print(step->rule, step->instance, reason);
        text_append(reason, "\" ");
    }
    va_start(arguments, format);
    text_vformat(reason, format, arguments);
    va_end(arguments);
    if (checker->number) {
        text_append(reason, "; in the state");
        print_state(checker->layout, checker->cells, reason);
    }
    if (step && step->cells) {
        text_append(reason, checker->number ? "\n  the step leads to" : "; the state");
        print_state(checker->layout, step->cells, reason);
    }
    return false;
}

static bool give_up(struct checker *checker, const char *why)
{
    if (checker->answer->outcome == VERIFY_ACCEPTED) {
        checker->answer->outcome = VERIFY_OPEN;
        text_append(&checker->answer->reason, why);
    }
    return false;
}

static bool goes_on(struct checker *checker, const char *what)
{
    if (watch_is_up()) {
        struct stop stop = watch_stop(watch_of_thread);
        struct text why = {0};
        stop_print(&stop, &why);
        stop_free(&stop);
        give_up(checker, text_chars(&why));
        text_free(&why);
    } else if (checker->options->progress && checker->number % 256 == 0)
        checker->options->progress(checker->options->progress_user, what, checker->number, checker->certificate->count);
    return checker->answer->outcome == VERIFY_ACCEPTED;
}

/* The representative of a state: where all of an orbit have the same, that is what the states are compared by. */
static void represent(struct checker *checker, const int32_t *cells, uint64_t *packed)
{
    if (checker->canonical)
        canonical_pack(checker->canonical, cells, packed);
    else
        layout_pack(checker->layout, cells, packed);
}

/* The next state of R: each cell must have a value, and multisets be in order. */
static bool next_state(struct checker *checker)
{
    if (!certificate_next(checker->certificate, checker->packed))
        return false;
    checker->number++;
    for (uint32_t c = 0; c < checker->layout->cell_count; c++) {
        const struct cell *cell = &checker->layout->cells[c];
        uint64_t value = checker->packed[cell->word] >> cell->shift & ((UINT64_C(1) << cell->bits) - 1);
        if (cell->type && value > cell->type->size)
            goto damaged;
    }
    layout_unpack(checker->layout, checker->packed, checker->cells);
    layout_pack(checker->layout, checker->cells, checker->image);
    if (layout_is_normal(checker->layout, checker->cells) &&
        !stateset_compare(checker->image, checker->packed, checker->layout->words))
        return true;
damaged:
    checker->answer->outcome = VERIFY_REJECTED;
    text_format(&checker->answer->reason, "state %" PRIu64 " of the certificate is none of the model", checker->number);
    return false;
}

static void begin_states(struct checker *checker)
{
    certificate_rewind(checker->certificate);
    checker->number = 0;
}

/* The set of representatives of R, and the values that occur in it. */
static bool read_states(struct checker *checker, struct values *values)
{
    begin_states(checker);
    while (goes_on(checker, "reading") && next_state(checker)) {
        if (checker->canonical)
            values_note(values, checker->cells);
        represent(checker, checker->cells, checker->image);
        if (!stateset_add(checker->known, checker->image))
            return give_up(checker, strerror(errno));
    }
    if (!stateset_finish(checker->known))
        return give_up(checker, strerror(errno));
    checker->answer->states = checker->number;
    return checker->answer->outcome == VERIFY_ACCEPTED;
}

static bool reject_fault(struct checker *checker, const struct step *step, const struct fault *fault,
                         const struct property *property)
{
    struct text words = {0};
    fault_print(fault, &words);
    reject(checker, step, "fails: %s (%s%s%s)", text_chars(&words), property_kind_name(property->kind),
           property->name ? " " : "", property->name ? property->name : "");
    text_free(&words);
    return false;
}

/* Does the state count? One that breaks an assumption does not; an assumption that cannot be evaluated is violated. */
static bool is_granted(struct checker *checker, const struct step *step)
{
    enum truth truth;
    struct fault fault = {0};
    const struct property *breach = conditions_breach(checker->judge, step->cells, &truth, &fault);
    if (breach && truth == TRUTH_FAULT)
        reject_fault(checker, step, &fault, breach);
    return !breach;
}

/* A start state or successor: it must be in U. */
static bool arrive(struct checker *checker, const struct step *step)
{
    if (!is_granted(checker, step))
        return checker->answer->outcome == VERIFY_ACCEPTED;
    represent(checker, step->cells, checker->image);
    bool is_found;
    if (checker->missing)
        is_found = stateset_compare(checker->missing, checker->image, checker->layout->words) != 0;
    else if (checker->reached)
        return stateset_add(checker->reached, checker->image) || give_up(checker, strerror(errno));
    else
        is_found = stateset_has(checker->known, checker->image);
    return is_found ||
           reject(checker, step, checker->number ? "leads out of the certificate" : "is not in the certificate");
}

static bool check_starts(struct checker *checker)
{
    struct step step = {0};
    enum step_outcome outcome;
    checker->number = 0;
    stepper_begin_starts(checker->stepper);
    while (goes_on(checker, "start states") && (outcome = stepper_next(checker->stepper, &step)) != STEP_END) {
        checker->answer->starts += outcome == STEP_STATE && !checker->missing;
        if (outcome == STEP_FAULT)
            reject_fault(checker, &step, &step.fault, step.fault.property);
        else if (outcome == STEP_STATE)
            arrive(checker, &step);
    }
    return goes_on(checker, "start states");
}

static void check_invariants(struct checker *checker)
{
    for (size_t p = 0; p < checker->system->properties.count && !checker->missing; p++) {
        const struct property *property = checker->system->properties.items[p];
        struct fault fault = {0};
        if (property->kind != PROPERTY_INVARIANT || !property->formula)
            continue;
        enum truth truth = stepper_holds(checker->judge, property, checker->cells, &fault);
        if (truth == TRUTH_FAULT)
            reject_fault(checker, NULL, &fault, property);
        else if (truth == TRUTH_FALSE)
            reject(checker, NULL, "invariant \"%s\" is false", property->name);
    }
}

/* Deadlocks as the explicit engine has them: a step that an assume statement discards is none; one that fails, or leads
 * to a state that breaks an assumption, is one. */
static void check_state(struct checker *checker)
{
    struct step step = {0};
    enum step_outcome outcome;
    enum certified_deadlock mode = checker->certificate->deadlock;
    bool is_alive = mode == CERTIFIED_OFF;
    check_invariants(checker);
    stepper_begin_successors(checker->stepper, checker->cells);
    while (checker->answer->outcome == VERIFY_ACCEPTED &&
           (outcome = stepper_next(checker->stepper, &step)) != STEP_END) {
        bool is_other = outcome != STEP_STATE || step_is_other(&step, checker->cells, checker->layout->cell_count);
        is_alive |= outcome != STEP_DISCARDED && (is_other || mode == CERTIFIED_STUCK);
        checker->answer->transitions += outcome == STEP_STATE && !checker->missing;
        if (outcome == STEP_FAULT)
            reject_fault(checker, &step, &step.fault, step.fault.property);
        else if (outcome == STEP_STATE && is_other)
            arrive(checker, &step);
    }
    if (!is_alive && !watch_is_up() && !conditions_allow_end(checker->judge, checker->cells))
        reject(checker, NULL, "this is a deadlock");
}

static bool check_states(struct checker *checker)
{
    begin_states(checker);
    while (goes_on(checker, "checking") && next_state(checker))
        check_state(checker);
    return goes_on(checker, "checking");
}

/* Two sorted sets: what is reached must be known. If it is not, which step leads there is found in a second pass. */
static bool compare_sets(struct checker *checker)
{
    const uint64_t *known = NULL, *reached;
    bool is_broken = false;
    if (!stateset_finish(checker->reached))
        return give_up(checker, strerror(errno));
    known = stateset_next(checker->known, &is_broken);
    while ((reached = stateset_next(checker->reached, &is_broken)) && !is_broken && !watch_is_up()) {
        while (known && stateset_compare(known, reached, checker->layout->words) < 0)
            known = stateset_next(checker->known, &is_broken);
        if (!is_broken && (!known || stateset_compare(known, reached, checker->layout->words) != 0)) {
            checker->missing = reached;
            return check_starts(checker) && check_states(checker) && give_up(checker, "a state is missing");
        }
    }
    return is_broken ? give_up(checker, "a temporary file cannot be read") : goes_on(checker, "comparing");
}

static bool check_all(struct checker *checker)
{
    struct values *values = values_create(checker->layout);
    struct text why = {0};
    bool is_good = read_states(checker, values);
    if (is_good && checker->canonical && checker->number) { /* of no states there are no images */
        enum verify_outcome outcome = automorphism_check(&checker->certificate->action, checker->layout, values, &why);
        checker->answer->outcome = outcome;
        text_append(&checker->answer->reason, text_chars(&why));
        is_good = outcome == VERIFY_ACCEPTED;
    }
    text_free(&why);
    values_destroy(values);
    if (is_good && !stateset_is_here(checker->known))
        checker->reached =
            stateset_create(checker->layout->words, checker->options->memory_bytes, checker->options->folder);
    checker->answer->has_spilled = checker->reached != NULL;
    return is_good && check_starts(checker) && check_states(checker) && (!checker->reached || compare_sets(checker));
}

void verify_certificate(struct certificate *certificate, const struct layout *layout,
                        const struct verify_options *options, struct verify_answer *answer)
{
    struct checker checker = {
        .certificate = certificate, .layout = layout, .system = layout->system, .options = options, .answer = answer};
    const char *flaw = NULL;
    *answer = (struct verify_answer){.outcome = VERIFY_ACCEPTED};
    if (certificate->cells != layout->cell_count || certificate->words != layout->words)
        flaw = "its states are not those of the model";
    else if (certificate->action.factors.count)
        flaw = action_prepare(&certificate->action, layout);
    if (!flaw && certificate->action.factors.count)
        checker.canonical = canonical_create(&certificate->action, layout, &flaw);
    if (flaw) {
        answer->outcome = VERIFY_REJECTED;
        text_append(&answer->reason, flaw);
        return;
    }
    checker.stepper = stepper_create_evaluator(layout->system, layout);
    checker.judge = stepper_create_evaluator(layout->system, layout);
    checker.stepper->is_watched = true;
    checker.known = stateset_create(layout->words, options->memory_bytes, options->folder);
    checker.cells = memory_zeroed((size_t)layout->cell_count + 1, sizeof *checker.cells);
    checker.packed = memory_zeroed(layout->words, 8);
    checker.image = memory_zeroed(layout->words, 8);
    check_all(&checker);
    stepper_destroy(checker.stepper);
    stepper_destroy(checker.judge);
    stateset_destroy(checker.known);
    if (checker.reached)
        stateset_destroy(checker.reached);
    if (checker.canonical)
        canonical_destroy(checker.canonical);
    free(checker.cells);
    free(checker.packed);
    free(checker.image);
}
