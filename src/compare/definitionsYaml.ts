/** Cubes, views and members in YAML. Read by lines, so that Jinja between them does no harm. */
import type { DefinitionSpan, FoundDefinition } from './definitions.ts';
import { scanYaml, type YamlEntry, type YamlLine } from '../insert/yaml/yamlScan.ts';

const MEMBER_LISTS = /^(measures|dimensions|segments|joins|hierarchies|pre_?aggregations)$/i;

interface Level {
  column: number;
  key: string;
}

const valueOf = (text: string, { entry }: YamlLine): string =>
  entry === undefined ? '' : text.slice(entry.valueStart, entry.valueEnd).replace(/^(["'])(.*)\1$/s, '$2');

/** Keys that the line is nested in, outermost first; an item's own keys share its list. */
function moveTo(levels: Level[], line: YamlLine): void {
  const { entry } = line;
  if (entry === undefined) return;
  // A dash may stand in the very column of the key that holds its list.
  const column = entry.dashes[0] ?? entry.column;
  while ((levels.at(-1)?.column ?? -1) >= column && !(entry.dashes.length > 0 && levels.at(-1)?.column === column))
    levels.pop();
  if (entry.style === 'none' && entry.key !== undefined) levels.push({ column: entry.column, key: entry.key });
}

interface Include {
  cube: string;
  prefix: boolean;
}

/** A cube or view as it is read: its name may stand below what else it holds. */
interface Item {
  name?: { text: string } & DefinitionSpan;
  members: ({ member: string } & DefinitionSpan)[];
  includes: Include[];
}

/** @returns what a YAML model file defines */
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
    // Between Jinja's branches one item may have a name in each.
    const begins = entry.dashes.length > 0 || (isName && item?.name !== undefined);
    if (item === undefined || (inside.length === 1 && begins)) items.push((item = { members: [], includes: [] }));
    if (isName && inside.length === 1) item.name = { text: value, ...span };
    else if (isName && inside.length === 2 && MEMBER_LISTS.test(inside[1] ?? ''))
      item.members.push({ member: value, ...span });
    else if (top === 'views') readView(item, inside, entry, value, span);
  }
  return items.flatMap(definitionsOf);
}

/** What an item defines; nothing without a name. */
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

/** A view's `cubes: - join_path: …` and the members it includes by name or alias. */
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
