/* Reads any bytes as a message of the game protocol. A valid message is written and read again. */
#include "player/protocol.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_again(const Text *text) {
    Report report = {0};
    Message message;
    message_read(&message, text_string(text), text->count, &report);
    message_free(&message);
    report_free(&report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Report report = {0};
    Message message;
    Text text = {0};
    if (message_read(&message, (const char *)data, size, &report)) {
        if (message.kind == MESSAGE_START)
            message_write_start(&text, message.match, message.role, text_string(&message.rules),
                                message.startclock, message.playclock);
        else if (message.has_moves)
            message_write_moves(&text, message.kind, message.match, message.moves.items,
                                message.moves.count);
        read_again(&text);
        text_clear(&text);
    }
    answer_read_move((const char *)data, size, &text);
    message_free(&message);
    report_free(&report);
    vector_free(&text);
    return 0;
}
