/** The keys and list items of a YAML text, with the positions of the concrete syntax tree. */
import type { CST } from 'yaml';

/** A plain or quoted value with its quotes, a block scalar's header, or a flow collection. */
export interface YamlValue {
  start: number;
  end: number;
  style: 'plain' | 'single' | 'double' | 'block' | 'flow';
  token: CST.Token;
}

export type ScalarValue = YamlValue & { style: 'plain' | 'single' | 'double' };

export const isScalarValue = (value: YamlValue): value is ScalarValue =>
  value.style !== 'block' && value.style !== 'flow';

/** A `key: value` or `- item`, or the value of a document that has neither. */
export interface YamlEntry {
  /** None for an item and for the value of a document. */
  key?: string;
  /** Offset of the key, the dash, or what precedes the key: `?`, an anchor or a tag. */
  start: number;
  /** Column of `start`; -1 for the value of a document, which needs no indentation. */
  column: number;
  /** Offset behind the colon or dash and the anchor or tag beside it. */
  gap: number;
  /** The value, unless it is missing or a block collection. */
  value?: YamlValue;
  hasChildren: boolean;
  /** Offset of the end of the last character that belongs to the entry. */
  end: number;
  parent: YamlEntry | undefined;
  /** The entries of the same collection, this one included. */
  siblings: YamlEntry[];
}

const STYLES = {
  scalar: 'plain',
  alias: 'plain',
  'single-quoted-scalar': 'single',
  'double-quoted-scalar': 'double',
} as const;

const endOf = ({ offset, source }: CST.SourceToken): number => offset + source.length;

function valueOf(token: CST.Token | null | undefined): YamlValue | undefined {
  switch (token?.type) {
    case 'scalar':
    case 'alias':
    case 'single-quoted-scalar':
    case 'double-quoted-scalar':
      return { start: token.offset, end: token.offset + token.source.length, style: STYLES[token.type], token };
    case 'block-scalar': {
      const header = token.props.find((each): each is CST.SourceToken => each.type === 'block-scalar-header');
      return header && { start: header.offset, end: endOf(header), style: 'block', token };
    }
    case 'flow-collection': {
      const close = token.end.find(({ type }) => type.startsWith('flow-'));
      return { start: token.offset, end: close === undefined ? Infinity : endOf(close), style: 'flow', token };
    }
    default:
      return undefined;
  }
}

/** The offset behind an indicator and the anchor or tag on its line. */
function gapBehind(tokens: readonly CST.SourceToken[], indicator: CST.SourceToken): number {
  let gap = endOf(indicator);
  for (const token of tokens.slice(tokens.indexOf(indicator) + 1)) {
    if (token.type === 'anchor' || token.type === 'tag') gap = endOf(token);
    else if (token.type !== 'space') break;
  }
  return gap;
}

const nameOf = (key: CST.Token | null | undefined): string =>
  key !== null && key !== undefined && 'source' in key ? key.source.replace(/^(["'])([^]*)\1$/, '$2') : '';

/** @returns the entries of the stream in order, those of a collection behind the one that holds it */
export function entriesOf(stream: readonly CST.Token[], text: string): YamlEntry[] {
  const entries: YamlEntry[] = [];
  const add = (
    { start, key, gap }: Pick<YamlEntry, 'start' | 'key' | 'gap'>,
    content: CST.Token | null | undefined,
    parent: YamlEntry | undefined,
    siblings: YamlEntry[],
  ): void => {
    const value = valueOf(content);
    const entry: YamlEntry = {
      ...(key === undefined ? {} : { key }),
      start,
      column: start - (text.lastIndexOf('\n', start - 1) + 1),
      gap,
      ...(value === undefined ? {} : { value }),
      hasChildren: false,
      end: value === undefined ? gap : endOfValue(value),
      parent,
      siblings,
    };
    siblings.push(entry);
    entries.push(entry);
    entry.hasChildren = addChildren(content, entry);
    if (entry.hasChildren) entry.end = entries.at(-1)?.end ?? entry.end;
  };
  const addChildren = (token: CST.Token | null | undefined, parent?: YamlEntry): boolean => {
    const siblings: YamlEntry[] = [];
    if (token?.type === 'block-seq')
      for (const { start: tokens, value } of token.items) {
        const dash = tokens.find(({ type }) => type === 'seq-item-ind');
        if (dash) add({ start: dash.offset, gap: gapBehind(tokens, dash) }, value, parent, siblings);
      }
    if (token?.type === 'block-map')
      for (const { start: tokens, key, sep = [], value } of token.items) {
        const mark = tokens.find(({ type }) => /^(explicit-key-ind|anchor|tag)$/.test(type));
        const colon = sep.find(({ type }) => type === 'map-value-ind') ?? mark;
        if (colon === undefined) continue;
        const start = (mark ?? key ?? colon).offset;
        add({ start, key: nameOf(key), gap: gapBehind(sep, colon) }, value, parent, siblings);
      }
    return siblings.length > 0;
  };
  for (const document of stream) {
    if (document.type !== 'document' || addChildren(document.value)) continue;
    const value = valueOf(document.value);
    if (value === undefined) continue;
    add({ start: value.start, gap: value.start }, document.value, undefined, []);
    Object.assign(entries.at(-1) ?? {}, { column: -1 });
  }
  return entries;
}

const endOfValue = ({ token, end }: YamlValue): number => blockLines(token)?.end ?? end;

/** @returns the lines of a block scalar up to its last one with text; nothing where it has none */
export function blockLines(token: CST.Token): { start: number; end: number } | undefined {
  if (token.type !== 'block-scalar' || token.source.trim() === '') return undefined;
  const header = token.props.at(-1) as CST.SourceToken;
  const begin = endOf(header) + token.source.search(/\S/);
  const start = endOf(header) + token.source.lastIndexOf('\n', begin - endOf(header) - 1) + 1;
  return { start, end: endOf(header) + token.source.trimEnd().length };
}

/** @returns the key and the value, if any, that the offset is at inside a flow collection */
export function flowValueAt({ items }: CST.FlowCollection, offset: number): { key?: string; value?: ScalarValue } {
  for (const { key, sep = [], value: content } of items) {
    const colon = sep.find(({ type }) => type === 'map-value-ind');
    const name = colon === undefined ? {} : { key: nameOf(key) };
    const value = valueOf(content);
    if (content?.type === 'flow-collection' && value && offset > value.start && offset < value.end)
      return flowValueAt(content, offset);
    const last = sep.at(-1);
    if (colon && last && value === undefined && offset > colon.offset && offset <= endOf(last)) return name;
    const edge = value?.style === 'plain' ? 0 : 1;
    if (value && isScalarValue(value) && offset >= value.start + edge && offset <= value.end - edge)
      return content?.type === 'alias' ? name : { ...name, value };
  }
  return {};
}
