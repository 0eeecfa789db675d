/** Finds the members that differ between two versions of a data model. */
import { qualified, type MemberDefinition } from './members.ts';

/** A change of `member`; `before` is its previous version. A removed member is in its last version. */
export type MemberChange =
  | { kind: 'added' | 'removed'; member: MemberDefinition; before?: never }
  | { kind: 'changed' | 'renamed'; member: MemberDefinition; before: MemberDefinition };

/** @returns the changes in the order of the members, removed ones last */
export function compareModels(before: readonly MemberDefinition[], after: readonly MemberDefinition[]): MemberChange[] {
  const [old, now] = [byKey(before), byKey(after)];
  const removed = new Set([...old].flatMap(([key, member]) => (now.has(key) ? [] : [member])));
  const owners = renamedOwners(removed, now, old);
  const changes = [...now].flatMap(([key, member]): MemberChange[] => {
    const same = old.get(key);
    if (same) return same.body === member.body ? [] : [{ kind: 'changed', member, before: same }];
    const former = [...removed].find((each) => isRenamed(each, member, owners));
    if (former === undefined) return [{ kind: 'added', member }];
    removed.delete(former);
    // If a cube is renamed, its members are not reported.
    const isMoved = member.name !== undefined && former.name === member.name;
    return isMoved ? [] : [{ kind: 'renamed', member, before: former }];
  });
  return [...changes, ...[...removed].map((member): MemberChange => ({ kind: 'removed', member }))];
}

/** @returns the members by kind and name, with a number, because templates can define a name more than once */
function byKey(members: readonly MemberDefinition[]): Map<string, MemberDefinition> {
  const found = new Map<string, MemberDefinition>();
  for (const member of members) {
    const key = `${member.name === undefined ? '' : member.kind} ${qualified(member)}`;
    let number = 1;
    while (found.has(`${key} ${number}`)) number += 1;
    found.set(`${key} ${number}`, member);
  }
  return found;
}

/** @returns cubes and views with the same body and at least one common member, by their new names */
function renamedOwners(
  removed: ReadonlySet<MemberDefinition>,
  now: ReadonlyMap<string, MemberDefinition>,
  old: ReadonlyMap<string, MemberDefinition>,
): Map<string, string> {
  const names = new Map<string, string>();
  const bodies = (members: Iterable<MemberDefinition>, owner: string): string[] =>
    [...members].flatMap((each) =>
      each.owner === owner && each.name !== undefined ? [`${each.name} ${each.body}`] : [],
    );
  for (const member of now.values()) {
    if (member.name !== undefined) continue;
    const own = new Set(bodies(now.values(), member.owner));
    const former = [...removed].find(
      (each) =>
        each.name === undefined &&
        each.body === member.body &&
        ![...names.values()].includes(each.owner) &&
        (own.size === 0 || bodies(old.values(), each.owner).some((body) => own.has(body))),
    );
    if (former) names.set(member.owner, former.owner);
  }
  return names;
}

function isRenamed(former: MemberDefinition, member: MemberDefinition, owners: ReadonlyMap<string, string>): boolean {
  if (former.body !== member.body) return false;
  const owner = owners.get(member.owner);
  return former.owner === (member.name === undefined ? owner : (owner ?? member.owner));
}
