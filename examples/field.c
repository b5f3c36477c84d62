/* Arithmetic in the field of the integers modulo p = 2^255 - 19, and scalar multiplication on the curve
   y^2 = x^3 + 486662 x^2 + x over it, as it is used to agree on a key.

   An element is 32 bytes, the least significant first. What is asserted is that every index that a loop computes is
   within the array: 13 assertions, in loops that are nested across calls: the ladder runs 253 times, and what it calls
   inverts with chains of hundreds of multiplications of 32 x 32 bytes each. No bounded verifier unrolls that:

       paddock check examples/field.c                 gives up
       paddock check --gamble examples/field.c        proves all 13, each from the loop that it is in
*/
#include <assert.h>
#include <stdint.h>

#define SIZE 32            /* bytes of an element */
#define LADDER_STEPS 253   /* bits of a scalar below the highest */

typedef uint8_t byte;

static const byte modulus_low = 19;

static const byte one[SIZE] = { 1 };
static const byte base_point[SIZE] = { 9 };

/* ------------------------------------------------------------------------------------------------------------------
   Copying and choosing
   ------------------------------------------------------------------------------------------------------------------ */

static void copy(byte *to, const byte *from)
{
    unsigned i;

    for (i = 0; i < SIZE; i++) {
        assert(i < SIZE);
        to[i] = from[i];
    }
}

/* An element from a small number. */
static void load(byte *to, unsigned value)
{
    unsigned i;

    for (i = 0; i < SIZE; i++) {
        assert(i < SIZE);
        to[i] = (byte)value;
        value >>= 8;
    }
}

/* The first of two elements if the condition is 0, else the second; in the same time for both. */
static void choose(byte *to, const byte *zero, const byte *nonzero, unsigned condition)
{
    const byte mask = (byte)-condition;
    unsigned i;

    for (i = 0; i < SIZE; i++) {
        assert(i < SIZE);
        to[i] = zero[i] ^ (mask & (nonzero[i] ^ zero[i]));
    }
}

/* ------------------------------------------------------------------------------------------------------------------
   Reduction
   ------------------------------------------------------------------------------------------------------------------ */

/* Fold the bits above 2^255, of which there may be many in the highest byte, into the lowest byte. */
static void reduce(byte *x, unsigned carry)
{
    unsigned i;

    x[SIZE - 1] = (byte)(carry & 127);
    carry = (carry >> 7) * modulus_low;
    for (i = 0; i < SIZE; i++) {
        assert(i < SIZE);
        carry += x[i];
        x[i] = (byte)carry;
        carry >>= 8;
    }
}

/* Bring an element into the range from 0 to p - 1. */
static void normalise(byte *x)
{
    byte less_p[SIZE];
    unsigned carry;
    unsigned i;

    /* Once more for what is above 2^255. */
    carry = (unsigned)(x[SIZE - 1] >> 7) * modulus_low;
    x[SIZE - 1] &= 127;
    for (i = 0; i < SIZE; i++) {
        carry += x[i];
        x[i] = (byte)carry;
        carry >>= 8;
    }

    /* Try to subtract p; if there is no borrow, x was not less than it. */
    carry = modulus_low;
    for (i = 0; i + 1 < SIZE; i++) {
        assert(i < SIZE - 1);
        carry += x[i];
        less_p[i] = (byte)carry;
        carry >>= 8;
    }
    carry += (unsigned)x[SIZE - 1] - 128;
    less_p[SIZE - 1] = (byte)carry;

    choose(x, less_p, x, (carry >> 15) & 1);
}

/* ------------------------------------------------------------------------------------------------------------------
   Addition and subtraction
   ------------------------------------------------------------------------------------------------------------------ */

static void add(byte *sum, const byte *a, const byte *b)
{
    unsigned carry = 0;
    unsigned i;

    for (i = 0; i < SIZE; i++) {
        assert(i < SIZE);
        carry >>= 8;
        carry += (unsigned)a[i] + b[i];
        sum[i] = (byte)carry;
    }
    reduce(sum, carry);
}

