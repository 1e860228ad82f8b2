/* The frame has a fixed size. An axis maps values to positions in it and places its ticks at round
 * numbers. */
#include "base/plot.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { WIDTH = 760, HEIGHT = 420, LEFT = 80, RIGHT = 20, TOP = 64, BOTTOM = 70, MAX_TICKS = 8 };

static const char style[] =
    "<style>text{font:12px system-ui,sans-serif;fill:#1d2430}.title{font-size:15px;font-weight:600}"
    ".grid{stroke:#dfe3e8}.axis{stroke:#66707f}.line{fill:none;stroke-width:2}"
    "@media(prefers-color-scheme:dark){text{fill:#e6e9ee}.grid{stroke:#333b47}}</style>\n";

/* Colours that also differ in brightness. */
static const char *const colours[PLOT_MAX_SERIES] = {"#3f7fd0", "#e08a4f", "#2f8f5b", "#8a5fc0",
                                                     "#b8952b", "#c04f7f", "#4aa3a8", "#7a7f88"};

PlotSeries *plot_add_series(Plot *plot, const char *name) {
    assert(plot->series_count < PLOT_MAX_SERIES);
    plot->series[plot->series_count] = (PlotSeries){.name = name};
    return &plot->series[plot->series_count++];
}

void plot_add_point(PlotSeries *series, double x, double y, double error) {
    vector_push(&series->points, ((PlotPoint){x, y, error}));
}

void plot_add_bar(Plot *plot, PlotSeries *series, const char *group, double y) {
    size_t index = 0;
    while (index < plot->names.count && strcmp(plot->names.items[index], group) != 0)
        index++;
    if (index == plot->names.count)
        vector_push(&plot->names, group);
    plot_add_point(series, (double)index, y, 0);
}

void plot_free(Plot *plot) {
    for (uint32_t i = 0; i < plot->series_count; i++)
        vector_free(&plot->series[i].points);
    vector_free(&plot->names);
    *plot = (Plot){0};
}

/* ---- axes ---- */

typedef struct {
    double least, greatest; /* logarithms on a logarithmic axis */
    double step;            /* distance of ticks, in the same unit */
    double from, to;        /* positions in the picture */
    bool is_log;
} Axis;

static bool is_shown(const Axis *axis, double value) {
    return isfinite(value) && (!axis->is_log || value > 0);
}

/* The position of a value, or of the logarithm of one on a logarithmic axis. */
static double position(const Axis *axis, double at) {
    return axis->from +
           (at - axis->least) / (axis->greatest - axis->least) * (axis->to - axis->from);
}

static double place(const Axis *axis, double value) {
    double at = axis->is_log ? log10(value) : value;
    return position(axis, fmin(fmax(at, axis->least), axis->greatest));
}

static void include(Axis *axis, double value) {
    if (!is_shown(axis, value))
        return;
    double at = axis->is_log ? log10(value) : value;
    axis->least = fmin(axis->least, at);
    axis->greatest = fmax(axis->greatest, at);
}

/* Widens the range to round numbers. Ticks are 1, 2 or 5 times a power of ten apart; on a
 * logarithmic axis they are whole powers of ten. */
static void make_round(Axis *axis) {
    if (axis->least > axis->greatest)
        axis->least = axis->greatest = 0;
    if (axis->greatest - axis->least < 1e-9)
        axis->greatest = axis->least + 1;
    double step = pow(10, floor(log10((axis->greatest - axis->least) / MAX_TICKS)));
    for (int i = 0; (axis->greatest - axis->least) / step > MAX_TICKS; i++)
        step *= i % 3 == 1 ? 2.5 : 2;
    axis->step = axis->is_log ? fmax(1, ceil(step)) : step;
    axis->least = floor(axis->least / axis->step + 1e-9) * axis->step;
    axis->greatest = ceil(axis->greatest / axis->step - 1e-9) * axis->step;
}

static Axis make_axis(const Plot *plot, bool is_x, bool is_log, double from, double to) {
    Axis axis = {
        .least = INFINITY, .greatest = -INFINITY, .from = from, .to = to, .is_log = is_log};
    for (uint32_t s = 0; s < plot->series_count; s++)
        for (size_t i = 0; i < plot->series[s].points.count; i++) {
            const PlotPoint *point = &plot->series[s].points.items[i];
            include(&axis, is_x ? point->x : point->y - point->error);
            include(&axis, is_x ? point->x : point->y + point->error);
        }
    if (!is_x && !is_log)
        include(&axis, 0);
    make_round(&axis);
    return axis;
}

/* ---- the picture ---- */

static void add_text(Text *text, double x, double y, const char *attributes, const char *words) {
    text_printf(text, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, attributes);
    text_add_markup(text, words);
    text_add(text, "</text>\n");
}

static void add_number(Text *text, double x, double y, const char *attributes, const Axis *axis,
                       double at) {
    Text number = {0};
    double value = axis->is_log ? pow(10, at) : at;
    text_printf(&number, "%.4g", fabs(value) < axis->step * 1e-6 && !axis->is_log ? 0 : value);
    add_text(text, x, y, attributes, text_string(&number));
    vector_free(&number);
}

