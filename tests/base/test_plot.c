/* Tests that plots are well-formed SVG for all numbers. */
#include "base/plot.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static size_t count_of(const Text *text, const char *part) {
    size_t count = 0;
    for (const char *at = text->items; (at = strstr(at, part)); at++)
        count++;
    return count;
}

Test(plot, lines_with_errors) {
    Plot plot = {.title = "a <b> & c", .x_label = "x", .y_label = "y"};
    Text svg = {0};
    PlotSeries *one = plot_add_series(&plot, "one");
    plot_add_point(one, 0, 10, 1);
    plot_add_point(one, 1, 20, 0);
    PlotSeries *other = plot_add_series(&plot, "other");
    plot_add_point(other, 0.5, 15, 0);
    plot_write_svg(&plot, &svg);
    cr_expect(strstr(svg.items, "a &lt;b&gt; &amp; c"));
    cr_expect_eq(count_of(&svg, "<circle"), 3);
    cr_expect_eq(count_of(&svg, "class=\"line\""), 2);
    cr_expect_eq(count_of(&svg, "<g "), count_of(&svg, "</g>"));
    cr_expect_eq(strcmp(svg.items + svg.count - 7, "</svg>\n"), 0);
    plot_free(&plot);
    vector_free(&svg);
}

Test(plot, bars_stand_in_groups) {
    Plot plot = {.y_is_log = true};
    Text svg = {0};
    PlotSeries *one = plot_add_series(&plot, "one");
    plot_add_bar(&plot, one, "first", 1000);
    plot_add_bar(&plot, one, "second", 10);
    PlotSeries *other = plot_add_series(&plot, "other");
    plot_add_bar(&plot, other, "second", 0); /* 0 has no logarithm */
    plot_add_bar(&plot, other, "first", 5);
    cr_expect_eq(plot.names.count, 2);
    plot_write_svg(&plot, &svg);
    cr_expect_eq(count_of(&svg, "<rect"), 3 + 2); /* the legend has two more */
    cr_expect(!strstr(svg.items, "nan") && !strstr(svg.items, "inf"));
    plot_free(&plot);
    vector_free(&svg);
}

Test(plot, odd_numbers_do_no_harm) {
    const double numbers[] = {0, -1, 1e-300, 1e300, NAN, INFINITY, -INFINITY, 42};
    for (int shape = 0; shape < 4; shape++)
        for (size_t count = 0; count <= sizeof numbers / sizeof *numbers; count++) {
            Plot plot = {.x_is_log = shape & 1, .y_is_log = shape & 2};
            Text svg = {0};
            PlotSeries *series = plot_add_series(&plot, "odd");
            for (size_t i = 0; i < count; i++)
                plot_add_point(series, numbers[i], numbers[count - 1 - i], 0);
            plot_write_svg(&plot, &svg);
            cr_expect(!strstr(svg.items, "nan") && !strstr(svg.items, "inf"), "%s", svg.items);
            plot_free(&plot);
            vector_free(&svg);
        }
}
