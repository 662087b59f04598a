#include "judge.h"

#include <string.h>

#include "ir/ctl.h"
#include "symmetry/failures.h"

void configuration_print(const struct configuration *configuration, struct text *out)
{
    static const char *const steppers[] = {"auto", "native", "vm", "evaluator"};
    static const char *const deadlocks[] = {"stuttering", "stuck", "off"};
    const struct engine_options *options = &configuration->options;
    if (configuration->name) {
        text_format(out, "%s, deadlock %s%s", configuration->name, deadlocks[options->deadlock],
                    options->keep_going ? ", keep going" : "");
        return;
    }
    text_format(out, "%s, symmetry %s, %s, %s, deadlock %s%s", configuration->engine->name,
                configuration->has_symmetry ? "on" : "off", options->order == SEARCH_BREADTH_FIRST ? "bfs" : "dfs",
                steppers[options->stepper], deadlocks[options->deadlock], options->keep_going ? ", keep going" : "");
    if (configuration->loader_cells)
        text_format(out, ", states of %s cells are loaded", configuration->loader_cells);
    if (options->threads > 1)
        text_format(out, ", %u threads", options->threads);
    if (options->store == STORE_PLAIN || options->hash_compact)
        text_append(out, options->hash_compact ? ", fingerprints" : ", plain store");
    if (options->representative != REPRESENTATIVE_AUTO)
        text_format(out, ", %s", representative_names[options->representative]);
    if (configuration->is_limited)
        text_format(out, ", at most %llu states, depth %u, %llu bytes (0: no limit)",
                    (unsigned long long)options->limits.states, options->limits.depth,
                    (unsigned long long)options->limits.memory_bytes);
    if (configuration->tells_all)
        text_append(out, options->method == METHOD_STANDARD ? ", standard" : ", adaptive");
}

/* Everything that judging one property takes. */
struct trial {
    struct plain *plain;
    const struct configuration *configuration;
    const struct result *result;
    const struct property *property;
    const struct property_result *answer;
    const struct plain_property *truth;
    struct failure *failure;
};

static bool fail_property(const struct trial *trial, const char *what)
{
    return failure_set(trial->failure, "%s \"%s\": %s (verdict %d%s%s; plain exploration: %s, length %d)",
                       property_kind_name(trial->property->kind), trial->property->name, what, trial->answer->verdict,
                       trial->answer->reason ? ", " : "", trial->answer->reason ? trial->answer->reason : "",
                       trial->truth->is_shown ? "shown" : "not shown", (int)trial->truth->length);
}

/* One step of a trace, found again among what the plain explorer's stepper offers. */
static bool replay_step(const struct trial *trial, const struct trace_step *wanted)
{
    struct stepper *stepper = trial->plain->stepper;
    size_t size = trial->plain->layout->cell_count * sizeof(int32_t);
    struct step step;
    enum step_outcome outcome;
    while ((outcome = stepper_next(stepper, &step)) != STEP_END) {
        if (step.rule != wanted->rule || step.instance != wanted->instance)
            continue;
        bool is_state = wanted->cells && outcome == STEP_STATE && !memcmp(step.cells, wanted->cells, size);
        if (system_has_macro_steps(trial->plain->system) && !is_state && (wanted->cells || outcome != STEP_FAULT))
            continue; /* the instance begins several steps */
        if (wanted->cells)
            return is_state;
        return outcome == STEP_FAULT && step.fault.kind == wanted->fault.kind &&
               step.fault.property == wanted->fault.property;
    }
    return false;
}

static bool replay_trace(const struct trial *trial, const struct trace *trace)
{
    if (!trace->count)
        return fail_property(trial, "an empty trace");
    for (uint32_t i = 0; i < trace->count; i++) {
        const struct trace_step *step = &trace->steps[i];
        if (!step->cells && i + 1 < trace->count)
            return fail_property(trial, "a trace that faults before its end");
        if (i == 0)
            stepper_begin_starts(trial->plain->stepper);
        else
            stepper_begin_successors(trial->plain->stepper, trace->steps[i - 1].cells);
        if (!replay_step(trial, step))
            return fail_property(trial, "a trace that does not replay");
        if (step->cells && plain_find(trial->plain, step->cells) == PLAIN_NONE &&
            !(i + 1 == trace->count && trial->property->kind == PROPERTY_ASSUMPTION))
            return fail_property(trial, "a trace through a state that is not reachable");
    }
    return true;
}

