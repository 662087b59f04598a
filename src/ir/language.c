#include "ir/language.h"

#include <string.h>

const struct language language_none = {.name = "none", .title = "IR", .extensions = ""};

bool system_is_ground(const struct system *system)
{
    return system->language->is_ground;
}

const struct define *reading_define(const struct reading *reading, const char *name)
{
    for (size_t i = reading->define_count; i-- > 0;)
        if (!strcmp(reading->defines[i].name, name))
            return &reading->defines[i];
    return NULL;
}

void manner_write(const struct manner *manner, uint32_t *numbers)
{
    const uint32_t all[MANNER_NUMBERS] = {manner->is_lenient,      manner->undefined_is_error, manner->dialect,
                                          manner->threads,         manner->recursion,          manner->processes,
                                          (uint32_t)manner->death, manner->ignores_labels};
    memcpy(numbers, all, sizeof all);
}

bool manner_read(struct manner *manner, const uint32_t *numbers)
{
    uint32_t again[MANNER_NUMBERS];
    *manner = (struct manner){.is_lenient = numbers[0],
                              .undefined_is_error = numbers[1],
                              .dialect = (enum dialect)numbers[2],
                              .threads = numbers[3],
                              .recursion = numbers[4],
                              .processes = numbers[5],
                              .death = (enum process_death)numbers[6],
                              .ignores_labels = numbers[7]};
    manner_write(manner, again);
    return numbers[2] <= DIALECT_RUMUR && numbers[6] <= DEATH_NEVER && !memcmp(again, numbers, sizeof again);
}

const char *manner_option(const struct manner *manner, size_t number, bool *is_given)
{
    const struct {
        const char *name;
        bool is_given;
    } options[] = {
        {"undefined", manner->undefined_is_error}, {"dialect", manner->dialect != DIALECT_AUTO},
        {"threads-of-model", manner->threads > 0}, {"recursion", manner->recursion > 0},
        {"processes", manner->processes > 0},      {"process-death", manner->death != DEATH_LAST},
        {"cycles", manner->ignores_labels},
    };
    if (number >= sizeof options / sizeof *options)
        return NULL;
    *is_given = options[number].is_given;
    return options[number].name;
}

static void print_number(struct text *out, const char *option, uint32_t number)
{
    if (number)
        text_format(out, "\n  with %s %u", option, number);
}

void manner_print(const struct manner *manner, struct text *out)
{
    if (manner->undefined_is_error)
        text_append(out, "\n  with --undefined error");
    if (manner->dialect != DIALECT_AUTO)
        text_format(out, "\n  with --dialect %s", manner->dialect == DIALECT_RUMUR ? "rumur" : "cmurphi");
    print_number(out, "threads of the model:", manner->threads);
    print_number(out, "--recursion", manner->recursion);
    print_number(out, "--processes", manner->processes);
    if (manner->death != DEATH_LAST)
        text_format(out, "\n  with --process-death %s", manner->death == DEATH_ANY ? "any" : "never");
    if (manner->ignores_labels)
        text_append(out, "\n  with --cycles off");
}
