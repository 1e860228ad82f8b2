/* The record of a match as a packet, so that one process can play it and another one keep it. */
#pragma once

#include "base/packet.h"
#include "server/referee/match.h"

void wire_write_record(const MatchRecord *record, Text *packet);
/* NULL if it is none. Free it with match_free. */
MatchRecord *wire_read_record(const Text *packet);
