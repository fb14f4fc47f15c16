// An empty package of ICU data that replaces Foundation's.
//
// ICU's data, 30 MB of calendars, currencies and sort orders for every language, comes with Foundation's static library
// whether it is used or not, and made up half of netdash, which uses none of it. The linker takes a program's objects before
// a library's, so it never fetches the large one. Hidden, so that a build with Foundation's shared library, such as the tests,
// keeps its own data. A toolchain with another version of ICU asks for another name; its program works and is larger.
//
// The form follows ICU's data files (udata.h): a header, and a table of contents, here with no entries.
#include <stdint.h>

struct Header {
    uint16_t size;
    uint8_t magic[2];
    uint16_t info_size;
    uint16_t reserved;
    uint8_t is_big_endian, character_set, size_of_character, reserved_too;
    uint8_t format[4], format_version[4], data_version[4];
};

struct Package {
    struct Header header;
    uint64_t padding; // the table of contents stands at a multiple of 16
    uint32_t count, reserved;
    uint32_t no_entry[4];
};

__attribute__((visibility("hidden"), aligned(16))) const struct Package icudt76_dat = {
    .header = {
        .size = 32,
        .magic = {0xDA, 0x27},
        .info_size = 20,
        .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
        .size_of_character = sizeof(uint16_t),
        .format = {'T', 'o', 'C', 'P'},
        .format_version = {1},
    },
};

_Static_assert(sizeof(struct Header) == 24 && __builtin_offsetof(struct Package, count) == 32, "the layout of ICU's data files");
