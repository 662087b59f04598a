#include "driver/generators.h"

#include "detect/detect.h"

bool model_take_generators(struct model *model, const char *path, struct diagnostics *diagnostics)
{
    const char *reason;
    size_t errors = diagnostics->errors;
    model->generators = source_read(path, &reason);
    if (!model->generators) {
        diag_error(diagnostics, (struct span){0}, "the generators cannot be read: %s: %s", path, reason);
        return false;
    }
    struct detect_options options = {.claims = model->generators, .refused = diagnostics, .watch = watch_of_thread};
    struct detection found = detect_symmetry(model->system, &options);
    detection_free(&found);
    return diagnostics->errors == errors;
}
