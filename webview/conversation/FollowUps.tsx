/** Suggested questions after the last answer. */
import { followUps } from '../../src/shared/text/followUps.ts';
import { t } from '../../src/shared/text/l10n.ts';
import type { ShownTurn } from '../../src/shared/thread/turns.ts';
import { post } from '../app/host.ts';

export const FollowUps = ({ turn }: { turn: ShownTurn }) => {
  const questions = followUps(turn);
  if (questions.length === 0) return null;
  return (
    <ul class="follow-ups" aria-label={t('Follow-up questions')}>
      {questions.map((question) => (
        <li key={question}>
          <button type="button" class="chip" onClick={() => post({ type: 'send', text: question, images: [] })}>
            {question}
          </button>
        </li>
      ))}
    </ul>
  );
};
