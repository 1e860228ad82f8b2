/* A GPU as a LeafDevice, which plays random matches from the leaves of searches. Threads and
 * searches may share it; the kernel of a game is compiled once. */
#pragma once

#include "game/leafdevice.h"
#include "gpu/device.h"

/* The GPU must outlive all players opened on it. */
LeafDevice gpu_leaf_device(Gpu *gpu);
