/** Cubes, views and members in YAML. Read by lines, so that Jinja between them does no harm. */
import type { FoundDefinition } from './definitions.ts';
import { scanYaml, type YamlLine } from './yamlScan.ts';

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

/** @returns what a YAML model file defines */
export function findInYaml(text: string): FoundDefinition[] {
  const found: (FoundDefinition & { includes: { cube: string; prefix: boolean }[] })[] = [];
  const levels: Level[] = [];
  let owner: (typeof found)[number] | undefined;
  for (const line of scanYaml(text)) {
    const { entry } = line;
    if (entry === undefined) continue;
    const inside = levelsAround(levels, line);
    const value = valueOf(text, line);
    const span = spanOf(text, line, value);
    const top = inside[0];
    if (entry.key === 'name' && inside.length === 1 && (top === 'cubes' || top === 'views')) {
      owner = { owner: value, ...span, includes: [] };
      found.push(owner);
    } else if (
      owner !== undefined &&
      entry.key === 'name' &&
      inside.length === 2 &&
      MEMBER_LISTS.test(inside[1] ?? '')
    ) {
      found.push({ owner: owner.owner, member: value, ...span, includes: [] });
    } else if (owner !== undefined && top === 'views') readView(owner, inside, entry.key, value, span, found);
  }
  return found;
}

function levelsAround(levels: Level[], line: YamlLine): string[] {
  moveTo(levels, line);
  const opens = line.entry?.style === 'none' && line.entry.key !== undefined;
  return levels.slice(0, opens ? -1 : undefined).map(({ key }) => key);
}

function spanOf(text: string, { entry }: YamlLine, value: string): { start: number; end: number } {
  const start =
    (entry?.valueStart ?? 0) + (/^["']/.test(text.slice(entry?.valueStart ?? 0, (entry?.valueStart ?? 0) + 1)) ? 1 : 0);
  return { start, end: start + value.length };
}

/** A view's `cubes: - join_path: …` and the members it includes by name or alias. */
function readView(
  view: { owner: string; includes: { cube: string; prefix: boolean }[] },
  inside: readonly string[],
  key: string | undefined,
  value: string,
  span: { start: number; end: number },
  found: {
    owner: string;
    member?: string;
    start: number;
    end: number;
    includes: { cube: string; prefix: boolean }[];
  }[],
): void {
  const last = view.includes.at(-1);
  if (inside.length === 2 && inside[1] === 'cubes') {
    if (key === 'join_path') view.includes.push({ cube: value.split('.').at(-1) ?? '', prefix: false });
    else if (key === 'prefix' && last !== undefined) last.prefix = value === 'true';
  } else if (inside.at(-1) === 'includes' && key === 'alias') {
    found.push({ owner: view.owner, member: value, ...span, includes: [] });
  }
}
