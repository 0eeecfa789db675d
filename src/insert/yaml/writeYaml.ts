/** Writes SQL into YAML, so that a parser returns it unchanged, without Jinja tags and member references. */
import { isScalar, parseDocument } from 'yaml';
import { indentAll } from '../indent.ts';
import { aroundValue } from '../markup/writeJson.ts';
import { hasJinja, jinjaTags, rawForJinja } from '../../shared/text/jinja.ts';
import { isBlank, lineAt, leadingWhite } from '../../shared/text/lines.ts';
import { fitInLiteral } from '../sql/fitSql.ts';
import { commentLines, unsupported, warn, withNote, type Reader, type WriteRequest, type Written } from '../writing.ts';
import type { SourceDocument, TargetKind, TextEdit } from '../types.ts';
import { firstFitting } from '../verify.ts';
import { compareYaml, verifyYaml } from './verifyYaml.ts';
import { isYamlModel, modelConflicts } from './yamlModel.ts';
import { pointsAt, type BetweenPoint, type ValuePoint, type YamlPoint } from './yamlPoint.ts';
import { yamlReader } from './yamlReader.ts';
import { stepIn, type YamlEntry } from './yamlTree.ts';
import { doubleQuoted, escapeTemplate, yamlTexts, type ValueParts } from './yamlText.ts';
import { writeYamlBlock, type YamlRequest } from './writeYamlBlock.ts';

/** The note, and SQL that is written as a comment. In the data model, Jinja applies to comments too. */
function commentsOf({ note, sql, options, isDataModel }: YamlRequest, column: number): string[] {
  const comments = [note, options.asComment ? sql : undefined].filter((text) => text !== undefined);
  return comments
    .map((text) => commentLines(text, '#'))
    .map((lines) => indentAll(isDataModel ? rawForJinja(lines) : lines, ' '.repeat(column)));
}

const commentAfter = (text: string, offset: number): string =>
  / #.*/.exec(text.slice(offset, lineAt(text, offset).end))?.[0] ?? '';

const escaped = (sql: string, { isDataModel }: YamlRequest): string => (isDataModel ? escapeTemplate(sql) : sql);

/** The SQL within a decoded value. */
function partsOf(request: YamlRequest, before = '', after = ''): ValueParts {
  const at = { start: before.length, end: before.length };
  const fitted = fitInLiteral({ ...request, note: undefined }, before + after, at);
  return { before, text: escaped(fitted, request), after };
}

/** Marks the cursor: a noncharacter, which no file contains. */
const CURSOR = '\ufdd0';

/** The SQL within the value around it; undefined for an alias, or a cursor within an escape. */
function partsIn({ value, inFlow }: YamlEntry, request: YamlRequest): ValueParts | undefined {
  const { text, selection } = request;
  if (value === undefined) return partsOf(request);
  const { start, end, style } = value;
  const quote = style === 'quoted' ? 1 : 0;
  const inside = (offset: number): number => Math.min(Math.max(offset, start + quote), end - quote);
  const raw = [text.slice(start, inside(selection.start)), text.slice(inside(selection.end), end)];
  // Don't requote a value with Jinja: its expressions contain quotes.
  if (style === 'alias' || (inFlow && hasJinja(raw.join('')))) return undefined;
  const { errors, contents } = parseDocument(raw.join(CURSOR), { schema: 'failsafe', logLevel: 'silent' });
  const isRead = errors.length === 0 && isScalar(contents);
  // A plain value with Jinja looks like a mapping.
  if (!isRead && style !== 'plain') return undefined;
  const [before = '', after = ''] = isRead ? String(contents.value).split(CURSOR) : raw;
  return partsOf(request, before, after);
}

function* writeValue({ entry, range }: ValuePoint, request: YamlRequest): Generator<Written> {
  const { text, selection, options, isDataModel, step } = request;
  const { value, gap, inFlow } = entry;
  const line = lineAt(text, entry.start);
  const comments = commentsOf(request, leadingWhite(line.text).length).map((comment) => `${comment}\n`);
  const above = comments.length > 0 ? [{ start: line.start, end: line.start, text: comments.join('') }] : [];
  if (options.asComment) return yield { edits: above, warnings: [] };
  const parts = partsIn(entry, request);
  if (parts === undefined) return yield unsupported({ selection, sql: escaped(request.sql, request) });
  // The header of a block scalar must be on the line of the key, even if the value was on a line below.
  const isBeside = isBlank(text.slice(gap, range.start)) && (!value || text.slice(gap, value.start).includes('\n'));
  const start = isBeside ? gap : range.start;
  // What follows on the line in flow style belongs to the collection.
  const end = inFlow ? range.end : lineAt(text, range.end).end;
  const comment = inFlow ? '' : commentAfter(text, value ? value.end : gap);
  const column = Math.max(0, entry.column);
  for (const written of yamlTexts(parts, { column, step, isDataModel, inFlow, isLast: end === text.length }, comment)) {
    const edit = { start, end, text: (isBeside ? ' ' : '') + written.text };
    yield { edits: [...above, edit], warnings: [], value: written.value };
  }
}

