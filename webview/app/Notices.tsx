/** Notices above the composer, about the next question and the chat. */
import type { ViewContext } from '../../src/shared/protocol/chat.ts';
import { t } from '../../src/shared/text/l10n.ts';
import type { Thread } from '../../src/shared/thread/model.ts';
import { questionsOf } from '../../src/shared/thread/turns.ts';
import { IconButton } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { post } from './host.ts';

interface NoticeProps {
  icon: string;
  text: string;
  /** Label and action of a button. */
  action?: readonly [label: string, run: () => void];
  onDismiss?: () => void;
}

const Notice = ({ icon, text, action, onDismiss }: NoticeProps) => (
  <div class="notice" role="note">
    <Icon icon={icon} />
    <span class="notice-text">
      {text}{' '}
      {action ? (
        <button type="button" class="action" onClick={action[1]}>
          {action[0]}
        </button>
      ) : null}
    </span>
    {onDismiss ? <IconButton icon="close" name={t('Dismiss')} onClick={onDismiss} /> : null}
  </div>
);

/** The most urgent notice, if there is any. */
export const Notices = ({ thread, viewContext }: { thread: Thread; viewContext: ViewContext }) => {
  const { connected, branch, offeredBranch, identity, lifetime } = viewContext;
  const other = otherUser(thread, identity);
  // An error that offers a new chat says the same.
  if (connected && other !== undefined && !thread.error?.actions.includes('newChat'))
    return (
      <Notice
        icon="account"
        text={t('{0} started this chat, so the service may not let {1} continue it.', other, identity)}
        // Like the action of the error that would follow, it takes the draft along.
        action={[t('New chat'), () => post({ type: 'errorAction', action: 'newChat' })]}
      />
    );
  if (connected && offeredBranch !== '')
    return (
      <Notice
        icon="git-branch"
        text={t('Git has {0} checked out, but questions run on {1}.', offeredBranch, branch)}
        action={[t('Ask on {0}', offeredBranch), () => post({ type: 'offeredBranch', accept: true })]}
        onDismiss={() => post({ type: 'offeredBranch', accept: false })}
      />
    );
  if (lifetime > 0 && thread.turns.length > 0)
    return (
      <Notice
        icon="info"
        text={t('The service may delete this chat after {0}. Your history keeps a copy.', inWords(lifetime))}
        onDismiss={() => post({ type: 'dismissLifetime' })}
      />
    );
  return null;
};

/** @returns the identity that asked the first question, if `identity` has asked none; undefined if there is none */
function otherUser(thread: Thread, identity: string): string | undefined {
  const users = questionsOf(thread).flatMap(({ context }) => context?.identity ?? []);
  return users.includes(identity) ? undefined : users[0];
}

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

/** @returns the duration in the largest unit that is not zero, at least one minute */
function inWords(seconds: number): string {
  const [value, unit] =
    seconds >= DAY ? [seconds / DAY, 'day'] : seconds >= HOUR ? [seconds / HOUR, 'hour'] : [seconds / 60, 'minute'];
  return new Intl.NumberFormat(document.documentElement.lang, { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.max(1, Math.round(value)),
  );
}
