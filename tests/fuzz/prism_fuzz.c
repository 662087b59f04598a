/* Any bytes must be read or refused. What stands after a line "//PROPERTIES" is a properties file, and after "//ASKED"
 * what was asked for on the command line. What is read is counted, too, or refused; what is written of that must be
 * read again. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "ir/validate.h"
#include "lang/prism/prism.h"
#include "reduce/census.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Counting takes time for each local state: of large models it is left out. */
enum { MOST_TO_COUNT = 4096 };

static size_t find_separator(const char *text, size_t size, const char *separator)
{
    size_t length = strlen(separator);
    for (size_t i = 0; i + length <= size; i++)
        if (!memcmp(text + i, separator, length))
            return i;
    return size;
}

static void forget(struct diagnostics *diagnostics)
{
    struct text printed = {0};
    diag_print(diagnostics, &printed);
    text_free(&printed);
    diag_free(diagnostics);
}

static void read_again(const struct text *model, const struct text *properties)
{
    struct diagnostics diagnostics = {0};
    struct source *counted = source_from_text("counted", text_chars(model), model->length);
    struct source *asked = source_from_text("counted", text_chars(properties), properties->length);
    struct reading plain = {.properties = asked};
    struct system *system = prism_read(counted, &plain, &diagnostics);
    ENSURE(system);
    system_destroy(system);
    source_free(counted);
    source_free(asked);
    forget(&diagnostics);
}

static void count_modules(const struct system *system)
{
    struct diagnostics diagnostics = {0};
    struct text model = {0}, properties = {0};
    struct census *census = census_reduce(system, &diagnostics);
    ENSURE(census || diagnostics.errors > 0);
    ENSURE(!census || !ir_validate((struct system *)census_system(census)));
    if (census && prism_write(census_system(census), NULL, &model, &properties, &diagnostics))
        read_again(&model, &properties);
    census_destroy(census);
    text_free(&model);
    text_free(&properties);
    forget(&diagnostics);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    size_t end = find_separator(text, size, "//ASKED"), cut = find_separator(text, end, "//PROPERTIES");
    struct source *model = source_from_text("fuzz.prism", text, cut);
    struct source *properties = source_from_text("fuzz.props", text + cut, end - cut);
    struct source *asked = end < size ? source_from_text("--property", text + end, size - end) : NULL;
    struct diagnostics diagnostics = {0};
    struct define defines[] = {{"N", "3"}, {"p", "0.5"}};
    struct reading options = {.defines = defines,
                              .define_count = size % 2 ? 2 : 0,
                              .properties = properties,
                              .asked = asked,
                              .most_combined = size % 3,
                              .manner.is_lenient = size % 5 == 0};
    struct system *system = prism_read(model, &options, &diagnostics);
    ENSURE((system == NULL) == (diagnostics.errors > 0));
    ENSURE(!system || !ir_validate(system));
    if (system && size <= MOST_TO_COUNT)
        count_modules(system);
    forget(&diagnostics);
    system_destroy(system);
    source_free(asked);
    source_free(properties);
    source_free(model);
    return 0;
}
