/* Where in the source two processes are distinguished.
 *
 * The instances are run once more, noting every place at which the number of a process decides something: a truth
 * value, an index, a value stored. The place to blame is the first whose notes are not mapped to each other when the
 * two are exchanged; truth values, indices and stored values come before what is computed on the way to them. */
#include "base/watch.h"
#include "ir/instance.h"
#include "portrait/rule_study.h"

/* A parameter that runs over a part of the family: one of the two can be it, the other cannot. */
static bool blame_parameter(const struct study *study, uint32_t p, uint32_t q, struct span *span)
{
    const struct roster *roster = study->roster;
    for (uint32_t i = 0; study->rule && i < study->rule->parameter_count; i++) {
        const struct parameter *parameter = &study->rule->parameters[i];
        uint32_t family = roster_family_of_parameter(roster, parameter->variable, parameter->type, study->rule);
        if (family == roster->family_of[p] &&
            type_has(parameter->type, roster->code_of[p]) != type_has(parameter->type, roster->code_of[q])) {
            *span = parameter->variable->span;
            return true;
        }
    }
    return false;
}

static void blame_run(struct study *study)
{
    study->has_events = true;
    study->portrait.events = &study->events;
    uint32_t parameters = study->rule ? study->rule->parameter_count : 0, term;
    int32_t *values = memory_alloc((parameters + 1) * sizeof *values);
    for (uint64_t i = 0; study->rule && i < study->rule->instance_count; i++) {
        instance_values(study->rule, i, values);
        portrait_take_rule(&study->portrait, study->rule, values);
    }
    if (study->property)
        portrait_take_formula(&study->portrait, study->property->formula, &term);
    free(values);
    study->portrait.events = NULL;
}

static uint32_t blame_swap(uint32_t element, uint32_t p, uint32_t q)
{
    return element == p ? q : element == q ? p : element;
}

/* Is the image of the event under (p q) an event? */
static bool blame_is_mapped(const struct study *study, uint32_t event, uint32_t p, uint32_t q)
{
    const uint32_t *words = words_at(&study->events.words, event);
    uint32_t length = words_length(&study->events.words, event);
    struct pterm_list image = {0};
    for (uint32_t w = 0; w < length; w++)
        VEC_PUSH(&image, w < EVENT_BOUND ? words[w] : blame_swap(words[w], p, q));
    if (words[EVENT_SORT] == EVENT_ELEMENT)
        image.items[EVENT_RESULT] = blame_swap(words[EVENT_RESULT], p, q);
    bool is_there = words[EVENT_SORT] != EVENT_BREAK &&
                    words_find(&study->events.words, image.items, (uint32_t)image.count) != WORDS_NONE;
    VEC_FREE(&image);
    return is_there;
}

void blame_end(struct study *study)
{
    words_free(&study->events.words);
    VEC_FREE(&study->events.places);
    VEC_FREE(&study->events.nodes);
    VEC_FREE(&study->events.is_decisive);
    study->events = (struct events){0};
    study->has_events = false;
}

struct span blame_find(struct study *study, uint32_t p, uint32_t q)
{
    struct span span = study->rule ? study->rule->span : study->property->span;
    uint32_t best = UINT32_MAX;
    if (blame_parameter(study, p, q, &span))
        return span;
    if (!study->has_events)
        blame_run(study);
    for (uint32_t e = 0; e < words_count(&study->events.words) && !watch_is_up(); e++) {
        uint32_t place = words_at(&study->events.words, e)[EVENT_PLACE];
        uint32_t rank = place + (study->events.is_decisive.items[place] ? 0 : (uint32_t)study->events.places.count);
        if (rank < best && !blame_is_mapped(study, e, p, q)) {
            best = rank;
            span = study->events.places.items[place];
        }
    }
    return span;
}
