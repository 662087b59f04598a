/* A run as a sequence diagram: a participant for each process that does something, a note for each step with what it
 * changes, an arrow for each message, at the step that sends it. */
#include <string.h>

#include "base/watch.h"
#include "ir/instance.h"
#include "report/exchange.h"
#include "report/messages.h"
#include "report/value.h"

enum { MOST_CHANGES = 8 }; /* lines in a note */

struct sequence {
    const struct property_result *shown;
    const struct trace *trace; /* its steps fire one rule each */
    bool is_plantuml;
    struct lanes lanes;
    struct messages messages;
    bool *is_used; /* by lane; the last: what is shared */
    struct text *out;
};

static size_t column_of(const struct sequence *sequence, int32_t lane)
{
    return lane == LANE_SHARED ? sequence->lanes.lanes.count : (size_t)lane;
}

/* What either language could take for its own syntax. PlantUML evaluates "%getenv(...)" and "%load_json(...)" before it
 * reads a tilde, and Mermaid obeys "%%{init: ...}%%" wherever it stands. */
static void print_safe(const struct sequence *sequence, const char *chars)
{
    for (; *chars; chars++) {
        unsigned char c = (unsigned char)*chars;
        if (c < ' ')
            text_char(sequence->out, ' ');
        else if (sequence->is_plantuml && c == '%')
            text_append(sequence->out, "<U+0025>");
        else if (sequence->is_plantuml && (strchr("<\\~", c) || (strchr("*/_-\"[", c) && chars[1] == *chars)))
            text_format(sequence->out, "~%c", c);
        else if (!sequence->is_plantuml && strchr("#;<>%", c))
            text_format(sequence->out, "#%d;", c);
        else
            text_char(sequence->out, (char)c);
    }
}

static void print_break(const struct sequence *sequence)
{
    text_append(sequence->out, sequence->is_plantuml ? "\\n" : "<br/>");
}

static void print_participants(const struct sequence *sequence)
{
    for (size_t i = 0; i <= sequence->lanes.lanes.count; i++) {
        struct text name = {0};
        if (!sequence->is_used[i])
            continue;
        lanes_print_name(&sequence->lanes, i < sequence->lanes.lanes.count ? (int32_t)i : LANE_SHARED, &name);
        if (sequence->is_plantuml) {
            text_append(sequence->out, "participant \"");
            print_safe(sequence, text_chars(&name));
            text_format(sequence->out, "\" as p%zu\n", i);
        } else {
            text_format(sequence->out, "  participant p%zu as ", i);
            print_safe(sequence, text_chars(&name));
            text_char(sequence->out, '\n');
        }
        text_free(&name);
    }
}

static void print_changes(const struct sequence *sequence, uint32_t at)
{
    struct value_lines lines = {0};
    const int32_t *after = sequence->trace->steps[at].cells;
    if (at && after)
        value_list_changes(sequence->trace->layout, sequence->trace->steps[at - 1].cells, after, &lines);
    for (size_t i = 0; i < lines.items.count && i < MOST_CHANGES; i++) {
        print_break(sequence);
        print_safe(sequence, lines.items.items[i].name);
        text_append(sequence->out, "  ");
        print_safe(sequence, lines.items.items[i].value);
    }
    if (lines.items.count > MOST_CHANGES) {
        print_break(sequence);
        text_format(sequence->out, "and %zu more", lines.items.count - MOST_CHANGES);
    }
    value_free_lines(&lines);
}

static void begin_note(const struct sequence *sequence, size_t column)
{
    text_format(sequence->out, "%s over p%zu: ", sequence->is_plantuml ? "note" : "  Note", column);
}

static void print_step(const struct sequence *sequence, uint32_t at)
{
    const struct trace_step *step = &sequence->trace->steps[at];
    struct text rule = {0};
    instance_print(step->rule, step->instance, &rule);
    begin_note(sequence, column_of(sequence, lanes_of_instance(&sequence->lanes, step->rule, step->instance)));
    text_format(sequence->out, "%u %s", at, at ? "" : "start: ");
    print_safe(sequence, text_chars(&rule));
    print_changes(sequence, at);
    if (!step->cells) {
        struct text fault = {0};
        fault_print(&step->fault, &fault);
        print_break(sequence);
        text_append(sequence->out, "fails: ");
        print_safe(sequence, text_chars(&fault));
        text_free(&fault);
    }
    text_char(sequence->out, '\n');
    text_free(&rule);
}

