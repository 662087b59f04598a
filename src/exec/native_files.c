#include "exec/native_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/vec.h"

enum { MOST_FILES = 400, KEPT_FILES = 300, STALE_SECONDS = 86400, LARGEST_FILE = 1 << 30 };
/* Files that are being written have names that begin so. */
#define NEW_FILE "new-"

char *files_join(const char *directory, const char *name)
{
    struct text path = {0};
    text_format(&path, "%s/%s", directory, name);
    return path.chars;
}

static bool is_private(const struct stat *about)
{
    return about->st_uid == geteuid() && !(about->st_mode & (S_IWGRP | S_IWOTH));
}

static bool directory_is_safe(const char *path)
{
    struct stat about;
    return !stat(path, &about) && S_ISDIR(about.st_mode) && is_private(&about);
}

static bool make_directory(const char *path)
{
    return !mkdir(path, S_IRWXU) || errno == EEXIST;
}

char *files_cache(void)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    struct text directory = {0};
    if (base && base[0] == '/')
        text_append(&directory, base);
    else if (home && home[0] == '/')
        text_format(&directory, "%s/.cache", home);
    else
        return NULL;
    bool is_good = make_directory(directory.chars);
    text_append(&directory, "/noether");
    if (is_good && make_directory(directory.chars) && directory_is_safe(directory.chars) &&
        !access(directory.chars, R_OK | W_OK | X_OK))
        return directory.chars;
    text_free(&directory);
    return NULL;
}

char *files_work(const char *parent)
{
    const char *temporary = getenv("TMPDIR");
    if (!parent)
        parent = temporary && *temporary ? temporary : "/tmp";
    char *path = files_join(parent, parent == temporary || !strcmp(parent, "/tmp") ? "noether-XXXXXX" : "work-XXXXXX");
    if (mkdtemp(path))
        return path;
    free(path);
    return NULL;
}

void files_remove_work(const char *directory)
{
    DIR *entries = opendir(directory);
    const struct dirent *entry;
    while (entries && (entry = readdir(entries)))
        unlinkat(dirfd(entries), entry->d_name, 0);
    if (entries)
        closedir(entries);
    rmdir(directory);
}

bool files_fill(int file, const char *chars, size_t length)
{
    while (length) {
        ssize_t done = write(file, chars, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        chars += done;
        length -= (size_t)done;
    }
    return true;
}

bool files_write(const char *path, const char *chars, size_t length)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0)
        return false;
    bool is_good = files_fill(file, chars, length);
    return !close(file) && is_good;
}

static bool read_all(int file, size_t length, struct text *out)
{
    char part[1 << 14];
    for (size_t done = 0; done < length;) {
        ssize_t more = read(file, part, sizeof part);
        if (more < 0 && errno == EINTR)
            continue;
        if (more <= 0)
            return false; /* it has become shorter */
        text_append_n(out, part, (size_t)more);
        done += (size_t)more;
    }
    return true;
}

/* What was opened is asked, not what has the name by now. A pipe in its place must not make us wait. */
bool files_read(const char *path, struct text *out)
{
    struct stat about;
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return false;
    bool is_good = !fstat(file, &about) && S_ISREG(about.st_mode) && is_private(&about) && about.st_size > 0 &&
                   about.st_size <= LARGEST_FILE && read_all(file, (size_t)about.st_size, out);
    close(file);
    return is_good;
}

static void sync_directory(const char *path)
{
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0)
        return;
    fsync(directory);
    close(directory);
}

bool files_keep(const char *directory, const char *name, const char *chars, size_t length)
{
    char *made = files_join(directory, NEW_FILE "XXXXXX"), *kept = files_join(directory, name);
    int file = mkostemp(made, O_CLOEXEC);
    bool is_good = file >= 0 && files_fill(file, chars, length) && !fsync(file);
    if (file >= 0)
        is_good = !close(file) && is_good;
    is_good = is_good && !rename(made, kept);
    if (is_good)
        sync_directory(directory);
    else if (file >= 0)
        unlink(made);
    free(made);
    free(kept);
    return is_good;
}

void files_touch(const char *path)
{
    utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW);
}

struct kept_file {
    char *path;
    time_t used;
};

static int compare_kept(const void *a, const void *b)
{
    const struct kept_file *left = a, *right = b;
    return left->used != right->used ? (left->used < right->used ? -1 : 1) : strcmp(left->path, right->path);
}

/* A library goes when there are many newer ones; what somebody was still at work on, when that must be over. */
void files_prune(const char *cache)
{
    VEC(struct kept_file) files = {0};
    DIR *entries = opendir(cache);
    const struct dirent *entry;
    while (entries && (entry = readdir(entries))) {
        char *path = files_join(cache, entry->d_name);
        struct stat about;
        bool is_known = entry->d_name[0] != '.' && !lstat(path, &about);
        bool is_stale = is_known && about.st_mtime + STALE_SECONDS < time(NULL);
        if (is_stale && S_ISREG(about.st_mode) && !strncmp(entry->d_name, NEW_FILE, strlen(NEW_FILE)))
            unlink(path);
        else if (is_known && S_ISREG(about.st_mode)) {
            VEC_PUSH(&files, ((struct kept_file){path, about.st_mtime}));
            continue;
        } else if (is_stale && S_ISDIR(about.st_mode) && !strncmp(entry->d_name, "work-", 5))
            files_remove_work(path);
        free(path);
    }
    if (entries)
        closedir(entries);
    if (files.count > MOST_FILES) {
        qsort(files.items, files.count, sizeof *files.items, compare_kept);
        for (size_t i = 0; i + KEPT_FILES < files.count; i++)
            unlink(files.items[i].path);
    }
    for (size_t i = 0; i < files.count; i++)
        free(files.items[i].path);
    VEC_FREE(&files);
}
