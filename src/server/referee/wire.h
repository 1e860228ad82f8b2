/* The record of a match as a packet, so that one process can play it and another one store it. */
#pragma once

#include "base/packet.h"
#include "server/referee/match.h"

void wire_write_record(const MatchRecord *record, Text *packet);
/* The record of a packet, to be freed with match_free; NULL if the packet is damaged. */
MatchRecord *wire_read_record(const Text *packet);
