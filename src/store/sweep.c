#include "store/sweep.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool is_of_kind(const char *name, const char *kind)
{
    size_t length = strlen(kind);
    unsigned rank, number;
    int end = 0;
    return !strncmp(name, kind, length) && sscanf(name + length, "-%9u-%9u%n", &rank, &number, &end) == 2 &&
           !name[length + (size_t)end];
}

static bool is_in_list(const char *name, const struct json *list)
{
    for (size_t i = 0; i < json_size(list); i++) {
        const char *file = json_read_text(json_get(json_item(list, i), "file"));
        if (file && !strcmp(file, name))
            return true;
    }
    return false;
}

struct sweeping {
    const char *name;
    bool is_named;
};

static void sweep_look(void *user, const char *key, const struct json *list)
{
    struct sweeping *sweeping = user;
    (void)key;
    sweeping->is_named |= is_in_list(sweeping->name, list);
}

static bool is_named(const char *name, const struct json *files)
{
    struct sweeping sweeping = {name, false};
    for (size_t part = 0; part < json_size(files) && !sweeping.is_named; part++)
        json_each(json_item(files, part), sweep_look, &sweeping);
    return sweeping.is_named;
}

void sweep_files(int folder, const char *const *kinds, int count, const struct json *files)
{
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *listing = again < 0 ? NULL : fdopendir(again);
    if (!listing) {
        if (again >= 0)
            close(again);
        return;
    }
    for (const struct dirent *entry; (entry = readdir(listing));)
        for (int kind = 0; kind < count; kind++)
            if (is_of_kind(entry->d_name, kinds[kind]) && !is_named(entry->d_name, files))
                unlinkat(folder, entry->d_name, 0);
    closedir(listing);
}
