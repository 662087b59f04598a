#include "exec/native_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "base/vec.h"

enum { MOST_FILES = 400, KEPT_FILES = 300, STALE_SECONDS = 86400 };

char *files_join(const char *directory, const char *name)
{
    struct text path = {0};
    text_format(&path, "%s/%s", directory, name);
    return path.chars;
}

bool files_are_safe(const char *path, bool is_directory)
{
    struct stat about;
    if (is_directory ? stat(path, &about) : lstat(path, &about))
        return false;
    return (is_directory ? S_ISDIR(about.st_mode) : S_ISREG(about.st_mode)) && about.st_uid == geteuid() &&
           !(about.st_mode & (S_IWGRP | S_IWOTH));
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
    if (is_good && make_directory(directory.chars) && files_are_safe(directory.chars, true) &&
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

bool files_write(const char *path, const char *chars, size_t length)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0)
        return false;
    while (length) {
        ssize_t done = write(file, chars, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            break;
        chars += done;
        length -= (size_t)done;
    }
    return !close(file) && !length;
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
    return (left->used > right->used) - (left->used < right->used);
}

/* A library goes when many newer ones are there; a work directory when whoever made it must be gone. */
void files_prune(const char *cache)
{
    VEC(struct kept_file) files = {0};
    DIR *entries = opendir(cache);
    const struct dirent *entry;
    while (entries && (entry = readdir(entries))) {
        char *path = files_join(cache, entry->d_name);
        struct stat about;
        bool is_known = entry->d_name[0] != '.' && !lstat(path, &about);
        if (is_known && S_ISREG(about.st_mode)) {
            VEC_PUSH(&files, ((struct kept_file){path, about.st_mtime}));
            continue;
        }
        if (is_known && S_ISDIR(about.st_mode) && !strncmp(entry->d_name, "work-", 5) &&
            about.st_mtime + STALE_SECONDS < time(NULL))
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
