/** Stubs of the classes and enums of the `vscode` module. */
import { posix } from 'node:path';

type Listener<T> = (event: T) => unknown;

export class Disposable {
  readonly #dispose: () => unknown;

  static from(...all: { dispose(): unknown }[]): Disposable {
    return new Disposable(() => all.forEach((each) => each.dispose()));
  }

  constructor(dispose: () => unknown) {
    this.#dispose = dispose;
  }

  dispose(): void {
    this.#dispose();
  }
}

export class EventEmitter<T> {
  readonly #listeners = new Set<Listener<T>>();

  readonly event = (listener: Listener<T>): Disposable => {
    // A wrapper per subscription, because a listener may be added twice.
    const own: Listener<T> = (event) => listener(event);
    this.#listeners.add(own);
    return new Disposable(() => this.#listeners.delete(own));
  };

  /** Number of listeners. */
  get size(): number {
    return this.#listeners.size;
  }

  fire(event: T): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

export class Uri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;

  static from({ scheme, authority = '', path, query, fragment }: { scheme: string } & Partial<Uri>): Uri {
    return new Uri(scheme, authority, path ?? '', query, fragment);
  }

  static file(path: string): Uri {
    return new Uri('file', '', path);
  }

  static parse(text: string): Uri {
    const [, scheme = 'file', authority = '', path = ''] = /^([a-z][\w+.-]*):(?:\/\/([^/]*))?(.*)$/i.exec(text) ?? [];
    return new Uri(scheme, authority, decodeURIComponent(path));
  }

  static joinPath(base: Uri, ...parts: string[]): Uri {
    return new Uri(base.scheme, base.authority, posix.join(base.path, ...parts));
  }

  constructor(scheme: string, authority: string, path: string, query = '', fragment = '') {
    this.scheme = scheme;
    this.authority = authority;
    this.path = path;
    this.query = query;
    this.fragment = fragment;
  }

  with(change: Partial<Uri>): Uri {
    if (this.authority && change.path && !change.path.startsWith('/')) throw new Error(`No path: ${change.path}`);
    return Uri.from({ ...this, ...change });
  }

  get fsPath(): string {
    return this.path;
  }

  toString(): string {
    return `${this.scheme}://${this.authority}${encodeURI(this.path)}${this.query && `?${this.query}`}${this.fragment && `#${this.fragment}`}`;
  }
}

/** A class that only stores its arguments. */
const plain = () =>
  class {
    readonly values: unknown[];
    constructor(...values: unknown[]) {
      this.values = values;
    }
  };

class ThemeIcon {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}

export const values = {
  Disposable,
  EventEmitter,
  Uri,
  ThemeIcon,
  Range: plain(),
  Position: plain(),
  RelativePattern: plain(),
  Diagnostic: plain(),
  TestTag: plain(),
  TabInputText: plain(),
  TabInputWebview: plain(),
  ViewColumn: { Active: -1, Beside: -2 },
  ProgressLocation: { Notification: 15 },
  StatusBarAlignment: { Left: 1, Right: 2 },
  QuickPickItemKind: { Separator: -1, Default: 0 },
  ConfigurationTarget: { Global: 1 },
  ExtensionMode: { Production: 1, Development: 2, Test: 3 },
  UIKind: { Desktop: 1, Web: 2 },
  TextEditorSelectionChangeKind: { Keyboard: 1, Mouse: 2, Command: 3 },
  TestRunProfileKind: { Run: 1 },
  DiagnosticSeverity: { Error: 0 },
  CodeActionKind: { QuickFix: 'quickfix' },
  FileType: { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 },
  version: '1.139.1',
};
