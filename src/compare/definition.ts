/** A definition of a cube, a view or a member in a data model file. */

/** The range of the name in its definition, as offsets `[start, end)` in UTF-16 code units. */
export interface DefinitionSpan {
  start: number;
  end: number;
}

/** A definition in a file. */
export interface FoundDefinition extends DefinitionSpan {
  /** Name of the cube or view. */
  owner: string;
  /** Absent for the cube or view itself. */
  member?: string;
  /**
   * Cubes that a view includes, by the last part of their join path; `prefix` if member names get the cube's name as a
   * prefix.
   */
  includes?: readonly { cube: string; prefix: boolean }[];
}