static bool is_temporal(const struct property *property)
{
    return property->kind == PROPERTY_CTL || property->kind == PROPERTY_LTL;
}

/* Does the end of the trace show what it should? */
static bool judge_end(const struct trial *trial, const struct trace *trace)
{
    const struct trace_step *last = &trace->steps[trace->count - 1];
    const struct property *property = trial->property;
    if (!last->cells)
        return last->fault.property == property || (property->kind == PROPERTY_COVER && !property->formula) ||
               fail_property(trial, "the trace ends in another property's fault");
    struct fault fault = {0};
    switch (property->kind) {
    case PROPERTY_INVARIANT:
    case PROPERTY_ASSUMPTION:
        return stepper_holds(trial->plain->judge, property, last->cells, &fault) != TRUTH_TRUE ||
               fail_property(trial, "the formula holds at the end of the trace");
    case PROPERTY_COVER: /* never met, but with a trace: the formula cannot be evaluated there */
        return !property->formula ||
               stepper_holds(trial->plain->judge, property, last->cells, &fault) ==
                   (trial->answer->verdict == VERDICT_VIOLATED ? TRUTH_FAULT : TRUTH_TRUE) ||
               fail_property(trial, "the goal is not met at the end of the trace");
    case PROPERTY_DEADLOCK:
        return (plain_is_deadlock(trial->plain, last->cells, trial->configuration->options.deadlock) &&
                !plain_may_end(trial->plain, last->cells)) ||
               fail_property(trial, "no deadlock at the end of the trace");
    case PROPERTY_LTL:
    case PROPERTY_CTL: /* what a run says of such a formula is checked by the driver */
        return true;
    case PROPERTY_LIVENESS:
        return trial->truth->has_fault || trial->truth->stuck[plain_find(trial->plain, last->cells)] ||
               fail_property(trial, "the goal can be reached from the end of the trace");
    default:
        return fail_property(trial, "the trace does not end in a fault");
    }
}

static bool is_fault(const struct property *property)
{
    return property->kind == PROPERTY_ASSERTION || property->kind == PROPERTY_ERROR ||
           property->kind == PROPERTY_RUNTIME;
}

/* With symmetry one failure may hide another in the same loop over an index type; the engine may then leave the other
 * open, but only if there is a failure. */
static bool may_be_hidden(const struct trial *trial)
{
    bool has_fault = false;
    for (size_t i = 0; i < trial->plain->system->properties.count; i++)
        has_fault |= is_fault(trial->plain->system->properties.items[i]) && trial->plain->properties[i].is_shown;
    return trial->configuration->has_symmetry && has_fault && is_fault(trial->property);
}

/* Then a run to a failure of another property need not be the shortest: where it failed first, it was hidden. */
static bool may_be_late(const struct trial *trial)
{
    bool has_earlier = false;
    for (size_t i = 0; i < trial->plain->system->properties.count; i++) {
        const struct plain_property *other = &trial->plain->properties[i];
        has_earlier |= other != trial->truth && is_fault(trial->plain->system->properties.items[i]) &&
                       other->is_shown && other->length <= trial->truth->length;
    }
    return may_be_hidden(trial) && has_earlier && failures_can_hide(trial->plain->system);
}

static bool judge_trace(const struct trial *trial)
{
    const struct trace *trace = trial->answer->trace;
    bool is_cover = trial->property->kind == PROPERTY_COVER, is_ctl = is_temporal(trial->property);
    if (!trace)
        return is_cover || is_ctl || trial->answer->verdict != VERDICT_VIOLATED || fail_property(trial, "no trace");
    if (trace->layout == trial->plain->layout && (!replay_trace(trial, trace) || !judge_end(trial, trace)))
        return false;
    if (is_ctl || (is_cover && trial->answer->verdict == VERDICT_VIOLATED))
        return true;
    if (trial->configuration->options.order == SEARCH_BREADTH_FIRST && !trial->configuration->is_roundabout &&
        trace->count != trial->truth->length && !may_be_late(trial))
        return fail_property(trial, "not a shortest trace");
    return trace->count >= trial->truth->length || fail_property(trial, "a trace shorter than the shortest");
}

/* It says that it cannot tell: counters take an exchange of processes for stuttering, and not every formula can be
 * translated. */
