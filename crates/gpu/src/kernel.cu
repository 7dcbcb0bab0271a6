// Shoes played by a table, many at once. Nothing here knows a rule of a game: cards are columns of a
// table, and a round is a walk through its rows. Every shoe is shuffled as `rules::shoe` does it, with
// the numbers of `odds::simulate`, so shoe n of a seed is the same shoe here and there.
//
// One source for two machines: `cargo xtask kernel` compiles it for GPUs, and the tests compile it as
// plain C for the processor (`processor.c`), where there is one thread.

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

#ifdef __CUDACC__
#define FUNCTION static __device__ __forceinline__
#define UNROLL _Pragma("unroll")
#define BARRIER() __syncthreads()
#define READ_ONLY(address) __ldg(address)
#else
#define FUNCTION static inline
#define UNROLL
#define BARRIER()
#define READ_ONLY(address) (*(address))
#endif

// These are the same in `odds::simulate`; a test compares them.
#define CODE_BITS 11
#define COMMON 8
#define NETS 256
#define GOES_ON 0xff
#define NO_SUM 0x8080808080808080ull
#define ADDED_SHIFT 56
#define MIDDLE 128

// Where counts lie in the result.
#define AT_NETS COMMON
#define AT_ADDED (AT_NETS + NETS)
#define AT_EXHAUSTED (AT_ADDED + 1)
#define MOST_EXHAUSTED 64

// The words of a thread's shoe lie in one bank of the memory. A card takes a byte of a word where a
// number puts eight cards in order (two decks), and half a byte where it puts six (larger shoes).
#define CARD_BITS(count) ((count) == 8 ? 8 : 4)
// With fewer cards left than this, a number puts one in order.
#define AT_ONCE 8
#define MOST_AT_ONCE 8

// What all threads of a launch have in common.
typedef struct {
    u64 seed, first_shoe, shoes;
    // Cards in a shoe, burned after a shuffle, behind the cut card; shuffles of a shoe.
    u32 size, burned, behind, shuffles;
    // How many specials there are, and how many entries, an even number, have a copy close by.
    u32 specials, near;
    const u32* new_shoe;
    const u32* entries;
    const u64* deltas;
    const u32* end_bytes;
    u64* counts;
} Job;

// A thread with its shoe and its round.
typedef struct {
    // The numbers of the shoe.
    u64 numbers;
    // The cards, and from one word to the next.
    u32* words;
    u32 stride;
    u32 unshuffled;
    // The round: its row, and the sum of what it comes to.
    u32 row;
    u64 sum;
    // Common ends of this shoe, a byte each.
    u32 low, high;
    int added;
    // The table, and what else all threads of a block share.
    const u32* near_entries;
    const u32* entries;
    u32 near;
    const u64* deltas;
    const u32* end_bytes;
    u32* nets;
} Player;

FUNCTION u64 high_half(u64 one, u64 other) {
#ifdef __CUDACC__
    return __umul64hi(one, other);
#else
    return (u64)((unsigned __int128)one * other >> 64);
#endif
}

// Takes every number to another one (`Wyrand::of`).
FUNCTION u64 scattered(u64 number) {
    number += 0x9e3779b97f4a7c15ull;
    number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9ull;
    number = (number ^ number >> 27) * 0x94d049bb133111ebull;
    return number ^ number >> 31;
}

FUNCTION u64 next_number(Player* p) {
    p->numbers += 0xa0761d6478bd642full;
    u64 other = p->numbers ^ 0xe7037ed1a0b428dbull;
    return high_half(p->numbers, other) ^ p->numbers * other;
}

// The whole part of a fraction times a factor; leaves the remaining fraction.
FUNCTION u32 times(u64* fraction, u32 factor) {
    u64 low = (*fraction & 0xffffffffu) * factor;
    u64 high = (*fraction >> 32) * factor + (low >> 32);
    *fraction = high << 32 | (low & 0xffffffffu);
    return (u32)(high >> 32);
}

// One, shifted; nothing where the shift is as wide as the word or wider.
FUNCTION u32 one_at(u32 shift) {
#ifdef __CUDACC__
    u32 one;
    asm("shl.b32 %0, 1, %1;" : "=r"(one) : "r"(shift));
    return one;
#else
    return shift < 32 ? 1u << shift : 0;
#endif
}

FUNCTION void add_one(u32* count) {
#ifdef __CUDACC__
    atomicAdd(count, 1u);
#else
    *count += 1;
#endif
}

// Adds what each thread has to one number.
FUNCTION void add_up(u64* sum, u64 part) {
#ifdef __CUDACC__
    for (int step = 16; step > 0; step /= 2) part += __shfl_down_sync(0xffffffffu, part, step);
    if ((threadIdx.x & 31) == 0) atomicAdd(sum, part);
#else
    *sum += part;
#endif
}

