/** Entry point of the comparison page: the question, both answers and their differences. */
import { render } from 'preact';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import {
  sideLabels,
  SIDES,
  type ComparedQuery,
  type RowStatus,
  type SideHead,
  type SideName,
} from '../../src/shared/protocol/compare.ts';
import { plural, t } from '../../src/shared/text/l10n.ts';
import { isRunning, shownTurns } from '../../src/shared/thread/turns.ts';
import { DrawnSpecs } from '../conversation/card/ResultCard.tsx';
import { ErrorAlert } from '../conversation/ErrorAlert.tsx';
import { TurnView } from '../conversation/TurnView.tsx';
import type { Replica } from '../app/replica.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { announce } from '../app/mounted.ts';
import { PostContext, usePost } from '../app/post.ts';
import { pageRoot } from '../app/page.ts';
import { Status } from '../ui/access.tsx';
import { ComparedResults } from './ComparedResults.tsx';
import { Definitions, SqlDifference } from './Differences.tsx';
import { scaledSpecs } from './commonScales.ts';
import { postCompare, posts, start, type CompareState } from './comparisonState.ts';
import '../conversation/conversation.css';
import '@vscode/codicons/dist/codicon.css';
import '../ui/base.css';
import '../ui/answersPage.css';
import './compare.css';

const Comparison = ({ state }: { state: CompareState }) => {
  const { heads, sides, queries, members } = state;
  const labels = sideLabels(heads);
  const specs = useMemo(() => scaledSpecs([sides.left, sides.right]), [sides]);
  const threads = SIDES.map((side) => sides[side]?.thread);
  const running = threads.some((thread) => thread === undefined || isRunning(thread));
  const failed = threads.some((thread) => thread?.status === 'error');
  const news = running ? t('Answer started') : failed ? t('An answer failed') : announcement(queries);
  useLayoutEffect(() => announce(news), [news]);
  return (
    <main class="answers compare" tabIndex={-1}>
      <header class="answers-head">
        <h1>{heads.question}</h1>
        {running ? null : (
          <Button onClick={() => postCompare({ type: 'exportComparison' })}>{t('Export comparison')}</Button>
        )}
      </header>
      <div class="sides">
        {SIDES.map((side, at) => (
          <PostContext.Provider key={side} value={posts[side]}>
            <DrawnSpecs.Provider value={specs[at]!}>
              <Side side={side} head={heads[side]} replica={sides[side]} />
            </DrawnSpecs.Provider>
          </PostContext.Provider>
        ))}
      </div>
      {members.length > 0 ? <Definitions members={members} labels={labels} /> : null}
      {queries.map((query, index) => (
        <section key={index} class="compared" aria-label={query.title || t('Query')}>
          <h2>{query.title || t('Query')}</h2>
          <SqlDifference lines={query.sql} labels={labels} />
          {query.results ? <ComparedResults results={query.results} labels={labels} /> : null}
        </section>
      ))}
      {running || queries.length > 0 ? null : (
        <p class="quiet compare-none">{t('Nothing to compare: the answers don’t both contain a query.')}</p>
      )}
      <Status />
    </main>
  );
};

/** Announcement for screen readers when both answers have finished. */
function announcement(queries: readonly ComparedQuery[]): string {
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

interface SideProps {
  side: SideName;
  head: SideHead;
  /** `undefined` until the first snapshot. */
  replica: Replica | undefined;
}

/** One side of a comparison: the answer below its branch and identity. */
const Side = ({ side, head: { branch, identity }, replica }: SideProps) => {
  const post = usePost();
  const name = side === 'left' ? t('Left: {0} as {1}', branch, identity) : t('Right: {0} as {1}', branch, identity);
  const running = replica !== undefined && isRunning(replica.thread);
  return (
    <section class="side" aria-label={name}>
      <div class="side-head">
        <Icon icon="git-branch" />
        <h2 title={t('Asked on branch {0} as {1}', branch, identity)}>
          {branch} <span class="quiet">· {identity}</span>
        </h2>
        {running ? <IconButton icon="debug-stop" name={t('Stop')} onClick={() => post({ type: 'stop' })} /> : null}
        <IconButton
          icon="comment-discussion"
          name={t('Continue in the chat')}
          onClick={() => postCompare({ type: 'openThread', side })}
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

const root = pageRoot();
if (root) start((state) => render(<Comparison state={state} />, root));
