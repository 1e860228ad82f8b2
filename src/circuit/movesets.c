/* A set is a bitset over the moves of its role. The union or intersection of sets is cheap; the
 * cost is the signal for the result. It is built from the joined signals, from the members, or from
 * the moves left out, whichever takes the fewest gates. */
#include "circuit/movesets.h"

#include <assert.h>
#include <string.h>

#include "base/bitset.h"

enum { MAX_MOVES = 4096 };            /* most moves of a role that has sets (untuned) */
#define MAX_BYTES ((size_t)256 << 20) /* memory for all sets together (untuned) */
#define SET_NONE UINT32_MAX

typedef struct {
    uint32_t role;
    uint32_t first_word; /* into MoveSets.words */
    Signal signal;
} MoveSet;

typedef struct {
    uint32_t moves, words;
    uint64_t *joined;  /* scratch: the union or intersection so far */
    U32Vector signals; /* scratch: the signals that were joined */
} RoleMoves;

struct MoveSets {
    Circuit *circuit;
    RoleMoves *roles;
    VECTOR(MoveSet) items;
    VECTOR(uint64_t) words;
    Table table;       /* by role and contents */
    U32Vector of_node; /* by node: the set for which it is true, or SET_NONE */
};

static uint64_t hash_set(uint32_t role, const uint64_t *words, uint32_t count) {
    return hash_finish(hash_mix(hash_bytes(words, count * sizeof *words), role));
}

static const uint64_t *words_of(const MoveSets *m, uint32_t set) {
    return m->words.items + m->items.items[set].first_word;
}

static uint32_t find_set(const MoveSets *m, uint32_t role, const uint64_t *words, uint64_t hash) {
    uint32_t id;
    for (TableProbe p = table_probe(&m->table, hash); table_next(&m->table, &p, &id);)
        if (m->items.items[id].role == role &&
            bitset_equal(words_of(m, id), words, m->roles[role].words))
            return id;
    return SET_NONE;
}

/* Records that the signal is true exactly for these moves. */
static void remember(MoveSets *m, uint32_t role, const uint64_t *words, Signal signal) {
    assert(role < m->circuit->role_count);
    uint32_t count = m->roles[role].words;
    if (signal_node(signal) == 0 || m->words.count * sizeof *m->words.items > MAX_BYTES)
        return;
    while (m->of_node.count <= signal_node(signal))
        vector_push(&m->of_node, SET_NONE);
    if (m->of_node.items[signal_node(signal)] != SET_NONE)
        return;
    MoveSet set = {role, (uint32_t)m->words.count, signal};
    uint64_t *copy = vector_extend(&m->words, count);
    memcpy(copy, words, count * sizeof *copy);
    vector_push(&m->items, set);
    m->of_node.items[signal_node(signal)] = (uint32_t)m->items.count - 1;
    table_insert(&m->table, hash_set(role, words, count), (uint32_t)m->items.count - 1);
}

static void complement(const RoleMoves *r, uint64_t *words) {
    for (uint32_t w = 0; w < r->words; w++)
        words[w] = ~words[w];
    if (r->moves % 64)
        words[r->words - 1] &= UINT64_MAX >> (64 - r->moves % 64);
}

MoveSets *movesets_create(Circuit *circuit) {
    MoveSets *m = memory_zalloc(sizeof *m);
    m->circuit = circuit;
    m->roles = memory_zalloc((circuit->role_count + 1) * sizeof *m->roles);
    for (uint32_t role = 0; role < circuit->role_count; role++) {
        RoleMoves *r = &m->roles[role];
        r->moves = circuit->first_move[role + 1] - circuit->first_move[role];
        r->words = (uint32_t)bitset_words(r->moves);
        if (r->moves > MAX_MOVES || r->moves == 0)
            continue;
        r->joined = memory_zalloc(r->words * sizeof *r->joined);
        for (uint32_t i = 0; i < r->moves; i++) {
            bitset_set(r->joined, i);
            remember(m, role, r->joined, circuit->moves[circuit->first_move[role] + i]);
            bitset_clear(r->joined, i);
        }
    }
    return m;
}

void movesets_free(MoveSets *m) {
    for (uint32_t role = 0; role < m->circuit->role_count; role++) {
        free(m->roles[role].joined);
        vector_free(&m->roles[role].signals);
    }
    vectors_free(&m->items, &m->words, &m->of_node);
    table_free(&m->table);
    memory_free(m->roles, m);
}

static uint32_t set_of(const MoveSets *m, Signal signal) {
    uint32_t node = signal_node(signal);
    return node < m->of_node.count ? m->of_node.items[node] : SET_NONE;
}

