// The kernel on the processor, for tests: reads a job from standard input, writes its counts.
#include <stdio.h>
#include <stdlib.h>

#include "kernel.cu"

// A job's numbers come in this order, each of them as 64 bits.
enum {
    SEED, FIRST_SHOE, SHOES, SIZE, BURNED, BEHIND, SHUFFLES, SPECIALS, NEAR, HANDFUL, IS_FRESH,
    NEW_SHOE_WORDS, ENTRIES, NUMBERS
};

static void* read_all(size_t count, size_t size) {
    void* read = calloc(count + 1, size);
    if (!read || fread(read, size, count, stdin) != count) {
        fprintf(stderr, "the job is too short\n");
        exit(1);
    }
    return read;
}

int main(void) {
    u64* n = read_all(NUMBERS, 8);
    u32* new_shoe = read_all(n[NEW_SHOE_WORDS], 4);
    u32* entries = read_all(n[ENTRIES], 4);
    u64* deltas = read_all(n[SPECIALS], 8);
    u32* end_bytes = read_all(n[SPECIALS], 4);
    u64 counts[AT_EXHAUSTED + 1 + MOST_EXHAUSTED] = {0};
    Job job = {n[SEED], n[FIRST_SHOE], n[SHOES], n[SIZE], n[BURNED], n[BEHIND], n[SHUFFLES],
               n[SPECIALS], n[NEAR], new_shoe, entries, deltas, end_bytes, counts};
    u64* room = calloc(n[SPECIALS] * 2 + NETS + n[NEAR] + n[NEW_SHOE_WORDS] + 2, 8);
    if (!room) return 1;
    if (n[HANDFUL] == 8 && n[IS_FRESH]) play(&job, 8, 1, room, 0, 1, 0, 1);
    else if (n[HANDFUL] == 8) play(&job, 8, 0, room, 0, 1, 0, 1);
    else if (n[IS_FRESH]) play(&job, 6, 1, room, 0, 1, 0, 1);
    else play(&job, 6, 0, room, 0, 1, 0, 1);
    return fwrite(counts, 8, sizeof counts / 8, stdout) == sizeof counts / 8 ? 0 : 1;
}
