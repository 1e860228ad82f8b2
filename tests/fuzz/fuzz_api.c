/* Sends any bytes as a request to the page: the first line is method and path, the second a query,
 * the rest a body. One site with one small game answers all requests; matches that begin are
 * played. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/page/site.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char rules[] = "(role x) (init (at 1)) (succ 1 2) (succ 2 3)"
                            "(<= (legal x go) (true (at ?n))) (<= (legal x rest) (true (at ?n)))"
                            "(<= (next (at ?m)) (does x go) (true (at ?n)) (succ ?n ?m))"
                            "(<= (next (at ?n)) (does x rest) (true (at ?n)))"
                            "(<= terminal (true (at 3))) (goal x 50)";

static char *folder;

static void remove_folder(void) {
    static const char *const names[] = {"/a.db", "/a.db-wal", "/a.db-shm", "/a.db-running",
                                        "/game.kif"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Text path = {0};
        text_printf(&path, "%s%s", folder, names[i]);
        unlink(path.items);
        vector_free(&path);
    }
    rmdir(folder);
}

/* Returns a site that is never freed. */
static Site *make_site(void) {
    static char name[] = "/tmp/marelle-fuzz-XXXXXX";
    Text path = {0};
    Report report = {0};
    folder = mkdtemp(name);
    atexit(remove_folder);
    text_printf(&path, "%s/game.kif", folder);
    FILE *file = fopen(path.items, "w");
    fputs(rules, file);
    fclose(file);
    Text database = {0};
    text_printf(&database, "%s/a.db", folder);
    Site *site = site_create(&(SiteOptions){.database = database.items,
                                            .is_local = true,
                                            .searches = 1,
                                            .bytes = 1 << 30,
                                            .max_uploads = 100,
                                            .max_matches_per_client = 20,
                                            .requests_per_second = 1e9,
                                            .thinking_per_hour = 1},
                             &report);
    library_add_file(site_library(site), "g", path.items);
    site_open(site, &report);
    vector_free(&path);
    vector_free(&database);
    report_free(&report);
    return site;
}

/* Cuts off the next line and returns it. */
static char *take_line(char **text) {
    char *line = *text, *end = strchr(line, '\n');
    *text = end ? end + 1 : line + strlen(line);
    if (end)
        *end = '\0';
    return line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static Site *site;
    if (!site)
        site = make_site();
    char *copy = memory_zalloc(size + 1), *rest = copy;
    memcpy(copy, data, size);
    char *path = take_line(&rest), *query = take_line(&rest);
    bool is_post = *path == 'P';
    path += *path != '\0';
    HttpPair headers[] = {{"Host", "localhost"}, {"Content-Type", "application/json"}};
    HttpPair values[] = {{"key", query}, {"before", query}};
    HttpRequest request = {.method = is_post ? "POST" : "GET",
                           .path = path,
                           .query = {values, 2, 2},
                           .headers = {headers, 2, 2},
                           .body = rest,
                           .length = (size_t)(copy + size - rest),
                           .client = "fuzz"};
    HttpAnswer answer = {.status = 200};
    site_answer(site, &request, &answer);
    if (answer.stream.next)
        answer.stream.free(answer.stream.context);
    vector_free(&answer.body);
    free(copy);
    return 0;
}
