/** Replaces the composer below a read-only conversation. */
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../src/shared/text/l10n.ts';
import type { Thread } from '../../src/shared/thread/model.ts';
import { isRunning, askedTwice } from '../../src/shared/thread/turns.ts';
import { Button } from '../ui/Button.tsx';
import { post } from '../app/host.ts';
import { attachFocus } from '../app/lazy.ts';
import './composer.css';

export const ReadOnlyBar = ({ thread }: { thread: Thread }) => {
  const actions = useRef<HTMLDivElement>(null);
  useEffect(
    () => attachFocus('composer', () => (actions.current?.firstElementChild as HTMLElement | null)?.focus()),
    [],
  );
  const running = isRunning(thread);
  return (
    <div class="composer read-only" role="group" aria-label={t('Recorded chat')}>
      <p>
        <span class="codicon codicon-record" aria-hidden="true" />{' '}
        {t('This chat is a recording. You can use its results, but you can’t continue it.')}
      </p>
      <div class="read-only-actions" ref={actions}>
        {running ? <Button onClick={() => post({ type: 'stop' })}>{t('Show the rest')}</Button> : null}
        {!running && askedTwice(thread) ? (
          <Button onClick={() => post({ type: 'command', name: 'compare' })}>{t('Compare answers')}</Button>
        ) : null}
        <Button onClick={() => post({ type: 'newChat' })}>{t('New chat')}</Button>
      </div>
    </div>
  );
};
