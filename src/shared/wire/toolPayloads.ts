/**
 * Reads the JSON inside a tool call (2.5–2.7) and every variant of it that services are known to send, into one
 * shape that views can rely on. Nothing here throws: what cannot be understood comes back as `unknown`.
 */
import { isFields, type Fields } from '../text/checks.ts';
import { parseExact } from './exactJson.ts';
import type { ToolCall } from '../wire.ts';

export interface Column {
  name: string;
  /** The service's `column_type`, lower case; empty when it sent none. */
  type: string;
}

/** Rows of a query result. Cells are as the service wrote them: numbers may be strings, null stays null. */
export interface ResultTable {
  columns: readonly Column[];
  rows: readonly (readonly unknown[])[];
  /** Full count on the service; at least `rows.length`. */
  totalRows: number;
}

export interface ModelMember {
  name: string;
  title: string;
  description: string;
  type: string;
  aggType?: string;
}
export interface ModelDefinition {
  name: string;
  type: string;
  title: string;
  members: readonly ModelMember[];
}

export interface ModelSearchPayload {
  kind: 'modelSearch';
  searchQuery: string;
  /** Absent while the tool runs. */
  definitions?: readonly ModelDefinition[];
  error?: string;
}
export interface SqlQueryPayload {
  kind: 'sqlQuery';
  sqlQuery: string;
  queryTitle: string;
  description: string;
  /** Vega-Lite specification, JSON text; absent when no chart was proposed. */
  vegaSpec?: string;
  /** Absent while the tool runs or when it failed. */
  table?: ResultTable;
  error?: string;
}
/** A tool that this extension does not know; shown as sent. */
export interface UnknownToolPayload {
  kind: 'unknownTool';
  name: string;
  input: string;
  result?: string;
  error?: string;
}
export type ToolPayload = ModelSearchPayload | SqlQueryPayload | UnknownToolPayload;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Parses JSON text; what is not text, or not JSON, is returned as it is. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return withPlainSpec(parseExact(value), JSON.parse(value));
  } catch {
    return value;
  }
}

/**
 * @param exact the input or result of a tool, read without loss
 * @param plain the same as JSON has it
 * @returns the former, with the numbers of a specification as numbers: Vega-Lite compares and draws by them
 */
export function withPlainSpec(exact: unknown, plain: unknown): unknown {
  if (!isFields(exact) || !isFields(exact.vegaSpec) || !isFields(plain)) return exact;
  return { ...exact, vegaSpec: plain.vegaSpec };
}

function shown(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return laidOut(value);
  try {
    return JSON.stringify(value, null, 2);
  } catch {
    return '…';
  }
}

/** JSON over several lines, unless that would change more than white space; other text as it is. */
export function laidOut(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    const lines = JSON.stringify(JSON.parse(text), null, 2);
    return compact(lines) === compact(text) ? lines : text;
  } catch {
    return text;
  }
}

const compact = (text: string): string => text.replace(/\s+/g, '');

/** The error a failed tool reports in its result (2.5), in words. */
function errorOf(result: unknown): string | undefined {
  if (!isFields(result) || result.error === undefined || result.error === null) return undefined;
  if (isFields(result.error)) return text(result.error.message) || shown(result.error);
  return text(result.error) || shown(result.error);
}

/** What came in place of a result: words of the tool, mostly about a failure. */
const textOf = (result: unknown): string | undefined =>
  typeof result === 'string' && result.trim() !== '' ? result.trim() : undefined;

/** A count that may come as a number or as a string of digits. */
function count(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? Math.floor(number) : undefined;
}

/**
 * Reads `schema`, `data` and `totalRows` in any of their forms.
 * @param source the tool's result, or a line of the data query API
 * @returns the table, or `undefined` when there is neither a schema nor data
 */
export function readTable(source: unknown): ResultTable | undefined {
  if (!isFields(source)) return undefined;
  const schema = parsed(source.schema);
  const data = parsed(source.data);
  if (!Array.isArray(schema) && !Array.isArray(data)) return undefined;
  const entries: unknown[] = Array.isArray(data) ? data : [];
  const named: Column[] = Array.isArray(schema) ? schema.map(readColumn) : [];
  const columns = named.length === 0 ? columnsOf(entries) : [...named, ...numbered(named.length, widthOf(entries))];
  const rows = entries.map((entry) => readRow(entry, columns));
  return { columns, rows, totalRows: Math.max(count(source.totalRows) ?? rows.length, rows.length) };
}