function* writeBetween(point: BetweenPoint, request: YamlRequest): Generator<Written> {
  const { text: fullText, isDataModel, options, step } = request;
  const { range, lead, tail, column, mark, siblings } = point;
  const edits = (...lines: string[]): TextEdit[] => [
    { ...range, text: lead + [...commentsOf(request, column), ...lines].join('\n') + tail },
  ];
  if (options.asComment) return yield { edits: edits(), warnings: [] };
  const warnings = [
    ...(siblings.some(({ key }) => key === 'sql') ? [warn('duplicateKey', 'sql')] : []),
    ...(isDataModel && column === 0 ? [warn('rootKey')] : []),
  ];
  const parts = partsOf(request);
  for (const { text, value } of yamlTexts(parts, {
    column,
    step,
    isDataModel,
    inFlow: false,
    isLast: range.end === fullText.length && tail === '',
  }))
    yield { edits: edits(`${' '.repeat(column)}${mark} ${text}`), warnings, value };
}

/** Inside `{…}` or `[…]`, only a quoted value can be added, and no comment. */
function* writeFlow(request: YamlRequest): Generator<Written> {
  const parts = partsOf(request);
  const quoted = doubleQuoted(parts);
  const warnings = request.options.asComment || request.isUnread ? [warn('unfittedPlace')] : [];
  for (const [before, after] of aroundValue(request))
    yield { edits: [{ ...request.selection, text: before + quoted + after }], warnings, value: parts.text };
}

function* writeYaml(points: readonly YamlPoint[], request: YamlRequest): Generator<Written> {
  for (const point of points)
    if (point.range === undefined) yield* writeFlow(request);
    else if (point.entry === undefined) yield* writeBetween(point, request);
    else if (point.entry.value?.style === 'block') yield writeYamlBlock(point, request);
    else yield* writeValue(point, request);
}

function kindOf(point: YamlPoint | undefined): TargetKind {
  if (point === undefined) return 'yamlScalar';
  if (point.range === undefined || point.entry?.inFlow) return 'yamlFlow';
  if (point.entry === undefined) return 'yamlBetweenKeys';
  if (point.entry.value === undefined) return 'yamlEmptyValue';
  return point.entry.value.style === 'block' ? 'yamlBlock' : 'yamlScalar';
}

/** Whether the selection starts in a reference, `{CUBE}`, in a list of names, or in a macro call that renders to an entry. */
function isInReference({ entry }: YamlPoint, { text, selection, isDataModel }: YamlRequest): boolean {
  const { value, key } = entry ?? {};
  if (value === undefined || !isDataModel) return false;
  const before = text.slice(value.start, selection.start);
  const isOpen =
    /(?<!\\)\{[^{}\n]*$/.test(before.slice(-200)) && /^[^{}\n]*\}/.test(text.slice(selection.start, value.end));
  return isOpen || key === undefined || (key === '_' && hasJinja(text.slice(value.start - 3, value.end)));
}

export function readYaml(document: SourceDocument): Reader {
  const isDataModel = isYamlModel(document);
  const { text } = document;
  const read = yamlReader(text, isDataModel);
  const tags = jinjaTags(text);
  const at: Reader = (selected) => {
    const { start } = selected;
    const selection = { start, end: start + text.slice(start, selected.end).trimEnd().length };
    if (tags.some((tag) => tag.start < start && start < tag.end))
      return {
        kind: 'yamlScalar',
        isDataModel,
        write: (request) => ({ ...unsupported(request), warnings: [warn('insideJinja')] }),
      };
    const reading = read(selection);
    const points = pointsAt(reading, selection, isDataModel);
    const [point] = points;
    const { key, siblings = [] } = point?.entry ?? point ?? {};
    const write = (request: WriteRequest): Written => {
      const { options } = request;
      const step = stepIn(reading) ?? (options.insertSpaces ? options.tabSize : 2);
      const own = { ...request, selection, text: reading.text, isDataModel, isUnread: !reading.isSound, step };
      if (point === undefined || isInReference(point, own))
        return unsupported({ selection, sql: withNote(escaped(own.sql, own), request.note) });
      const replaces = selection.start !== selection.end;
      const ways = writeYaml(points, own);
      const written = firstFitting(ways, (each) => verifyYaml(reading, { ...each, replaces }));
      const conflicts = isDataModel && !options.asComment ? modelConflicts(key, siblings, reading, selection) : [];
      return { ...written, warnings: [...conflicts, ...written.warnings] };
    };
    return { kind: kindOf(point), ...(key !== undefined && { key }), isDataModel, write };
  };
  return Object.assign(at, { conflicts: (_: readonly TextEdit[], after: string) => compareYaml(document.text, after) });
}