/* True if the signal is a set, or a gate of the same kind (AND, OR) over such signals, such as a
 * disjunction that has moves of several roles. */
static bool is_joinable(const MoveSets *m, Signal signal, bool intersect, unsigned depth) {
    enum { MAX_DEPTH = 6 }; /* levels of gates below the signal (untuned) */
    if (set_of(m, signal) != SET_NONE)
        return true;
    const AigNode *n = &m->circuit->aig.nodes.items[signal_node(signal)];
    bool same_kind = n->a != SIGNAL_NONE && signal_is_complemented(signal) != intersect;
    if (!same_kind || depth == MAX_DEPTH)
        return false;
    Signal sign = signal & 1;
    return is_joinable(m, n->a ^ sign, intersect, depth + 1) &&
           is_joinable(m, n->b ^ sign, intersect, depth + 1);
}

/* Adds a joinable signal to the joins of its roles. */
static void join(MoveSets *m, Signal signal, bool intersect) {
    uint32_t set = set_of(m, signal);
    if (set == SET_NONE) {
        const AigNode n = m->circuit->aig.nodes.items[signal_node(signal)];
        join(m, n.a ^ (signal & 1), intersect);
        join(m, n.b ^ (signal & 1), intersect);
        return;
    }
    const MoveSet *s = &m->items.items[set];
    RoleMoves *r = &m->roles[s->role];
    bool negated = signal != s->signal; /* true for the complement of the set */
    bool first = r->signals.count == 0;
    const uint64_t *words = words_of(m, set);
    for (uint32_t w = 0; w < r->words; w++) {
        uint64_t member = negated ? ~words[w] : words[w];
        uint64_t before = first ? (intersect ? UINT64_MAX : 0) : r->joined[w];
        r->joined[w] = intersect ? before & member : before | member;
    }
    if (r->moves % 64)
        r->joined[r->words - 1] &= UINT64_MAX >> (64 - r->moves % 64);
    vector_push(&r->signals, signal);
}

static Signal or_of_members(MoveSets *m, uint32_t role, const uint64_t *words) {
    const RoleMoves *r = &m->roles[role];
    U32Vector members = {0};
    for (size_t i = bitset_next(words, r->words, 0); i < r->moves;
         i = bitset_next(words, r->words, i + 1))
        vector_push(&members, m->circuit->moves[m->circuit->first_move[role] + i]);
    Signal any = aig_or_many(&m->circuit->aig, members.items, members.count);
    vector_free(&members);
    return any;
}

/* The cheapest signal for the join of a role. */
static Signal joined_signal(MoveSets *m, uint32_t role, bool intersect) {
    assert(role < m->circuit->role_count && m->roles[role].signals.count > 0);
    RoleMoves *r = &m->roles[role];
    size_t inside = bitset_count(r->joined, r->words), outside = r->moves - inside;
    if (!inside || !outside)
        return inside ? SIGNAL_TRUE : SIGNAL_FALSE;
    uint32_t known = find_set(m, role, r->joined, hash_set(role, r->joined, r->words));
    if (known != SET_NONE)
        return m->items.items[known].signal;
    Signal signal;
    Aig *aig = &m->circuit->aig;
    if (r->signals.count <= inside && r->signals.count <= outside) {
        signal = intersect ? aig_and_many(aig, r->signals.items, r->signals.count)
                           : aig_or_many(aig, r->signals.items, r->signals.count);
    } else if (inside <= outside) {
        signal = or_of_members(m, role, r->joined);
    } else {
        complement(r, r->joined);
        signal = signal_not(or_of_members(m, role, r->joined));
        complement(r, r->joined);
    }
    remember(m, role, r->joined, signal);
    return signal;
}

size_t movesets_gather(MoveSets *m, Signal *signals, size_t count, bool intersect) {
    size_t kept = 0, taken = 0;
    for (size_t i = 0; i < count; i++) {
        if (count > 1 && is_joinable(m, signals[i], intersect, 0)) {
            join(m, signals[i], intersect);
            taken++;
        } else {
            signals[kept++] = signals[i];
        }
    }
    Signal all = intersect ? SIGNAL_TRUE : SIGNAL_FALSE;
    for (uint32_t role = 0; taken && role < m->circuit->role_count; role++) {
        if (!m->roles[role].signals.count)
            continue;
        Signal joined = joined_signal(m, role, intersect);
        vector_clear(&m->roles[role].signals);
        all = intersect ? aig_and(&m->circuit->aig, all, joined)
                        : aig_or(&m->circuit->aig, all, joined);
    }
    if (taken)
        signals[kept++] = all;
    return kept;
}
