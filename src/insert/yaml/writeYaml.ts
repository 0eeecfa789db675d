/** Writes SQL into YAML, so that a parser returns it unchanged, without Jinja tags and member references. */
import { isScalar, parseDocument } from 'yaml';
import { indentAll } from '../indent.ts';
import { hasJinja, rawForJinja } from '../sql/jinja.ts';
import { isBlank, lineAt, leadingWhite } from '../../shared/text/lines.ts';
import {
  separated,
  commentLines,
  unsupported,
  warn,
  withNote,
  type Reader,
  type WriteRequest,
  type Written,
} from '../writing.ts';
import type { SourceDocument, TextEdit } from '../types.ts';
import { firstFitting } from '../verify.ts';
import { compareYaml, verifyYaml } from './verifyYaml.ts';
import { isYamlModel, modelConflicts } from './yamlModel.ts';
import {
  holds,
  insertionPoint,
  overKeys,
  type BetweenPoint,
  type FlowPoint,
  type ValuePoint,
  type YamlPoint,
} from './yamlPoint.ts';
import { yamlReader, type YamlReading } from './yamlReader.ts';
import type { YamlEntry, YamlValue } from './yamlTree.ts';
import { doubleQuoted, escapeTemplate, yamlStep, yamlValue, type ValueParts, type YamlText } from './yamlText.ts';
import { writeYamlBlock, type YamlRequest } from './writeYamlBlock.ts';

/** Keys of a data model whose value is never SQL: SQL inserted there belongs to their parent. */
const DESCRIBING =
  /^(name|title|description|type|format|public|shown|extends|data_source|primary_key|relationship|join_path|prefix|granularity|alias)$/;

const spaces = (count: number): string => ' '.repeat(count);

/** @returns a YAML comment; in the data model, Jinja applies to comments too */
function yamlComment(text: string, column: number, isDataModel: boolean): string {
  const lines = commentLines(text, '#');
  return indentAll(isDataModel ? rawForJinja(lines) : lines, spaces(column));
}

function above({ start }: YamlEntry, comment: string, { text, isDataModel }: YamlRequest): TextEdit {
  const line = lineAt(text, start);
  const written = yamlComment(comment, leadingWhite(line.text).length, isDataModel);
  return { start: line.start, end: line.start, text: `${written}\n` };
}

