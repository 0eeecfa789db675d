/** The agent's reasoning, in a disclosure. */
import { t } from '../../src/shared/l10n.ts';
import { Prose } from './Prose.tsx';

export const Thinking = ({ text, open, settled }: { text: string; open: boolean; settled: boolean }) => (
  <details class="thinking" aria-label={t('Thinking')} open={open}>
    <summary>{t('Thinking')}</summary>
    <Prose text={text} settled={settled} quiet />
  </details>
);
