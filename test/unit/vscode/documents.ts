/** Stubs of text documents and their editors, with the positions of VS Code. */
import { Uri } from '../../support/editorValues.ts';

/** @returns the URI of a file or folder; those in the folder “bank” are on another file system */
export const uriAt = (path: string): Uri =>
  `${path}/`.startsWith('/bank/') ? new Uri('vscode-vfs', 'github', path) : Uri.file(path);
/** @returns the path of a file; one that no file has for a URI of the wrong file system */
export const pathOf = (uri: Uri): string =>
  uri.scheme === 'file' && uriAt(uri.path).scheme !== 'file' ? String(uri) : uri.path;

/** A class of VS Code that keeps its arguments under these names. */
export const keeping = (...names: string[]) =>
  class {
    constructor(...values: unknown[]) {
      names.forEach((name, at) => Object.assign(this, { [name]: values[at] }));
    }
  };
export const parts = {
  CodeAction: keeping('title', 'kind'),
  CodeLens: keeping('range', 'command'),
  CompletionItem: keeping('label', 'kind'),
  CompletionItemKind: { Field: 4, Class: 6, Property: 9 },
  Diagnostic: keeping('range', 'message', 'severity'),
  DiagnosticRelatedInformation: keeping('location', 'message'),
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  Hover: keeping('contents', 'range'),
  Location: keeping('uri', 'range'),
};

/** A problem that is shown. */
export interface Problem {
  range: Range;
  message: string;
  severity: number;
  source?: string;
  relatedInformation?: { location: { uri: Uri; range: Position }; message: string }[];
}

export class Position {
  readonly line: number;
  readonly character: number;
  constructor(line: number, character: number) {
    [this.line, this.character] = [line, character];
  }
  with({ line = this.line, character = this.character }: { line?: number; character?: number }): Position {
    return new Position(line, character);
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(...at: [Position, Position] | [number, number, number, number]) {
    const [start, end] = at.length === 2 ? at : [new Position(at[0], at[1]), new Position(at[2], at[3])];
    const isReversed = start.line > end.line || (start.line === end.line && start.character > end.character);
    [this.start, this.end] = isReversed ? [end, start] : [start, end];
  }
  get isEmpty(): boolean {
    return this.start.line === this.end.line && this.start.character === this.end.character;
  }
}

export class Selection extends Range {
  get active(): Position {
    return this.end;
  }
}

interface Replacement {
  range: Range;
  text: string;
}

export class WorkspaceEdit {
  readonly changes: (Replacement & { uri: Uri })[] = [];
  /** The texts of new files by path. */
  readonly created = new Map<string, string>();
  createFile({ path }: Uri, { contents }: { contents: Uint8Array }): void {
    this.created.set(path, new TextDecoder().decode(contents));
  }
  replace(uri: Uri, range: Range, text: string): void {
    this.changes.push({ uri, range, text });
  }
  /** The changes as `path:line text`. */
  get edits(): string[] {
    return this.changes.map(({ uri, range, text }) => `${uri.path}:${range.start.line + 1} ${text}`);
  }
}

export class TextDocument {
  readonly uri: Uri;
  readonly eol: number;
  text: string;
  languageId: string;
  version = 1;
  isClosed = false;
  /** VS Code accepts the edits of a read-only document, and drops them. */
  isReadOnly = false;
  isDirty = false;
  onSave = (): void => undefined;

  constructor(uri: string | Uri, text: string, languageId = 'sql') {
    this.uri = typeof uri === 'string' ? uriAt(uri) : uri;
    this.eol = text.includes('\r\n') ? 2 : 1;
    [this.text, this.languageId] = [text, languageId];
  }

  get lineCount(): number {
    return this.text.split('\n').length;
  }
  getText(range?: Range): string {
    return range ? this.text.slice(this.offsetAt(range.start), this.offsetAt(range.end)) : this.text;
  }
  lineAt(line: number): { text: string; range: Range } {
    const text = this.text.split(/\r?\n/)[line] ?? '';
    return { text, range: new Range(line, 0, line, text.length) };
  }
  offsetAt({ line, character }: Position): number {
    const before = this.text.split('\n').slice(0, line).join('\n');
    return Math.min(this.text.length, before.length + (line > 0 ? 1 : 0) + character);
  }
  positionAt(offset: number): Position {
    const lines = this.text.slice(0, offset).split('\n');
    return new Position(lines.length - 1, lines.at(-1)!.length);
  }

  save(): Promise<boolean> {
    this.isDirty = false;
    this.onSave();
    return Promise.resolve(true);
  }

  change(changes: readonly Replacement[]): void {
    if (this.isReadOnly || changes.length === 0) return;
    this.version += 1;
    this.isDirty = true;
    this.text = changes
      .map(({ range, text }) => ({ start: this.offsetAt(range.start), end: this.offsetAt(range.end), text }))
      .sort((left, right) => right.start - left.start)
      .reduce((all, { start, end, text }) => all.slice(0, start) + text + all.slice(end), this.text);
  }
}

export class TextEditor {
  readonly document: TextDocument;
  readonly viewColumn: number | undefined;
  readonly options: object = {};
  selections: Selection[];
  /** The last position that was scrolled to. */
  revealed: Range | undefined;
  /** Where the last edit can be undone. */
  stops: object | undefined;
  /** A side of a diff editor can't be edited. */
  isSide = false;

  /** @param at offsets of cursors, or of the start and end of selections */
  constructor(document: TextDocument, at: readonly (number | [number, number])[] = [0], viewColumn?: number) {
    [this.document, this.viewColumn] = [document, viewColumn];
    this.selections = at.map((each) => {
      const [start, end] = typeof each === 'number' ? [each, each] : each;
      return new Selection(document.positionAt(start), document.positionAt(end));
    });
  }

  get selection(): Selection {
    return this.selections[0]!;
  }
  set selection(selection: Selection) {
    this.selections = [selection];
  }
  revealRange(range: Range): void {
    this.revealed = range;
  }

  edit(make: (edit: object) => void, stops?: object): Promise<boolean> {
    this.stops = stops;
    if (this.isSide) return Promise.reject(new Error('TextEditor#edit not possible on closed editors'));
    const changes: Replacement[] = [];
    const replace = (range: Range, text: string): void => void changes.push({ range, text });
    make({ replace, insert: (at: Position, text: string) => replace(new Range(at, at), text) });
    this.document.change(changes);
    return Promise.resolve(true);
  }
}
