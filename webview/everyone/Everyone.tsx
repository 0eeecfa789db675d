/** The page that asks one question as several identities: a column for each, and the findings of the access tests. */
import { useLayoutEffect } from 'preact/hooks';
import {
  isToEveryone,
  type AccessNote,
  type AskedIdentity,
  type EveryoneState,
  type ToEveryone,
} from '../../src/shared/protocol/everyone.ts';
import { plural, t, useBundle } from '../../src/shared/text/l10n.ts';
import { announce } from '../app/mounted.ts';
import { startPage } from '../app/page.ts';
import { postToRun, RunButton, RunProgress } from '../ui/RunParts.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Status } from '../ui/access.tsx';
import { IdentityTable } from './IdentityTable.tsx';
import '@vscode/codicons/dist/codicon.css';
import '../ui/base.css';
import '../ui/answersPage.css';
import './everyone.css';

function apply(_before: EveryoneState | undefined, { l10n, state }: ToEveryone): EveryoneState {
  if (l10n) useBundle(l10n, document.documentElement.lang);
  return state;
}

const isDone = ({ state }: AskedIdentity): boolean => state !== 'waiting' && state !== 'asking';

const Everyone = ({ state }: { state: EveryoneState }) => {
  const { question, branch, identities, table, notes, isRunning } = state;
  const summary = isRunning ? '' : summaryOf(state);
  useLayoutEffect(() => announce(isRunning ? t('Asking as each identity') : summary), [isRunning, summary]);
  return (
    <main class="answers everyone" tabIndex={-1}>
      <header class="answers-head">
        <h1>{question}</h1>
        <RunButton isRunning={isRunning} />
      </header>
      {isRunning ? <Progress identities={identities} /> : <p class="answers-summary">{summary}</p>}
      <p class="quiet">{t('Branch: {0}', branch)}</p>
      <Notes notes={[...identities.flatMap(failureOf), ...notes]} />
      <IdentityTable
        identities={identities}
        table={table}
        label={t('Answers by identity')}
        onOpen={(index) => postToRun({ type: 'open', index })}
      />
      {table.totalRows > table.rows.length ? (
        <p class="quiet">{t('{0} of {1} rows', table.rows.length, table.totalRows)}</p>
      ) : null}
      <Status />
    </main>
  );
};

/** @returns how many identities answered, and how many see rows that they must not see */
function summaryOf({ identities, notes }: EveryoneState): string {
  const answered = identities.filter((identity) => identity.state === 'answered').length;
  const violations = notes.filter(({ kind }) => kind === 'forbidden').length;
  const parts = [
    plural(
      identities.length,
      '{0} of {1} identity answered|{0} of {1} identities answered',
      answered,
      identities.length,
    ),
    ...(violations > 0 ? [plural(violations, '{0} access rule violated|{0} access rules violated')] : []),
  ];
  return parts.join(' · ');
}

const Progress = ({ identities }: { identities: readonly AskedIdentity[] }) => {
  const done = identities.filter(isDone).length;
  const { length } = identities;
  const text = plural(length, '{0} of {1} identity asked|{0} of {1} identities asked', done, length);
  return <RunProgress label={t('Identities asked')} done={done} total={length} text={text} />;
};

interface Note extends Omit<AccessNote, 'kind'> {
  kind: AccessNote['kind'] | 'failed';
}

/** Notes with failures, which are too long for the head of a column. */
const failureOf = ({ name, state, message }: AskedIdentity): Note[] =>
  state === 'failed' ? [{ kind: 'failed', text: `${name}: ${message}` }] : [];

const NOTE_ICONS: Readonly<Record<Note['kind'], string>> = {
  failed: 'error',
  forbidden: 'error',
  unproven: 'question',
  unknown: 'warning',
};

const Notes = ({ notes }: { notes: readonly Note[] }) =>
  notes.length === 0 ? null : (
    <ul class="notes" aria-label={t('Failures and access tests')}>
      {notes.map(({ kind, text }) => (
        <li key={text} class={kind}>
          <Icon icon={NOTE_ICONS[kind]} /> {text}
        </li>
      ))}
    </ul>
  );

startPage(isToEveryone, apply, (state) => <Everyone state={state} />);
