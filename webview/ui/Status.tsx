/** What a screen reader is told as it happens. */
import { useLayoutEffect, useState } from 'preact/hooks';
import { attach } from '../app/lazy.ts';

export const Status = () => {
  /** The number makes a repeated text a new one. */
  const [said, setSaid] = useState({ text: '', number: 0 });
  useLayoutEffect(() => attach('status', (text) => setSaid(({ number }) => ({ text, number: number + 1 }))), []);
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      <span key={said.number}>{said.text}</span>
    </div>
  );
};
