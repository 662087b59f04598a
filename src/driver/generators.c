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

const char *generators_refusal(const struct model *model, enum engine_choice choice, enum symmetry_choice symmetry,
                               const struct engine_options *options)
{
    static const char *const refused[] = {
        [ENGINE_ADAPTIVE] = "--generators is not for the adaptive engine: it finds symmetry rule by rule",
        [ENGINE_COMPLETE] = "--generators is not for the complete engine: it permutes what it has learned",
        [ENGINE_COVER] = "--generators is not for the cover engine: its threads are interchangeable",
        [ENGINE_SAT] = "--generators is not for the sat engine: it uses the symmetry of scalarsets only",
        [ENGINE_EVERY] = "--generators is not for the engine every: it uses the symmetry of scalarsets at every size",
        [ENGINE_PROBABILISTIC] = NULL};

    if (!model->generators)
        return NULL;
    if (symmetry != SYMMETRY_AUTO && symmetry != SYMMETRY_DETECTED)
        return "--generators gives the symmetry: it goes with --symmetry auto or detected only";
    if (options->checkpoint_folder)
        return "--checkpoint does not keep the generators of a file: leave one of them out";
    return refused[choice];
}
