#include "lang/boolean/tts.h"

#include "lang/boolean/boolean.h"

static struct system *lower_parsed(struct tts *tts, const struct source *source, const struct reading *reading,
                                   struct diagnostics *diagnostics)
{
    uint32_t threads = reading->manner.threads;
    struct system *system = tts_lower(tts, source->shown, threads ? threads : THREADS_DEFAULT_COUNT, diagnostics);
    if (system)
        system->is_unbounded = !threads;
    return system;
}

static struct system *tts_read(const struct source *source, const struct reading *reading,
                               struct diagnostics *diagnostics)
{
    struct tts tts = {0};
    const struct source *bad[] = {reading->properties, reading->asked};
    if (reading->question)
        report_error(diagnostics, (struct span){.source = reading->question->text},
                     "expressions cannot be asked for in a thread transition system");
    else if (threads_check(source, reading, diagnostics))
        tts_parse(source, diagnostics, &tts);
    for (size_t i = 0; i < 2 && !diagnostics->errors; i++)
        if (bad[i])
            tts_parse_bad(bad[i], diagnostics, &tts);
    struct system *system = diagnostics->errors ? NULL : lower_parsed(&tts, source, reading, diagnostics);
    tts_free(&tts);
    return system;
}

const struct language language_tts = {.name = "tts",
                                      .title = "thread transition system",
                                      .extensions = ".tts",
                                      .openings = "",
                                      .beside = ".prop",
                                      .manners = "threads-of-model",
                                      .read = tts_read};
