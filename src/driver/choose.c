#include "driver/choose.h"

#include <stdlib.h>

#include "base/text.h"
#include "observe/rules.h"

/* From this number on, sorting the processes takes the explicit engine longer than a search with few counters. */
enum { CHOOSE_MANY_PROCESSES = 24 };
/* Below that there is nothing to gain; above, partitions take longer to find than states to explore. */
enum { CHOOSE_LEAST_PROCESSES = 3, CHOOSE_MOST_INSTANCES = 20000 };

/* How the rules and properties treat a family. */
struct treatment {
    uint32_t whole, broken; /* rules: all processes symmetric, some distinguished */
    bool is_broken_by_property;
    bool is_scattered; /* some rule leaves less than a third of them symmetric, or has too many classes */
    const struct rule_partition *breaker; /* the first */
};

static bool class_is_whole(const struct roster *roster, const struct rule_class *class, uint32_t family)
{
    uint32_t first = roster->families[family].first;
    for (uint32_t e = first; e < first + roster->families[family].size; e++)
        if (class->label_of[e] != first)
            return false;
    return true;
}

static uint32_t class_largest_cell(const struct roster *roster, const struct rule_class *class, uint32_t family)
{
    uint32_t first = roster->families[family].first, end = first + roster->families[family].size, largest = 0;
    for (uint32_t e = first; e < end; e++) {
        uint32_t size = 0;
        for (uint32_t other = e; other < end && class->label_of[e] == e; other++)
            size += class->label_of[other] == e;
        largest = size > largest ? size : largest;
    }
    return largest;
}

static struct treatment choose_treatment(const struct rule_partitions *partitions, uint32_t family)
{
    struct treatment treatment = {0};
    const struct roster *roster = partitions->roster;
    for (uint32_t i = 0; i < partitions->count; i++) {
        const struct rule_partition *partition = &partitions->items[i];
        bool is_whole = true;
        for (uint32_t c = 0; c < partition->class_count; c++) {
            is_whole &= class_is_whole(roster, &partition->classes[c], family);
            uint32_t largest = class_largest_cell(roster, &partition->classes[c], family);
            treatment.is_scattered |= largest < 2 || 3 * largest < roster->families[family].size;
        }
        /* With more classes than that, most processes are in a class alone. */
        treatment.is_scattered |= !is_whole && 2 * partition->class_count > roster->families[family].size + 1;
        if (!is_whole && !treatment.breaker)
            treatment.breaker = partition;
        treatment.whole += partition->rule && is_whole;
        treatment.broken += partition->rule && !is_whole;
        treatment.is_broken_by_property |= partition->property && !is_whole;
    }
    return treatment;
}

static void choose_print_breaker(const struct rule_partition *breaker, struct text *out)
{
    text_format(out, "%s \"%s\"", breaker->rule ? "rule" : property_kind_name(breaker->property->kind),
                breaker->rule ? breaker->rule->name : breaker->property->name);
}

/* Is it nearly symmetric: a part of it is broken, most of it is not? */
static bool choose_family(const struct rule_partitions *partitions, uint32_t family, struct text *why)
{
    struct treatment treatment = choose_treatment(partitions, family);
    struct text name = {0};
    bool is_partial = treatment.broken || treatment.is_broken_by_property;
    /* Where processes scatter, as in an order of all of them, it is worth a trial when few rules do that. */
    bool is_hopeless = treatment.is_scattered && treatment.whole < 2 * treatment.broken;
    if (!is_partial || treatment.broken > treatment.whole || is_hopeless ||
        partitions->roster->families[family].size < CHOOSE_LEAST_PROCESSES)
        return false;
    type_print(partitions->roster->families[family].type, &name);
    text_format(why, "the processes of %s are symmetric except for ", text_chars(&name));
    choose_print_breaker(treatment.breaker, why);
    if (treatment.broken > 1)
        text_format(why, " and %u more of %u rules", treatment.broken - 1, treatment.broken + treatment.whole);
    text_free(&name);
    return true;
}