FUNCTION u64 add_one_to_many(u64* count) {
#ifdef __CUDACC__
    return atomicAdd(count, 1ull);
#else
    return (*count)++;
#endif
}

// The address of a card that takes a byte.
FUNCTION u8* byte_at(Player* p, u32 place) {
    return (u8*)(p->words + place / 4 * p->stride) + place % 4;
}

// Swaps two cards and answers with the one from the first place; the other place is left as it was
// where nobody will look at it again.
FUNCTION u32 swap(Player* p, u32 place, u32 last, const u32 card_bits, const int is_kept) {
    if (card_bits == 8) {
        u8 *one = byte_at(p, place), *other = byte_at(p, last);
        u32 card = *one;
        *one = *other;
        if (is_kept) *other = (u8)card;
        return card;
    }
    u32 *one = p->words + place / 8 * p->stride, *other = p->words + last / 8 * p->stride;
    u32 shift = place % 8 * 4, other_shift = last % 8 * 4;
    u32 word = *one;
    u32 card = word >> shift & 15;
    u32 change = card ^ (*other >> other_shift & 15);
    *one = word ^ change << shift;
    if (is_kept) *other ^= change << other_shift;
    return card;
}

// Puts so many more cards in order, as `Shoe::shuffle_some` does, and answers with them. A number
// that would favour some orders only moves the cards about, and the next one decides.
FUNCTION void shuffle(Player* p, const u32 count, u32* cards, const u32 card_bits, const int is_kept) {
    u32 rest = p->unshuffled - count;
    // Two decks are a multiple of eight, which the compiler cannot know.
    if (count == 8) rest &= ~7u;
    u32 places[MOST_AT_ONCE];
    for (;;) {
        u64 fraction = next_number(p);
        UNROLL
        for (u32 i = 0; i < count; i++) places[i] = times(&fraction, rest + count - i);
        // No fewer than the orders of any cards that are drawn at once: most numbers are fair.
        if (fraction >= 13685690504052736ull) break;
        u64 orders = 1;
        for (u32 taken = 1; taken <= count; taken++) orders *= rest + taken;
        if (fraction >= (0 - orders) % orders) break;
        UNROLL
        for (u32 i = 0; i < count; i++) swap(p, places[i], rest + count - 1 - i, card_bits, 1);
    }
    UNROLL
    for (u32 i = 0; i < count; i++)
        cards[i] = swap(p, places[i], rest + count - 1 - i, card_bits, is_kept);
    p->unshuffled = rest;
}

// Adds to the sum of the round; true where that ends it.
FUNCTION int special(Player* p, u32 code) {
    u32 byte = p->end_bytes[code - COMMON - 1];
    p->sum += p->deltas[code - COMMON - 1];
    if (byte == GOES_ON) return 0;
    add_one(&p->nets[p->sum >> 8 * byte & 0xff]);
    p->added += (int)(p->sum >> ADDED_SHIFT) - MIDDLE;
    p->sum = NO_SUM;
    return 1;
}

// Deals the round a card; true where that ends it.
FUNCTION int step(Player* p, u32 card) {
    u32 place = p->row + card;
    u32 entry = place < p->near ? p->near_entries[place] : READ_ONLY(p->entries + place);
    u32 code = entry & ((1u << CODE_BITS) - 1);
    p->row = entry >> CODE_BITS;
    // Nothing is added for any other code than a common end's.
    p->low += one_at(code * 8);
    p->high += one_at(code * 8 - 32);
    if (code > COMMON) return special(p, code);
    return code < COMMON;
}

FUNCTION void begin_round(Player* p) {
    p->row = 0;
    p->sum = NO_SUM;
}

// Deals cards to a cut card. False where the shoe runs out of cards.
FUNCTION int play_to_cut_card(Player* p, const Job* job, const u32 count) {
    u32 cards[MOST_AT_ONCE];
    u32 top = job->size - job->burned;
    int is_over = 0;
    begin_round(p);
    p->unshuffled = job->size;
    while (!is_over) {
        if (p->unshuffled == 0) return 0;
        u32 now = p->unshuffled < AT_ONCE ? 1 : count;
        if (now == 1) shuffle(p, 1, cards, CARD_BITS(count), 0);
        else shuffle(p, count, cards, CARD_BITS(count), 0);
        u32 rest = p->unshuffled;
        UNROLL
        for (u32 i = 0; i < count; i++) {
            u32 left = rest + now - 1 - i;
            if (i < now && left < top && !is_over && step(p, cards[i])) is_over = left < job->behind;
        }
        // All of these are before the cut card.
        while (p->unshuffled >= job->behind + count && p->unshuffled >= AT_ONCE) {
            shuffle(p, count, cards, CARD_BITS(count), 0);
            UNROLL
            for (u32 i = 0; i < count; i++) step(p, cards[i]);
        }
    }
    return 1;
}

