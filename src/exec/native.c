#include "exec/native.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/account.h"
#include "base/hash.h"
#include "base/watch.h"
#include "exec/native_compiler.h"
#include "exec/native_files.h"
#include "exec/native_library.h"
#include "exec/native_runtime.h"
#include "exec/native_text.h"

enum {
    NATIVE_COMPILER_BYTES = 64 << 20, /* what a compiler may well take: with less it is not started */
    NATIVE_LEAST_BYTES = 8 << 20      /* what it must leave of the memory limit */
};

struct native {
    const struct layout *layout;
    struct native_source source;
    atomic_int state;     /* enum native_state */
    _Atomic double left;  /* native_foresee */
    pthread_mutex_t lock; /* of what follows, while COMPILING */
    struct text key;      /* the library's name in the cache */
    char *cache;          /* directory; NULL: none */
    char *work;           /* the directory in which the compiler works */
    pid_t child;
    struct native_library library;
    const struct native_program *program;
    struct text reason;
};

static void native_fail(struct native *native, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void native_fail(struct native *native, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_vformat(&native->reason, format, arguments);
    va_end(arguments);
    atomic_store(&native->state, NATIVE_FAILED);
}

/* The text decides what the library does; compiler and options how. Two hashes: a collision would be a wrong answer. */
static bool native_make_key(struct native *native)
{
    struct text identity = {0};
    if (!compiler_identify(&identity)) {
        text_free(&identity);
        return false;
    }
    text_format(&identity, " %s %d ", NOETHER_VERSION, (int)sizeof(void *));
    uint64_t first = hash_bytes(native->source.code.chars, native->source.code.length);
    text_append_n(&identity, native->source.code.chars, native->source.code.length);
    uint64_t second = hash_bytes(identity.chars, identity.length);
    text_format(&native->key, "%016llx%016llx.so", (unsigned long long)first, (unsigned long long)second);
    text_free(&identity);
    return true;
}

/* Is it a program for this system? */
static bool native_is_ours(const struct native *native, const struct native_program *program)
{
    const struct system *system = native->layout->system;
    const char *of = library_symbol(&native->library, "noether_source");
    return program && of && !strcmp(of, native->source.name) && program->version == NATIVE_VERSION &&
           program->rule_count == system->rules.count && program->start_count == system->starts.count &&
           program->property_count == system->properties.count;
}

static bool native_load(struct native *native, const struct text *bytes)
{
    if (!library_load(&native->library, bytes))
        return false;
    native->program = library_symbol(&native->library, "noether_program");
    if (native_is_ours(native, native->program))
        return true;
    library_unload(&native->library);
    return false;
}

static void native_look_in_cache(struct native *native)
{
    struct text bytes = {0};
    char *path = native->cache ? files_join(native->cache, native->key.chars) : NULL;
    if (path && files_read(path, &bytes) && library_unseal(&bytes, native->key.chars) && native_load(native, &bytes)) {
        files_touch(path);
        atomic_store(&native->state, NATIVE_READY);
    }
    text_free(&bytes);
    free(path);
}

struct native *native_create(const struct layout *layout)
{
    struct native *native = memory_zeroed(1, sizeof *native);
    native->layout = layout;
    native->child = -1;
    pthread_mutex_init(&native->lock, NULL);
    atomic_init(&native->state, NATIVE_UNTRIED);
    if (getenv("NOETHER_NO_NATIVE")) {
        native_fail(native, "NOETHER_NO_NATIVE is set");
        return native;
    }
    native_write(&native->source, layout->system);
    if (native->source.refusal) {
        native_fail(native, "%s", native->source.refusal);
    } else if (!native_make_key(native)) {
        native_fail(native, "no C compiler was found");
    } else {
        native->cache = files_cache();
        native_look_in_cache(native);
    }
    return native;
}

/* Files of the work directory. */
static char *work_path(const struct native *native, const char *name)
{
    return files_join(native->work, name);
}

static bool native_start_compiler(struct native *native)
{
    char *source = work_path(native, "model.c"), *target = work_path(native, "model.so"),
         *log = work_path(native, "messages");
    if (files_write(source, native->source.code.chars, native->source.code.length))
        native->child = compiler_start(native->work, source, target, log);
    free(source);
    free(target);
    free(log);
    return native->child > 0;
}

static void native_leave_work(struct native *native)
{
    if (native->work)
        files_remove_work(native->work);
    free(native->work);
    native->work = NULL;
    native->child = -1;
}

/* NULL: where temporary files go. */
static bool native_start_in(struct native *native, const char *parent)
{
    native->work = files_work(parent);
    if (native->work && native_start_compiler(native))
        return true;
    native_leave_work(native);
    return false;
}

void native_begin(struct native *native)
{
    pthread_mutex_lock(&native->lock);
    if (atomic_load(&native->state) == NATIVE_UNTRIED) {
        if (account_room() < NATIVE_COMPILER_BYTES)
            native_fail(native, "the memory limit leaves no room for the C compiler");
        else if (native_start_in(native, NULL) || (native->cache && native_start_in(native, native->cache)))
            atomic_store(&native->state, NATIVE_COMPILING);
        else
            native_fail(native, "the C compiler cannot be started");
    }
    pthread_mutex_unlock(&native->lock);
}

static void native_report_messages(struct native *native)
{
    char *path = work_path(native, "messages"), line[200] = "";
    FILE *messages = fopen(path, "r");
    if (messages && fgets(line, sizeof line, messages))
        line[strcspn(line, "\n")] = 0;
    if (messages)
        fclose(messages);
    native_fail(native, "the C compiler failed%s%s", *line ? ": " : "", line);
    free(path);
}

/* Into the cache, over whatever is there under its name. Where that fails (a full disk), the next run compiles again.
 */
static void native_keep(const struct native *native, struct text *bytes)
{
    if (!native->cache)
        return;
    files_prune(native->cache);
    library_seal(bytes, native->key.chars);
    files_keep(native->cache, native->key.chars, bytes->chars, bytes->length);
}

static void native_take_library(struct native *native)
{
    struct text bytes = {0};
    char *made = work_path(native, "model.so");
    chmod(made, S_IRWXU); /* whatever the mask says: it lies in a private directory */
    if (!files_read(made, &bytes) || !native_load(native, &bytes)) {
        native_fail(native, "the compiled library cannot be loaded");
    } else {
        native_keep(native, &bytes);
        atomic_store(&native->state, NATIVE_READY);
    }
    text_free(&bytes);
    free(made);
}

static void native_check(struct native *native)
{
    bool is_good;
    if (atomic_load(&native->state) != NATIVE_COMPILING)
        return;
    if (!compiler_finished(native->child, &is_good)) {
        if (account_room() >= NATIVE_LEAST_BYTES)
            return;
        compiler_stop(native->child);
        native_fail(native, "the C compiler needs more memory than the limit leaves");
    } else if (is_good)
        native_take_library(native);
    else
        native_report_messages(native);
    native_leave_work(native);
}

enum native_state native_poll(struct native *native)
{
    if (atomic_load(&native->state) == NATIVE_COMPILING && !pthread_mutex_trylock(&native->lock)) {
        native_check(native);
        pthread_mutex_unlock(&native->lock);
    }
    return (enum native_state)atomic_load(&native->state);
}

enum native_state native_wait(struct native *native)
{
    static const struct timespec nap = {0, 2000000};
    native_begin(native);
    pthread_mutex_lock(&native->lock);
    while (native_check(native), atomic_load(&native->state) == NATIVE_COMPILING) {
        if (watch_is_up()) {
            compiler_stop(native->child);
            native_fail(native, "the time was over before the C compiler was done");
            native_leave_work(native);
        } else {
            nanosleep(&nap, NULL);
        }
    }
    pthread_mutex_unlock(&native->lock);
    return (enum native_state)atomic_load(&native->state);
}

const char *native_reason(const struct native *native)
{
    return atomic_load(&native->state) == NATIVE_FAILED ? text_chars(&native->reason) : NULL;
}

/* Measured with gcc 12 on a machine of 2022: seconds for an empty program, and that many bytes a second. */
double native_estimate(const struct native *native)
{
    return 0.02 + (double)(native->source.code.length - strlen(native_runtime_text)) / 250000.0;
}

void native_foresee(struct native *native, double left)
{
    atomic_store_explicit(&native->left, left, memory_order_relaxed);
}

double native_left(const struct native *native)
{
    return atomic_load_explicit(&native->left, memory_order_relaxed);
}

const struct layout *native_layout(const struct native *native)
{
    return native->layout;
}

struct stepper *native_stepper(const struct native *native)
{
    ENSURE(atomic_load(&native->state) == NATIVE_READY);
    return native_stepper_over(native->layout, native->program, &native->source, 0, native->program->rule_count);
}

struct stepper *native_stepper_of_rule(const struct native *native, uint32_t rule)
{
    ENSURE(atomic_load(&native->state) == NATIVE_READY);
    return native_stepper_over(native->layout, native->program, &native->source, rule, 1);
}

void native_destroy(struct native *native)
{
    if (!native)
        return;
    if (native->child > 0)
        compiler_stop(native->child);
    native_leave_work(native);
    library_unload(&native->library);
    native_source_free(&native->source);
    text_free(&native->key);
    text_free(&native->reason);
    free(native->cache);
    pthread_mutex_destroy(&native->lock);
    free(native);
}
