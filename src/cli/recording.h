/* A trace file, read: for replay, explain and simulate. */
#ifndef NOETHER_CLI_RECORDING_H
#define NOETHER_CLI_RECORDING_H

#include "cli/cli.h"

struct recording {
    const char *path;
    struct json *document;
    const struct json *result;
    VEC(struct define) defines; /* the constants the run was made with; those on the command line win */
};

/* False after a message. Free it in any case. */
bool recording_read(const char *path, const struct options *options, struct recording *recording);
void recording_free(struct recording *recording);
/* The property the trace is about, what it says of it, and the trace, which is the caller's. False after a message. */
bool recording_claim(const struct recording *recording, const struct model *model, struct property_result *claim);
/* The options of the claim: those that it was made with. */
struct evidence_mode recording_mode(const struct recording *recording);

/* Writes a run of the model on the command line that is not the answer of a check. False after a message. */
bool recording_write(const struct options *options, const struct property_result *claim, const char *path);

/* Writes the run of a trace file once more, with the constants and options it was made with. False after a message. */
bool recording_write_again(const struct recording *recording, const struct options *options,
                           const struct property_result *claim, const char *path);

/* Reads the trace file and the model (the first operand), with the properties of the file where the command line gives
 * none, and hands them over; returns the exit status. */
typedef int recording_use(const struct options *options, const struct recording *recording, const struct model *model);
int recording_with_model(const struct options *options, const char *path, recording_use *use);

#endif
