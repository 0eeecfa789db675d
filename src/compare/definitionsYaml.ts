/**
 * Finds cubes, views and members in YAML model files. Scans line by line, so that Jinja statements in between do not
 * matter.
 */
import type { DefinitionSpan, FoundDefinition } from './definition.ts';
import { scanYaml, type YamlEntry, type YamlLine } from './yamlScan.ts';

const MEMBER_LISTS = /^(measures|dimensions|segments|joins|hierarchies|pre_?aggregations)$/i;

interface Level {
  column: number;
  key: string;
}

const valueOf = (text: string, { entry }: YamlLine): string =>
  entry === undefined ? '' : text.slice(entry.valueStart, entry.valueEnd).replace(/^(["'])(.*)\1$/s, '$2');

/** Updates the keys that enclose the line, outermost first; the keys of a list item are in the same list. */
function moveTo(levels: Level[], line: YamlLine): void {
  const { entry } = line;
  if (entry === undefined) return;
  // A dash may be in the same column as the key of its list.
  const column = entry.dashes[0] ?? entry.column;
  while ((levels.at(-1)?.column ?? -1) >= column && !(entry.dashes.length > 0 && levels.at(-1)?.column === column))
    levels.pop();
  if (entry.style === 'none' && entry.key !== undefined) levels.push({ column: entry.column, key: entry.key });
}

interface Include {
  cube: string;
  prefix: boolean;
}

/** A cube or view while it is parsed; its name may follow its other keys. */
interface Item {
  name?: { text: string } & DefinitionSpan;
  members: ({ member: string } & DefinitionSpan)[];
  includes: Include[];
}

/** @returns the definitions in a YAML model file */
export function findInYaml(text: string): FoundDefinition[] {
  const items: Item[] = [];
  const levels: Level[] = [];
  for (const line of scanYaml(text)) {
    const { entry } = line;
    if (entry === undefined) continue;
    const inside = levelsAround(levels, line);
    const top = inside[0];
    if (top !== 'cubes' && top !== 'views') continue;
    const value = valueOf(text, line);
    const span = spanOf(text, line, value);
    const isName = entry.key === 'name';
    let item = items.at(-1);
    // Jinja branches may each define the name of an item.
    const begins = entry.dashes.length > 0 || (isName && item?.name !== undefined);
    if (item === undefined || (inside.length === 1 && begins)) items.push((item = { members: [], includes: [] }));
    if (isName && inside.length === 1) item.name = { text: value, ...span };
    else if (isName && inside.length === 2 && MEMBER_LISTS.test(inside[1] ?? ''))
      item.members.push({ member: value, ...span });
    else if (top === 'views') readView(item, inside, entry, value, span);
  }
  return items.flatMap(definitionsOf);
}

/** The definitions of an item; empty if it has no name. */
function definitionsOf({ name, members, includes }: Item): FoundDefinition[] {
  if (name === undefined) return [];
  const { text: owner, ...span } = name;
  return [{ owner, ...span, includes }, ...members.map((member) => ({ owner, ...member }))];
}

function levelsAround(levels: Level[], line: YamlLine): string[] {
  moveTo(levels, line);
  const opens = line.entry?.style === 'none' && line.entry.key !== undefined;
  return levels.slice(0, opens ? -1 : undefined).map(({ key }) => key);
}

function spanOf(text: string, { entry }: YamlLine, value: string): DefinitionSpan {
  const start =
    (entry?.valueStart ?? 0) + (/^["']/.test(text.slice(entry?.valueStart ?? 0, (entry?.valueStart ?? 0) + 1)) ? 1 : 0);
  return { start, end: start + value.length };
}

/** Parses a view's `cubes: - join_path: …` and the aliases of its included members. */
function readView(
  view: Item,
  inside: readonly string[],
  { key, dashes }: YamlEntry,
  value: string,
  span: DefinitionSpan,
): void {
  if (inside.length === 2 && inside[1] === 'cubes') {
    if (dashes.length > 0) view.includes.push({ cube: '', prefix: false });
    const last = view.includes.at(-1);
    if (last === undefined) return;
    if (key === 'join_path') last.cube = value.split('.').at(-1) ?? '';
    else if (key === 'prefix') last.prefix = value === 'true';
  } else if (inside.at(-1) === 'includes' && key === 'alias') {
    view.members.push({ member: value, ...span });
  }
}
