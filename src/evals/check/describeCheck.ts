/** The texts of a check before it asks: what changed, and why the service may not know it yet. */
import { plural, t } from '../../shared/text/l10n.ts';
import type { MemberChange } from './changes.ts';
import { qualified } from './members.ts';

/** Number of changes that are listed. */
const LISTED = 8;

export function changeLines(changes: readonly MemberChange[]): string[] {
  const lines = changes.slice(0, LISTED).map(changeLine);
  const more = changes.length - LISTED;
  return more > 0 ? [...lines, plural(more, '… {0} more member|… {0} more members')] : lines;
}

function changeLine({ kind, member, before }: MemberChange): string {
  const name = qualified(member);
  switch (kind) {
    case 'added':
      return t('Added: {0}', name);
    case 'removed':
      return t('Removed: {0}', name);
    case 'changed':
      return t('Changed: {0}', name);
    case 'renamed':
      return t('Renamed: {0} → {1}', before ? qualified(before) : '', name);
  }
}

/** Model files and commits that the service does not have yet. */
export interface Unpushed {
  branch: string;
  /** Names of changed model files. */
  unsaved: readonly string[];
  uncommitted: readonly string[];
  /** Number of commits; undefined if the branch has never been pushed. */
  commits: number | undefined;
}

/** @returns one line for each reason why the service answers from an older model; empty if everything is pushed */
export function unpushedLines({ branch, unsaved, uncommitted, commits }: Unpushed): string[] {
  return [
    ...(unsaved.length > 0 ? [t('Not saved: {0}', unsaved.join(', '))] : []),
    ...(uncommitted.length > 0 ? [t('Not committed: {0}', uncommitted.join(', '))] : []),
    ...(commits === undefined ? [t('Never pushed: branch “{0}”', branch)] : []),
    ...(commits ? [plural(commits, 'Not pushed: {0} commit|Not pushed: {0} commits')] : []),
  ];
}
