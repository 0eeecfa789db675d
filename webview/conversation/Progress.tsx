/** Progress of an unfinished answer: working, reconnecting, or waiting to reconnect. */
import { useEffect, useState } from 'preact/hooks';
import { plural, t } from '../../src/shared/text/l10n.ts';
import type { Reconnecting } from '../../src/shared/thread/model.ts';

interface ProgressProps {
  reconnecting: Reconnecting | undefined;
  /** Whether a part of the answer is already shown. */
  begun: boolean;
}

export const Progress = ({ reconnecting, begun }: ProgressProps) =>
  reconnecting !== undefined ? (
    <p class="progress">
      <span class="codicon codicon-sync codicon-modifier-spin" aria-hidden="true" />{' '}
      {reconnecting.until === undefined ? t('Reconnecting…') : <Pause until={reconnecting.until} />}
    </p>
  ) : begun ? null : (
    <p class="progress">
      <span class="waiting" aria-hidden="true" /> {t('Working…')}
    </p>
  );

/** Counts down the seconds until the next attempt. */
const Pause = ({ until }: { until: number }) => {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil((until - now) / 1000);
  return seconds > 0
    ? plural(
        seconds,
        'The service asked to wait. Retrying in {0} second…|The service asked to wait. Retrying in {0} seconds…',
      )
    : t('Reconnecting…');
};
