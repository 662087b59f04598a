/* check --distributed: every process that mpirun has started does the same, up to the search, in which they work
 * together; the first one speaks for all. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/cli.h"
#include "cli/ranges.h"
#include "ranks/transport.h"

enum { ROLL_CALL_SECONDS = 10 };

/* A rank that has refused to search goes when all have: they had the same reason. Else the others would wait for it for
 * ever; a process that ends without a word is what mpirun ends all for. */
static void distributed_leave(const struct transport *transport, int heard)
{
    struct timespec moment = {0, 10000000};
    double begin = clock_wall();
    transport->begin_barrier();
    while (!transport->is_barrier_over()) {
        nanosleep(&moment, NULL);
        if (clock_wall() - begin < ROLL_CALL_SECONDS)
            continue;
        dprintf(
            heard < 0 ? STDERR_FILENO : heard,
            "noether: rank %u refused to search, and others did not: are the model, the folders and the options the "
            "same for all?\n",
            transport->rank);
        _exit(EXIT_USAGE);
    }
}

/* What the others have to say is what the first one says. Their part of a certificate is a file without a
 * name. Returns where they can be heard all the same. */
static int distributed_be_silent(struct options *options, struct text *certificate)
{
    static const enum option_id files[] = {OPTION_JSON, OPTION_TRACE, OPTION_REPORT, OPTION_CSV};
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC), heard = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        options->values[files[i]] = NULL;
    if (options->values[OPTION_CERTIFICATE]) {
        const char *folder = getenv("TMPDIR");
        text_format(certificate, "%s/noether-certificate-%ld", folder ? folder : "/tmp", (long)getpid());
        options->values[OPTION_CERTIFICATE] = text_chars(certificate);
    }
    if (nowhere < 0)
        return heard;
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
    return heard;
}

int distributed_run(const struct options *options, int (*command)(const struct options *options))
{
    struct text why = {0};
    if (options->values[OPTION_TRAIL] || options->values[OPTION_DUMP] || ranges_are_asked(options))
        return cli_fail("--distributed is for one check, not for a table, --trail or --dump");
    const struct transport *transport = transport_open(&why);
    if (!transport) {
        int code = cli_fail("--distributed: %s", text_chars(&why));
        text_free(&why);
        return code;
    }
    struct options mine = *options;
    struct text certificate = {0};
    mine.transport = transport;
    int heard = transport->rank ? distributed_be_silent(&mine, &certificate) : -1;
    /* Said before the ranks take the folder's lock from each other. */
    int code = options->values[OPTION_CHECKPOINT]
                   ? cli_fail("--checkpoint keeps the search of one process: leave it or --distributed out")
                   : command(&mine);
    text_free(&certificate);
    if (code == EXIT_USAGE)
        distributed_leave(transport, heard);
    transport->finish();
    return code;
}
