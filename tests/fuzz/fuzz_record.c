/* Reads any bytes as a recorded match, JSON or a trace. Records are read by path, so the bytes go
 * through a file that exists in memory only. */
#include "server/referee/played.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int file = memfd_create("record", 0);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    Report report = {0};
    played_free(played_read(path, &report));
    report_free(&report);
    close(file);
    return 0;
}