static bool is_left_out(const struct trial *trial)
{
    const char *reason = trial->answer->reason ? trial->answer->reason : "";
    bool is_ctl = is_temporal(trial->property);
    bool is_excused =
        ((is_ctl || trial->property->kind == PROPERTY_DEADLOCK) && strstr(reason, "exchange processes")) ||
        (is_ctl && strstr(reason, "counter abstraction"));
    return trial->configuration->may_leave && trial->answer->verdict == VERDICT_UNKNOWN &&
           (trial->answer->is_left_out || is_excused);
}

bool judge_is_late(const struct property_result *answer)
{
    return answer->verdict == VERDICT_UNKNOWN && answer->reason && !strncmp(answer->reason, "interrupted", 11);
}

/* Formulas of branching time come last: not after a violation. */
static bool is_put_off(const struct trial *trial)
{
    bool is_violated = false;
    for (size_t i = 0; i < trial->plain->system->properties.count; i++)
        is_violated |= trial->result->checked[i] && trial->result->properties[i].verdict == VERDICT_VIOLATED;
    return is_violated && is_temporal(trial->property);
}

/* A run meets a limit of the tool, and ends there: the rest of the model is not seen. */
static bool is_bounded(const struct plain *plain)
{
    bool is_bounded = false;
    for (size_t i = 0; i < plain->system->properties.count; i++)
        is_bounded |= plain->system->properties.items[i]->bound && plain->properties[i].is_shown;
    return is_bounded;
}

/* After that only what a run shows is known. A search that goes on finds each violation that is a single state. */
static bool judge_bounded(const struct trial *trial)
{
    bool is_cover = trial->property->kind == PROPERTY_COVER, is_ctl = is_temporal(trial->property);
    bool is_seen =
        trial->truth->is_shown && !trial->property->bound && !is_ctl && trial->property->kind != PROPERTY_LIVENESS;
    if (trial->answer->verdict == VERDICT_UNKNOWN)
        return !is_seen || !trial->configuration->options.keep_going || trial->configuration->is_limited ||
               may_be_hidden(trial) || is_left_out(trial) || judge_is_late(trial->answer) ||
               fail_property(trial, "not decided, though a run shows it");
    if (trial->property->bound || (trial->answer->verdict == VERDICT_VIOLATED) == is_cover)
        return fail_property(trial, "decided beyond a limit of the tool");
    if (!trial->truth->is_shown)
        return fail_property(trial, "a wrong verdict");
    return judge_trace(trial);
}

/* An invariant that is called vacuous: its antecedent is false in every state. */
static bool judge_vacuity(const struct trial *trial)
{
    const struct plain *plain = trial->plain;
    const struct proposition *antecedent = trial->property->antecedent;
    bool is_everywhere = true;
    if (trial->property->ctl || trial->property->ltl)
        ctl_antecedent(trial->property->ctl ? trial->property->ctl : trial->property->ltl, &is_everywhere);
    bool is_claimed = antecedent && is_everywhere && trial->answer->is_vacuous && !trial->answer->is_runless &&
                      trial->answer->verdict == VERDICT_HOLDS;
    int32_t *cells = memory_zeroed((size_t)plain->layout->cell_count + 1, sizeof *cells);
    bool is_right = true;
    for (uint32_t s = 0; is_claimed && is_right && s < plain_count(plain); s++) {
        struct fault fault = {0};
        plain_cells(plain, s, cells);
        is_right = stepper_judge(plain->judge, antecedent, cells, NULL, &fault) == TRUTH_FALSE;
    }
    free(cells);
    return is_right || fail_property(trial, "called vacuous, though its antecedent is true somewhere");
}

static bool judge_property(const struct trial *trial)
{
    bool is_cover = trial->property->kind == PROPERTY_COVER;
    bool is_decided = trial->configuration->options.keep_going
                          ? !trial->configuration->is_limited || trial->result->is_complete
                          : trial->result->is_complete && !is_put_off(trial);
    is_decided &= !(trial->configuration->is_limited && is_temporal(trial->property)); /* on a graph of its own */
    bool is_violated = trial->truth->is_shown != is_cover;
    if (trial->answer->reason && strstr(trial->answer->reason, "internal error"))
        return fail_property(trial, "an internal error");
    if (is_bounded(trial->plain))
        return judge_bounded(trial);
    if (trial->answer->verdict == VERDICT_UNKNOWN) {
        if (is_decided && !may_be_hidden(trial) && !is_left_out(trial) && !judge_is_late(trial->answer))
            return fail_property(trial, "not decided");
    } else if ((trial->answer->verdict == VERDICT_VIOLATED) != is_violated)
        return fail_property(trial, "a wrong verdict");
    return judge_trace(trial) && judge_vacuity(trial);
}

