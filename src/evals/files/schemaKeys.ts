/** Finds keys of a schema at a position of YAML, also of YAML that is being written and therefore not valid. */
import type { KeySchema } from './schema.ts';

/** A key with the columns at which it starts and ends. */
interface KeyAt {
  name: string;
  start: number;
  end: number;
}

/** Characters of a line in which keys are looked for. */
const LONGEST_LINE = 1000;

const KEY = /^(\s*(?:-\s+)*)([A-Za-z_]\w*)\s*:(?=\s|$)/;
const COMMENT_OR_BLANK = /^\s*(?:#|$)/;

/** @returns the column at which the content of a line starts, after the dashes of a list */
const leadOf = (line: string): number => /^\s*(?:-\s+)*/.exec(line)![0].length;

/** @returns the keys of the maps in block style around a column of a line, outermost first */
function blockPath(lines: readonly string[], line: number, column: number): string[] {
  const path: string[] = [];
  let indent = column;
  for (let at = line - 1; at >= 0 && indent > 0; at -= 1) {
    const found = COMMENT_OR_BLANK.test(lines[at]!) ? null : KEY.exec(lines[at]!);
    const own = found?.[1]?.length ?? indent;
    if (own >= indent) continue;
    path.unshift(found![2]!);
    indent = own;
  }
  return path;
}

interface FlowPosition {
  path: string[];
  /** The keys of the innermost map before the position. */
  keys: string[];
}

/** @returns the keys of the maps in flow style around the end of a part of a line; undefined outside of any */
function flowPosition(before: string): FlowPosition | undefined {
  const open: { key: string | undefined; keys: string[] }[] = [];
  let key: string | undefined;
  for (const [token, name] of before.matchAll(/"[^"]*"|'[^']*'|([A-Za-z_]\w*)\s*:(?=\s|$)|[[\]{}]/g)) {
    if (name !== undefined) {
      open.at(-1)?.keys.push(name);
      key = name;
    } else if (token === '{' || token === '[') {
      open.push({ key, keys: [] });
      key = undefined;
    } else if (token === '}' || token === ']') open.pop();
  }
  const path = open.flatMap((each) => each.key ?? []);
  const innermost = open.at(-1);
  return innermost && { path, keys: innermost.keys };
}

/** @returns the schema of the maps at a path; of the entries where a list is */
function schemaAt(schema: KeySchema, path: readonly string[]): KeySchema | undefined {
  let found: KeySchema | undefined = schema;
  for (const key of path) {
    found = found?.properties?.[key];
    if (found?.items) found = found.items;
  }
  return found;
}

/** @returns the keys of the map in block style that has a line, at a column */
function blockKeys(lines: readonly string[], line: number, column: number): Set<string> {
  const isEntry = (at: number): boolean => /^\s*-/.test(lines[at]!) && leadOf(lines[at]!) === column;
  const keys = new Set<string>();
  const read = (at: number): boolean => {
    const text = lines[at]!;
    if (COMMENT_OR_BLANK.test(text)) return true;
    const indent = leadOf(text);
    if (indent === column) keys.add(KEY.exec(text)?.[2] ?? '');
    return indent >= column;
  };
  for (let at = line; at >= 0 && (at === line || read(at)); at -= 1) if (isEntry(at)) break;
  for (let at = line + 1; at < lines.length && !isEntry(at) && read(at); at += 1);
  return keys;
}

export interface KeyCompletion {
  name: string;
  description: string;
  /** With the colon, and with the value if there is only one. */
  insertText: string;
}

/**
 * @param line zero-based
 * @param character UTF-16 code units from the start of the line
 * @returns the column at which the typed key starts, and the keys that can be there
 */
export function completeKey(
  text: string,
  line: number,
  character: number,
  schema: KeySchema,
): { start: number; keys: KeyCompletion[] } {
  const lines = text.split(/\r?\n/);
  const before = lines[line]!.slice(0, character);
  if (before.length > LONGEST_LINE) return { start: character, keys: [] };
  const start = character - /\w*$/.exec(before)![0].length;
  const lead = before.slice(0, start);
  const isBlock = /^\s*(?:-\s+)*$/.test(lead);
  const flow = /[{,]\s*$/.test(lead) ? flowPosition(lead) : undefined;
  if (!isBlock && !flow) return { start, keys: [] };
  const column = isBlock ? start : leadOf(lead);
  const path = [...blockPath(lines, line, column), ...(flow?.path ?? [])];
  const taken = isBlock ? blockKeys(lines, line, column) : new Set(flow!.keys);
  const properties = Object.entries(schemaAt(schema, path)?.properties ?? {});
  const keys = properties.flatMap(([name, key]): KeyCompletion[] =>
    taken.has(name) ? [] : [{ name, description: key.description ?? '', insertText: insertText(name, key) }],
  );
  return { start, keys };
}

function insertText(name: string, { type, const: only }: KeySchema): string {
  if (only) return `${name}: true`;
  return type === 'object' || type === 'array' ? `${name}:` : `${name}: `;
}

/** @returns the key at a position with its description; undefined if the schema has none */
export function describeKey(
  text: string,
  line: number,
  character: number,
  schema: KeySchema,
): (KeyAt & { description: string }) | undefined {
  const lines = text.split(/\r?\n/);
  const shown = lines[line]!.slice(0, LONGEST_LINE);
  for (const { 0: found, 1: name = '', index: start } of shown.matchAll(/([A-Za-z_]\w*)\s*:(?=\s|$)/g)) {
    const end = start + name.length;
    if (character < start || character > end || found === '') continue;
    const lead = lines[line]!.slice(0, start);
    const flow = flowPosition(lead);
    const path = [...blockPath(lines, line, leadOf(lines[line]!)), ...(flow?.path ?? [])];
    const description = schemaAt(schema, path)?.properties?.[name]?.description;
    if (description !== undefined) return { name, start, end, description };
  }
  return undefined;
}
