/* A run as a log with vector clocks (Fidge, Mattern), for ShiViz: two lines for each event, "host {clock}" and what
 * happened. A step is an event of the process that takes it, and of each other one whose variables it changes. It comes
 * after the messages that it receives, and after the last change of the shared variables, which it may have read. */
#include <string.h>

#include "base/watch.h"
#include "ir/instance.h"
#include "report/exchange.h"
#include "report/messages.h"

struct clocks {
    const struct trace *trace; /* its steps fire one rule each */
    struct lanes lanes;
    struct messages messages;
    size_t hosts;     /* the lanes, and the last: what is shared */
    uint32_t *now;    /* by host: its clock */
    uint32_t *events; /* by step: the clock of the event of who took it */
    struct text *out;
};

static size_t host_of(const struct clocks *clocks, int32_t lane)
{
    return lane == LANE_SHARED ? clocks->hosts - 1 : (size_t)lane;
}

static uint32_t *clock_of(const struct clocks *clocks, size_t host)
{
    return clocks->now + host * clocks->hosts;
}

static void merge(uint32_t *into, const uint32_t *from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (from[i] > into[i])
            into[i] = from[i];
}

/* A word without spaces and quotes. */
static void print_host(const struct clocks *clocks, size_t host, struct text *out)
{
    struct text name = {0};
    lanes_print_name(&clocks->lanes, host == clocks->hosts - 1 ? LANE_SHARED : (int32_t)host, &name);
    for (const char *c = text_chars(&name); *c; c++)
        text_char(out, strchr(" \t\"\\{}", *c) ? '_' : *c);
    text_free(&name);
}

static void print_event(const struct clocks *clocks, size_t host, uint32_t step, const char *by)
{
    const uint32_t *clock = clock_of(clocks, host);
    const char *comma = "";
    struct text rule = {0};
    print_host(clocks, host, clocks->out);
    text_append(clocks->out, " {");
    for (size_t i = 0; i < clocks->hosts; i++) {
        if (!clock[i])
            continue;
        text_format(clocks->out, "%s\"", comma);
        print_host(clocks, i, clocks->out);
        text_format(clocks->out, "\":%u", clock[i]);
        comma = ", ";
    }
    instance_print(clocks->trace->steps[step].rule, clocks->trace->steps[step].instance, &rule);
    text_format(clocks->out, "}\n%u %s%s\n", step, text_chars(&rule), by);
    text_free(&rule);
}

static void receive(struct clocks *clocks, uint32_t step, uint32_t *clock)
{
    for (size_t i = 0; i < clocks->messages.items.count; i++) {
        const struct message *message = &clocks->messages.items.items[i];
        if (message->received == (int32_t)step && message->sent >= 0 && message->sent < (int32_t)step)
            merge(clock, clocks->events + (size_t)message->sent * clocks->hosts, clocks->hosts);
    }
}

static void mark_changed(const struct clocks *clocks, uint32_t step, bool *is_changed)
{
    const int32_t *before = step ? clocks->trace->steps[step - 1].cells : NULL,
                  *after = clocks->trace->steps[step].cells;
    memset(is_changed, 0, clocks->hosts * sizeof *is_changed);
    for (size_t i = 0; before && after && i < clocks->lanes.entries.count; i++) {
        const struct lane_entry *entry = &clocks->lanes.entries.items[i];
        if (memcmp(before + entry->address, after + entry->address, entry->type->cells * sizeof *before))
            is_changed[host_of(clocks, entry->lane)] = true;
    }
}

static void print_step(struct clocks *clocks, uint32_t step, bool *is_changed)
{
    const struct trace_step *taken = &clocks->trace->steps[step];
    size_t actor = host_of(clocks, lanes_of_instance(&clocks->lanes, taken->rule, taken->instance));
    uint32_t *clock = clock_of(clocks, actor);
    mark_changed(clocks, step, is_changed);
    merge(clock, clock_of(clocks, clocks->hosts - 1), clocks->hosts);
    receive(clocks, step, clock);
    clock[actor]++;
    memcpy(clocks->events + (size_t)step * clocks->hosts, clock, clocks->hosts * sizeof *clock);
    print_event(clocks, actor, step, "");
    for (size_t host = 0; host < clocks->hosts && !watch_cuts(); host++) {
        if (host == actor || !is_changed[host])
            continue;
        merge(clock_of(clocks, host), clock, clocks->hosts);
        clock_of(clocks, host)[host]++;
        print_event(clocks, host, step, " (changes it)");
    }
}

void exchange_print_shiviz(const struct property_result *shown, struct text *out)
{
    struct trace *made;
    struct clocks clocks = {.out = out};
    clocks.trace = trace_show(shown->trace, &made);
    lanes_find(clocks.trace->layout, &clocks.lanes);
    messages_find(clocks.trace, &clocks.lanes, &clocks.messages);
    clocks.hosts = clocks.lanes.lanes.count + 1;
    clocks.now = memory_zeroed(clocks.hosts * clocks.hosts, sizeof *clocks.now);
    clocks.events = memory_zeroed(clocks.hosts * clocks.trace->count, sizeof *clocks.events);
    bool *is_changed = memory_zeroed(clocks.hosts, sizeof *is_changed);
    for (uint32_t i = 0; i < clocks.trace->count && !watch_cuts(); i++)
        print_step(&clocks, i, is_changed);
    free(is_changed);
    free(clocks.now);
    free(clocks.events);
    messages_free(&clocks.messages);
    lanes_free(&clocks.lanes);
    trace_destroy(made);
}
