/** Changes between two versions of a model file, as text. */
import { compareModels } from '../../../src/model/changes.ts';
import { membersIn, qualified } from '../../../src/model/members.ts';

export const YAML = 'model/orders.yml';
export const JS = 'model/orders.js';

/** Changes as `renamed orders.a → orders.b`. */
export function changes(before: string, after: string, path: string): string[] {
  return compareModels(membersIn({ path, text: before }), membersIn({ path, text: after })).map(
    ({ kind, member, before: former }) =>
      `${kind} ${former && kind === 'renamed' ? `${qualified(former)} → ` : ''}${qualified(member)}`,
  );
}
