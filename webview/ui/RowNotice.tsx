/** Notice above loaded rows that differ from those of the answer; also announced to screen readers. */
import { useEffect } from 'preact/hooks';
import { announce } from '../app/lazy.ts';

export const RowNotice = ({ text }: { text: string | undefined }) => {
  useEffect(() => {
    if (text !== undefined) announce(text);
  }, [text]);
  return text === undefined ? null : (
    <div class="notice row-notice" role="note">
      <span class="codicon codicon-warning" aria-hidden="true" />
      <span class="notice-text">{text}</span>
    </div>
  );
};
