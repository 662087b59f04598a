#include "base/text.h"
#include "lang/boolean/lower.h"

uint32_t bp_unborn(const struct bp_lowering *lower)
{
    return (uint32_t)lower->flow->nodes.count;
}

/* Which of the steps on its line it is: 0, 1, ... */
static uint32_t position_on_line(const struct bp_procedure *procedure, uint32_t step)
{
    uint32_t position = 0;
    uint32_t line = procedure->steps.items[step]->span.line;
    for (uint32_t i = step; i-- > 0 && procedure->steps.items[i]->span.line == line;)
        position += procedure->steps.items[i]->kind != BP_STEP_PASS;
    return position;
}

static void print_place(const struct flow_node *node, struct text *out)
{
    const struct bp_procedure *procedure = node->frame->procedure;
    text_append(out, procedure->name.text);
    if (node->step == BP_NOWHERE) {
        text_append(out, "_begin");
        return;
    }
    uint32_t position = position_on_line(procedure, node->step);
    text_format(out, "_%u", procedure->steps.items[node->step]->span.line);
    if (position && position < 26)
        text_char(out, (char)('a' + position));
    else if (position)
        text_format(out, "x%u", position);
    if (node->is_waiting)
        text_append(out, "_waiting");
    if (node->is_atomic)
        text_append(out, "_atomic");
}

/* "worker_12", "worker_12b" for the second step of the line; copies by inlining are numbered. */
static const char *place_name(struct bp_lowering *lower, const struct flow_node *node, struct text *text)
{
    text_clear(text);
    print_place(node, text);
    uint32_t copy = 1;
    for (uint32_t i = 0; i < node->frame->id; i++)
        copy += lower->flow->frames.items[i]->procedure == node->frame->procedure;
    if (copy > 1)
        text_format(text, "_copy%u", copy);
    return arena_string(lower->threads.system->arena, text_chars(text));
}

const struct type *bp_places(struct bp_lowering *lower)
{
    const struct bp_flow *flow = lower->flow;
    struct arena *arena = lower->threads.system->arena;
    const char **labels = ARENA_ARRAY(arena, const char *, flow->nodes.count + 1);
    struct text text = {0};
    for (size_t i = 0; i < flow->nodes.count && !diag_is_late(lower->diagnostics); i++)
        labels[i] = place_name(lower, &flow->nodes.items[i], &text);
    text_free(&text);
    labels[flow->nodes.count] = "unborn";
    if (lower->diagnostics->errors)
        return NULL;
    return type_enum(lower->threads.system, "Place", labels, (uint32_t)flow->nodes.count + 1,
                     lower->program->main->name.span);
}

/* " [f called in line 7, g called in line 3]"; of a deep recursion the innermost calls and the number of the frame. */
static void print_callers(const struct flow_frame *frame, struct text *out)
{
    enum { MOST_SHOWN = 3 };
    uint32_t shown = 0;
    for (const struct flow_frame *at = frame; at->caller && shown < MOST_SHOWN; at = at->caller, shown++)
        text_format(out, "%s%s called in line %u", shown ? ", " : " [", at->procedure->name.text,
                    at->caller->procedure->steps.items[at->called_at]->span.line);
    if (shown == MOST_SHOWN)
        text_format(out, ", ... %u", frame->id);
    if (shown)
        text_char(out, ']');
}

const char *bp_rule_name(struct bp_lowering *lower, const struct flow_move *move)
{
    const struct flow_node *node = &lower->flow->nodes.items[move->from];
    const struct bp_step *step = move->step;
    struct text name = {0};
    if (!step)
        text_format(&name, "%u: %s()", node->frame->procedure->name.span.line, node->frame->procedure->name.text);
    else
        text_format(&name, "%u: %s", step->span.line, step->text);
    if (move->truth != FLOW_ALWAYS)
        text_append(&name, move->truth == FLOW_IF_TRUE ? " (yes)" : " (no)");
    if (step && step->kind == BP_STEP_GOTO && step->names.count > 1)
        text_format(&name, " (%s)", step->names.items[move->target].text);
    print_callers(node->frame, &name);
    const char *kept = arena_string(lower->threads.system->arena, text_chars(&name));
    text_free(&name);
    return kept;
}
