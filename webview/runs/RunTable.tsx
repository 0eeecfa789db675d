/**
 * A row for each question, a column for each context. The arrow keys move between the questions, and to the cells and
 * actions of a question; Enter opens the answers, or the chat of a cell.
 */
import { useRef, useState } from 'preact/hooks';
import {
  contextLabels,
  ROW_STATES,
  type RowState,
  type RunCell,
  type RunPage,
  type RunRow,
} from '../../src/shared/protocol/runs.ts';
import { t } from '../../src/shared/text/l10n.ts';
import { readState } from '../app/host.ts';
import { IconButton } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { ScrollTable } from '../ui/ScrollTable.tsx';
import { CellState } from './CellTable.tsx';
import { postRuns, save } from './runsState.ts';
import { cellWord, rowWord, STATES } from './states.ts';

type Filter = RowState | undefined;

export const RunTable = ({ page: { rows, contexts, isRunning } }: { page: RunPage }) => {
  const [filter, setFilter] = useState<Filter>(() => ROW_STATES.find((one) => one === readState().filter));
  // If no row has the selected state any more, show all rows.
  const chosen = filter !== undefined && rows.some((row) => row.state === filter) ? filter : undefined;
  const choose = (state: Filter): void => {
    setFilter(state);
    save(state);
  };
  const shown = rows.flatMap((row, index) => (chosen === undefined || row.state === chosen ? [{ row, index }] : []));
  const order = ({ row: { state } }: (typeof shown)[number]): number => ROW_STATES.indexOf(state);
  // During a run, rows keep their places; afterwards, those that need attention come first.
  const sorted = isRunning ? shown : shown.toSorted((a, b) => order(a) - order(b));
  return (
    <>
      <Filters rows={rows} chosen={chosen} onChoose={choose} />
      <Rows rows={sorted} labels={contextLabels(contexts)} />
    </>
  );
};

interface FiltersProps {
  rows: readonly RunRow[];
  /** The state whose rows are shown; `undefined` for all rows. */
  chosen: Filter;
  onChoose: (state: Filter) => void;
}

/** Buttons that show only the rows of one state, each with its number of rows. */
const Filters = ({ rows, chosen, onChoose }: FiltersProps) => {
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
          {state === undefined ? t('All') : STATES[state].word()}{' '}
          <span class="quiet">{state === undefined ? rows.length : counts.get(state)}</span>
        </button>
      ))}
    </div>
  );
};

/** Row offsets of the navigation keys. */
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };

interface RowsProps {
  rows: readonly { row: RunRow; index: number }[];
  /** Label of each context. */
  labels: readonly string[];
}

const Rows = ({ rows, labels }: RowsProps) => {
  const body = useRef<HTMLTableSectionElement>(null);
  /** Index of the row in the tab order. */
  const [reached, setReached] = useState(0);
  const tabStop = rows.some(({ index }) => index === reached) ? reached : rows[0]?.index;
  const move = (event: KeyboardEvent): void => {
    const { key, target } = event;
    if (key === 'ArrowRight' || key === 'ArrowLeft')
      return moveInRow(target as HTMLElement, key === 'ArrowRight' ? 1 : -1);
    const step = STEPS[key];
    const at = rows.findIndex(({ index }) => index === tabStop);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    const next = Math.min(Math.max(at + step, 0), rows.length - 1);
    body.current?.querySelectorAll<HTMLElement>('.answer-question')[next]?.focus();
  };
  return (
    <ScrollTable label={t('Questions')} class="answer-table" columns={labels.length}>
      <thead>
        <tr>
          <th scope="col" class="answer-state">
            <span>{t('State')}</span>
          </th>
          <th scope="col">{t('Question')}</th>
          {labels.map((label, at) => (
            <th key={at} scope="col" class="answer-cell">
              {label}
            </th>
          ))}
          <th scope="col">{t('What changed')}</th>
        </tr>
      </thead>
      <tbody ref={body} onKeyDown={move}>
        {rows.map(({ row, index }) => (
          <Row
            key={index}
            {...{ row, index, labels }}
            isTabStop={index === tabStop}
            onFocus={() => setReached(index)}
          />
        ))}
      </tbody>
    </ScrollTable>
  );
};

/** Moves the focus among the question, the cells and the actions of its row. */
function moveInRow(from: HTMLElement, step: 1 | -1): void {
  const all = [
    ...(from.closest('tr')?.querySelectorAll<HTMLElement>('.answer-question, [role=link], .answer-accept') ?? []),
  ];
  all[all.findIndex((each) => each.contains(from)) + step]?.focus();
}

interface CellProps {
  cell: RunCell;
  label: string;
  onOpen: () => void;
}

/** The state of a cell; a link, if there is a chat to open. */
const Cell = ({ cell, label, onOpen }: CellProps) =>
  cell.canOpen ? (
    <span
      class={`run-cell ${cell.state}`}
      role="link"
      tabIndex={-1}
      title={cell.message}
      aria-label={t('{0}. Open chat as {1}', cellWord(cell), label)}
      onClick={onOpen}
      onKeyDown={({ key }) => key === 'Enter' && onOpen()}
    >
      <CellState cell={cell} />
    </span>
  ) : (
    <span class={`run-cell ${cell.state}`} title={cell.message}>
      <CellState cell={cell} />
    </span>
  );

interface RowProps extends Pick<RowsProps, 'labels'> {
  row: RunRow;
  index: number;
  isTabStop: boolean;
  onFocus: () => void;
}

const Row = ({ row, index, labels, isTabStop, onFocus }: RowProps) => {
  const { name, text, state, message, cells, canOpen, canAccept } = row;
  const open = ({ detail, target }: MouseEvent): void => {
    // A drag selects text, for example to copy it. Keys, which open also then, have no `detail`.
    const isSelecting = detail > 0 && getSelection()?.isCollapsed === false;
    const isOther = target instanceof Element && target.closest('[role=link], .answer-accept') !== null;
    if (canOpen && !isSelecting && !isOther) postRuns({ type: 'openRow', row: index });
  };
  return (
    <tr class={`${state} ${canOpen ? 'openable' : ''}`} onClick={open}>
      <td class="answer-state" title={rowWord(row)}>
        <Icon icon={STATES[state].icon} />
        <span class="answer-word">{rowWord(row)}</span>
      </td>
      <th scope="row">
        <button
          type="button"
          class="answer-question"
          tabIndex={isTabStop ? 0 : -1}
          aria-disabled={!canOpen}
          aria-label={t('{0}: open both answers', text)}
          onFocus={onFocus}
        >
          {text}
        </button>
        <span class="quiet answer-name">{name}</span>
      </th>
      {cells.map((cell, at) => (
        <td key={at} class="answer-cell">
          <Cell
            cell={cell}
            label={labels[at] ?? ''}
            onOpen={() => postRuns({ type: 'openCell', row: index, context: at })}
          />
        </td>
      ))}
      <td class="answer-message">
        {message}
        {canAccept ? (
          <IconButton
            icon="check"
            class="answer-accept"
            name={t('Accept the answer on {0} as expected', labels.at(-1) ?? '')}
            onClick={() => postRuns({ type: 'accept', row: index })}
          />
        ) : null}
      </td>
    </tr>
  );
};
