/* Any bytes must be read or refused: no crash, no hang, and what is read must keep the promises of the IR. What comes
 * after a form feed is a file of properties, and once more an expression about the model. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "ir/validate.h"
#include "lang/murphi/murphi.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(const struct source *source, const struct source *text)
{
    struct question question = {.text = text};
    struct reading options = {.question = &question};
    struct diagnostics diagnostics = {0};
    struct system *system = murphi_read(source, &options, &diagnostics);
    ENSURE((system == NULL) == (diagnostics.errors > 0));
    ENSURE(!system || (question.type && !question.value != !question.place));
    system_destroy(system);
    diag_free(&diagnostics);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *cut = size ? memchr(data, '\f', size) : NULL;
    size_t length = cut ? (size_t)(cut - data) : size;
    struct source *source = source_from_text("fuzz.m", (const char *)data, length);
    struct source *properties = cut ? source_from_text("fuzz.props", (const char *)cut + 1, size - length - 1) : NULL;
    struct reading options = {.properties = properties};
    struct diagnostics diagnostics = {0};
    struct system *system = murphi_read(source, &options, &diagnostics);
    ENSURE((system == NULL) == (diagnostics.errors > 0));
    ENSURE(!system || !ir_validate(system));
    struct text text = {0};
    diag_print(&diagnostics, &text);
    text_free(&text);
    system_destroy(system);
    diag_free(&diagnostics);
    if (cut)
        ask(source, properties);
    source_free(source);
    source_free(properties);
    return 0;
}
