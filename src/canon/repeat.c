/* Instances of a rule that need not be followed.
 *
 * Let two elements be twins in a state. Their exchange leaves the state as it is and takes an instance of a rule to
 * another one, whose successor is the image of the first one's: same orbit. So of the instances that
 * permutations of twins take to one another one is enough. The one kept names the members of each set of twins in
 * order of their numbers: its first when the set is first named, its second when another one is, and so on.
 * A message chosen from a multiset counts as the elements it mentions: the exchange takes it to another message. */
#include "base/bits.h"
#include "base/memory.h"
#include "ir/system.h"
#include "canon/lane.h"

enum {
    REPEAT_TABULATED = 2048 /* instances of all rules together; with more of them each is looked at where it is fired */
};

struct repeat_parameter {
    uint32_t size;
    uint32_t *elements;        /* by ordinal; NULL: none of its values is an element */
    uint32_t *ordinals;        /* by element, the other way round; NO_ELEMENT: it is none of its values */
    const struct slots *slots; /* it is a slot of this multiset */
};

struct repeat_rule {
    bool is_known;            /* false: every instance is followed */
    bool is_plain;            /* its parameters are values: it is known which instance a permutation takes one to */
    bool is_ascending;        /* and the elements are in order of the values: the instance kept is met first */
    const uint32_t *elements; /* by instance, where one parameter is all there is; or NULL */
    uint32_t parameter_count;
    struct repeat_parameter parameters[REPEAT_PARAMETERS];
};

/* A rule whose only parameter is a slot of this multiset, and the number of its first instance. */
struct repeat_choice {
    const struct slots *slots;
    uint32_t first;
};

struct repeat {
    struct repeat_rule *rules; /* by id */
    uint32_t rule_count;
    struct repeat_choice *choices; /* those that are looked at by slot, all together */
    uint32_t choice_count;
    uint32_t *met;  /* by element: how many of its twins were named; 0 between uses */
    uint32_t *sets; /* the twins named */
    uint32_t set_count;
    /* By element, a bit for each instance by number (system_first_number): those that are not kept where the element
     * is not the first of its twins. An instance is kept if before every such element it names the one before it. */
    uint64_t *named;
    uint64_t *passed; /* the union of some of them */
    uint32_t words;   /* of each; 0: there is no table */
    bool is_whole;    /* all that need not be followed are in it */
};

static bool repeat_set_choice(const struct structure *s, const struct place *choose, struct repeat_parameter *parameter)
{
    if (choose->kind != PLACE_VARIABLE || !choose->variable->is_global)
        return false; /* which multiset it is depends on other parameters */
    for (uint32_t i = 0; i < s->slots_count; i++)
        if (s->slots[i].address == choose->variable->address)
            parameter->slots = &s->slots[i];
    return !parameter->slots || parameter->slots->is_bare;
}

static void repeat_set_elements(const struct structure *s, const struct type *type, struct repeat_parameter *parameter)
{
    bool is_coded = type->kind >= TYPE_ENUM, has_any = false; /* the codes of ranges and booleans mean no elements */
    for (uint32_t i = 0; is_coded && i < type->size; i++)
        has_any |= structure_element(s, type_code(type, i)) != NO_ELEMENT;
    if (!has_any)
        return;
    parameter->elements = ARENA_ARRAY(s->arena, uint32_t, type->size);
    parameter->ordinals = ARENA_ARRAY(s->arena, uint32_t, s->element_count);
    for (uint32_t e = 0; e < s->element_count; e++)
        parameter->ordinals[e] = NO_ELEMENT;
    for (uint32_t i = 0; i < type->size; i++) {
        parameter->elements[i] = structure_element(s, type_code(type, i));
        if (parameter->elements[i] != NO_ELEMENT)
            parameter->ordinals[parameter->elements[i]] = i;
    }
}

static bool repeat_is_ascending(const struct repeat_parameter *parameter)
{
    uint32_t last = 0;
    for (uint32_t i = 0; parameter->elements && i < parameter->size; i++) {
        if (parameter->elements[i] == NO_ELEMENT)
            continue;
        if (parameter->elements[i] < last)
            return false;
        last = parameter->elements[i];
    }
    return true;
}

