/** The page of a run: its questions in a table, or the only question with its answers and their differences. */
import { render } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { contextLabels, isOpen, type AccessNote, type RunPage, type RunRow } from '../../src/shared/protocol/runs.ts';
import { plural, t } from '../../src/shared/text/l10n.ts';
import { announce } from '../app/mounted.ts';
import { pageRoot } from '../app/page.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Status } from '../ui/access.tsx';
import { Comparison } from './Differences.tsx';
import { CellTable, RunTable } from './RunTable.tsx';
import { areAnswering, Sides, sidesNews } from './Sides.tsx';
import { STATES, rowWord } from './states.ts';
import { postRuns, startRuns, type RunsState } from './runsState.ts';
import '../conversation/conversation.css';
import '@vscode/codicons/dist/codicon.css';
import '../ui/base.css';
import './runs.css';

const Runs = ({ state }: { state: RunsState }) => {
  const { page, replicas } = state;
  const { title, contexts, rows, hasSides, isRunning, summary, comparison } = page;
  const [row] = rows;
  const isSingle = rows.length === 1;
  const labels = contextLabels(contexts);
  const failures = row!.cells.flatMap(({ state, message }, at) =>
    state === 'failed' ? [{ kind: 'failed' as const, text: `${labels[at]}: ${message}` }] : [],
  );
  const isAnswering = hasSides && areAnswering(replicas);
  const running = isRunning ? (isSingle ? t('Answer started') : t('Asking the questions')) : '';
  const isUndecided = hasSides && !isRunning && row!.state === 'waiting';
  const announced = isUndecided ? sidesNews(replicas, comparison.queries) : summary || running;
  useLayoutEffect(() => announce(announced), [announced]);
  return (
    <main class="answers" tabIndex={-1}>
      <header class="answers-head">
        <h1>{title}</h1>
        {isAnswering ? null : <Actions page={page} />}
      </header>
      {isRunning ? <Progress page={page} /> : null}
      {isAnswering ? null : <p>{summary}</p>}
      {hasSides ? (
        <>
          <Verdict row={row!} />
          <Sides contexts={contexts} replicas={replicas} />
        </>
      ) : isSingle ? (
        <>
          <Notes notes={[...failures, ...comparison.notes]} />
          <CellTable row={row!} labels={labels} />
        </>
      ) : (
        <RunTable {...{ rows, labels, isRunning }} />
      )}
      {isSingle ? <Comparison {...{ comparison, labels }} isFinal={!isRunning && !isAnswering} /> : null}
      <Status />
    </main>
  );
};

const Actions = ({ page: { rows, comparison, hasSides, isRunning, canAskAgain } }: { page: RunPage }) => {
  const isSingle = rows.length === 1;
  const canExport = hasSides || (!isRunning && (!isSingle || comparison.queries.length > 0));
  const canShowSides = !hasSides && isSingle && rows[0]!.canOpen;
  return (
    <>
      {canExport ? (
        <Button onClick={() => postRuns({ type: 'export' })}>{isSingle ? t('Export comparison') : t('Export')}</Button>
      ) : null}
      {canShowSides ? (
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
};

const Progress = ({ page: { rows, hasSides } }: { page: RunPage }) => {
  const isSingle = rows.length === 1 && !hasSides;
  const asked = isSingle ? rows[0]!.cells : rows;
  const done = asked.filter((each) => !isOpen(each)).length;
  const text = isSingle
    ? plural(asked.length, '{0} of {1} identity asked|{0} of {1} identities asked', done, asked.length)
    : plural(asked.length, '{0} of {1} question compared|{0} of {1} questions compared', done, asked.length);
  return (
    <div class="answers-progress">
      <progress
        aria-label={isSingle ? t('Identities asked') : t('Questions compared')}
        value={done}
        max={asked.length}
      />
      <span>{text}</span>
    </div>
  );
};

/** What asking again has shown. */
const Verdict = ({ row }: { row: RunRow }) =>
  isOpen(row) ? null : (
    <p class="answers-verdict">
      <Icon icon={STATES[row.state].icon} />
      <strong>{rowWord(row)}</strong> {row.message}
    </p>
  );

const NOTE_ICONS: Readonly<Record<AccessNote['kind'] | 'failed', string>> = {
  failed: 'error',
  forbidden: 'error',
  unproven: 'question',
  unknown: 'warning',
};

/** Failures, which are too long for a cell, and the findings of the access tests. */
const Notes = ({ notes }: { notes: readonly { kind: keyof typeof NOTE_ICONS; text: string }[] }) => {
  if (notes.length === 0) return null;
  return (
    <ul class="notes" aria-label={t('Failures and access tests')}>
      {notes.map(({ kind, text }) => (
        <li key={text}>
          <Icon icon={NOTE_ICONS[kind]} />
          {text}
        </li>
      ))}
    </ul>
  );
};

const root = pageRoot();
if (root) startRuns((state) => render(<Runs state={state} />, root));
