/* Genes are sorted by innovation, so that distance and crossover merge two sorted arrays. */
#include "learn/learners/genome.h"

#include <string.h>

/* Slope of the sigmoid (Stanley and Miikkulainen 2002), a factor of the weights of networks. */
static const float SLOPE = 4.924273F;
enum {
    TRIES = 20,    /* random draws to find nodes for a structural mutation (untuned) */
    FEW_HIDDEN = 5 /* hidden nodes below which old links are split first (Stanley's program) */
};

/* ---- innovations ---- */

void innovations_init(Innovations *made, uint32_t input_count, uint32_t output_count) {
    assert(output_count > 0);
    *made = (Innovations){.input_count = input_count, .output_count = output_count};
    made->next_node = input_count + 1 + output_count;
}

void innovations_free(Innovations *made) {
    table_free(&made->table);
    vectors_free(&made->keys, &made->answers);
}

/* Returns the number that the key got before. A new key gets `*next`, which is then increased. */
static uint32_t innovation_number(Innovations *made, uint64_t key, uint32_t *next) {
    uint64_t hash = hash_finish(hash_mix(17, key));
    uint32_t id;
    for (TableProbe p = table_probe(&made->table, hash); table_next(&made->table, &p, &id);)
        if (made->keys.items[id] == key)
            return made->answers.items[id];
    table_insert(&made->table, hash, (uint32_t)made->keys.count);
    vector_push(&made->keys, key);
    vector_push(&made->answers, (*next)++);
    return vector_last(&made->answers);
}

static uint32_t link_innovation(Innovations *made, uint32_t from, uint32_t to) {
    return innovation_number(made, (uint64_t)from << 32 | to << 1, &made->next_innovation);
}

/* Returns the node of the k-th split of a link. Keys of splits are odd, keys of links even. */
static uint32_t split_node(Innovations *made, uint32_t innovation, uint32_t k) {
    return innovation_number(made, (uint64_t)innovation << 32 | k << 1 | 1, &made->next_node);
}

/* ---- genes ---- */

static float symmetric(Random *random, double span) {
    return (float)((2 * random_double(random) - 1) * span);
}

/* A link begins with its innovation, by which links are sorted. */
static LinkGene *find_link(const Genome *g, uint32_t innovation) {
    return g->links.count ? bsearch(&innovation, g->links.items, g->links.count,
                                    sizeof *g->links.items, u32_compare)
                          : NULL;
}

static void insert_link(Genome *g, LinkGene link) {
    vector_push(&g->links, link);
    for (size_t i = g->links.count - 1; i > 0 && g->links.items[i - 1].innovation > link.innovation;
         i--) {
        g->links.items[i] = g->links.items[i - 1];
        g->links.items[i - 1] = link;
    }
}

static void insert_hidden(Genome *g, uint32_t node) {
    vector_push(&g->hidden, node);
    u32_sort(g->hidden.items, g->hidden.count);
}

static void add_link(Genome *g, Innovations *made, uint32_t from, uint32_t to, float weight,
                     bool is_recurrent) {
    assert(to > made->input_count && from < made->next_node && to < made->next_node);
    insert_link(
        g, (LinkGene){link_innovation(made, from, to), from, to, weight, 0, true, is_recurrent});
}

void genome_start(Genome *g, Innovations *made, bool is_connected, uint32_t hidden,
                  Random *random) {
    uint32_t bias = made->input_count, first_output = bias + 1;
    vector_clear(&g->links);
    vector_clear(&g->hidden);
    for (uint32_t o = 0; o < made->output_count; o++)
        for (uint32_t i = is_connected ? 0 : bias; i <= bias; i++)
            add_link(g, made, i, first_output + o, symmetric(random, 1), false);
    for (uint32_t h = 0; h < hidden; h++) {
        uint32_t node = split_node(made, UINT32_MAX, h);
        insert_hidden(g, node);
        for (uint32_t i = 0; i <= bias; i++)
            add_link(g, made, i, node, symmetric(random, 1), false);
        for (uint32_t o = 0; o < made->output_count; o++)
            add_link(g, made, node, first_output + o, symmetric(random, 1), false);
    }
}

