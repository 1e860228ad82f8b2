/* Tests the slots for searches: the number of places, the line, and threads that give up. */
#include "server/referee/search_slots.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <unistd.h>

typedef struct {
    SearchSlots *slots;
    size_t inside, most; /* atomic */
    bool stopped;
    bool entered;
} Shop;

static void *go_shopping(void *context) {
    Shop *shop = context;
    for (int i = 0; i < 20; i++) {
        slots_enter(shop->slots, NULL);
        size_t inside = __atomic_add_fetch(&shop->inside, 1, __ATOMIC_SEQ_CST);
        size_t most = __atomic_load_n(&shop->most, __ATOMIC_SEQ_CST);
        while (inside > most && !__atomic_compare_exchange_n(&shop->most, &most, inside, false,
                                                             __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            ;
        usleep(200);
        __atomic_sub_fetch(&shop->inside, 1, __ATOMIC_SEQ_CST);
        slots_leave(shop->slots);
    }
    return NULL;
}

Test(slots, no_more_than_there_are_places) {
    pthread_t threads[8];
    Shop shop = {.slots = slots_create(2)};
    for (size_t i = 0; i < 8; i++)
        pthread_create(&threads[i], NULL, go_shopping, &shop);
    for (size_t i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    cr_assert(shop.most >= 1 && shop.most <= 2);
    cr_assert_eq(slots_load(shop.slots).busy, 0);
    slots_free(shop.slots);
}

static void *wait_outside(void *context) {
    Shop *shop = context;
    shop->entered = slots_enter(shop->slots, &shop->stopped);
    if (shop->entered)
        slots_leave(shop->slots);
    return NULL;
}

Test(slots, who_gives_up_is_not_waited_for) {
    SearchSlots *slots = slots_create(1);
    Shop first = {.slots = slots}, second = {.slots = slots};
    pthread_t one, two;
    cr_assert(slots_enter(slots, NULL));
    pthread_create(&one, NULL, wait_outside, &first);
    while (slots_load(slots).waiting < 1)
        usleep(100);
    pthread_create(&two, NULL, wait_outside, &second);
    while (slots_load(slots).waiting < 2)
        usleep(100);
    __atomic_store_n(&first.stopped, true, __ATOMIC_RELAXED);
    slots_wake(slots);
    pthread_join(one, NULL);
    cr_assert_not(first.entered);
    slots_leave(slots);
    pthread_join(two, NULL);
    cr_assert(second.entered);
    slots_free(slots);
}

Test(slots, none_is_always_open) {
    bool stopped = true;
    cr_assert(slots_enter(NULL, NULL));
    slots_leave(NULL);
    cr_assert_not(slots_enter(NULL, &stopped));
}
