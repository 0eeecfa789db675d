/** Holds the state of the page and exchanges its messages with the host. */
import { isToAnswers, type AnswerRow, type RunState, type ToAnswers } from '../../src/shared/protocol/evals.ts';
import type { FromRunPage } from '../../src/shared/protocol/runPage.ts';
import { assertNever } from '../../src/shared/protocol/chat.ts';
import { useBundle } from '../../src/shared/text/l10n.ts';
import { oncePerFrame } from '../app/frame.ts';
import { onHostMessage, postRaw } from '../app/host.ts';

export interface AnswersState extends RunState {
  left: string;
  right: string;
  rows: readonly AnswerRow[];
}

export const postAnswers = (message: FromRunPage): void => postRaw(message);

/** @param draw renders a state; called at most once per frame */
export function start(draw: (state: AnswersState) => void): void {
  let state: AnswersState | undefined;
  const redraw = oncePerFrame(() => {
    if (state) draw(state);
  });
  onHostMessage((message) => {
    if (!isToAnswers(message)) return;
    state = apply(state, message);
    redraw();
  });
  postAnswers({ type: 'ready' });
}

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
