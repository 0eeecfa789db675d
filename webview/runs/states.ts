/** Icons and words of the states of questions, cells and compared rows. */
import type { RowState, RowStatus, RunCell, RunRow } from '../../src/shared/protocol/runs.ts';
import { t } from '../../src/shared/text/l10n.ts';

export const STATES: Readonly<Record<RowState | RowStatus | 'answered', { icon: string; word: () => string }>> = {
  failed: { icon: 'error', word: () => t('Failed') },
  changed: { icon: 'diff-modified', word: () => t('Changed') },
  errored: { icon: 'error', word: () => t('Error') },
  review: { icon: 'question', word: () => t('Review') },
  unstable: { icon: 'pulse', word: () => t('Unstable') },
  flaky: { icon: 'pulse', word: () => t('Flaky') },
  skipped: { icon: 'debug-step-over', word: () => t('Skipped') },
  canceled: { icon: 'circle-slash', word: () => t('Canceled') },
  passed: { icon: 'pass', word: () => t('Passed') },
  same: { icon: 'pass', word: () => t('Same') },
  asking: { icon: 'loading', word: () => t('Asking') },
  waiting: { icon: 'circle-outline', word: () => t('Waiting') },
  // The message of such a cell says more.
  answered: { icon: 'pass', word: () => '' },
  added: { icon: 'diff-added', word: () => t('Added') },
  removed: { icon: 'diff-removed', word: () => t('Removed') },
};

/** @returns the state of a row, for a changed one with the kind of its change */
export function rowWord({ state, change }: RunRow): string {
  if (state !== 'changed') return STATES[state].word();
  return change === 'numbers' ? t('Changed numbers') : t('Changed rows');
}

export const cellWord = ({ state, message }: RunCell): string => STATES[state].word() || message;
