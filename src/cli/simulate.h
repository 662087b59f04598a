/* Inside cli/: `noether simulate`. */
#ifndef NOETHER_CLI_SIMULATE_H
#define NOETHER_CLI_SIMULATE_H

#include "cli/recording.h"
#include "driver/session.h"

struct simulation {
    const struct options *options;
    struct session *session;
    struct report_style style;
    VEC(struct inquiry *) watches;
    bool has_failed; /* some command could not be done */
    bool is_over;
};

/* simulate_commands.c: does what one line says; false: it could not. */
bool simulate_obey(struct simulation *simulation, char *line);
/* The names of all commands. */
void simulate_each_command(void (*visit)(const char *name));
/* What has just been reached: the last `steps` steps, what is watched, what is wrong, what can be taken. */
void simulate_show(struct simulation *simulation, uint32_t steps);
/* Goes on from the end of a recorded run; false after a message. */
bool simulate_adopt(struct simulation *simulation, const struct recording *recording);
/* What is wrong, as check would say it; NULL property: nothing. The trace is the session's. */
struct property_result simulate_claim(struct simulation *simulation);
/* Writes the run as a trace file; false after a message. */
bool simulate_save(struct simulation *simulation, const char *path);

#endif
