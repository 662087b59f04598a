/* Any text must be read as properties of a model, or refused; what is read must get the same verdicts and values in two
 * ways (compare.h). The first byte says the model (subjects.h), the second the way and whether the text is a file or an
 * option. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "compare.h"
#include "memory_file.h"
#include "small.h"
#include "subjects.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    const char *path = subject_of(data[0])->model;
    unsigned way = data[1];
    bool is_option = data[0] >= 128 && !memchr(data + 2, 0, size - 2);
    struct text asked = {0};
    text_append_n(&asked, (const char *)data + 2, size - 2);
    const char *file = is_option ? NULL : memory_file(MEMORY_FILE_PROPERTIES, data + 2, size - 2);
    struct diagnostics diagnostics = {0};
    struct model_sources sources = {.manner.is_lenient = way % 2};
    struct model *model =
        model_load_with(path, file, is_option ? text_chars(&asked) : NULL, NULL, NULL, 0, &diagnostics, &sources);
    ENSURE((model == NULL) == (diagnostics.errors > 0));
    if (model && system_is_small(model->system))
        compare_ways(model, way);
    model_destroy(model);
    struct text printed = {0};
    diag_print(&diagnostics, &printed);
    text_free(&printed);
    diag_free(&diagnostics);
    model_free_sources(&sources);
    text_free(&asked);
    return 0;
}
