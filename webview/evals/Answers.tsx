/** The page that compares the answers of a set of questions on two branches: one row for each question. */
import { render } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { canOpen, ROW_STATES, type AnswerRow, type RowState } from '../../src/shared/protocol/evals.ts';
import { plural, t } from '../../src/shared/text/l10n.ts';
import { readState, saveState } from '../app/host.ts';
import { announce } from '../app/lazy.ts';
import { Button } from '../ui/Button.tsx';
import { Status } from '../ui/Status.tsx';
import { keepFocus } from '../ui/keepFocus.ts';
import { AnswerTable } from './AnswerTable.tsx';
import { postAnswers, start, stateWord, type AnswersState } from './answersState.ts';
import '@vscode/codicons/dist/codicon.css';
import '../ui/base.css';
import './answers.css';

type Filter = RowState | undefined;

const Answers = ({ state }: { state: AnswersState }) => {
  const { left, right, rows, isRunning, summary } = state;
  const [filter, setFilter] = useState<Filter>(() => ROW_STATES.find((one) => one === readState()?.filter));
  // If no row has the selected state any more, show all rows.
  const shown = filter !== undefined && rows.some((row) => row.state === filter) ? filter : undefined;
  const choose = (chosen: Filter): void => {
    setFilter(chosen);
    saveState({ filter: chosen });
  };
  useLayoutEffect(() => announce(isRunning ? t('Asking the questions') : summary), [isRunning, summary]);
  return (
    <main class="answers" tabIndex={-1}>
      <header class="answers-head">
        <h1>{t('Answers on {0} and {1}', left, right)}</h1>
        {isRunning ? (
          <Button key="cancel" onClick={() => postAnswers({ type: 'cancel' })}>
            {t('Cancel')}
          </Button>
        ) : (
          <Button key="again" onClick={() => postAnswers({ type: 'askAgain' })}>
            {t('Ask Again')}
          </Button>
        )}
      </header>
      {isRunning ? <Progress rows={rows} /> : <p class="answers-summary">{summary}</p>}
      <Filters rows={rows} chosen={shown} onChoose={choose} />
      <AnswerTable rows={rows} filter={shown} label={t('Questions')} />
      <Status />
    </main>
  );
};

const Progress = ({ rows }: { rows: readonly AnswerRow[] }) => {
  const done = rows.filter(canOpen).length;
  return (
    <div class="answers-progress">
      <progress aria-label={t('Questions compared')} value={done} max={rows.length} />
      <span>
        {plural(rows.length, '{0} of {1} question compared|{0} of {1} questions compared', done, rows.length)}
      </span>
    </div>
  );
};

interface FiltersProps {
  rows: readonly AnswerRow[];
  /** `undefined` for all rows. */
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

window.addEventListener('error', ({ message }) => postAnswers({ type: 'problem', text: message }));
window.addEventListener('unhandledrejection', ({ reason }) => postAnswers({ type: 'problem', text: String(reason) }));

const root = document.getElementById('root');
if (root) {
  keepFocus(root);
  start((state) => render(<Answers state={state} />, root));
}