static bool is_output(const Innovations *made, uint32_t node) {
    return node > made->input_count && node <= made->input_count + made->output_count;
}

/* Hidden nodes feed later hidden nodes and outputs; links in the other direction are recurrent. */
static void toss_links(Genome *g, Innovations *made, uint32_t from, bool may_recur,
                       Random *random) {
    uint32_t first_output = made->input_count + 1;
    for (size_t t = 0; t < made->output_count + g->hidden.count; t++) {
        bool to_output = t < made->output_count;
        uint32_t to =
            to_output ? first_output + (uint32_t)t : g->hidden.items[t - made->output_count];
        bool recurs = is_output(made, from) || (!to_output && from >= to);
        if ((!recurs || may_recur) && random_next(random) & 1)
            add_link(g, made, from, to, symmetric(random, 1), recurs);
    }
}

void genome_start_at_random(Genome *g, Innovations *made, uint32_t hidden, bool may_recur,
                            Random *random) {
    uint64_t count = hidden ? 1 + random_below(random, hidden) : 0;
    vector_clear(&g->links);
    vector_clear(&g->hidden);
    for (uint32_t h = 0; h < count; h++)
        insert_hidden(g, split_node(made, UINT32_MAX, h));
    for (uint32_t i = 0; i <= made->input_count; i++)
        toss_links(g, made, i, may_recur, random);
    for (uint32_t h = 0; h < count; h++)
        toss_links(g, made, g->hidden.items[h], may_recur, random);
    for (uint32_t o = 0; o < made->output_count && may_recur; o++)
        toss_links(g, made, made->input_count + 1 + o, true, random);
}

void genome_copy(Genome *to, const Genome *from) {
    vector_clear(&to->links);
    vector_clear(&to->hidden);
    vector_append(&to->links, from->links.items, from->links.count);
    vector_append(&to->hidden, from->hidden.items, from->hidden.count);
}

void genome_free(Genome *g) {
    vectors_free(&g->links, &g->hidden);
}

/* ---- mutations ---- */

static float step_of(const GenomeOptions *o, float moved, Random *random) {
    static const float SHORTEST = -1, LONGEST = 1.5F; /* factors of a repeated step (untuned) */
    if (o->repeat > 0 && moved != 0 && random_double(random) < o->repeat)
        return moved * (SHORTEST + (LONGEST - SHORTEST) * (float)random_double(random));
    float step = symmetric(random, o->cubes_steps ? 1 : o->power);
    return o->cubes_steps ? (float)o->power * step * step * step : step;
}

static void mutate_weights(Genome *g, const GenomeOptions *o, Random *random) {
    double chance = o->touched > 0 ? o->touched / (double)g->links.count : 1;
    for (size_t i = 0; i < g->links.count; i++) {
        LinkGene *link = &g->links.items[i];
        if (chance < 1 && random_double(random) >= chance)
            continue;
        if (random_double(random) < o->replace) {
            link->weight = symmetric(random, o->power);
        } else {
            link->moved = step_of(o, link->moved, random);
            link->weight += link->moved;
        }
    }
}

/* True if a path of links that are not recurrent leads from one node to another. */
static bool reaches(const Genome *g, uint32_t from, uint32_t to) {
    U32Vector open = {0}, seen = {0};
    bool found = from == to;
    vector_push(&open, from);
    while (open.count && !found) {
        uint32_t node = vector_pop(&open);
        for (size_t i = 0; i < g->links.count && !found; i++) {
            const LinkGene *link = &g->links.items[i];
            if (link->from != node || link->is_recurrent)
                continue;
            found = link->to == to;
            if (!u32_contains(&seen, link->to)) {
                vector_push(&seen, link->to);
                vector_push(&open, link->to);
            }
        }
    }
    vectors_free(&open, &seen);
    return found;
}

