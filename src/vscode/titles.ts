/** What a thread is called. */
import { t } from '../shared/l10n.ts';
import type { Thread } from '../shared/thread.ts';

const LENGTH = 60;

/** @returns the first question, on one line and not too long */
export function titleOf(thread: Thread): string {
  const question = thread.items.find(({ role, content }) => role === 'user' && content.trim() !== '');
  const line = (question?.content ?? '').replace(/\s+/g, ' ').trim();
  if (line === '') return t('New chat');
  return line.length > LENGTH ? `${line.slice(0, LENGTH - 1)}…` : line;
}
