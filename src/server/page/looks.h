/* Looks inside games that somebody waits for. Each runs in a process of its own (worker.h) with
 * limits on time and memory, a few at a time; the others wait in line. A look that nobody asks for
 * any more ends. What is final is kept in the store; what a limit cut short is kept for a while,
 * and can be looked for again. */
#pragma once

#include "server/store/store.h"

typedef struct {
    const char *program; /* path of marelle */
    Store *store;
    size_t places; /* looks that run at the same time; one more may open a game */
    size_t bytes;  /* memory of each */
} LooksOptions;

typedef struct Looks Looks;

/* A game to look into. */
typedef struct {
    uint64_t hash; /* hash of the rules and the program's version */
    const char *rules;
    size_t length;
    bool is_draft; /* findings are not worth storing */
} LookedAt;

/* NULL if no thread can be started. */
Looks *looks_create(const LooksOptions *options);
/* Ends all looks. */
void looks_free(Looks *looks);

typedef enum {
    LOOK_ASK,   /* only asks how it stands */
    LOOK_BEGIN, /* begins, unless somebody looked before */
    LOOK_AGAIN  /* begins again if what is known is not final */
} LookWish;

/* Writes how it stands with a look: an object with `state` (none, waiting, running, done), `place`
 * in line, `seconds` so far, their `limit`, and the findings as `found`. A look goes on as long as
 * this is called every few seconds. False with the reason if the line is full. */
bool looks_ask(Looks *looks, const LookedAt *game, const char *look, LookWish wish, Text *json,
               Report *report);
/* Waits for the findings and writes them; they may be an object with `missing`. One that is not
 * urgent waits until nothing else runs. False when the looks end, or the line is full. */
bool looks_wait(Looks *looks, const LookedAt *game, const char *look, bool is_urgent, Text *found);
/* Wakes those who wait, so that looks_free can follow. */
void looks_stop(Looks *looks);

typedef struct {
    size_t places, busy, waiting;
} LooksLoad;

LooksLoad looks_load(Looks *looks);
