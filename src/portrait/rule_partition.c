#include "portrait/rule_partition.h"

#include <string.h>

#include "base/hash.h"
#include "ir/instance.h"
#include "portrait/rule_study.h"

enum { STUDY_MOST_ELEMENTS = 1024, STUDY_MOST_INSTANCES = 1 << 16, STUDY_MOST_CELLS = 1 << 20 };

struct partition_items {
    struct study_item *items;
    size_t count, capacity;
};

/* The portrait of an instance with p and q exchanged. */
static uint32_t study_swap(struct study *study, uint32_t outcome, uint32_t p, uint32_t q)
{
    uint32_t length = words_length(&study->outcomes, outcome);
    const uint32_t *words = words_at(&study->outcomes, outcome);
    struct pterm_list image = {0};
    VEC_PUSH(&image, pterm_swap(&study->terms, words[0], PTERM_AS_DATA, p, q));
    VEC_PUSH(&image, pterm_swap(&study->terms, words[1], PTERM_AS_DATA, p, q));
    VEC_PUSH(&image, words[2]);
    uint32_t writes = 3 + 2 * words[2];
    for (uint32_t w = 3; w < writes; w += 2) {
        VEC_PUSH(&image, words[w]);
        VEC_PUSH(&image, pterm_swap(&study->terms, words[w + 1], PTERM_AS_DATA, p, q));
    }
    for (uint32_t w = writes; w < length; w += 2) {
        uint32_t cell = pterm_swap_cell(study->roster, words[w], p, q);
        uint32_t value = pterm_swap(&study->terms, words[w + 1], pterm_mode_of_cell(&study->terms, words[w], p), p, q);
        size_t at = image.count;
        VEC_PUSH(&image, cell);
        VEC_PUSH(&image, value);
        for (; at > writes && image.items[at - 2] > cell; at -= 2)
            memcpy(image.items + at, image.items + at - 2, 2 * sizeof cell);
        image.items[at] = cell;
        image.items[at + 1] = value;
    }
    uint32_t number = words_find(&study->outcomes, image.items, (uint32_t)image.count);
    VEC_FREE(&image);
    return number;
}

static uint64_t study_signature(struct study *study, uint32_t outcome)
{
    uint32_t length = words_length(&study->outcomes, outcome);
    const uint32_t *words = words_at(&study->outcomes, outcome);
    uint64_t first = pterm_signature(&study->terms, words[0], PTERM_AS_DATA);
    uint64_t second = pterm_signature(&study->terms, words[1], PTERM_AS_DATA), sum = 0,
             seed = hash_combine(first, second);
    uint32_t writes = 3 + 2 * words[2];
    for (uint32_t w = 3; w < length; w += 2) {
        bool is_write = w >= writes;
        uint32_t role = is_write ? study->roster->role[words[w]] : 0;
        enum pterm_mode mode = role == ROLE_REFERENCE ? PTERM_AS_ELEMENT : PTERM_AS_DATA;
        uint64_t where = role == ROLE_LOCAL ? study->roster->slot_of[words[w]] : words[w];
        sum += hash_combine(where * 2 + is_write, pterm_signature(&study->terms, words[w + 1], mode));
    }
    return hash_combine(seed, sum);
}

/* Some items, and whether something is one of them. */
struct crowd {
    struct study *study;
    const struct study_item *items;
    uint32_t count;
    struct words known; /* values, outcome, actors */
};

static uint32_t item_words(const struct study_item *item, uint32_t actor_count, uint32_t *words)
{
    words[0] = item->values;
    words[1] = item->outcome;
    memcpy(words + 2, item->actors, actor_count * sizeof *words);
    return actor_count + 2;
}

static bool crowd_is_invariant(void *user, uint32_t p, uint32_t q)
{
    struct crowd *crowd = user;
    struct study *study = crowd->study;
    uint32_t words[STUDY_MOST_ACTORS + 2];
    if (study->is_settled[study->roster->family_of[p]])
        return true;
    for (uint32_t i = 0; i < crowd->count && !pterms_is_exhausted(&study->terms); i++) {
        struct study_item image = crowd->items[i];
        study->terms.work += 2 + study->actor_count;
        for (uint32_t a = 0; a < study->actor_count; a++)
            image.actors[a] = image.actors[a] == p ? q : image.actors[a] == q ? p : image.actors[a];
        image.outcome = study_swap(study, image.outcome, p, q);
        if (image.outcome == WORDS_NONE ||
            words_find(&crowd->known, words, item_words(&image, study->actor_count, words)) == WORDS_NONE)
            return false;
    }
    return !pterms_is_exhausted(&study->terms);
}

