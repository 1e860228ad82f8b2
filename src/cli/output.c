/* All results are written through these functions; finish_output checks once, at the end, that they
 * were. */
#include "cli/output.h"

#include <errno.h>
#include <string.h>

#include "cli/options.h"

bool complain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("marelle: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return false;
}

void print_json(json_t *object) {
    json_dumpf(object, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(object);
}

void print_json_about(const char *game, json_t *object) {
    json_t *whole = json_pack("{s:o}", "game", text_json(game));
    json_object_update(whole, object);
    json_decref(object);
    print_json(whole);
}

bool write_text(const char *path, const Text *text) {
    FILE *file = strcmp(path, "-") == 0 ? stdout : fopen(path, "wb");
    bool is_written = file && fwrite(text_string(text), 1, text->count, file) == text->count;
    if (file && file != stdout)
        is_written = fclose(file) == 0 && is_written;
    return is_written;
}

void print_failure(const Report *report) {
    fflush(stdout);
    if (report->items.count == 1 && !report->items.items[0].file)
        complain("%s", report->items.items[0].message);
    else
        report_print(report, stderr, SEVERITY_ERROR);
}

int finish_output(int status) {
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    /* The failed write may have happened long ago. Another write gives the reason in errno. */
    clearerr(stdout);
    putchar('\n');
    int reason = fflush(stdout) != 0 ? errno : EIO;
    complain("cannot write standard output: %s", strerror(reason));
    return STATUS_EXHAUSTED;
}
