/** The results of all contexts in one table, with differences marked by color, icon or sign, and word. */
import { useState } from 'preact/hooks';
import {
  precisionNote,
  type ShownCell,
  type ShownComparison,
  type ShownRow,
  type ShownValue,
} from '../../src/shared/protocol/runs.ts';
import { plural, t } from '../../src/shared/text/l10n.ts';
import { Icon } from '../ui/Icon.tsx';
import { ScrollTable } from '../ui/ScrollTable.tsx';
import { STATES } from './states.ts';

interface ResultsProps {
  results: ShownComparison;
  /** Label of each context. */
  labels: readonly string[];
}

function summaryOf({ changed, added, removed, same }: ShownComparison['counts']): string {
  if (changed + added + removed === 0) return t('No differences. Rows compared: {0}', same);
  return [
    changed > 0 ? t('{0} changed', changed) : '',
    added > 0 ? t('{0} added', added) : '',
    removed > 0 ? t('{0} removed', removed) : '',
    same > 0 ? t('{0} the same', same) : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

export const ComparedResults = ({ results, labels }: ResultsProps) => {
  const { rows, counts, isPartial, measures, precision } = results;
  const [onlyDifferent, setOnlyDifferent] = useState(false);
  const shown = onlyDifferent ? rows.filter(({ status }) => status !== 'same') : rows;
  const total = Object.values(counts).reduce((sum, count) => sum + count);
  const differ = counts.same < total;
  const isPair = labels.length === 2;
  return (
    <>
      <div class="legend quiet">
        {isPair ? <span>{summaryOf(counts)}</span> : <Legend first={labels[0] ?? ''} />}
        {differ && counts.same > 0 ? (
          <button
            type="button"
            class="action"
            aria-pressed={onlyDifferent}
            onClick={() => setOnlyDifferent(!onlyDifferent)}
          >
            {t('Only differences')}
          </button>
        ) : null}
      </div>
      {precision === undefined ? null : <p class="quiet">{precisionNote(precision)}</p>}
      {isPartial ? <p class="quiet">{t('Only the rows included in the answers are compared.')}</p> : null}
      <ScrollTable label={t('Results compared')}>
        <Head results={results} labels={labels} />
        <tbody>
          {shown.map((row, index) => (
            <Row key={index} row={row} measures={measures} isPair={isPair} />
          ))}
        </tbody>
      </ScrollTable>
      {rows.length < total ? (
        <p class="quiet">
          {isPair
            ? plural(total - rows.length, '{0} more row is in the export.|{0} more rows are in the export.')
            : t('{0} of {1} rows', rows.length, total)}
        </p>
      ) : null}
    </>
  );
};

/** Explains the marks of more than two contexts. */
const Legend = ({ first }: { first: string }) => (
  <ul class="legend" aria-label={t('Legend')}>
    <li>
      <strong>≠</strong> {t('differs from {0}', first)}
    </li>
    <li>
      <span>–</span> {t('no such row or column')}
    </li>
    <li class="forbidden">
      <Icon icon="error" />
      {t('must not be seen')}
    </li>
  </ul>
);

const Head = ({ results: { dimensions, measures }, labels }: ResultsProps) => {
  const isPair = labels.length === 2;
  const columnsOf = (isNumber: boolean): readonly string[] =>
    isPair && isNumber ? [...labels, t('Change'), t('Change in %')] : labels;
  return (
    <thead>
      <tr>
        {isPair ? (
          <th scope="col" rowSpan={2}>
            <span class="visually-hidden">{t('Difference')}</span>
          </th>
        ) : null}
        {dimensions.map((name) => (
          <th key={name} scope="col" rowSpan={2}>
            {name}
          </th>
        ))}
        {measures.map(({ name, isNumber }) => (
          <th key={name} scope="colgroup" colSpan={columnsOf(isNumber).length} class="measure">
            <span class="measure-name">{name}</span>
          </th>
        ))}
      </tr>
      <tr>
        {measures.flatMap(({ name, isNumber }) =>
          columnsOf(isNumber).map((label, at) => (
            <th key={`${name} ${at}`} scope="col" class={cellClass(at, isNumber)}>
              {label}
            </th>
          )),
        )}
      </tr>
    </thead>
  );
};

/** @param at position among the columns of a measure */
const cellClass = (at: number, isNumber: boolean): string => `${at === 0 ? 'from' : ''} ${isNumber ? 'number' : ''}`;

interface RowProps {
  row: ShownRow;
  measures: ShownComparison['measures'];
  isPair: boolean;
}

const Row = ({ row: { status, key, cells }, measures, isPair }: RowProps) => (
  <tr class={isPair ? (status === 'same' ? 'quiet' : status) : ''}>
    {isPair ? (
      <td class="status quiet">
        {status === 'same' ? null : <Icon icon={STATES[status].icon} />}
        {STATES[status].word()}
      </td>
    ) : null}
    {key.map((value, index) => (
      <th key={index} scope="row">
        {value ?? <Null />}
      </th>
    ))}
    {cells.map((cell, index) => (
      <Measure key={index} cell={cell} isNumber={measures[index]?.isNumber === true} isPair={isPair} />
    ))}
  </tr>
);

const Null = () => <span class="quiet">NULL</span>;

/** The values of all contexts; those of two contexts with their difference. */
const Measure = ({ cell, isNumber, isPair }: { cell: ShownCell; isNumber: boolean; isPair: boolean }) => {
  const { values, absolute, percent } = cell;
  const direction = absolute?.startsWith('-') ? 'down' : 'up';
  const colors = isPair && values[1]?.isChanged ? ['removed', 'added'] : [];
  return (
    <>
      {values.map((value, at) => (
        <Value key={at} {...{ value, isPair }} class={`${cellClass(at, isNumber)} ${colors[at] ?? ''}`} />
      ))}
      {(isPair && isNumber ? [absolute, percent] : []).map((change, at) => (
        <td key={`change ${at}`} class={`number change ${direction}`}>
          {change}
        </td>
      ))}
    </>
  );
};

/** One value; of more than two contexts with the marks that the legend explains, in place of a status and a change. */
const Value = ({ value, isPair, class: classes }: { value: ShownValue; isPair: boolean; class: string }) => {
  const { text, isForbidden = false } = value;
  const isMarked = value.isChanged === true && !isPair && !isForbidden;
  const word = isForbidden ? t('must not be seen') : isMarked ? t('differs') : '';
  return (
    <td class={isForbidden ? `${classes} forbidden` : classes} title={word}>
      {isForbidden ? <Icon icon="error" /> : null}
      {isMarked && text !== undefined ? <strong aria-hidden="true">≠ </strong> : null}
      {text === undefined && !isPair ? (
        <>
          <span aria-hidden="true">–</span>
          <span class="visually-hidden">{t('no such row or column')}</span>
        </>
      ) : text === null ? (
        <Null />
      ) : (
        text
      )}
      {word === '' ? null : <span class="visually-hidden"> ({word})</span>}
    </td>
  );
};
