/* One generation: genomes are expressed as networks and evaluated, sorted into species, and each
 * species gets children in proportion to the mean fitness of its members (fitness sharing). */
#include "learn/learners/neat.h"

#include <string.h>

NeatOptions neat_defaults(void) {
    return (NeatOptions){.population = 150,
                         .generations = 1000,
                         .genome = {.mutate_weights = 0.8,
                                    .add_link = 0.2,
                                    .add_node = 0.08,
                                    .join = 0.8,
                                    .toggle = 0.01,
                                    .enable_again = 0.05,
                                    .touched = 3,
                                    .cubes_steps = true,
                                    .replace = 0.1,
                                    .power = 6,
                                    .average = 0.4,
                                    .stays_off = 0.75,
                                    .excess = 1,
                                    .disjoint = 1,
                                    .weight_difference = 0.4},
                         .threshold = 3,
                         .young_age = 10,
                         .old_age = 0,
                         .young_bonus = 1,
                         .old_penalty = 1,
                         .patience = 15,
                         .population_patience = 10,
                         .least_progress = 0.001,
                         .starts_anew = true,
                         .survival = 0.2,
                         .mutate_only = 0.25,
                         .mate_only = 0.2,
                         .outside_mate = 0.001,
                         .champion_size = 5,
                         .is_connected = true,
                         .trims = true};
}

typedef struct {
    Genome genome;
    double fitness; /* fitness of the network, at least 0 */
    bool is_solved;
    uint32_t species;
} Individual;

typedef struct {
    Genome representative;
    U32Vector members; /* indices into `people`, fittest first */
    double best;       /* best fitness the species ever had */
    double asked;      /* best fitness when the champion was last tested by `passes` */
    uint32_t age, last_progress;
    double share;
    uint32_t children;
} Species;

typedef struct {
    const NeatTask *task;
    const NeatOptions *options;
    Innovations innovations;
    /* The population and the next one, options->population of each. */
    Individual *people, *children;
    VECTOR(Species) species;
    VECTOR(uint64_t) asked; /* fingerprints of the champions tested by `passes` */
    double threshold;
    Random random;
    double best;   /* best fitness since the last restart */
    double passed; /* best fitness when the population last made progress */
    uint32_t last_progress, generation;
    uint32_t started; /* number of generations before this population started */
    bool is_guided;   /* true if the guide judges this generation */
    NeatResult *result;
} Neat;

static const Individual *fittest_of(const Neat *n, const Species *s) {
    return &n->people[s->members.items[0]];
}

/* ---- trying ---- */

static void evaluate_individual(const Neat *n, Individual *person) {
    Network network = {0};
    genome_express(&person->genome, &n->innovations, &network);
    person->is_solved = false;
    person->fitness = n->is_guided
                          ? n->task->guide(n->task->context, &network)
                          : n->task->fitness(n->task->context, &network, &person->is_solved);
    if (n->task->teaches)
        genome_take_weights(&person->genome, &n->innovations, &network);
    network_free(&network);
}

static bool passes(const Neat *n, const Individual *person) {
    Network network = {0};
    genome_express(&person->genome, &n->innovations, &network);
    bool has_passed = n->task->passes(n->task->context, &network);
    network_free(&network);
    return has_passed;
}

static void try_individual(void *context, size_t index, unsigned worker) {
    (void)worker;
    Neat *n = context;
    evaluate_individual(n, &n->people[index]);
}

static void set_champion(Neat *n, const Individual *person) {
    NeatResult *r = n->result;
    genome_express(&person->genome, &n->innovations, &r->champion);
    r->fitness = person->fitness;
    r->is_solved = person->is_solved;
    r->generation = n->generation;
    r->hidden = network_hidden(&r->champion);
    r->links = (uint32_t)r->champion.edges.count;
    for (size_t i = 0; i < r->champion.nodes.count; i++)
        r->links += r->champion.nodes.items[i].bias != 0;
}

