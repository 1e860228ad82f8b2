/* Compiles the kernels with the real compiler if the machine has it. No GPU is needed for that. */
#include "gpu/compiler.h"
#include "gpu/gpu_environments.h"

#include "device_in_c.h"

TestSuite(compiler, .timeout = 600);

static GpuCompiler *compiler_or_skip(void) {
    Report report = {0};
    GpuCompiler *compiler = gpu_compiler_open(&report);
    if (!compiler) {
        cr_expect_str_eq(report.items.items[0].code, "no-nvrtc");
        report_free(&report);
        cr_skip_test("there is no CUDA compiler");
    }
    report_free(&report);
    return compiler;
}

Test(compiler, compiles_all_kernels) {
    GpuCompiler *compiler = compiler_or_skip();
    Game *game = game_named("tic_tac_toe", NULL);
    Text networks = {0};
    GpuEnvironmentCode code, program;
    gpu_source_write(game_turn_networks(game), &networks);
    gpu_environment_code_write(game, 1, GPU_NETWORKS_CODE, SIZE_MAX, &code);
    gpu_environment_code_write(game, 1, GPU_NETWORKS_PROGRAM, 0, &program);
    const struct {
        const char *kernel;
        GpuHeader header;
    } cases[] = {{gpu_source_thread, {"networks.h", text_string(&networks)}},
                 {gpu_source_environments, {"networks.h", text_string(&code.networks)}},
                 {gpu_source_environments, {"networks.h", text_string(&program.networks)}},
                 {gpu_source_block, {"places.h", ""}},
                 {gpu_source_block, {"places.h", "#define SPILLED\n"}},
                 {gpu_source_dense, {"none.h", ""}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const GpuHeader headers[] = {
            {"unit.cuh", gpu_source_unit}, {"network.cuh", gpu_source_network}, cases[i].header};
        GpuBinary binary = {0};
        Report report = {0};
        cr_assert(gpu_compile(compiler, cases[i].kernel, headers, 3, 90, &binary, &report), "%s",
                  report.items.count ? report.items.items[0].message : "");
        cr_assert(binary.count > 1000);
        cr_expect_eq(memcmp(binary.items, "\177ELF", 4), 0);
        vector_free(&binary);
        report_free(&report);
    }
    vector_free(&networks);
    gpu_environment_code_free(&code);
    gpu_environment_code_free(&program);
    game_free(game);
    gpu_compiler_close(compiler);
}

Test(compiler, tells_what_is_wrong) {
    GpuCompiler *compiler = compiler_or_skip();
    GpuBinary binary = {0};
    Report report = {0};
    cr_expect_not(gpu_compile(compiler, "this is no kernel", NULL, 0, 90, &binary, &report));
    cr_assert_eq(report.items.count, 1);
    cr_expect_str_eq(report.items.items[0].code, "gpu-compile");
    vector_free(&binary);
    report_free(&report);
    gpu_compiler_close(compiler);
}

Test(compiler, says_that_there_is_no_gpu) {
    Report report = {0};
    Gpu *gpu = gpu_open(&report);
    if (!gpu) {
        cr_assert_geq(report.items.count, 1);
        cr_expect_not_null(report.items.items[0].message);
    }
    gpu_close(gpu);
    report_free(&report);
}
