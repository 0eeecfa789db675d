/** Parses YAML into its keys and list items, with their positions and values. */
import { isAlias, isCollection, isPair, isScalar, parseAllDocuments, type CST, type Node } from 'yaml';

/** Offsets of a value with its quotes, of a block scalar with its header and content, or of a flow collection. */
export interface YamlValue {
  start: number;
  end: number;
  style: 'plain' | 'quoted' | 'alias' | 'block' | 'flow';
}

/** A `key: value` or `- item` in block or flow style, or the value of a document without entries. */
export interface YamlEntry {
  /** Undefined for an item and for the value of a document. */
  key: string | undefined;
  /** Keys from the root, with `-` for items. */
  path: string;
  /** Offset of the key, the dash, or what precedes the key: `?`, an anchor or a tag. */
  start: number;
  /** Column of `start`; -1 for the value of a document, which needs no indentation. */
  column: number;
  /** Offset after the colon or dash and its anchor or tag. */
  gap: number;
  /** The value, unless it is missing or a block collection. */
  value: YamlValue | undefined;
  /** The parsed value with its anchor and tag; undefined if entries are below. */
  text: string | undefined;
  /** Offset of the end of the entry, including everything below it. */
  end: number;
  inFlow: boolean;
  parent: YamlEntry | undefined;
  siblings: YamlEntry[];
}

export interface YamlTree {
  entries: YamlEntry[];
  errors: number;
  documents: number;
}

/** The offset after an indicator and the anchor or tag on its line. */
function gapBehind(tokens: readonly CST.SourceToken[], indicator: CST.SourceToken): number {
  let gap = indicator.offset + indicator.source.length;
  for (const { type, offset, source } of tokens.slice(tokens.indexOf(indicator) + 1)) {
    if (type === 'anchor' || type === 'tag') gap = offset + source.length;
    else if (type !== 'space') break;
  }
  return gap;
}

function styleOf(node: Node | null): YamlValue['style'] | undefined {
  if (isAlias(node)) return 'alias';
  if (isScalar(node)) return node.type?.startsWith('BLOCK') ? 'block' : node.type === 'PLAIN' ? 'plain' : 'quoted';
  return isCollection(node) && node.flow ? 'flow' : undefined;
}

function valueOf(node: Node | null, text: string): YamlValue | undefined {
  const [start = 0, end = 0] = node?.range ?? [];
  const style = styleOf(node);
  if (style === undefined || start === end) return undefined;
  // Line breaks after a block scalar are not part of its content.
  return { start, end: style === 'block' ? start + text.slice(start, end).trimEnd().length : end, style };
}

/** @returns the value with its anchor and tag; undefined for a non-empty collection */
function textOf(node: Node | null): string | undefined {
  if (isAlias(node)) return ` \0*${node.source}`;
  if (isScalar(node)) return `${node.anchor ?? ''} ${node.tag ?? ''}\0${String(node.value ?? '')}`;
  return node === null || node.items.length === 0 ? '\0' : undefined;
}

/** @returns the columns per level, from the first entry below a key; undefined if there is none */
export function stepIn({ entries }: YamlTree): number | undefined {
  const steps = entries.map(({ column, inFlow, parent }) =>
    inFlow || parent?.key === undefined ? 0 : column - parent.column,
  );
  return steps.find((step) => step > 0);
}

/** Parses with `yaml`, which also returns a tree for text with errors. */
export function parseYaml(text: string): YamlTree {
  const tree: YamlTree = { entries: [], errors: 0, documents: 0 };
  const add = (node: Node | null, at: Omit<YamlEntry, 'path' | 'value' | 'text' | 'end'>): void => {
    const value = valueOf(node, text);
    const path = `${at.parent?.path ?? ''}/${at.key ?? '-'}`;
    const entry = { ...at, path, value, text: textOf(node), end: value?.end ?? at.gap };
    at.siblings.push(entry);
    tree.entries.push(entry);
    addItems(node, entry);
    if (value === undefined) entry.end = tree.entries.at(-1)?.end ?? entry.end;
  };
  const addItems = (node: Node | null, parent?: YamlEntry): void => {
    if (!isCollection(node)) return;
    const inFlow = node.flow === true;
    const siblings: YamlEntry[] = [];
    const tokens = node.srcToken as CST.BlockSequence | CST.FlowCollection | undefined;
    for (const [index, item] of node.items.entries()) {
      const pair = isPair<Node, Node | null>(item) ? item : undefined;
      const own = pair?.key ?? (item as Node);
      const { start: lead = [], sep = [] } = (pair ? pair.srcToken : tokens?.items[index]) ?? {};
      const mark = lead.find(({ type }) => /^(explicit-key-ind|seq-item-ind|anchor|tag)$/.test(type));
      const indicator = sep.find(({ type }) => type === 'map-value-ind') ?? mark;
      // Text without a colon is an error, except in a flow collection.
      if (indicator === undefined && !inFlow) continue;
      const [begin = 0, end = 0] = own.range ?? [];
      const start = mark?.offset ?? begin;
      const column = start - (text.lastIndexOf('\n', start - 1) + 1);
      const key = pair && (isScalar(own) ? String(own.value) : '');
      const gap = indicator ? gapBehind([...lead, ...sep], indicator) : pair ? end : begin;
      add(pair ? pair.value : own, { key, start, column, gap, inFlow, parent, siblings });
    }
  };
  const options = { keepSourceTokens: true, uniqueKeys: false, schema: 'failsafe', logLevel: 'silent' } as const;
  for (const { contents, errors } of parseAllDocuments(text, options)) {
    tree.errors += errors.length;
    tree.documents += Number(contents !== null);
    const value = valueOf(contents, text);
    const root = { key: undefined, column: -1, inFlow: false, parent: undefined, siblings: [] };
    if (value) add(contents, { ...root, start: value.start, gap: value.start });
    else addItems(contents);
  }
  return tree;
}
