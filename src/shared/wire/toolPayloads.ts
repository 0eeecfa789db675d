/**
 * Parses the input and result of a tool call (2.5–2.7), in all variants that services are known to send. Never throws:
 * an unknown tool becomes `unknownTool`, malformed fields become empty or absent.
 */
import { fieldsOf, isFields, type Fields } from '../text/checks.ts';
import { shown } from '../text/jsonText.ts';
import { parseExact } from './exactJson.ts';
import { withPlainParts } from './plainParts.ts';
import type { ToolCall } from './streamLines.ts';

export interface Column {
  name: string;
  /** The service's `column_type` in lower case; empty if it sent none. */
  type: string;
  /** IANA name of the time zone in which the instants of the column are shown; see `results/timeZone.ts`. */
  timeZone?: string;
}

/** Rows of a query result, with cells as the service sent them: numbers may be strings, null stays null. */
export interface ResultTable {
  columns: readonly Column[];
  rows: readonly (readonly unknown[])[];
  /** Number of rows on the service; at least `rows.length`. */
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
  /** Absent while the tool is running. */
  definitions?: readonly ModelDefinition[];
  error?: string;
}
/** The result of a query, or of another tool with rows or a chart. */
export interface SqlQueryPayload {
  kind: 'sqlQuery';
  /** Empty for tools that run no SQL. */
  sqlQuery: string;
  queryTitle: string;
  description: string;
  /** Vega-Lite specification as JSON text; absent if no chart was proposed. */
  vegaSpec?: string;
  /** Absent while the tool is running and if it failed. */
  table?: ResultTable;
  error?: string;
}
/** A tool unknown to this extension; its input and result are shown unchanged. */
export interface UnknownToolPayload {
  kind: 'unknownTool';
  name: string;
  input: string;
  result?: string;
  error?: string;
}
export type ToolPayload = ModelSearchPayload | SqlQueryPayload | UnknownToolPayload;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Parses JSON text; any other value is returned unchanged. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return withPlainParts(parseExact(value), JSON.parse(value));
  } catch {
    return value;
  }
}

/** The message of the error in a tool result (2.5). */
function errorOf(result: unknown): string | undefined {
  const { error } = fieldsOf(result);
  if (error === undefined || error === null) return undefined;
  return text(isFields(error) ? error.message : error) || shown(error);
}

/** Text sent instead of a result, usually an error message of the tool. */
const textOf = (result: unknown): string | undefined =>
  typeof result === 'string' && result.trim() !== '' ? result.trim() : undefined;

/** Parses a count that is a number or a string of digits. */
function count(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? Math.floor(number) : undefined;
}

/**
 * Parses `schema`, `data` and `totalRows` in any of their forms.
 * @param source the tool's result, or a line of the data query API
 * @returns the table, or `undefined` if there is neither a schema nor data
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

/** Columns of rows that were sent without a schema: the keys of all rows, in order of appearance. */
function columnsOf(entries: readonly unknown[]): Column[] {
  const names = new Set<string>();
  for (const entry of entries) if (isFields(entry)) for (const key of Object.keys(entry)) names.add(key);
  return names.size > 0 ? [...names].map((name) => ({ name, type: '' })) : numbered(0, widthOf(entries));
}

/** Length of the longest row that is an array. */
const widthOf = (entries: readonly unknown[]): number =>
  entries.reduce<number>((width, entry) => (Array.isArray(entry) ? Math.max(width, entry.length) : width), 0);

/** Generated columns for rows that have more cells than there are names. */
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

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Members as names in `measures` and `dimensions`, of which `annotation` has the titles and types. */
function readNames(definition: Fields, key: 'measures' | 'dimensions'): ModelMember[] {
  const annotation = fieldsOf(definition.annotation);
  return listIn(definition[key]).flatMap((name) => {
    if (typeof name !== 'string' || name === '') return [];
    const qualified = name.includes('.') ? name : `${text(definition.name)}.${name}`;
    // How a measure aggregates is not sent, only that it does.
    const measure = key === 'measures' ? { aggType: 'measure' } : {};
    return readMember({ ...measure, ...fieldsOf(annotation[name]), name: qualified });
  });
}

function readDefinition(entry: unknown): ModelDefinition[] {
  if (!isFields(entry)) return [];
  const members = Array.isArray(entry.members)
    ? entry.members.flatMap(readMember)
    : [...readNames(entry, 'measures'), ...readNames(entry, 'dimensions')];
  return [{ name: text(entry.name), type: text(entry.type), title: text(entry.title), members }];
}

function readModelSearch(input: Fields, result: unknown): ModelSearchPayload {
  const found = fieldsOf(result);
  const cubes = Array.isArray(result) ? result : parsed(found.cubes);
  return {
    kind: 'modelSearch',
    searchQuery: text(found.searchQuery) || text(input.searchQuery) || text(input.query),
    definitions: Array.isArray(cubes) ? cubes.flatMap(readDefinition) : undefined,
    error: errorOf(result) ?? textOf(result),
  };
}

function specText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  return isFields(value) ? shown(value) : undefined;
}

function readSqlQuery(input: Fields, result: unknown): SqlQueryPayload {
  const done = fieldsOf(result);
  const either = (key: string): string => text(done[key]) || text(input[key]);
  const table = readTable(Array.isArray(result) ? { data: result } : done);
  const error = errorOf(result) ?? textOf(result);
  return {
    kind: 'sqlQuery',
    sqlQuery: either('sqlQuery') || either('query'),
    queryTitle: either('queryTitle'),
    description: either('description'),
    vegaSpec: specText(done.vegaSpec) ?? specText(input.vegaSpec),
    table,
    // Some services send an empty error with every result.
    error: table && error === '' ? undefined : error,
  };
}

/** Whether the SQL of a tool is semantic SQL; that of other tools, such as connectors, runs in a warehouse. */
export const runsOnModel = ({ name }: Pick<ToolCall, 'name'>): boolean => name.startsWith('svcSqlApi');

/** Whether the result of any tool, such as a connector or a program, has rows or a chart. */
const isResult = ({ schema, data, vegaSpec }: Fields): boolean =>
  (Array.isArray(parsed(schema)) && Array.isArray(parsed(data))) || specText(vegaSpec) !== undefined;

/**
 * @param call a tool call decoded from the stream (2.5)
 * @returns its payload; tool names are matched by prefix, so `svcSqlApiWithChart` is handled as `svcSqlApi`
 */
export function readToolPayload(call: ToolCall): ToolPayload {
  const input = fieldsOf(parsed(call.input));
  // Some tools encode their JSON twice.
  const result = parsed(parsed(call.result));
  if (call.name.startsWith('svcMeta')) return readModelSearch(input, result);
  if (runsOnModel(call)) return readSqlQuery(input, result);
  if (isResult(fieldsOf(result))) {
    const payload = readSqlQuery(input, result);
    return { ...payload, queryTitle: payload.queryTitle || call.name };
  }
  return {
    kind: 'unknownTool',
    name: call.name,
    input: shown(call.input),
    ...(call.result === undefined ? {} : { result: shown(call.result) }),
    error: errorOf(result),
  };
}