static void repeat_set_rule(const struct structure *s, const struct rule *rule, struct repeat_rule *known)
{
    if (rule->parameter_count > REPEAT_PARAMETERS || rule->instance_count > UINT32_MAX)
        return;
    bool mentions = false, chooses = false;
    known->parameter_count = rule->parameter_count;
    for (uint32_t p = 0; p < rule->parameter_count; p++) {
        const struct parameter *parameter = &rule->parameters[p];
        known->parameters[p].size = parameter->type->size;
        if (parameter->choose && !repeat_set_choice(s, parameter->choose, &known->parameters[p]))
            return;
        if (!parameter->choose)
            repeat_set_elements(s, parameter->type, &known->parameters[p]);
        mentions |= known->parameters[p].elements || known->parameters[p].slots;
        chooses |= parameter->choose != NULL;
    }
    known->is_known = mentions;
    known->is_plain = known->is_ascending = !chooses;
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        known->is_ascending &= repeat_is_ascending(&known->parameters[p]);
    known->elements = rule->parameter_count == 1 ? known->parameters[0].elements : NULL;
}

/* The elements that an instance names, by parameter. */
static void repeat_list(const struct repeat_rule *known, uint32_t instance, uint32_t *elements)
{
    for (uint32_t p = known->parameter_count; p-- > 0;) {
        const struct repeat_parameter *parameter = &known->parameters[p];
        elements[p] = parameter->elements ? parameter->elements[instance % parameter->size] : NO_ELEMENT;
        instance /= parameter->size;
    }
}

uint32_t repeat_name(const struct repeat *repeat, uint32_t rule, uint64_t instance, uint32_t *elements)
{
    const struct repeat_rule *known = &repeat->rules[rule];
    uint32_t named[REPEAT_PARAMETERS], count = 0;
    if (known->elements) {
        *elements = known->elements[instance];
        return *elements != NO_ELEMENT;
    }
    if (!known->is_known || !known->is_plain)
        return 0;
    repeat_list(known, (uint32_t)instance, named);
    for (uint32_t p = 0; p < known->parameter_count; p++) {
        elements[count] = named[p];
        count += named[p] != NO_ELEMENT;
    }
    return count;
}

const uint32_t *repeat_elements(const struct repeat *repeat, uint32_t rule)
{
    return repeat->rules[rule].elements;
}

static void repeat_tabulate_instance(struct repeat *repeat, const struct repeat_rule *known, uint32_t instance,
                                     uint32_t number)
{
    uint32_t elements[REPEAT_PARAMETERS];
    repeat_list(known, instance, elements);
    for (uint32_t p = 0; p < known->parameter_count; p++) {
        bool is_after = elements[p] == NO_ELEMENT; /* or named already */
        for (uint32_t q = 0; q < p; q++)
            is_after |= elements[q] == elements[p] || elements[q] + 1 == elements[p];
        if (!is_after)
            bits_add(repeat->named + (size_t)elements[p] * repeat->words, number);
    }
}

/* Are the slots that permutations take to one another in the order in which their elements are named? (They are sorted
 * by cell: then the one kept comes first.) */
static bool repeat_slots_ascend(const struct structure *s, const struct slots *slots)
{
    const uint32_t *refs = s->slot_refs + slots->refs;
    for (uint32_t i = 1; i < slots->ref_count; i++)
        if (refs[i] < refs[i - 1])
            return false;
    for (uint32_t e = 1; e < s->element_count; e++)
        if (s->factor_of[e] == s->factor_of[e - 1] && s->code_of[e] < s->code_of[e - 1])
            return false;
    return slots->capacity <= 64;
}

/* Can all instances be looked at as slots of a multiset? */
static bool repeat_is_choice(const struct structure *s, const struct repeat_rule *known)
{
    return known->is_known && known->parameter_count == 1 && known->parameters[0].slots &&
           repeat_slots_ascend(s, known->parameters[0].slots);
}

