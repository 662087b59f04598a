#include "input.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* The name and the value are ended in place. */
static void read_define(struct input *input, const char *path)
{
    FILE *file = fopen(path, "r");
    bool has_line = file && fgets(input->line, sizeof input->line, file);
    if (file)
        fclose(file);
    char *value = has_line && !strncmp(input->line, "-- -D ", 6) ? strchr(input->line, '=') : NULL;
    if (!value)
        return;
    *value++ = '\0';
    value[strcspn(value, "\r\n")] = '\0';
    input->define = (struct define){input->line + 6, value};
    input->define_count = 1;
}

static char *properties_beside(const char *path)
{
    struct text text = {0};
    size_t length = strlen(path);
    text_append_n(&text, path, length > 2 ? length - 2 : 0);
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
    struct input input = {.properties = properties_beside(path)};
    read_define(&input, path);
    /* The strings of the definition move with the copy that is returned: they are not used after this. */
    input.model = model_load_with(path, input.properties, NULL, "murphi", &input.define, input.define_count,
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
}
