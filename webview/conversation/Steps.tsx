/** The steps of an answer: expanded while they run, folded into one line when they have finished. */
import { Icon } from '../ui/Icon.tsx';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../src/shared/text/l10n.ts';
import type { Item } from '../../src/shared/thread/model.ts';
import { payloadOf, type ShownTurn } from '../../src/shared/thread/turns.ts';
import { partKey } from '../find/parts.ts';
import { useFoundIn } from '../find/useFind.ts';
import { ModelSearch } from './ModelSearch.tsx';
import { Prose } from './TurnParts.tsx';
import { isAtEnd, NEAR } from './follow.ts';

interface StepsProps {
  turn: ShownTurn;
  steps: readonly Item[];
  running: boolean;
  show: 'collapsed' | 'expanded' | 'hidden';
  /** Whether the reader has scrolled away from the end of the log and may be reading the steps. */
  isReading: () => boolean;
}

/** @returns a short summary of finished steps, which follows "Steps" in the button's name */
function summaryOf(turn: ShownTurn, steps: readonly Item[], show: StepsProps['show']): string {
  const parts: string[] = [];
  const thought = steps.filter(({ thinking }) => thinking !== '');
  const begin = turn.question?.time ?? thought[0]?.time;
  const last = thought.at(-1);
  if (show !== 'hidden' && last && begin !== undefined)
    parts.push(t('thought for {0} s', Math.max(1, Math.round((last.updated - begin) / 1000))));
  const searches = steps.flatMap((step) => {
    const payload = payloadOf(step);
    return payload?.kind === 'modelSearch' ? [payload] : [];
  });
  const members = searches.flatMap(({ definitions }) => definitions ?? []).flatMap((definition) => definition.members);
  if (members.length > 0) parts.push(t('searched the model ({0})', members.length));
  return parts.join(' · ');
}

export const Steps = ({ turn, steps, running, show, isReading }: StepsProps) => {
  const [chosen, setChosen] = useState<boolean>();
  const wasRunning = useRef(running);
  const kept = useRef(false);
  const list = useRef<HTMLDivElement>(null);
  const isRead = (): boolean => {
    if (isReading()) return true;
    const box = list.current;
    if (!box) return false;
    return box.contains(document.activeElement) || [...box.querySelectorAll('.thought')].some((one) => !isAtEnd(one));
  };
  // Keep the steps open when the answer ends if they are being read or contain the focus.
  if (wasRunning.current && !running) kept.current = isRead();
  wasRunning.current = running;
  const found = useFoundIn(['thinking', 'message'], (itemId) => steps.some(({ id }) => id === itemId));
  useEffect(() => {
    if (found) setChosen(true);
  }, [found]);
  const visible = steps.filter(
    (step) => show !== 'hidden' || (step !== turn.answer && (payloadOf(step) || step.content.trim() !== '')),
  );
  if (visible.length === 0) return null;
  const open = chosen ?? (kept.current || show === 'expanded');
  const summary = running ? '' : summaryOf(turn, visible, show);
  return (
    <div class="steps" ref={list}>
      {running ? null : (
        <button type="button" class="fold" aria-expanded={open} onClick={() => setChosen(!open)}>
          <Icon icon={open ? 'chevron-down' : 'chevron-right'} />
          <span class="fold-text">{summary === '' ? t('Steps') : t('Steps: {0}', summary)}</span>
        </button>
      )}
      {running || open ? (
        <StepList
          steps={visible}
          answer={turn.answer}
          asTheyCome={running || kept.current}
          show={show}
          isRead={isRead}
        />
      ) : null}
    </div>
  );
};

interface StepListProps {
  steps: readonly Item[];
  answer: Item | undefined;
  /** Whether only the steps in progress are open, and not all. */
  asTheyCome: boolean;
  show: StepsProps['show'];
  isRead: () => boolean;
}

const StepList = ({ steps, answer, asTheyCome, show, isRead }: StepListProps) => (
  <div class="step-list">
    {steps.map((step) => (
      <Step
        key={step.id}
        isAnswer={step === answer}
        step={step}
        open={asTheyCome ? step.inProcess || show === 'expanded' : true}
        listed={!asTheyCome || show === 'expanded'}
        hidden={show === 'hidden'}
        isRead={isRead}
      />
    ))}
  </div>
);

interface StepProps {
  step: Item;
  /** Whether the step is the answer, whose text is shown below the steps. */
  isAnswer: boolean;
  open: boolean;
  /** Whether the members that a search found are listed; while steps run, a long list would move what is below. */
  listed: boolean;
  hidden: boolean;
  isRead: () => boolean;
}

const Step = ({ step, isAnswer, open, listed, hidden, isRead }: StepProps) => {
  const payload = payloadOf(step);
  const wasOpen = useRef(open);
  const kept = useRef(false);
  if (wasOpen.current && !open) kept.current = isRead();
  wasOpen.current = open;
  const found = useFoundIn(['thinking'], (itemId) => itemId === step.id);
  return (
    <>
      {step.thinking !== '' && !hidden ? (
        <Thinking
          text={step.thinking}
          open={open || kept.current || found}
          settled={!step.inProcess}
          part={partKey(step, 'thinking')}
        />
      ) : null}
      {payload?.kind === 'modelSearch' ? (
        <ModelSearch payload={payload} running={step.inProcess} open={listed} />
      ) : null}
      {!payload && !isAnswer && step.content.trim() !== '' ? (
        <Prose text={step.content} settled={!step.inProcess} part={partKey(step, 'message')} />
      ) : null}
    </>
  );
};

interface ThinkingProps {
  text: string;
  open: boolean;
  settled: boolean;
  /** Key of the searchable text, written to `data-part`. */
  part: string;
}

/**
 * The agent's reasoning, in a disclosure. While it streams, it stays scrolled to its end unless the reader scrolls up.
 */
const Thinking = ({ text, open, settled, part }: ThinkingProps) => {
  const box = useRef<HTMLDivElement>(null);
  /** `scrollTop` of the end before the text changed. The event of the reader's scrolling may come after the change. */
  const end = useRef(0);
  useLayoutEffect(() => {
    if (!box.current || settled) return;
    const { scrollTop, scrollHeight, clientHeight } = box.current;
    const newEnd = scrollHeight - clientHeight;
    if (scrollTop >= Math.min(end.current, newEnd) - NEAR) box.current.scrollTop = newEnd;
    end.current = newEnd;
  }, [text, settled]);
  return (
    <details class="thinking" aria-label={t('Thinking')} open={open}>
      <summary>{t('Thinking')}</summary>
      <div class="thought" ref={box}>
        <Prose text={text} settled={settled} quiet part={part} />
      </div>
    </details>
  );
};
