/* The face of a system: what users see of states and steps, in the terms of the model's language, where that is not the
 * variables and rules as they stand. A front end may give one; whoever shows something uses it, and knows no language.
 *
 * A *process* acts and has variables of its own. It may come and go: it is there while a cell, where its control
 * stands, has one of some codes. A *part* of a state is a variable of the user's, a queue of messages, or where a
 * process stands; what is a process's own is shown only while that is there. What no part covers is not shown. In a
 * rule, `shown` says how a step of it reads, who takes it, and whether a message goes. */
#ifndef NOETHER_IR_FACE_H
#define NOETHER_IR_FACE_H

#include "ir/system.h"

#define FACE_SHARED UINT32_MAX

struct face_process {
    const char *name; /* "S(0)" */
    const char *kind; /* "S" */
    uint32_t number;  /* the tools of the language know it by this: 0 */
    const struct variable *home;
    uint32_t offset;     /* the cell in it where control stands */
    int32_t first, last; /* the codes that it has while the process is there */
};

struct face_part {
    const char *name; /* "S(0).k", "q" */
    const struct variable *home;
    uint32_t offset; /* its first cell there */
    const struct type *type;
    uint32_t process; /* whose it is, or FACE_SHARED */
    /* A queue: a record of a length and an array of messages, which are records; those behind the length are none. */
    bool is_queue;
    /* Where the process stands: what the codes from its `first` to its `last` are called. Else NULL. */
    const char *const *stands;
};

struct face {
    uint32_t kind_count; /* kinds of processes that the model declares, also those that never run */
    VEC(struct face_process) processes;
    VEC(struct face_part) parts; /* those of one home are together, and are alike but for the process */
};

enum face_act {
    FACE_ACTS,     /* no message comes or goes; what is lost then nobody has received */
    FACE_SENDS,    /* a message into a queue */
    FACE_RECEIVES, /* one out of a queue */
    FACE_MEETS     /* the first process hands a message to the second, through no queue */
};

/* A text, and behind it the value of a parameter. */
struct face_piece {
    const char *text;
    int32_t parameter; /* -1: none */
};

/* A process that takes the step: the one with this number, plus the position of the parameter's value in its type. */
struct face_actor {
    uint32_t process;
    int32_t parameter; /* -1: none */
};

struct face_step {
    const struct face_piece *pieces; /* "S(", the first parameter; "):12 q!1" */
    uint32_t piece_count;
    struct face_actor actors[2];
    uint32_t actor_count;
    enum face_act act;
    const char *message; /* of FACE_MEETS: what is handed over, in the words of the model */
    /* The statements that are taken, by the numbers that the tools of the language know them by: of FACE_MEETS one of
     * each process, else all are the first one's. One whose number is part of an earlier rule of the step is missing.
     */
    const uint32_t *statements;
    uint32_t statement_count;
};

struct face *face_create(struct system *system);
void face_free(struct face *face); /* its vectors */

/* Of where control stands: an array of scalars, or a scalar. */
static inline const struct type *face_control_type(const struct face_process *process)
{
    const struct type *type = process->home->type;
    return type->kind == TYPE_ARRAY ? type->element : type;
}
static inline uint32_t face_address(const struct face_part *part)
{
    return part->home->address + part->offset;
}
bool face_process_is_there(const struct face *face, uint32_t process, const int32_t *cells);
bool face_part_is_there(const struct face *face, const struct face_part *part, const int32_t *cells);
/* The part that the cell belongs to, which is there if one is; NULL: none. */
const struct face_part *face_find(const struct face *face, const int32_t *cells, uint32_t cell);
/* The name of a cell of the part (name.c). */
void face_cell_name(const struct face_part *part, uint32_t offset, struct text *out);
/* How many messages are in the queue; the first cell of one of them; their type. */
uint32_t face_queue_length(const struct face_part *part, const int32_t *cells);
uint32_t face_queue_message(const struct face_part *part, uint32_t position);
const struct type *face_queue_type(const struct face_part *part);
/* "1" or "[1, a]": a message of a queue. */
void face_print_message(const struct type *type, const int32_t *cells, struct text *out);
/* Of a queue, "[1, 2]" or "[[1, a], [2, b]]"; of where a process stands, how that is called. Only of such parts. */
void face_print(const struct face *face, const struct face_part *part, const int32_t *cells, struct text *out);
static inline bool face_prints(const struct face_part *part)
{
    return part->is_queue || part->stands;
}
/* The process that is this actor of the step. */
uint32_t face_actor(const struct rule *rule, uint64_t instance, uint32_t actor);

#endif
