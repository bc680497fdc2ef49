/* The naive mirror of the classic deck builder, written by hand for this one match-up: a ceiling for
 * engines that read cards and policies from data. Province at 8 coins, else gold at 6, else silver
 * at 3. Results are [first alone, shared, second alone, rounds, turns]. */
#include <stdint.h>

enum { COPPER = 1, SILVER = 2, GOLD = 3, ESTATE = 4, PROVINCE = 5 };

typedef struct {
    uint8_t deck[64], discard[64];
    int decked, discarded, provinces;
    uint8_t hand[5];
} Seat;

static uint64_t state;

static inline uint32_t below(uint32_t n) { /* splitmix64, and Lemire's bounded draw */
    uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (uint32_t)(((z >> 32) * n) >> 32);
}

static inline void draw_hand(Seat *s) {
    for (int i = 0; i < 5; i++) {
        if (s->decked == 0) {
            for (int k = 0; k < s->discarded; k++) s->deck[k] = s->discard[k];
            s->decked = s->discarded;
            s->discarded = 0;
        }
        int j = (int)below((uint32_t)s->decked);
        s->hand[i] = s->deck[j];
        s->deck[j] = s->deck[--s->decked];
    }
}

static inline void set_up(Seat *s) {
    for (int i = 0; i < 10; i++) s->deck[i] = i < 7 ? COPPER : ESTATE;
    s->decked = 10;
    s->discarded = s->provinces = 0;
    draw_hand(s);
}

void play(uint64_t seed, long games, int64_t *results) {
    state = seed;
    for (long g = 0; g < games; g++) {
        Seat seats[2];
        int provinces = 8, silvers = 40, golds = 30, turns = 0;
        set_up(&seats[0]);
        set_up(&seats[1]);
        while (provinces) {
            Seat *s = &seats[turns++ & 1];
            int coins = 0;
            for (int i = 0; i < 5; i++) {
                coins += s->hand[i] <= GOLD ? s->hand[i] : 0;
                s->discard[s->discarded++] = s->hand[i];
            }
            if (coins >= 8) s->discard[s->discarded++] = PROVINCE, s->provinces++, provinces--;
            else if (coins >= 6 && golds) s->discard[s->discarded++] = GOLD, golds--;
            else if (coins >= 3 && silvers) s->discard[s->discarded++] = SILVER, silvers--;
            draw_hand(s);
        }
        int lead = seats[0].provinces - seats[1].provinces;
        /* Of equal points fewer turns win: with an odd number of turns seat 1 has had one more. */
        int outcome = lead > 0 ? 0 : lead < 0 ? 2 : (turns & 1) ? 2 : 1;
        results[outcome]++;
        results[3] += (turns + 1) / 2;
        results[4] += turns;
    }
}
