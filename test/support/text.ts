/** Random text for property tests. */
import fc from 'fast-check';

const isHalf = (point: number): boolean => point >= 0xd800 && point <= 0xdfff;

/** One character, up to a third each of ASCII, two bytes and more. fast-check's `binary` unit takes a second to build. */
const character = fc
  .oneof(fc.nat(0x7f), fc.nat(0xffff), fc.nat(0x10ffff))
  .filter((point) => !isHalf(point))
  .map((point) => String.fromCodePoint(point));

/** Text of any characters, without halves of surrogate pairs. */
export const anyText = (limits: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.string({ unit: character, ...limits });
