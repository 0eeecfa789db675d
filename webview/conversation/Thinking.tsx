/**
 * The agent's reasoning, in a disclosure. While it streams, it stays scrolled to its end unless the reader scrolls up.
 */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../src/shared/text/l10n.ts';
import { isAtEnd } from './atEnd.ts';
import { Prose } from './Prose.tsx';

interface ThinkingProps {
  text: string;
  open: boolean;
  settled: boolean;
  /** Key of the text for finding, written to `data-part`. */
  part: string;
}

export const Thinking = ({ text, open, settled, part }: ThinkingProps) => {
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  useLayoutEffect(() => {
    if (box.current && follows.current && !settled) box.current.scrollTop = box.current.scrollHeight;
  }, [text, settled]);
  return (
    <details class="thinking" aria-label={t('Thinking')} open={open}>
      <summary>{t('Thinking')}</summary>
      <div class="thought" ref={box} onScroll={() => (follows.current = !!box.current && isAtEnd(box.current))}>
        <Prose text={text} settled={settled} quiet part={part} />
      </div>
    </details>
  );
};
