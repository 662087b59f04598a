/* Any bytes must be read as a Promela model or refused. What stands behind a form feed is the value of -D N. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "ir/language.h"
#include "lang/promela/ast.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data, *cut = size ? memchr(text, '\f', size) : NULL;
    size_t length = cut ? (size_t)(cut - text) : size;
    struct arena *arena = arena_create();
    struct source *source = source_from_text("fuzz.pml", text, length);
    struct define define = {"N", cut ? arena_string_n(arena, cut + 1, size - length - 1) : ""};
    struct diagnostics diagnostics = {0};
    const struct reading reading = {.defines = &define, .define_count = cut ? 1 : 0};
    struct pml_model *model = pml_parse(source, &reading, arena, &diagnostics);
    struct text printed = {0};
    ENSURE((model == NULL) == (diagnostics.errors > 0));
    diag_print(&diagnostics, &printed);
    text_free(&printed);
    diag_free(&diagnostics);
    if (model)
        pml_model_free(model);
    source_free(source);
    arena_destroy(arena);
    return 0;
}
