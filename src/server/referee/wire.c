/* Writes and reads packets. Fields follow each other in a fixed order. A packet that is too short
 * or too long is damaged. */
#include "server/referee/wire.h"

static void write_texts(Text *packet, const char *const *texts, size_t count) {
    for (size_t i = 0; i < count; i++)
        packet_put_text(packet, texts[i]);
}

static void write_errors(Text *packet, const MatchRecord *r) {
    packet_put_number(packet, r->faults.count);
    for (size_t i = 0; i < r->faults.count; i++) {
        const MatchFault *e = &r->faults.items[i];
        packet_put_number(packet, e->turn);
        packet_put_number(packet, e->role);
        packet_put_number(packet, e->kind);
        packet_put_text(packet, e->message);
    }
}

void wire_write_record(const MatchRecord *r, Text *packet) {
    write_texts(packet, (const char *const[]){r->id, r->game, r->rules}, 3);
    packet_put_real(packet, r->startclock);
    packet_put_real(packet, r->playclock);
    packet_put_number(packet, r->seed);
    packet_put_number(packet, r->is_completed);
    packet_put_number(packet, r->role_count);
    write_texts(packet, r->roles, r->role_count);
    write_texts(packet, r->players, r->role_count);
    write_texts(packet, r->method_choices, r->role_count);
    for (uint32_t i = 0; i < r->role_count; i++)
        packet_put_number(packet, (uint64_t)(int64_t)r->goals[i]);
    packet_put_number(packet, r->moves.count);
    for (size_t i = 0; i < r->moves.count; i++)
        write_texts(packet, r->moves.items[i], r->role_count);
    packet_put_number(packet, r->percepts.count);
    for (size_t i = 0; i < r->percepts.count; i++)
        write_texts(packet, r->percepts.items[i], r->role_count);
    packet_put_number(packet, r->states.count);
    write_texts(packet, r->states.items, r->states.count);
    packet_put_vector(packet, &r->times);
    packet_put_vector(packet, &r->seconds);
    write_errors(packet, r);
}

enum { TEXT_BYTES = sizeof(uint64_t) }; /* fewest bytes of a text: its length */

static const char **read_texts(PacketReader *in, Arena *arena, size_t count) {
    const char **texts = arena_alloc(arena, (count + 1) * sizeof *texts);
    for (size_t i = 0; i < count; i++)
        texts[i] = packet_get_text(in, arena);
    return texts;
}

static void read_errors(PacketReader *in, MatchRecord *r) {
    for (size_t left = packet_get_count(in, 4 * TEXT_BYTES); left; left--) {
        MatchFault e = {.turn = (uint32_t)packet_get_number(in),
                        .role = (uint32_t)packet_get_number(in),
                        .kind = (MatchFaultKind)packet_get_number(in)};
        e.message = packet_get_text(in, &r->arena);
        vector_push(&r->faults, e);
    }
}

static void read_turns(PacketReader *in, MatchRecord *r) {
    size_t bytes = ((size_t)r->role_count + 1) * TEXT_BYTES;
    for (size_t left = packet_get_count(in, bytes); left; left--)
        vector_push(&r->moves, read_texts(in, &r->arena, r->role_count));
    for (size_t left = packet_get_count(in, bytes); left; left--)
        vector_push(&r->percepts, read_texts(in, &r->arena, r->role_count));
    for (size_t left = packet_get_count(in, TEXT_BYTES); left; left--)
        vector_push(&r->states, packet_get_text(in, &r->arena));
    packet_get_vector(in, &r->times);
    packet_get_vector(in, &r->seconds);
}

MatchRecord *wire_read_record(const Text *packet) {
    PacketReader in = packet_reader(packet);
    MatchRecord *r = memory_zalloc(sizeof *r);
    r->id = packet_get_text(&in, &r->arena);
    r->game = packet_get_text(&in, &r->arena);
    r->rules = packet_get_text(&in, &r->arena);
    r->startclock = packet_get_real(&in);
    r->playclock = packet_get_real(&in);
    r->seed = packet_get_number(&in);
    r->is_completed = packet_get_number(&in) != 0;
    r->role_count = (uint32_t)packet_get_count(&in, 4 * TEXT_BYTES);
    r->roles = read_texts(&in, &r->arena, r->role_count);
    r->players = read_texts(&in, &r->arena, r->role_count);
    r->method_choices = read_texts(&in, &r->arena, r->role_count);
    r->goals = arena_alloc(&r->arena, (r->role_count + 1) * sizeof *r->goals);
    for (uint32_t i = 0; i < r->role_count; i++)
        r->goals[i] = (int)(int64_t)packet_get_number(&in);
    read_turns(&in, r);
    read_errors(&in, r);
    if (!in.is_short && in.at == in.count)
        return r;
    match_free(r);
    return NULL;
}
