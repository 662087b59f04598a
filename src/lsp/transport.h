/* Messages of JSON-RPC as the language server protocol frames them: a head with "Content-Length: N", an empty line, N
 * bytes. What is no such head is skipped up to the next one, so that a client that has miscounted is understood again.
 * At most one message of TRANSPORT_MOST bytes is held. */
#ifndef NOETHER_LSP_TRANSPORT_H
#define NOETHER_LSP_TRANSPORT_H

#include <stdbool.h>

#include "base/json.h"

enum { TRANSPORT_MOST = 64 << 20 };

struct lsp_transport {
    int in, out;
    struct text got;  /* and not yet taken */
    size_t taken;     /* of these bytes */
    uint64_t skipped; /* bytes of a message that is too long, still to come */
    bool is_over;     /* nothing more comes */
};

enum lsp_transport_event {
    TRANSPORT_WAIT,     /* for more bytes */
    TRANSPORT_MESSAGE,  /* a whole one */
    TRANSPORT_TOO_LONG, /* one was too long; it is skipped */
};

/* Takes what there is to read; it waits only when there is nothing. */
void transport_fill(struct lsp_transport *transport);
/* What comes next; the bytes of a message are the transport's, until the next call. */
enum lsp_transport_event transport_next(struct lsp_transport *transport, const char **chars, size_t *length);
/* Sends it and frees it. */
void transport_send(struct lsp_transport *transport, struct json *message);
void transport_free(struct lsp_transport *transport);

#endif