/* (Rules whose guards were weakened do not say whether a state is a deadlock: expand.c wants to see each of them.) */
static void repeat_tabulate(struct repeat *repeat, const struct structure *s)
{
    const struct system *system = s->layout->system;
    uint64_t total = system_total_instances(system, REPEAT_TABULATED + 1);
    if (total > REPEAT_TABULATED || s->element_count > 64)
        return;
    repeat->words = bits_words((uint32_t)total + 1);
    repeat->named = memory_zeroed((size_t)s->element_count * repeat->words + 1, sizeof *repeat->named);
    repeat->passed = memory_zeroed(repeat->words, sizeof *repeat->passed);
    repeat->choices = memory_zeroed((size_t)repeat->rule_count + 1, sizeof *repeat->choices);
    repeat->is_whole = true;
    for (uint32_t r = 0, number = 1; r < repeat->rule_count; r++) {
        const struct rule *rule = system->rules.items[r];
        const struct repeat_rule *known = &repeat->rules[r];
        bool is_in = known->is_known && known->is_ascending && !rule->own_guard;
        bool is_choice = !is_in && !rule->own_guard && repeat_is_choice(s, known);
        repeat->is_whole &= is_in || is_choice || !known->is_known;
        if (is_choice)
            repeat->choices[repeat->choice_count++] = (struct repeat_choice){known->parameters[0].slots, number};
        for (uint32_t i = 0; i < rule->instance_count; i++, number++)
            if (is_in)
                repeat_tabulate_instance(repeat, known, i, number);
    }
}

struct repeat *repeat_create(const struct structure *s)
{
    const struct system *system = s->layout->system;
    struct repeat *repeat = memory_zeroed(1, sizeof *repeat);
    repeat->rule_count = (uint32_t)system->rules.count;
    repeat->rules = memory_zeroed(system->rules.count + 1, sizeof *repeat->rules);
    repeat->met = memory_zeroed((size_t)s->element_count + 1, sizeof *repeat->met);
    repeat->sets = memory_zeroed((size_t)s->element_count + 1, sizeof *repeat->sets);
    for (size_t r = 0; r < system->rules.count; r++)
        repeat_set_rule(s, system->rules.items[r], &repeat->rules[r]);
    repeat_tabulate(repeat, s);
    return repeat;
}

void repeat_destroy(struct repeat *repeat)
{
    free(repeat->rules);
    free(repeat->met);
    free(repeat->sets);
    free(repeat->named);
    free(repeat->passed);
    free(repeat->choices);
    free(repeat);
}

/* Is it the turn of this element of its set of twins? The sets are runs of elements, named by the first. */
static inline bool repeat_meet(struct repeat *repeat, uint32_t twins, uint32_t element)
{
    uint32_t *met = &repeat->met[twins];
    if (element < twins + *met)
        return true; /* again */
    if (element > twins + *met)
        return false;
    if (!(*met)++)
        repeat->sets[repeat->set_count++] = twins;
    return true;
}

static bool repeat_meet_slot(struct repeat *repeat, const struct structure *s, const uint32_t *twin,
                             const struct slots *slots, const int32_t *slot)
{
    for (uint32_t u = 0; u < slots->use_count; u++) {
        const struct use *use = &s->slot_uses[slots->uses + u];
        uint32_t element = use->is_ref ? structure_element(s, slot[use->address]) : NO_ELEMENT;
        if (element != NO_ELEMENT && !repeat_meet(repeat, twin[element], element))
            return false;
    }
    return true;
}

/* Is the instance of the rule (by id) to be followed, of those that permutations of twins take to one another? */
static bool repeat_is_least(struct repeat *repeat, const struct structure *s, const uint32_t *twin,
                            const int32_t *cells, uint32_t rule, uint64_t instance)
{
    const struct repeat_rule *known = &repeat->rules[rule];
    uint32_t ordinals[REPEAT_PARAMETERS], rest = (uint32_t)instance;
    bool is_least = true;
    if (known->elements) /* the first of its twins */
        return known->elements[instance] == NO_ELEMENT || twin[known->elements[instance]] == known->elements[instance];
    if (!known->is_known)
        return true;
    for (uint32_t p = known->parameter_count; p-- > 0;) {
        ordinals[p] = rest % known->parameters[p].size;
        rest /= known->parameters[p].size;
    }
    for (uint32_t p = 0; p < known->parameter_count && is_least; p++) {
        const struct repeat_parameter *parameter = &known->parameters[p];
        uint32_t element = parameter->elements ? parameter->elements[ordinals[p]] : NO_ELEMENT;
        if (element != NO_ELEMENT)
            is_least = repeat_meet(repeat, twin[element], element);
        else if (parameter->slots)
            is_least = repeat_meet_slot(repeat, s, twin, parameter->slots,
                                        cells + parameter->slots->address + ordinals[p] * parameter->slots->stride);
    }
    while (repeat->set_count)
        repeat->met[repeat->sets[--repeat->set_count]] = 0;
    return is_least;
}

