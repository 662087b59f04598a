/* seal FILE WORDS: completes a certificate that has no end yet: how many states of so many words there are, and the
 * checksum. So tests can plant faults that only the check itself finds. seal FILE: prints the hash that stands for a
 * text. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/checksum.h"
#include "base/source.h"
#include "verify/certificate.h"

static int print_hash(const char *path)
{
    const char *reason;
    struct source *source = source_read(path, &reason);
    if (!source)
        return 2;
    printf("%016" PRIx64 "\n", source_hash(source));
    source_free(source);
    return 0;
}

int main(int count, char **words)
{
    static struct checksum checksum;
    unsigned char byte, trailer[SEALED_TRAILER];
    uint64_t length = 0, head = 0;
    if (count == 2)
        return print_hash(words[1]);
    FILE *file = count == 3 ? fopen(words[1], "r+b") : NULL;
    if (!file)
        return 2;
    while (fread(&byte, 1, 1, file)) {
        checksum_add(&checksum, &byte, 1);
        length++;
        head = byte == '\n' && !head ? length : head;
    }
    checksum_put_number(trailer, (length - head) / (8 * strtoull(words[2], NULL, 10)));
    checksum_add(&checksum, trailer, 8);
    checksum_put_number(trailer + 8, checksum_end(&checksum));
    fseek(file, 0, SEEK_END);
    fwrite(trailer, 1, sizeof trailer, file);
    return fclose(file) != 0;
}
