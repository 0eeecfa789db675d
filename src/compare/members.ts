/** Names of the data model, learnt from model searches, where SQL and model files are edited. */
import type { ModelDefinition, ModelMember } from '../shared/wire/toolPayloads.ts';
import type { InsertTarget } from '../insert/types.ts';

/** A cube or view, or one of its members. */
export interface ModelName {
  /** Qualified: `orders` or `orders.count`. */
  name: string;
  kind: 'definition' | 'member';
  definition: ModelDefinition;
  member?: ModelMember;
}

const PATH_BEFORE = /[A-Za-z_]\w*(?:\.\w*)*$/;
const PATH_AFTER = /^\w*/;

const unqualified = ({ name }: ModelMember, definition: ModelDefinition): string =>
  name.startsWith(`${definition.name}.`) ? name.slice(definition.name.length + 1) : name;

/**
 * Brings what several model searches found together: later definitions win, members add up.
 * @returns one definition a name, in the order they were first found
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

/** @returns the names that tell semantic SQL apart, see `isSemanticSql` */
export const knownNames = (definitions: readonly ModelDefinition[]): Set<string> =>
  new Set(definitions.map(({ name }) => name));

export interface CompletionCandidate extends ModelName {
  /** What replaces the text from `start` to the cursor. */
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

/**
 * @param text the document up to anywhere at or after the cursor
 * @returns where the word to replace begins, and what may stand there: members after `orders.`, else cubes and views
 */
export function completionsAt(
  text: string,
  offset: number,
  definitions: readonly ModelDefinition[],
): { start: number; candidates: CompletionCandidate[] } {
  const path = PATH_BEFORE.exec(text.slice(Math.max(0, offset - 300), offset))?.[0] ?? '';
  const parts = path.split('.');
  const word = parts.at(-1) ?? '';
  const owner = parts.at(-2)?.toLowerCase();
  const matches = ({ insertText }: CompletionCandidate): boolean =>
    insertText.toLowerCase().startsWith(word.toLowerCase());
  const candidates: CompletionCandidate[] =
    owner === undefined
      ? definitions.map((definition) => ({
          name: definition.name,
          kind: 'definition',
          definition,
          insertText: definition.name,
          detail: definition.type,
          documentation: documentationOf(definition.title),
        }))
      : definitions.filter(({ name }) => name.toLowerCase() === owner).flatMap(memberCandidates);
  return { start: offset - word.length, candidates: candidates.filter(matches) };
}

/** @returns the known name at the offset and where it stands, for a hover or "Go to definition" */
export function nameAt(
  text: string,
  offset: number,
  definitions: readonly ModelDefinition[],
): (ModelName & { start: number; end: number }) | undefined {
  const after = PATH_AFTER.exec(text.slice(offset, offset + 300))?.[0].length ?? 0;
  const end = offset + after;
  const path = PATH_BEFORE.exec(text.slice(Math.max(0, end - 300), end))?.[0];
  if (path === undefined || path.endsWith('.')) return undefined;
  const lowered = path.toLowerCase();
  for (const definition of definitions) {
    const member = definition.members.find(({ name }) => {
      const qualified = name.startsWith(`${definition.name}.`) ? name : `${definition.name}.${name}`;
      return lowered === qualified.toLowerCase() || lowered.endsWith(`.${qualified.toLowerCase()}`);
    });
    if (member !== undefined)
      return { name: member.name, kind: 'member', definition, member, start: end - path.length, end };
  }
  const definition = definitions.find(({ name }) => name.toLowerCase() === lowered);
  return definition && { name: definition.name, kind: 'definition', definition, start: end - path.length, end };
}

/**
 * @param name a qualified member name
 * @returns the name as the target refers to members: `{orders.count}` in model YAML, `${orders.count}` in a template
 * literal of a JavaScript model, bare everywhere else
 */
export function memberReference(name: string, { kind, isDataModel }: InsertTarget): string {
  if (!isDataModel) return name;
  if (kind === 'jsTemplate') return `\${${name}}`;
  return kind === 'yamlBlock' || kind === 'yamlScalar' || kind === 'yamlEmptyValue' ? `{${name}}` : name;
}
