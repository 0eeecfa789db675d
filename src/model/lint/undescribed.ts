/** Finds the members without a description that an agent can reach: it chooses members by their descriptions. */
import { hasJinja } from '../../shared/text/jinja.ts';
import type { MemberDefinition } from '../members.ts';
import { textAt, type ModelNode } from '../modelNode.ts';
import type { ModelNames } from './names.ts';

const DESCRIBED: ReadonlySet<string> = new Set(['measure', 'dimension', 'segment']);

const isPublic = (node: ModelNode): boolean => textAt(node, 'public', 'shown') !== 'false';

/** Whether there is a description, or code that may have one. */
const isDescribed = ({ entries = [] }: ModelNode): boolean =>
  entries.some(({ key, isComputed, value }) => isComputed === true || (key === 'description' && value.text !== ''));

/** @returns the definitions of the members of public views; without views, of public cubes */
export function undescribedMembers(names: ModelNames): MemberDefinition[] {
  const owners = names.owners.flatMap((owner) => {
    const own = names.definitionsIn(owner).filter(({ name }) => name === undefined);
    return own.every(({ node }) => isPublic(node)) ? own.slice(0, 1) : [];
  });
  const views = owners.filter(({ kind }) => kind === 'view');
  const found = new Set<MemberDefinition>();
  for (const { owner } of views.length > 0 ? views : owners) {
    // A view can describe a member itself.
    const described = new Set(
      names
        .definitionsIn(owner)
        .flatMap(({ name, kind, node }) => (kind === 'include' && isDescribed(node) ? [name] : [])),
    );
    for (const { name, definition } of [...names.membersOf(owner).values()].flat()) {
      const { kind, node } = definition;
      const isMissing = DESCRIBED.has(kind) && isPublic(node) && !isDescribed(node) && !described.has(name);
      if (isMissing && !hasJinja(name)) found.add(definition);
    }
  }
  return [...found];
}
