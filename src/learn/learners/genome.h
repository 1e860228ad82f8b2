/* Genomes of NEAT (Stanley and Miikkulainen 2002): link genes that carry the number of the
 * innovation that made them, so that genomes of different shape can be laid side by side. Nodes are
 * numbered: inputs, the bias, outputs, then hidden ones as innovations made them.
 *
 * A link that would close a cycle is found by walking the graph, and is either refused or marked as
 * recurrent; a child has the shape of one parent, so that crossing makes no cycles. */
#pragma once

#include "base/random.h"
#include "base/table.h"
#include "learn/networks/neural_network.h"

typedef struct {
    uint32_t innovation, from, to;
    float weight, moved; /* by so much it moved last */
    bool is_enabled, is_recurrent;
} LinkGene;

typedef struct {
    VECTOR(LinkGene) links; /* by innovation */
    U32Vector hidden;       /* nodes, ascending */
} Genome;

/* What was invented in a run: the same invention has the same number, whoever makes it. */
typedef struct {
    uint32_t input_count, output_count;
    Table table;
    VECTOR(uint64_t) keys; /* what each was: a link, or the how-manieth split of a link */
    U32Vector answers;     /* its innovation, or the node */
    uint32_t next_innovation, next_node;
} Innovations;

void innovations_init(Innovations *made, uint32_t input_count, uint32_t output_count);
void innovations_free(Innovations *made);

typedef struct {
    /* Chances of a child: */
    double mutate_weights, add_link, add_node, toggle, enable_again, cut_input;
    /* Weights of such a child that change, on average; 0: all. Each is drawn anew or moved, by up
     * to the power; if `cubes`, few steps are long and many are short. */
    double touched, replace, power;
    bool cubes;
    /* Share of moves that take up the last one of the link, which selection has let through: on in
     * its direction, or back. Steps thus fit the link, and shrink as its weight comes to rest. */
    double repeat;
    double join;        /* share of new nodes that join two sources instead of splitting a link */
    double recurrent;   /* share of new links that may be recurrent */
    double most_weight; /* weights stay within it; 0: free */
    /* Of crossing: genes that match are averaged; a gene off in either parent is off. */
    double average, stays_off;
    /* Of distance: excess and disjoint genes, mean difference of weights. Genes are counted, or,
     * where both genomes have more than `small` links, divided by the larger count. */
    double excess, disjoint, weight_difference;
    uint32_t small; /* 0: never divided */
} GenomeOptions;

/* All inputs and the bias linked to all outputs, or only the bias; and so many hidden nodes that
 * every input feeds and that feed every output. */
void genome_start(Genome *genome, Innovations *made, bool is_connected, uint32_t hidden,
                  Random *random);
/* One to `hidden` hidden nodes, none if it is 0; each link forward, and each recurrent one if they
 * may be, is there or not by the toss of a coin. */
void genome_start_at_random(Genome *genome, Innovations *made, uint32_t hidden, bool may_recur,
                            Random *random);
void genome_copy(Genome *to, const Genome *from);
void genome_free(Genome *genome);

void genome_mutate(Genome *genome, Innovations *made, const GenomeOptions *options, Random *random);
/* The child has the genes of the fitter parent; those that the other has as well come from either.
 */
void genome_cross(Genome *child, const Genome *fitter, const Genome *other,
                  const GenomeOptions *options, Random *random);
double genome_distance(const Genome *a, const Genome *b, const GenomeOptions *options);

/* Equal for genomes with the same enabled links and weights. */
uint64_t genome_fingerprint(const Genome *genome);

/* The network, without nodes that no output depends on. */
void genome_express(const Genome *genome, const Innovations *made, Network *network);
/* Brings weights of the network, expressed from this genome, back into it. */
void genome_take_weights(Genome *genome, const Innovations *made, const Network *network);
