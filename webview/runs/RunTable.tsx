/**
 * A row for each question, a column for each context. The arrow keys move between the questions, and to the cells and
 * actions of a question; Enter opens the answers, or the chat of a cell.
 */
import { useState } from 'preact/hooks';
import { ROW_STATES, type RowState, type RunCell, type RunRow } from '../../src/shared/protocol/runs.ts';
import { t } from '../../src/shared/text/l10n.ts';
import { readState } from '../app/host.ts';
import { IconButton } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { ScrollTable } from '../ui/ScrollTable.tsx';
import { postRuns, save } from './runsState.ts';
import { cellWord, rowWord, STATES } from './states.ts';

type Filter = RowState | undefined;

interface TableProps {
  rows: readonly RunRow[];
  /** Label of each context. */
  labels: readonly string[];
  isRunning: boolean;
}

export const RunTable = ({ rows, labels, isRunning }: TableProps) => {
  const [filter, setFilter] = useState<Filter>(() => ROW_STATES.find((one) => one === readState().filter));
  /** Index of the row in the tab order. */
  const [reached, setReached] = useState(0);
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
  const tabStop = sorted.some(({ index }) => index === reached) ? reached : sorted[0]?.index;
  return (
    <>
      <Filters rows={rows} chosen={chosen} onChoose={choose} />
      <ScrollTable
        label={t('Questions')}
        class={labels.length > 2 ? 'answer-table many' : 'answer-table'}
        columns={labels.length}
      >
        <thead>
          <tr>
            <th scope="col" class="answer-state">
              <span class="state-word">{t('State')}</span>
            </th>
            <th scope="col">{t('Question')}</th>
            <th scope="col">{t('What changed')}</th>
            <ContextHeads labels={labels} />
          </tr>
        </thead>
        <tbody onKeyDown={moveFocus}>
          {sorted.map(({ row, index }) => (
            <Row
              key={index}
              {...{ row, index, labels }}
              isTabStop={index === tabStop}
              onFocus={() => setReached(index)}
            />
          ))}
        </tbody>
      </ScrollTable>
    </>
  );
};

/** The states of the only question in each context. */
export const CellTable = ({ row, labels }: { row: RunRow; labels: readonly string[] }) => (
  <ScrollTable label={t('Answers by identity')} class="cells">
    <thead>
      <tr>
        <ContextHeads labels={labels} />
      </tr>
    </thead>
    <tbody>
      <tr>
        <Cells cells={row.cells} index={0} labels={labels} />
      </tr>
    </tbody>
  </ScrollTable>
);

interface FiltersProps {
  rows: readonly RunRow[];
  /** The state whose rows are shown; `undefined` for all rows. */
  chosen: Filter;
  onChoose: (state: Filter) => void;
}

/** Buttons that show only the rows of one state, each with its number of rows. */
const Filters = ({ rows, chosen, onChoose }: FiltersProps) => {
  const counts = new Map<Filter, number>([[undefined, rows.length]]);
  for (const { state } of rows) counts.set(state, (counts.get(state) ?? 0) + 1);
  return (
    <div class="filters" role="group" aria-label={t('Filter by state')}>
      {[undefined, ...ROW_STATES].map((state) =>
        counts.has(state) ? (
          <button
            key={state ?? ''}
            type="button"
            class="action"
            aria-pressed={state === chosen}
            onClick={() => onChoose(state)}
          >
            {state === undefined ? t('All') : STATES[state].word()} <span class="quiet">{counts.get(state)}</span>
          </button>
        ) : null,
      )}
    </div>
  );
};

/** Moves the focus to the question of another row, or among the question, the cells and the actions of its row. */
function moveFocus(event: KeyboardEvent): void {
  const from = event.target as HTMLElement;
  const row = from.closest('tr')!;
  const siblings = row.parentElement!.children;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const next = {
    ArrowDown: row.nextElementSibling,
    ArrowUp: row.previousElementSibling,
    Home: siblings[0],
    End: siblings[siblings.length - 1],
  }[event.key];
  if (next) event.preventDefault();
  next?.querySelector<HTMLElement>('.answer-question')?.focus();
  const stops = [...row.querySelectorAll<HTMLElement>('button, vscode-button')];
  if (step) stops[stops.findIndex((each) => each.contains(from)) + step]?.focus();
}

/** Names of branches may break after a slash, which browsers don't do. */
const ContextHeads = ({ labels }: { labels: readonly string[] }) =>
  labels.map((label, at) => (
    <th key={at} scope="col" class="answer-cell">
      {label.split(/(?<=[/_])/).map((part) => [part, <wbr key={part} />])}
    </th>
  ));

interface CellsProps {
  cells: readonly RunCell[];
  /** Index of the row. */
  index: number;
  labels: readonly string[];
  /** Of the buttons; links, in the list, whose rows have a button. */
  role?: 'link';
  tabIndex?: number;
}

/** The states of a question in each context; buttons, if there is a chat to open. */
const Cells = ({ cells, index, labels, ...attributes }: CellsProps) =>
  cells.map((cell, at) => {
    const { state, message, canOpen } = cell;
    const Element = canOpen ? 'button' : 'span';
    const action = {
      'aria-label': t('{0}. Open chat as {1}', cellWord(cell), labels[at] ?? ''),
      ...{ ...attributes, onClick: () => postRuns({ type: 'openCell', row: index, context: at }) },
    };
    return (
      <td key={at} class="answer-cell">
        <Element class="run-cell quiet" title={message} {...(canOpen ? action : {})}>
          <Icon icon={STATES[state].icon} />
          <span class="state-word">{cellWord(cell)}</span>
        </Element>
      </td>
    );
  });

interface RowProps extends Pick<TableProps, 'labels'> {
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
    const isOther = target instanceof Element && target.closest('button.run-cell, .answer-accept') !== null;
    if (canOpen && !isSelecting && !isOther) postRuns({ type: 'openRow', row: index });
  };
  return (
    <tr class={canOpen ? 'openable' : 'quiet'} onClick={open}>
      <td class="answer-state" title={rowWord(row)}>
        <Icon icon={STATES[state].icon} />
        <span class="state-word">{rowWord(row)}</span>
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
        <div class="quiet answer-name">{name}</div>
      </th>
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
      <Cells {...{ cells, index, labels }} role="link" tabIndex={-1} />
    </tr>
  );
};
