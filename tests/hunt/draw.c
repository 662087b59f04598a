#include "draw.h"

#include <string.h>

#include "base/hash.h"
#include "canon/canon.h"
#include "driver/option_table.h"
#include "ir/chain.h"

/* A stream of random numbers that follow from a salt. */
struct dice {
    uint64_t state;
};

static uint32_t roll(struct dice *dice, uint32_t sides)
{
    dice->state += 0x9e3779b97f4a7c15u;
    return (uint32_t)(hash_mix(dice->state) >> 32) % sides;
}

static bool chance(struct dice *dice, uint32_t percent)
{
    return roll(dice, 100) < percent;
}

struct meaning draw_meaning(uint64_t salt, const struct system *system)
{
    struct dice dice = {hash_combine(salt, 0x6d65616e)};
    struct meaning meaning = {0};
    if (system->chain) {
        meaning.is_fair = system->chain->kind == CHAIN_MDP && chance(&dice, 25);
        return meaning;
    }
    meaning.deadlock = (enum deadlock_mode)roll(&dice, 3);
    meaning.drops_finite = chance(&dice, 15);
    return meaning;
}

static void draw_limits(struct dice *dice, const struct draw_settings *settings, struct drawn *drawn)
{
    drawn->is_limited = true;
    switch (roll(dice, 3)) {
    case 0:
        drawn->options.limits.states = settings->states / 2 + 1;
        break;
    case 1:
        drawn->options.limits.depth = 1 + roll(dice, 6);
        break;
    default:
        drawn->options.limits.memory_bytes = 100000;
    }
}

static void draw_store(struct dice *dice, const struct draw_settings *settings, struct drawn *drawn)
{
    struct engine_options *options = &drawn->options;
    switch (roll(dice, 10)) {
    case 0:
    case 1:
        options->store = STORE_PLAIN;
        break;
    case 2:
        options->hash_compact = true;
        break;
    case 3:
        options->order = SEARCH_DEPTH_FIRST;
        break;
    case 4:
        options->disk_folder = settings->disk;
        break;
    default:
        break;
    }
    bool is_for_threads = options->store == STORE_COMPACT && options->order == SEARCH_BREADTH_FIRST;
    if (is_for_threads && chance(dice, 35))
        options->threads = 2 + roll(dice, 3);
    options->crowd = chance(dice, 50) ? 1 + roll(dice, 2) : 0;
}

static void draw_explicit(struct dice *dice, const struct draw_settings *settings, struct drawn *drawn)
{
    static const enum symmetry_choice symmetries[] = {SYMMETRY_AUTO,     SYMMETRY_AUTO, SYMMETRY_AUTO,
                                                      SYMMETRY_DECLARED, SYMMETRY_OFF,  SYMMETRY_GUARDED,
                                                      SYMMETRY_GUARDED,  SYMMETRY_OFF};
    struct engine_options *options = &drawn->options;
    drawn->symmetry = symmetries[roll(dice, 8)];
    options->stepper = chance(dice, 20) ? STEPPER_EVALUATOR : STEPPER_VM;
    if (chance(dice, settings->native))
        options->stepper = STEPPER_NATIVE;
    draw_store(dice, settings, drawn);
    if (!options->disk_folder && chance(dice, 30)) {
        options->partial_order = PARTIAL_ORDER_REDUCED;
        drawn->is_roundabout = true;
    }
    if (drawn->symmetry != SYMMETRY_OFF && !options->partial_order && chance(dice, 25))
        options->representative = (enum representative)roll(dice, REPRESENTATIVE_GREEDY + 1);
    drawn->is_partial = options->representative == REPRESENTATIVE_MARKERS;
    if (chance(dice, 8))
        draw_limits(dice, settings, drawn);
}

static void draw_symbolic(struct dice *dice, struct drawn *drawn)
{
    /* The last two take ten times as long as the others. */
    static const enum method methods[] = {
        METHOD_AUTO,     METHOD_AUTO,     METHOD_NONE,    METHOD_NONE,    METHOD_NONE,  METHOD_DYNAMIC, METHOD_DYNAMIC,
        METHOD_ONTHEFLY, METHOD_ONTHEFLY, METHOD_GENERIC, METHOD_GENERIC, METHOD_ORBIT, METHOD_MULTIPLE};
    struct engine_options *options = &drawn->options;
    options->method = methods[roll(dice, sizeof methods / sizeof *methods)];
    drawn->is_roundabout = options->keep_going;
    if (options->method == METHOD_ONTHEFLY && chance(dice, 50))
        options->frontier = 12;
    if (options->method == METHOD_NONE && chance(dice, 50))
        options->order = SEARCH_BACKWARD;
    drawn->is_roundabout |= options->frontier || options->order == SEARCH_BACKWARD;
    options->saturate_first = chance(dice, 20);
    drawn->is_roundabout |= options->saturate_first;
    options->keep_dead = options->method == METHOD_GENERIC && chance(dice, 50);
}

static void draw_other(struct dice *dice, struct drawn *drawn)
{
    static const enum method proofs[] = {METHOD_AUTO, METHOD_IC3, METHOD_INDUCTION};
    struct engine_options *options = &drawn->options;
    drawn->symmetry = chance(dice, 25) ? SYMMETRY_OFF : chance(dice, 25) ? SYMMETRY_DECLARED : SYMMETRY_AUTO;
    switch (drawn->engine) {
    case ENGINE_ADAPTIVE:
        options->method = chance(dice, 50) ? METHOD_ADAPTIVE : METHOD_STANDARD;
        break;
    case ENGINE_COMPLETE:
        options->permutations = (enum complete_method)roll(dice, 3);
        drawn->is_roundabout = true;
        break;
    case ENGINE_COUNTER:
        options->stepper = STEPPER_VM;
        options->keep_dead = chance(dice, 50);
        break;
    case ENGINE_SAT:
        options->method = proofs[roll(dice, 3)];
        drawn->is_roundabout = true;
        break;
    default:
        options->crowd = chance(dice, 40) ? 2 : 0; /* auto: another engine beside the explicit one */
        options->stepper = STEPPER_VM;
        drawn->is_roundabout = options->crowd && options->keep_going;
    }
}

