#include "verify/check.h"

#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "exec/conditions.h"
#include "ir/instance.h"
#include "verify/automorphism.h"
#include "verify/canonical.h"
#include "base/sorted.h"

struct verification {
    struct certificate *certificate;
    const struct layout *layout;
    const struct system *system;
    const struct verify_options *options;
    struct verify_answer *answer;
    struct stepper *stepper, *judge;   /* the evaluator: for steps, and for formulas */
    struct canonical *canonical;       /* NULL: the group is trivial */
    struct automorphism *automorphism; /* likewise */
    struct sorted *known;              /* representatives of R */
    struct sorted *reached;            /* of start states and successors; NULL: each is looked up at once */
    const uint64_t *missing;           /* looked for: which step leads there? NULL: nothing is */
    int32_t *cells;                    /* the state of R that is looked at */
    uint64_t *packed, *image;
    uint64_t number; /* of it; 0: start states */
};

bool verify_covers(const struct property *property)
{
    if (property->refusal)
        return false;
    return property->kind == PROPERTY_INVARIANT || property->kind == PROPERTY_ASSUMPTION ||
           property->kind == PROPERTY_ASSERTION || property->kind == PROPERTY_ERROR ||
           property->kind == PROPERTY_RUNTIME || property->kind == PROPERTY_DEADLOCK;
}

/* "state 7: " and what is wrong, then the state. Not when the time is up, which goes_on says next: a step or a
 * representative that was cut in the middle says nothing about the certificate. */
static bool reject(struct verification *verification, const struct step *step, const char *format, ...)
{
    struct text *reason = &verification->answer->reason;
    va_list arguments;
    if (verification->answer->outcome != VERIFY_ACCEPTED || watch_is_up())
        return false;
    verification->answer->outcome = VERIFY_REJECTED;
    if (verification->number)
        text_format(reason, "state %" PRIu64 ": ", verification->number);
    if (step && step->rule) {
        text_append(reason, verification->number ? "rule \"" : "start state \"");
        instance_print(step->rule, step->instance, reason);
        text_append(reason, "\" ");
    }
    va_start(arguments, format);
    text_vformat(reason, format, arguments);
    va_end(arguments);
    if (verification->number) {
        text_append(reason, "; in the state");
        layout_print_state(verification->layout, verification->cells, reason);
    }
    if (step && step->cells) {
        text_append(reason, verification->number ? "\n  the step leads to" : "; the state");
        layout_print_state(verification->layout, step->cells, reason);
    }
    return false;
}

static bool give_up(struct verification *verification, const char *why)
{
    if (verification->answer->outcome == VERIFY_ACCEPTED) {
        verification->answer->outcome = VERIFY_OPEN;
        text_append(&verification->answer->reason, why);
    }
    return false;
}

static bool goes_on(struct verification *verification, const char *what)
{
    if (watch_is_up()) {
        struct stop stop = watch_stop(watch_of_thread);
        give_up(verification, "");
        stop_print(&stop, &verification->answer->reason);
        stop_free(&stop);
    } else if (verification->options->progress && verification->number % 256 == 0)
        verification->options->progress(verification->options->progress_user, what, verification->number,
                                        verification->certificate->file.count);
    return verification->answer->outcome == VERIFY_ACCEPTED;
}

/* The representative of a state: where all of an orbit have the same, that is what the states are compared by. */
static void represent(struct verification *verification, const int32_t *cells, uint64_t *packed)
{
    if (verification->canonical)
        canonical_pack(verification->canonical, cells, packed);
    else
        layout_pack(verification->layout, cells, packed);
}

/* The next state of R. */
static bool next_state(struct verification *verification)
{
    if (!sealed_next(&verification->certificate->file, verification->packed))
        return verification->certificate->file.is_broken &&
               give_up(verification, "the certificate cannot be read to its end, or has changed");
    verification->number++;
    if (layout_read(verification->layout, verification->packed, verification->cells))
        return true;
    verification->answer->outcome = VERIFY_REJECTED;
    text_format(&verification->answer->reason, "state %" PRIu64 " of the certificate is none of the model",
                verification->number);
    return false;
}

/* The set of representatives of R, and the values that occur in it. */
static bool read_states(struct verification *verification)
{
    sealed_rewind(&verification->certificate->file);
    verification->number = 0;
    while (goes_on(verification, "reading") && next_state(verification)) {
        if (verification->automorphism)
            automorphism_note(verification->automorphism, verification->cells);
        represent(verification, verification->cells, verification->image);
        if (!sorted_add(verification->known, verification->image))
            return give_up(verification, sorted_failure(verification->known));
    }
    if (!sorted_finish(verification->known))
        return give_up(verification, sorted_failure(verification->known));
    verification->answer->states = verification->number;
    return verification->answer->outcome == VERIFY_ACCEPTED;
}

