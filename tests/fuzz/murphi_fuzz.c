/* Any bytes must be read or refused: no crash, no hang, and what is read must keep the promises of the IR. */
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "ir/validate.h"
#include "lang/murphi/murphi.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct source *source = source_from_text("fuzz.m", (const char *)data, size);
    struct diagnostics diagnostics = {0};
    struct system *system = murphi_read(source, NULL, &diagnostics);
    ENSURE((system == NULL) == (diagnostics.errors > 0));
    ENSURE(!system || !ir_validate(system));
    struct text text = {0};
    diag_print(&diagnostics, &text);
    text_free(&text);
    system_destroy(system);
    diag_free(&diagnostics);
    source_free(source);
    return 0;
}
