/* Any words as a command line: taken or refused with a message; what is taken can be read. The words end at line feeds,
 * the first is the command. Nothing is run. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "cli/cli.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_all(const struct options *options)
{
    for (int id = 0; id < OPTION_COUNT; id++) {
        if (!options->values[id])
            continue;
        switch (option_rows[id].kind) {
        case KIND_CHOICE:
            ENSURE(options_choice(options, id) >= 0);
            break;
        case KIND_SIZE:
        case KIND_COUNT:
            ENSURE(options_number(options, id) > 0);
            break;
        case KIND_TIME:
            ENSURE(options_seconds(options, id) > 0);
            break;
        case KIND_SHARE:
            ENSURE(options_share(options, id) > 0 && options_share(options, id) < 1);
            break;
        default:
            ENSURE(strlen(options->values[id]) > 0);
            break;
        }
    }
    for (size_t i = 0; i < options->defines.count; i++)
        ENSURE(*options->defines.items[i].name && *options->defines.items[i].value);
    const char *properties = options_properties(options);
    ENSURE(!properties || *properties);
}

static void parse(char **words, int count)
{
    enum command_id command = options_find_command(words[0]);
    struct options options;
    struct text message = {0};
    if (command == COMMAND_COUNT)
        return;
    if (options_parse(&options, command, count - 1, words + 1, &message))
        read_all(&options);
    else
        ENSURE(message.length);
    options_free(&options);
    text_free(&message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    VEC(char *) words = {0};
    struct text line = {0};
    text_append_n(&line, (const char *)data, size);
    text_char(&line, '\n');
    for (char *word = line.chars, *end; (end = memchr(word, '\n', line.length - (size_t)(word - line.chars)));
         word = end + 1) {
        *end = '\0';
        VEC_PUSH(&words, word);
    }
    parse(words.items, (int)words.count);
    VEC_FREE(&words);
    text_free(&line);
    return 0;
}