/* Links lead to hidden nodes and outputs; links from outputs are recurrent. */
static void mutate_link(Genome *g, Innovations *made, const GenomeOptions *o, Random *random) {
    uint32_t fixed = made->input_count + 1;
    bool may_recur = random_double(random) < o->recurrent;
    for (int t = 0; t < TRIES; t++) {
        uint64_t source =
            random_below(random, fixed + (may_recur ? made->output_count : 0) + g->hidden.count);
        uint64_t target = random_below(random, made->output_count + g->hidden.count);
        uint64_t visible = fixed + (may_recur ? made->output_count : 0);
        uint32_t from = source < visible ? (uint32_t)source : g->hidden.items[source - visible];
        uint32_t to = target < made->output_count ? fixed + (uint32_t)target
                                                  : g->hidden.items[target - made->output_count];
        bool recurs = from > made->input_count && (is_output(made, from) || reaches(g, to, from));
        if (recurs && !may_recur)
            continue;
        LinkGene *known = find_link(g, link_innovation(made, from, to));
        if (known && known->is_enabled)
            continue;
        if (known)
            known->is_enabled = true;
        else
            add_link(g, made, from, to, symmetric(random, o->power), recurs);
        return;
    }
}

/* Adds a node that computes a random conjunction of two literals: one over the source of the link,
 * one over another source. A literal is the source or its negation. The link stays. */
static void join_sources(Genome *g, Innovations *made, LinkGene link, uint32_t node, double power,
                         Random *random) {
    uint32_t bias = made->input_count;
    uint64_t drawn = random_below(random, bias + g->hidden.count);
    uint32_t sources[2] = {link.from,
                           drawn < bias ? (uint32_t)drawn : g->hidden.items[drawn - bias]};
    bool closes_cycle = sources[1] > bias && reaches(g, link.to, sources[1]);
    int count = sources[0] != sources[1] && !closes_cycle ? 2 : 1;
    float size = (float)(power * (1 + random_double(random)) / 2), threshold = size / 2;
    for (int i = 0; i < count; i++) {
        bool is_wanted = random_next(random) & 1;
        add_link(g, made, sources[i], node, is_wanted ? size : -size, false);
        threshold -= is_wanted ? size : 0;
    }
    add_link(g, made, bias, node, threshold, false);
    add_link(g, made, node, link.to, symmetric(random, power), false);
    insert_hidden(g, node);
}

/* Replaces a link by a new node. Small genomes split old links, not one path repeatedly. */
static void mutate_node(Genome *g, Innovations *made, const GenomeOptions *o, Random *random) {
    for (int t = 0; t < TRIES && g->links.count; t++) {
        size_t choices = g->links.count;
        if (g->hidden.count < FEW_HIDDEN) {
            size_t old = (size_t)((double)choices - sqrt((double)choices));
            choices = old ? old : choices;
        }
        LinkGene *link = &g->links.items[random_below(random, choices)];
        if (!link->is_enabled || link->is_recurrent || link->from == made->input_count)
            continue;
        uint32_t node, k = 0;
        while (u32_contains(&g->hidden, node = split_node(made, link->innovation, k)))
            k++;
        LinkGene split = *link;
        if (o->join > 0 && random_double(random) < o->join) {
            join_sources(g, made, split, node, o->power, random);
            return;
        }
        link->is_enabled = false;
        insert_hidden(g, node);
        add_link(g, made, split.from, node, 1, false);
        add_link(g, made, node, split.to, split.weight, false);
        return;
    }
}

static void toggle_link(Genome *g, Random *random) {
    LinkGene *link = &g->links.items[random_below(random, g->links.count)];
    link->is_enabled = !link->is_enabled;
}

static void enable_first_off(Genome *g) {
    for (size_t i = 0; i < g->links.count; i++)
        if (!g->links.items[i].is_enabled) {
            g->links.items[i].is_enabled = true;
            return;
        }
}

/* Disables all links from one input, so that networks can lose irrelevant facts. */
static void cut_input(Genome *g, const Innovations *made, Random *random) {
    const LinkGene *link = &g->links.items[random_below(random, g->links.count)];
    uint32_t input = link->from;
    if (input >= made->input_count)
        return;
    for (size_t i = 0; i < g->links.count; i++)
        if (g->links.items[i].from == input)
            g->links.items[i].is_enabled = false;
}

