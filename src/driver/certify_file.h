/* The file of a certificate while it is written: it appears under its name when it is complete and on disk. */
#ifndef NOETHER_DRIVER_CERTIFY_FILE_H
#define NOETHER_DRIVER_CERTIFY_FILE_H

#include <stdio.h>

#include "base/checksum.h"

struct certificate_file {
    const char *path;
    FILE *stream;    /* NULL: it is not open */
    char *temporary; /* its name; NULL: it has none */
    int error;       /* of writing; 0: none */
    struct checksum checksum;
};

/* Begins it again, empty. */
void certificate_file_open(struct certificate_file *file);
void certificate_file_write(struct certificate_file *file, const void *bytes, size_t length);
/* Numbers have 8 bytes. */
void certificate_file_write_numbers(struct certificate_file *file, const uint64_t *numbers, size_t count);
/* Adds how many records there are and the checksum, and gives it its name. */
void certificate_file_close(struct certificate_file *file, uint64_t count);
/* What has no name yet is gone. */
void certificate_file_drop(struct certificate_file *file);

#endif
