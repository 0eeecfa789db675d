/** A random sample of the mutants, the same for the same seed. */
import { createHash } from 'node:crypto';

export interface Sample {
  /** Of all mutants. */
  percent: number;
  seed: string;
}

export interface Position {
  line: number;
  column: number;
}

/** What identifies a mutant, whichever process numbers it. */
export interface Identified {
  fileName: string;
  location: { start: Position; end: Position };
  mutatorName: string;
  replacement?: string | undefined;
}

/** @returns the path from `src/` on; Stryker works on a copy of the repository */
export const sourceOf = ({ fileName }: Pick<Identified, 'fileName'>): string =>
  fileName.replaceAll('\\', '/').replace(/^.*\/(?=src\/)/, '');

export function isSampled({ percent, seed }: Sample, mutant: Identified): boolean {
  const { location, mutatorName, replacement } = mutant;
  const positions = [location.start, location.end].map(({ line, column }) => [line, column]);
  const id = JSON.stringify([seed, sourceOf(mutant), positions, mutatorName, replacement]);
  return createHash('sha256').update(id).digest().readUInt32BE() < (percent / 100) * 2 ** 32;
}
