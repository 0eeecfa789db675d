/** Finds the data model members that answers use and whose definitions differ. */
import type { ChangedMember } from '../shared/protocol/runs.ts';
import type { Thread } from '../shared/thread/model.ts';
import { payloadOf, shownTurns } from '../shared/thread/turns.ts';
import type { ModelMember } from '../shared/wire/toolPayloads.ts';

interface AnswerContent {
  members: ReadonlyMap<string, ModelMember>;
  /** Every word in the SQL of the queries, lower case. */
  words: ReadonlySet<string>;
}

/** Collects the members found by the model searches of the last turn, and the words of its queries. */
function contentOf(thread: Thread | undefined): AnswerContent {
  const members = new Map<string, ModelMember>();
  const words = new Set<string>();
  for (const step of (thread && shownTurns(thread).at(-1)?.steps) ?? []) {
    const payload = payloadOf(step);
    if (payload?.kind === 'modelSearch')
      for (const member of payload.definitions?.flatMap((definition) => definition.members) ?? [])
        members.set(member.name, member);
    if (payload?.kind === 'sqlQuery')
      for (const [word] of payload.sqlQuery.matchAll(/[\p{L}\p{N}_]+/gu)) words.add(word.toLowerCase());
  }
  return { members, words };
}

/** Whether a query probably uses the member `view.name`: its SQL contains both words. */
const uses = ({ words }: AnswerContent, name: string): boolean =>
  name.split('.').every((word) => words.has(word.toLowerCase()));

const isSame = (left: ModelMember, right: ModelMember): boolean =>
  left.title === right.title &&
  left.description === right.description &&
  left.type === right.type &&
  left.aggType === right.aggType;

/** @returns the members that a query of any answer uses and whose definitions differ */
export function changedMembers(threads: readonly (Thread | undefined)[]): ChangedMember[] {
  const contents = threads.map(contentOf);
  const names = new Set(contents.flatMap(({ members }) => [...members.keys()]));
  return [...names].flatMap((name) => {
    if (!contents.some((content) => uses(content, name))) return [];
    const definitions = contents.map(({ members }) => members.get(name));
    const first = definitions.find((member) => member !== undefined);
    const isChanged = definitions.map((member) => member !== undefined && !isSame(first!, member));
    return isChanged.includes(true) ? [{ name, definitions, isChanged }] : [];
  });
}
