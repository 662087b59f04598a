/* check --distributed: every process that mpirun has started does the same, up to the search, in which they work
 * together; the first one speaks for all. */
#include <fcntl.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/ranges.h"
#include "ranks/transport.h"

/* What the others have to say is what the first one says. */
static void distributed_be_silent(struct options *options)
{
    static const enum option_id files[] = {OPTION_JSON, OPTION_TRACE, OPTION_REPORT, OPTION_CSV};
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        options->values[files[i]] = NULL;
    if (nowhere < 0)
        return;
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
}

int distributed_run(const struct options *options, int (*command)(const struct options *options))
{
    struct text why = {0};
    if (options->values[OPTION_CERTIFICATE])
        return cli_fail("--certificate needs all states in one process: it cannot be had with --distributed");
    if (options->values[OPTION_TRAIL] || options->values[OPTION_DUMP] || ranges_are_asked(options))
        return cli_fail("--distributed is for one check, not for a table, --trail or --dump");
    const struct transport *transport = transport_open(&why);
    if (!transport) {
        int code = cli_fail("--distributed: %s", text_chars(&why));
        text_free(&why);
        return code;
    }
    struct options mine = *options;
    mine.transport = transport;
    if (transport->rank)
        distributed_be_silent(&mine);
    int code = command(&mine);
    transport->finish();
    return code;
}
