/** Parses a YAML model file, with or without Jinja. */
import { oneLine } from '../shared/text/lines.ts';
import { isAlias, isMap, isScalar, isSeq, parseDocument, type Document } from 'yaml';
import { aliasTargets } from '../shared/text/yamlAliases.ts';
import {
  entryOf,
  type LooseText,
  type ModelEntry,
  type ModelNode,
  type ModelOwner,
  type ModelTree,
} from './modelNode.ts';

const JINJA = /\{\{[^{}]*\}\}|\{%[^%]*%\}|\{#[^#]*#\}/g;
const TAG = /\{[{%]/;
/** Replaces the characters of a Jinja expression: printable, and not used in models. */
const MASK = '\ue000';
/** Maximum depth of nesting, because aliases may be circular. */
const MOST_DEPTH = 40;
/** Maximum number of characters that are read through aliases, because they may expand exponentially. */
const MOST_ALIASED = 1_000_000;

export function parseYamlModel(text: string): ModelTree {
  const { masked, loose } = maskJinja(text);
  const document = parseDocument(masked, { prettyErrors: false, uniqueKeys: false });
  const reader = new Reader(text, document);
  const root = reader.node(document.contents, 0);
  const owners = root
    ? [...ownersIn(entryOf(root, 'cubes')?.value, 'cube'), ...ownersIn(entryOf(root, 'views')?.value, 'view')]
    : [];
  return { owners, loose };
}

/** @returns the maps in a list by their `name`, or the entries of a map by their keys */
function ownersIn(node: ModelNode | undefined, kind: ModelOwner['kind']): ModelOwner[] {
  if (node?.entries) return node.entries.map(({ key, start, value }) => ({ kind, name: key, start, node: value }));
  return (node?.items ?? []).flatMap((item) => {
    const name = entryOf(item, 'name')?.value;
    return name?.text === undefined ? [] : [{ kind, name: name.text, start: name.start, node: item }];
  });
}

/** Replaces Jinja by text of the same length that YAML can parse. */
function maskJinja(text: string): { masked: string; loose: LooseText[] } {
  const loose: LooseText[] = [];
  const masked = text.replace(JINJA, (tag, start: number) => {
    const isExpression = tag.startsWith('{{');
    if (!isExpression && !tag.startsWith('{#')) loose.push({ start, end: start + tag.length, text: tag });
    return tag.replace(/[^\r\n]/g, isExpression ? MASK : ' ');
  });
  return { masked, loose };
}

class Reader {
  readonly #text: string;
  readonly #targets: ReturnType<typeof aliasTargets>;
  #aliased = 0;

  constructor(text: string, document: Document) {
    this.#text = text;
    this.#targets = aliasTargets(document);
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
    const entries = node.items.flatMap((pair): ModelEntry[] => {
      const key = this.node(pair.key, depth + 1);
      if (key?.text === undefined) return [];
      const value = this.node(pair.value, depth + 1) ?? { start: key.end, end: key.end, text: '' };
      return key.text === '<<' ? mergedEntries(value) : [{ key: key.text, start: key.start, value }];
    });
    return {
      start,
      end,
      entries: entries.filter(({ key }, at) => entries.findLastIndex((each) => each.key === key) === at),
    };
  }

  #target(alias: unknown): unknown {
    const target = this.#targets.get(alias);
    const [start = 0, end = start] = target?.range ?? [];
    this.#aliased += end - start;
    return this.#aliased > MOST_ALIASED ? undefined : target;
  }

  /** @returns the original text of a value that contains masked Jinja */
  #textOf(value: string, start: number, end: number): string {
    const source = this.#text.slice(start, end);
    return TAG.test(source) ? oneLine(source) : value;
  }
}

/** @returns the entries of a merge key, a map or a list of maps; later entries override them */
const mergedEntries = (value: ModelNode): ModelEntry[] =>
  (value.items ?? [value]).flatMap(({ entries = [] }) => entries);
