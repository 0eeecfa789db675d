/** Changes between two versions of model files, as text. */
import { qualified } from '../../../src/model/members.ts';
import { compareVersions } from '../../../src/model/versions.ts';
import type { SourceFile } from '../../../src/shared/text/sourceFile.ts';

export const YAML = 'model/orders.yml';
export const JS = 'model/orders.js';

/** Changes as `renamed orders.a → orders.b`. */
export function changes(before: string, after: string, path: string): string[] {
  return changesIn([{ path, text: before }], [{ path, text: after }]);
}

/** The same, for several files. */
export const changesIn = (before: readonly SourceFile[], after: readonly SourceFile[]): string[] =>
  compareVersions(before, after).changes.map(
    ({ kind, member, before: former }) =>
      `${kind} ${former && kind === 'renamed' ? `${qualified(former)} → ` : ''}${qualified(member)}`,
  );
