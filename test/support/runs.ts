/** Whether this is `npm run test:full`, which the release workflow runs. */
export const isFull = process.env['TEST_FULL'] === '1';

/** Whether this is `npm run mutation`, which repeats the tests for every fault. */
const isBrief = process.env['TEST_BRIEF'] === '1';

/** Distance between the offsets of a text that a test tries: every offset in `npm run test:full`. */
export const sparse = isFull ? 1 : isBrief ? 7 : 6;

/** @returns the number of repetitions of a test with random or exhaustive input: `few` in `npm test` */
export const runs = (few: number, many = few * 20): number => (isFull ? many : isBrief ? Math.ceil(few / 5) : few);
