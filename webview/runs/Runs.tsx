/** The page of a run: its questions in a table, or the only question with its answers and their differences. */
import { render } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { contextLabels, type RunPage } from '../../src/shared/protocol/runs.ts';
import { plural, t } from '../../src/shared/text/l10n.ts';
import { announce } from '../app/mounted.ts';
import { pageRoot } from '../app/page.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Status } from '../ui/access.tsx';
import { CellTable } from './CellTable.tsx';
import { Comparison } from './Comparison.tsx';
import { Notes } from './Notes.tsx';
import { RunTable } from './RunTable.tsx';
import { areAnswering, isDone, Sides, sidesNews } from './Sides.tsx';
import { STATES, rowWord } from './states.ts';
import { postRuns, startRuns, type RunsState } from './runsState.ts';
import '../conversation/conversation.css';
import '@vscode/codicons/dist/codicon.css';
import '../ui/base.css';
import './runs.css';

const Runs = ({ state }: { state: RunsState }) => {
  const { page, replicas } = state;
  const { title, contexts, rows, hasSides, isRunning, summary, comparison } = page;
  const isSingle = rows.length === 1;
  const isAnswering = hasSides && areAnswering(replicas);
  const running = isRunning ? (isSingle ? t('Answer started') : t('Asking the questions')) : '';
  const isUndecided = hasSides && !isRunning && rows[0]!.state === 'waiting';
  const announced = isUndecided ? sidesNews(replicas, comparison.queries) : summary || running;
  useLayoutEffect(() => announce(announced), [announced]);
  return (
    <main class={hasSides ? 'answers compare' : 'answers'} tabIndex={-1}>
      <header class="answers-head">
        <h1>{title}</h1>
        {isAnswering ? null : <Actions page={page} />}
      </header>
      {isRunning ? <Progress page={page} /> : null}
      {isAnswering ? null : <p class="answers-summary">{summary}</p>}
      {hasSides ? <Verdict page={page} /> : null}
      {isSingle && !hasSides ? <Notes cells={rows[0]!.cells} contexts={contexts} notes={comparison.notes} /> : null}
      {hasSides ? (
        <Sides contexts={contexts} replicas={replicas} />
      ) : isSingle ? (
        <CellTable row={rows[0]!} contexts={contexts} />
      ) : (
        <RunTable page={page} />
      )}
      {isSingle ? (
        <Comparison comparison={comparison} labels={contextLabels(contexts)} isFinal={!isRunning && !isAnswering} />
      ) : null}
      <Status />
    </main>
  );
};

const Actions = ({ page: { rows, contexts, hasSides, isRunning, canAskAgain } }: { page: RunPage }) => (
  <>
    {hasSides && contexts.length === 2 ? (
      <Button onClick={() => postRuns({ type: 'export' })}>{t('Export comparison')}</Button>
    ) : null}
    {!hasSides && rows.length > 1 && !isRunning ? (
      <Button onClick={() => postRuns({ type: 'export' })}>{t('Export')}</Button>
    ) : null}
    {!hasSides && rows.length === 1 && rows[0]!.canOpen ? (
      <Button onClick={() => postRuns({ type: 'openRow', row: 0 })}>{t('Show answers side by side')}</Button>
    ) : null}
    {isRunning || canAskAgain ? (
      <Button
        key={isRunning ? 'cancel' : 'again'}
        onClick={() => postRuns({ type: isRunning ? 'cancel' : 'askAgain' })}
      >
        {isRunning ? t('Cancel') : t('Ask again')}
      </Button>
    ) : null}
  </>
);

/** What asking again has shown. */
const Verdict = ({ page: { rows } }: { page: RunPage }) => {
  const [row] = rows;
  if (!row || row.state === 'waiting' || row.state === 'asking') return null;
  return (
    <p class={`answers-verdict ${row.state}`}>
      <Icon icon={STATES[row.state].icon} /> <strong>{rowWord(row)}</strong> {row.message}
    </p>
  );
};

const Progress = ({ page: { rows, contexts } }: { page: RunPage }) => {
  const isSingle = rows.length === 1;
  const cells = rows[0]?.cells ?? [];
  const done = isSingle ? cells.filter(isDone).length : rows.filter(({ canOpen }) => canOpen).length;
  const total = isSingle ? contexts.length : rows.length;
  const text = isSingle
    ? plural(total, '{0} of {1} identity asked|{0} of {1} identities asked', done, total)
    : plural(total, '{0} of {1} question compared|{0} of {1} questions compared', done, total);
  return (
    <div class="answers-progress">
      <progress aria-label={isSingle ? t('Identities asked') : t('Questions compared')} value={done} max={total} />
      <span>{text}</span>
    </div>
  );
};

const root = pageRoot();
if (root) startRuns((state) => render(<Runs state={state} />, root));
