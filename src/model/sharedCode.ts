/** The macros, variables and functions that cubes and views share, in the same file or through imports. */
import { groupBy } from '../shared/text/groupBy.ts';
import type { SourceFile } from '../shared/text/sourceFile.ts';
import { jinjaTags } from '../shared/text/jinja.ts';
import { oneLine } from '../shared/text/lines.ts';
import { isCode, isModelFile, treeOf } from './members.ts';
import { partsIn, type CodePart, type CodeDefinition, type CodeImport } from './modelNode.ts';

/** Maximum number of files that export each other's names. */
const MOST_EXPORTS = 20;

/** A definition by its file and name, or a file as a whole. */
type Key = string;

const keyOf = (path: string, name = ''): Key => `${path}\0${name}`;
export const pathOfKey = (key: Key): string => key.slice(0, key.indexOf('\0'));

interface FileCode {
  definitions: ReadonlyMap<string, readonly CodeDefinition[]>;
  imports: ReadonlyMap<string, readonly CodeImport[]>;
}

export class SharedCode {
  /** The code of all definitions that are used. */
  readonly texts = new Map<Key, string>();
  readonly #files: ReadonlyMap<string, SourceFile>;
  readonly #codes = new Map<string, FileCode>();
  readonly #uses = new Map<Key, readonly Key[]>();

  /** @param files all files that may be imported */
  constructor(files: readonly SourceFile[]) {
    this.#files = new Map(files.flatMap((file) => (isModelFile(file.path) ? [[file.path, file]] : [])));
  }

  /**
   * @param names used in the file: `amount` or `shared.amount`
   * @returns the definitions that they stand for
   */
  keysOf(path: string, names: readonly string[]): readonly Key[] {
    const keys = [...new Set(names)].flatMap((name) => this.#resolve(path, name));
    const pending = [...keys];
    for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
      if (this.#uses.has(key)) continue;
      const used = this.#read(key);
      this.#uses.set(key, used);
      pending.push(...used);
    }
    return keys;
  }

  /** @returns these definitions, and all that they use */
  closureOf(keys: Iterable<Key>): Set<Key> {
    const found = new Set(keys);
    for (const key of found) for (const used of this.#uses.get(key) ?? []) found.add(used);
    return found;
  }

  /** @returns these definitions, and all that use them */
  usersOf(keys: Iterable<Key>): Set<Key> {
    const users = new Map<Key, Key[]>();
    for (const [key, used] of this.#uses)
      for (const each of used) {
        const known = users.get(each);
        if (known) known.push(key);
        else users.set(each, [key]);
      }
    const found = new Set(keys);
    for (const key of found) for (const user of users.get(key) ?? []) found.add(user);
    return found;
  }

  #resolve(path: string, name: string, depth = 0): Key[] {
    const { definitions, imports } = this.#codeOf(path);
    // The path of an included file is a name too.
    const [first = '', property] = imports.has(name) ? [name] : name.split('.');
    if (definitions.has(first)) return [keyOf(path, first)];
    if (depth > MOST_EXPORTS) return [];
    const reexported = (imports.get('*') ?? []).map((each) => ({ ...each, imported: first }));
    for (const { path: written, imported = property, name: own } of [...(imports.get(first) ?? []), ...reexported]) {
      const target = this.#find(path, written);
      if (target === undefined) continue;
      const found = imported === undefined ? [] : this.#resolve(target, imported, depth + 1);
      if (found.length > 0) return found;
      if (own !== '*') return [keyOf(target)];
    }
    return [];
  }

  /** Reads a definition. @returns the definitions that it uses */
  #read(key: Key): Key[] {
    const path = pathOfKey(key);
    const name = key.slice(path.length + 1);
    const file = this.#files.get(path)!;
    const { definitions, loose, names, imports } = treeOf(file);
    const own = name === '' ? [] : (this.#codeOf(path).definitions.get(name) ?? []);
    const parts: readonly CodePart[] = name === '' ? loose : own;
    // All text of an included template is output.
    const isText = name === '' && !isCode(path);
    this.texts.set(key, isText ? withoutComments(file.text) : parts.map(({ text }) => text).join('\n'));
    const used = parts.flatMap((part) => partsIn(names, part).map((each) => each.name));
    const whole = name === '' ? [...definitions, ...imports].map((each) => each.name) : [];
    return [...new Set([...used, ...whole].flatMap((each) => this.#resolve(path, each)))];
  }

  #codeOf(path: string): FileCode {
    const known = this.#codes.get(path);
    if (known) return known;
    const file = this.#files.get(path);
    const { definitions = [], imports = [] } = file ? treeOf(file) : {};
    const code = {
      definitions: groupBy(definitions, ({ name }) => name),
      imports: groupBy(imports, ({ name }) => name),
    };
    this.#codes.set(path, code);
    return code;
  }

  /** @returns the file that an import means, relative to its own folder or to one above, such as that of the model */
  #find(path: string, written: string): string | undefined {
    const folders = path.split('/').slice(0, -1);
    for (; ; folders.pop()) {
      const target = joined(folders, written);
      const found = ['', '.js', '.ts', '.mjs', '.cjs', '/index.js', '/index.ts']
        .map((end) => target + end)
        .find((each) => this.#files.has(each));
      if (found !== undefined) return found;
      if (folders.length === 0) return undefined;
    }
  }
}

/** @returns the text of a template on one line, without its comments */
function withoutComments(text: string): string {
  const comments = jinjaTags(text).filter(({ start }) => text[start + 1] === '#');
  const rest = [...comments, { start: text.length, end: text.length }];
  return oneLine(rest.map(({ start }, index) => text.slice(comments[index - 1]?.end ?? 0, start)).join(''));
}

function joined(folders: readonly string[], written: string): string {
  const parts = [...folders];
  for (const part of written.split('/'))
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  return parts.join('/');
}
