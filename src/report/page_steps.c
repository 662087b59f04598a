/* The steps of a run: which rule, and what changed. Each rule instance and each value is written once, and steps refer
 * to it by number, so that runs of ten thousand steps fit on a page. Of a longer one the middle is left out. */
#include <string.h>

#include "base/watch.h"
#include "base/words.h"
#include "ir/instance.h"
#include "report/lanes.h"
#include "report/page.h"
#include "report/value.h"

enum { MOST_STEPS = 20000, END_STEPS = MOST_STEPS / 2, NO_VALUE = -1 };

struct step_writer {
    const struct trace *trace;
    const struct lanes *lanes;
    struct words instances, texts;
    struct json *rules, *values, *steps;
};

bool page_has_step(const struct trace *trace, uint32_t at)
{
    return trace->count <= MOST_STEPS || at < END_STEPS || at >= trace->count - END_STEPS;
}

static int64_t number_of_rule(struct step_writer *writer, const struct trace_step *step)
{
    uint32_t before = words_count(&writer->instances);
    bool is_start = step == writer->trace->steps;
    uint32_t key[] = {is_start, step->rule->id, (uint32_t)step->instance, (uint32_t)(step->instance >> 32)};
    uint32_t number = words_intern(&writer->instances, key, sizeof key / sizeof *key);
    if (number < before)
        return number;
    struct json *rule = json_make_array();
    struct text name = {0};
    instance_print(step->rule, step->instance, &name);
    json_push(rule, json_make_text(text_chars(&name)));
    json_push(rule, json_make_integer(step->rule->span.line));
    json_push(rule, json_make_integer(lanes_of_instance(writer->lanes, step->rule, step->instance)));
    int32_t partner = lanes_of_partner(step->rule, step->instance);
    if (partner != LANE_SHARED)
        json_push(rule, json_make_integer(partner));
    json_push(writer->rules, rule);
    text_free(&name);
    return number;
}

static int64_t number_of_value(struct step_writer *writer, const struct lane_entry *entry, const int32_t *cells)
{
    uint32_t before = words_count(&writer->texts), count = 0, number;
    struct text value = {0};
    lanes_print_entry(writer->lanes, entry, cells, &value);
    uint32_t *letters = memory_alloc((value.length + 1) * sizeof *letters);
    for (const char *c = text_chars(&value); *c; c++)
        letters[count++] = (uint8_t)*c;
    number = words_intern(&writer->texts, letters, count);
    if (number == before)
        json_push(writer->values, json_make_text(text_chars(&value)));
    free(letters);
    text_free(&value);
    return number;
}

/* What differs from the state before, as the entry's number and that of the value; of the first state everything that
 * is defined. */
static void add_changes(struct step_writer *writer, const int32_t *before, const int32_t *after, struct json *step)
{
    for (size_t i = 0; i < writer->lanes->entries.count && !watch_cuts(); i++) {
        const struct lane_entry *entry = &writer->lanes->entries.items[i];
        const int32_t *cells = after + entry->address;
        bool is_blank = !lanes_entry_is_there(writer->lanes, entry, after);
        bool was_blank = !before || !lanes_entry_is_there(writer->lanes, entry, before);
        if (is_blank && was_blank)
            continue;
        if (is_blank == was_blank && !memcmp(before + entry->address, cells, entry->type->cells * sizeof *cells))
            continue;
        json_push(step, json_make_integer((int64_t)i));
        json_push(step, json_make_integer(is_blank ? NO_VALUE : number_of_value(writer, entry, after)));
    }
}

static void add_steps(struct step_writer *writer)
{
    const int32_t *before = NULL;
    for (uint32_t i = 0; i < writer->trace->count && !watch_cuts(); i++) {
        const struct trace_step *step = &writer->trace->steps[i];
        if (!page_has_step(writer->trace, i))
            continue;
        struct json *object = json_make_array();
        json_push(object, json_make_integer(number_of_rule(writer, step)));
        if (step->cells)
            add_changes(writer, before, step->cells, object);
        json_push(writer->steps, object);
        before = step->cells;
    }
}

/* Where steps are left out: before which of those that are there, and how many. */
static struct json *gap_of(const struct trace *trace)
{
    if (trace->count <= MOST_STEPS)
        return json_make_null();
    struct json *gap = json_make_object();
    json_set(gap, "at", json_make_integer(END_STEPS));
    json_set(gap, "skipped", json_make_integer(trace->count - MOST_STEPS));
    return gap;
}

static struct json *failure_of(const struct trace *trace)
{
    const struct trace_step *last = &trace->steps[trace->count - 1];
    if (last->cells)
        return json_make_null();
    struct json *failure = json_make_object(), *place = json_make_array();
    struct text message = {0};
    fault_print(&last->fault, &message);
    json_push(place, json_make_integer(last->fault.span.line));
    json_push(place, json_make_integer(last->fault.span.column));
    json_push(place, json_make_integer(last->fault.span.length));
    json_set(failure, "fault", json_make_text(text_chars(&message)));
    json_set(failure, "place", place);
    text_free(&message);
    return failure;
}

void page_steps(const struct trace *trace, const struct lanes *lanes, struct json *object)
{
    struct step_writer writer = {.trace = trace,
                                 .lanes = lanes,
                                 .rules = json_make_array(),
                                 .values = json_make_array(),
                                 .steps = json_make_array()};
    add_steps(&writer);
    json_set(object, "rules", writer.rules);
    json_set(object, "values", writer.values);
    json_set(object, "steps", writer.steps);
    json_set(object, "gap", gap_of(trace));
    json_set(object, "failure", failure_of(trace));
    words_free(&writer.instances);
    words_free(&writer.texts);
}
