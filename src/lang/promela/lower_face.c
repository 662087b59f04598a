#include "lang/promela/lower.h"

#include <string.h>

#include "lang/promela/set_loop.h"

/* What users see: processes as "S(0)", their variables as "S(0).k", channels by their names, mtypes by theirs. */

const char *pml_local_name(struct pml_lower *lower, const struct pml_variable *variable, const char *owner)
{
    uint32_t same = 0;
    for (uint32_t i = 0; i < variable->id; i++)
        same += !strcmp(variable->owner->locals.items[i]->name, variable->name);
    return same ? arena_format(lower->system->arena, "%s.%s.%u", owner, variable->name, same + 1)
                : arena_format(lower->system->arena, "%s.%s", owner, variable->name);
}

static const char *process_name(struct pml_lower *lower, const struct pml_proctype *proctype, uint32_t pid)
{
    return arena_format(lower->system->arena, "%s(%u)", proctype->name, pid);
}

static const char *variable_name(struct pml_lower *lower, const struct pml_variable *variable, uint32_t pid)
{
    return variable->owner ? pml_local_name(lower, variable, process_name(lower, variable->owner, pid))
                           : arena_string(lower->system->arena, variable->name);
}

/* Of one channel of the declaration: which it is, counted from the first. */
static const char *channel_name(struct pml_lower *lower, const struct pml_declaration *declaration, uint32_t position)
{
    const struct pml_variable *variable = declaration->variable;
    uint32_t pid = variable->owner ? lower->cast.roles[variable->owner->id].first + position / declaration->length : 0;
    const char *name = variable_name(lower, variable, pid);
    return variable->length ? arena_format(lower->system->arena, "%s[%u]", name, position % declaration->length) : name;
}

static const char *channel_of_number(struct pml_lower *lower, int64_t number)
{
    for (size_t i = 0; i < lower->channels.declarations.count; i++) {
        const struct pml_declaration *declaration = &lower->channels.declarations.items[i];
        int64_t position = number - declaration->first;
        if (declaration->first && position >= 0 && position < (int64_t)declaration->processes * declaration->length)
            return channel_name(lower, declaration, (uint32_t)position);
    }
    return NULL;
}

static const char *name_of_value(struct pml_lower *lower, const struct pml_type *type, int64_t value)
{
    if (type->base == PML_BOOL || type->is_truth)
        return value == 0 ? "false" : value == 1 ? "true" : NULL;
    if (type->base == PML_CHAN)
        return channel_of_number(lower, value);
    for (size_t i = 0; type->base == PML_MTYPE && type->set && i < type->set->names.count; i++)
        if (type->set->numbers.items[i] == value)
            return type->set->names.items[i];
    return NULL;
}

const struct type *pml_named_type(struct pml_lower *lower, struct pml_range range, const struct pml_type *declared,
                                  struct span span)
{
    enum { MOST_NAMED = 1 << 12 };
    bool is_named =
        declared->base == PML_BOOL || declared->is_truth || declared->base == PML_CHAN || declared->base == PML_MTYPE;
    if (!is_named || range.hi - range.lo >= MOST_NAMED)
        return type_range(lower->system, NULL, (int32_t)range.lo, (int32_t)range.hi, span);
    const char **names = ARENA_ARRAY(lower->arena, const char *, (size_t)(range.hi - range.lo + 1));
    for (int64_t value = range.lo; value <= range.hi; value++)
        names[value - range.lo] = name_of_value(lower, declared, value);
    return type_named_range(lower->system, (int32_t)range.lo, (int32_t)range.hi, names, declared->base == PML_CHAN,
                            span);
}

static uint32_t process_of(const struct pml_lower *lower, const struct pml_proctype *proctype, uint32_t pid)
{
    return proctype ? lower->first_process[proctype->id] + pid - lower->cast.roles[proctype->id].first : FACE_SHARED;
}

static void add_part(struct pml_lower *lower, const char *name, const struct variable *home, uint32_t offset,
                     const struct type *type, uint32_t process, bool is_queue)
{
    VEC_PUSH(
        &lower->system->face->parts,
        ((struct face_part){
            .name = name, .home = home, .offset = offset, .type = type, .process = process, .is_queue = is_queue}));
}

