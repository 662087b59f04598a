/* constructs MODEL...: a line "COUNT NAME" for each construct of the language (constructs.h). Files are found and read
 * as by compare. */
#include "constructs.h"

#include <stdio.h>
#include <string.h>

#include "driver/model.h"
#include "input.h"

static struct construct *find(struct constructs *constructs, const char *name)
{
    for (size_t i = 0; i < constructs->items.count; i++)
        if (!strcmp(constructs->items.items[i].name, name))
            return &constructs->items.items[i];
    VEC_PUSH(&constructs->items, ((struct construct){memory_string(name), 0}));
    return &VEC_LAST(&constructs->items);
}

static struct construct *find_formatted(struct constructs *constructs, const char *format, va_list arguments)
{
    char name[256];
    vsnprintf(name, sizeof name, format, arguments);
    return find(constructs, name);
}

void constructs_note(struct constructs *constructs, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    find_formatted(constructs, format, arguments)->count++;
    va_end(arguments);
}

void constructs_expect(struct constructs *constructs, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    find_formatted(constructs, format, arguments);
    va_end(arguments);
}

static bool note_file(struct constructs *constructs, const char *path)
{
    struct input input = input_open(path);
    if (input.model) {
        constructs_note_tree(constructs, input.model->source, true);
        if (input.model->properties)
            constructs_note_tree(constructs, input.model->properties, false);
        constructs_note_ir(constructs, input.model->system);
        if (input.define_count)
            constructs_note(constructs, "a constant set by -D");
        if (input.model->properties)
            constructs_note(constructs, "a file of properties");
    }
    bool is_good = input.model != NULL;
    input_close(&input);
    return is_good;
}

int main(int count, char **arguments)
{
    struct constructs constructs = {0};
    constructs_expect_tree(&constructs);
    constructs_expect_ir(&constructs);
    constructs_expect(&constructs, "a constant set by -D");
    constructs_expect(&constructs, "a file of properties");
    int refused = 0;
    for (int i = 1; i < count; i++)
        refused += !note_file(&constructs, arguments[i]);
    for (size_t i = 0; i < constructs.items.count; i++) {
        printf("%llu %s\n", (unsigned long long)constructs.items.items[i].count, constructs.items.items[i].name);
        free(constructs.items.items[i].name);
    }
    VEC_FREE(&constructs.items);
    fprintf(stderr, "%d models refused\n", refused);
    return 0;
}