/* The slots that name an element of `others` and before it not the one before that, a bit for each. */
static uint64_t repeat_pass_slots(const struct structure *s, const struct slots *slots, const int32_t *cells,
                                  uint64_t others)
{
    const uint32_t *refs = s->slot_refs + slots->refs;
    const int32_t *slot = cells + slots->address;
    uint64_t passed = 0;
    for (uint32_t i = 0; i < slots->capacity && slot[0]; i++, slot += slots->stride) {
        uint64_t named = 0, late = 0;
        for (uint32_t r = 0; r < slots->ref_count; r++) {
            uint64_t bit = structure_bit(s, slot[refs[r]]); /* of up to 64 elements: its own */
            late |= bit & ~(named << 1);
            named |= bit;
        }
        passed |= (uint64_t)((late & others) != 0) << i;
    }
    return passed;
}

static void repeat_pass_choices(const struct repeat *repeat, const struct structure *s, const int32_t *cells,
                                uint64_t others)
{
    const struct slots *last = NULL;
    uint64_t passed = 0;
    for (uint32_t i = 0; i < repeat->choice_count; i++) {
        const struct repeat_choice *choice = &repeat->choices[i];
        uint32_t word = choice->first / 64, shift = choice->first % 64;
        if (choice->slots != last)
            passed = repeat_pass_slots(s, choice->slots, cells, others);
        last = choice->slots;
        repeat->passed[word] |= passed << shift;
        if (shift + choice->slots->capacity > 64)
            repeat->passed[word + 1] |= passed >> (64 - shift);
    }
}

/* Instances that need not be followed, as canon_pass_repeats has them; `others`: the elements that are not the first of
 * their twins, by canon_bit. */
static const uint64_t *repeat_pass(const struct repeat *repeat, const struct structure *s, const int32_t *cells,
                                   uint64_t others, const uint64_t *more, bool *is_whole)
{
    uint32_t words = repeat->words;
    if (!words)
        return NULL;
    for (uint32_t w = 0; w < words; w++)
        repeat->passed[w] = more ? more[w] : 0;
    repeat_pass_choices(repeat, s, cells, others);
    for (; others; others &= others - 1)
        bits_join(repeat->passed, repeat->named + (size_t)__builtin_ctzll(others) * words, words);
    *is_whole = repeat->is_whole;
    return repeat->passed;
}

/* Of a rule with one parameter, which has elements. */
static bool repeat_image_of_one(const struct repeat_rule *known, const uint32_t *images, uint64_t *instance)
{
    uint32_t element = known->elements[*instance];
    if (element != NO_ELEMENT)
        *instance = known->parameters[0].ordinals[images[element]];
    return *instance != NO_ELEMENT;
}

bool repeat_image(const struct repeat *repeat, uint32_t rule, const uint32_t *images, uint64_t *instance)
{
    const struct repeat_rule *known = &repeat->rules[rule];
    uint64_t rest = *instance, weight = 1;
    if (known->elements)
        return repeat_image_of_one(known, images, instance);
    for (uint32_t p = known->parameter_count; known->is_plain && p-- > 0;) {
        const struct repeat_parameter *parameter = &known->parameters[p];
        uint32_t ordinal = (uint32_t)(rest % parameter->size);
        uint32_t element = parameter->elements ? parameter->elements[ordinal] : NO_ELEMENT;
        uint32_t image = element == NO_ELEMENT ? ordinal : parameter->ordinals[images[element]];
        if (image == NO_ELEMENT)
            return false;
        *instance += (uint64_t)image * weight - (uint64_t)ordinal * weight;
        rest /= parameter->size;
        weight *= parameter->size;
    }
    return known->is_plain;
}

/* --- in the state begun with --- */

const uint64_t *canon_pass_repeats(struct canon *canon, const uint64_t *more, bool *is_whole)
{
    uint32_t count = canon->structure->element_count;
    uint64_t all = count < 64 ? ((uint64_t)1 << count) - 1 : UINT64_MAX;
    if (!canon_has_repeats(canon))
        return NULL;
    return repeat_pass(canon->repeat, canon->structure, canon->lane->parent, all & ~canon->lane->all_classes, more,
                       is_whole);
}

bool canon_is_repeat(struct canon *canon, const struct rule *rule, uint64_t instance)
{
    const struct successor_lane *lane = canon->lane;
    return (lane->is_known ? lane->has_twins : canon_has_repeats(canon)) &&
           !repeat_is_least(canon->repeat, canon->structure, lane->twin, lane->parent, rule->id, instance);
}
