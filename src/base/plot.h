/* Plots as SVG, readable on light and dark pages: series of points over a numeric axis, or bars
 * over names. Axes may be logarithmic; values that such an axis cannot show are left out. */
#pragma once

#include <stdbool.h>

#include "base/text.h"

/* Example:
 *     Plot plot = {.title = "Playouts", .y_label = "playouts", .y_is_log = true};
 *     PlotSeries *uct = plot_add_series(&plot, "uct");
 *     plot_add_bar(&plot, uct, "incredible", 280158);       or
 *     plot_add_point(uct, 0.5, 9446, 316);
 *     plot_write_svg(&plot, &text);
 *     plot_free(&plot);
 */

enum { PLOT_MAX_SERIES = 8 };

typedef struct {
    double x, y;
    double error; /* half the height of an error bar; 0 for none */
} PlotPoint;

typedef struct {
    const char *name;
    VECTOR(PlotPoint) points;
} PlotSeries;

typedef struct {
    const char *title, *x_label, *y_label; /* NULL for none; the texts must outlive the plot */
    bool x_is_log, y_is_log;
    PlotSeries series[PLOT_MAX_SERIES];
    uint32_t series_count;
    VECTOR(const char *) names; /* groups of bars; if there are any, x is an index into them */
} Plot;

/* Adds a series; there may be at most PLOT_MAX_SERIES. */
PlotSeries *plot_add_series(Plot *plot, const char *name);
void plot_add_point(PlotSeries *series, double x, double y, double error);
/* Adds a bar to the group of that name. Groups are in the order of their first bars. */
void plot_add_bar(Plot *plot, PlotSeries *series, const char *group, double y);
void plot_write_svg(const Plot *plot, Text *text);
void plot_free(Plot *plot);
