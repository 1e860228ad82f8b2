/* Numbers and texts as bytes, for messages between processes of one program on equal machines, and
 * for files that only these processes read. Reading past the end gives zeros and sets
 * `is_short`. */
#pragma once

#include <stdbool.h>

#include "base/text.h"

void packet_put(Text *packet, const void *bytes, size_t count);
void packet_put_number(Text *packet, uint64_t number);
void packet_put_real(Text *packet, double real);
/* NULL is allowed and differs from the empty text. */
void packet_put_text(Text *packet, const char *text);

/* The number of items of a vector, and the items as they are in memory. */
#define packet_put_vector(packet, v)                                                               \
    (packet_put_number((packet), (v)->count),                                                      \
     packet_put((packet), (v)->items, (v)->count * sizeof *(v)->items))

typedef struct {
    const char *bytes;
    size_t count, at;
    bool is_short; /* the reader has passed the end of the packet */
} PacketReader;

PacketReader packet_reader(const Text *packet);
void packet_get(PacketReader *reader, void *bytes, size_t count);
uint64_t packet_get_number(PacketReader *reader);
double packet_get_real(PacketReader *reader);
/* Reads a text or NULL. The arena owns the text. */
const char *packet_get_text(PacketReader *reader, Arena *arena);
/* Reads the number of items that follow, each at least `item_bytes` long; bounded by the bytes
 * left. */
size_t packet_get_count(PacketReader *reader, size_t item_bytes);
/* Fills an empty vector with the items that packet_put_vector put. */
#define packet_get_vector(reader, v)                                                               \
    ((v)->count = packet_get_count((reader), sizeof *(v)->items), vector_reserve((v), (v)->count), \
     packet_get((reader), (v)->items, (v)->count * sizeof *(v)->items))
