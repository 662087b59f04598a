/* The module that uses MPI, found beside the program or where it is installed. */
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "ranks/transport.h"

#define LOAD_MODULE "noether-mpi.so"

/* Folders relative to that of the program. */
static const char *const load_folders[] = {"", "../lib/noether/"};

/* The path of the running program up to its last '/'. */
static bool load_find_program(struct text *out)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        return false;
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    if (!slash)
        return false;
    text_append_n(out, path, (size_t)(slash + 1 - path));
    return true;
}

/* NULL, and *why says why, if the module is there. */
static void *load_from(const char *program, const char *folder, struct text *why)
{
    struct text path = {0};
    text_format(&path, "%s%s" LOAD_MODULE, program, folder);
    void *module = NULL;
    if (!access(path.chars, F_OK)) {
        module = dlopen(path.chars, RTLD_NOW | RTLD_GLOBAL); /* the parts of MPI find one another by their symbols */
        if (!module)
            text_append(why, dlerror());
    }
    text_free(&path);
    return module;
}

const struct transport *transport_open(struct text *why)
{
    struct text program = {0};
    void *module = NULL;
    if (load_find_program(&program))
        for (size_t i = 0; !module && !why->length && i < sizeof load_folders / sizeof *load_folders; i++)
            module = load_from(program.chars, load_folders[i], why);
    text_free(&program);
    if (!module && !why->length)
        text_append(why,
                    "this program was built without MPI: install libopenmpi-dev and openmpi-bin and build it again");
    if (!module)
        return NULL;
    void *symbol = dlsym(module, TRANSPORT_SYMBOL);
    transport_function *open = NULL;
    memcpy(&open, &symbol, sizeof open); /* a pointer to data becomes one to a function */
    const struct transport *transport = open ? open(TRANSPORT_VERSION) : NULL;
    if (!transport)
        text_append(why, LOAD_MODULE " is of another build, or MPI cannot be started");
    return transport;
}
