/** Buttons that show only the rows of one state, each with its number of rows. */
import { ROW_STATES, type AnswerRow, type RowState } from '../../src/shared/protocol/evals.ts';
import { t } from '../../src/shared/text/l10n.ts';
import { stateWord } from './states.ts';

interface FiltersProps {
  rows: readonly AnswerRow[];
  /** `undefined` for all rows. */
  chosen: RowState | undefined;
  onChoose: (state: RowState | undefined) => void;
}

export const Filters = ({ rows, chosen, onChoose }: FiltersProps) => {
  const counts = new Map<RowState, number>();
  for (const { state } of rows) counts.set(state, (counts.get(state) ?? 0) + 1);
  const present = ROW_STATES.filter((state) => counts.has(state));
  return (
    <div class="filters" role="group" aria-label={t('Filter by state')}>
      {[undefined, ...present].map((state) => (
        <button
          key={state ?? ''}
          type="button"
          class="action"
          aria-pressed={state === chosen}
          onClick={() => onChoose(state)}
        >
          {state === undefined ? t('All') : stateWord(state)}{' '}
          <span class="quiet">{state === undefined ? rows.length : counts.get(state)}</span>
        </button>
      ))}
    </div>
  );
};