static void show_variable(struct pml_lower *lower, const struct pml_variable *variable)
{
    const struct variable *home = lower->homes[variable->leaf];
    const struct pml_proctype *owner = variable->owner;
    if (!home)
        return;
    if (!owner) {
        add_part(lower, variable_name(lower, variable, 0), home, 0, home->type, FACE_SHARED, false);
        return;
    }
    const struct type *type = pml_is_single(lower, owner) ? home->type : home->type->element;
    const struct pml_role *role = &lower->cast.roles[owner->id];
    for (uint32_t pid = role->first; pid <= role->last; pid++)
        add_part(lower, variable_name(lower, variable, pid), home, (pid - role->first) * type->cells, type,
                 process_of(lower, owner, pid), false);
}

/* The channels of one declaration, which lie one behind the other. */
static void show_channels(struct pml_lower *lower, const struct pml_declaration *declaration)
{
    const struct pml_pool *pool = &lower->channels.pools.items[declaration->pool];
    const struct pml_proctype *owner = declaration->variable->owner;
    if (!pool->home)
        return;
    const struct type *type = pool->home->type;
    while (type->kind == TYPE_ARRAY)
        type = type->element;
    uint32_t first = pool->count ? declaration->first - pool->first : 0;
    for (uint32_t i = 0; i < declaration->processes * declaration->length; i++) {
        uint32_t pid = owner ? lower->cast.roles[owner->id].first + i / declaration->length : 0;
        add_part(lower, channel_name(lower, declaration, i), pool->home, (first + i) * type->cells, type,
                 process_of(lower, owner, pid), true);
    }
}

static void show_channels_of(struct pml_lower *lower, const struct pml_proctype *owner)
{
    for (size_t i = 0; i < lower->channels.declarations.count; i++)
        if (lower->channels.declarations.items[i].variable->owner == owner)
            show_channels(lower, &lower->channels.declarations.items[i]);
}

/* "line 12"; "line 12, wait" at a label; "line 12b" for another place on this line. */
static const char *stand_name(struct pml_lower *lower, const struct pml_flow *flow, uint32_t number)
{
    const struct pml_node *node = &flow->nodes.items[number];
    struct arena *arena = lower->system->arena;
    uint32_t same = 0;
    if (number == flow->end)
        return "ended";
    for (uint32_t n = 0; n < number; n++)
        same += flow->nodes.items[n].is_reached && flow->nodes.items[n].span.line == node->span.line;
    const char *name = !same       ? arena_format(arena, "line %u", node->span.line)
                       : same < 26 ? arena_format(arena, "line %u%c", node->span.line, (char)('a' + same))
                                   : arena_format(arena, "line %u.%u", node->span.line, same);
    return node->stmt && node->stmt->label_count ? arena_format(arena, "%s, %s", name, node->stmt->labels[0].name)
                                                 : name;
}

static void show_processes(struct pml_lower *lower, const struct pml_proctype *proctype)
{
    const struct pml_flow *flow = &lower->flows[proctype->id];
    const struct pml_role *role = &lower->cast.roles[proctype->id];
    struct face *face = lower->system->face;
    const char **stands = ARENA_ARRAY(lower->system->arena, const char *, flow->nodes.count + 1);
    uint32_t count = 0, first = 0;
    for (uint32_t n = 0; n < flow->nodes.count; n++) {
        if (lower->ordinals[proctype->id][n] == UINT32_MAX)
            continue;
        first = count ? first : lower->ordinals[proctype->id][n];
        stands[count++] = stand_name(lower, flow, n);
    }
    lower->first_process[proctype->id] = (uint32_t)face->processes.count;
    for (uint32_t pid = role->first; pid <= role->last; pid++) {
        struct face_process process = {.name = process_name(lower, proctype, pid),
                                       .kind = proctype->name,
                                       .number = pid,
                                       .home = lower->at,
                                       .offset = pid,
                                       .first = type_code(lower->places, first),
                                       .last = type_code(lower->places, first + count - 1)};
        VEC_PUSH(&face->processes, process);
        add_part(lower, process.name, lower->at, pid, lower->places, (uint32_t)face->processes.count - 1, false);
        face->parts.items[face->parts.count - 1].stands = stands;
    }
}