static bool reject_fault(struct verification *verification, const struct step *step, const struct fault *fault,
                         const struct property *property)
{
    struct text words = {0};
    fault_print(fault, &words);
    reject(verification, step, "fails: %s (%s%s%s)", text_chars(&words), property_kind_name(property->kind),
           property->name ? " " : "", property->name ? property->name : "");
    text_free(&words);
    return false;
}

/* Does the state count? One that breaks an assumption does not; an assumption that cannot be evaluated is violated. */
static bool is_granted(struct verification *verification, const struct step *step)
{
    enum truth truth;
    struct fault fault = {0};
    const struct property *breach = conditions_breach(verification->judge, step->cells, &truth, &fault);
    if (breach && truth == TRUTH_FAULT)
        reject_fault(verification, step, &fault, breach);
    return !breach;
}

/* A start state or successor: it must be in U. */
static bool arrive(struct verification *verification, const struct step *step)
{
    if (!is_granted(verification, step))
        return verification->answer->outcome == VERIFY_ACCEPTED;
    represent(verification, step->cells, verification->image);
    bool is_found;
    if (verification->missing)
        is_found = sorted_compare(verification->missing, verification->image, verification->layout->words) != 0;
    else if (verification->reached)
        return sorted_add(verification->reached, verification->image) ||
               give_up(verification, sorted_failure(verification->reached));
    else
        is_found = sorted_has(verification->known, verification->image);
    return is_found || reject(verification, step,
                              verification->number ? "leads out of the certificate" : "is not in the certificate");
}

static bool check_starts(struct verification *verification)
{
    struct step step = {0};
    enum step_outcome outcome;
    verification->number = 0;
    stepper_begin_starts(verification->stepper);
    while (goes_on(verification, "start states") &&
           (outcome = stepper_next(verification->stepper, &step)) != STEP_END) {
        verification->answer->starts += outcome == STEP_STATE && !verification->missing;
        if (outcome == STEP_FAULT)
            reject_fault(verification, &step, &step.fault, step.fault.property);
        else if (outcome == STEP_STATE)
            arrive(verification, &step);
    }
    return goes_on(verification, "start states");
}

static void check_invariants(struct verification *verification)
{
    for (size_t p = 0; p < verification->system->properties.count && !verification->missing; p++) {
        const struct property *property = verification->system->properties.items[p];
        struct fault fault = {0};
        if (property->kind != PROPERTY_INVARIANT || !property->formula)
            continue;
        enum truth truth = stepper_holds(verification->judge, property, verification->cells, &fault);
        if (truth == TRUTH_FAULT)
            reject_fault(verification, NULL, &fault, property);
        else if (truth == TRUTH_FALSE)
            reject(verification, NULL, "invariant \"%s\" is false", property->name);
    }
}

/* Deadlocks as the explicit engine has them: a step that an assume statement discards is none; one that fails, or leads
 * to a state that breaks an assumption, is one. */
static void check_state(struct verification *verification)
{
    struct step step = {0};
    enum step_outcome outcome;
    enum certified_deadlock mode = verification->certificate->deadlock;
    bool is_alive = mode == CERTIFIED_OFF;
    check_invariants(verification);
    stepper_begin_successors(verification->stepper, verification->cells);
    while (verification->answer->outcome == VERIFY_ACCEPTED &&
           (outcome = stepper_next(verification->stepper, &step)) != STEP_END) {
        bool is_other =
            outcome != STEP_STATE || step_is_other(&step, verification->cells, verification->layout->cell_count);
        is_alive |= outcome != STEP_DISCARDED && (is_other || mode == CERTIFIED_STUCK);
        verification->answer->transitions += outcome == STEP_STATE && !verification->missing;
        if (outcome == STEP_FAULT)
            reject_fault(verification, &step, &step.fault, step.fault.property);
        else if (outcome == STEP_STATE && is_other)
            arrive(verification, &step);
    }
    if (!is_alive && !watch_is_up() && !conditions_allow_end(verification->judge, verification->cells))
        reject(verification, NULL, "this is a deadlock");
}

