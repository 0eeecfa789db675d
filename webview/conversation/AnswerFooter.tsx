/** Below an answer: its actions, the tokens that it cost, and suggested questions. */
import type { ViewContext } from '../../src/shared/protocol/chat.ts';
import { followUps } from '../../src/shared/text/followUps.ts';
import { t } from '../../src/shared/text/l10n.ts';
import type { Item } from '../../src/shared/thread/model.ts';
import { payloadOf, type ShownTurn } from '../../src/shared/thread/turns.ts';
import { usePost, type Post } from '../app/post.ts';
import { ActionButtons, type Action } from '../ui/actions.tsx';
import { TableActions, TokenUsage } from './TurnParts.tsx';

/** Actions of an answer: those of its text, and of the query that a test would be graded by. */
export function answerActions(
  { answer, ...turn }: ShownTurn,
  { readOnly }: ViewContext,
  post: Post,
): { onText: Action[]; onQuery: Action[] } {
  const toolCallId = readOnly ? undefined : testableQuery(turn)?.id;
  const copy = { icon: 'copy', label: t('Copy answer') };
  return {
    onText: answer ? [{ ...copy, run: () => post({ type: 'copyAnswer', messageId: answer.id }) }] : [],
    onQuery:
      toolCallId === undefined
        ? []
        : [
            { icon: 'beaker', label: t('Add as test…'), run: () => post({ type: 'addAsTest', toolCallId }) },
            { icon: 'verified', label: t('Certify…'), run: () => post({ type: 'certify', toolCallId }) },
            { icon: 'request-changes', label: t('Correct…'), run: () => post({ type: 'correct', toolCallId }) },
          ],
  };
}

export const AnswerFooter = ({ turn, viewContext }: { turn: ShownTurn; viewContext: ViewContext }) => {
  const { answer } = turn;
  const { onText, onQuery } = answerActions(turn, viewContext, usePost());
  if (!answer && onQuery.length === 0 && !turn.usage) return null;
  return (
    <div class="answer-footer">
      <ActionButtons actions={onText} />
      {answer ? <TableActions answer={answer} guardFormulas={viewContext.guardFormulas} /> : null}
      <ActionButtons actions={onQuery} />
      {turn.usage ? <TokenUsage usage={turn.usage} /> : null}
    </div>
  );
};

/** The query that a test of this question would be graded by: the last one with rows. */
const testableQuery = ({ steps }: Pick<ShownTurn, 'steps'>): Item | undefined =>
  steps.findLast((step) => {
    const payload = payloadOf(step);
    return payload?.kind === 'sqlQuery' && payload.sqlQuery !== '' && (payload.table?.rows.length ?? 0) > 0;
  });

/** Suggested questions after the last answer. */
export const FollowUps = ({ turn }: { turn: ShownTurn }) => {
  const post = usePost();
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