function readColumn(entry: unknown, index: number): Column {
  if (!isFields(entry)) return { name: text(entry) || `column ${index + 1}`, type: '' };
  const type = text(entry.column_type) || text(entry.columnType) || text(entry.type);
  return { name: text(entry.name) || `column ${index + 1}`, type: type.toLowerCase() };
}

/** Column names when the service sent rows without a schema: the keys of all rows, in order of appearance. */
function columnsOf(entries: readonly unknown[]): Column[] {
  const names = new Set<string>();
  for (const entry of entries) if (isFields(entry)) for (const key of Object.keys(entry)) names.add(key);
  return names.size > 0 ? [...names].map((name) => ({ name, type: '' })) : numbered(0, widthOf(entries));
}

/** Cells of the longest row, of those that are lists. */
const widthOf = (entries: readonly unknown[]): number =>
  entries.reduce<number>((width, entry) => (Array.isArray(entry) ? Math.max(width, entry.length) : width), 0);

/** Columns without a name of their own. */
const numbered = (from: number, to: number): Column[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => ({ name: `column ${from + index + 1}`, type: '' }));

function readRow(entry: unknown, columns: readonly Column[]): readonly unknown[] {
  if (Array.isArray(entry)) {
    return entry.length === columns.length ? entry : columns.map((_, index) => (entry as unknown[])[index] ?? null);
  }
  if (isFields(entry)) return columns.map(({ name }) => (Object.hasOwn(entry, name) ? (entry[name] ?? null) : null));
  return columns.map((_, index) => (index === 0 ? (entry ?? null) : null));
}

function readMember(entry: unknown): ModelMember[] {
  if (!isFields(entry) || text(entry.name) === '') return [];
  return [
    {
      name: text(entry.name),
      title: text(entry.title),
      description: text(entry.description),
      type: text(entry.type),
      ...(text(entry.aggType) === '' ? {} : { aggType: text(entry.aggType) }),
    },
  ];
}

function readDefinition(entry: unknown): ModelDefinition[] {
  if (!isFields(entry)) return [];
  const members = Array.isArray(entry.members) ? entry.members.flatMap(readMember) : [];
  return [{ name: text(entry.name), type: text(entry.type), title: text(entry.title), members }];
}

function readModelSearch(input: Fields, result: unknown): ModelSearchPayload {
  const found = isFields(result) ? result : undefined;
  const cubes = Array.isArray(result) ? result : parsed(found?.cubes);
  return {
    kind: 'modelSearch',
    searchQuery: text(found?.searchQuery) || text(input.searchQuery) || text(input.query),
    definitions: Array.isArray(cubes) ? cubes.flatMap(readDefinition) : undefined,
    error: errorOf(result) ?? textOf(result),
  };
}

function specText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  return isFields(value) ? shown(value) : undefined;
}

function readSqlQuery(input: Fields, result: unknown): SqlQueryPayload {
  const done = isFields(result) ? result : {};
  const either = (key: string): string => text(done[key]) || text(input[key]);
  return {
    kind: 'sqlQuery',
    sqlQuery: either('sqlQuery') || either('query'),
    queryTitle: either('queryTitle'),
    description: either('description'),
    vegaSpec: specText(done.vegaSpec) ?? specText(input.vegaSpec),
    table: readTable(Array.isArray(result) ? { data: result } : done),
    error: errorOf(result) ?? textOf(result),
  };
}

/**
 * @param call a tool call as decoded from the stream (2.5)
 * @returns its payload; a tool name with a suffix (`svcSqlApiWithChart`) is taken for the tool it begins with
 */
export function readToolPayload(call: ToolCall): ToolPayload {
  const input = parsed(call.input);
  // Some tools wrap their JSON into a text of JSON once more.
  const result = parsed(parsed(call.result));
  const inputFields = isFields(input) ? input : {};
  if (call.name.startsWith('svcMeta')) return readModelSearch(inputFields, result);
  if (call.name.startsWith('svcSqlApi')) return readSqlQuery(inputFields, result);
  return {
    kind: 'unknownTool',
    name: call.name,
    input: shown(call.input),
    ...(call.result === undefined ? {} : { result: shown(call.result) }),
    error: errorOf(result),
  };
}
