/** Live region for screen reader announcements. */
import { useLayoutEffect, useState } from 'preact/hooks';
import { attach } from '../app/lazy.ts';

export const Status = () => {
  /** The number is the `key`, so that a repeated text is announced again. */
  const [said, setSaid] = useState({ text: '', number: 0 });
  useLayoutEffect(() => attach('status', (text) => setSaid(({ number }) => ({ text, number: number + 1 }))), []);
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      <span key={said.number}>{said.text}</span>
    </div>
  );
};
