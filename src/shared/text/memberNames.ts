/** Completion, lookup and references of data model names, as found by model searches. */
import type { ModelDefinition, ModelMember } from '../wire/toolPayloads.ts';

/** A cube or view, or one of its members. */
interface ModelName {
  /** Qualified: `orders` or `orders.count`. */
  name: string;
  kind: 'definition' | 'member';
  definition: ModelDefinition;
  member?: ModelMember;
}

const PATH_BEFORE = /[A-Za-z_]\w*(?:\.\w*)*$/;
const PATH_AFTER = /^\w*/;
/** Includes a dot that doesn't follow a name, as in `f().`, after which nothing is offered. */
const TYPED = /[\w.]*$/;

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

/**
 * @param text the document, at least up to the cursor
 * @param offset the cursor position
 * @returns the start of the word to replace, and its candidates: members after `orders.`, otherwise cubes and views
 */
export function completionsAt(
  text: string,
  offset: number,
  definitions: readonly ModelDefinition[],
): { start: number; candidates: CompletionCandidate[] } {
  const parts = TYPED.exec(text.slice(Math.max(0, offset - 300), offset))![0].split('.');
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

/** @returns the known name at the offset with its range, for a hover or "Go to definition" */
export function nameAt(
  text: string,
  offset: number,
  definitions: readonly ModelDefinition[],
): (ModelName & { start: number; end: number }) | undefined {
  const end = offset + PATH_AFTER.exec(text.slice(offset, offset + 300))![0].length;
  const path = PATH_BEFORE.exec(text.slice(Math.max(0, end - 300), end))?.[0];
  if (path === undefined) return undefined;
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
 * @returns the reference to the member in the syntax of the target: `{orders.count}` in model YAML, `${orders.count}`
 * in a template literal of a JavaScript model, otherwise the name itself
 */
export function memberReference(name: string, { kind, isDataModel }: { kind: string; isDataModel: boolean }): string {
  if (!isDataModel) return name;
  if (kind === 'jsTemplate') return `\${${name}}`;
  return kind === 'yamlBlock' || kind === 'yamlScalar' || kind === 'yamlEmptyValue' ? `{${name}}` : name;
}