/* Formulas call the elements of arrays over pids as states do. */
static const char *element_name(struct pml_lower *lower, const struct variable *home, uint32_t offset)
{
    const struct face *face = lower->system->face;
    const char *name = NULL;
    for (size_t i = 0; i < face->parts.count; i++)
        if (face->parts.items[i].home == home && face->parts.items[i].offset == offset)
            name = name ? arena_format(lower->system->arena, "at[%u]", offset) : face->parts.items[i].name;
    return name ? name : arena_format(lower->system->arena, "at[%u]", offset);
}

static void name_elements(struct pml_lower *lower)
{
    for (size_t g = 0; g < lower->system->globals.count; g++) {
        struct variable *home = lower->system->globals.items[g];
        const struct type *type = home->type;
        bool is_own = false;
        for (size_t i = 0; i < lower->system->face->parts.count; i++)
            is_own |= lower->system->face->parts.items[i].home == home &&
                      lower->system->face->parts.items[i].process != FACE_SHARED;
        if (!is_own || type->kind != TYPE_ARRAY || !type_is_scalar(type->element))
            continue;
        const char **names = ARENA_ARRAY(lower->system->arena, const char *, type->index->size);
        for (uint32_t i = 0; i < type->index->size; i++)
            names[i] = element_name(lower, home, i);
        home->element_names = names;
    }
}

void pml_lower_face(struct pml_lower *lower)
{
    const struct pml_model *model = lower->model;
    face_create(lower->system)->kind_count = (uint32_t)model->proctypes.count;
    lower->first_process = ARENA_ARRAY(lower->arena, uint32_t, model->proctypes.count + 1);
    for (size_t i = 0; i < model->globals.count; i++)
        show_variable(lower, model->globals.items[i]);
    if (lower->count && lower->cast.reads_count)
        add_part(lower, "_nr_pr", lower->count, 0, lower->count->type, FACE_SHARED, false);
    if (lower->event)
        add_part(lower, lower->event->name, lower->event, 0, lower->event->type, FACE_SHARED, false);
    show_channels_of(lower, NULL);
    for (size_t p = 0; p < model->proctypes.count; p++) {
        const struct pml_proctype *proctype = model->proctypes.items[p];
        if (lower->cast.roles[p].last < lower->cast.roles[p].first)
            continue;
        show_processes(lower, proctype);
        for (size_t i = 0; i < proctype->locals.count; i++)
            show_variable(lower, proctype->locals.items[i]);
        show_channels_of(lower, proctype);
    }
    name_elements(lower);
}

/* How a step reads, piece by piece. */
struct pml_words {
    struct pml_lower *lower;
    struct rule *rule;
    struct face_step *step;
    VEC(struct face_piece) pieces;
    VEC(uint32_t) statements;
    struct text text; /* since the last piece */
};

static void begin_words(struct pml_words *words, struct pml_lower *lower, struct rule *rule)
{
    *words =
        (struct pml_words){.lower = lower, .rule = rule, .step = ARENA_NEW(lower->system->arena, struct face_step)};
}

static void end_piece(struct pml_words *words, int32_t parameter)
{
    const char *text = arena_string(words->lower->system->arena, text_chars(&words->text));
    VEC_PUSH(&words->pieces, ((struct face_piece){text, parameter}));
    text_clear(&words->text);
}

static void end_words(struct pml_words *words)
{
    end_piece(words, -1);
    words->step->piece_count = (uint32_t)words->pieces.count;
    words->step->pieces = VEC_SEAL(&words->pieces, words->lower->system->arena);
    words->step->statement_count = (uint32_t)words->statements.count;
    words->step->statements = VEC_SEAL(&words->statements, words->lower->system->arena);
    words->rule->shown = words->step;
    text_free(&words->text);
}

