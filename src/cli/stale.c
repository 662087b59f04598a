#include "cli/stale.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* As the user gave it, and without links; empty: no earlier answer is left. */
static char expected[PATH_MAX], earlier[PATH_MAX];

void stale_expect(const char *path)
{
    struct stat status;
    earlier[0] = '\0';
    if (!path || !strcmp(path, "-") || strlen(path) >= sizeof expected)
        return;
    strcpy(expected, path);
    if (stat(path, &status) || !S_ISREG(status.st_mode) || !realpath(path, earlier))
        earlier[0] = '\0';
}

/* Is a file also named by another word than this one? Then it is no answer, but perhaps the model. */
static bool stale_is_named(const char *path, const char *word, int count, char **words)
{
    struct stat one, other;
    bool is_named = false;
    for (int i = 1; i < count && !is_named && !stat(path, &one); i++)
        is_named =
            words[i] != word && !stat(words[i], &other) && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
    return is_named;
}

void stale_expect_in(int count, char **words)
{
    static const char option[] = "--json";
    const size_t length = sizeof option - 1;
    const char *path = NULL, *word = NULL;
    for (int i = 1; i < count && !path; i++) {
        bool is_option = !strncmp(words[i], option, length);
        word = is_option && !words[i][length] ? words[i + 1] : words[i]; /* the list ends with NULL */
        path = !is_option ? NULL : words[i][length] == '=' ? words[i] + length + 1 : words[i][length] ? NULL : word;
    }
    if (path && !stale_is_named(path, word, count, words))
        stale_expect(path);
}

void stale_note_written(const char *path)
{
    if (!strcmp(path, expected))
        earlier[0] = '\0';
}

void stale_remove(void)
{
    if (earlier[0])
        unlink(earlier);
    earlier[0] = '\0';
}
