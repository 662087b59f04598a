#include <string.h>

#include "ir/face.h"
#include "report/messages.h"

/* The messages in a queue, by position: their numbers in the list. */
struct queue_tracking {
    const struct trace *trace;
    const struct face_part *part;
    struct messages *messages;
    VEC(size_t) inside;
};

static const size_t UNKNOWN = SIZE_MAX;

static bool is_same_message(const struct face_part *part, const int32_t *some, uint32_t at, const int32_t *others,
                            uint32_t there)
{
    return !memcmp(some + face_queue_message(part, at), others + face_queue_message(part, there),
                   face_queue_type(part)->cells * sizeof *some);
}

/* The first position at which they differ; the shorter one may end there. */
static uint32_t first_difference(const struct face_part *part, const int32_t *shorter, const int32_t *longer)
{
    uint32_t at = 0, length = face_queue_length(part, shorter);
    while (at < length && is_same_message(part, shorter, at, longer, at))
        at++;
    return at;
}

/* "q!msg,1" */
static char *label_of(const struct face_part *part, const int32_t *message)
{
    const struct type *type = face_queue_type(part);
    struct text label = {0};
    text_format(&label, "%s!", part->name);
    for (uint32_t f = 0; f < type->field_count; f++) {
        text_append(&label, f ? "," : "");
        type_print_value(type->fields[f].type, message[type->fields[f].offset], &label);
    }
    char *copy = memory_string(text_chars(&label));
    text_free(&label);
    return copy;
}

static int32_t actor_of(const struct trace_step *step, uint32_t number)
{
    return (int32_t)face_actor(step->rule, step->instance, number);
}

static void note_sent(struct queue_tracking *tracking, uint32_t step)
{
    const struct face_part *part = tracking->part;
    const int32_t *before = tracking->trace->steps[step - 1].cells, *after = tracking->trace->steps[step].cells;
    uint32_t at = first_difference(part, before, after);
    const int32_t *cells = after + face_queue_message(part, at);
    struct text text = {0};
    face_print_message(face_queue_type(part), cells, &text);
    struct message message = {.from = actor_of(&tracking->trace->steps[step], 0),
                              .sent = (int32_t)step,
                              .received = MESSAGE_PENDING,
                              .label = label_of(part, cells),
                              .text = memory_string(text_chars(&text))};
    text_free(&text);
    VEC_PUSH(&tracking->inside, UNKNOWN);
    memmove(&tracking->inside.items[at + 1], &tracking->inside.items[at],
            (tracking->inside.count - 1 - at) * sizeof *tracking->inside.items);
    tracking->inside.items[at] = tracking->messages->items.count;
    VEC_PUSH(&tracking->messages->items, message);
}

/* Of equal ones in a row, the first is received. */
static void note_received(struct queue_tracking *tracking, uint32_t step)
{
    const struct face_part *part = tracking->part;
    const int32_t *before = tracking->trace->steps[step - 1].cells, *after = tracking->trace->steps[step].cells;
    uint32_t at = first_difference(part, after, before);
    while (at > 0 && is_same_message(part, before, at - 1, before, at))
        at--;
    size_t number = tracking->inside.items[at];
    memmove(&tracking->inside.items[at], &tracking->inside.items[at + 1],
            (--tracking->inside.count - at) * sizeof *tracking->inside.items);
    if (number == UNKNOWN)
        return;
    struct message *message = &tracking->messages->items.items[number];
    message->received = (int32_t)step;
    message->to = actor_of(&tracking->trace->steps[step], 0);
    message->has_receiver = true;
}

/* What is in it nobody is known to have sent. */
static void fill_anew(struct queue_tracking *tracking, const int32_t *cells)
{
    VEC_CLEAR(&tracking->inside);
    for (uint32_t i = 0; i < face_queue_length(tracking->part, cells); i++)
        VEC_PUSH(&tracking->inside, UNKNOWN);
}

static void track_queue(struct queue_tracking *tracking)
{
    const struct trace *trace = tracking->trace;
    const struct face_part *part = tracking->part;
    if (trace->steps[0].cells)
        fill_anew(tracking, trace->steps[0].cells);
    for (uint32_t s = 1; s < trace->count && trace->steps[s].cells; s++) {
        const int32_t *before = trace->steps[s - 1].cells, *after = trace->steps[s].cells;
        const struct face_step *shown = trace->steps[s].rule->shown;
        enum face_act act = shown ? shown->act : FACE_ACTS;
        uint32_t had = face_queue_length(part, before), has = face_queue_length(part, after);
        if (act == FACE_SENDS && has == had + 1)
            note_sent(tracking, s);
        else if (act == FACE_RECEIVES && has + 1 == had)
            note_received(tracking, s);
        else if (memcmp(before + face_address(part), after + face_address(part), part->type->cells * sizeof *before))
            fill_anew(tracking, after);
    }
    VEC_FREE(&tracking->inside);
}

static void note_meetings(const struct trace *trace, struct messages *messages)
{
    for (uint32_t s = 1; s < trace->count && trace->steps[s].cells; s++) {
        const struct trace_step *step = &trace->steps[s];
        if (!step->rule->shown || step->rule->shown->act != FACE_MEETS)
            continue;
        VEC_PUSH(&messages->items, ((struct message){.from = actor_of(step, 0),
                                                     .to = actor_of(step, 1),
                                                     .has_receiver = true,
                                                     .sent = (int32_t)s,
                                                     .received = (int32_t)s,
                                                     .label = memory_string(step->rule->shown->message),
                                                     .text = memory_string(step->rule->shown->message)}));
    }
}

void messages_find_known(const struct trace *trace, struct messages *messages)
{
    const struct face *face = trace->system->face;
    for (size_t i = 0; i < face->parts.count; i++) {
        struct queue_tracking tracking = {.trace = trace, .part = &face->parts.items[i], .messages = messages};
        if (tracking.part->is_queue)
            track_queue(&tracking);
    }
    note_meetings(trace, messages);
}
