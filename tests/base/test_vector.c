/* Tests growable arrays. */
#include "base/vector.h"

#include <criterion/criterion.h>

Test(vector, push_pop_and_grow) {
    U32Vector v = {0};
    for (uint32_t i = 0; i < 100000; i++)
        vector_push(&v, i * 3);
    cr_assert_eq(v.count, 100000);
    cr_assert_leq(v.capacity, 150000);
    for (uint32_t i = 0; i < 100000; i++)
        cr_assert_eq(v.items[i], i * 3);
    cr_assert_eq(vector_last(&v), 299997);
    cr_assert_eq(vector_pop(&v), 299997);
    cr_assert_eq(v.count, 99999);
    vector_clear(&v);
    cr_assert_eq(v.count, 0);
    vector_free(&v);
    cr_assert_null(v.items);
    cr_assert_eq(v.capacity, 0);
}

Test(vector, extend_and_reserve) {
    VECTOR(double) v = {0};
    vector_reserve(&v, 10);
    cr_assert_geq(v.capacity, 10);
    cr_assert_eq(v.count, 0);
    double *first = vector_extend(&v, 5);
    for (int i = 0; i < 5; i++)
        first[i] = i;
    cr_assert_eq(vector_extend(&v, 0), v.items + 5);
    cr_assert_eq(v.count, 5);
    cr_assert_eq(vector_last(&v), 4);
    vector_free(&v);
}

Test(vector, frees_vectors_of_different_types_at_once) {
    U32Vector numbers = {0};
    VECTOR(double) reals = {0};
    VECTOR(const char *) never_used = {0};
    vector_push(&numbers, 7);
    vector_push(&reals, 0.5);
    vectors_free(&numbers, &reals, &never_used);
    cr_assert_null(numbers.items);
    cr_assert_null(reals.items);
    cr_assert_eq(numbers.count + numbers.capacity + reals.count + reals.capacity, 0);
}

Test(vector, copies_lists_and_drops_first_items) {
    U32Vector list = {0}, copy = {0};
    for (uint32_t i = 0; i < 4; i++)
        vector_push(&list, i);
    vector_push(&copy, 9);
    u32_copy(&copy, &list);
    cr_assert(u32_equal(&copy, &list));
    u32_drop_first(&copy);
    cr_assert_eq(copy.count, 3);
    cr_assert_eq(copy.items[0], 1);
    u32_append(&copy, &list);
    cr_assert_eq(copy.count, 7);
    vectors_free(&list, &copy);
}

/* Without memory there is no offset, not even 0: the sanitizer of undefined behaviour looks. */
Test(vector, an_empty_vector_has_a_place_for_nothing) {
    U32Vector list = {0};
    cr_assert_null(vector_extend(&list, 0));
    cr_assert_null(vector_from(&list, 0));
    uint32_t *three = vector_extend(&list, 3);
    cr_assert_eq(vector_from(&list, 1), three + 1);
    cr_assert_eq(vector_extend(&list, 0), three + 3);
    vector_clear(&list);
    cr_assert_eq(vector_extend(&list, 0), three);
    vector_free(&list);
}