/* Is there a rule that was not analysed? Then only a race can tell. */
static bool choose_unknown(const struct rule_partitions *partitions, struct text *why)
{
    for (uint32_t i = 0; i < partitions->count; i++)
        if (partitions->items[i].not_analysed) {
            text_append(why, "what ");
            choose_print_breaker(&partitions->items[i], why);
            text_format(why, " leaves symmetric is not known (%s), and it is faster at first",
                        partitions->items[i].not_analysed);
            return true;
        }
    return false;
}

static bool choose_by_rules(const struct rule_partitions *partitions, struct text *why)
{
    bool is_settled = true;
    if (partitions->not_analysed) {
        text_append(why, partitions->not_analysed);
        return false;
    }
    if (choose_unknown(partitions, why))
        return true;
    for (uint32_t f = 0; f < partitions->roster->family_count; f++) {
        if (!partitions->is_settled[f] && choose_family(partitions, f, why))
            return true;
        is_settled &= partitions->is_settled[f];
    }
    text_append(why, is_settled ? "a group of the whole model covers all its processes"
                                : "no family of processes is symmetric except for a few rules");
    return false;
}

const char *choose_excuse(bool symmetry_is_off, const struct engine_options *options)
{
    if (symmetry_is_off)
        return "symmetry is off";
    if (options->order == SEARCH_DEPTH_FIRST || options->store != STORE_COMPACT || options->hash_compact ||
        options->profile || options->method != METHOD_AUTO || options->representative != REPRESENTATIVE_AUTO ||
        options->partial_order != PARTIAL_ORDER_KEPT || options->stepper == STEPPER_EVALUATOR ||
        options->stepper == STEPPER_NATIVE || options->checkpoint_folder || options->disk_folder ||
        options->is_distributed)
        return "only this engine has the options given";
    return NULL;
}

/* NOETHER_CROWD: the number from which processes are many, for tests. */
static uint32_t choose_many(void)
{
    const char *many = getenv("NOETHER_CROWD");
    return many ? (uint32_t)strtoul(many, NULL, 10) : CHOOSE_MANY_PROCESSES;
}

uint32_t choose_largest(const struct symmetry *symmetry)
{
    uint32_t largest = 0;
    for (uint32_t f = 0; f < symmetry->factor_count; f++)
        if (symmetry->factors[f].is_used && symmetry->factors[f].kind == SYMMETRY_FULL &&
            symmetry->factors[f].degree > largest)
            largest = symmetry->factors[f].degree;
    return largest;
}

uint32_t choose_crowd(const struct symmetry *symmetry, const struct engine_options *options)
{
    uint32_t largest = choose_largest(symmetry);
    return largest < choose_many() || options->limits.depth ? 0 : largest;
}

/* From so many processes on, a twentieth of a second for the complete engine is little beside a search of all states.
 */
enum { CHOOSE_MOMENT = 12 };

bool choose_crowd_of_rules(const struct system *system, const struct engine_options *options)
{
    for (size_t r = 0; r < system->rules.count && !options->limits.depth; r++)
        for (uint32_t p = 0; p < system->rules.items[r]->parameter_count; p++)
            if (system->rules.items[r]->parameters[p].type->size >= CHOOSE_MOMENT)
                return true;
    return false;
}

bool choose_adaptive(const struct model *model, const struct layout *layout, const struct symmetry *symmetry,
                     const char *excuse, const struct engine_options *options, struct text *why)
{
    struct text reason = {0};
    struct arena *words = arena_create();
    if (!excuse && system_total_instances(model->system, CHOOSE_MOST_INSTANCES) == CHOOSE_MOST_INSTANCES)
        excuse = "the rules have too many instances to compare them";
    if (!excuse)
        excuse = engine_adaptive.supports(model->system, options, words);
    bool is_partial = false;
    if (!excuse) {
        struct rule_partitions *partitions = rules_find(layout, symmetry, RULES_WORK_TO_CHOOSE, false);
        is_partial = choose_by_rules(partitions, &reason);
        rule_partitions_destroy(partitions);
    }
    text_format(why, "%s, since %s", is_partial ? engine_adaptive.name : engine_explicit.name,
                excuse ? excuse : text_chars(&reason));
    text_free(&reason);
    arena_destroy(words);
    return is_partial;
}
