/** The recent deltas of an item as they came, so that a late or repeated one finds its place. */
import type { Assembly, Fragment } from './model.ts';
import type { MessageFields } from '../wire.ts';

export type Piece = Omit<Fragment, 'previous' | 'depth'>;

/** As many fragments of each of two generations are kept. */
export const GENERATION = 64;

export const fragmentOf = ({ sort, content = '', thinking = '' }: MessageFields, twice = false): Piece => ({
  sort,
  content,
  thinking,
  twice,
});

/** @returns the record with one more fragment at its end, and without the oldest generation where it is full */
export function linked({ last, older }: Assembly, piece: Piece): Pick<Assembly, 'last' | 'older'> {
  const full = last !== undefined && last.depth >= GENERATION;
  const { sort, content, thinking, twice } = piece;
  const previous = full ? undefined : last;
  return {
    last: { sort, content, thinking, twice, previous, depth: (previous?.depth ?? 0) + 1 },
    older: full ? last : older,
  };
}

/** @returns the fragments that are known, in the order in which they came */
export function recent({ last, older }: Assembly): Fragment[] {
  const fragments: Fragment[] = [];
  for (let at = last; at !== undefined; at = at.previous) fragments.push(at);
  if (last !== undefined) for (let at = older; at !== undefined; at = at.previous) fragments.push(at);
  return fragments.reverse();
}

export const isSame = (a: Piece, b: Piece): boolean =>
  a.sort === b.sort && a.content === b.content && a.thinking === b.thinking;
