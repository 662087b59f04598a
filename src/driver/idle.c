#include "driver/idle.h"

#include "ir/chain.h"
#include "ir/pctl.h"

enum {
    HEEDED_BY_EXPLICIT = 1 << ENGINE_EXPLICIT,
    HEEDED_BY_ADAPTIVE = 1 << ENGINE_ADAPTIVE,
    HEEDED_BY_COMPLETE = 1 << ENGINE_COMPLETE,
    HEEDED_BY_SYMBOLIC = 1 << ENGINE_SYMBOLIC,
    HEEDED_BY_COUNTER = 1 << ENGINE_COUNTER,
    HEEDED_BY_PROBABILISTIC = 1 << ENGINE_PROBABILISTIC,
    HEEDED_BY_ALL = HEEDED_BY_EXPLICIT | HEEDED_BY_ADAPTIVE | HEEDED_BY_COMPLETE | HEEDED_BY_SYMBOLIC |
                    HEEDED_BY_COUNTER | HEEDED_BY_PROBABILISTIC,
    HEEDED_BY_NONE = 0
};

/* An option with a value other than its default, and the engines that support it. */
struct idle_row {
    bool is_given;
    unsigned of_murphi, of_prism;
    const char *refusal;
};

/* Every method belongs to one engine; auto is the choice of any. */
static unsigned method_owner(enum method method)
{
    bool is_adaptive = method == METHOD_ADAPTIVE || method == METHOD_STANDARD;
    return is_adaptive ? HEEDED_BY_ADAPTIVE : HEEDED_BY_SYMBOLIC;
}

/* Is there a scheduler that a witness could show, or a property that one run may show? */
static bool has_witnesses(const struct system *system)
{
    bool has = !system_has_probabilities(system) || system->chain->kind == CHAIN_MDP;
    for (size_t i = 0; !has && i < system->properties.count; i++)
        has = system->properties.items[i]->pctl && !system->properties.items[i]->pctl->is_number;
    return has;
}

static const char *idle_row_refusal(const struct idle_row *row, enum engine_choice choice, bool is_chain)
{
    unsigned heeded = is_chain ? row->of_prism : row->of_murphi;
    return row->is_given && !(heeded & 1u << choice) ? row->refusal : NULL;
}

/* Options that no engine supports for models of the language come first: another engine would not help. */
static const char *idle_by_language(const struct system *system, enum engine_choice choice,
                                    const struct engine_options *options)
{
    const struct idle_row rows[] = {
        {options->is_fair, HEEDED_BY_NONE, HEEDED_BY_ALL,
         "--fair is for PRISM models (an mdp); without it, no fairness is assumed"},
        {options->is_fair && system_has_probabilities(system) && system->chain->kind != CHAIN_MDP, HEEDED_BY_NONE,
         HEEDED_BY_NONE, "--fair is about schedulers: it is for an mdp"},
        {options->is_exact, HEEDED_BY_NONE, HEEDED_BY_ALL, "--exact is for PRISM models"},
        {options->epsilon > 0, HEEDED_BY_NONE, HEEDED_BY_ALL, "--epsilon is for PRISM models"},
        {options->vectors != VECTORS_AUTO, HEEDED_BY_NONE, HEEDED_BY_ALL, "--vectors is for PRISM models"},
        {options->limits.depth, HEEDED_BY_ALL, HEEDED_BY_NONE, "--depth is for Murphi models"},
        {options->profile, HEEDED_BY_ALL, HEEDED_BY_NONE, "--profile is for Murphi models"},
        {options->hash_compact, HEEDED_BY_ALL, HEEDED_BY_NONE, "--hash-compact is for Murphi models"},
        {options->store == STORE_PLAIN, HEEDED_BY_ALL, HEEDED_BY_NONE, "--store is for Murphi models"},
        {options->order != SEARCH_BREADTH_FIRST, HEEDED_BY_ALL, HEEDED_BY_NONE,
         "--search is for Murphi models: of a PRISM model all states are found before anything is computed"},
        {options->deadlock == DEADLOCK_STUCK, HEEDED_BY_ALL, HEEDED_BY_NONE,
         "--deadlock is for Murphi models: a PRISM model rests where nothing is enabled (--property 'P=? [ F "
         "\"deadlock\" ]' "
         "asks whether it does)"},
        {options->keep_dead, HEEDED_BY_ALL, HEEDED_BY_NONE, "--dead is for Murphi models"},
        {options->witness && !has_witnesses(system), HEEDED_BY_ALL, HEEDED_BY_NONE,
         "--witness is for properties that are true or false, and for an mdp: there is no run and no scheduler to "
         "show"},
    };
    const char *refusal = NULL;
    for (size_t i = 0; !refusal && i < sizeof rows / sizeof *rows; i++)
        refusal = idle_row_refusal(&rows[i], choice, system_has_probabilities(system));
    return refusal;
}