/* "S(0)": it takes part in the step. */
static void say_process(struct pml_words *words, struct pml_self self)
{
    int32_t parameter = -1;
    for (uint32_t i = 0; self.pid && i < words->rule->parameter_count; i++)
        if (words->rule->parameters[i].variable == self.pid)
            parameter = (int32_t)i;
    text_format(&words->text, "%s(", self.proctype->name);
    if (parameter < 0)
        text_format(&words->text, "%u", self.number);
    else
        end_piece(words, parameter);
    text_char(&words->text, ')');
    words->step->actors[words->step->actor_count++] =
        (struct face_actor){words->lower->first_process[self.proctype->id], parameter};
}

/* ":12 k = 1"; of an included file ":file:12 k = 1" */
static void say_statement(struct pml_words *words, const struct pml_stmt *stmt, struct span span)
{
    const struct source *source = words->lower->model->proctypes.items[0]->span.source;
    const char *text = !stmt ? "goes on" : stmt->text ? stmt->text : "";
    text_char(&words->text, ':');
    if (span.source && span.source != source)
        text_format(&words->text, "%s:", span.source->shown);
    text_format(&words->text, "%u %s", span.line, text);
}

/* SPIN's number of the statement, from 0; what is inside a d_step goes by the number of that, where it begins. */
static void note_statement(struct pml_words *words, const struct pml_move *move, bool is_inside)
{
    if (!move->dstep)
        VEC_PUSH(&words->statements, move->number - 1);
    else if (!is_inside)
        VEC_PUSH(&words->statements, move->dstep->number - 1);
}

void pml_show_move(struct pml_lower *lower, struct rule *rule, struct pml_self self, uint32_t node, uint32_t number,
                   struct span span)
{
    enum { MOST_SAID = 8 };
    struct pml_words words;
    const struct pml_node *nodes = lower->flows[self.proctype->id].nodes.items;
    const struct pml_move *move = &nodes[node].moves.items[number];
    begin_words(&words, lower, rule);
    say_process(&words, self);
    note_statement(&words, move, nodes[node].is_inside);
    say_statement(&words, move->stmt, span);
    if (move->stmt && move->stmt->kind == PML_SEND)
        words.step->act = FACE_SENDS;
    if (move->stmt && move->stmt->kind == PML_RECEIVE && !move->stmt->is_peek)
        words.step->act = FACE_RECEIVES;
    for (uint32_t said = 1; nodes[move->target].is_fused; said++) {
        const struct pml_node *fused = &nodes[move->target];
        move = pml_fused_move(fused);
        note_statement(&words, move, fused->is_inside);
        if (said < MOST_SAID && fused->loop)
            text_format(&words.text, "; for (%s : %lld .. %lld) ...", fused->loop->counter->name,
                        (long long)fused->loop->first, (long long)fused->loop->last);
        else if (said < MOST_SAID && fused->choice)
            text_format(&words.text, "; select (%s : %lld .. %lld)", fused->choice->counter->name,
                        (long long)fused->choice->first, (long long)fused->choice->last);
        else if (said < MOST_SAID && move->stmt && move->stmt->text)
            text_format(&words.text, "; %s", move->stmt->text);
        else if (said == MOST_SAID)
            text_append(&words.text, "; ...");
    }
    end_words(&words);
}

void pml_show_meeting(struct pml_lower *lower, struct rule *rule, struct pml_self sender, const struct pml_stmt *send,
                      struct pml_self receiver, const struct pml_stmt *receive)
{
    struct pml_words words;
    begin_words(&words, lower, rule);
    VEC_PUSH(&words.statements, send->number - 1);
    VEC_PUSH(&words.statements, receive->number - 1);
    say_process(&words, sender);
    say_statement(&words, send, send->span);
    text_append(&words.text, " -> ");
    say_process(&words, receiver);
    say_statement(&words, receive, receive->span);
    words.step->act = FACE_MEETS;
    words.step->message = arena_string(lower->system->arena, send->text);
    end_words(&words);
}

const char pml_terminates[] = " terminates";

void pml_show_event(struct pml_lower *lower, struct rule *rule, struct pml_self self, const char *event)
{
    struct pml_words words;
    begin_words(&words, lower, rule);
    say_process(&words, self);
    text_append(&words.text, event);
    if (event == pml_terminates)
        VEC_PUSH(&words.statements, self.proctype->end_number - 1);
    end_words(&words);
}
