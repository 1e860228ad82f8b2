/* Draws a network as SVG: its inputs, hidden nodes and outputs. */
#pragma once

#include "base/text.h"
#include "learn/networks/neural_network.h"

/* Inputs without an edge are left out. `name` appends the label of an input; NULL: numbers. */
void network_draw(const Network *network, void (*name)(void *context, uint32_t input, Text *out),
                  void *context, Text *out);
