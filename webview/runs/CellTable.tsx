/** The states of the only question in each context, with a button that opens its chat. */
import type { RunCell, RunContext, RunRow } from '../../src/shared/protocol/runs.ts';
import { contextLabels } from '../../src/shared/protocol/runs.ts';
import { t } from '../../src/shared/text/l10n.ts';
import { IconButton } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { ScrollTable } from '../ui/ScrollTable.tsx';
import { postRuns } from './runsState.ts';
import { STATES, cellWord } from './states.ts';

export const CellTable = ({ row, contexts }: { row: RunRow; contexts: readonly RunContext[] }) => {
  const labels = contextLabels(contexts);
  return (
    <ScrollTable label={t('Answers by identity')} class="cells">
      <thead>
        <tr>
          {labels.map((label, at) => (
            <th key={at} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr>
          {row.cells.map((cell, at) => (
            <td key={at}>
              <span class={`run-cell ${cell.state}`} title={cell.message}>
                <CellState cell={cell} />
                {cell.canOpen ? (
                  <IconButton
                    icon="comment-discussion"
                    name={t('Open chat as {0}', labels[at] ?? '')}
                    onClick={() => postRuns({ type: 'openCell', row: 0, context: at })}
                  />
                ) : null}
              </span>
            </td>
          ))}
        </tr>
      </tbody>
    </ScrollTable>
  );
};

export const CellState = ({ cell }: { cell: RunCell }) => (
  <>
    <Icon icon={STATES[cell.state].icon} />
    <span class="cell-word">{cellWord(cell)}</span>
  </>
);
