/** Parses a YAML model file, with or without Jinja. */
import { isAlias, isMap, isScalar, isSeq, parseDocument, type Document } from 'yaml';
import { hasJinja } from '../shared/text/jinja.ts';
import { lineAt, oneLine } from '../shared/text/lines.ts';
import { aliasTargets } from '../shared/text/yamlAliases.ts';
import { isOutput, readJinja, type JinjaCode } from './jinjaCode.ts';
import {
  entryOf,
  partsIn,
  type CodePart,
  type ModelEntry,
  type ModelNode,
  type ModelOwner,
  type ModelTree,
} from './modelNode.ts';

const NO_CODE = { tags: [], definitions: [], imports: [], names: [] };
/** Maximum depth of nesting, because aliases may be circular. */
const MOST_DEPTH = 40;
/** Maximum number of characters that are read through aliases, because they may expand exponentially. */
const MOST_ALIASED = 1_000_000;

export function parseYamlModel(text: string): ModelTree {
  const jinja: JinjaCode = hasJinja(text) ? readJinja(text) : { masked: text, ...NO_CODE };
  const { masked, tags, definitions, imports, names } = jinja;
  const code = { loose: tags, definitions, imports, names };
  // Text with an open brace for each level takes the parser long, and the template engine rejects it anyway.
  if (jinja.error !== undefined) return { owners: [], ...code, generated: [], error: jinja.error };
  const document = parseDocument(masked, { prettyErrors: false, uniqueKeys: false });
  const reader = new Reader(text, document);
  const root = reader.node(document.contents, 0);
  const found = (['cube', 'view'] as const).flatMap((kind) =>
    root ? ownersIn(entryOf(root, `${kind}s`)?.value, kind, jinja) : [],
  );
  const owners = withTagsAtEnd(found, text, tags);
  const error = document.errors[0]?.pos[0] ?? (hasJinja(text) ? undefined : reader.duplicateKey);
  return { owners, ...code, generated: generatedIn(owners, jinja), ...(error === undefined ? {} : { error }) };
}

/** @returns the maps in a list by their `name`, or the entries of a map by their keys */
function ownersIn(node: ModelNode | undefined, kind: ModelOwner['kind'], jinja: JinjaCode): ModelOwner[] {
  if (node?.entries) return node.entries.map(({ key, start, value }) => ({ kind, name: key, start, node: value }));
  return (node?.items ?? []).flatMap((item) => {
    const name = entryOf(item, 'name')?.value;
    if (name?.text !== undefined) return [{ kind, name: name.text, start: name.start, node: item }];
    const head = item.entries && headOf(item, jinja);
    return head ? [{ kind, name: nameIn(head, jinja), start: head.start, node: { ...item, start: head.start } }] : [];
  });
}

/** @returns the expression that generates the first entries of a map: `- {{ model.as_cube() }}` */
function headOf({ start }: ModelNode, { tags, masked }: JinjaCode): CodePart | undefined {
  const before = tags.findLast((tag) => tag.end <= start);
  if (!before?.text.startsWith('{{')) return undefined;
  return /^[\s#]*$/.test(masked.slice(before.start, start)) ? before : undefined;
}

/** @returns the first string of the expression or its variables, such as the name of a dbt model; else its text */
function nameIn(head: CodePart, { definitions, names }: JinjaCode): string {
  const used = names.filter(({ start }) => start === head.start).map(({ name }) => name.split('.')[0]);
  const sources = [head, ...definitions.filter(({ name }) => used.includes(name))];
  const [name] = sources.flatMap(({ text }) => /["']([\w.]+)["']/.exec(text)?.[1] ?? []);
  return name === undefined ? head.text : name.slice(name.lastIndexOf('.') + 1);
}

/** Extends each cube or view by the tags behind its last entry that are indented like its keys, or deeper. */
function withTagsAtEnd(owners: readonly ModelOwner[], text: string, tags: readonly CodePart[]): ModelOwner[] {
  const inOrder = owners.toSorted((left, right) => left.node.start - right.node.start);
  const column = (offset: number): number => offset - lineAt(text, offset).start;
  return inOrder.map((owner, index) => {
    const { start, end } = owner.node;
    const limit = inOrder[index + 1]?.node.start ?? text.length;
    const behind = partsIn(tags, { start: end, end: limit }).filter((tag) => column(tag.start) >= column(start));
    return { ...owner, node: { ...owner.node, end: Math.max(end, behind.at(-1)?.end ?? 0) } };
  });
}

/** @returns the expressions outside of cubes and views, and those of which the name is an expression */
function generatedIn(owners: readonly ModelOwner[], { tags, masked }: JinjaCode): CodePart[] {
  const unnamed = owners.filter(({ name }) => hasJinja(name)).map(({ node: { start, end } }) => ({ start, end }));
  const outside = tags.filter(
    (tag) => isOutput(tag) && !owners.some(({ node }) => tag.start >= node.start && tag.start < node.end),
  );
  return [...unnamed.map((range) => ({ ...range, text: masked.slice(range.start, range.end) })), ...outside];
}

class Reader {
  /** Offset of a key that occurs twice in a map. */
  duplicateKey: number | undefined;
  readonly #text: string;
  readonly #targets: ReturnType<typeof aliasTargets>;
  readonly #hasTags: boolean;
  #aliased = 0;

  constructor(text: string, document: Document) {
    this.#text = text;
    this.#targets = aliasTargets(document);
    this.#hasTags = hasJinja(text);
  }

  node(found: unknown, depth: number): ModelNode | undefined {
    const node = isAlias(found) ? this.#target(found) : found;
    if (depth > MOST_DEPTH || !(isScalar(node) || isMap(node) || isSeq(node))) return undefined;
    const [start = 0, end = start] = node.range ?? [];
    if (isSeq(node)) return { start, end, items: node.items.flatMap((item) => this.node(item, depth + 1) ?? []) };
    if (isScalar(node)) {
      const text = this.#textOf(String(node.value ?? ''), start, end);
      return { start: node.type?.startsWith('QUOTE') ? start + 1 : start, end, text };
    }
    const entries = new Map<string, ModelEntry>();
    const own = new Set<string>();
    for (const pair of node.items) {
      const key = this.node(pair.key, depth + 1);
      if (key?.text === undefined) continue;
      const value = this.node(pair.value, depth + 1) ?? { start: key.end, end: key.end, text: '' };
      if (key.text !== '<<' && own.has(key.text)) this.duplicateKey ??= key.start;
      own.add(key.text);
      for (const entry of key.text === '<<' ? mergedEntries(value) : [{ key: key.text, start: key.start, value }]) {
        // The last entry of a key counts, also its position among the keys.
        entries.delete(entry.key);
        entries.set(entry.key, entry);
      }
    }
    return { start, end, entries: [...entries.values()] };
  }

  #target(alias: unknown): unknown {
    const target = this.#targets.get(alias);
    const [start = 0, end = start] = target?.range ?? [];
    this.#aliased += end - start;
    return this.#aliased > MOST_ALIASED ? undefined : target;
  }

  /** @returns the original text of a value that contains masked Jinja */
  #textOf(value: string, start: number, end: number): string {
    if (!this.#hasTags) return value;
    const source = this.#text.slice(start, end);
    return hasJinja(source) ? oneLine(source) : value;
  }
}

/** @returns the entries of a merge key, a map or a list of maps; later entries override them */
const mergedEntries = (value: ModelNode): ModelEntry[] =>
  (value.items ?? [value]).flatMap(({ entries = [] }) => entries);
