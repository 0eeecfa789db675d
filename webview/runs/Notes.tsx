/** The failures of a question that is asked as several identities, and the findings of the access tests. */
import { contextLabels, type AccessNote, type RunCell, type RunContext } from '../../src/shared/protocol/runs.ts';
import { t } from '../../src/shared/text/l10n.ts';
import { Icon } from '../ui/Icon.tsx';

interface NotesProps {
  cells: readonly RunCell[];
  contexts: readonly RunContext[];
  notes: readonly AccessNote[];
}

const NOTE_ICONS: Readonly<Record<AccessNote['kind'] | 'failed', string>> = {
  failed: 'error',
  forbidden: 'error',
  unproven: 'question',
  unknown: 'warning',
};

export const Notes = ({ cells, contexts, notes }: NotesProps) => {
  const labels = contextLabels(contexts);
  // Failures are too long for a cell.
  const failures = cells.flatMap(({ state, message }, at) =>
    state === 'failed' ? [{ kind: 'failed' as const, text: `${labels[at]}: ${message}` }] : [],
  );
  const all = [...failures, ...notes];
  if (all.length === 0) return null;
  return (
    <ul class="notes" aria-label={t('Failures and access tests')}>
      {all.map(({ kind, text }) => (
        <li key={text} class={kind}>
          <Icon icon={NOTE_ICONS[kind]} /> {text}
        </li>
      ))}
    </ul>
  );
};
