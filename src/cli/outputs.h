/* What a command is to write: composed first, then written as a whole, so that work that is given up has written
 * nothing. */
#ifndef NOETHER_CLI_OUTPUTS_H
#define NOETHER_CLI_OUTPUTS_H

#include "base/json.h"
#include "base/text.h"
#include "base/vec.h"

struct output {
    const char *path; /* "-": standard output */
    struct text text;
};
struct outputs {
    VEC(struct output) list;
};

/* Valid until the next one is added. */
struct text *outputs_add(struct outputs *outputs, const char *path);
/* Frees the document. */
void outputs_add_json(struct outputs *outputs, const char *path, struct json *document);
/* All but the first `count` are forgotten. */
void outputs_drop(struct outputs *outputs, size_t count);
/* All of them; then there are none. False after a message. */
bool outputs_write(struct outputs *outputs);

#endif
