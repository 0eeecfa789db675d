/** Follows a reference from name to name, and finds the first that does not exist. */
import type { ModelNames } from './names.ts';
import type { NamePart, Reference } from './reference.ts';

/** What a part of a reference stands for. */
export interface Step {
  part: NamePart;
  kind: 'member' | 'owner';
  /** The cubes and views that may have the member; undefined for any of them. */
  owners: readonly string[] | undefined;
  /** `open` if it is not known whether the name exists. */
  status: 'found' | 'unknown' | 'open';
}

const SELF = /^(?:cube|table)$/i;

/** Names of members that the compiler generates, and of columns that the service adds. */
const GENERATED = /^__|___link_/;

/** @returns the steps up to the first name that is a member, or that is not found */
export function trace({ parts, owners, isPath, isOwner, isTable }: Reference, names: ModelNames): Step[] {
  const steps: Step[] = [];
  let current = owners;
  for (const [index, part] of parts.entries()) {
    const { name } = part;
    const next = parts[index + 1]?.name;
    const mayBeOwner = index > 0 || isPath;
    const mayBeMember = isOwner === undefined;
    if (index === 0 && mayBeMember && owners?.length === 1 && SELF.test(name) && !names.hasOwner(name)) continue;
    const isMember = mayBeMember && hasMember(names, current, name);
    // A cube takes precedence, unless what follows is the granularity of a dimension with its name.
    const isGranularity = isMember && next !== undefined && names.isUnknown(name, next);
    if (mayBeOwner && names.hasOwner(name) && !isGranularity) {
      steps.push({ part, kind: 'owner', owners: undefined, status: 'found' });
      current = [name];
      continue;
    }
    if (isMember) return [...steps, { part, kind: 'member', owners: current, status: 'found' }];
    const kind = !mayBeMember || (index === 0 && isPath && next !== undefined) ? 'owner' : 'member';
    const isOpen = GENERATED.test(name) || (kind === 'owner' ? names.isOpen : isOpenMember(names, current, name));
    // A dimension in front of its granularity.
    const mayBeOpen =
      (isTable && names.isOpen) ||
      (kind === 'owner' && mayBeMember && current?.some((owner) => names.isOpenOwner(owner)));
    return [...steps, { part, kind, owners: current, status: isOpen || mayBeOpen ? 'open' : 'unknown' }];
  }
  return steps;
}

const hasMember = (names: ModelNames, owners: readonly string[] | undefined, name: string): boolean =>
  owners === undefined
    ? names.hasAnywhere(name)
    : owners.some((owner) => names.membersOf(owner).has(name.toLowerCase()));

/** Whether a member that was not found may exist all the same. */
const isOpenMember = (names: ModelNames, owners: readonly string[] | undefined, name: string): boolean =>
  owners !== undefined &&
  !owners.every((owner) => names.isUnknown(owner, name) && !(names.isOpen && names.hasJoin(owner, name)));
