/** Icons and words of the states of rows and cells. */
import type { RunCell, RunRow, RowState } from '../../src/shared/protocol/runs.ts';
import { t } from '../../src/shared/text/l10n.ts';

export const STATE_ICONS: Readonly<Record<RowState, string>> = {
  failed: 'error',
  changed: 'diff-modified',
  errored: 'error',
  review: 'question',
  unstable: 'pulse',
  flaky: 'pulse',
  skipped: 'debug-step-over',
  canceled: 'circle-slash',
  passed: 'pass',
  same: 'pass',
  asking: 'loading',
  waiting: 'circle-outline',
};

export function stateWord(state: RowState): string {
  switch (state) {
    case 'failed':
      return t('Failed');
    case 'changed':
      return t('Changed');
    case 'errored':
      return t('Error');
    case 'review':
      return t('Review');
    case 'unstable':
      return t('Unstable');
    case 'flaky':
      return t('Flaky');
    case 'skipped':
      return t('Skipped');
    case 'canceled':
      return t('Canceled');
    case 'passed':
      return t('Passed');
    case 'same':
      return t('Same');
    case 'asking':
      return t('Asking');
    case 'waiting':
      return t('Waiting');
  }
}

/** @returns the state of a row, for a changed one with the kind of its change */
export function rowWord({ state, change }: RunRow): string {
  if (state !== 'changed') return stateWord(state);
  return change === 'numbers' ? t('Changed numbers') : t('Changed rows');
}

export const CELL_ICONS: Readonly<Record<RunCell['state'], string>> = {
  waiting: 'circle-outline',
  asking: 'loading',
  answered: 'pass',
  failed: 'error',
  canceled: 'circle-slash',
};

export function cellWord({ state, message }: RunCell): string {
  switch (state) {
    case 'waiting':
      return t('Waiting');
    case 'asking':
      return t('Asking');
    case 'answered':
      return message;
    case 'failed':
      return t('Failed');
    case 'canceled':
      return t('Canceled');
  }
}