/* Skipped: assumptions (they are not claims; only a fault in the formula counts, once it was met), and the deadlock
 * property where the options say so. */
static bool is_judged(const struct trial *trial)
{
    if (trial->property->kind == PROPERTY_DEADLOCK)
        return trial->configuration->options.deadlock != DEADLOCK_OFF;
    if (is_temporal(trial->property) && !trial->configuration->name)
        return false; /* by itself the engine leaves them open */
    if (trial->property->kind == PROPERTY_FAIRNESS || !plain_can_decide(trial->plain, trial->property) ||
        (trial->property->ltl && trial->configuration->options.drops_finite))
        return false;
    if (trial->property->kind == PROPERTY_ASSUMPTION)
        return trial->truth->is_shown && (trial->result->is_complete || trial->result->checked[trial->property->id]);
    return true;
}

bool judge_properties(struct plain *plain, const struct configuration *configuration, const struct result *result,
                      struct failure *failure)
{
    bool some_violated = false, some_found = false, some_unknown = false;
    for (size_t i = 0; i < plain->system->properties.count; i++) {
        const struct property *property = plain->system->properties.items[i];
        some_unknown |= property->kind != PROPERTY_FAIRNESS && !plain_can_decide(plain, property);
        some_unknown |= property->ltl && configuration->options.drops_finite;
        some_unknown |= is_temporal(property) && configuration->is_limited;
        struct trial trial = {.plain = plain,
                              .configuration = configuration,
                              .result = result,
                              .property = property,
                              .answer = &result->properties[i],
                              .truth = plain_outcome(plain, property, configuration->options.deadlock),
                              .failure = failure};
        if (!is_judged(&trial))
            continue;
        if (!result->checked[i])
            return fail_property(&trial, "not checked");
        if (!judge_property(&trial))
            return false;
        some_violated |= trial.truth->is_shown != (property->kind == PROPERTY_COVER) && !is_left_out(&trial) &&
                         !judge_is_late(trial.answer);
        some_found |= trial.answer->verdict == VERDICT_VIOLATED;
    }
    if (!result->is_complete && !stop_is_set(&result->stop))
        return failure_set(failure, "not complete, and nothing says why");
    if (is_bounded(plain))
        return some_found || !result->is_complete ||
               failure_set(failure, "complete, though a limit of the tool was met");
    if (some_unknown || (configuration->is_limited && !result->is_complete))
        return true;
    if (some_violated != some_found)
        return failure_set(failure, "no violation found, though there is one");
    if (!some_violated && !result->is_complete)
        return failure_set(failure, "nothing is violated, and yet the search is not complete");
    return true;
}

static bool same_figure(const char *name, uint64_t left, uint64_t right, struct failure *failure)
{
    return left == right || failure_set(failure, "%s: %llu, plain exploration %llu", name, (unsigned long long)left,
                                        (unsigned long long)right);
}

/* Start states that are not symmetric: orbits hold states that are not reachable, and are met earlier than some of
 * their states. */
static bool judge_free_figures(const struct plain *plain, const struct configuration *configuration,
                               const struct statistics *statistics, struct failure *failure)
{
    uint64_t represented = UINT64_MAX;
    if (statistics->represented && bigint_fits_u64(statistics->represented, &represented) &&
        represented < plain_count(plain) && !configuration->is_limited)
        return failure_set(failure, "fewer states are represented than there are");
    return configuration->options.order != SEARCH_BREADTH_FIRST || statistics->depth <= plain->greatest_depth ||
           failure_set(failure, "it is deeper than plain exploration");
}

