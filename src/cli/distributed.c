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
#include "base/watch.h"
#include "cli/cli.h"
#include "cli/process.h"
#include "cli/ranges.h"
#include "driver/keeping.h"
#include "ranks/transport.h"

bool distributed_is_silent(void)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    return rank && strcmp(rank, "0") != 0;
}

/* mpirun of Open MPI says so in the environment. Without the option each process would do all of the work, into the
 * same files. */
void distributed_hint(const struct options *options)
{
    const char *size = getenv("OMPI_COMM_WORLD_SIZE");
    bool is_search = options->command == COMMAND_CHECK || options->command == COMMAND_RESUME;
    if (!is_search || options->values[OPTION_DISTRIBUTED] || !size || strtoul(size, NULL, 10) < 2 ||
        distributed_is_silent())
        return;
    cli_note("warning: mpirun has started %s processes, and without --distributed each of them does the same work: did "
             "you mean --distributed?",
             size);
}

/* --- what the ranks must have in common --- */

/* Options that may differ between ranks: where answers go, and what belongs to each machine. */
static const enum option_id own_options[] = {OPTION_JSON,   OPTION_TRACE, OPTION_REPORT,  OPTION_CSV,
                                             OPTION_FORMAT, OPTION_QUIET, OPTION_THREADS, OPTION_MEMORY,
                                             OPTION_TIME,   OPTION_DISK,  OPTION_STEPPER, OPTION_DISK_LIMIT};

static bool option_is_own(int id)
{
    for (size_t i = 0; i < sizeof own_options / sizeof *own_options; i++)
        if ((int)own_options[i] == id)
            return true;
    return false;
}

/* The options that must be the same, as words that end with '\0': "--NAME" and its value. */
static void list_common(const struct options *options, struct text *out)
{
    for (int id = 0; id < OPTION_COUNT; id++)
        if (options->values[id] && !option_is_own(id)) {
            text_format(out, "--%s %s", option_rows[id].name, options->values[id]);
            text_char(out, '\0');
        }
    for (size_t i = 0; i < options->defines.count; i++) {
        text_format(out, "-D %s=%s", options->defines.items[i].name, options->defines.items[i].value);
        text_char(out, '\0');
    }
    text_format(out, "--property %s", text_chars(&options->asked));
    text_char(out, '\0');
}

/* The first word of one list that the other does not have, or NULL. */
static const char *find_unshared(const char *list, size_t size, const char *other, size_t other_size)
{
    for (const char *word = list; word < list + size; word += strlen(word) + 1) {
        bool is_shared = false;
        for (const char *at = other; at < other + other_size && !is_shared; at += strlen(at) + 1)
            is_shared = !strcmp(word, at);
        if (!is_shared)
            return word;
    }
    return NULL;
}

/* By all ranks at the same time. False, after a message: their options differ. */
static bool options_agree(const struct options *options, const struct transport *transport)
{
    struct text mine = {0};
    size_t *places;
    bool agree = true;
    list_common(options, &mine);
    const char *all = transport->share(mine.chars, mine.length, &places);
    for (uint32_t rank = 1; rank < transport->count && agree; rank++) {
        const char *list = all + places[rank];
        size_t size = places[rank + 1] - places[rank], first = places[1] - places[0];
        const char *word = find_unshared(list, size, all, first);
        if (!word)
            word = find_unshared(all, first, list, size);
        agree = !word;
        if (word && !transport->rank)
            cli_fail("--distributed: rank %u has other options than rank 0: %.*s is not the same", rank,
                     (int)strcspn(word, " "), word);
    }
    free((void *)all);
    free(places);
    text_free(&mine);
    return agree;
}

/* --- before the search --- */

/* Until the ranks search, each may refuse for reasons of its own; none may wait for one that has. */
struct rank_meeting {
    const struct transport *transport;
    bool is_over; /* all are about to search, or one of them has refused */
};

/* What each rank says is its exit code; 0: it is ready. The code of the first that is not, and its number in *who. */
static int meeting_hold(struct rank_meeting *meeting, int mine, uint32_t *who)
{
    const struct transport *transport = meeting->transport;
    unsigned char code = (unsigned char)mine;
    size_t *places;
    struct watch *watch = watch_hold();
    unsigned char *all = transport->share(&code, sizeof code, &places);
    watch_let_go(watch);
    *who = 0;
    while (*who < transport->count && !all[*who])
        ++*who;
    code = *who < transport->count ? all[*who] : 0;
    free(all);
    free(places);
    meeting->is_over |= code != 0;
    return code;
}

bool distributed_meet(const struct options *options, bool is_last, int *code)
{
    struct rank_meeting *meeting = options->meeting;
    uint32_t who;
    if (!meeting || !(*code = meeting_hold(meeting, 0, &who))) {
        if (meeting)
            meeting->is_over |= is_last;
        return true;
    }
    if (*code == EXIT_USAGE)
        cli_fail("rank %u refused to search, and others did not: are the model, the folders and the options the same "
                 "for all?",
                 who);
    else
        cli_fail("rank %u ended before the search", who);
    return false;
}

/* --- the ranks --- */

/* Turns the output of a rank other than the first off. A table goes to standard output, which is /dev/null: a rank
 * without --csv would do a single check and hold other meetings than the first. The rank's part of a certificate goes
 * to a temporary file. Returns a descriptor of the former standard error. */
static int distributed_be_silent(struct options *options, struct text *certificate)
{
    static const enum option_id files[] = {OPTION_JSON, OPTION_TRACE, OPTION_REPORT};
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC), heard = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        options->values[files[i]] = NULL;
    if (options->values[OPTION_CSV])
        options->values[OPTION_CSV] = "-";
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
    process_note_module();
    struct options mine = *options;
    struct text certificate = {0};
    if (!options_agree(options, transport)) {
        transport->finish();
        return EXIT_USAGE;
    }
    struct rank_meeting meeting = {.transport = transport};
    uint32_t who;
    mine.meeting = &meeting;
    mine.transport = transport;
    int heard = transport->rank ? distributed_be_silent(&mine, &certificate) : -1;
    struct lookout lookout;
    lookout_begin(&lookout, options, transport->rank, heard);
    int code = command(&mine);
    if (!meeting.is_over)
        meeting_hold(&meeting, code == EXIT_HOLDS ? EXIT_UNKNOWN : code, &who);
    lookout_end(&lookout);
    text_free(&certificate);
    if (transport->is_given_up() && transport->rank && heard >= 0)
        lookout_speak(&lookout, "rank 0 does not answer"); /* nobody else does */
    transport->finish();
    return code;
}
