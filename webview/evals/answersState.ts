/** Holds the state of the page with the answers on two branches, and exchanges its messages with the host. */
import {
  isToAnswers,
  type AnswerRow,
  type RowState,
  type RunState,
  type ToAnswers,
} from '../../src/shared/protocol/evals.ts';
import type { FromRunPage } from '../../src/shared/protocol/runPage.ts';
import { assertNever } from '../../src/shared/protocol/chat.ts';
import { t, useBundle } from '../../src/shared/text/l10n.ts';
import { postRaw } from '../app/host.ts';
import { startPage } from '../app/page.ts';

export interface AnswersState extends RunState {
  left: string;
  right: string;
  rows: readonly AnswerRow[];
}

export const postAnswers = (message: FromRunPage): void => postRaw(message);

/** @param draw renders a state; called at most once per frame */
export const start = (draw: (state: AnswersState) => void): void => startPage(isToAnswers, apply, draw);

function apply(state: AnswersState | undefined, message: ToAnswers): AnswersState | undefined {
  switch (message.type) {
    case 'answers': {
      const { type: _type, l10n, ...complete } = message;
      useBundle(l10n, document.documentElement.lang);
      return complete;
    }
    case 'row':
      return state && { ...state, rows: state.rows.with(message.index, message.row) };
    case 'run': {
      const { isRunning, summary } = message;
      return state && { ...state, isRunning, summary };
    }
    default:
      return assertNever(message);
  }
}

export const STATE_ICONS: Readonly<Record<RowState, string>> = {
  changed: 'diff-modified',
  failed: 'error',
  notComparable: 'question',
  same: 'pass',
  asking: 'loading',
  waiting: 'circle-outline',
  canceled: 'circle-slash',
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
    case 'canceled':
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
