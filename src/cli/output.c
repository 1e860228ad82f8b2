/* JSON strings must be UTF-8, file contents and names need not: whatever is not is replaced. */
#include "cli/output.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "cli/options.h"

void complain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("marelle: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

void print_json(json_t *object) {
    json_dumpf(object, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(object);
}

/* Bytes of the UTF-8 character that starts here, 0 if none does. */
static size_t character_length(const unsigned char *c) {
    static const struct {
        unsigned char mask, lead;
        uint32_t smallest;
    } forms[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    for (size_t length = 1; length <= 4; length++) {
        if ((c[0] & forms[length - 1].mask) != forms[length - 1].lead)
            continue;
        uint32_t code = c[0] & (unsigned char)~forms[length - 1].mask;
        for (size_t i = 1; i < length; i++) {
            if ((c[i] & 0xc0) != 0x80)
                return 0;
            code = code << 6 | (c[i] & 0x3f);
        }
        bool surrogate = code >= 0xd800 && code < 0xe000;
        return code < forms[length - 1].smallest || code > 0x10ffff || surrogate ? 0 : length;
    }
    return 0;
}

json_t *json_text(const char *text) {
    json_t *string = json_string(text);
    if (string)
        return string;
    Text clean = {0};
    for (const char *c = text; *c;) {
        size_t length = character_length((const unsigned char *)c);
        if (length)
            text_add_bytes(&clean, c, length);
        else
            text_add(&clean, "\xef\xbf\xbd");
        c += length ? length : 1;
    }
    string = json_string(text_string(&clean));
    vector_free(&clean);
    return string;
}

static json_t *json_diagnostic(const Diagnostic *d) {
    json_t *object = json_object();
    json_object_set_new(object, "line", json_integer(d->line));
    json_object_set_new(object, "col", json_integer(d->column));
    json_object_set_new(object, "severity", json_text(severity_name(d->severity)));
    json_object_set_new(object, "code", json_text(d->code));
    json_object_set_new(object, "message", json_text(d->message));
    json_object_set_new(object, "hint", d->hint ? json_text(d->hint) : json_null());
    return object;
}

json_t *json_diagnostics(const Report *report) {
    json_t *array = json_array();
    for (size_t i = 0; i < report->items.count; i++)
        json_array_append_new(array, json_diagnostic(&report->items.items[i]));
    return array;
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
    /* The failure may lie long back: once more, for the reason. */
    clearerr(stdout);
    putchar('\n');
    int reason = fflush(stdout) != 0 ? errno : EIO;
    complain("cannot write standard output: %s", strerror(reason));
    return STATUS_EXHAUSTED;
}
