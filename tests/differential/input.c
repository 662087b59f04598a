#include "input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

/* The name and the value are ended in place. */
static void read_define(struct input *input, const char *path)
{
    FILE *file = fopen(path, "r");
    bool has_line = file && fgets(input->line, sizeof input->line, file);
    if (file)
        fclose(file);
    bool is_define = has_line && (!strncmp(input->line, "-- -D ", 6) || !strncmp(input->line, "// -D ", 6));
    char *value = is_define ? strchr(input->line, '=') : NULL;
    if (!value)
        return;
    *value++ = '\0';
    value[strcspn(value, "\r\n")] = '\0';
    input->define = (struct define){input->line + 6, value};
    input->define_count = 1;
}

static uint32_t number_after(const char *line, const char *option)
{
    const char *found = strstr(line, option);
    return found ? (uint32_t)strtoul(found + strlen(option), NULL, 10) : 0;
}

/* The options that a generator names in one of the first lines. */
static struct manner read_manner(const char *path)
{
    struct manner manner = {0};
    char line[256];
    FILE *file = fopen(path, "r");
    for (int i = 0; file && i < 2 && fgets(line, sizeof line, file); i++) {
        if (strstr(line, "--threads-of-model")) {
            manner.threads = number_after(line, "--threads-of-model ");
            manner.recursion = number_after(line, "--recursion ");
        }
        manner.undefined_is_error |= strstr(line, "--undefined error") != NULL;
        if (strstr(line, "--dialect cmurphi"))
            manner.dialect = DIALECT_CMURPHI;
        else if (strstr(line, "--dialect rumur"))
            manner.dialect = DIALECT_RUMUR;
    }
    if (file)
        fclose(file);
    return manner;
}

/* The text of a first or second line "// --property TEXT", on the heap; NULL: there is none. */
static char *read_asked(const char *path)
{
    static const char head[] = "// --property ";
    char line[256], *asked = NULL;
    FILE *file = fopen(path, "r");
    for (int i = 0; file && i < 2 && fgets(line, sizeof line, file); i++)
        if (!strncmp(line, head, strlen(head))) {
            line[strcspn(line, "\r\n")] = '\0';
            free(asked);
            asked = memory_string(line + strlen(head));
        }
    if (file)
        fclose(file);
    return asked;
}

static char *properties_beside(const char *path)
{
    struct text text = {0};
    const char *extension = strrchr(path, '.');
    text_append_n(&text, path, extension ? (size_t)(extension - path) : strlen(path));
    text_append(&text, ".props");
    FILE *file = fopen(text_chars(&text), "r");
    if (file)
        fclose(file);
    else
        text_free(&text);
    return file ? text.chars : NULL;
}

struct input input_open(const char *path)
{
    struct input input = {
        .properties = properties_beside(path), .asked = read_asked(path), .sources = {.manner = read_manner(path)}};
    read_define(&input, path);
    /* The strings of the definition move with the copy that is returned: they are not used after this. */
    input.model = model_load_with(path, input.properties, input.asked, NULL, &input.define, input.define_count,
                                  &input.diagnostics, &input.sources);
    return input;
}

void input_close(struct input *input)
{
    if (input->model)
        model_destroy(input->model);
    diag_free(&input->diagnostics);
    model_free_sources(&input->sources);
    free(input->properties);
    free(input->asked);
}