void genome_mutate(Genome *g, Innovations *made, const GenomeOptions *o, Random *random) {
    double structural = random_double(random);
    if (structural < o->add_node) {
        mutate_node(g, made, o, random);
        return;
    }
    if (structural < o->add_node + o->add_link) {
        mutate_link(g, made, o, random);
        return;
    }
    if (random_double(random) < o->mutate_weights)
        mutate_weights(g, o, random);
    if (random_double(random) < o->toggle && g->links.count)
        toggle_link(g, random);
    if (random_double(random) < o->enable_again)
        enable_first_off(g);
    if (random_double(random) < o->cut_input && g->links.count)
        cut_input(g, made, random);
}

/* ---- two genomes ---- */

void genome_cross(Genome *child, const Genome *fitter, const Genome *other, const GenomeOptions *o,
                  Random *random) {
    genome_copy(child, fitter);
    bool averages = random_double(random) < o->average;
    for (size_t i = 0, k = 0; i < child->links.count; i++) {
        LinkGene *own = &child->links.items[i];
        while (k < other->links.count && other->links.items[k].innovation < own->innovation)
            k++;
        if (k == other->links.count || other->links.items[k].innovation != own->innovation)
            continue;
        const LinkGene *match = &other->links.items[k];
        if (averages) {
            own->weight = (own->weight + match->weight) / 2;
        } else if (random_next(random) & 1) {
            own->weight = match->weight;
            own->moved = match->moved;
        }
        bool is_off = !own->is_enabled || !match->is_enabled;
        own->is_enabled = !is_off || random_double(random) >= o->stays_off;
    }
}

double genome_distance(const Genome *a, const Genome *b, const GenomeOptions *o) {
    size_t i = 0, k = 0, matching = 0, disjoint = 0;
    double difference = 0;
    while (i < a->links.count && k < b->links.count) {
        const LinkGene *x = &a->links.items[i], *y = &b->links.items[k];
        if (x->innovation == y->innovation) {
            difference += (double)fabsf(x->weight - y->weight);
            matching++;
        } else {
            disjoint++;
        }
        i += x->innovation <= y->innovation;
        k += y->innovation <= x->innovation;
    }
    size_t excess = a->links.count - i + b->links.count - k;
    return o->excess * (double)excess + o->disjoint * (double)disjoint +
           (matching ? o->weight_difference * difference / (double)matching : 0);
}

uint64_t genome_fingerprint(const Genome *g) {
    uint64_t hash = 23;
    for (size_t i = 0; i < g->links.count; i++) {
        const LinkGene *link = &g->links.items[i];
        uint32_t bits;
        memcpy(&bits, &link->weight, sizeof bits);
        if (link->is_enabled)
            hash = hash_mix(hash, (uint64_t)link->innovation << 32 | bits);
    }
    return hash_finish(hash);
}

/* ---- networks ---- */

/* Puts outputs and hidden nodes, indexed in this order, into the order of evaluation. */
typedef struct {
    uint32_t fixed; /* inputs and bias */
    uint32_t count; /* outputs and hidden nodes */
    uint32_t outputs;
    const Genome *genome;
    bool *is_live;   /* by node: true if an output depends on it */
    uint32_t *place; /* by node: its number in the network; UINT32_MAX before it is ordered */
    uint32_t *waits; /* by node: number of sources that are not ordered yet */
    U32Vector order; /* live nodes in the order of evaluation */
} Expression;

static uint32_t index_of(const Expression *x, uint32_t node) {
    if (node < x->fixed + x->outputs)
        return node - x->fixed;
    const U32Vector *hidden = &x->genome->hidden;
    const uint32_t *found = bsearch(&node, hidden->items, hidden->count, sizeof node, u32_compare);
    assert(found);
    return x->outputs + (uint32_t)(found - hidden->items);
}

