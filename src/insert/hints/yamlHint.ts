/** Writes a hint into a data model in YAML, with or without Jinja. */
import { stringify } from 'yaml';
import { lineAt } from '../../shared/text/lines.ts';
import type { TextEdit } from '../types.ts';
import { verifyYaml } from '../yaml/verifyYaml.ts';
import { writeYamlBlock } from '../yaml/writeYamlBlock.ts';
import { contentOf } from '../yaml/yamlPoint.ts';
import { yamlReader, type YamlReading } from '../yaml/yamlReader.ts';
import { doubleQuoted, escapeTemplate } from '../yaml/yamlText.ts';
import { stepIn, type YamlEntry } from '../yaml/yamlTree.ts';
import type { HintWriting } from './hint.ts';

export function writeYamlHint(writing: HintWriting): TextEdit[] | undefined {
  const { document, at, path, hint } = writing;
  const reading = yamlReader(document.text, true)({ start: at, end: at });
  const keys = keysAt(reading, at);
  if (keys === undefined || !reading.isSound) return undefined;
  const step = stepIn(reading) ?? 2;
  const edits = write(keys, path, { reading, hint, step, writing }) ?? [];
  // Escaped, because the model compiler parses every text as a template.
  const isVerified = verifyYaml(reading, { edits, value: escapeTemplate(hint), replaces: false });
  return edits.length > 0 && isVerified ? edits : undefined;
}

/** @returns the keys of the mapping at an offset, in block or flow style */
function keysAt({ entries }: YamlReading, offset: number): readonly YamlEntry[] | undefined {
  const isFlow = (entry?: YamlEntry): boolean => entry?.value?.style === 'flow' && entry.value.start === offset;
  return entries.find(({ start, key, parent }) => key !== undefined && (start === offset || isFlow(parent)))?.siblings;
}

interface Context {
  reading: YamlReading;
  hint: string;
  /** Columns per level. */
  step: number;
  writing: HintWriting;
}

function write(keys: readonly YamlEntry[], path: readonly string[], context: Context): TextEdit[] | undefined {
  const [key, ...rest] = path;
  const entry = keys.find((each) => each.key === key);
  if (entry === undefined) return added(keys, path, context);
  if (rest.length === 0) return replaced(entry, context);
  const child = context.reading.entries.find(({ parent }) => parent === entry);
  return child ? write(child.siblings, rest, context) : below(entry, rest, context);
}

/** Replaces the previous hint: in a block scalar if it was one, otherwise on one line. */
function replaced(entry: YamlEntry, { reading, hint, step, writing }: Context): TextEdit[] {
  const { value, gap } = entry;
  const text = oneLine(hint, entry.inFlow);
  if (value === undefined) return [{ start: gap, end: gap, text: ` ${text}` }];
  const content = value.style === 'block' ? contentOf(reading.text, value) : undefined;
  if (content === undefined) return [{ start: value.start, end: value.end, text }];
  const request = { text: reading.text, selection: content, sql: hint, options: writing.options };
  return writeYamlBlock({ entry, range: value }, { ...request, isDataModel: true, step, isUnread: false }).edits;
}

/** New keys go below the name and other plain values, above lists such as those of members and joins. */
function added(keys: readonly YamlEntry[], path: readonly string[], context: Context): TextEdit[] | undefined {
  const { reading, hint } = context;
  const [first] = keys;
  if (first === undefined) return undefined;
  if (first.inFlow) {
    const last = keys.at(-1) ?? first;
    const inner = path.slice(1).map((key) => `{ ${key}: `);
    const text = `, ${path[0]}: ${inner.join('')}${oneLine(hint, true)}${' }'.repeat(inner.length)}`;
    return [{ start: last.end, end: last.end, text }];
  }
  const stop = keys.findIndex(({ value }) => value === undefined);
  const leading = stop < 0 ? keys : keys.slice(0, stop);
  const above =
    path.length === 1
      ? (leading.findLast(({ key }) => /^(?:name|title)$/.test(key ?? '')) ?? leading[0])
      : leading.at(-1);
  return above && insertedAt(lineAt(reading.text, above.end).end, path, above.column, context);
}

/** Writes the hint in place of the missing value of a key. */
const below = ({ gap, column }: YamlEntry, path: readonly string[], context: Context): TextEdit[] =>
  insertedAt(lineAt(context.reading.text, gap).end, path, column + context.step, context);

const insertedAt = (at: number, path: readonly string[], column: number, context: Context): TextEdit[] => [
  { start: at, end: at, text: `\n${linesFor(path, column, context)}` },
];

const linesFor = (path: readonly string[], column: number, { step, hint }: Context): string =>
  path
    .map((key, depth) => {
      const value = depth === path.length - 1 ? ` ${oneLine(hint, false)}` : '';
      return `${' '.repeat(column + depth * step)}${key}:${value}`;
    })
    .join('\n');

/** @returns plain text if any version of YAML reads it back as the same text, otherwise quoted text */
const oneLine = (hint: string, inFlow: boolean): string =>
  inFlow || /[\\{}]/.test(hint)
    ? doubleQuoted({ before: '', text: escapeTemplate(hint), after: '' })
    : stringify(hint, { version: '1.1', lineWidth: 0, blockQuote: false }).trimEnd();
