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

Test(vector, several_of_different_types_are_freed_together) {
    U32Vector numbers = {0}, none = {0};
    VECTOR(double) reals = {0};
    vector_push(&numbers, 7);
    vector_push(&reals, 0.5);
    vectors_free(&numbers, &none, &reals);
    cr_assert(!numbers.items && !numbers.count && !numbers.capacity);
    cr_assert(!none.items && !reals.items && !reals.count && !reals.capacity);
    memory_free(memory_alloc(10), NULL, memory_strdup("text"));
}