static void crowd_label(struct study *study, const struct study_item *items, uint32_t count, uint32_t *labels)
{
    struct crowd crowd = {.study = study, .items = items, .count = count};
    uint32_t words[STUDY_MOST_ACTORS + 2];
    for (uint32_t i = 0; i < count; i++)
        words_intern(&crowd.known, words, item_words(&items[i], study->actor_count, words));
    roster_label(study->roster, crowd_is_invariant, &crowd, labels);
    words_free(&crowd.known);
}

static int item_compare(const void *left, const void *right)
{
    const struct study_item *a = left, *b = right;
    if (a->label != b->label)
        return a->label < b->label ? -1 : 1;
    return a->instance < b->instance ? -1 : a->instance > b->instance;
}

struct classes {
    struct study *study;
    VEC(struct rule_class) list;
};

static bool class_equals(const struct rule_class *left, const struct rule_class *right, const struct study *study)
{
    uint32_t n = study->roster->element_count;
    uint32_t parameters = study->rule ? study->rule->parameter_count : 0;
    return !memcmp(left->label_of, right->label_of, n * sizeof *left->label_of) &&
           (!parameters || !memcmp(left->acts, right->acts, (size_t)parameters * n));
}

/* Between the first elements of cells that follow each other. */
static void class_find_boundaries(struct study *study, struct rule_class *class)
{
    const struct roster *roster = study->roster;
    VEC(struct rule_boundary) list = {0};
    for (uint32_t f = 0; f < roster->family_count; f++) {
        uint32_t before = NO_ELEMENT;
        for (uint32_t e = roster->families[f].first; e < roster->families[f].first + roster->families[f].size; e++) {
            if (class->label_of[e] != e)
                continue;
            if (before != NO_ELEMENT) {
                struct rule_boundary boundary = {before, e, blame_find(study, before, e)};
                VEC_PUSH(&list, boundary);
            }
            before = e;
        }
    }
    class->boundary_count = (uint32_t)list.count;
    class->boundaries = VEC_SEAL(&list, study->arena);
}

static bool *class_actors(struct study *study, const struct study_item *items, uint32_t count)
{
    const struct rule *rule = study->rule;
    uint32_t n = study->roster->element_count;
    bool *acts = ARENA_ARRAY(study->arena, bool, (rule ? rule->parameter_count : 0) * n + 1);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t p = 0; p < study->actor_count; p++)
            if (items[i].actors[p] != NO_ELEMENT)
                acts[p * n + items[i].actors[p]] = true;
    return acts;
}

static void classes_add(struct classes *classes, const struct study_item *items, uint32_t count)
{
    struct study *study = classes->study;
    uint32_t n = study->roster->element_count;
    struct rule_class class = {.acts = class_actors(study, items, count), .first_instance = items[0].instance};
    class.label_of = ARENA_ARRAY(study->arena, uint32_t, n);
    crowd_label(study, items, count, class.label_of);
    for (uint32_t e = 0; e < n; e++)
        class.cell_count += class.label_of[e] == e;
    class.is_symmetric = class.cell_count == study->roster->family_count;
    for (size_t c = 0; c < classes->list.count; c++)
        if (class_equals(&classes->list.items[c], &class, study))
            return;
    if (study->blames)
        class_find_boundaries(study, &class);
    VEC_PUSH(&classes->list, class);
}

/* Items that look alike: split by the cells in which their actors are. */
static void classes_add_alike(struct classes *classes, struct study_item *items, uint32_t count)
{
    struct study *study = classes->study;
    uint32_t n = study->roster->element_count, *labels = memory_alloc(n * sizeof *labels);
    crowd_label(study, items, count, labels);
    for (uint32_t i = 0; i < count; i++) {
        items[i].label = 0;
        for (uint32_t a = 0; a < study->actor_count; a++)
            items[i].label =
                items[i].label * (n + 1) + (items[i].actors[a] == NO_ELEMENT ? n : labels[items[i].actors[a]]);
    }
    qsort(items, count, sizeof *items, item_compare);
    for (uint32_t first = 0, end; first < count && !pterms_is_exhausted(&study->terms); first = end) {
        for (end = first + 1; end < count && items[end].label == items[first].label;)
            end++;
        classes_add(classes, items + first, end - first);
    }
    free(labels);
}

/* What no permutation changes: the form of the portrait, the other parameters, which actors are the same. */
static uint64_t study_label(struct study *study, const struct study_item *item)
{
    uint64_t label = hash_combine(study_signature(study, item->outcome), item->values);
    for (uint32_t a = 0; a < study->actor_count; a++)
        for (uint32_t b = 0; b < a; b++)
            label = hash_combine(label, item->actors[a] == item->actors[b]);
    return label;
}

static int class_compare(const void *left, const void *right)
{
    uint64_t a = ((const struct rule_class *)left)->first_instance;
    uint64_t b = ((const struct rule_class *)right)->first_instance;
    return a < b ? -1 : a > b;
}