static void find_live(Expression *x) {
    bool has_changed = true;
    for (uint32_t o = 0; o < x->outputs; o++)
        x->is_live[o] = true;
    while (has_changed) {
        has_changed = false;
        for (size_t i = 0; i < x->genome->links.count; i++) {
            const LinkGene *link = &x->genome->links.items[i];
            if (!link->is_enabled || link->from < x->fixed)
                continue;
            bool *from = &x->is_live[index_of(x, link->from)];
            if (!*from && x->is_live[index_of(x, link->to)])
                *from = has_changed = true;
        }
    }
}

static bool is_waited_for(const Expression *x, const LinkGene *link) {
    return link->is_enabled && !link->is_recurrent && link->from >= x->fixed &&
           x->is_live[index_of(x, link->to)];
}

/* A topological sort of the live nodes. Hidden nodes are few, so plain scans suffice. */
static void order_nodes(Expression *x) {
    bool has_changed = true;
    for (size_t i = 0; i < x->genome->links.count; i++)
        if (is_waited_for(x, &x->genome->links.items[i]))
            x->waits[index_of(x, x->genome->links.items[i].to)]++;
    while (has_changed) {
        has_changed = false;
        for (uint32_t n = x->count; n-- > 0;) {
            if (!x->is_live[n] || x->place[n] != UINT32_MAX || x->waits[n])
                continue;
            x->place[n] = (uint32_t)x->order.count;
            vector_push(&x->order, n);
            has_changed = true;
            for (size_t i = 0; i < x->genome->links.count; i++) {
                const LinkGene *link = &x->genome->links.items[i];
                if (is_waited_for(x, link) && index_of(x, link->from) == n)
                    x->waits[index_of(x, link->to)]--;
            }
        }
    }
}

static void open_expression(Expression *x, const Genome *g, const Innovations *made) {
    *x = (Expression){.fixed = made->input_count + 1, .outputs = made->output_count, .genome = g};
    x->count = made->output_count + (uint32_t)g->hidden.count;
    x->is_live = memory_zalloc(x->count + 1);
    x->place = u32_none(x->count);
    x->waits = memory_zalloc((x->count + 1) * sizeof *x->waits);
    find_live(x);
    order_nodes(x);
}

static void close_expression(Expression *x) {
    memory_free(x->is_live, x->place, x->waits);
    vector_free(&x->order);
}

static void express_node(const Expression *x, uint32_t node, Network *network) {
    network_add_node(network, ACTIVATION_SIGMOID, 0);
    for (size_t i = 0; i < x->genome->links.count; i++) {
        const LinkGene *link = &x->genome->links.items[i];
        if (!link->is_enabled || index_of(x, link->to) != node)
            continue;
        if (link->from == x->fixed - 1)
            vector_last(&network->nodes).bias = link->weight * SLOPE;
        else if (link->from < x->fixed)
            network_add_edge(network, link->from, link->weight * SLOPE);
        else
            network_add_edge(network, x->fixed - 1 + x->place[index_of(x, link->from)],
                             link->weight * SLOPE);
    }
}

void genome_express(const Genome *g, const Innovations *made, Network *network) {
    Expression x;
    open_expression(&x, g, made);
    network_clear(network, made->input_count);
    for (size_t i = 0; i < x.order.count; i++)
        express_node(&x, x.order.items[i], network);
    for (uint32_t o = 0; o < x.outputs; o++)
        vector_push(&network->outputs, x.place[o]);
    close_expression(&x);
}

void genome_take_weights(Genome *g, const Innovations *made, const Network *network) {
    Expression x;
    open_expression(&x, g, made);
    assert(x.order.count == network->nodes.count);
    for (size_t place = 0; place < x.order.count; place++) {
        const NetworkNode *node = &network->nodes.items[place];
        uint32_t edge = node->first_edge;
        for (size_t i = 0; i < g->links.count; i++) {
            LinkGene *link = &g->links.items[i];
            if (!link->is_enabled || index_of(&x, link->to) != x.order.items[place])
                continue;
            bool is_bias = link->from == x.fixed - 1;
            link->weight = (is_bias ? node->bias : network->edges.items[edge++].weight) / SLOPE;
        }
    }
    close_expression(&x);
}
