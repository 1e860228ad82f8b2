/* Explores the states of parts for every order of moves, and sorts states that can replace each
 * other into classes. A class has a greater number than those it leads to, so one pass computes the
 * values of a part. */
#include "base/bitset.h"
#include "search/sums/sums_internal.h"

enum { MAX_LOCALS = 200000 }; /* states of all parts (untuned) */

uint32_t sums_local(Sums *s, uint32_t part, const uint64_t *words) {
    assert(part < s->parts.count);
    State state = {(uint64_t *)words, s->parts.word_count};
    uint32_t id = key_table_part(&s->local_keys, part, &state, sumparts_fluents(&s->parts, part),
                                 s->parts.word_count);
    if (id == s->locals.count)
        vector_push(&s->locals, ((SumLocal){.part = part, .class = SUMS_NONE}));
    return id;
}

/* Sets s->state to the first state at that turn, with the part's fluents as in the local. */
static void set_scene(Sums *s, uint32_t id, uint32_t turn) {
    const SumLocal *local = &s->locals.items[id];
    state_copy(&s->state, &s->base);
    sums_put(s->state.words, s->parts.phases.items[s->parts.turns.items[turn].phase].words,
             s->parts.rest, s->parts.word_count);
    sums_put(s->state.words, sums_local_words(s, id), sumparts_fluents(&s->parts, local->part),
             s->parts.word_count);
}

/* Adds the options at a turn, or some of them if time is up. The move of the other role makes no
 * difference to the part. False if a role that cannot change the part has a legal move in it. */
static bool list_options(Sums *s, uint32_t id, uint32_t turn) {
    uint32_t part = s->locals.items[id].part, driver = sumparts_driver(&s->parts, part, turn);
    const PhaseClass *t = &s->parts.turns.items[turn];
    set_scene(s, id, turn);
    for (uint32_t role = 0; role < 2; role++) {
        uint32_t first = s->game->circuit->first_move[role];
        game_legal(s->rules, &s->state, role, &s->legal);
        s->work += sums_question_cost(s) + s->legal.count;
        for (size_t i = 0; i < s->legal.count; i++) {
            if (s->parts.part_of_move[first + s->legal.items[i]] != part)
                continue;
            if (role != driver)
                return false;
            if (sums_are_out_of_time(s, sums_question_cost(s)))
                return true;
            uint32_t joint[2] = {t->possible[0].items[0], t->possible[1].items[0]};
            joint[role] = s->legal.items[i];
            game_next(s->rules, &s->state, joint, &s->next);
            uint32_t option = sums_local(s, part, s->next.words);
            vector_push(&s->locals.items[id].options, turn);
            vector_push(&s->locals.items[id].options, option);
            s->option_count += 2;
        }
    }
    return true;
}

static bool open_local(Sums *s, uint32_t id) {
    s->locals.items[id].is_open = true;
    for (uint32_t t = 0; t < s->parts.turns.count && !sums_are_out_of_time(s, 1); t++)
        if (!list_options(s, id, t))
            return false;
    return true;
}

/* ---- classes ---- */

static uint32_t view_of(Sums *s, uint32_t part, const uint64_t *words) {
    vector_clear(&s->key);
    uint32_t *key = vector_extend(&s->key, 1 + sumparts_concept_words(&s->parts, part));
    key[0] = part;
    sumparts_look(&s->parts, part, words, key + 1);
    return key_table_list(&s->view_keys, key, s->key.count);
}

/* Adds the classes of the options at a turn to the key, each once. */
static void add_options(Sums *s, const SumLocal *local, uint32_t turn) {
    size_t start = s->key.count, kept = start + 1;
    vector_push(&s->key, 0);
    for (size_t i = 0; i < local->options.count; i += 2)
        if (local->options.items[i] == turn)
            vector_push(&s->key, s->locals.items[local->options.items[i + 1]].class);
    uint32_t *options = s->key.items + start + 1;
    size_t count = s->key.count - start - 1;
    if (count > 1)
        qsort(options, count, sizeof *options, u32_compare);
    for (size_t i = 0; i < count; i++)
        if (!i || options[i] != options[i - 1])
            s->key.items[kept++] = options[i];
    s->key.count = kept;
    s->key.items[start] = (uint32_t)(kept - start - 1);
}

/* Finds the class of a local whose options all have classes. */
static void close_local(Sums *s, uint32_t id) {
    SumLocal *local = &s->locals.items[id];
    assert(local->is_open && s->parts.turns.count <= SUMPARTS_MAX_TURNS);
    uint32_t view = view_of(s, local->part, sums_local_words(s, id)), first[SUMPARTS_MAX_TURNS];
    vector_clear(&s->key);
    vector_push(&s->key, local->part);
    vector_push(&s->key, view);
    s->work += s->parts.nodes[local->part].count / SUMS_NODES_PER_UNIT +
               local->options.count * s->parts.turns.count / 2;
    for (uint32_t t = 0; t < s->parts.turns.count; t++) {
        first[t] = (uint32_t)s->key.count + 1;
        add_options(s, local, t);
    }
    local->is_open = false;
    s->option_count -= local->options.count;
    vector_free(&local->options);
    local->class = key_table_list(&s->class_keys, s->key.items, s->key.count);
    if (local->class < s->classes.count)
        return;
    uint32_t *kept = arena_alloc(&s->arena, s->parts.turns.count * sizeof *kept);
    memcpy(kept, first, s->parts.turns.count * sizeof *kept);
    vector_push(&s->classes, ((SumClass){.key = key_table_key(&s->class_keys, local->class),
                                         .first = kept,
                                         .local = id}));
}

/* Removes a local from the stack as if it had not been looked at. */
static void reopen_local(Sums *s, uint32_t id) {
    SumLocal *local = &s->locals.items[id];
    if (local->is_open) {
        s->option_count -= local->options.count;
        vector_clear(&local->options);
    }
    local->is_open = false;
}

/* Depth-first search. The sum is refuted if a state can recur or there are too many states. */
bool sums_classify(Sums *s, uint32_t id) {
    U32Vector stack = {0};
    vector_push(&stack, id);
    while (stack.count && !s->is_refuted && !sums_are_out_of_time(s, 1)) {
        uint32_t top = vector_last(&stack);
        if (s->locals.items[top].class != SUMS_NONE) {
            stack.count--;
        } else if (s->locals.items[top].is_open) {
            close_local(s, top);
            stack.count--;
        } else {
            s->is_refuted = s->locals.count >= MAX_LOCALS || !open_local(s, top);
            const U32Vector *options = &s->locals.items[top].options;
            for (size_t i = 1; i < options->count; i += 2) {
                s->is_refuted |= s->locals.items[options->items[i]].is_open;
                vector_push(&stack, options->items[i]);
            }
        }
    }
    bool is_done = !stack.count && !s->is_refuted;
    for (size_t i = 0; i < stack.count; i++)
        reopen_local(s, stack.items[i]);
    vector_free(&stack);
    return is_done;
}