static void draw_chain(struct dice *dice, struct drawn *drawn)
{
    static const enum engine_choice engines[] = {ENGINE_PROBABILISTIC, ENGINE_PROBABILISTIC, ENGINE_SYMBOLIC,
                                                 ENGINE_COUNTER,       ENGINE_AUTO,          ENGINE_PROBABILISTIC};
    struct engine_options *options = &drawn->options;
    drawn->engine = engines[roll(dice, 6)];
    drawn->symmetry = chance(dice, 35) ? SYMMETRY_OFF : SYMMETRY_AUTO;
    options->is_exact = drawn->engine != ENGINE_SYMBOLIC && chance(dice, 35);
    options->threads = chance(dice, 25) ? 2 + roll(dice, 3) : 1;
    options->stepper = drawn->engine == ENGINE_SYMBOLIC ? STEPPER_AUTO
                       : chance(dice, 20)               ? STEPPER_EVALUATOR
                                                        : STEPPER_VM;
    if (drawn->engine == ENGINE_SYMBOLIC)
        options->vectors = (enum vectors)roll(dice, 3);
    options->epsilon = chance(dice, 20) ? 1e-3 : 0;
    options->crowd = chance(dice, 30) ? 1 : 0;
}

struct drawn draw_configuration(uint64_t salt, uint32_t number, const struct meaning *meaning, bool is_chain,
                                const struct draw_settings *settings)
{
    /* In percent: what is fast comes often, so that a model is compared in several ways. */
    static const struct {
        enum engine_choice engine;
        uint32_t share;
    } engines[] = {{ENGINE_EXPLICIT, 60}, {ENGINE_ADAPTIVE, 6}, {ENGINE_COMPLETE, 6}, {ENGINE_SYMBOLIC, 8},
                   {ENGINE_COUNTER, 6},   {ENGINE_SAT, 3},      {ENGINE_AUTO, 11}};
    struct dice dice = {hash_combine(salt, number)};
    struct drawn drawn = {0};
    uint32_t percent = roll(&dice, 100), row = 0;
    for (; percent >= engines[row].share; row++)
        percent -= engines[row].share;
    drawn.engine = engines[row].engine;
    drawn.options.threads = 1;
    drawn.options.deadlock = meaning->deadlock;
    drawn.options.drops_finite = meaning->drops_finite;
    drawn.options.is_fair = meaning->is_fair;
    drawn.options.keep_going = is_chain || chance(&dice, 65);
    if (is_chain)
        draw_chain(&dice, &drawn);
    else if (drawn.engine == ENGINE_EXPLICIT)
        draw_explicit(&dice, settings, &drawn);
    else if (drawn.engine == ENGINE_SYMBOLIC)
        draw_symbolic(&dice, &drawn);
    else
        draw_other(&dice, &drawn);
    drawn.options.witness = !is_chain && chance(&dice, 10);
    return drawn;
}

/* Each prints an option unless it has its default. */
static void print_KIND_FLAG(const char *name, const char *argument, bool value, struct text *out)
{
    (void)argument;
    if (value)
        text_format(out, " --%s", name);
}

static void print_KIND_CHOICE(const char *name, const char *choices, uint64_t value, struct text *out)
{
    if (!value)
        return;
    for (; value; value--)
        choices += strcspn(choices, "|") + 1;
    text_format(out, " --%s %.*s", name, (int)strcspn(choices, "|"), choices);
}

static void print_KIND_COUNT(const char *name, const char *argument, uint64_t value, struct text *out)
{
    (void)argument;
    if (value)
        text_format(out, " --%s %llu", name, (unsigned long long)value);
}

static void print_KIND_SHARE(const char *name, const char *argument, double value, struct text *out)
{
    (void)argument;
    if (value > 0)
        text_format(out, " --%s %g", name, value);
}

static void print_KIND_TEXT(const char *name, const char *argument, const char *value, struct text *out)
{
    if (value)
        text_format(out, " --%s %s", name, argument);
}

#define print_KIND_SIZE print_KIND_COUNT
#define print_KIND_TIME print_KIND_SHARE

void draw_print(const struct drawn *drawn, struct text *out)
{
    const struct engine_options *options = &drawn->options;
    text_format(out, "--engine %s", drawn->engine == ENGINE_AUTO ? "auto" : engine_of(drawn->engine)->name);
    print_KIND_CHOICE("symmetry", "auto|declared|off|guarded", drawn->symmetry, out);
#define OPTION(id, letter, name, kind, argument, standard, commands, help)
#define SETTING(id, letter, name, kind, argument, standard, commands, field, murphi, prism, help)                      \
    print_##kind(name, argument, options->field, out);
    OPTIONS(OPTION, SETTING)
#undef SETTING
#undef OPTION
    /* These two have no option: NOETHER_CROWD in the environment does what the first does. */
    if (options->crowd)
        text_format(out, " (crowd %u)", options->crowd);
    if (options->saturate_first)
        text_append(out, " (all states at once)");
}
