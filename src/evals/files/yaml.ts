/**
 * Reads YAML with positions, so that every error has a line, and writes scalars. Nodes are traversed directly, so that
 * no key can reach a prototype.
 */
import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { t } from '../../shared/text/l10n.ts';
import { aliasTargets } from '../../shared/text/yamlAliases.ts';
import type { Range, SourceFile } from '../../shared/text/sourceFile.ts';
import type { Problem } from '../question.ts';

const MERGE = '<<';
/** Maximum number of maps that `<<` merges into one: each lookup of a key may search all of them. */
const MOST_MERGED = 100;

export class YamlFile {
  readonly path: string;
  readonly #document: Document;
  readonly #targets: ReadonlyMap<unknown, Node>;
  /** The first pair of each map with a key. */
  readonly #pairs = new Map<YAMLMap, Map<string | undefined, Pair>>();
  readonly #merged = new Map<YAMLMap, readonly YAMLMap[]>();
  readonly #lines = new LineCounter();
  readonly #firstLine: number;
  readonly #problems: Problem[];
  readonly #isBroken: boolean;

  /**
   * @param problems collects every error
   * @param firstLine line of the file at which the YAML starts (front matter)
   */
  constructor({ path, text }: SourceFile, problems: Problem[], firstLine = 0) {
    this.path = path;
    this.#problems = problems;
    this.#firstLine = firstLine;
    // The library's own check for duplicate keys takes the square of their number.
    const options = { lineCounter: this.#lines, prettyErrors: false, uniqueKeys: false };
    try {
      this.#document = parseDocument(text, options);
      this.#targets = aliasTargets(this.#document);
      visit(this.#document, { Map: (_, map) => this.#indexKeys(map) });
    } catch (failure) {
      if (!(failure instanceof RangeError)) throw failure;
      this.#document = parseDocument('', options);
      this.#targets = new Map();
      this.#add(this.#rangeAt(0, 0), t('YAML: {0}', t('The file is nested too deeply.')));
      this.#isBroken = true;
      return;
    }
    const { errors } = this.#document;
    for (const { code, message, pos } of errors)
      this.#add(
        this.#rangeAt(pos[0], pos[1]),
        code === 'MULTIPLE_DOCS'
          ? t('Only the first YAML document of a file is read. Remove this “---” line.')
          : t('YAML: {0}', message),
      );
    this.#isBroken = errors.length > 0;
  }

  get root(): Node | undefined {
    return this.#resolved(this.#document.contents);
  }

  /** Adds an error at a node; after a syntax error, later errors are not reported. */
  report(node: Node | undefined, message: string): void {
    if (!this.#isBroken) this.#add(this.rangeOf(node), message);
  }

  rangeOf(node: Node | undefined): Range {
    const [start = 0, end = start] = node?.range ?? [];
    return this.#rangeAt(start, end);
  }

  /** @returns the value of a key, or else the one that `<<` merges */
  member(map: YAMLMap, key: string): Node | undefined {
    for (const each of this.#mergedInto(map)) {
      const pair = this.#pairIn(each, key);
      if (pair) return this.#resolved(pair.value);
    }
    return undefined;
  }

  /** @returns the keys of a map and of those that `<<` merges, each once; undefined for a key that is not text */
  keysOf(map: YAMLMap): (string | undefined)[] {
    const keys = new Set(this.#mergedInto(map).flatMap((each) => [...(this.#pairs.get(each)?.keys() ?? [])]));
    keys.delete(MERGE);
    return [...keys];
  }

  /** @returns the map, then those that `<<` merges into it, in the order in which they are searched for a key */
  #mergedInto(map: YAMLMap): readonly YAMLMap[] {
    const known = this.#merged.get(map);
    if (known) return known;
    const found = new Set<YAMLMap>();
    const add = (each: Node | undefined): void => {
      // An alias may be circular.
      if (!isMap(each) || found.has(each) || found.size > MOST_MERGED) return;
      found.add(each);
      const merged = this.#resolved(this.#pairIn(each, MERGE)?.value);
      for (const one of isSeq(merged) ? merged.items.slice(0, MOST_MERGED) : [merged]) add(this.#resolved(one));
    };
    add(map);
    this.#merged.set(map, [...found]);
    return [...found];
  }

  /** @returns the entries of a list; empty for anything else */
  entries(node: Node | undefined): Node[] {
    return isSeq(node) ? node.items.flatMap((item) => this.#resolved(item) ?? []) : [];
  }

  #pairIn(map: YAMLMap, key: string): Pair | undefined {
    return this.#pairs.get(map)?.get(key);
  }

  #indexKeys(map: YAMLMap): void {
    const pairs = new Map<string | undefined, Pair>();
    this.#pairs.set(map, pairs);
    for (const pair of map.items) {
      const key = this.#resolved(pair.key);
      // In a document of YAML 1.1, the library has a symbol for the key that merges.
      const name = isScalar(key) && typeof key.value === 'symbol' ? MERGE : scalarText(key);
      if (!pairs.has(name)) pairs.set(name, pair);
      else if (name !== undefined) this.#add(this.rangeOf(key), t('YAML: {0}', 'Map keys must be unique'));
    }
  }

  #resolved(node: unknown): Node | undefined {
    const found = isAlias(node) ? this.#targets.get(node) : node;
    return isNode(found) ? found : undefined;
  }

  #rangeAt(start: number, end: number): Range {
    const at = (offset: number) => {
      const { line, col } = this.#lines.linePos(offset);
      return { line: Math.max(0, line - 1) + this.#firstLine, character: Math.max(0, col - 1) };
    };
    return { start: at(start), end: at(end) };
  }

  #add(range: Range, message: string): void {
    this.#problems.push({ path: this.path, range, message });
  }
}

/** @returns the text of a scalar without surrounding white space; `undefined` for null, blanks and collections */
export function scalarText(node: Node | undefined): string | undefined {
  if (!isScalar(node) || node.value === null) return undefined;
  const text = typeof node.value === 'string' ? node.value.trim() : sourceOf(node);
  return text === '' ? undefined : text;
}

/** Whether a scalar is true, in the notation of its version of YAML. */
export const isTrue = (node: Node | undefined): boolean =>
  isScalar(node) && (node.value === true || scalarText(node) === 'true');

/** @returns the source text of a plain scalar, for example every digit of a number */
export const sourceOf = (node: Scalar): string => node.source ?? String(node.value);

/** @returns a JSON string, which is valid YAML once three line ends that JSON allows are escaped */
export const quotedScalar = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u0085\u2028\u2029]/g,
    (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** @returns plain words unquoted, other text quoted */
export const yamlScalar = (value: string): string =>
  /^[\p{L}_][\p{L}\p{N}_ ,?()%/’'-]*$/u.test(value) && !RESERVED.test(value) ? value : quotedScalar(value);
