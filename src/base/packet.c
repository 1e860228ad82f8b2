/* A number has eight bytes in the byte order of the machine. A text is its length and its bytes. */
#include "base/packet.h"

#include <assert.h>
#include <string.h>

#define NO_TEXT UINT64_MAX

void packet_put(Text *packet, const void *bytes, size_t count) {
    text_add_bytes(packet, bytes, count);
}

void packet_put_number(Text *packet, uint64_t number) {
    packet_put(packet, &number, sizeof number);
}

void packet_put_real(Text *packet, double real) {
    packet_put(packet, &real, sizeof real);
}

void packet_put_text(Text *packet, const char *text) {
    packet_put_number(packet, text ? strlen(text) : NO_TEXT);
    if (text)
        packet_put(packet, text, strlen(text));
}

PacketReader packet_reader(const Text *packet) {
    return (PacketReader){.bytes = packet->items, .count = packet->count};
}

static size_t left(const PacketReader *reader) {
    return reader->count - reader->at;
}

void packet_get(PacketReader *reader, void *bytes, size_t count) {
    if (left(reader) < count) {
        memset(bytes, 0, count);
        reader->at = reader->count;
        reader->is_short = true;
    } else if (count) {
        memcpy(bytes, reader->bytes + reader->at, count);
        reader->at += count;
    }
}

uint64_t packet_get_number(PacketReader *reader) {
    uint64_t number;
    packet_get(reader, &number, sizeof number);
    return number;
}

double packet_get_real(PacketReader *reader) {
    double real;
    packet_get(reader, &real, sizeof real);
    return real;
}

size_t packet_get_count(PacketReader *reader, size_t item_bytes) {
    assert(item_bytes > 0);
    uint64_t count = packet_get_number(reader);
    if (count > left(reader) / item_bytes) {
        reader->is_short = true;
        return 0;
    }
    return (size_t)count;
}

const char *packet_get_text(PacketReader *reader, Arena *arena) {
    uint64_t length = packet_get_number(reader);
    if (length == NO_TEXT)
        return NULL;
    if (length > left(reader)) {
        reader->is_short = true;
        length = 0;
    }
    const char *text = arena_copy(arena, reader->bytes + reader->at, (size_t)length);
    reader->at += (size_t)length;
    return text;
}
