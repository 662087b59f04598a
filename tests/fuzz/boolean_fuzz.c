/* Any bytes must be read or refused. The first byte says whether a Boolean program or a thread transition system
 * follows, and how many threads there are; what stands behind a form feed are properties. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "ir/validate.h"
#include "lang/boolean/boolean.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    const char *text = (const char *)data + 1;
    const char *cut = memchr(text, '\f', size - 1);
    size_t length = cut ? (size_t)(cut - text) : size - 1;
    struct source *model = source_from_text("fuzz.bp", text, length);
    struct source *properties = cut ? source_from_text("fuzz.prop", cut + 1, size - 2 - length) : NULL;
    struct diagnostics diagnostics = {0};
    struct reading options = {.properties = properties, .manner = {.threads = data[0] / 2 % 4, .recursion = 2}};
    const struct language *language = data[0] % 2 ? &language_tts : &language_boolean;
    struct system *system = language->read(model, &options, &diagnostics);
    struct text printed = {0};
    ENSURE((system == NULL) == (diagnostics.errors > 0));
    ENSURE(!system || !ir_validate(system));
    diag_print(&diagnostics, &printed);
    text_free(&printed);
    diag_free(&diagnostics);
    system_destroy(system);
    source_free(properties);
    source_free(model);
    return 0;
}
