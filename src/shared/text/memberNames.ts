/** Completion, lookup and references of data model names, as found by model searches. */
import type { ModelDefinition, ModelMember } from '../wire/toolPayloads.ts';
import { pathAt, tablesNear, typedAt } from './namePath.ts';

/** A cube or view, or one of its members. */
interface ModelName {
  /** Qualified: `orders` or `orders.count`. */
  name: string;
  kind: 'definition' | 'member';
  definition: ModelDefinition;
  member?: ModelMember;
}

const unqualified = ({ name }: ModelMember, definition: ModelDefinition): string =>
  name.startsWith(`${definition.name}.`) ? name.slice(definition.name.length + 1) : name;

/**
 * Merges the results of several model searches: later definitions replace earlier ones, members are combined.
 * @returns one definition per name, in the order of their first occurrence
 */
export function mergeDefinitions(found: Iterable<ModelDefinition>): ModelDefinition[] {
  const merged = new Map<string, ModelDefinition>();
  for (const definition of found) {
    const members = new Map(merged.get(definition.name)?.members.map((member) => [member.name, member]));
    for (const member of definition.members) members.set(member.name, member);
    merged.set(definition.name, { ...definition, members: [...members.values()] });
  }
  return [...merged.values()];
}

/** @returns the names by which `isSemanticSql` recognizes semantic SQL */
export const knownNames = (definitions: readonly ModelDefinition[]): Set<string> =>
  new Set(definitions.map(({ name }) => name));

interface CompletionCandidate extends ModelName {
  /** Replaces the text from `start` to the cursor. */
  insertText: string;
  /** Type and aggregation, such as `number, sum`. */
  detail: string;
  documentation: string;
}

const detailOf = ({ type, aggType }: ModelMember): string => [type, aggType].filter(Boolean).join(', ');
const documentationOf = (...texts: readonly string[]): string =>
  [...new Set(texts.filter((text) => text !== ''))].join('\n\n');

function memberCandidates(definition: ModelDefinition): CompletionCandidate[] {
  return definition.members.map((member) => ({
    name: member.name,
    kind: 'member',
    definition,
    member,
    insertText: unqualified(member, definition),
    detail: detailOf(member),
    documentation: documentationOf(member.title, member.description),
  }));
}

/** What a document says about the names in it. */
export interface NameContext {
  /** The cube or view of a model file that contains the offset. */
  cube?: string;
}

/**
 * @param text the document
 * @param offset the cursor position
 * @returns the start of the word to replace, and its candidates: members after `orders.`, an alias of it or `CUBE.`, and
 * in `MEASURE(`; otherwise cubes and views
 */
export function completionsAt(
  text: string,
  offset: number,
  definitions: readonly ModelDefinition[],
  context: NameContext = {},
): { start: number; candidates: CompletionCandidate[] } {
  const { word, owner } = typedAt(text, offset);
  const matches = ({ insertText }: CompletionCandidate): boolean =>
    insertText.toLowerCase().startsWith(word.toLowerCase());
  const start = offset - word.length;
  const isArgument = owner === undefined && IN_MEASURE.test(text.slice(Math.max(0, start - 30), start));
  const owners = isArgument ? queried(text, offset, definitions) : ownersOf(owner, text, offset, definitions, context);
  const candidates = owners?.flatMap(memberCandidates) ?? definitions.map(definitionCandidate);
  return { start, candidates: candidates.filter(matches) };
}

const definitionCandidate = (definition: ModelDefinition): CompletionCandidate => ({
  name: definition.name,
  kind: 'definition',
  definition,
  insertText: definition.name,
  detail: definition.type,
  documentation: documentationOf(definition.title),
});

const IN_MEASURE = /\bMEASURE\(\s?"?$/i;
const SELF = /^(?:cube|table)$/i;

/** @returns the cubes and views that a query selects from, nearest first */
const queried = (text: string, offset: number, definitions: readonly ModelDefinition[]): ModelDefinition[] =>
  tablesNear(text, offset).flatMap(({ name }) => named(definitions, name));

const named = (definitions: readonly ModelDefinition[], wanted: string): ModelDefinition[] =>
  definitions.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());

/** @returns the cubes and views that the part before a dot stands for; undefined if there is none */
function ownersOf(
  owner: string | undefined,
  text: string,
  offset: number,
  definitions: readonly ModelDefinition[],
  { cube }: NameContext,
): ModelDefinition[] | undefined {
  if (owner === undefined) return undefined;
  const found = named(definitions, owner);
  if (found.length > 0) return found;
  if (SELF.test(owner)) return cube === undefined ? [] : named(definitions, cube);
  const table = tablesNear(text, offset).find(({ alias }) => alias?.toLowerCase() === owner.toLowerCase());
  return table ? named(definitions, table.name) : [];
}

/** @returns the known name at the offset with its range, for a hover or "Go to definition" */
export function nameAt(
  text: string,
  offset: number,
  definitions: readonly ModelDefinition[],
  context: NameContext = {},
): (ModelName & { start: number; end: number }) | undefined {
  const path = pathAt(text, offset);
  if (path === undefined) return undefined;
  const { parts, start, end } = path;
  const [name = '', owner] = parts.toReversed();
  // Before a dot, the name of a cube takes precedence over that of a dimension with a granularity.
  const isWhole = text[end] === '}' || (text[end] === '.' && named(definitions, name).length === 0);
  const isOwn = text[start - 1] === '{' && isWhole && context.cube !== undefined;
  const isArgument = IN_MEASURE.test(text.slice(Math.max(0, start - 30), start));
  const owners =
    ownersOf(owner, text, offset, definitions, context) ??
    (isOwn ? named(definitions, context.cube!) : isArgument ? queried(text, offset, definitions) : []);
  for (const definition of owners) {
    const member = definition.members.find(
      (each) => unqualified(each, definition).toLowerCase() === name.toLowerCase(),
    );
    if (member) return { name: member.name, kind: 'member', definition, member, start, end };
  }
  // Behind a cube is one that it joins, as in the path of a view.
  const [definition] = owner === undefined || owners.length > 0 ? named(definitions, name) : [];
  return definition && { name: definition.name, kind: 'definition', definition, start, end };
}

/**
 * @param name a qualified member name
 * @returns the reference to the member in the syntax of the target: `{orders.count}` in model YAML, `${orders.count}`
 * in a template literal of a JavaScript model, otherwise the name itself
 */
export function memberReference(name: string, { kind, isDataModel }: { kind: string; isDataModel: boolean }): string {
  if (!isDataModel) return name;
  if (kind === 'jsTemplate') return `\${${name}}`;
  return kind === 'yamlBlock' || kind === 'yamlScalar' || kind === 'yamlEmptyValue' ? `{${name}}` : name;
}