/* Adds the weight of a link to the bias of its target. */
static bool move_to_bias(Genome *g, uint32_t bias, const LinkGene *link) {
    for (size_t i = 0; i < g->links.count; i++) {
        LinkGene *other = &g->links.items[i];
        if (other->from != bias || other->to != link->to)
            continue;
        other->weight = link->weight + (other->is_enabled ? other->weight : 0);
        other->is_enabled = true;
        return true;
    }
    return false;
}

/* Evaluates `kept` without a link; removes it, and returns true, if the task stays solved. */
static bool try_without(Neat *n, Individual *kept, size_t link, bool moves_to_bias) {
    Individual tried = {0};
    uint32_t bias = n->innovations.input_count;
    genome_copy(&tried.genome, &kept->genome);
    LinkGene *gene = &tried.genome.links.items[link];
    gene->is_enabled = false;
    if (!moves_to_bias || move_to_bias(&tried.genome, bias, gene)) {
        evaluate_individual(n, &tried);
        if (n->task->passes)
            tried.is_solved = passes(n, &tried);
        n->result->trials++;
    }
    if (tried.is_solved) {
        genome_copy(&kept->genome, &tried.genome);
        set_champion(n, &tried);
    }
    genome_free(&tried.genome);
    return tried.is_solved;
}

static bool has_time(const Neat *n) {
    return !work_must_end(n->options->deadline, n->options->stopped);
}

/* Disables links, the newest first and those of the bias last, as long as the task stays solved.
 * The weight of an input that is always 1 may be moved to the bias. */
static void trim(Neat *n, const Individual *solver) {
    Individual kept = {0};
    size_t count = n->options->trims ? solver->genome.links.count : 0;
    genome_copy(&kept.genome, &solver->genome);
    for (size_t step = 0; step < 2 * count && has_time(n); step++) {
        size_t link = count - 1 - step % count;
        const LinkGene *gene = &kept.genome.links.items[link];
        bool is_of_bias = gene->from == n->innovations.input_count;
        bool is_of_input = gene->from < n->innovations.input_count;
        if (!gene->is_enabled || is_of_bias != (step >= count))
            continue;
        if (!try_without(n, &kept, link, false) && is_of_input)
            try_without(n, &kept, link, true);
    }
    genome_free(&kept.genome);
}

/* True if the task is solved. */
static bool try_all(Neat *n, Pool *pool) {
    pool_run(pool, n->options->population, try_individual, n);
    for (size_t i = 0; i < n->options->population; i++) {
        n->result->evaluations++;
        const Individual *person = &n->people[i];
        n->best = person->fitness > n->best ? person->fitness : n->best;
        if (person->fitness > n->passed * (1 + n->options->least_progress)) {
            n->passed = person->fitness;
            n->last_progress = n->generation;
        }
        bool is_fittest = n->result->generation == 0 || person->fitness > n->result->fitness;
        if (!n->is_guided && (person->is_solved || is_fittest))
            set_champion(n, person);
        if (person->is_solved) {
            trim(n, person);
            return true;
        }
    }
    return false;
}

/* ---- species ---- */

static void place_individual(Neat *n, uint32_t index) {
    Individual *person = &n->people[index];
    for (uint32_t s = 0; s < n->species.count; s++)
        if (genome_distance(&person->genome, &n->species.items[s].representative,
                            &n->options->genome) < n->threshold) {
            person->species = s;
            vector_push(&n->species.items[s].members, index);
            return;
        }
    Species new = {.last_progress = n->generation};
    genome_copy(&new.representative, &person->genome);
    vector_push(&new.members, index);
    person->species = (uint32_t)n->species.count;
    vector_push(&n->species, new);
}

static void species_free(Species *s) {
    genome_free(&s->representative);
    vector_free(&s->members);
}