/* a + 2p - b, so that nothing becomes negative. */
static void subtract(byte *difference, const byte *a, const byte *b)
{
    unsigned carry = 218;
    unsigned i;

    for (i = 0; i + 1 < SIZE; i++) {
        assert(i + 1 < SIZE);
        carry += 65280u + a[i] - b[i];
        difference[i] = (byte)carry;
        carry >>= 8;
    }
    carry += (unsigned)a[SIZE - 1] - b[SIZE - 1];
    reduce(difference, carry);
}

/* ------------------------------------------------------------------------------------------------------------------
   Multiplication
   ------------------------------------------------------------------------------------------------------------------ */

/* By a number of up to 24 bits. */
static void scale(byte *product, const byte *a, uint32_t factor)
{
    uint32_t carry = 0;
    unsigned i;

    for (i = 0; i < SIZE; i++) {
        assert(i < SIZE);
        carry >>= 8;
        carry += factor * (uint32_t)a[i];
        product[i] = (byte)carry;
    }
    reduce(product, carry);
}

/* The product must be in another place than the factors. Byte i of it is the sum of the products of bytes j and i - j,
   and of those that are 2^256 = 38 (mod p) times as high. */
static void multiply(byte *product, const byte *a, const byte *b)
{
    uint32_t carry = 0;
    unsigned i, j;

    for (i = 0; i < SIZE; i++) {
        carry >>= 8;
        for (j = 0; j <= i; j++) {
            assert(i - j < SIZE);
            carry += (uint32_t)a[j] * b[i - j];
        }
        for (; j < SIZE; j++) {
            assert(SIZE + i - j < SIZE);
            carry += (uint32_t)a[j] * b[SIZE + i - j] * 38;
        }
        assert(i < SIZE);
        product[i] = (byte)carry;
    }
    reduce(product, carry);
}

static void square(byte *result, const byte *a)
{
    byte copied[SIZE];

    copy(copied, a);
    multiply(result, copied, copied);
}

/* ------------------------------------------------------------------------------------------------------------------
   Inversion: a^(p - 2), where p - 2 = 2^255 - 21 has 254 binary digits, all of them 1 but the second and the fourth
   ------------------------------------------------------------------------------------------------------------------ */

static void invert(byte *result, const byte *a)
{
    byte power[SIZE];
    unsigned i;

    /* This is 2^254 - 1 squared and multiplied so often that the leading digits are there. */
    square(power, a);
    multiply(result, power, a);
    for (i = 0; i < 248; i++) {
        square(power, result);
        multiply(result, power, a);
    }

    /* The last digits: 01011. */
    square(power, result);
    square(result, power);
    multiply(power, result, a);
    square(result, power);
    square(power, result);
    multiply(result, power, a);
    square(power, result);
    multiply(result, power, a);
}

/* ------------------------------------------------------------------------------------------------------------------
   The curve, with points as fractions x/z
   ------------------------------------------------------------------------------------------------------------------ */

/* Twice a point. */
static void double_point(byte *x3, byte *z3, const byte *x1, const byte *z1)
{
    byte x_squared[SIZE], z_squared[SIZE], both[SIZE], scaled[SIZE], sum[SIZE];

    square(x_squared, x1);
    square(z_squared, z1);
    multiply(both, x1, z1);

    subtract(sum, x_squared, z_squared);
    square(x3, sum);

    scale(scaled, both, 486662);
    add(sum, x_squared, scaled);
    add(scaled, sum, z_squared);
    multiply(sum, both, scaled);
    scale(z3, sum, 4);
}

/* The sum of two points whose difference is known. */
static void add_points(byte *x5, byte *z5,
                       const byte *x1, const byte *z1,    /* the difference */
                       const byte *x2, const byte *z2,
                       const byte *x3, const byte *z3)
{
    byte crossed[SIZE], straight[SIZE], sum[SIZE], difference[SIZE], factor[SIZE];

    subtract(difference, x2, z2);
    add(sum, x3, z3);
    multiply(crossed, difference, sum);

    add(sum, x2, z2);
    subtract(difference, x3, z3);
    multiply(straight, sum, difference);

    add(sum, crossed, straight);
    square(factor, sum);
    multiply(x5, z1, factor);

    subtract(difference, crossed, straight);
    square(factor, difference);
    multiply(z5, x1, factor);
}

/* ------------------------------------------------------------------------------------------------------------------
   Scalar multiplication: Montgomery's ladder
   ------------------------------------------------------------------------------------------------------------------ */

