/** One side of a comparison: the answer below its branch and identity. */
import type { SideHead, SideName } from '../../src/shared/protocol/compare.ts';
import { t } from '../../src/shared/text/l10n.ts';
import { isRunning, shownTurns } from '../../src/shared/thread/turns.ts';
import { IconButton } from '../ui/Button.tsx';
import { ErrorAlert } from '../conversation/ErrorAlert.tsx';
import { TurnView } from '../conversation/TurnView.tsx';
import { post } from '../app/host.ts';
import type { Replica } from '../app/replica.ts';
import { postCompare } from './comparisonState.ts';

interface SideProps {
  side: SideName;
  head: SideHead;
  /** `undefined` until the first snapshot. */
  replica: Replica | undefined;
}

export const Side = ({ side, head: { branch, identity }, replica }: SideProps) => {
  const name = side === 'left' ? t('Left: {0} as {1}', branch, identity) : t('Right: {0} as {1}', branch, identity);
  const running = replica !== undefined && isRunning(replica.thread);
  return (
    <section class="side" aria-label={name} data-side={side}>
      <div class="side-head">
        <span class="codicon codicon-git-branch" aria-hidden="true" />
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
