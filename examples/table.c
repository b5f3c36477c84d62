/* A table that is filled row by row, as long as there is input. Each assertion holds because of the loop that it is in,
   whatever happened before: `paddock check --gamble` proves them all, although nothing bounds the number of rows. */
#include <assert.h>

#define ROWS 64
#define COLUMNS 200

extern int next(void);

int table[ROWS][COLUMNS];

static int limited(int value)
{
    int result = value < 0 ? 0 : value > 100 ? 100 : value;
    assert(result >= 0 && result <= 100);
    return result;
}

int main(void)
{
    unsigned row = 0, seen = 0;
    while (next()) {
        row = (row + 1) % ROWS;
        for (unsigned column = 0; column < COLUMNS; column++) {
            int percent = limited(next());
            assert(row < ROWS);
            assert(column < COLUMNS);
            table[row][column] = percent;
        }
        seen++;
    }
    return 0;
}
