/* Makes answers small: compression, and tags by which a browser knows that it has an answer. */
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/table.h"
#include "server/page/site_internal.h"

enum {
    WORTH_BYTES = 1400, /* what fits into one packet is sent as it is (untuned) */
    GZIP_WINDOW = 15 + 16,
    LEVEL = 6
};

/* Appends the compressed bytes; false if that fails. */
static bool compress_bytes(const void *bytes, size_t length, Text *out) {
    z_stream stream = {0};
    if (deflateInit2(&stream, LEVEL, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return false;
    size_t most = deflateBound(&stream, length);
    char *packed = memory_alloc(most);
    stream.next_in = (Bytef *)bytes;
    stream.avail_in = (uInt)length;
    stream.next_out = (Bytef *)packed;
    stream.avail_out = (uInt)most;
    bool ok = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    if (ok)
        text_add_bytes(out, packed, most - stream.avail_out);
    deflateEnd(&stream);
    free(packed);
    return ok;
}

static void add_header(HttpAnswer *answer, const char *name, const char *value) {
    for (size_t i = 0; i < HTTP_EXTRA; i++)
        if (!answer->headers[i].name) {
            answer->headers[i] = (HttpPair){name, value};
            return;
        }
}

void site_compress(const HttpRequest *request, HttpAnswer *answer) {
    const char *takes = http_find(&request->headers, "Accept-Encoding");
    const void *bytes = answer->static_body ? answer->static_body : answer->body.items;
    size_t length = answer->static_body ? answer->static_length : answer->body.count;
    Text packed = {0};
    if (!takes || !strstr(takes, "gzip") || answer->stream.next || length < WORTH_BYTES ||
        length > UINT32_MAX || !compress_bytes(bytes, length, &packed))
        return;
    vector_free(&answer->body);
    answer->body = packed;
    answer->static_body = NULL;
    add_header(answer, "Content-Encoding", "gzip");
    add_header(answer, "Vary", "Accept-Encoding");
}

void site_tag(const HttpRequest *request, HttpAnswer *answer) {
    static _Thread_local char tag[24];
    const char *known = http_find(&request->headers, "If-None-Match");
    snprintf(tag, sizeof tag, "\"%016llx\"",
             (unsigned long long)hash_bytes(answer->body.items, answer->body.count));
    add_header(answer, "ETag", tag);
    if (!known || strcmp(known, tag) != 0)
        return;
    text_clear(&answer->body);
    answer->status = 304;
}
