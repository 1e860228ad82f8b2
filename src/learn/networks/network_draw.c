/* Places the nodes: the column of a node is the length of the longest path from an input. Red edges
 * have positive weights, blue ones negative; the width shows the absolute weight. */
#include "learn/networks/neural_network.h"

enum {
    COLUMN = 180,
    ROW = 26,
    LEFT = 220,
    TOP = 20
}; /* distances and margins in pixels (untuned) */

typedef struct {
    const Network *network;
    uint32_t count;         /* number of inputs and nodes */
    uint32_t *column, *row; /* by input or node; row UINT32_MAX: it is not drawn */
    uint32_t columns, rows; /* number of columns, and of rows in the longest one */
    float heaviest;
} Drawing;

static void find_columns(Drawing *d) {
    const Network *n = d->network;
    for (uint32_t i = 0; i < d->count; i++)
        d->row[i] = UINT32_MAX;
    for (uint32_t i = 0; i < n->nodes.count; i++) {
        const NetworkNode *node = &n->nodes.items[i];
        uint32_t own = n->input_count + i, column = 1;
        for (uint32_t e = node->first_edge; e < node->first_edge + node->edge_count; e++) {
            uint32_t from = n->edges.items[e].from;
            float weight = fabsf(n->edges.items[e].weight);
            d->row[from] = 0;
            if (from < own && d->column[from] >= column)
                column = d->column[from] + 1;
            d->heaviest = weight > d->heaviest ? weight : d->heaviest;
        }
        d->column[own] = column;
        d->row[own] = 0;
        d->columns = column + 1 > d->columns ? column + 1 : d->columns;
    }
    for (uint32_t o = 0; o < n->outputs.count; o++)
        d->column[n->input_count + n->outputs.items[o]] = d->columns - 1;
}

static void find_rows(Drawing *d) {
    for (uint32_t column = 0; column < d->columns; column++) {
        uint32_t next = 0;
        for (uint32_t i = 0; i < d->count; i++)
            if (d->column[i] == column && d->row[i] != UINT32_MAX)
                d->row[i] = next++;
        d->rows = next > d->rows ? next : d->rows;
    }
}

static uint32_t x_of(const Drawing *d, uint32_t i) {
    return LEFT + d->column[i] * COLUMN;
}

static uint32_t y_of(const Drawing *d, uint32_t i) {
    return TOP + d->row[i] * ROW;
}

static void draw_edges(const Drawing *d, uint32_t node, Text *out) {
    const Network *n = d->network;
    const NetworkNode *own = &n->nodes.items[node];
    for (uint32_t e = own->first_edge; e < own->first_edge + own->edge_count; e++) {
        NetworkEdge edge = n->edges.items[e];
        uint32_t from = edge.from, to = n->input_count + node;
        text_printf(out,
                    "<line x1=\"%u\" y1=\"%u\" x2=\"%u\" y2=\"%u\" stroke=\"%s\" "
                    "stroke-width=\"%.2f\"><title>%.4g</title></line>\n",
                    x_of(d, from), y_of(d, from), x_of(d, to), y_of(d, to),
                    edge.weight > 0 ? "#c33" : "#36c",
                    0.3 + 4.7 * (double)(fabsf(edge.weight) / (d->heaviest + 1e-9F)),
                    (double)edge.weight);
    }
}

static void draw_input(const Drawing *d, uint32_t input, const char *label, Text *out) {
    text_printf(out, "<circle cx=\"%u\" cy=\"%u\" r=\"4\" fill=\"#888\"/>\n", x_of(d, input),
                y_of(d, input));
    text_printf(out, "<text x=\"%u\" y=\"%u\" text-anchor=\"end\">", x_of(d, input) - 10,
                y_of(d, input) + 4);
    text_add_markup(out, label);
    text_add(out, "</text>\n");
}

static void draw_node(const Drawing *d, uint32_t node, Text *out) {
    uint32_t own = d->network->input_count + node;
    text_printf(out,
                "<circle cx=\"%u\" cy=\"%u\" r=\"8\" fill=\"#fff\" stroke=\"#000\">"
                "<title>%s, bias %.4g</title></circle>\n",
                x_of(d, own), y_of(d, own),
                activation_name(d->network->nodes.items[node].activation),
                (double)d->network->nodes.items[node].bias);
}

void network_draw(const Network *n, void (*name)(void *context, uint32_t input, Text *out),
                  void *context, Text *out) {
    Drawing d = {.network = n, .count = n->input_count + (uint32_t)n->nodes.count, .columns = 1};
    Text label = {0};
    d.column = memory_zalloc((d.count + 1) * sizeof *d.column);
    d.row = memory_zalloc((d.count + 1) * sizeof *d.row);
    find_columns(&d);
    find_rows(&d);
    text_printf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
                "font-family=\"sans-serif\" font-size=\"12\">\n",
                LEFT + d.columns * COLUMN, 2 * TOP + d.rows * ROW);
    for (uint32_t i = 0; i < n->nodes.count; i++)
        draw_edges(&d, i, out);
    for (uint32_t i = 0; i < n->input_count; i++) {
        if (d.row[i] == UINT32_MAX)
            continue;
        text_clear(&label);
        if (name)
            name(context, i, &label);
        else
            text_printf(&label, "%u", i);
        draw_input(&d, i, text_string(&label), out);
    }
    for (uint32_t i = 0; i < n->nodes.count; i++)
        draw_node(&d, i, out);
    text_add(out, "</svg>\n");
    vector_free(&label);
    memory_free(d.column, d.row);
}
