/* How modules act together, as vectors: for each action, which modules take part, each under a name of its own
 * (renaming may have changed it). Parallel composition joins the vectors of an action on which both sides synchronise
 * and keeps the others; hiding takes their name away. An action for which the other side has no partner is blocked: it
 * stays known, as a vector of nobody, so that in "||" it goes on blocking others. */
#include <string.h>

#include "lang/prism/reader.h"

enum { MAX_JOINTS = 1 << 20 };

struct compose_vectors {
    struct prism_joint *items;
    size_t count, capacity;
};

static bool is_same(const char *a, const char *b)
{
    return a && b && !strcmp(a, b);
}

static bool has_action(const struct compose_vectors *vectors, const char *action)
{
    for (size_t i = 0; i < vectors->count; i++)
        if (is_same(vectors->items[i].action, action))
            return true;
    return false;
}

static void add(struct prism_reader *reader, struct compose_vectors *to, struct prism_joint joint)
{
    if (to->count < MAX_JOINTS)
        VEC_PUSH(to, joint);
    else
        prism_error(reader, reader->model->process ? reader->model->process->span : (struct span){0},
                    "the modules synchronise in more than %d ways", MAX_JOINTS);
}

/* One vector for each action of the module, and one for its commands without an action. */
static void add_component(struct prism_reader *reader, uint32_t number, struct compose_vectors *to)
{
    const struct prism_component *component = &reader->network.components[number];
    struct compose_vectors own = {0};
    bool has_silent = false;
    for (uint32_t i = 0; i < component->command_count; i++) {
        const char *action = component->commands[i].action;
        if (action ? has_action(&own, action) : has_silent)
            continue;
        has_silent |= !action;
        struct prism_participant *participant = ARENA_NEW(reader->arena, struct prism_participant);
        *participant = (struct prism_participant){number, action};
        VEC_PUSH(&own, ((struct prism_joint){action, participant, 1}));
    }
    for (size_t i = 0; i < own.count; i++)
        add(reader, to, own.items[i]);
    VEC_FREE(&own);
}

static bool is_blocked(const struct prism_joint *joint)
{
    return !joint->count;
}

static void add_blocked(struct prism_reader *reader, const char *action, struct compose_vectors *to)
{
    if (!has_action(to, action))
        add(reader, to, (struct prism_joint){action, NULL, 0});
}

static void add_both(struct prism_reader *reader, const struct prism_joint *left, const struct prism_joint *right,
                     struct compose_vectors *to)
{
    if (is_blocked(left) || is_blocked(right)) {
        add_blocked(reader, left->action, to);
        return;
    }
    struct prism_joint both = {left->action, NULL, left->count + right->count};
    both.participants = ARENA_ARRAY(reader->arena, struct prism_participant, both.count);
    memcpy(both.participants, left->participants, left->count * sizeof *left->participants);
    memcpy(both.participants + left->count, right->participants, right->count * sizeof *right->participants);
    add(reader, to, both);
}

/* Do the two sides act together on it? In "||": when both know it. */
static bool is_shared(const struct prism_process *process, const struct compose_vectors *left,
                      const struct compose_vectors *right, const char *action)
{
    if (!action || (process && process->kind == PRISM_PROCESS_INTERLEAVED))
        return false;
    if (!process || process->kind == PRISM_PROCESS_SYNCHRONOUS)
        return has_action(left, action) && has_action(right, action);
    for (uint32_t i = 0; i < process->action_count; i++)
        if (is_same(process->actions[i].text, action))
            return true;
    return false;
}

