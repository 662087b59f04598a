/* Inside report/: the messages of a trace. Where the system has a face with queues (ir/face.h) they are known: what is
 * sent into a queue is followed to the step that receives it. Else they are guessed from the shape of the state.
 *
 * Most models have no messages, only variables. Messages are recognised in
 *   - a multiset of records or names (a network);
 *   - an array of records with a field named like a sender or receiver (a buffer, a queue);
 *   - one part for each process with a value that reads "empty" (a channel to or from the shared part).
 * A value that appears there was sent in that step; one that disappears was received. The sender is a field named src,
 * from, ...; else, for a channel, the side whose rules fill it; else the process that took the step. A wrong guess
 * draws a wrong arrow and does no other harm. */
#ifndef NOETHER_REPORT_MESSAGES_H
#define NOETHER_REPORT_MESSAGES_H

#include "report/lanes.h"
#include "result/trace.h"

enum { MESSAGE_PENDING = -1 };

struct message {
    int32_t from, to;       /* lanes, or LANE_SHARED */
    int32_t sent, received; /* steps; received may be MESSAGE_PENDING */
    bool has_receiver;      /* false: pending, and nothing tells for whom */
    char *label, *text;     /* "ReqShared", "{Cmd: ReqShared, Data: undefined}" */
};

struct messages {
    VEC(struct message) items;
};

void messages_find(const struct trace *trace, const struct lanes *lanes, struct messages *messages);
void messages_free(struct messages *messages);
/* queues.c: those of a system with a face, where lanes are its processes. */
void messages_find_known(const struct trace *trace, struct messages *messages);

#endif
