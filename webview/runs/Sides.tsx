/** The answers to one question side by side, each below its branch and identity. */
import { useMemo } from 'preact/hooks';
import type { ComparedQuery, RowStatus, RunContext } from '../../src/shared/protocol/runs.ts';
import { plural, t } from '../../src/shared/text/l10n.ts';
import { isRunning, shownTurns } from '../../src/shared/thread/turns.ts';
import { DrawnSpecs } from '../conversation/card/ResultCard.tsx';
import { ErrorAlert } from '../conversation/ErrorAlert.tsx';
import { TurnView } from '../conversation/TurnView.tsx';
import { PostContext, usePost } from '../app/post.ts';
import type { Replica } from '../app/replica.ts';
import { IconButton } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { scaledSpecs } from './commonScales.ts';
import { postRuns, postTo } from './runsState.ts';

type Replicas = readonly (Replica | undefined)[];

/** @returns whether an answer is still being written */
export const areAnswering = (replicas: Replicas): boolean =>
  replicas.some((replica) => replica === undefined || isRunning(replica.thread));

/** @returns the announcement for screen readers */
export function sidesNews(replicas: Replicas, queries: readonly ComparedQuery[]): string {
  if (areAnswering(replicas)) return t('Answer started');
  if (replicas.some((replica) => replica?.thread.status === 'error')) return t('An answer failed');
  const count = (status: RowStatus): number =>
    queries.reduce((sum, { results }) => sum + (results?.counts[status] ?? 0), 0);
  return plural(
    count('changed'),
    'Both answers finished: {0} row changed, {1} added, {2} removed|Both answers finished: {0} rows changed, {1} added, {2} removed',
    count('changed'),
    count('added'),
    count('removed'),
  );
}

export const Sides = ({ contexts, replicas }: { contexts: readonly RunContext[]; replicas: Replicas }) => {
  const specs = useMemo(() => scaledSpecs(replicas), [replicas]);
  return (
    <div class="sides">
      {contexts.map((context, at) => (
        <PostContext.Provider key={at} value={postTo(at)}>
          <DrawnSpecs.Provider value={specs[at]!}>
            <Side at={at} of={contexts.length} context={context} replica={replicas[at]} />
          </DrawnSpecs.Provider>
        </PostContext.Provider>
      ))}
    </div>
  );
};

interface SideProps {
  /** Its position, and the number of sides. */
  at: number;
  of: number;
  context: RunContext;
  replica: Replica | undefined;
}

const Side = ({ at, of, context: { branch, identity }, replica }: SideProps) => {
  const post = usePost();
  const asked = t('Asked on branch {0} as {1}', branch, identity);
  const left = t('Left: {0} as {1}', branch, identity);
  const name = of > 2 ? asked : at === 0 ? left : t('Right: {0} as {1}', branch, identity);
  const running = replica !== undefined && isRunning(replica.thread);
  return (
    <section class="side" aria-label={name}>
      <div class="side-head">
        <Icon icon="git-branch" />
        <h2 title={asked}>
          {branch} <span class="quiet">· {identity}</span>
        </h2>
        {running ? <IconButton icon="debug-stop" name={t('Stop')} onClick={() => post({ type: 'stop' })} /> : null}
        <IconButton
          icon="comment-discussion"
          name={t('Continue in the chat')}
          onClick={() => postRuns({ type: 'openCell', row: 0, context: at })}
        />
      </div>
      {replica ? <Answer replica={replica} running={running} /> : null}
    </section>
  );
};

const Answer = ({ replica: { thread, viewContext, loaded }, running }: { replica: Replica; running: boolean }) => {
  const turn = shownTurns(thread).at(-1);
  return (
    <div class="side-answer">
      {turn ? (
        <TurnView
          key={turn.id}
          turn={turn}
          viewContext={viewContext}
          loaded={loaded}
          running={running}
          reconnecting={thread.reconnecting}
          previousContext={undefined}
          isLast={false}
        />
      ) : null}
      {thread.error ? <ErrorAlert error={thread.error} /> : null}
    </div>
  );
};
