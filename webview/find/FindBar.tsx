/** The find bar of the conversation. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../src/shared/text/l10n.ts';
import { IconButton } from '../ui/Button.tsx';
import { announce } from '../app/mounted.ts';
import { isComposing } from '../ui/dom.ts';
import type { Find } from './useFind.ts';
import './find.css';

/** Milliseconds after the last input and the end of the search until the number of matches is announced. */
const ANNOUNCE_DELAY = 600;

interface FindBarProps {
  find: Find;
  /** Changes when the field must be focused again. */
  asked: number;
  onClose: () => void;
}

export const FindBar = ({ find, asked, onClose }: FindBarProps) => {
  const { query, total, isReading, number } = find;
  const field = useRef<HTMLInputElement>(null);
  const isMissing = query.trim() !== '' && total === 0 && !isReading;
  const count = isMissing ? t('No results') : total === 0 ? '' : t('{0} of {1}', number || '?', total);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [asked]);
  const latest = useRef(count);
  latest.current = count;
  useEffect(() => {
    if (query === '' || isReading) return undefined;
    const timer = setTimeout(() => announce(latest.current), ANNOUNCE_DELAY);
    return () => clearTimeout(timer);
  }, [query, isReading]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event) || event.key !== 'Enter' || event.target !== field.current) return;
    find.go(event.shiftKey ? -1 : 1);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="find" role="search" aria-label={t('Find')} onKeyDown={onKeyDown}>
      <input
        ref={field}
        type="text"
        class={isMissing ? 'find-field is-missing' : 'find-field'}
        aria-label={t('Find in conversation')}
        placeholder={t('Find')}
        value={query}
        onInput={({ currentTarget }) => find.look(currentTarget.value)}
      />
      <span class="find-count">{count}</span>
      <IconButton
        icon="arrow-up"
        name={t('Previous match')}
        tooltip={t('Previous match (Shift+Enter)')}
        disabled={total === 0}
        onClick={() => find.go(-1)}
      />
      <IconButton
        icon="arrow-down"
        name={t('Next match')}
        tooltip={t('Next match (Enter)')}
        disabled={total === 0}
        onClick={() => find.go(1)}
      />
      <IconButton icon="close" name={t('Close find')} tooltip={t('Close (Escape)')} onClick={onClose} />
    </div>
  );
};
