#include "CBuildStamp.h"

// Volatile: the compiler must not replace a read by what stands here.
__attribute__((section(".netdash_stamp"), used)) static const volatile char stamp[CB_STAMP_SIZE] = "unknown commit";

void cb_copy_stamp(char *text) {
    for (int index = 0; index < CB_STAMP_SIZE; index++) text[index] = stamp[index];
    text[CB_STAMP_SIZE - 1] = 0;
}
