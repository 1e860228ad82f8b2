/* HTTP requests with one libcurl handle per request: players come and go, and a stale connection
 * would cost a turn. */
#include "server/referee/client.h"

#include <assert.h>
#include <curl/curl.h>
#include <pthread.h>

enum { ANSWER_MAX_SIZE = 1 << 20 }; /* bytes of an answer, at most (untuned) */

static void prepare(void) {
    curl_global_init(CURL_GLOBAL_DEFAULT);
}

static size_t take(char *bytes, size_t size, size_t count, void *context) {
    Text *answer = context;
    if (answer->count + size * count > ANSWER_MAX_SIZE)
        return 0;
    text_add_bytes(answer, bytes, size * count);
    return size * count;
}

static CURLcode post(CURL *curl, const char *url, const Text *body, double seconds, Text *answer) {
    struct curl_slist *headers = curl_slist_append(NULL, "Content-Type: text/acl");
    headers = curl_slist_append(headers, "Accept: text/delim");
    headers = curl_slist_append(headers, "Expect:");
    long milliseconds = (long)(seconds * 1000);
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http");
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_FORBID_REUSE, 1L);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, text_string(body));
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body->count);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, milliseconds > 0 ? milliseconds : 1L);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, answer);
    CURLcode code = curl_easy_perform(curl);
    curl_slist_free_all(headers);
    return code;
}

PostEnd client_post(const char *url, const Text *body, double seconds, Text *answer) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    assert(url && seconds >= 0);
    pthread_once(&once, prepare);
    text_clear(answer);
    CURL *curl = curl_easy_init();
    if (!curl) {
        text_add(answer, "no HTTP client");
        return POST_FAILED;
    }
    CURLcode code = post(curl, url, body, seconds, answer);
    long status = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_cleanup(curl);
    if (code == CURLE_OK && status == 200)
        return POST_ANSWERED;
    text_clear(answer);
    if (code == CURLE_OK)
        text_printf(answer, "HTTP status %ld", status);
    else
        text_add(answer, curl_easy_strerror(code));
    return code == CURLE_OPERATION_TIMEDOUT ? POST_TIMED_OUT : POST_FAILED;
}