static const char *idle_by_engine(const struct system *system, enum engine_choice choice,
                                  const struct engine_options *options)
{
    enum method method = options->method;
    const unsigned one_by_one = HEEDED_BY_EXPLICIT | HEEDED_BY_COUNTER | HEEDED_BY_PROBABILISTIC;
    const bool may_count = method == METHOD_AUTO || method == METHOD_GENERIC;
    const unsigned of_chances =
        system_has_probabilities(system) && method > METHOD_NONE && method < METHOD_GENERIC ? 0 : method_owner(method);
    const struct idle_row rows[] = {
        {options->order == SEARCH_BACKWARD, HEEDED_BY_SYMBOLIC, HEEDED_BY_NONE,
         "--search backward is for the symbolic engine (--engine symbolic)"},
        {options->order == SEARCH_DEPTH_FIRST, HEEDED_BY_EXPLICIT, HEEDED_BY_NONE,
         "--search dfs is for the explicit engine: the others search in an order of their own"},
        {options->representative != REPRESENTATIVE_AUTO, HEEDED_BY_EXPLICIT, HEEDED_BY_NONE,
         "--representative is for the explicit engine"},
        {options->store == STORE_PLAIN, HEEDED_BY_EXPLICIT, HEEDED_BY_NONE, "--store is for the explicit engine"},
        {options->hash_compact, HEEDED_BY_EXPLICIT, HEEDED_BY_NONE, "--hash-compact is for the explicit engine"},
        {options->profile, HEEDED_BY_EXPLICIT, HEEDED_BY_NONE, "--profile is for the explicit engine"},
        {options->stepper != STEPPER_AUTO, one_by_one, one_by_one,
         "--stepper is for engines that fire rules one by one: explicit, counter and probabilistic"},
        {options->threads > 1, HEEDED_BY_EXPLICIT | HEEDED_BY_SYMBOLIC, HEEDED_BY_ALL,
         "--threads is for the explicit, symbolic and probabilistic engines: this one has a single thread"},
        {options->limits.states, HEEDED_BY_ALL & ~HEEDED_BY_SYMBOLIC, HEEDED_BY_ALL & ~HEEDED_BY_SYMBOLIC,
         "--states is for explicit engines: the limits of the symbolic engine are --depth, --memory and --time"},
        {options->permutations != COMPLETE_ALL, HEEDED_BY_COMPLETE, HEEDED_BY_NONE,
         "--permutations is for the complete engine"},
        {options->location, HEEDED_BY_COMPLETE, HEEDED_BY_NONE, "--location is for the complete engine"},
        {options->keep_dead, HEEDED_BY_COUNTER | (may_count ? HEEDED_BY_SYMBOLIC : 0), HEEDED_BY_NONE,
         "--dead is for counters: the counter engine, and --method generic of the symbolic one"},
        {method == METHOD_ADAPTIVE || method == METHOD_STANDARD, method_owner(method), HEEDED_BY_NONE,
         "this --method is one of the adaptive engine (--engine adaptive)"},
        {method >= METHOD_NONE, method_owner(method), method_owner(method),
         "this --method is one of the symbolic engine (--engine symbolic)"},
        {method >= METHOD_NONE, HEEDED_BY_ALL, of_chances,
         "for models with probabilities the symbolic engine supports --method none and generic"},
        {options->frontier && method != METHOD_ONTHEFLY, HEEDED_BY_NONE, HEEDED_BY_NONE,
         "--frontier is for --method onthefly of the symbolic engine"},
    };
    const char *refusal = NULL;
    for (size_t i = 0; !refusal && i < sizeof rows / sizeof *rows; i++)
        refusal = idle_row_refusal(&rows[i], choice, system_has_probabilities(system));
    return refusal;
}

const char *idle_option(const struct system *system, enum engine_choice choice, enum symmetry_choice symmetry,
                        const struct engine_options *options)
{
    if (choice == ENGINE_AUTO) /* what it chooses instead is a guess, and options that the guess lacks forbid it */
        choice = system_has_probabilities(system) ? ENGINE_PROBABILISTIC : ENGINE_EXPLICIT;
    const char *refusal = idle_by_language(system, choice, options);
    if (!refusal)
        refusal = idle_by_engine(system, choice, options);
    if (!refusal && symmetry == SYMMETRY_OFF && (choice == ENGINE_COUNTER || options->method > METHOD_NONE))
        refusal = "--symmetry off leaves nothing to count or to reduce: choose another engine or --method none";
    return refusal;
}
