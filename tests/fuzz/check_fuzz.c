/* Any bytes through all that `noether check` does, with tiny limits, in two ways that must agree (compare.h). The first
 * byte says the language and a part of the way, the second the rest of it; then comes the model, and after a form feed,
 * if there is one, a file of properties. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "compare.h"
#include "memory_file.h"
#include "small.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    const char *language = data[0] % 2 ? "prism" : "murphi";
    unsigned way = data[0] / 2 + 128u * data[1];
    data += 2;
    size -= 2;
    const uint8_t *cut = size ? memchr(data, '\f', size) : NULL;
    size_t length = cut ? (size_t)(cut - data) : size;
    const char *path = memory_file(MEMORY_FILE_MODEL, data, length);
    const char *properties = cut ? memory_file(MEMORY_FILE_PROPERTIES, cut + 1, size - length - 1) : NULL;
    struct diagnostics diagnostics = {0};
    struct model_sources sources = {.manner.is_lenient = way % 2};
    struct model *model = model_load_with(path, properties, NULL, language, NULL, 0, &diagnostics, &sources);
    ENSURE((model == NULL) == (diagnostics.errors > 0));
    if (model) {
        model->system->loop_limit = SMALL_LOOP;
        if (system_is_small(model->system))
            compare_ways(model, way);
        model_destroy(model);
    }
    diag_free(&diagnostics);
    model_free_sources(&sources);
    return 0;
}
