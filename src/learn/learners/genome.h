/* Genomes of NEAT (Stanley and Miikkulainen 2002). Each link gene has the number of its innovation,
 * so that genomes of different shapes can be aligned. Nodes are numbered in the order inputs, bias,
 * outputs, hidden nodes by innovation.
 *
 * A link that would close a cycle is refused or marked as recurrent. A child has the shape of one
 * parent, so that crossover makes no cycles. */
#pragma once

#include "base/random.h"
#include "base/table.h"
#include "learn/networks/neural_network.h"

typedef struct {
    uint32_t innovation, from, to;
    float weight;
    float moved; /* last change of the weight by a mutation; 0 before the first */
    bool is_enabled, is_recurrent;
} LinkGene;

typedef struct {
    VECTOR(LinkGene) links; /* sorted by innovation */
    U32Vector hidden;       /* numbers of hidden nodes, ascending */
} Genome;

/* All innovations of a run: equal innovations get the same number in all genomes. */
typedef struct {
    uint32_t input_count, output_count;
    Table table;
    VECTOR(uint64_t) keys; /* by entry of the table: a link, or the k-th split of a link */
    U32Vector answers;     /* by entry: number of the link's innovation, or of the split's node */
    uint32_t next_innovation, next_node;
} Innovations;

void innovations_init(Innovations *made, uint32_t input_count, uint32_t output_count);
void innovations_free(Innovations *made);

typedef struct {
    /* Probabilities of the mutations of a child. */
    double mutate_weights, add_link, add_node, toggle, enable_again, cut_input;
    /* Mutation of weights: `touched` weights change on average (0: all). Each is drawn anew with
     * probability `replace`, from -power to power; else a step of at most `power` is added. With
     * `cubes_steps` most steps are short. */
    double touched, replace, power;
    bool cubes_steps;
    /* Probability that a step repeats the last step of the link, scaled by -1 to 1.5. Step sizes
     * thus adapt to the link and shrink as its weight converges. */
    double repeat;
    double join;      /* share of new nodes that join two sources instead of splitting a link */
    double recurrent; /* share of new links that may be recurrent */
    /* Crossover: probability that matching genes are averaged, and that disabled genes stay so. */
    double average, stays_off;
    /* Distance: factors of excess genes, disjoint genes and the mean difference of weights. */
    double excess, disjoint, weight_difference;
} GenomeOptions;

/* Links all inputs and the bias, or only the bias, to all outputs; adds `hidden` nodes between. */
void genome_start(Genome *genome, Innovations *made, bool is_connected, uint32_t hidden,
                  Random *random);
/* Adds 1 to `hidden` hidden nodes (none for 0). Each forward link, and each recurrent one if
 * allowed, exists with probability 1/2. */
void genome_start_at_random(Genome *genome, Innovations *made, uint32_t hidden, bool may_recur,
                            Random *random);
void genome_copy(Genome *to, const Genome *from);
void genome_free(Genome *genome);

void genome_mutate(Genome *genome, Innovations *made, const GenomeOptions *options, Random *random);
/* The child has the genes of the fitter parent; matching genes come from either parent. */
void genome_cross(Genome *child, const Genome *fitter, const Genome *other,
                  const GenomeOptions *options, Random *random);
double genome_distance(const Genome *a, const Genome *b, const GenomeOptions *options);

/* A hash that is equal for genomes with the same enabled links and weights. */
uint64_t genome_fingerprint(const Genome *genome);

/* Builds the network, without nodes that no output depends on. */
void genome_express(const Genome *genome, const Innovations *made, Network *network);
/* Copies the weights of a network expressed from this genome back into it. */
void genome_take_weights(Genome *genome, const Innovations *made, const Network *network);
