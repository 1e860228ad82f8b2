/* Groups of facts by their spelling alone: facts with the same relation and the same argument at
 * one place, such as all pieces of a colour or all cells of a row. The number of facts of a group
 * that hold is a simple feature that needs no knowledge of the game. */
#pragma once

#include "base/symbols.h"
#include "base/text.h"
#include "base/vector.h"

enum { MAX_FACT_GROUPS = 400 };

typedef struct {
    Symbol name; /* "relation place"; groups with the same name can be compared */
    Symbol word;
    U32Vector facts;
} FactGroup;

typedef struct {
    Symbols names;
    VECTOR(FactGroup) items; /* at most MAX_FACT_GROUPS */
} FactGroups;

void fact_groups_create(FactGroups *groups, const Symbols *facts);
void fact_groups_free(FactGroups *groups);
/* Writes a group for people: "(cell ? ? x ...)". */
void fact_groups_write(const FactGroups *groups, size_t group, Text *text);