// Deals rounds that each have their own shuffle. False where a shoe runs out of cards.
FUNCTION int play_fresh(Player* p, const Job* job, const u32 count) {
    u32 cards[MOST_AT_ONCE];
    u32 rounds = job->shuffles, burned = 0;
    begin_round(p);
    p->unshuffled = job->size;
    while (rounds > 0) {
        if (p->unshuffled == 0) return 0;
        u32 now = p->unshuffled < AT_ONCE ? 1 : count;
        if (now == 1) shuffle(p, 1, cards, CARD_BITS(count), 1);
        else shuffle(p, count, cards, CARD_BITS(count), 1);
        int is_over = 0;
        UNROLL
        for (u32 i = 0; i < count; i++) {
            if (i < now && !is_over) {
                if (burned < job->burned) burned++;
                else is_over = step(p, cards[i]);
            }
        }
        if (is_over) {
            rounds--;
            burned = 0;
            p->unshuffled = job->size;
        }
    }
    return 1;
}

// Plays every shoe of a thread.
FUNCTION void play(const Job* job, const u32 count, const int is_fresh, u64* room, u32 thread_of_block,
                   u32 threads_of_block, u64 thread, u64 threads) {
    u32* near_entries = (u32*)room;
    u64* deltas = (u64*)(near_entries + job->near);
    u32* end_bytes = (u32*)(deltas + job->specials);
    u32* nets = end_bytes + job->specials;
    u32* words = nets + NETS;
    for (u32 i = thread_of_block; i < job->specials; i += threads_of_block) {
        deltas[i] = job->deltas[i];
        end_bytes[i] = job->end_bytes[i];
    }
    for (u32 i = thread_of_block; i < NETS; i += threads_of_block) nets[i] = 0;
    for (u32 i = thread_of_block; i < job->near; i += threads_of_block) near_entries[i] = job->entries[i];
    BARRIER();
    Player p;
    p.words = words + thread_of_block;
    p.stride = threads_of_block;
    p.near_entries = near_entries;
    p.entries = job->entries;
    p.near = job->near;
    p.deltas = deltas;
    p.end_bytes = end_bytes;
    p.nets = nets;
    u32 common[COMMON];
    UNROLL
    for (u32 i = 0; i < COMMON; i++) common[i] = 0;
    long long added = 0;
    u32 new_words = (job->size * CARD_BITS(count) + 31) / 32;
    u64 seed = scattered(job->seed);
    for (u64 shoe = thread; shoe < job->shoes; shoe += threads) {
        u64 number = job->first_shoe + shoe;
        p.numbers = scattered(seed + number);
        for (u32 w = 0; w < new_words; w++) p.words[w * p.stride] = READ_ONLY(job->new_shoe + w);
        p.low = p.high = 0;
        p.added = 0;
        int is_done = is_fresh ? play_fresh(&p, job, count) : play_to_cut_card(&p, job, count);
        if (!is_done) {
            u64 place = add_one_to_many(&job->counts[AT_EXHAUSTED]);
            if (place < MOST_EXHAUSTED) job->counts[AT_EXHAUSTED + 1 + place] = number;
        }
        UNROLL
        for (u32 i = 0; i < COMMON; i++) common[i] += (i < 4 ? p.low : p.high) >> 8 * (i % 4) & 0xff;
        added += p.added;
    }
    BARRIER();
    UNROLL
    for (u32 i = 0; i < COMMON; i++) add_up(&job->counts[i], common[i]);
    add_up(&job->counts[AT_ADDED], (u64)added);
    for (u32 i = thread_of_block; i < NETS; i += threads_of_block) {
#ifdef __CUDACC__
        if (nets[i] > 0) atomicAdd(&job->counts[AT_NETS + i], (u64)nets[i]);
#else
        job->counts[AT_NETS + i] += nets[i];
#endif
    }
}

#ifdef __CUDACC__
extern __shared__ u64 room[];

#define KERNEL(name, count, is_fresh)                                                                  \
    extern "C" __global__ void __launch_bounds__(1024, 1)                                               \
    name(u64 seed, u64 first_shoe, u64 shoes, u32 size, u32 burned, u32 behind, u32 shuffles,           \
         u32 specials, u32 near, const u32* __restrict__ new_shoe, const u32* __restrict__ entries,     \
         const u64* __restrict__ deltas, const u32* __restrict__ end_bytes, u64* counts) {                  \
        Job job = {seed, first_shoe, shoes, size, burned, behind, shuffles, specials, near,             \
                   new_shoe, entries, deltas, end_bytes, counts};                                           \
        play(&job, count, is_fresh, room, threadIdx.x, blockDim.x,                                      \
             (u64)blockIdx.x * blockDim.x + threadIdx.x, (u64)gridDim.x * blockDim.x);                  \
    }

KERNEL(play_8, 8, 0)
KERNEL(play_6, 6, 0)
KERNEL(play_fresh_8, 8, 1)
KERNEL(play_fresh_6, 6, 1)
#endif
