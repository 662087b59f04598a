/* Inside the C API (include/noether.h): what its files share. */
#ifndef NOETHER_DRIVER_API_H
#define NOETHER_DRIVER_API_H

#include "../../include/noether.h"
#include "driver/check.h"
#include "report/report.h"

/* Objects are on the heap of the program; what is in them belongs to their accounts. */
struct noether_model {
    struct account account;
    struct model *model;
    char *path, *properties_path, *properties; /* the last two may be NULL */
    VEC(struct report_option) defines;         /* both texts on the heap */
};

/* The text for an error that there is no memory to give; noether_free_text knows it. */
extern char api_out_of_memory[];
/* A copy for the program, also if there is no memory. */
char *api_give_text(const char *text);
/* On the heap of the program, filled with zeros; or NULL. */
void *api_give_object(size_t size);
/* The characters of the text, which are the caller's from then on; "" where it has none. */
char *api_take_text(struct text *text);
/* As far as both know the structure. NULL, or what is wrong with it. */
const char *api_take_options(const noether_options *given, noether_options *options);
noether_stop api_stop(enum stop_kind kind);

#endif
