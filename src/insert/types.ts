/** The input and output of this folder. Offsets count UTF-16 units from the start of the text. */
import type { Span } from '../shared/text/jinja.ts';

export type { Span };

export interface SourceDocument {
  text: string;
  languageId: string;
  /** Path or URI path; only its folders and extension are used. */
  fileName: string;
  isNotebookCell?: boolean;
  /** True for SQL that dbt is known to run, whatever its folder. */
  isDbt?: boolean;
}

export interface TextEdit extends Span {
  text: string;
}

/**
 * The kind of position. The `yaml…` kinds are: inside a block scalar, in the plain or quoted value of a key, at a key
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
  /** The language of the text; for display, without influence on escaping. */
  container: 'file' | 'untitled' | 'notebookCell';
  /** A data model file: braces are member references, and YAML is rendered by Jinja. */
  isDataModel: boolean;
  /** Key of the YAML mapping or property of the JavaScript object whose value is written, if any. */
  key?: string;
  /** True where only warehouse SQL runs: dbt files, and the `sql` of a cube or its members. */
  isWarehouseSql: boolean;
}

/** A warning to show before the text is written. The code is stable; `detail` contains what was found. */
export interface InsertWarning {
  code: WarningCode;
  /** Comma-separated names or code points for the message; may be empty. */
  detail: string;
}
export type WarningCode =
  /** Semantic SQL where only warehouse SQL runs: `MEASURE()` and view names fail there. */
  | 'semanticSql'
  /** Characters that reorder the displayed text, so that SQL does not run as it looks. */
  | 'bidirectionalCharacters'
  | 'invisibleCharacters'
  | 'controlCharacters'
  /** More than one statement where one is expected. */
  | 'multipleStatements'
  /** A line break inside a literal is changed to the file's line end. */
  | 'lineEndsInLiteral'
  /** The cursor is inside a comment, where nothing runs. */
  | 'insideComment'
  /** The cursor is inside a string literal of the SQL file, or inside a Jinja tag. */
  | 'insideLiteral'
  | 'insideJinja'
  /** The mapping already has a `sql` key; a second one is an error. */
  | 'duplicateKey'
  | 'rootKey'
  /** A folded scalar (`>`) was changed to a literal one (`|`), which keeps line breaks. */
  | 'foldedScalar'
  /** Two cursors had the same insertion point; the later one was dropped. */
  | 'overlappingCursors'
  /** Unsupported position: the text can't be adapted and is inserted unchanged. */
  | 'unfittedPlace';

/** The origin of generated SQL, for a comment above it. */
export interface Provenance {
  question: string;
  branch: string;
  identity: string;
  time: number;
  threadId: string;
  toolCallId: string;
}

export interface InsertOptions {
  tabSize: number;
  insertSpaces: boolean;
  eol: '\n' | '\r\n';
  provenance?: Provenance;
  asComment?: boolean;
  /** Names of cubes and views in this workspace, which distinguish semantic from warehouse SQL. */
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
  /** In order, without overlaps; applied as one undo step. */
  edits: readonly TextEdit[];
  warnings: readonly InsertWarning[];
  targets: readonly InsertTarget[];
}
