/* A program that uses the library: MODEL VERDICT. Once while memory is refused (refuse.c), and once more with memory,
 * which must be right. Exit status 0: both as promised in noether.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "noether.h"

void refuse_end(void) __attribute__((weak));

static int complain(const char *what)
{
    fprintf(stderr, "host: %s\n", what);
    return 1;
}

static int use(const char *path, noether_verdict right, int has_memory)
{
    char *error = NULL;
    noether_options options;
    noether_default_options(&options);
    options.keep_going = 1;
    options.threads = 2;
    noether_model *model = noether_load(path, NULL, &error);
    if (!model) {
        int is_memory = !has_memory && error && strstr(error, "memory");
        noether_free_text(error);
        return is_memory ? 0 : complain("the model is not loaded");
    }
    noether_result *result = noether_check_with(model, &options, &error);
    int wrong = 0;
    if (!result)
        wrong = has_memory || !error || !strstr(error, "memory");
    else if (noether_verdict_of(result) != right)
        wrong = has_memory || noether_verdict_of(result) != NOETHER_UNKNOWN ||
                noether_stop_of(result) != NOETHER_STOP_MEMORY;
    if (result)
        noether_free_text(noether_json(result));
    noether_free_text(error);
    noether_free_result(result);
    noether_free_model(model);
    return wrong ? complain(has_memory ? "wrong with memory" : "wrong without memory") : 0;
}

int main(int count, char **words)
{
    if (count < 3)
        return 2;
    noether_verdict right = (noether_verdict)atoi(words[2]);
    int wrong = use(words[1], right, 0);
    if (refuse_end)
        refuse_end();
    return wrong | use(words[1], right, 1);
}
