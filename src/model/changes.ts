/** Finds the members that differ between two versions of a data model. */
import { groupBy } from '../shared/text/groupBy.ts';
import { qualified, type MemberDefinition } from './members.ts';

/** A change of `member`; `before` is its previous version. A removed member is in its last version. */
export type MemberChange =
  | { kind: 'added' | 'removed'; member: MemberDefinition; before?: never }
  | { kind: 'changed' | 'renamed'; member: MemberDefinition; before: MemberDefinition };

/**
 * @param usesChange whether a member uses shared code that differs between the versions
 * @returns the changes in the order of the members, removed ones last
 */
export function compareModels(
  before: readonly MemberDefinition[],
  after: readonly MemberDefinition[],
  usesChange: (member: MemberDefinition) => boolean = () => false,
): MemberChange[] {
  const [old, now] = [byKey(before), byKey(after)];
  const removed = new Set([...old].flatMap(([key, member]) => (now.has(key) ? [] : [member])));
  const added = new Set([...now].flatMap(([key, member]) => (old.has(key) ? [] : [member])));
  const owners = renamedOwners(removed, added, membersByOwner(before), membersByOwner(after));
  const renamed = new Candidates(removed, ({ owner, body }) => [keyOf(owner, body)]);
  const changes = [...now].flatMap(([key, member]): MemberChange[] => {
    const same = old.get(key);
    if (same) {
      const isChanged = same.body !== member.body || usesChange(same) || usesChange(member);
      return isChanged ? [{ kind: 'changed', member, before: same }] : [];
    }
    const owner = owners.get(member.owner) ?? (member.name === undefined ? undefined : member.owner);
    const former = owner === undefined ? undefined : renamed.take([keyOf(owner, member.body)], member.name);
    if (former === undefined) return [{ kind: 'added', member }];
    removed.delete(former);
    // If a cube is renamed, its members are not reported.
    const isMoved = member.name !== undefined && former.name === member.name;
    return isMoved ? [] : [{ kind: 'renamed', member, before: former }];
  });
  return [...changes, ...[...removed].map((member): MemberChange => ({ kind: 'removed', member }))];
}

const keyOf = (...parts: readonly string[]): string => parts.join('\0');

/** @returns the members by kind and name, with a number, because templates can define a name more than once */
function byKey(members: readonly MemberDefinition[]): Map<string, MemberDefinition> {
  const counts = new Map<string, number>();
  return new Map(
    members.map((member) => {
      const key = `${member.name === undefined ? '' : member.kind} ${qualified(member)}`;
      const count = counts.get(key) ?? 0;
      counts.set(key, count + 1);
      return [`${key} ${count}`, member];
    }),
  );
}

const membersByOwner = (members: readonly MemberDefinition[]): Map<string, MemberDefinition[]> =>
  groupBy(
    members.filter(({ name }) => name !== undefined),
    ({ owner }) => owner,
  );

/** Members to be paired, each with at most one other. */
class Candidates {
  readonly #byKey = new Map<string, MemberDefinition[]>();
  readonly #taken = new Set<MemberDefinition>();

  constructor(members: Iterable<MemberDefinition>, keysOf: (member: MemberDefinition) => readonly string[]) {
    for (const member of members)
      for (const key of new Set(keysOf(member))) {
        const known = this.#byKey.get(key);
        if (known) known.push(member);
        else this.#byKey.set(key, [member]);
      }
    for (const list of this.#byKey.values()) list.reverse();
  }

  /** @returns the first member with one of the keys, preferably with this name */
  take(keys: readonly string[], name?: string): MemberDefinition | undefined {
    for (const key of keys) {
      const list = this.#byKey.get(key) ?? [];
      while (list.length > 0 && this.#taken.has(list.at(-1)!)) list.pop();
      const found = list.findLast((each) => each.name === name && !this.#taken.has(each)) ?? list.at(-1);
      if (found === undefined) continue;
      this.#taken.add(found);
      return found;
    }
    return undefined;
  }
}

/** @returns cubes and views with the same body and at least one common member, by their new names */
function renamedOwners(
  removed: Iterable<MemberDefinition>,
  added: Iterable<MemberDefinition>,
  old: ReadonlyMap<string, readonly MemberDefinition[]>,
  now: ReadonlyMap<string, readonly MemberDefinition[]>,
): Map<string, string> {
  const keysOf = ({ owner, body }: MemberDefinition, members: typeof old): string[] =>
    (members.get(owner) ?? []).map((member) => keyOf(body, member.name!, member.body));
  const candidates = new Candidates(
    [...removed].filter(({ name }) => name === undefined),
    (owner) => [owner.body, ...keysOf(owner, old)],
  );
  const names = new Map<string, string>();
  for (const owner of added) {
    if (owner.name !== undefined) continue;
    const keys = keysOf(owner, now);
    const former = candidates.take(keys.length > 0 ? keys : [owner.body]);
    if (former) names.set(owner.owner, former.owner);
  }
  return names;
}
