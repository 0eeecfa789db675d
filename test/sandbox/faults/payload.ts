/** Rewrites tool payloads into variants that other services send. */
import type { MetaDefinition } from '../agent/search.ts';
import type { Line } from '../service/lines.ts';
import type { PayloadVariant } from './spec.ts';

type Fields = Record<string, unknown>;
interface Column {
  name: string;
  column_type: string;
}

const parse = (value: unknown): unknown => (typeof value === 'string' ? (JSON.parse(value) as unknown) : value);

/** A definition with the names of its members, and their titles and types beside them. */
function withMemberNames({ members, ...definition }: MetaDefinition): Fields {
  const names = (measures: boolean): string[] =>
    members.filter(({ aggType }) => (aggType !== undefined) === measures).map(({ name }) => name);
  const annotation = Object.fromEntries(members.map(({ name, title, type }) => [name, { title, type }]));
  return { ...definition, measures: names(true), dimensions: names(false), annotation };
}

function varyResult(result: Fields, variants: ReadonlySet<PayloadVariant>): Fields {
  const varied: Fields = { ...result };
  const schema = result['schema'] as Column[] | undefined;
  let data = result['data'] as unknown[][] | undefined;
  if (schema && data) {
    if (variants.has('stringNumbers'))
      data = data.map((row) => row.map((cell) => (typeof cell === 'number' ? String(cell) : cell)));
    varied['data'] = variants.has('rowObjects')
      ? data.map((row) => Object.fromEntries(schema.map(({ name }, index) => [name, row[index]])))
      : data;
    if (variants.has('columnType'))
      varied['schema'] = schema.map(({ name, column_type }) => ({ name, columnType: column_type }));
  }
  if (variants.has('memberNames') && result['cubes'] !== undefined)
    varied['cubes'] = (result['cubes'] as MetaDefinition[]).map(withMemberNames);
  if (variants.has('bare')) {
    delete varied['totalRows'];
    delete varied['uuid'];
  }
  if (variants.has('parsed') && result['vegaSpec'] !== undefined) varied['vegaSpec'] = parse(result['vegaSpec']);
  return varied;
}

function queryName(name: string, variants: ReadonlySet<PayloadVariant>): string {
  if (variants.has('otherTool')) return 'warehouse_connector';
  return variants.has('toolSuffix') ? 'svcSqlApiWithChart' : name;
}

/** @returns the line with the requested variants; lines without a tool call are unchanged */
export function varyPayload(line: Line, asked: readonly PayloadVariant[]): Line {
  const call = line['toolCall'] as { name: string; input: string; result?: string } | undefined;
  if (!call || asked.length === 0) return line;
  const variants = new Set(asked);
  const isQuery = call.name === 'svcSqlApi';
  let input = parse(call.input) as Fields;
  if (isQuery && variants.has('queryKey')) {
    const { sqlQuery, ...rest } = input;
    input = { query: sqlQuery, ...rest };
  }
  if (isQuery && variants.has('parsed') && input['vegaSpec'] !== undefined)
    input = { ...input, vegaSpec: parse(input['vegaSpec']) };
  const result = call.result === undefined ? undefined : varyResult(parse(call.result) as Fields, variants);
  const written = (value: unknown): unknown => (variants.has('parsed') ? value : JSON.stringify(value));
  return {
    ...line,
    toolCall: {
      name: isQuery ? queryName(call.name, variants) : call.name,
      input: written(input),
      ...(result === undefined ? {} : { result: written(result) }),
    },
  };
}
