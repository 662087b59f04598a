#include "driver/certify_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "verify/certificate.h"

void certificate_file_write(struct certificate_file *file, const void *bytes, size_t length)
{
    if (!file->stream || file->error)
        return;
    checksum_add(&file->checksum, bytes, length);
    errno = EIO;
    if (fwrite(bytes, 1, length, file->stream) != length)
        file->error = errno;
}

void certificate_file_write_numbers(struct certificate_file *file, const uint64_t *numbers, size_t count)
{
    unsigned char bytes[8];
    for (size_t i = 0; i < count; i++) {
        checksum_put_number(bytes, numbers[i]);
        certificate_file_write(file, bytes, sizeof bytes);
    }
}

void certificate_file_drop(struct certificate_file *file)
{
    if (file->stream)
        fclose(file->stream);
    if (file->temporary)
        unlink(file->temporary);
    free(file->temporary);
    file->stream = NULL;
    file->temporary = NULL;
}

/* Beside the path, without a name where the file system can do that: then nothing is left behind, whatever happens. */
void certificate_file_open(struct certificate_file *file)
{
    const char *slash = strrchr(file->path, '/');
    struct text name = {0};
    certificate_file_drop(file);
    text_append_n(&name, slash ? file->path : ".", slash ? (size_t)(slash - file->path) + 1 : 1);
    int number = open(text_chars(&name), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    if (number < 0) {
        text_clear(&name);
        text_format(&name, "%s.XXXXXX", file->path);
        number = mkstemp(name.chars);
        file->temporary = number < 0 ? NULL : memory_string(name.chars);
    }
    file->error = number < 0 ? errno : 0;
    file->stream = number < 0 ? NULL : fdopen(number, "w+");
    text_free(&name);
    file->checksum.hash = 0;
    file->checksum.filled = 0;
}

/* Gives a file without a name one, beside the path. */
static bool name_file(struct certificate_file *file)
{
    struct text from = {0}, to = {0};
    bool is_done = file->temporary != NULL;
    text_format(&from, "/proc/self/fd/%d", fileno(file->stream));
    for (unsigned try = 0; try < 1000 && !is_done; try++) {
        text_clear(&to);
        text_format(&to, "%s.%ld.%u", file->path, (long)getpid(), try);
        is_done = !linkat(AT_FDCWD, from.chars, AT_FDCWD, to.chars, AT_SYMLINK_FOLLOW);
        if (is_done)
            file->temporary = memory_string(to.chars);
        else if (errno != EEXIST)
            break;
    }
    text_free(&from);
    text_free(&to);
    return is_done;
}

/* On disk first, then under its name. */
void certificate_file_close(struct certificate_file *file, uint64_t count)
{
    unsigned char trailer[SEALED_TRAILER];
    checksum_put_number(trailer, count);
    certificate_file_write(file, trailer, 8);
    checksum_put_number(trailer + 8, checksum_end(&file->checksum));
    certificate_file_write(file, trailer + 8, 8);
    if (file->error)
        return;
    mode_t mask = umask(0);
    umask(mask);
    fchmod(fileno(file->stream), 0666 & ~mask);
    if (fflush(file->stream) || fsync(fileno(file->stream)) || !name_file(file) ||
        rename(file->temporary, file->path)) {
        file->error = errno;
        return;
    }
    free(file->temporary);
    file->temporary = NULL;
}