static void study_divide(struct study *study, struct partition_items *items, struct rule_partition *partition)
{
    struct classes classes = {.study = study};
    for (size_t i = 0; i < items->count; i++)
        items->items[i].label = study_label(study, &items->items[i]);
    if (items->count)
        qsort(items->items, items->count, sizeof *items->items, item_compare);
    for (size_t first = 0, end; first < items->count && !pterms_is_exhausted(&study->terms); first = end) {
        for (end = first + 1; end < items->count && items->items[end].label == items->items[first].label;)
            end++;
        classes_add_alike(&classes, items->items + first, (uint32_t)(end - first));
    }
    blame_end(study);
    partition->class_count = (uint32_t)classes.list.count;
    if (classes.list.count)
        qsort(classes.list.items, classes.list.count, sizeof *classes.list.items, class_compare);
    partition->classes = VEC_SEAL(&classes.list, study->arena);
}

static bool study_add_instance(struct study *study, uint64_t instance, struct partition_items *items)
{
    const struct rule *rule = study->rule;
    struct study_item item = {.instance = instance};
    int32_t *values = memory_alloc((rule->parameter_count + 1) * sizeof *values);
    struct pterm_list words = {0};
    instance_values(rule, instance, values);
    bool goes_on = portrait_take_rule(&study->portrait, rule, values);
    for (uint32_t p = 0; p < rule->parameter_count; p++) {
        const struct parameter *parameter = &rule->parameters[p];
        item.actors[p] =
            roster_element_of_parameter(study->roster, parameter->variable, parameter->type, rule, values[p]);
        if (item.actors[p] == NO_ELEMENT)
            VEC_PUSH(&words, (uint32_t)values[p]);
    }
    item.values = words_intern(&study->values, words.items, (uint32_t)words.count);
    if (goes_on && study->portrait.guard != PTERM_FALSE) {
        portrait_write(&study->portrait, &words);
        item.outcome = words_intern(&study->outcomes, words.items, (uint32_t)words.count);
        VEC_PUSH(items, item);
    }
    VEC_FREE(&words);
    free(values);
    return goes_on;
}

static const char *study_count_actors(struct study *study, const struct rule *rule)
{
    study->actor_count = rule->parameter_count;
    if (study->actor_count > STUDY_MOST_ACTORS)
        return "it has too many parameters";
    return rule->instance_count > STUDY_MOST_INSTANCES ? "it has too many instances" : NULL;
}

static void study_give_up(struct study *study, struct rule_partition *partition, const char *why, struct span span)
{
    partition->not_analysed = pterms_is_exhausted(&study->terms) ? "the analysis would take too long" : why;
    partition->not_analysed_span = span;
    partition->class_count = 0;
}

static void study_rule(struct study *study, struct rule_partition *partition)
{
    const struct rule *rule = partition->rule;
    struct partition_items items = {0};
    study->rule = rule;
    study->property = NULL;
    const char *why = study_count_actors(study, rule);
    bool goes_on = !why;
    for (uint64_t i = 0; goes_on && i < rule->instance_count; i++)
        goes_on = study_add_instance(study, i, &items);
    if (goes_on)
        study_divide(study, &items, partition);
    if (!goes_on || pterms_is_exhausted(&study->terms))
        study_give_up(study, partition, why ? why : study->portrait.failure,
                      why ? rule->span : study->portrait.failure_span);
    VEC_FREE(&items);
}

static void study_property(struct study *study, struct rule_partition *partition)
{
    struct partition_items items = {0};
    struct study_item item = {0};
    uint32_t words[3] = {0};
    study->rule = NULL;
    study->property = partition->property;
    study->actor_count = 0;
    if (portrait_take_formula(&study->portrait, partition->property->formula, &words[0])) {
        item.values = words_intern(&study->values, words, 0);
        item.outcome = words_intern(&study->outcomes, words, 3);
        VEC_PUSH(&items, item);
        study_divide(study, &items, partition);
    }
    if (study->portrait.failure || pterms_is_exhausted(&study->terms))
        study_give_up(study, partition, study->portrait.failure, study->portrait.failure_span);
    VEC_FREE(&items);
}

static const char *study_refuse(const struct system *system)
{
    for (size_t g = 0; g < system->globals.count; g++)
        if (type_has_multiset(system->globals.items[g]->type))
            return "the model has multisets";
    for (size_t r = 0; r < system->rules.count; r++)
        for (uint32_t p = 0; p < system->rules.items[r]->parameter_count; p++)
            if (system->rules.items[r]->parameters[p].choose)
                return "the model has multisets";
    return system->memory_cells > STUDY_MOST_CELLS ? "the model has too many variables" : NULL;
}

