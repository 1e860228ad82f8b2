/* Tests rate limits: bursts of requests, time for searches, and clients that are forgotten. */
#include "server/page/limits.h"

#include <criterion/criterion.h>
#include <stdio.h>

Test(limits, requests_come_in_bursts_and_then_evenly) {
    Limits *limits = limits_create(10, 100);
    size_t well = 0;
    for (int i = 0; i < 100; i++)
        well += limits_request(limits, "a", 0);
    cr_assert_eq(well, 40);
    cr_assert(limits_request(limits, "b", 0), "another client has its own");
    cr_assert_not(limits_request(limits, "a", 0.05));
    cr_assert(limits_request(limits, "a", 0.15));
    cr_assert_not(limits_request(limits, "a", 0.15));
    limits_free(limits);
}

Test(limits, thinking_comes_back_over_the_hour) {
    Limits *limits = limits_create(10, 360);
    cr_assert(limits_may_think(limits, "a", 0));
    limits_spend(limits, "a", 370, 0);
    cr_assert_not(limits_may_think(limits, "a", 0));
    cr_assert_not(limits_may_think(limits, "a", 99));
    cr_assert(limits_may_think(limits, "a", 101));
    limits_free(limits);
}

Test(limits, a_crowd_is_forgotten_but_for_the_newest) {
    Limits *limits = limits_create(1, 1);
    char name[20];
    for (int i = 0; i < 5000; i++) {
        snprintf(name, sizeof name, "client %d", i);
        cr_assert(limits_request(limits, name, i));
    }
    for (int i = 0; i < 3; i++)
        limits_request(limits, "client 4999", 4999);
    cr_assert_not(limits_request(limits, "client 4999", 4999), "it is still known");
    limits_free(limits);
}
