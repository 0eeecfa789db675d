/** Types of the data model: cubes over tables, and views over cubes. */

export type DimensionType = 'string' | 'number' | 'time' | 'boolean';
export type MeasureType = 'count' | 'count_distinct' | 'sum' | 'avg' | 'min' | 'max' | 'number';
export type Format = 'currency' | 'percent';

interface MemberFields {
  name: string;
  title: string;
  description: string;
  /** SQL with references in braces: `{CUBE}`, `{cube}`, `{member}` or `{cube.member}`. */
  sql: string;
  format?: Format;
  /** Synonyms in questions, in lower case. */
  synonyms: readonly string[];
}
export interface Dimension extends MemberFields {
  kind: 'dimension';
  type: DimensionType;
  primaryKey: boolean;
}
export interface Measure extends MemberFields {
  kind: 'measure';
  type: MeasureType;
  filters: readonly string[];
}
export type Member = Dimension | Measure;

export interface Cube {
  name: string;
  title: string;
  description: string;
  /** A table name, or a query in parentheses. */
  source: string;
  /** Many-to-one joins only, so that no measure of this cube is counted twice. */
  joins: readonly { name: string; sql: string }[];
  members: ReadonlyMap<string, Member>;
}

/** A member under the name that a view gives it. */
export interface ViewMember {
  name: string;
  cube: Cube;
  member: Member;
}
export interface View {
  name: string;
  title: string;
  description: string;
  /** The cube whose rows are the rows of the view. */
  root: Cube;
  members: ReadonlyMap<string, ViewMember>;
}

export interface Model {
  cubes: ReadonlyMap<string, Cube>;
  views: ReadonlyMap<string, View>;
}

/** The value type of a member, `type` in 2.6: counts and sums are numbers, the `max` of a time is a time. */
export function valueType({ member, cube }: ViewMember): DimensionType {
  if (member.kind === 'dimension') return member.type;
  if (member.type !== 'max' && member.type !== 'min') return 'number';
  const source = [...cube.members.values()].find((other) => other.kind === 'dimension' && other.sql === member.sql);
  return source?.kind === 'dimension' ? source.type : 'number';
}
