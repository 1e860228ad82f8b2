/* Tests records of matches as packets. */
#include "server/referee/wire.h"

#include "game/play.h"

TestSuite(wire, .timeout = 600);

static MatchRecord *play(const char *game_name, Game *game, const char *player) {
    Report report = {0};
    Contestant contestants[2];
    const Contestant *seats[2] = {&contestants[0], &contestants[1]};
    for (size_t i = 0; i < 2; i++)
        cr_assert(contestant_read(&contestants[i], player, &report));
    MatchSetup setup = {.game = game,
                        .game_name = game_name,
                        .contestants = seats,
                        .contestant_count = game_count_players(game),
                        .startclock = 5,
                        .playclock = 5,
                        .seed = 3};
    MatchRecord *record = match_play(&setup, &report);
    cr_assert_not_null(record);
    for (size_t i = 0; i < 2; i++)
        contestant_free(&contestants[i]);
    report_free(&report);
    return record;
}

Test(wire, a_record_survives_the_way) {
    static const char *const games[] = {"tic_tac_toe", "kuhn_poker"};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        Game *game = game_named(games[i], NULL);
        MatchRecord *record = play(games[i], game, "random");
        Text packet = {0}, again = {0};
        wire_write_record(record, &packet);
        MatchRecord *read = wire_read_record(&packet);
        cr_assert_not_null(read);
        wire_write_record(read, &again);
        cr_assert_eq(packet.count, again.count);
        cr_assert_arr_eq(packet.items, again.items, packet.count);
        cr_expect_str_eq(read->id, record->id);
        cr_expect_eq(read->moves.count, record->moves.count);
        cr_expect_eq(read->percepts.count, record->percepts.count);
        cr_expect_eq(read->goals[0], record->goals[0]);
        cr_expect(read->is_completed);
        match_free(read);
        match_free(record);
        vector_free(&packet);
        vector_free(&again);
        game_free(game);
    }
}

Test(wire, less_than_a_record_is_none) {
    Game *game = game_named("tic_tac_toe", NULL);
    MatchRecord *record = play("tic_tac_toe", game, "legal");
    Text packet = {0};
    wire_write_record(record, &packet);
    size_t whole = packet.count;
    for (packet.count = 0; packet.count < whole; packet.count++)
        cr_assert_null(wire_read_record(&packet), "%zu", packet.count);
    text_add_char(&packet, 0);
    packet.count = whole + 1;
    cr_assert_null(wire_read_record(&packet), "one byte too many");
    match_free(record);
    vector_free(&packet);
    game_free(game);
}