static void free_species(Neat *n) {
    for (size_t s = 0; s < n->species.count; s++)
        species_free(&n->species.items[s]);
    vector_free(&n->species);
}

static void drop_empty_species(Neat *n) {
    size_t kept = 0;
    for (size_t s = 0; s < n->species.count; s++) {
        if (n->species.items[s].members.count)
            n->species.items[kept++] = n->species.items[s];
        else
            species_free(&n->species.items[s]);
    }
    n->species.count = kept;
}

static void sort_members(Neat *n, Species *s) {
    for (size_t i = 1; i < s->members.count; i++) {
        uint32_t member = s->members.items[i];
        size_t k = i;
        for (; k > 0 && n->people[s->members.items[k - 1]].fitness < n->people[member].fitness; k--)
            s->members.items[k] = s->members.items[k - 1];
        s->members.items[k] = member;
    }
}

static void move_threshold(Neat *n) {
    static const double STEP = 0.1, LOWEST = 0.3;
    uint32_t wanted = n->options->wanted_species;
    if (!wanted)
        return;
    if (n->species.count > wanted)
        n->threshold += STEP;
    else if (n->species.count < wanted && n->threshold > LOWEST + STEP)
        n->threshold -= STEP;
}

static void sort_into_species(Neat *n) {
    for (size_t s = 0; s < n->species.count; s++) {
        vector_clear(&n->species.items[s].members);
        n->species.items[s].age++;
    }
    for (uint32_t i = 0; i < n->options->population; i++)
        place_individual(n, i);
    drop_empty_species(n);
    for (size_t s = 0; s < n->species.count; s++) {
        Species *own = &n->species.items[s];
        sort_members(n, own);
        if (fittest_of(n, own)->fitness > own->best) {
            own->best = fittest_of(n, own)->fitness;
            own->last_progress = n->generation;
        }
        uint64_t chosen = random_below(&n->random, own->members.count);
        genome_copy(&own->representative, &n->people[own->members.items[chosen]].genome);
    }
    move_threshold(n);
}

static bool was_asked(const Neat *n, uint64_t fingerprint) {
    for (size_t i = 0; i < n->asked.count; i++)
        if (n->asked.items[i] == fingerprint)
            return true;
    return false;
}

/* Tests the best champion with progress; true if it solves the task. Copies of tested champions are
 * not tested again, whatever their species. */
static bool ask_champion(Neat *n) {
    Species *asked = NULL;
    uint64_t fingerprint = 0;
    for (size_t s = 0; s < n->species.count; s++) {
        Species *own = &n->species.items[s];
        const Individual *first = fittest_of(n, own);
        if (first->fitness <= own->asked || first->fitness < own->best ||
            (asked && first->fitness <= fittest_of(n, asked)->fitness))
            continue;
        uint64_t own_fingerprint = genome_fingerprint(&first->genome);
        if (was_asked(n, own_fingerprint))
            continue;
        asked = own;
        fingerprint = own_fingerprint;
    }
    if (!asked)
        return false;
    Individual *champion = &n->people[asked->members.items[0]];
    asked->asked = asked->best;
    vector_push(&n->asked, fingerprint);
    champion->is_solved = passes(n, champion);
    if (champion->is_solved) {
        set_champion(n, champion);
        trim(n, champion);
    }
    return champion->is_solved;
}

/* ---- numbers of children ---- */

/* The shared fitness of a species: the mean fitness of its members, adjusted for its age. */
static double share_of(const Neat *n, const Species *s) {
    const NeatOptions *o = n->options;
    double sum = 0;
    bool has_best = fittest_of(n, s)->fitness >= n->best;
    bool is_stuck = n->generation - s->last_progress > o->patience && !has_best;
    for (size_t i = 0; i < s->members.count; i++)
        sum += n->people[s->members.items[i]].fitness;
    sum /= (double)s->members.count;
    sum *= s->age < o->young_age ? o->young_bonus : 1;
    sum *= o->old_age && s->age > o->old_age ? o->old_penalty : 1;
    return is_stuck ? sum * 0.01 : sum;
}

