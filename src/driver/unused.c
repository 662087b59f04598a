#include "driver/unused.h"

#include <string.h>

#include "driver/option_table.h"
#include "ir/chain.h"
#include "ir/pctl.h"

/* A value of an option, and the engines that use it. */
struct option_use {
    enum option_id id;
    uint64_t value;
    unsigned murphi, prism;
    const char *note; /* or NULL */
};
struct setting {
    const char *name, *choices; /* choices: NULL unless the values have names */
    bool is_given;              /* with another value than its default */
    struct option_use use;
};

static const struct option_use special_values[] = {
#define VALUE(id, value, murphi, prism, note) {OPTION_##id, value, murphi, prism, note},
    OPTION_VALUES(VALUE)
#undef VALUE
};

static const struct option_use *setting_use(const struct setting *setting)
{
    for (size_t i = 0; i < sizeof special_values / sizeof *special_values; i++)
        if (special_values[i].id == setting->use.id && special_values[i].value == setting->use.value)
            return &special_values[i];
    return &setting->use;
}

/* "--search dfs": the value is named where others have other engines. */
static void print_setting(const struct setting *setting, const struct option_use *use, struct text *out)
{
    text_format(out, "--%s", setting->name);
    if (use == &setting->use || !setting->choices)
        return;
    const char *choice = setting->choices;
    for (uint64_t i = 0; i < use->value; i++)
        choice += strcspn(choice, "|") + 1;
    text_char(out, ' ');
    text_append_n(out, choice, strcspn(choice, "|"));
}

/* "the explicit and symbolic engines" */
static void print_engines(unsigned engines, struct text *out)
{
    unsigned left = engines;
    text_append(out, "the");
    for (unsigned choice = ENGINE_EXPLICIT; choice <= ENGINE_PROBABILISTIC; choice++) {
        if (!(engines & 1u << choice))
            continue;
        bool is_first = left == engines;
        left &= ~(1u << choice);
        text_format(out, "%s %s", is_first ? "" : left ? "," : " and", engine_of(choice)->name);
    }
    text_append(out, engines & (engines - 1) ? " engines" : " engine");
}

void option_print_users(unsigned murphi, unsigned prism, struct text *out)
{
    bool is_for_one = !murphi != !prism;
    if (is_for_one)
        text_append(out, murphi ? "models without probabilities" : "PRISM models");
    if ((murphi | prism) == USED_BY_ALL)
        return;
    text_append(out, is_for_one ? " and " : "");
    print_engines(murphi | prism, out);
}

static const char *setting_refusal(const struct setting *setting, unsigned accepted, bool is_prism, struct arena *words)
{
    struct text text = {0};
    const struct option_use *use = setting_use(setting);
    unsigned engines = is_prism ? use->prism : use->murphi;
    if (!setting->is_given || engines & accepted)
        return NULL;
    print_setting(setting, use, &text);
    text_append(&text, " is for ");
    option_print_users(engines ? engines : use->murphi, engines ? engines : use->prism, &text);
    if (use->note)
        text_format(&text, ": %s", use->note);
    const char *refusal = arena_string(words, text.chars);
    text_free(&text);
    return refusal;
}

/* Options that no engine supports for models of the language come first: another engine would not help. */
static const char *unused_by_table(const struct engine_options *options, enum engine_choice choice, bool is_prism,
                                   struct arena *words)
{
    const struct setting settings[] = {
#define OPTION(id, letter, name, kind, argument, standard, commands, help)
#define SETTING(id, letter, name, kind, argument, standard, commands, field, murphi, prism, help)                      \
    {name,                                                                                                             \
     kind == KIND_CHOICE ? argument : NULL,                                                                            \
     options->field ? true : false,                                                                                    \
     {OPTION_##id, kind == KIND_CHOICE || kind == KIND_COUNT ? (uintptr_t)options->field : 0, murphi, prism, NULL}},
        OPTIONS(OPTION, SETTING)
#undef SETTING
#undef OPTION
    };
    const unsigned accepted[] = {USED_BY_ALL, 1u << choice};
    const char *refusal = NULL;
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t i = 0; !refusal && i < sizeof settings / sizeof *settings; i++)
            refusal = setting_refusal(&settings[i], accepted[pass], is_prism, words);
    return refusal;
}

/* Is there a scheduler that a witness could show, or a property that one run may show? */
static bool has_witnesses(const struct system *system)
{
    bool has = !system_has_probabilities(system) || system->chain->kind == CHAIN_MDP;
    for (size_t i = 0; !has && i < system->properties.count; i++)
        has = system->properties.items[i]->pctl && !system->properties.items[i]->pctl->is_number;
    return has;
}

/* What depends on the model, or on two options. */
static const char *unused_together(const struct system *system, enum engine_choice choice,
                                   enum symmetry_choice symmetry, const struct engine_options *options)
{
    enum method method = options->method;
    if (options->is_fair && system->chain->kind != CHAIN_MDP)
        return "--fair is about schedulers: it is for an mdp";
    if (options->witness && !has_witnesses(system))
        return "--witness is for properties that are true or false, and for an mdp: there is no run and no scheduler "
               "to show";
    if (options->keep_dead && choice == ENGINE_SYMBOLIC && method != METHOD_AUTO && method != METHOD_GENERIC)
        return "--dead is for counters: the counter engine, and --method generic of the symbolic one";
    if (options->frontier && method != METHOD_ONTHEFLY)
        return "--frontier is for --method onthefly of the symbolic engine";
    if (options->limits.depth && choice == ENGINE_COVER)
        return "--depth is not for the cover engine: it searches backward, too";
    if (options->checkpoint_every > 0 && !options->checkpoint_folder)
        return "--every says how often a checkpoint is written: it is for --checkpoint";
    if (symmetry == SYMMETRY_GUARDED && options->checkpoint_folder)
        return "--checkpoint keeps one search, --symmetry guarded has several: leave one of them out";
    if (symmetry == SYMMETRY_GUARDED && options->is_distributed)
        return "--distributed is for one search, --symmetry guarded has several: leave one of them out";
    if (symmetry == SYMMETRY_GUARDED && options->disk_folder)
        return "--disk is for one search, --symmetry guarded has several: leave one of them out";
    if (symmetry == SYMMETRY_GUARDED && choice != ENGINE_EXPLICIT)
        return "--symmetry guarded is for the explicit engine";
    if (symmetry == SYMMETRY_OFF && (choice == ENGINE_COUNTER || (method > METHOD_NONE && method < METHOD_BMC)))
        return "--symmetry off leaves nothing to count or to reduce: choose another engine or --method none";
    return NULL;
}

const char *unused_option(const struct system *system, enum engine_choice choice, enum symmetry_choice symmetry,
                          const struct engine_options *options, struct arena *words)
{
    bool is_prism = system_has_probabilities(system);
    if (choice == ENGINE_AUTO) /* what it chooses instead is a guess, and options that the guess lacks forbid it */
        choice = is_prism ? ENGINE_PROBABILISTIC : ENGINE_EXPLICIT;
    const char *refusal = unused_by_table(options, choice, is_prism, words);
    return refusal ? refusal : unused_together(system, choice, symmetry, options);
}
