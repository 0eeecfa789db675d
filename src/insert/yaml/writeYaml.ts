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
import type { SourceDocument, Span, TextEdit } from '../types.ts';
import { firstFitting } from '../verify.ts';
import { compareYaml, verifyYaml } from './verifyYaml.ts';
import { isYamlModel, modelConflicts } from './yamlModel.ts';
import {
  DESCRIBING,
  holds,
  insertionPoints,
  overKeys,
  type BetweenPoint,
  type FlowPoint,
  type ValuePoint,
  type YamlPoint,
} from './yamlPoint.ts';
import { yamlReader, type YamlReading } from './yamlReader.ts';
import type { YamlEntry, YamlValue } from './yamlTree.ts';
import { doubleQuoted, escapeTemplate, yamlStep, yamlTexts, type ValueParts } from './yamlText.ts';
import { writeYamlBlock, type YamlRequest } from './writeYamlBlock.ts';

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

const commentAfter = (text: string, offset: number): string =>
  / #.*/.exec(text.slice(offset, lineAt(text, offset).end))?.[0] ?? '';

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
  const { text, note, selection, options, isDataModel, step } = request;
  const { entry, range } = point;
  const { value, gap } = entry;
  if (options.asComment) return yield { edits: [above(entry, request.sql, request)], warnings: [] };
  const parts = value ? partsIn(value, request) : { before: '', text: escaped(request), after: '' };
  if (parts === undefined) return yield unsupported({ selection, sql: escaped(request) });
  // The header of a block scalar must be on the line of the key, even if the value was on a line below.
  const isBeside = isBlank(text.slice(gap, range.start)) && (!value || text.slice(gap, value.start).includes('\n'));
  const comment = commentAfter(text, value ? value.end : gap);
  const notes = note === undefined ? [] : [above(entry, note, request)];
  const column = Math.max(0, entry.column);
  for (const written of yamlTexts(parts, { column, step, isDataModel }, comment)) {
    const start = isBeside ? gap : range.start;
    const edit = { start, end: lineAt(text, range.end).end, text: (isBeside ? ' ' : '') + written.text };
    yield { edits: [...notes, edit], warnings: [], value: written.value };
  }
}

function* writeBetween(point: BetweenPoint, request: YamlRequest): Generator<Written> {
  const { note, isDataModel, options, step, sql } = request;
  const { range, side, column, mark, siblings } = point;
  const comments = [note, options.asComment ? sql : undefined].flatMap((comment) =>
    comment === undefined ? [] : [yamlComment(comment, column, isDataModel)],
  );
  const edits = (lines: readonly string[]): TextEdit[] => {
    const text = [...comments, ...lines].join('\n');
    return [{ ...range, text: side === 'before' ? `${text}\n` : side === 'after' ? `\n${text}` : text }];
  };
  if (options.asComment) return yield { edits: edits([]), warnings: [] };
  const warnings = [
    ...(siblings.some(({ key }) => key === 'sql') ? [warn('duplicateKey', 'sql')] : []),
    ...(column === 0 && siblings.some(({ key = '' }) => /^(cubes|views)$/.test(key)) ? [warn('rootKey')] : []),
  ];
  const parts = { before: '', text: escaped(request), after: '' };
  for (const { text, value } of yamlTexts(parts, { column, step, isDataModel }))
    yield { edits: edits([`${spaces(column)}${mark} ${text}`]), warnings, value };
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
      return yield { edits, warnings: [], value: parts.before + parts.text + parts.after };
    }
  }
  const open = /[,:]$/.test(text.slice(0, selection.start)) ? ' ' : '';
  const added = escaped(request);
  const quoted = doubleQuoted({ before: '', text: added, after: '' });
  const warnings = options.asComment || request.isUnread ? [warn('unfittedPlace')] : [];
  for (const written of [`${open}${quoted}`, `${open}${quoted}, `, `, ${quoted}`])
    yield { edits: [{ ...selection, text: written }], warnings, value: added };
}

function* writeYaml(points: readonly YamlPoint[], request: YamlRequest): Generator<Written> {
  for (const point of points)
    if (point.kind === 'yamlBlock') yield writeYamlBlock(point, request);
    else if (point.kind === 'yamlBetweenKeys') yield* writeBetween(point, request);
    else if (point.kind === 'yamlFlow') yield* writeFlow(point, request);
    else yield* writeValue(point, request);
}

/** The points of a cursor, or of a selection within one value or over whole keys; empty for any other selection. */
function pointsOf(reading: YamlReading, selection: Span, isDataModel: boolean): YamlPoint[] {
  const isCursor = selection.start === selection.end;
  const points = insertionPoints(reading, selection, isDataModel);
  const [first] = points;
  if (isCursor || first === undefined || holds(first, reading.text, selection)) return points;
  const keys = overKeys(reading, selection);
  return keys === undefined ? [] : [keys];
}

export function readYaml(document: SourceDocument): Reader {
  const isDataModel = isYamlModel(document);
  const read = yamlReader(document.text, isDataModel);
  const step = yamlStep(document.text);
  const at: Reader = (selection) => {
    const reading = read(selection);
    const points = pointsOf(reading, selection, isDataModel);
    const point: Pick<YamlPoint, 'kind' | 'key' | 'siblings'> = points[0] ?? { kind: 'yamlScalar', siblings: [] };
    const write = (request: WriteRequest): Written => {
      const { options } = request;
      const own = {
        ...{ ...request, text: reading.text, isDataModel, isUnread: !reading.isSound },
        step: step ?? (options.insertSpaces ? options.tabSize : 2),
      };
      if (points.length === 0) return unsupported({ selection, sql: withNote(escaped(own), request.note) });
      const replaces = selection.start !== selection.end;
      const written = firstFitting(writeYaml(points, own), (each) => verifyYaml(reading, { ...each, replaces }));
      const conflicts = isDataModel && !options.asComment ? modelConflicts(point, reading, selection) : [];
      return { ...written, warnings: [...conflicts, ...written.warnings] };
    };
    return { kind: point.kind, ...(point.key !== undefined && { key: point.key }), isDataModel, write };
  };
  return Object.assign(at, { conflicts: (_: readonly TextEdit[], after: string) => compareYaml(document.text, after) });
}