static void give_rest(Neat *n, uint32_t given) {
    while (given < n->options->population) {
        size_t best = 0;
        double most = -INFINITY;
        for (size_t s = 0; s < n->species.count; s++) {
            double owed = n->species.items[s].share - n->species.items[s].children;
            if (owed > most) {
                most = owed;
                best = s;
            }
        }
        n->species.items[best].children++;
        given++;
    }
}

static bool is_out_of_patience(const Neat *n) {
    uint32_t patience = n->options->population_patience;
    return patience && n->generation - n->last_progress > patience;
}

/* Only the two best species breed. Both count as making progress now. */
static void deal_children_to_two(Neat *n) {
    Species *all = n->species.items, *first = all, *second = NULL;
    for (Species *s = all; s < all + n->species.count; s++) {
        first = fittest_of(n, s)->fitness > fittest_of(n, first)->fitness ? s : first;
        s->children = 0;
    }
    for (Species *s = all; s < all + n->species.count; s++)
        if (s != first && (!second || s->best > second->best))
            second = s;
    uint32_t half = second ? n->options->population / 2 : 0;
    first->children = n->options->population - half;
    first->last_progress = n->last_progress = n->generation;
    if (half) {
        second->children = half;
        second->last_progress = n->generation;
    }
}

static void deal_children(Neat *n) {
    const NeatOptions *o = n->options;
    double sum = 0;
    uint32_t given = 0;
    if (is_out_of_patience(n)) {
        deal_children_to_two(n);
        return;
    }
    for (size_t s = 0; s < n->species.count; s++) {
        n->species.items[s].share = share_of(n, &n->species.items[s]);
        sum += n->species.items[s].share;
    }
    for (size_t s = 0; s < n->species.count; s++) {
        Species *own = &n->species.items[s];
        own->share = sum > 0 ? own->share * o->population / sum
                             : (double)o->population / (double)n->species.count;
        own->children = (uint32_t)own->share;
        given += own->children;
    }
    give_rest(n, given);
}

/* ---- children ---- */

static const Individual *random_parent(Neat *n, const Species *s) {
    size_t breeders = (size_t)((double)s->members.count * n->options->survival + 1);
    breeders = breeders < s->members.count ? breeders : s->members.count;
    return &n->people[s->members.items[random_below(&n->random, breeders)]];
}

static void make_child(Neat *n, const Species *s, Genome *child) {
    const NeatOptions *o = n->options;
    const Individual *mother = random_parent(n, s);
    if (random_double(&n->random) < o->mutate_only) {
        genome_copy(child, &mother->genome);
        genome_mutate(child, &n->innovations, &o->genome, &n->random);
        return;
    }
    const Species *other = s;
    if (random_double(&n->random) < o->outside_mate)
        other = &n->species.items[random_below(&n->random, n->species.count)];
    const Individual *father = other == s ? random_parent(n, s) : fittest_of(n, other);
    bool mother_is_fitter = mother->fitness > father->fitness ||
                            (mother->fitness == father->fitness &&
                             mother->genome.links.count <= father->genome.links.count);
    genome_cross(child, mother_is_fitter ? &mother->genome : &father->genome,
                 mother_is_fitter ? &father->genome : &mother->genome, &o->genome, &n->random);
    if (mother == father || random_double(&n->random) >= o->mate_only)
        genome_mutate(child, &n->innovations, &o->genome, &n->random);
}

static void breed(Neat *n) {
    uint32_t born = 0;
    deal_children(n);
    for (size_t s = 0; s < n->species.count; s++) {
        const Species *own = &n->species.items[s];
        for (uint32_t c = 0; c < own->children; c++, born++) {
            bool is_champion = c == 0 && own->members.count > n->options->champion_size;
            if (is_champion)
                genome_copy(&n->children[born].genome, &fittest_of(n, own)->genome);
            else
                make_child(n, own, &n->children[born].genome);
        }
    }
    Individual *parents = n->people;
    n->people = n->children;
    n->children = parents;
}

