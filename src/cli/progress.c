#include <stdio.h>
#include <unistd.h>

#include "cli/partial.h"
#include "base/clock.h"

static const double interval = 0.2; /* seconds between two refreshes */

void progress_begin(struct progress *progress, bool is_quiet)
{
    *progress = (struct progress){.is_on = !is_quiet && isatty(STDERR_FILENO)};
}

static void append_short(struct text *out, double amount)
{
    static const char *const units[] = {"", "k", "M", "G"};
    int unit = 0;
    for (; amount >= 10000 && unit < 3; unit++)
        amount /= 1000;
    text_format(out, "%.0f%s", amount, units[unit]);
}

void progress_show(void *user, const struct progress_sample *sample)
{
    struct progress *progress = user;
    partial_set_sample(sample);
    double now = clock_wall();
    if (!progress->is_on || now - progress->last < interval)
        return;
    struct text line = {0};
    if (sample->iterations) {
        text_format(&line, "\r%llu states, iteration %llu, between %.6g and %.6g, %.0f s\033[K",
                    (unsigned long long)sample->states, (unsigned long long)sample->iterations, sample->lower,
                    sample->upper, sample->seconds);
    } else if (sample->frames) {
        text_format(&line, "\r%u frames, %u clauses, ", sample->frames, sample->clauses);
    } else if (sample->nodes) {
        text_format(&line, "\r%llu nodes, ", (unsigned long long)sample->nodes);
    } else {
        text_format(&line, "\r%llu states, ", (unsigned long long)sample->states);
        append_short(&line, sample->seconds > 0 ? (double)sample->states / sample->seconds : 0);
        text_format(&line, "/s, frontier %llu, ", (unsigned long long)sample->frontier);
    }
    if (!sample->iterations)
        text_format(&line, "depth %u, %.0f MiB, %.0f s\033[K", sample->depth, (double)sample->bytes / 0x1p20,
                    sample->seconds);
    fputs(line.chars, stderr);
    fflush(stderr);
    text_free(&line);
    progress->last = now;
    progress->is_shown = true;
}

void progress_end(struct progress *progress)
{
    if (progress->is_shown)
        fputs("\r\033[K", stderr);
    progress->is_shown = false;
}