static int tick_count(const Axis *axis) {
    return (int)lround((axis->greatest - axis->least) / axis->step);
}

static void add_grid(const Plot *plot, const Axis *x, const Axis *y, Text *text) {
    for (int i = 0; i <= tick_count(y); i++) {
        double at = y->least + i * y->step;
        double height = position(y, at);
        text_printf(text, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>\n", LEFT, height,
                    WIDTH - RIGHT);
        add_number(text, LEFT - 8, height + 4, "text-anchor=\"end\"", y, at);
    }
    for (int i = 0; !plot->names.count && i <= tick_count(x); i++) {
        double at = x->least + i * x->step;
        double left = position(x, at);
        text_printf(text, "<path class=\"axis\" d=\"M%.1f %dv5\"/>\n", left, HEIGHT - BOTTOM);
        add_number(text, left, HEIGHT - BOTTOM + 20, "text-anchor=\"middle\"", x, at);
    }
    text_printf(text, "<path class=\"axis\" d=\"M%d %dH%d\"/>\n", LEFT, HEIGHT - BOTTOM,
                WIDTH - RIGHT);
}

static void add_labels(const Plot *plot, Text *text) {
    double x = LEFT;
    if (plot->title)
        add_text(text, LEFT, 24, "class=\"title\"", plot->title);
    if (plot->x_label)
        add_text(text, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12, "text-anchor=\"middle\"",
                 plot->x_label);
    if (plot->y_label)
        add_text(text, -(TOP + HEIGHT - BOTTOM) / 2.0, 18,
                 "text-anchor=\"middle\" transform=\"rotate(-90)\"", plot->y_label);
    for (uint32_t s = 0; s < plot->series_count; s++) {
        text_printf(text, "<rect fill=\"%s\" x=\"%.1f\" y=\"38\" width=\"10\" height=\"10\"/>\n",
                    colours[s], x);
        add_text(text, x + 15, 47, "", plot->series[s].name);
        x += 30 + 7.5 * (double)strlen(plot->series[s].name);
    }
}

static void add_line(const PlotSeries *series, uint32_t number, const Axis *x, const Axis *y,
                     Text *text) {
    text_printf(text, "<g fill=\"%s\" stroke=\"%s\"><path class=\"line\" d=\"", colours[number],
                colours[number]);
    Text marks = {0};
    for (size_t i = 0; i < series->points.count; i++) {
        const PlotPoint *point = &series->points.items[i];
        if (!is_shown(x, point->x) || !is_shown(y, point->y))
            continue;
        double left = place(x, point->x), height = place(y, point->y);
        text_printf(text, "%s%.1f %.1f", marks.count ? "L" : "M", left, height);
        text_printf(&marks, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n", left, height);
        if (point->error > 0 && is_shown(y, point->y - point->error))
            text_printf(&marks, "<path d=\"M%.1f %.1fV%.1f\"/>\n", left,
                        place(y, point->y - point->error), place(y, point->y + point->error));
    }
    text_printf(text, "\"/>\n%s</g>\n", text_string(&marks));
    vector_free(&marks);
}

static void add_bars(const Plot *plot, const Axis *y, Text *text) {
    double group = (double)(WIDTH - LEFT - RIGHT) / (double)plot->names.count;
    double bar = group * 0.8 / plot->series_count;
    for (uint32_t s = 0; s < plot->series_count; s++) {
        text_printf(text, "<g fill=\"%s\">\n", colours[s]);
        for (size_t i = 0; i < plot->series[s].points.count; i++) {
            const PlotPoint *point = &plot->series[s].points.items[i];
            if (!is_shown(y, point->y))
                continue;
            double top = place(y, point->y);
            text_printf(text, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
                        LEFT + group * (point->x + 0.1) + bar * s, top, bar * 0.9, y->from - top);
        }
        text_add(text, "</g>\n");
    }
    for (size_t i = 0; i < plot->names.count; i++) {
        Text attributes = {0};
        double x = LEFT + group * ((double)i + 0.5), height = HEIGHT - BOTTOM + 16;
        text_printf(&attributes, "text-anchor=\"end\" transform=\"rotate(-20 %.1f %.1f)\"", x,
                    height);
        add_text(text, x + 10, height, text_string(&attributes), plot->names.items[i]);
        vector_free(&attributes);
    }
}

void plot_write_svg(const Plot *plot, Text *text) {
    Axis x = make_axis(plot, true, plot->x_is_log, LEFT, WIDTH - RIGHT);
    Axis y = make_axis(plot, false, plot->y_is_log, HEIGHT - BOTTOM, TOP);
    text_printf(text,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
                "height=\"%d\">\n",
                WIDTH, HEIGHT, WIDTH, HEIGHT);
    text_add(text, style);
    add_grid(plot, &x, &y, text);
    if (plot->names.count)
        add_bars(plot, &y, text);
    else
        for (uint32_t s = 0; s < plot->series_count; s++)
            add_line(&plot->series[s], s, &x, &y, text);
    add_labels(plot, text);
    text_add(text, "</svg>\n");
}