static void multiply_point(byte *result, const byte *scalar, const byte *point)
{
    byte x_m[SIZE], z_m[SIZE];       /* the current multiple, m */
    byte x_m1[SIZE], z_m1[SIZE];     /* the one before it, m - 1 */
    byte next_x[SIZE], next_z[SIZE];
    byte sum_x[SIZE], sum_z[SIZE];
    int i;

    load(z_m, 1);
    load(x_m1, 1);
    load(z_m1, 0);
    copy(x_m, point);

    for (i = LADDER_STEPS; i >= 0; i--) {
        unsigned bit;

        assert(i >= 0 && i / 8 < SIZE);
        bit = (scalar[i >> 3] >> (i & 7)) & 1;

        /* From m - 1 and m to 2m - 1 and 2m. */
        add_points(sum_x, sum_z, point, one, x_m, z_m, x_m1, z_m1);
        double_point(next_x, next_z, x_m, z_m);
        copy(x_m1, sum_x);
        copy(z_m1, sum_z);
        copy(x_m, next_x);
        copy(z_m, next_z);

        /* If the bit is set, to 2m and 2m + 1. */
        add_points(sum_x, sum_z, point, one, x_m, z_m, x_m1, z_m1);
        choose(x_m1, x_m1, x_m, bit);
        choose(z_m1, z_m1, z_m, bit);
        choose(x_m, x_m, sum_x, bit);
        choose(z_m, z_m, sum_z, bit);
    }

    /* From a fraction to an element. */
    invert(z_m1, z_m);
    multiply(result, x_m, z_m1);
    normalise(result);
}

/* ------------------------------------------------------------------------------------------------------------------
   Keys
   ------------------------------------------------------------------------------------------------------------------ */

/* A scalar from 32 random bytes: a multiple of 8 with the highest bit set. */
static void make_scalar(byte *scalar, const byte *random)
{
    copy(scalar, random);
    scalar[0] &= 0xf8;
    scalar[SIZE - 1] = (byte)((scalar[SIZE - 1] & 0x7f) | 0x40);
}

static void public_key(byte *key, const byte *random)
{
    byte scalar[SIZE];

    make_scalar(scalar, random);
    multiply_point(key, scalar, base_point);
}

static void shared_key(byte *key, const byte *random, const byte *other)
{
    byte scalar[SIZE];
    byte cleaned[SIZE];
    unsigned i;

    make_scalar(scalar, random);
    copy(cleaned, other);
    cleaned[SIZE - 1] &= 0x7f;
    multiply_point(key, scalar, cleaned);

    /* Forget what was secret. */
    for (i = SIZE; i > 0; i--) {
        assert(i - 1 < SIZE);
        scalar[i - 1] = 0;
    }
}

/* ------------------------------------------------------------------------------------------------------------------
   Keys as people see them
   ------------------------------------------------------------------------------------------------------------------ */

#define DIGITS (2 * SIZE)

static char digit(unsigned value)
{
    return (char)(value < 10 ? '0' + value : 'a' + value - 10);
}

/* The digits of a key to base 16, the most significant first, and the end of the text. */
static void write_key(char *text, const byte *key)
{
    unsigned i;

    for (i = 0; i < SIZE; i++) {
        const byte two_digits = key[SIZE - 1 - i];

        text[2 * i] = digit(two_digits >> 4);
        text[2 * i + 1] = digit(two_digits & 15);
    }
    text[DIGITS] = '\0';
}

/* Whether two keys are the same; as long as it takes for any two. */
static int is_same(const byte *a, const byte *b)
{
    byte difference = 0;
    unsigned i;

    for (i = 0; i < SIZE; i++)
        difference |= a[i] ^ b[i];
    return difference == 0;
}

extern byte random_byte(void);

int main(void)
{
    byte mine[SIZE], yours[SIZE], my_key[SIZE], your_key[SIZE], agreed[SIZE];
    char text[DIGITS + 1];
    unsigned i;

    for (i = 0; i < SIZE; i++) {
        mine[i] = random_byte();
        yours[i] = random_byte();
    }
    public_key(my_key, mine);
    public_key(your_key, yours);
    shared_key(agreed, mine, your_key);
    write_key(text, agreed);
    return is_same(my_key, your_key) || text[0] == 'f';
}