static bool check_states(struct verification *verification)
{
    sealed_rewind(&verification->certificate->file);
    verification->number = 0;
    while (goes_on(verification, "checking") && next_state(verification))
        check_state(verification);
    return goes_on(verification, "checking");
}

/* Two sorted sets: what is reached must be known. If it is not, which step leads there is found in a second pass. */
static bool compare_sets(struct verification *verification)
{
    bool is_broken = false;
    if (!sorted_finish(verification->reached))
        return give_up(verification, sorted_failure(verification->reached));
    verification->missing = sorted_next_missing(verification->reached, verification->known, &is_broken);
    if (verification->missing)
        return check_starts(verification) && check_states(verification) && give_up(verification, "a state is missing");
    return is_broken ? give_up(verification, "a temporary file cannot be read") : goes_on(verification, "comparing");
}

static bool check_group(struct verification *verification)
{
    struct verify_answer *answer = verification->answer;
    if (!verification->canonical || !answer->states) /* of no states there are no images */
        return true;
    answer->outcome = automorphism_check(verification->automorphism, &answer->reason);
    return answer->outcome == VERIFY_ACCEPTED;
}

static void note_passed(void *user, const int32_t *cells)
{
    const struct verification *verification = user;
    automorphism_note(verification->automorphism, cells);
}

/* Diagrams and what the evaluator needs take memory, too. */
static uint64_t memory_of_sets(const struct verify_options *options)
{
    return options->memory_bytes / 4 * 3;
}

/* The group comes first, because a wrong one is the better reason for rejection. Where steps pass through states, the
 * values that occur there are known only after all steps: then it comes last. */
static bool check_all(struct verification *verification)
{
    bool passes = verification->automorphism && system_has_macro_steps(verification->system);
    bool is_good = read_states(verification) && (passes || check_group(verification));
    if (is_good && !sorted_is_here(verification->known))
        verification->reached = sorted_create(verification->layout->words, memory_of_sets(verification->options),
                                              verification->options->folder);
    verification->answer->has_spilled = verification->reached != NULL;
    if (passes) {
        verification->stepper->on_passed = note_passed;
        verification->stepper->on_passed_user = verification;
    }
    return is_good && check_starts(verification) && check_states(verification) &&
           (!passes || check_group(verification)) && (!verification->reached || compare_sets(verification));
}

/* NULL, or why it cannot be about the model. */
static const char *find_flaw(struct verification *verification)
{
    struct certificate *certificate = verification->certificate;
    const struct layout *layout = verification->layout;
    if (system_has_probabilities(layout->system) || layout->system->is_unbounded)
        return "it is about single states and steps, and the model about probabilities or any number of threads";
    if (certificate->cells != layout->cell_count || certificate->words != layout->words)
        return "its states are not those of the model";
    if (!certificate->action.factors.count)
        return NULL;
    const char *flaw = action_prepare(&certificate->action, layout);
    if (!flaw)
        verification->canonical = canonical_create(&certificate->action, layout, &flaw);
    if (!flaw)
        verification->automorphism = automorphism_create(&certificate->action, layout);
    return flaw;
}

void verify_certificate(struct certificate *certificate, const struct layout *layout,
                        const struct verify_options *options, struct verify_answer *answer)
{
    struct verification verification = {.certificate = certificate, .layout = layout, .options = options};
    struct arena *arena = certificate->action.arena;
    verification.system = layout->system;
    verification.answer = answer;
    *answer = (struct verify_answer){.outcome = VERIFY_ACCEPTED};
    const char *flaw = find_flaw(&verification);
    if (flaw) {
        answer->outcome = VERIFY_REJECTED;
        text_append(&answer->reason, flaw);
        return;
    }
    verification.stepper = stepper_create_evaluator(layout->system, layout);
    verification.judge = stepper_create_evaluator(layout->system, layout);
    verification.stepper->is_watched = true;
    verification.known = sorted_create(layout->words, memory_of_sets(options), options->folder);
    verification.cells = ARENA_ARRAY(arena, int32_t, layout->cell_count + 1);
    verification.packed = ARENA_ARRAY(arena, uint64_t, layout->words);
    verification.image = ARENA_ARRAY(arena, uint64_t, layout->words);
    check_all(&verification);
    stepper_destroy(verification.stepper);
    stepper_destroy(verification.judge);
    sorted_destroy(verification.known);
    if (verification.reached)
        sorted_destroy(verification.reached);
    if (verification.canonical)
        canonical_destroy(verification.canonical);
    if (verification.automorphism)
        automorphism_destroy(verification.automorphism);
}
