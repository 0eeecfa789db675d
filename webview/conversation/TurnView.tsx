/** A turn: the question, the steps, the results and the answer. */
import { draftOf, type ViewContext } from '../../src/shared/protocol/chat.ts';
import { splitMessage, subjectOf, titleOfAttached } from '../../src/shared/text/attachedTexts.ts';
import { t } from '../../src/shared/text/l10n.ts';
import type { Item, Question, QuestionContext, Reconnecting, StopOutcome } from '../../src/shared/thread/model.ts';
import type { ShownTurn } from '../../src/shared/thread/turns.ts';
import { ActionButtons, openActions, type Action } from '../ui/actions.tsx';
import { Icon } from '../ui/Icon.tsx';
import { usePost } from '../app/post.ts';
import { foldedItems, isSqlQuery, isUnknownTool, partKey } from '../find/parts.ts';
import { useFoundIn } from '../find/useFind.ts';
import { Picture } from '../ui/Picture.tsx';
import type { Replica } from '../app/replica.ts';
import { mounted } from '../app/mounted.ts';
import { dayAndTime, fullTime } from '../ui/times.ts';
import { memo } from '../ui/wrappers.tsx';
import { ErrorAlert } from './ErrorAlert.tsx';
import { AnswerFooter, answerActions, FollowUps } from './AnswerFooter.tsx';
import { Progress, Prose, UnknownTool } from './TurnParts.tsx';
import { ResultCard } from './card/ResultCard.tsx';
import { Steps } from './Steps.tsx';

interface TurnProps {
  turn: ShownTurn;
  viewContext: ViewContext;
  /** Rows loaded beyond those of the tool results, by tool call id. */
  loaded: Replica['loaded'];
  running: boolean;
  reconnecting: Reconnecting | undefined;
  previousContext: QuestionContext | undefined;
  isLast: boolean;
  /** Whether later questions were asked. */
  past?: boolean;
  /** Whether the reader has scrolled away from the end of the log. */
  isReading?: () => boolean;
}

const hasText = (item: Item | undefined): boolean => item !== undefined && item.content.trim() !== '';
const isEmpty = ({ steps, answer }: ShownTurn): boolean =>
  !hasText(answer) && !steps.some((step) => step.toolCall !== undefined || hasText(step));
/** Whether the steps are the last visible part of the turn and therefore show its progress. */
const isAtSteps = (steps: readonly Item[]): boolean =>
  steps.length > 0 && !steps.some((step) => isSqlQuery(step) || isUnknownTool(step));

export const TurnView = memo((props: TurnProps) => {
  const {
    turn,
    viewContext,
    loaded,
    running,
    reconnecting,
    previousContext,
    isLast,
    past = false,
    isReading = () => false,
  } = props;
  const { question, steps, answer, outcome } = turn;
  const post = usePost();
  const folded = foldedItems(turn);
  // The result of a query can be the whole answer.
  const ended = !running && (answer !== undefined || outcome?.state === 'done');
  return (
    <div class="turn" data-turn={turn.id}>
      {question ? <QuestionView question={question} viewContext={viewContext} previous={previousContext} /> : null}
      {steps.length > 0 || answer || running || outcome?.state === 'done' ? (
        <article
          class="answer"
          aria-label={t('Assistant')}
          aria-busy={running}
          onContextMenu={(event) => {
            const { onText, onQuery } = answerActions(turn, viewContext, post);
            if (ended) openActions(event, t('Answer'), [...onText, ...onQuery]);
          }}
        >
          {folded.length > 0 ? (
            <Steps turn={turn} steps={folded} running={running} show={viewContext.showThinking} isReading={isReading} />
          ) : null}
          {steps.map((step) =>
            isSqlQuery(step) ? (
              <ResultCard
                key={step.id}
                item={step}
                identity={question?.context?.identity}
                running={running}
                viewContext={viewContext}
                loaded={loaded.get(step.id)}
              />
            ) : isUnknownTool(step) ? (
              <UnknownTool key={step.id} item={step} />
            ) : null,
          )}
          {answer ? <Prose text={answer.content} settled={!answer.inProcess} part={partKey(answer, 'answer')} /> : null}
          {running ? <Progress reconnecting={reconnecting} begun={answer !== undefined || isAtSteps(steps)} /> : null}
          {outcome?.state === 'done' && !running && isEmpty(turn) ? (
            <p class="note">{t('The agent returned no answer.')}</p>
          ) : null}
          {ended ? <AnswerFooter turn={turn} viewContext={viewContext} /> : null}
          {ended && isLast && !viewContext.readOnly ? <FollowUps turn={turn} /> : null}
        </article>
      ) : null}
      {outcome?.state === 'failed' ? (
        <ErrorAlert error={outcome.error} past={past} readOnly={viewContext.readOnly} />
      ) : null}
      {outcome?.state === 'stopped' ? <p class="note">{stopNote(outcome.service)}</p> : null}
    </div>
  );
});

