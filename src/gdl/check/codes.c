/* The table of codes.h as data. */
#include "gdl/check/codes.h"

#include <assert.h>
#include <string.h>

static const CodeInfo codes[CODE_COUNT] = {
#define CODE_ROW(id, severity, name, summary) [CODE_##id] = {name, SEVERITY_##severity, summary},
    CODES(CODE_ROW)
#undef CODE_ROW
};

const CodeInfo *code_info(Code code) {
    assert(code < CODE_COUNT);
    return &codes[code];
}

const CodeInfo *code_find(const char *name) {
    for (size_t i = 0; i < CODE_COUNT; i++)
        if (strcmp(codes[i].name, name) == 0)
            return &codes[i];
    return NULL;
}
