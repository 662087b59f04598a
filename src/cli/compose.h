/* Composes the answer to a check in the forms that the options ask for, and writes them.
 *
 * An answer may be long: a run of a thousand steps through large states is a JSON document of many megabytes. It is
 * composed within the limits of the command, or within 0.3 s if the search has used up the time. The form that is not
 * complete by then, and those that follow, are composed without runs (report.is_shortened). */
#ifndef NOETHER_CLI_COMPOSE_H
#define NOETHER_CLI_COMPOSE_H

#include "cli/cli.h"
#include "report/report.h"

enum format { FORMAT_TEXT, FORMAT_SARIF, FORMAT_JUNIT }; /* as in the table */

/* unread: the limit or signal that came while the model was read; NULL: the model was read, or has errors. May set
 * report->is_shortened. False after a message. */
bool compose_and_write(const struct options *options, struct report *report, const struct stop *unread);

#endif
