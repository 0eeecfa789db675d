/** Notice that the service deletes the threads of this user after a time. */
import { t } from '../../src/shared/text/l10n.ts';
import { IconButton } from '../ui/Button.tsx';
import { post } from './host.ts';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

/** @param props.seconds how long the service keeps them */
export const LifetimeNotice = ({ seconds }: { seconds: number }) => (
  <div class="notice" role="note">
    <span class="codicon codicon-info" aria-hidden="true" />
    <span class="notice-text">
      {t('The service may delete this chat after {0}. Your history keeps a copy.', inWords(seconds))}
    </span>
    <IconButton icon="close" name={t('Dismiss')} onClick={() => post({ type: 'dismissLifetime' })} />
  </div>
);

/** @returns the duration in the largest unit that is not zero, at least one minute */
function inWords(seconds: number): string {
  const [value, unit] =
    seconds >= DAY ? [seconds / DAY, 'day'] : seconds >= HOUR ? [seconds / HOUR, 'hour'] : [seconds / 60, 'minute'];
  return new Intl.NumberFormat(document.documentElement.lang, { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.max(1, Math.round(value)),
  );
}
