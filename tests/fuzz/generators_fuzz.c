/* Any text must be read as permutations of a model's elements, or refused with a diagnostic; a group that is accepted
 * takes states to states, start states to start states and steps to steps. The first byte says the model (subjects.h).
 */
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "driver/generators.h"
#include "driver/inspect.h"
#include "memory_file.h"
#include "observe/audit.h"
#include "subjects.h"

enum { MOST_STATES = 20000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void audit_group(const struct layout *layout, const struct symmetry *symmetry)
{
    struct text why = {0};
    struct audit *audit = audit_open(layout, symmetry, AUDIT_REACHABLE, MOST_STATES);
    ENSURE(!audit || audit_symmetry(audit, symmetry, &why));
    audit_close(audit);
    text_free(&why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diagnostics diagnostics = {0};
    struct model_sources sources = {0};
    if (size < 1)
        return 0;
    const struct subject *subject = subject_of(data[0]);
    struct model *model =
        model_load_with(subject->model, subject->properties, NULL, NULL, NULL, 0, &diagnostics, &sources);
    ENSURE(model);
    bool is_taken = model_take_generators(model, memory_file(MEMORY_FILE_GENERATORS, data + 1, size - 1), &diagnostics);
    ENSURE(is_taken == !diagnostics.errors);
    if (is_taken) {
        struct inspection inspection = inspect_symmetry(model);
        audit_group(inspection.view->layout, inspection.view->symmetry);
        inspection_free(&inspection);
    }
    struct text printed = {0};
    diag_print(&diagnostics, &printed);
    text_free(&printed);
    diag_free(&diagnostics);
    model_destroy(model);
    model_free_sources(&sources);
    return 0;
}
