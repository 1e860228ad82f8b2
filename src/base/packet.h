/* Numbers and texts as bytes, for messages between processes of one program on equal machines, and
 * for files that only they read. Reading past the end gives zeros and sets `is_short`. */
#pragma once

#include <stdbool.h>

#include "base/text.h"

void packet_put(Text *packet, const void *bytes, size_t count);
void packet_put_number(Text *packet, uint64_t number);
void packet_put_real(Text *packet, double real);
/* NULL is allowed and differs from the empty text. */
void packet_put_text(Text *packet, const char *text);

typedef struct {
    const char *bytes;
    size_t count, at;
    bool is_short; /* more was read than there is */
} PacketReader;

PacketReader packet_reader(const Text *packet);
void packet_get(PacketReader *reader, void *bytes, size_t count);
uint64_t packet_get_number(PacketReader *reader);
double packet_get_real(PacketReader *reader);
/* Owned by the arena. */
const char *packet_get_text(PacketReader *reader, Arena *arena);
/* Number of items that follow, each at least `item_bytes` long. Bounded by the bytes left. */
size_t packet_get_count(PacketReader *reader, size_t item_bytes);
