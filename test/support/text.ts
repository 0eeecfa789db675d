/** Random text for property tests. */
import fc from 'fast-check';

const isHalf = (point: number): boolean => point >= 0xd800 && point <= 0xdfff;

/**
 * One character: ASCII, of the basic plane or of any plane, each as likely. fast-check's own `binary` unit takes a second
 * to build in each test process.
 */
export const anyCharacter = fc
  .oneof(fc.nat(0x7f), fc.nat(0xffff), fc.nat(0x10ffff))
  .filter((point) => !isHalf(point))
  .map((point) => String.fromCodePoint(point));

/** Text of any characters, without halves of surrogate pairs. */
export const anyText = (limits: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.string({ unit: anyCharacter, ...limits });
