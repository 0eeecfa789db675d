/** One row for each question. Arrow keys move between the questions, Enter opens both answers. */
import { Icon } from '../ui/Icon.tsx';
import { useRef, useState } from 'preact/hooks';
import { canOpen, type AnswerRow, type RowState } from '../../src/shared/protocol/evals.ts';
import { t } from '../../src/shared/text/l10n.ts';

const STATE_ICONS: Readonly<Record<RowState, string>> = {
  failed: 'error',
  changed: 'diff-modified',
  errored: 'error',
  review: 'question',
  unstable: 'pulse',
  flaky: 'pulse',
  skipped: 'debug-step-over',
  canceled: 'circle-slash',
  passed: 'pass',
  same: 'pass',
  asking: 'loading',
  waiting: 'circle-outline',
};

export function stateWord(state: RowState): string {
  switch (state) {
    case 'failed':
      return t('Failed');
    case 'changed':
      return t('Changed');
    case 'errored':
      return t('Error');
    case 'review':
      return t('Review');
    case 'unstable':
      return t('Unstable');
    case 'flaky':
      return t('Flaky');
    case 'skipped':
      return t('Skipped');
    case 'canceled':
      return t('Canceled');
    case 'passed':
      return t('Passed');
    case 'same':
      return t('Same');
    case 'asking':
      return t('Asking');
    case 'waiting':
      return t('Waiting');
  }
}

/** @returns the state of a row, for a changed one with the kind of its change */
function rowWord({ state, change }: AnswerRow): string {
  if (state !== 'changed') return stateWord(state);
  return change === 'numbers' ? t('Changed numbers') : t('Changed rows');
}

interface TableProps {
  rows: readonly AnswerRow[];
  /** The state whose rows are shown; `undefined` for all rows. */
  filter: RowState | undefined;
  label: string;
  /** Opens both answers of the question with this index. */
  onOpen: (index: number) => void;
}

/** Row offsets of the navigation keys. */
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };

export const AnswerTable = ({ rows, filter, label, onOpen }: TableProps) => {
  const body = useRef<HTMLTableSectionElement>(null);
  /** Index of the row in the tab order. */
  const [reached, setReached] = useState(0);
  const shown = rows.flatMap((row, index) => (filter === undefined || row.state === filter ? [{ row, index }] : []));
  const tabStop = shown.some(({ index }) => index === reached) ? reached : shown[0]?.index;
  const move = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    const at = shown.findIndex(({ index }) => index === tabStop);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    const next = Math.min(Math.max(at + step, 0), shown.length - 1);
    body.current?.querySelectorAll<HTMLElement>('button')[next]?.focus();
  };
  return (
    <table class="answer-table" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">
            <span>{t('State')}</span>
          </th>
          <th scope="col">{t('Question')}</th>
          <th scope="col">{t('What changed')}</th>
        </tr>
      </thead>
      <tbody ref={body} onKeyDown={move}>
        {shown.map(({ row, index }) => (
          <Row
            key={index}
            row={row}
            isTabStop={index === tabStop}
            onFocus={() => setReached(index)}
            onOpen={() => onOpen(index)}
          />
        ))}
      </tbody>
    </table>
  );
};

interface RowProps {
  row: AnswerRow;
  isTabStop: boolean;
  onFocus: () => void;
  onOpen: () => void;
}

const Row = ({ row, isTabStop, onFocus, onOpen }: RowProps) => {
  const { name, text, state, message } = row;
  const open = ({ detail }: MouseEvent): void => {
    // A drag selects text, for example to copy it. Keys, which open also then, have no `detail`.
    const isSelecting = detail > 0 && getSelection()?.isCollapsed === false;
    if (canOpen(row) && !isSelecting) onOpen();
  };
  return (
    <tr class={`${state} ${canOpen(row) ? 'openable' : ''}`} onClick={open}>
      <td class="answer-state" title={rowWord(row)}>
        <Icon icon={STATE_ICONS[state]} />
        <span class="answer-word">{rowWord(row)}</span>
      </td>
      <th scope="row">
        <button
          type="button"
          class="answer-question"
          tabIndex={isTabStop ? 0 : -1}
          aria-disabled={!canOpen(row)}
          aria-label={t('{0}: open both answers', text)}
          onFocus={onFocus}
        >
          {text}
        </button>
        <span class="quiet answer-name">{name}</span>
      </th>
      <td class="answer-message">{message}</td>
    </tr>
  );
};
