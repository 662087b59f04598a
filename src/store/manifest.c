#include "store/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/hash.h"
#include "store/checkpoint.h"

static const char manifest_name[] = "manifest", manifest_new[] = "manifest.new";
static const char manifest_head[] = "noether checkpoint ";
enum { MANIFEST_MOST_BYTES = 1 << 30 };

/* --- its text --- */

void manifest_print(const struct manifest *manifest, struct text *out)
{
    struct text body = {0};
    text_append(&body, "{\"program\":\"noether " NOETHER_VERSION "\",\n\"about\":");
    json_print_compact(manifest->about, &body);
    text_append(&body, ",\n\"search\":");
    json_print_compact(manifest->search, &body);
    text_append(&body, ",\n\"files\":");
    json_print_compact(manifest->files, &body);
    text_append(&body, "}\n");
    text_format(out, "%s%d %016llx\n", manifest_head, CHECKPOINT_VERSION,
                (unsigned long long)hash_bytes(body.chars, body.length));
    text_append_n(out, body.chars, body.length);
    text_free(&body);
}

static bool manifest_parse_head(const char *line, uint64_t *hash, struct text *why)
{
    size_t length = strlen(manifest_head);
    unsigned version;
    unsigned long long digits;
    int end = 0;
    if (strncmp(line, manifest_head, length) != 0) {
        text_append(why, "its manifest is not one of a checkpoint");
        return false;
    }
    if (sscanf(line + length, "%9u %16llx%n", &version, &digits, &end) != 2 || line[length + (size_t)end]) {
        text_append(why, "its manifest is damaged");
        return false;
    }
    *hash = digits;
    if (version != CHECKPOINT_VERSION)
        text_format(why, "it is of version %u of checkpoints, this program reads version %d", version,
                    CHECKPOINT_VERSION);
    return version == CHECKPOINT_VERSION;
}

static struct json *manifest_part(const struct json *document, const char *key, enum json_kind kind)
{
    const struct json *part = json_get(document, key);
    return json_kind(part) == kind ? json_keep(part) : NULL;
}

static bool manifest_take(const struct json *document, struct manifest *manifest, struct text *why)
{
    const char *program = json_read_text(json_get(document, "program"));
    if (!program || strcmp(program, "noether " NOETHER_VERSION) != 0) {
        text_format(why, "it was written by %s, this is noether " NOETHER_VERSION, program ? program : "no program");
        return false;
    }
    manifest->about = manifest_part(document, "about", JSON_KIND_OBJECT);
    manifest->search = manifest_part(document, "search", JSON_KIND_OBJECT);
    manifest->files = manifest_part(document, "files", JSON_KIND_ARRAY);
    if (manifest->about && manifest->search && manifest->files)
        return true;
    text_append(why, "its manifest lacks a part");
    return false;
}

bool manifest_parse(const char *chars, size_t length, struct manifest *manifest, struct text *why)
{
    const char *end = memchr(chars, '\n', length);
    struct text line = {0}, message = {0};
    uint64_t hash = 0;
    text_append_n(&line, chars, end ? (size_t)(end - chars) : length);
    bool is_good = manifest_parse_head(text_chars(&line), &hash, why);
    text_free(&line);
    if (!is_good)
        return false;
    const char *body = end ? end + 1 : chars + length;
    size_t size = length - (size_t)(body - chars);
    struct json *document = hash_bytes(body, size) == hash ? json_parse(body, size, &message) : NULL;
    text_free(&message);
    if (!document) {
        text_append(why, "its manifest is damaged");
        return false;
    }
    is_good = manifest_take(document, manifest, why);
    json_free(document);
    return is_good;
}

/* --- its file --- */

static const char *manifest_write_all(int file, const char *chars, size_t length)
{
    while (length) {
        ssize_t done = write(file, chars, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done < 0 ? strerror(errno) : "it cannot be written";
        chars += done;
        length -= (size_t)done;
    }
    return fsync(file) ? strerror(errno) : NULL;
}

static const char *manifest_write_new(int folder, const struct text *text)
{
    int file;
    const char *reason = folder_create_file(folder, manifest_new, &file);
    if (reason)
        return reason;
    reason = manifest_write_all(file, text->chars, text->length);
    if (close(file) && !reason)
        reason = strerror(errno);
    return reason;
}

const char *manifest_write(int folder, const struct manifest *manifest)
{
    struct text text = {0};
    manifest_print(manifest, &text);
    const char *reason = manifest_write_new(folder, &text);
    text_free(&text);
    if (!reason && renameat(folder, manifest_new, folder, manifest_name))
        reason = strerror(errno);
    if (reason)
        unlinkat(folder, manifest_new, 0);
    else if (fsync(folder))
        errno = 0; /* it has its name; some file systems cannot say when that is on the disk */
    return reason;
}

static bool manifest_read_all(int file, struct text *out)
{
    static const size_t ahead = 1 << 16;
    char buffer[1 << 16];
    ssize_t got;
    while ((got = read(file, buffer, ahead)) > 0 && out->length <= MANIFEST_MOST_BYTES)
        text_append_n(out, buffer, (size_t)got);
    return got == 0;
}

bool manifest_read(int folder, struct manifest *manifest, struct text *why)
{
    struct text text = {0};
    int file;
    const char *reason = folder_open_file(folder, manifest_name, O_RDONLY, &file);
    if (reason) {
        text_append(why, manifest_is_there(folder) ? "its manifest cannot be read: " : "there is no checkpoint in it");
        text_append(why, manifest_is_there(folder) ? reason : "");
        return false;
    }
    bool is_good = manifest_read_all(file, &text);
    if (is_good)
        is_good = manifest_parse(text_chars(&text), text.length, manifest, why);
    else
        text_append(why, "its manifest cannot be read");
    close(file);
    text_free(&text);
    if (is_good)
        unlinkat(folder, manifest_new, 0); /* of a commit that did not come to its end */
    return is_good;
}

bool manifest_is_there(int folder)
{
    struct stat status;
    return !fstatat(folder, manifest_name, &status, AT_SYMLINK_NOFOLLOW);
}

/* On the disk before anything else is removed: it must not name what is gone. */
void manifest_remove(int folder)
{
    unlinkat(folder, manifest_new, 0);
    if (!unlinkat(folder, manifest_name, 0) && fsync(folder))
        errno = 0;
}