static void join(struct prism_reader *reader, const struct prism_process *process, const struct compose_vectors *left,
                 const struct compose_vectors *right, struct compose_vectors *to)
{
    for (size_t i = 0; i < left->count; i++) {
        if (!is_shared(process, left, right, left->items[i].action)) {
            add(reader, to, left->items[i]);
            continue;
        }
        for (size_t k = 0; k < right->count; k++)
            if (is_same(left->items[i].action, right->items[k].action))
                add_both(reader, &left->items[i], &right->items[k], to);
        if (!has_action(right, left->items[i].action))
            add_blocked(reader, left->items[i].action, to);
    }
    for (size_t k = 0; k < right->count; k++)
        if (!is_shared(process, left, right, right->items[k].action))
            add(reader, to, right->items[k]);
        else if (!has_action(left, right->items[k].action))
            add_blocked(reader, right->items[k].action, to);
}

static void rename_actions(const struct prism_process *process, struct compose_vectors *vectors)
{
    for (size_t i = 0; i < vectors->count; i++) {
        struct prism_joint *joint = &vectors->items[i];
        for (uint32_t k = 0; k < process->action_count; k++)
            if (is_same(joint->action, process->actions[k].text)) {
                joint->action = NULL;
                break;
            }
        for (uint32_t k = 0; k < process->renaming_count; k++)
            if (is_same(joint->action, process->renamings[k].from.text)) {
                joint->action = process->renamings[k].to.text;
                break;
            }
    }
}

static void add_module(struct prism_reader *reader, const struct prism_process *process, bool *used,
                       struct compose_vectors *to)
{
    for (uint32_t i = 0; i < reader->network.component_count; i++) {
        if (!is_same(reader->network.components[i].name.text, process->name.text))
            continue;
        if (used[i])
            prism_error(reader, process->span, "the module \"%s\" is used twice", process->name.text);
        used[i] = true;
        add_component(reader, i, to);
        return;
    }
    prism_error(reader, process->span, "there is no module \"%s\"", process->name.text);
}

static void compose(struct prism_reader *reader, const struct prism_process *process, bool *used,
                    struct compose_vectors *to)
{
    if (process->kind == PRISM_PROCESS_MODULE) {
        add_module(reader, process, used, to);
        return;
    }
    if (process->kind == PRISM_PROCESS_HIDE || process->kind == PRISM_PROCESS_RENAME) {
        compose(reader, process->left, used, to);
        rename_actions(process, to);
        return;
    }
    struct compose_vectors left = {0}, right = {0};
    compose(reader, process->left, used, &left);
    compose(reader, process->right, used, &right);
    join(reader, process, &left, &right, to);
    VEC_FREE(&left);
    VEC_FREE(&right);
}

static void compose_written(struct prism_reader *reader, struct compose_vectors *to)
{
    bool *used = ARENA_ARRAY(reader->arena, bool, reader->network.component_count + 1);
    compose(reader, reader->model->process, used, to);
    for (uint32_t i = 0; i < reader->network.component_count; i++)
        if (!used[i])
            prism_error(reader, reader->network.components[i].name.span, "the system leaves out the module \"%s\"",
                        reader->network.components[i].name.text);
}

/* All modules in parallel: for each action one vector of all that know it. */
static void compose_all(struct prism_reader *reader, struct compose_vectors *to)
{
    for (uint32_t i = 0; i < reader->network.component_count; i++) {
        struct compose_vectors one = {0}, both = {0};
        add_component(reader, i, &one);
        join(reader, NULL, to, &one, &both);
        VEC_FREE(&one);
        VEC_FREE(to);
        *to = both;
    }
}

static void drop_blocked(struct compose_vectors *vectors)
{
    size_t kept = 0;
    for (size_t i = 0; i < vectors->count; i++)
        if (!is_blocked(&vectors->items[i]))
            vectors->items[kept++] = vectors->items[i];
    vectors->count = kept;
}

void prism_compose(struct prism_reader *reader)
{
    struct compose_vectors vectors = {0};
    if (reader->model->process)
        compose_written(reader, &vectors);
    else
        compose_all(reader, &vectors);
    drop_blocked(&vectors);
    reader->network.joint_count = (uint32_t)vectors.count;
    reader->network.joints = VEC_SEAL(&vectors, reader->arena);
}
