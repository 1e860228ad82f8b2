/* Tests the evidence about causes that random play gives in games where several roles act at
 * once. */
#include "analysis/decompose/by_evidence/evidence.h"

#include "game/play.h"

TestSuite(evidence, .timeout = 600);

/* A mark stays if the other player did not choose the same place. */
static const char marks[] =
    "(role setter) (role keeper) (place 1) (place 2) (place 3) (place 4) (init (step 1))"
    "(succ 1 2) (succ 2 3) (<= (legal ?r (take ?p)) (role ?r) (place ?p))"
    "(<= (next (mark ?p)) (does setter (take ?p)) (not (does keeper (take ?p))))"
    "(<= (next (step ?t)) (true (step ?s)) (succ ?s ?t)) (<= terminal (true (step 3)))"
    "(<= (goal setter 100) (true (mark 1))) (<= (goal setter 0) (not (true (mark 1))))"
    "(<= (goal keeper 0) (true (mark 1))) (<= (goal keeper 100) (not (true (mark 1))))";

/* If several roles act at once, only roles whose move would prevent an effect cause it. */
Test(evidence, who_bars_an_effect_is_a_cause_and_who_lets_it_be_is_none) {
    Game *game = game_of_text(marks, NULL);
    GameWork *work = game_work_create(game, REASONER_SCALAR);
    Observer *observer = observer_create(game, 1);
    Evidence *evidence = evidence_create(game, 1);
    evidence_collect(evidence, observer, NULL, 4000, 0, deadline_never());
    ActionEffects effects = {0};
    evidence_list_effects(evidence, &effects);
    uint32_t mark = game_find_fluent(work, "(mark 2)", 8);
    uint32_t take[2] = {game_find_move(work, 0, "(take 2)", 8),
                        game->circuit->first_move[1] + game_find_move(work, 1, "(take 2)", 8)};
    size_t found = 0;
    for (size_t i = 0; i < effects.count; i++) {
        const ActionEffect *e = &effects.items[i];
        if (e->effect != effect_of(mark, true))
            continue;
        cr_expect(e->move == take[0] || e->move == take[1]);
        found++;
    }
    cr_expect_eq(found, 2);
    vector_free(&effects);
    evidence_free(evidence);
    observer_free(observer);
    game_work_free(work);
    game_free(game);
}