/* ---- a run ---- */

/* Evaluates a generation; true if one of its networks solves the task. */
static bool solves(Neat *n, Pool *pool) {
    if (try_all(n, pool))
        return true;
    sort_into_species(n);
    return n->task->passes && !n->is_guided && ask_champion(n);
}

/* Resets the records of progress, because fitness and guide are not comparable. */
static void set_measure(Neat *n, bool is_guided) {
    if (is_guided == n->is_guided)
        return;
    n->is_guided = is_guided;
    for (size_t s = 0; s < n->species.count; s++) {
        n->species.items[s].best = n->species.items[s].asked = 0;
        n->species.items[s].last_progress = n->generation;
    }
    n->best = -INFINITY;
    n->passed = 0;
    n->last_progress = n->generation;
}

static void choose_measure(Neat *n) {
    const NeatOptions *o = n->options;
    set_measure(n, n->task->guide && o->generations_per_judge &&
                       (n->generation - 1) / o->generations_per_judge % 2 == 1 &&
                       o->generations - n->generation >= o->generations_per_judge);
}

static bool starts_anew(const Neat *n) {
    const NeatOptions *o = n->options;
    return (o->starts_anew && is_out_of_patience(n)) ||
           (o->renewal && n->generation - n->started >= o->renewal);
}

/* Starts with new genomes. Innovations keep their numbers; the result keeps the fittest network. */
static void start_population(Neat *n) {
    const NeatOptions *o = n->options;
    for (uint32_t i = 0; i < o->population; i++)
        if (o->starts_at_random)
            genome_start_at_random(&n->people[i].genome, &n->innovations, o->start_hidden,
                                   o->genome.recurrent > 0, &n->random);
        else
            genome_start(&n->people[i].genome, &n->innovations, o->is_connected, o->start_hidden,
                         &n->random);
    free_species(n);
    n->threshold = o->threshold;
    n->best = -INFINITY;
    n->passed = 0;
    n->last_progress = n->generation;
    n->started = n->generation - 1;
}

static void start(Neat *n) {
    const NeatOptions *o = n->options;
    innovations_init(&n->innovations, n->task->input_count, n->task->output_count);
    random_seed(&n->random, o->seed);
    n->people = memory_zalloc(o->population * sizeof *n->people);
    n->children = memory_zalloc(o->population * sizeof *n->children);
    start_population(n);
}

static void finish(Neat *n) {
    for (uint32_t i = 0; i < n->options->population; i++) {
        genome_free(&n->people[i].genome);
        genome_free(&n->children[i].genome);
    }
    free_species(n);
    vector_free(&n->asked);
    memory_free(n->people, n->children);
    innovations_free(&n->innovations);
}

void neat_run(const NeatTask *task, const NeatOptions *options, Pool *pool, NeatResult *result) {
    double started = clock_thread_cpu_seconds();
    Neat n = {.task = task, .options = options, .result = result, .generation = 1};
    *result = (NeatResult){0};
    assert(options->population > 0 && options->survival >= 0 && options->survival <= 1);
    assert(task->fitness && task->output_count > 0);
    start(&n);
    while (!solves(&n, pool) && n.generation < options->generations && has_time(&n)) {
        bool is_over = starts_anew(&n);
        if (!is_over)
            breed(&n);
        n.generation++;
        choose_measure(&n);
        if (is_over)
            start_population(&n);
    }
    if (n.is_guided) { /* time ran out; the last generation may contain the champion */
        set_measure(&n, false);
        solves(&n, pool);
    }
    result->species = (uint32_t)n.species.count;
    finish(&n);
    result->cpu_seconds = clock_thread_cpu_seconds() - started;
}
