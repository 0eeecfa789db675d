/** Joins what a further connection brings to the text that was held before: it goes on there, or repeats it. */
import type { Assembly, Joined } from './model.ts';

/** So much of the held text does not come again by chance: it is being repeated. */
const REPETITION = 24;

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}

/**
 * One more piece of a connection's text onto an item's text.
 * @param joined how the text stands to what other connections had brought
 * @param begins how the connection's first line is numbered
 * @returns the text, and how it stands then
 */
export function extend(text: string, joined: Joined, begins: Assembly['begins'], piece: string): [string, Joined] {
  const { held, joint } = joined;
  if (piece === '') return [text, joined];
  if (typeof joint !== 'number') return [text + piece, joined];
  const rest = held.length - joint;
  if (piece.length <= rest && held.startsWith(piece, joint)) return [text, { held, joint: joint + piece.length }];
  if (piece.startsWith(held.slice(joint))) return [held + piece.slice(rest), { held, joint: 'own' }];
  const repeated = joint + commonLength(held.slice(joint), piece);
  // Either the run was repeated and now takes another way, or its beginning only looked like a repetition.
  const isRepetition = begins === 'again' ? repeated > 0 : begins === 'anyhow' && repeated >= REPETITION;
  if (isRepetition) return [held.slice(0, joint) + piece, { held, joint: 'own' }];
  return [held + held.slice(0, joint) + piece, { held, joint: 'follows' }];
}

/** @returns the text of a run that has ended: a few characters that seemed to repeat it, and no more, went on */
export const ended = (text: string, { held, joint }: Joined): string =>
  typeof joint === 'number' && joint < held.length && joint < REPETITION ? text + held.slice(0, joint) : text;
