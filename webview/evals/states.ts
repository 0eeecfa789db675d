/** Labels and icons of the row states. */
import type { AnswerRow, RowState } from '../../src/shared/protocol/evals.ts';
import { t } from '../../src/shared/text/l10n.ts';

export const STATE_ICONS: Readonly<Record<RowState, string>> = {
  changed: 'diff-modified',
  failed: 'error',
  notComparable: 'question',
  same: 'pass',
  asking: 'loading',
  waiting: 'circle-outline',
  cancelled: 'circle-slash',
};

export function stateWord(state: RowState): string {
  switch (state) {
    case 'changed':
      return t('Changed');
    case 'failed':
      return t('Failed');
    case 'notComparable':
      return t('Not comparable');
    case 'same':
      return t('Same');
    case 'asking':
      return t('Asking');
    case 'waiting':
      return t('Waiting');
    case 'cancelled':
      return t('Canceled');
  }
}

/** @returns the state of a row with the kind of its change, such as “Changed numbers” */
export function rowWord({ state, change }: AnswerRow): string {
  switch (change) {
    case 'rows':
      return t('Changed rows');
    case 'numbers':
      return t('Changed numbers');
    case 'sql':
      return t('Changed SQL');
    case undefined:
      return stateWord(state);
  }
}
