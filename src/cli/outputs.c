#include "cli/outputs.h"

#include <string.h>

#include "cli/cli.h"

struct text *outputs_add(struct outputs *outputs, const char *path)
{
    VEC_PUSH(&outputs->list, ((struct output){.path = path}));
    return &VEC_LAST(&outputs->list).text;
}

void outputs_add_json(struct outputs *outputs, const char *path, struct json *document)
{
    json_print_within(document, false, outputs_add(outputs, path));
    json_free(document);
}

void outputs_drop(struct outputs *outputs, size_t count)
{
    while (outputs->list.count > count)
        text_free(&outputs->list.items[--outputs->list.count].text);
}

bool outputs_write(struct outputs *outputs)
{
    bool is_written = true;
    for (size_t i = 0; i < outputs->list.count; i++) {
        struct output *output = &outputs->list.items[i];
        if (strcmp(output->path, "-"))
            is_written &= cli_write_text(output->path, &output->text);
        else
            is_written &= cli_print(&output->text, EXIT_HOLDS) == EXIT_HOLDS;
    }
    outputs_drop(outputs, 0);
    VEC_FREE(&outputs->list);
    return is_written;
}
