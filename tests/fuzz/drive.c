/* Runs a target on the files that are named, and on those in the folders that are named: for builds without libFuzzer.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/source.h"
#include "base/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t drive_file(const char *path)
{
    const char *reason;
    struct source *source = source_read(path, &reason);
    if (!source)
        return 0;
    fprintf(stderr, "\r%s", path);                /* the last one, where it crashes */
    uint8_t *copy = memory_alloc(source->length); /* exactly so many bytes: what is read beyond is seen */
    memcpy(copy, source->text, source->length);
    LLVMFuzzerTestOneInput(copy, source->length);
    free(copy);
    source_free(source);
    return 1;
}

static size_t drive(const char *path)
{
    DIR *folder = opendir(path);
    size_t count = 0;
    if (!folder)
        return drive_file(path);
    for (struct dirent *entry; (entry = readdir(folder));) {
        struct text inner = {0};
        text_format(&inner, "%s/%s", path, entry->d_name);
        count += entry->d_name[0] != '.' ? drive_file(inner.chars) : 0;
        text_free(&inner);
    }
    closedir(folder);
    return count;
}

int main(int count, char **paths)
{
    size_t inputs = 0;
    for (int i = 1; i < count; i++)
        inputs += drive(paths[i]);
    fprintf(stderr, "\n%zu inputs\n", inputs);
    return inputs ? EXIT_SUCCESS : EXIT_FAILURE;
}
