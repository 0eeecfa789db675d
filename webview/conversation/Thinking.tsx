/** The agent's reasoning, in a disclosure. */
import { t } from '../../src/shared/l10n.ts';
import { Prose } from './Prose.tsx';

interface ThinkingProps {
  text: string;
  open: boolean;
  settled: boolean;
  /** The name by which it is found. */
  part: string;
}

export const Thinking = ({ text, open, settled, part }: ThinkingProps) => (
  <details class="thinking" aria-label={t('Thinking')} open={open}>
    <summary>{t('Thinking')}</summary>
    <Prose text={text} settled={settled} quiet part={part} />
  </details>
);