static bool has_arrow(const struct message *message)
{
    return message->has_receiver && message->from != message->to;
}

static void print_messages(const struct sequence *sequence, uint32_t at)
{
    for (size_t i = 0; i < sequence->messages.items.count; i++) {
        const struct message *message = &sequence->messages.items.items[i];
        if (message->sent != (int32_t)at || !has_arrow(message))
            continue;
        bool is_pending = message->received == MESSAGE_PENDING;
        const char *arrow = sequence->is_plantuml ? (is_pending ? "-->>" : "->>") : is_pending ? "--)" : "-)";
        text_format(sequence->out, "%sp%zu %s p%zu: ", sequence->is_plantuml ? "" : "  ",
                    column_of(sequence, message->from), arrow, column_of(sequence, message->to));
        print_safe(sequence, message->label);
        if (is_pending)
            text_append(sequence->out, " (not received)");
        else if (message->received != message->sent)
            text_format(sequence->out, " (received in step %d)", (int)message->received);
        text_char(sequence->out, '\n');
    }
}

static void find_used(struct sequence *sequence)
{
    for (uint32_t i = 0; i < sequence->trace->count; i++) {
        const struct trace_step *step = &sequence->trace->steps[i];
        sequence->is_used[column_of(sequence, lanes_of_instance(&sequence->lanes, step->rule, step->instance))] = true;
    }
    for (size_t i = 0; i < sequence->messages.items.count; i++) {
        const struct message *message = &sequence->messages.items.items[i];
        if (!has_arrow(message))
            continue;
        sequence->is_used[column_of(sequence, message->from)] = true;
        sequence->is_used[column_of(sequence, message->to)] = true;
    }
}

/* Below all participants: what the last state shows. */
static void print_ending(const struct sequence *sequence)
{
    const struct trace *trace = sequence->trace;
    size_t first = 0, last = 0;
    struct text ending = {0};
    if (!trace->steps[trace->count - 1].cells || sequence->shown->verdict == VERDICT_UNKNOWN)
        return;
    while (!sequence->is_used[first])
        first++;
    for (size_t i = first; i <= sequence->lanes.lanes.count; i++)
        last = sequence->is_used[i] ? i : last;
    report_text_ending(sequence->shown, &ending);
    text_format(sequence->out, "%s over p%zu", sequence->is_plantuml ? "note" : "  Note", first);
    if (last != first)
        text_format(sequence->out, ",%sp%zu", sequence->is_plantuml ? " " : "", last);
    text_append(sequence->out, ": ");
    print_safe(sequence, text_chars(&ending));
    text_char(sequence->out, '\n');
    text_free(&ending);
}

static void print_all(const struct sequence *sequence)
{
    struct text title = {0};
    const char *indent = sequence->is_plantuml ? "" : "  ";
    report_text_claim(sequence->shown, &title);
    text_append(sequence->out, sequence->is_plantuml ? "@startuml\ntitle " : "sequenceDiagram\n  title ");
    print_safe(sequence, text_chars(&title));
    text_char(sequence->out, '\n');
    text_free(&title);
    print_participants(sequence);
    for (uint32_t i = 0; i < sequence->trace->count && !watch_cuts(); i++) {
        print_step(sequence, i);
        print_messages(sequence, i);
        if (sequence->trace->has_loop && i == sequence->trace->loop && i + 1 < sequence->trace->count)
            text_format(sequence->out, "%sloop for ever\n", indent);
    }
    if (sequence->trace->has_loop && sequence->trace->loop + 1 < sequence->trace->count)
        text_format(sequence->out, "%send\n", indent);
    print_ending(sequence);
    text_append(sequence->out, sequence->is_plantuml ? "@enduml\n" : "");
}

void exchange_print_sequence(const struct property_result *shown, bool is_plantuml, struct text *out)
{
    struct trace *made;
    struct sequence sequence = {.shown = shown, .is_plantuml = is_plantuml, .out = out};
    sequence.trace = trace_show(shown->trace, &made);
    lanes_find(sequence.trace->layout, &sequence.lanes);
    messages_find(sequence.trace, &sequence.lanes, &sequence.messages);
    sequence.is_used = memory_zeroed(sequence.lanes.lanes.count + 1, sizeof *sequence.is_used);
    find_used(&sequence);
    print_all(&sequence);
    free(sequence.is_used);
    messages_free(&sequence.messages);
    lanes_free(&sequence.lanes);
    trace_destroy(made);
}
