/** What the rest of this folder takes and returns. Offsets count UTF-16 units from the start of the text. */

/** A file, an unsaved editor or a notebook cell, as far as insertion cares. */
export interface SourceDocument {
  text: string;
  languageId: string;
  /** Path or URI path; only its folders and extension are looked at. */
  fileName: string;
  /** True for the cell of a notebook. */
  isNotebookCell?: boolean;
  /** True for SQL that dbt is known to run, whatever its folder. */
  isDbt?: boolean;
}

/** A stretch of text; `start === end` is a bare cursor. */
export interface Span {
  start: number;
  end: number;
}

export interface TextEdit extends Span {
  text: string;
}

/**
 * Where the cursor is. The `yaml…` kinds are: inside a block scalar, in the plain or quoted value of a key, at a key
 * without a value, between two keys, and inside `{…}` or `[…]`.
 */
export type TargetKind =
  | 'sql'
  | 'dbtModel'
  | 'dbtMacro'
  | 'yamlBlock'
  | 'yamlScalar'
  | 'yamlEmptyValue'
  | 'yamlBetweenKeys'
  | 'yamlFlow'
  | 'jsTemplate'
  | 'jsString'
  | 'jsCode'
  | 'jsComment'
  | 'pythonString'
  | 'pythonCode'
  | 'pythonComment'
  | 'markdown'
  | 'other';

export interface InsertTarget {
  kind: TargetKind;
  /** What holds the text: decides nothing about escaping, but views say it. */
  container: 'file' | 'untitled' | 'notebookCell';
  /** A file of the data model: braces are member references there, and YAML passes through Jinja. */
  isDataModel: boolean;
  /** Key of the YAML mapping or property of the JavaScript object whose value is written, when there is one. */
  key?: string;
  /** True where only SQL of the warehouse itself runs: dbt files and the `sql` of a cube or of its members. */
  isWarehouseSql: boolean;
}

/** What the user should know before the text is written. The code is stable; `detail` names what was found. */
export interface InsertWarning {
  code: WarningCode;
  /** Names or code points that the message shows, comma separated; may be empty. */
  detail: string;
}
export type WarningCode =
  /** Semantic SQL where only warehouse SQL runs: `MEASURE()` and view names fail there. */
  | 'semanticSql'
  /** Characters that reorder what is shown, so that the SQL does not read as it runs. */
  | 'bidirectionalCharacters'
  /** Characters that take no room on the screen. */
  | 'invisibleCharacters'
  | 'controlCharacters'
  /** More than one statement where one is expected. */
  | 'multipleStatements'
  /** A line break inside a literal becomes the file's own kind of line break. */
  | 'lineEndsInLiteral'
  /** The cursor is inside a comment: nothing there runs. */
  | 'insideComment'
  /** The cursor is inside a string literal of the SQL file, or inside a Jinja tag. */
  | 'insideLiteral'
  | 'insideJinja'
  /** The mapping has a `sql` key already; a second one is an error. */
  | 'duplicateKey'
  | 'rootKey'
  /** A folded scalar (`>`) was made a literal one (`|`), which keeps line breaks. */
  | 'foldedScalar'
  /** Two cursors wanted the same place; the later one was left out. */
  | 'overlappingCursors'
  /** The text could not be fitted to this place in the file and was written as it is. */
  | 'unfittedPlace';

/** Where generated SQL came from, for a comment beside it. */
export interface Provenance {
  question: string;
  branch: string;
  identity: string;
  /** Unix milliseconds. */
  time: number;
  threadId: string;
  toolCallId: string;
}

export interface InsertOptions {
  tabSize: number;
  insertSpaces: boolean;
  eol: '\n' | '\r\n';
  provenance?: Provenance;
  /** Writes the SQL as a comment of the target instead of code. */
  asComment?: boolean;
  /** Names of cubes and views known to this workspace; they tell semantic SQL from warehouse SQL. */
  knownNames?: ReadonlySet<string>;
}

export interface InsertRequest {
  document: SourceDocument;
  selections: readonly Span[];
  sql: string;
  /** `insert` writes at the end of each selection and keeps it; `replace` overwrites it. */
  mode: 'insert' | 'replace';
  options: InsertOptions;
}

export interface InsertPlan {
  /** In order, without overlaps; to be applied as one undo step. */
  edits: readonly TextEdit[];
  warnings: readonly InsertWarning[];
  targets: readonly InsertTarget[];
}