static bool judge_figures(const struct plain *plain, const struct configuration *configuration, bool is_free,
                          const struct result *result, const struct stored *stored, struct failure *failure)
{
    const struct statistics *statistics = &result->statistics;
    if (!same_figure("states told to the test", stored->count, statistics->states, failure))
        return false;
    if (!result->is_complete)
        return true;
    uint64_t represented = 0;
    if (is_free && configuration->has_symmetry && !statistics->represented_is_exact)
        return judge_free_figures(plain, configuration, statistics, failure);
    if (configuration->is_limited && !statistics->represented_is_exact) /* no memory to prove it */
        return true;
    if (!bigint_fits_u64(statistics->represented, &represented) || !statistics->represented_is_exact)
        return failure_set(failure, "the number of represented states is not exact");
    if (!same_figure("represented states", represented, plain_count(plain), failure))
        return false;
    if (configuration->options.order == SEARCH_BREADTH_FIRST &&
        !same_figure("depth", statistics->depth, plain->greatest_depth, failure))
        return false;
    return configuration->has_symmetry ||
           (same_figure("states", statistics->states, plain_count(plain), failure) &&
            same_figure("rules fired", statistics->rules_fired, plain->rules_fired, failure) &&
            same_figure("transitions", statistics->transitions, plain->transitions, failure));
}

/* Every state told is reachable; after a complete search every reachable one was told. */
static bool judge_told(const struct plain *plain, const struct result *result, const struct stored *stored,
                       struct failure *failure)
{
    bool *is_told = memory_zeroed(plain_count(plain) + 1, sizeof *is_told), is_good = true;
    uint64_t count = 0, represented = 0;
    for (uint64_t i = 0; i < stored->count && is_good; i++) {
        uint32_t state = plain_find_packed(plain, stored->words.items + i * plain->layout->words);
        if (state == PLAIN_NONE)
            is_good = failure_set(failure, "a state is represented that is not reachable");
        else if (!is_told[state])
            count += is_told[state] = true;
    }
    free(is_told);
    if (!is_good || !result->is_complete)
        return is_good;
    if (count != plain_count(plain))
        return failure_set(failure, "%llu states represented, plain exploration %llu", (unsigned long long)count,
                           (unsigned long long)plain_count(plain));
    return !result->statistics.represented_is_exact ||
           (bigint_fits_u64(result->statistics.represented, &represented) && represented == count) ||
           failure_set(failure, "the number of represented states is wrong");
}

/* Several states of an orbit may be stored. */
static bool is_manifold(enum representative representative)
{
    return representative == REPRESENTATIVE_SORTED || representative == REPRESENTATIVE_SEGMENTED ||
           representative == REPRESENTATIVE_LOCAL || representative == REPRESENTATIVE_FIRST;
}

/* Only what was expanded is told; all images are stored. */
static bool judge_flood(struct plain *plain, const struct configuration *configuration, bool is_free,
                        const struct result *result, struct failure *failure)
{
    bool may_be_more = is_free && result->statistics.states > plain_count(plain);
    return (!result->is_complete || may_be_more ||
            same_figure("states", result->statistics.states, plain_count(plain), failure)) &&
           judge_properties(plain, configuration, result, failure);
}

/* Markers may have hidden states: then what it finds is right, and what it does not find says nothing. */
static bool judge_markers(struct plain *plain, const struct configuration *configuration, const struct result *result,
                          const struct orbit_claim *claim, struct failure *failure)
{
    if (result->is_complete && !result->statistics.doubt && configuration->has_symmetry && claim->represented > 0)
        return failure_set(failure, "markers, and no word of doubt");
    struct configuration limited = *configuration;
    limited.is_limited |= claim->represented < plain_count(plain);
    return limited.is_limited || judge_properties(plain, &limited, result, failure);
}

bool judge_result(struct plain *plain, const struct permutations *permutations,
                  const struct configuration *configuration, const struct result *result, const struct stored *stored,
                  struct failure *failure)
{
    enum representative kind = permutations->count > 1 ? configuration->options.representative : REPRESENTATIVE_AUTO;
    struct orbit_claim claim = {.is_complete = result->is_complete && kind != REPRESENTATIVE_MARKERS,
                                .is_unique = !is_manifold(kind)};
    bool is_free = symmetry_picks_starts(permutations->symmetry);
    if (configuration->tells_all)
        return judge_told(plain, result, stored, failure) && judge_properties(plain, configuration, result, failure);
    if (!orbit_check_stored(plain, permutations, stored->words.items, stored->count, &claim, failure))
        return false;
    if (kind == REPRESENTATIVE_MARKERS)
        return judge_markers(plain, configuration, result, &claim, failure);
    if (kind == REPRESENTATIVE_FLOOD)
        return judge_flood(plain, configuration, is_free, result, failure);
    if (is_manifold(kind))
        return judge_properties(plain, configuration, result, failure);
    return judge_figures(plain, configuration, is_free, result, stored, failure) &&
           judge_properties(plain, configuration, result, failure);
}
