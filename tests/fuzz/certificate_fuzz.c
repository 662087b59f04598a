/* Any bytes as a certificate, with a checksum that is right: rejected or not decided, since the model is violated. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/memory.h"
#include "base/watch.h"
#include "driver/model.h"
#include "memory_file.h"
#include "subjects.h"
#include "verify/check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const double MOST_SECONDS = 5;

/* The end of the file: how many states there are, and the checksum. */
static const char *seal(const uint8_t *data, size_t size)
{
    unsigned char *bytes = memory_alloc(size + SEALED_TRAILER);
    struct checksum *checksum = memory_zeroed(1, sizeof *checksum);
    const uint8_t *line = memchr(data, '\n', size);
    size_t head = line ? (size_t)(line - data) + 1 : size;
    memcpy(bytes, data, size);
    checksum_put_number(bytes + size, (size - head) / 8); /* states of the subject have one word */
    checksum_add(checksum, bytes, size + 8);
    checksum_put_number(bytes + size + 8, checksum_end(checksum));
    const char *path = memory_file(MEMORY_FILE_TRACE, bytes, size + SEALED_TRAILER);
    free(checksum);
    free(bytes);
    return path;
}

static void verify(struct certificate *certificate)
{
    struct diagnostics diagnostics = {0};
    struct source *source = NULL;
    struct model *model = model_load(subject_of(0)->model, NULL, NULL, 0, &diagnostics, &source);
    struct verify_options options = {.memory_bytes = 1 << 16, .folder = "/tmp"};
    struct verify_answer answer;
    struct watch watch;
    ENSURE(model && model->layout->words == 1);
    watch_begin(&watch, MOST_SECONDS, NULL);
    verify_certificate(certificate, model->layout, &options, &answer);
    watch_end(&watch);
    ENSURE(answer.outcome != VERIFY_ACCEPTED && answer.reason.length);
    text_free(&answer.reason);
    model_destroy(model);
    source_free(source);
    diag_free(&diagnostics);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text failure = {0};
    struct certificate *certificate = certificate_open(seal(data, size), &failure);
    ENSURE(!certificate == (failure.length > 0));
    if (certificate) {
        verify(certificate);
        certificate_close(certificate);
    }
    text_free(&failure);
    return 0;
}
