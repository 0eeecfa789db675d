/** The steps on the way to an answer: open while they run, one line when they are done. */
import { useState } from 'preact/hooks';
import { t } from '../../src/shared/l10n.ts';
import type { Item } from '../../src/shared/thread.ts';
import { payloadOf, type Turn } from '../../src/shared/turns.ts';
import { ModelSearch } from './ModelSearch.tsx';
import { Prose } from './Prose.tsx';
import { Thinking } from './Thinking.tsx';

interface StepsProps {
  turn: Turn;
  steps: readonly Item[];
  running: boolean;
  show: 'collapsed' | 'expanded' | 'hidden';
}

/** What was done, in a few words; the button's name begins with "Steps". */
function summaryOf(turn: Turn, steps: readonly Item[], show: StepsProps['show']): string {
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
  const members = searches
    .flatMap(({ definitions }) => definitions ?? [])
    .reduce((sum, { members }) => sum + members.length, 0);
  if (searches.length > 0) parts.push(t('searched the model ({0})', members));
  return parts.join(' · ');
}

export const Steps = ({ turn, steps, running, show }: StepsProps) => {
  const [open, setOpen] = useState(show === 'expanded');
  const visible = steps.filter((step) =>
    show === 'hidden' ? step !== turn.answer && (payloadOf(step) || step.content.trim() !== '') : true,
  );
  if (visible.length === 0) return null;
  if (running) return <StepList steps={visible} answer={turn.answer} running show={show} />;
  const summary = summaryOf(turn, visible, show);
  return (
    <div class="steps">
      <button type="button" class="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class={`codicon codicon-chevron-${open ? 'down' : 'right'}`} aria-hidden="true" />
        {summary === '' ? t('Steps') : t('Steps: {0}', summary)}
      </button>
      {open ? <StepList steps={visible} answer={turn.answer} running={false} show={show} /> : null}
    </div>
  );
};

interface StepListProps {
  steps: readonly Item[];
  answer: Item | undefined;
  running: boolean;
  show: StepsProps['show'];
}

const StepList = ({ steps, answer, running, show }: StepListProps) => (
  <div class="step-list">
    {steps.map((step) => (
      <Step
        key={step.id}
        isAnswer={step === answer}
        step={step}
        open={running ? step.inProcess || show === 'expanded' : true}
        hidden={show === 'hidden'}
      />
    ))}
  </div>
);

interface StepProps {
  step: Item;
  /** The answer's text stands below the steps. */
  isAnswer: boolean;
  open: boolean;
  hidden: boolean;
}

const Step = ({ step, isAnswer, open, hidden }: StepProps) => {
  const payload = payloadOf(step);
  return (
    <>
      {step.thinking !== '' && !hidden ? <Thinking text={step.thinking} open={open} settled={!step.inProcess} /> : null}
      {payload?.kind === 'modelSearch' ? <ModelSearch payload={payload} running={step.inProcess} /> : null}
      {!payload && !isAnswer && step.content.trim() !== '' ? (
        <Prose text={step.content} settled={!step.inProcess} />
      ) : null}
    </>
  );
};