function stopNote(service: StopOutcome): string {
  switch (service) {
    case 'pending':
    case 'stopped':
      return t('Stopped.');
    case 'byService':
      return t('The service stopped this answer.');
    case 'forbidden':
      return t('Stopped here, but not on the service: the chat belongs to another user.');
    case 'notFound':
      return t('Stopped here. The service no longer has this chat.');
    case 'unreachable':
      return t('Stopped here, but not on the service, which may still be working.');
  }
}

interface QuestionProps {
  question: Question;
  viewContext: ViewContext;
  previous: QuestionContext | undefined;
}

const QuestionView = ({ question, viewContext, previous }: QuestionProps) => {
  const post = usePost();
  const { context, content } = question;
  const { attached, typed } = splitMessage(content);
  const found = useFoundIn(['question'], (itemId) => itemId === question.id);
  const branchOf = (of: QuestionContext | undefined): string => of?.branch || viewContext.mainBranch;
  const branch = branchOf(context);
  /** @returns the previous branch or identity and an arrow, if it differs from the current one */
  const from = (before: string | undefined, now: string | undefined): string =>
    before === undefined || before === now ? '' : `${before} → `;
  const [fromBranch, fromIdentity] = [
    from(previous && branchOf(previous), branch),
    from(previous?.identity, context?.identity),
  ];
  const images = question.images ?? [];
  const actions: Action[] = viewContext.readOnly
    ? []
    : [
        {
          icon: 'edit',
          label: t('Edit question'),
          run: () => mounted.composer?.onEdit(draftOf(question)),
        },
        {
          icon: 'refresh',
          label: t('Ask again'),
          run: () => post({ type: 'send', text: content, images }),
        },
      ];
  const copy = { label: t('Copy question'), run: () => post({ type: 'copy', text: content }) };
  return (
    <>
      <article
        class="question"
        aria-label={t('You')}
        onContextMenu={(event) => openActions(event, t('Question'), [...actions, copy])}
      >
        <div class="bubble-row">
          {actions.length === 0 ? null : (
            <span class="question-actions">
              <ActionButtons actions={actions} />
            </span>
          )}
          <div class="bubble" data-part={partKey(question, 'question')}>
            {attached.map((text, index) => (
              <Attached key={index} text={`${text}\n`} open={found} />
            ))}
            {typed}
          </div>
        </div>
        {images.map((image, index) => (
          <Picture key={index} class="thumbnail" image={image} />
        ))}
      </article>
      <QuestionPin text={subjectOf(content)} />
      {context ? (
        <p class={fromBranch || fromIdentity ? 'question-context changed' : 'question-context'}>
          <Icon icon="git-branch" />
          <span title={t('Asked on branch {0} as {1}', branch, context.identity)}>
            {fromBranch}
            {branch} · {fromIdentity}
            {context.identity}
          </span>
          <time dateTime={new Date(question.time).toISOString()} title={fullTime(question.time)}>
            {dayAndTime(question.time)}
          </time>
        </p>
      ) : null}
    </>
  );
};

/** An attached text, folded below its title. */
const Attached = ({ text, open }: { text: string; open: boolean }) => {
  const start = titleOfAttached(text).length + 1;
  return (
    <details class="attached" open={open}>
      <summary>{text.slice(0, start)}</summary>
      <span>{text.slice(start)}</span>
    </details>
  );
};

/** The question in one line, stuck to the top of the log while its answer is in view; a click scrolls back to it. */
const QuestionPin = ({ text }: { text: string }) =>
  text.trim() === '' ? null : (
    <div class="question-pin" aria-hidden="true">
      <div
        class="question-pin-text"
        data-question={text}
        onClick={({ currentTarget }) => currentTarget.closest('.turn')?.scrollIntoView()}
      />
    </div>
  );
