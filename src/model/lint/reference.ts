/** A reference to the data model, wherever it is written: in a model file, in SQL or in a list of names. */

/** A name and its offset in the file, in UTF-16 code units. */
export interface NamePart {
  name: string;
  start: number;
}

export interface Reference {
  /** The parts of a path such as `orders.customers.city`; a quoted name without its quotes. */
  parts: readonly NamePart[];
  /** The cubes and views of which the first part may be a member; undefined for any of them. */
  owners: readonly string[] | undefined;
  /** Whether the first part may also be a cube or view. */
  isPath: boolean;
  /** A single part that can't be a member, such as the cube of a join. */
  isOwner?: true;
  /** Whether a dot follows a single part in braces, as behind a joined cube: `{customers}.id`. */
  isTable?: true;
}

const NAME = /[A-Za-z_]\w*/g;

/**
 * @param path names with dots between them
 * @param start offset of the path in the file
 */
export const namePartsOf = (path: string, start: number): NamePart[] =>
  [...path.matchAll(NAME)].map(({ 0: name, index }) => ({ name, start: start + index }));