const commentAfter = (text: string, offset: number): string => {
  const comment = /^\s*(#.*)?/.exec(lineAt(text, offset).text.slice(offset - lineAt(text, offset).start))?.[1];
  return comment === undefined ? '' : ` ${comment}`;
};

/** The value as a block scalar if possible, then in double quotes: lines below can't become part of a quoted value. */
const valueTexts = (parts: ValueParts, column: number, { step, isDataModel }: YamlRequest): YamlText[] => [
  yamlValue(parts, isDataModel, { column, step }),
  { header: doubleQuoted(parts), body: '' },
];

const escaped = ({ sql, isDataModel }: YamlRequest): string => (isDataModel ? escapeTemplate(sql) : sql);

/** Marks the cursor: a noncharacter, which no file contains. */
const CURSOR = '\ufdd0';

/** The SQL within the value around it; undefined for an alias, or a cursor within an escape. */
function partsIn({ start, end, style }: YamlValue, request: YamlRequest): ValueParts | undefined {
  const { text, selection } = request;
  const quote = style === 'single' || style === 'double' ? 1 : 0;
  const inside = (offset: number): number => Math.min(Math.max(offset, start + quote), end - quote);
  const raw = [text.slice(start, inside(selection.start)), text.slice(inside(selection.end), end)];
  const { errors, contents } = parseDocument(raw.join(CURSOR), { schema: 'failsafe', logLevel: 'silent' });
  const isRead = errors.length === 0 && isScalar(contents);
  // A plain value with Jinja looks like a mapping.
  if (style === 'alias' || (!isRead && style !== 'plain')) return undefined;
  const [before = '', after = ''] = isRead ? String(contents.value).split(CURSOR) : raw;
  return { before, text: separated(escaped(request), { before, after }), after };
}

function* writeValue(point: ValuePoint, request: YamlRequest): Generator<Written> {
  const { text, note, selection, isDataModel, options } = request;
  const { entry, range, siblings } = point;
  const { value, gap } = entry;
  if (value && selection.start === selection.end && isDataModel && DESCRIBING.test(point.key ?? '')) {
    const { end } = lineAt(text, value.end);
    const below = { column: Math.max(0, entry.column), range: { start: end, end }, side: 'after', siblings } as const;
    return yield* writeBetween({ kind: 'yamlBetweenKeys', key: 'sql', ...below }, request);
  }
  if (options.asComment) return yield { edits: [above(entry, request.sql, request)], warnings: [] };
  const parts = value ? partsIn(value, request) : { before: '', text: escaped(request), after: '' };
  if (parts === undefined) return yield unsupported({ selection, sql: escaped(request) });
  // The header of a block scalar must be on the line of the key, even if the value was on a line below.
  const isBeside = isBlank(text.slice(gap, range.start)) && (!value || text.slice(gap, value.start).includes('\n'));
  const comment = commentAfter(text, value ? value.end : gap);
  const notes = note === undefined ? [] : [above(entry, note, request)];
  for (const { header, body } of valueTexts(parts, Math.max(0, entry.column), request)) {
    const written = `${isBeside ? ' ' : ''}${header}${comment}${body === '' ? '' : `\n${body}`}`;
    const edit = { start: isBeside ? gap : range.start, end: lineAt(text, range.end).end, text: written };
    yield { edits: [...notes, edit], warnings: [], added: parts.text };
  }
}

function* writeBetween(point: BetweenPoint, request: YamlRequest): Generator<Written> {
  const { note, isDataModel, options } = request;
  const { range, side, column, itemColumn, siblings } = point;
  const edit = (lines: readonly string[], own: number): TextEdit[] => {
    const text = [...(note === undefined ? [] : [yamlComment(note, own, isDataModel)]), ...lines].join('\n');
    return [{ ...range, text: side === 'before' ? `${text}\n` : side === 'after' ? `\n${text}` : text }];
  };
  if (options.asComment)
    return yield { edits: edit([yamlComment(request.sql, column, isDataModel)], column), warnings: [] };
  const added = escaped(request);
  const parts = { before: '', text: added, after: '' };
  const lines = (open: string, { header, body }: YamlText): string[] => [
    `${open} ${header}`,
    ...(body === '' ? [] : [body]),
  ];
  const warnings = [
    ...(siblings.some(({ key }) => key === 'sql') ? [warn('duplicateKey', 'sql')] : []),
    ...(column === 0 && siblings.some(({ key = '' }) => /^(cubes|views)$/.test(key)) ? [warn('rootKey')] : []),
  ];
  for (const text of valueTexts(parts, column, request))
    yield { edits: edit(lines(`${spaces(column)}sql:`, text), column), warnings, added };
  // In a list of values only another item is possible; but lists of a data model contain names, never SQL.
  if (itemColumn === undefined || isDataModel) return;
  const [item] = valueTexts(parts, itemColumn, request);
  if (item) yield { edits: edit(lines(`${spaces(itemColumn)}-`, item), itemColumn), warnings: [], added };
}

/** Inside `{…}` or `[…]`, only a quoted value is possible, and no comment. */
function* writeFlow({ key = '', value }: FlowPoint, request: YamlRequest): Generator<Written> {
  const { text, selection, isDataModel, options } = request;
  const isWritten = !options.asComment && !(isDataModel && DESCRIBING.test(key));
  if (isWritten && value !== undefined && selection.end <= value.end) {
    const parts = partsIn(value, request);
    // Don't requote a value with Jinja: its expressions contain quotes.
    if (parts !== undefined && !hasJinja(parts.before + parts.after)) {
      const edits = [{ start: value.start, end: value.end, text: doubleQuoted(parts) }];
      return yield { edits, warnings: [], added: parts.text };
    }
  }
  const open = /[,:]$/.test(text.slice(0, selection.start)) ? ' ' : '';
  const added = escaped(request);
  const quoted = doubleQuoted({ before: '', text: added, after: '' });
  const warnings = options.asComment || request.isUnread ? [warn('unfittedPlace')] : [];
  for (const written of [`${open}${quoted}`, `${open}${quoted}, `, `, ${quoted}`])
    yield { edits: [{ ...selection, text: written }], warnings, added };
}

function writeYaml(point: YamlPoint, reading: YamlReading, request: YamlRequest): Iterable<Written> {
  const { selection } = request;
  if (selection.start !== selection.end && !holds(point, request.text, selection)) {
    const keys = overKeys(reading, selection);
    if (keys !== undefined) return writeBetween(keys, request);
    return [unsupported({ selection, sql: withNote(escaped(request), request.note) })];
  }
  switch (point.kind) {
    case 'yamlBlock':
      return [writeYamlBlock(point, request)];
    case 'yamlScalar':
    case 'yamlEmptyValue':
      return writeValue(point, request);
    case 'yamlBetweenKeys':
      return writeBetween(point, request);
    case 'yamlFlow':
      return writeFlow(point, request);
  }
}

export function readYaml(document: SourceDocument): Reader {
  const isDataModel = isYamlModel(document);
  const read = yamlReader(document.text, isDataModel);
  const step = yamlStep(document.text);
  const at: Reader = (selection) => {
    const reading = read(selection);
    const point = insertionPoint(reading, selection.start);
    const write = (request: WriteRequest): Written => {
      const { options } = request;
      const own = {
        ...{ ...request, text: reading.text, isDataModel, isUnread: !reading.isSound },
        step: step ?? (options.insertSpaces && options.tabSize > 0 && options.tabSize < 10 ? options.tabSize : 2),
      };
      const replaces = selection.start !== selection.end;
      const written = firstFitting(writeYaml(point, reading, own), ({ edits, added }) =>
        verifyYaml(reading, { edits, added, replaces }),
      );
      const conflicts = isDataModel && !options.asComment ? modelConflicts(point, reading, selection) : [];
      return { ...written, warnings: [...conflicts, ...written.warnings] };
    };
    return { kind: point.kind, ...(point.key !== undefined && { key: point.key }), isDataModel, write };
  };
  return Object.assign(at, { conflicts: (_: readonly TextEdit[], after: string) => compareYaml(document.text, after) });
}
