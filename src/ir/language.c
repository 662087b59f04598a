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
