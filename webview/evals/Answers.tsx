/** The page that compares the answers of a set of questions on two branches: one row for each question. */
import { useLayoutEffect, useState } from 'preact/hooks';
import { assertNever } from '../../src/shared/protocol/chat.ts';
import {
  canOpen,
  isToAnswers,
  ROW_STATES,
  type AnswerRow,
  type RowState,
  type RunState,
  type ToAnswers,
} from '../../src/shared/protocol/evals.ts';
import { plural, t, useBundle } from '../../src/shared/text/l10n.ts';
import { readState, saveState } from '../app/host.ts';
import { announce } from '../app/mounted.ts';
import { startPage } from '../app/page.ts';
import { postToRun, RunButton, RunProgress } from '../ui/RunParts.tsx';
import { Status } from '../ui/access.tsx';
import { AnswerTable, stateWord } from './AnswerTable.tsx';
import '@vscode/codicons/dist/codicon.css';
import '../ui/base.css';
import '../ui/answersPage.css';
import './answers.css';

interface AnswersState extends RunState {
  left: string;
  right: string;
  rows: readonly AnswerRow[];
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

type Filter = RowState | undefined;

const Answers = ({ state }: { state: AnswersState }) => {
  const { left, right, rows, isRunning, summary } = state;
  const [filter, setFilter] = useState<Filter>(() => ROW_STATES.find((one) => one === readState().filter));
  // If no row has the selected state any more, show all rows.
  const shown = filter !== undefined && rows.some((row) => row.state === filter) ? filter : undefined;
  const choose = (chosen: Filter): void => {
    setFilter(chosen);
    saveState({ filter: chosen });
  };
  useLayoutEffect(() => announce(summary || (isRunning ? t('Asking the questions') : '')), [isRunning, summary]);
  return (
    <main class="answers" tabIndex={-1}>
      <header class="answers-head">
        <h1>{t('Answers on {0} and {1}', left, right)}</h1>
        <RunButton isRunning={isRunning} />
      </header>
      {isRunning ? <Progress rows={rows} /> : null}
      <p class="answers-summary">{summary}</p>
      <Filters rows={rows} chosen={shown} onChoose={choose} />
      <AnswerTable
        rows={rows}
        filter={shown}
        label={t('Questions')}
        onOpen={(index) => postToRun({ type: 'open', index })}
      />
      <Status />
    </main>
  );
};

const Progress = ({ rows }: { rows: readonly AnswerRow[] }) => {
  const done = rows.filter(canOpen).length;
  const text = plural(rows.length, '{0} of {1} question compared|{0} of {1} questions compared', done, rows.length);
  return <RunProgress label={t('Questions compared')} done={done} total={rows.length} text={text} />;
};

interface FiltersProps {
  rows: readonly AnswerRow[];
  /** The state whose rows are shown; `undefined` for all rows. */
  chosen: RowState | undefined;
  onChoose: (state: RowState | undefined) => void;
}

/** Buttons that show only the rows of one state, each with its number of rows. */
const Filters = ({ rows, chosen, onChoose }: FiltersProps) => {
  const counts = new Map<RowState, number>();
  for (const { state } of rows) counts.set(state, (counts.get(state) ?? 0) + 1);
  const present = ROW_STATES.filter((state) => counts.has(state));
  return (
    <div class="filters" role="group" aria-label={t('Filter by state')}>
      {[undefined, ...present].map((state) => (
        <button
          key={state ?? ''}
          type="button"
          class="action"
          aria-pressed={state === chosen}
          onClick={() => onChoose(state)}
        >
          {state === undefined ? t('All') : stateWord(state)}{' '}
          <span class="quiet">{state === undefined ? rows.length : counts.get(state)}</span>
        </button>
      ))}
    </div>
  );
};

startPage(isToAnswers, apply, (state) => <Answers state={state} />);
