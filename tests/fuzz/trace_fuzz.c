/* Any bytes as a trace file: replayed and explained, or refused with a message. The first byte says the model
 * (subjects.h). */
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "cli/cli.h"
#include "memory_file.h"
#include "subjects.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run(enum command_id command, int (*run_command)(const struct options *), const struct subject *subject,
                const char *trace)
{
    char *words[] = {"-v", (char *)subject->model, (char *)trace, NULL};
    if (subject->properties) {
        words[2] = (char *)subject->properties;
        words[3] = (char *)trace;
    }
    struct options options;
    struct text message = {0};
    ENSURE(options_parse(&options, command, subject->properties ? 4 : 3, words, &message));
    int code = run_command(&options);
    ENSURE(code == EXIT_HOLDS || code == EXIT_VIOLATED || code == EXIT_USAGE);
    options_free(&options);
    text_free(&message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    const struct subject *subject = subject_of(data[0]);
    const char *trace = memory_file(MEMORY_FILE_TRACE, data + 1, size - 1);
    run(COMMAND_REPLAY, command_replay, subject, trace);
    run(COMMAND_EXPLAIN, command_explain, subject, trace);
    return 0;
}
