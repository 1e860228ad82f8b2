/* Tests packets: values are read as they were written, and a packet that is too short is an
 * error. */
#include "base/packet.h"

#include <criterion/criterion.h>

Test(packet, gives_back_what_was_put) {
    Text packet = {0};
    Arena arena = {0};
    packet_put_number(&packet, UINT64_MAX - 1);
    packet_put_real(&packet, -0.25);
    packet_put_text(&packet, "");
    packet_put_text(&packet, NULL);
    packet_put_text(&packet, "two\nlines");
    packet_put_number(&packet, 2);
    packet_put(&packet, "abcdef", 6);
    PacketReader in = packet_reader(&packet);
    cr_expect_eq(packet_get_number(&in), UINT64_MAX - 1);
    cr_expect_eq(packet_get_real(&in), -0.25);
    cr_expect_str_eq(packet_get_text(&in, &arena), "");
    cr_expect_null(packet_get_text(&in, &arena));
    cr_expect_str_eq(packet_get_text(&in, &arena), "two\nlines");
    cr_expect_eq(packet_get_count(&in, 3), 2);
    char bytes[6];
    packet_get(&in, bytes, sizeof bytes);
    cr_expect_arr_eq(bytes, "abcdef", 6);
    cr_expect(!in.is_short && in.at == in.count);
    vector_free(&packet);
    arena_free(&arena);
}

Test(packet, tells_when_it_is_short) {
    Text packet = {0};
    Arena arena = {0};
    packet_put_text(&packet, "a text");
    for (packet.count = 0; packet.count < 14; packet.count++) {
        PacketReader in = packet_reader(&packet);
        packet_get_text(&in, &arena);
        cr_expect(in.is_short, "%zu", packet.count);
    }
    text_clear(&packet);
    packet_put_number(&packet, 1000);
    PacketReader in = packet_reader(&packet);
    cr_expect_eq(packet_get_count(&in, 1), 0);
    cr_expect(in.is_short);
    cr_expect_eq(packet_get_number(&in), 0);
    vector_free(&packet);
    arena_free(&arena);
}
