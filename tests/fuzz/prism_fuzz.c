/* Any bytes must be read or refused. What stands after a line "//PROPERTIES" is a properties file. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "ir/validate.h"
#include "lang/prism/prism.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char separator[] = "//PROPERTIES";

static size_t find_separator(const char *text, size_t size)
{
    size_t length = sizeof separator - 1;
    for (size_t i = 0; i + length <= size; i++)
        if (!memcmp(text + i, separator, length))
            return i;
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    size_t cut = find_separator(text, size);
    struct source *model = source_from_text("fuzz.prism", text, cut);
    struct source *properties = source_from_text("fuzz.props", text + cut, size - cut);
    struct diagnostics diagnostics = {0};
    struct prism_define defines[] = {{"N", "3", false}, {"p", "0.5", false}};
    struct prism_options options = {defines, size % 2 ? 2 : 0, properties, NULL, size % 3};
    struct system *system = prism_read(model, &options, &diagnostics);
    ENSURE((system == NULL) == (diagnostics.errors > 0));
    ENSURE(!system || !ir_validate(system));
    struct text printed = {0};
    diag_print(&diagnostics, &printed);
    text_free(&printed);
    system_destroy(system);
    diag_free(&diagnostics);
    source_free(properties);
    source_free(model);
    return 0;
}
