/* check --distributed: every process that mpirun has started does the same, up to the search, in which they work
 * together; the first one speaks for all. */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/cli.h"
#include "cli/ranges.h"
#include "driver/keeping.h"
#include "ranks/transport.h"

enum { ROLL_CALL_SECONDS = 10 };

/* mpirun of Open MPI says so in the environment. Without the option each process would do all of the work, into the
 * same files. */
void distributed_hint(const struct options *options)
{
    const char *size = getenv("OMPI_COMM_WORLD_SIZE"), *rank = getenv("OMPI_COMM_WORLD_RANK");
    bool is_search = options->command == COMMAND_CHECK || options->command == COMMAND_RESUME;
    if (!is_search || options->values[OPTION_DISTRIBUTED] || !size || strtoul(size, NULL, 10) < 2 ||
        (rank && strcmp(rank, "0") != 0))
        return;
    cli_note("warning: mpirun has started %s processes, and without --distributed each of them does the same work: did "
             "you mean --distributed?",
             size);
}

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

/* When a rank dies mpirun tells the others to end, and kills them a second later. The first two ranks look out for
 * that: where the search has not wound up by then (it may wait for the one that is lost, in the middle of MPI), they
 * say what becomes of it. */
struct lookout {
    pthread_t thread;
    bool is_there;
    _Atomic bool is_over;
    int heard;
    double patience; /* seconds after the signal */
    const char *folder;
};

static void lookout_speak(const struct lookout *lookout, const char *what)
{
    dprintf(lookout->heard, "noether: %s: it has died, or is too busy\n", what);
    if (lookout->folder)
        dprintf(lookout->heard, "noether: noether resume %s goes on from the checkpoint that was written last\n",
                lookout->folder);
}

static void *lookout_watch(void *user)
{
    const struct lookout *lookout = user;
    struct timespec moment = {0, 20000000};
    double struck = 0;
    while (!atomic_load(&lookout->is_over)) {
        nanosleep(&moment, NULL);
        if (!struck && *interrupt_flag())
            struck = clock_wall();
        if (struck > 0 && clock_wall() - struck >= lookout->patience) {
            lookout_speak(lookout, "a rank does not answer");
            return NULL;
        }
    }
    return NULL;
}

static void lookout_begin(struct lookout *lookout, const struct options *options, uint32_t rank, int heard)
{
    static const double patience[] = {0.75, 0.85};
    enum { COUNT = sizeof patience / sizeof *patience };
    *lookout = (struct lookout){.heard = rank ? heard : STDERR_FILENO, .folder = options->values[OPTION_CHECKPOINT]};
    if (options->resumed)
        lookout->folder = keeping_folder(options->resumed);
    if (rank >= COUNT || !lookout->folder)
        return;
    lookout->patience = patience[rank];
    lookout->is_there = !pthread_create(&lookout->thread, NULL, lookout_watch, lookout);
}

static void lookout_end(struct lookout *lookout)
{
    atomic_store(&lookout->is_over, true);
    if (lookout->is_there)
        pthread_join(lookout->thread, NULL);
}

int distributed_run(const struct options *options, int (*command)(const struct options *options))
{
    struct text why = {0};
    if (options->values[OPTION_TRAIL] || options->values[OPTION_DUMP] || ranges_are_asked(options))
        return cli_fail("--distributed is for one check, not for a table, --trail or --dump");
    const struct transport *transport = options->transport ? options->transport : transport_open(&why);
    if (!transport) {
        int code = cli_fail("--distributed: %s", text_chars(&why));
        text_free(&why);
        return code;
    }
    struct options mine = *options;
    struct text certificate = {0};
    mine.transport = transport;
    int heard = transport->rank ? distributed_be_silent(&mine, &certificate) : -1;
    struct lookout lookout;
    lookout_begin(&lookout, options, transport->rank, heard);
    int code = command(&mine);
    lookout_end(&lookout);
    text_free(&certificate);
    if (transport->is_given_up() && transport->rank && heard >= 0)
        lookout_speak(&lookout, "rank 0 does not answer"); /* nobody else does */
    else if (code == EXIT_USAGE)
        distributed_leave(transport, heard);
    transport->finish();
    return code;
}