static void partitions_list(struct rule_partitions *partitions, const struct system *system)
{
    partitions->items =
        ARENA_ARRAY(partitions->arena, struct rule_partition, system->rules.count + system->properties.count + 1);
    for (size_t r = 0; r < system->rules.count; r++)
        partitions->items[partitions->count++].rule = system->rules.items[r];
    for (size_t p = 0; p < system->properties.count; p++)
        if (system->properties.items[p]->formula)
            partitions->items[partitions->count++].property = system->properties.items[p];
}

/* The family of which the factor permutes all elements; NO_FAMILY: it is none such. */
static uint32_t whole_family(const struct roster *roster, const struct symmetry_factor *factor)
{
    uint32_t family = factor->kind == SYMMETRY_FULL ? roster_family(roster, factor->type) : NO_FAMILY;
    return family != NO_FAMILY && factor->degree == roster->families[family].size ? family : NO_FAMILY;
}

/* A family that the group of the whole model permutes in all ways: no rule can tell its elements apart. */
static bool *partitions_settle(const struct rule_partitions *partitions, const struct symmetry *symmetry)
{
    const struct roster *roster = partitions->roster;
    bool *is_settled = ARENA_ARRAY(partitions->arena, bool, roster->family_count + 1);
    for (uint32_t i = 0; symmetry && i < symmetry->factor_count; i++) {
        const struct symmetry_factor *factor = &symmetry->factors[i];
        uint32_t family = whole_family(roster, factor);
        if (factor->is_used && family != NO_FAMILY)
            is_settled[family] = true;
    }
    return is_settled;
}

/* Beside these, the families that nothing in the rule can tell apart: other rules do, by the order of their loops. */
static const bool *partitions_settle_rule(const struct rule_partitions *partitions, const struct symmetry *symmetry,
                                          const struct rule *rule)
{
    const struct roster *roster = partitions->roster;
    bool *is_settled = arena_copy(partitions->arena, partitions->is_settled, roster->family_count + 1);
    for (uint32_t i = 0; symmetry && symmetry->system == roster->layout->system && i < symmetry->factor_count; i++) {
        const struct symmetry_factor *factor = &symmetry->factors[i];
        uint32_t family = whole_family(roster, factor);
        bool is_ordered = !factor->orders_in || factor->orders_in[rule->id];
        if (family != NO_FAMILY && factor->breach_kinds == BREACH_ORDERS && !is_ordered)
            is_settled[family] = true;
    }
    return is_settled;
}

static void partitions_infer(struct rule_partitions *partitions, const struct symmetry *symmetry, uint64_t work,
                             bool blames)
{
    struct study study = {.arena = partitions->arena, .roster = partitions->roster, .blames = blames};
    study.is_settled = partitions->is_settled = partitions_settle(partitions, symmetry);
    pterms_create(&study.terms, partitions->roster, work);
    portrait_create(&study.portrait, partitions->roster, &study.terms);
    for (uint32_t i = 0; i < partitions->count; i++) {
        /* None takes it all: half of what is left is for the others. */
        pterms_allow(&study.terms, study.terms.work < work ? (work - study.terms.work) / 2 : 0);
        const struct rule *rule = partitions->items[i].rule;
        study.is_settled = rule ? partitions_settle_rule(partitions, symmetry, rule) : partitions->is_settled;
        if (rule)
            study_rule(&study, &partitions->items[i]);
        else
            study_property(&study, &partitions->items[i]);
    }
    portrait_destroy(&study.portrait);
    pterms_destroy(&study.terms);
    words_free(&study.outcomes);
    words_free(&study.values);
}

struct rule_partitions *rule_partitions_find(const struct layout *layout, const struct symmetry *symmetry,
                                             const int32_t *starts, size_t start_count, uint64_t work, bool blames)
{
    struct arena *arena = arena_create();
    struct rule_partitions *partitions = ARENA_NEW(arena, struct rule_partitions);
    *partitions = (struct rule_partitions){.arena = arena, .not_analysed = study_refuse(layout->system)};
    if (partitions->not_analysed)
        return partitions;
    partitions->roster = roster_create(layout, starts, start_count);
    if (!partitions->roster) {
        partitions->not_analysed = "the model has no processes: no rule is parameterised by the index of an array";
    } else if (partitions->roster->element_count > STUDY_MOST_ELEMENTS) {
        partitions->not_analysed = "the model has too many processes";
    } else {
        partitions_list(partitions, layout->system);
        partitions_infer(partitions, symmetry, work, blames);
    }
    return partitions;
}

void rule_partitions_destroy(struct rule_partitions *partitions)
{
    if (!partitions)
        return;
    roster_destroy(partitions->roster);
    arena_destroy(partitions->arena);
}

bool rule_partition_is_symmetric(const struct rule_partition *partition)
{
    for (uint32_t c = 0; c < partition->class_count; c++)
        if (!partition->classes[c].is_symmetric)
            return false;
    return !partition->not_analysed;
}
