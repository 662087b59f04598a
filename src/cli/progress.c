#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/partial.h"
#include "report/style.h"

static const double refresh = 0.2, heartbeat = 30; /* seconds between two lines */

/* NOETHER_HEARTBEAT: in so many seconds, for logs that want more lines, and for tests. */
static double heartbeat_seconds(void)
{
    const char *asked = getenv("NOETHER_HEARTBEAT");
    double seconds;
    return asked && amount_time(asked, &seconds) ? seconds : heartbeat;
}

void progress_begin(struct progress *progress, bool is_quiet, const struct limits *limits)
{
    bool is_terminal = isatty(STDERR_FILENO);
    *progress = (struct progress){.is_on = !is_quiet,
                                  .is_terminal = is_terminal,
                                  .every = is_terminal ? refresh : heartbeat_seconds(),
                                  .last = is_terminal ? 0 : clock_wall(),
                                  .memory = limits->memory_bytes,
                                  .seconds = limits_asked_seconds(limits)};
}

static void append_short(struct text *out, double amount)
{
    static const char *const units[] = {"", "k", "M", "G"};
    int unit = 0;
    if (amount >= 1e13) {
        text_format(out, "%.1e", amount);
        return;
    }
    for (; amount >= 10000 && unit < 3; unit++)
        amount /= 1000;
    text_format(out, "%.0f%s", amount, units[unit]);
}

static void append_share(struct text *out, double used, double limit)
{
    if (limit > 0)
        text_format(out, " (%.0f%%)", 100 * used / limit);
}

static void append_found(const struct progress_sample *sample, struct text *line)
{
    if (sample->frames) {
        text_format(line, "%u frames, ", sample->frames);
        style_count(sample->clauses, line);
        text_append(line, " clauses");
    } else {
        style_count(sample->nodes && !sample->iterations ? sample->nodes : sample->states, line);
        text_append(line, sample->nodes && !sample->iterations ? " nodes" : " states");
    }
    if (sample->represented > (double)sample->states) {
        text_append(line, " (for ");
        append_short(line, sample->represented);
        text_char(line, ')');
    }
    if (sample->iterations) {
        text_append(line, ", iteration ");
        style_count(sample->iterations, line);
        text_format(line, ", between %.6g and %.6g", sample->lower, sample->upper);
        return;
    }
    if (!sample->frames && !sample->nodes) {
        text_append(line, ", ");
        append_short(line, sample->seconds > 0 ? (double)sample->states / sample->seconds : 0);
        text_append(line, "/s, frontier ");
        style_count(sample->frontier, line);
    }
    text_append(line, ", depth ");
    style_count(sample->depth, line);
}

/* How much there is, and which share of --memory and --time it has taken. */
static void append_sample(const struct progress *progress, const struct progress_sample *sample, struct text *line)
{
    append_found(sample, line);
    if (!sample->iterations) {
        text_append(line, ", ");
        style_count(sample->bytes >> 20, line);
        text_append(line, " MiB");
        append_share(line, (double)sample->bytes, (double)progress->memory);
    }
    text_format(line, ", %.0f s", sample->seconds);
    append_share(line, sample->seconds, progress->seconds);
}

void progress_show(void *user, const struct progress_sample *sample)
{
    struct progress *progress = user;
    partial_set_sample(sample);
    double now = clock_wall();
    if (!progress->is_on || now - progress->last < progress->every)
        return;
    struct text line = {0};
    text_append(&line, progress->is_terminal ? "\r" : "noether: ");
    append_sample(progress, sample, &line);
    text_append(&line, progress->is_terminal ? "\033[K" : "\n");
    fputs(line.chars, stderr);
    fflush(stderr);
    text_free(&line);
    progress->last = now;
    progress->is_shown = progress->is_terminal;
}

void progress_end(struct progress *progress)
{
    if (progress->is_shown)
        fputs("\r\033[K", stderr);
    progress->is_shown = false;
}
