/** The results of both sides in one table, with differences marked by color, icon and word. */
import { Icon } from '../ui/Icon.tsx';
import { useState } from 'preact/hooks';
import {
  precisionNote,
  type RowStatus,
  type ShownCell,
  type ShownComparison,
  type ShownRow,
  type SideName,
} from '../../src/shared/protocol/compare.ts';
import { plural, t } from '../../src/shared/text/l10n.ts';
import { ScrollTable } from '../ui/ScrollTable.tsx';

interface ResultsProps {
  results: ShownComparison;
  labels: Readonly<Record<SideName, string>>;
}

type Measure = ShownComparison['measures'][number];

const ICONS: Readonly<Record<Exclude<RowStatus, 'same'>, string>> = {
  changed: 'diff-modified',
  added: 'diff-added',
  removed: 'diff-removed',
};

function wordOf(status: RowStatus): string {
  switch (status) {
    case 'same':
      return t('Same');
    case 'changed':
      return t('Changed');
    case 'added':
      return t('Added');
    case 'removed':
      return t('Removed');
  }
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
  const total = counts.same + counts.changed + counts.added + counts.removed;
  const differ = counts.same < total;
  return (
    <>
      <div class="results-head">
        <span>{summaryOf(counts)}</span>
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
            <Row key={index} row={row} measures={measures} />
          ))}
        </tbody>
      </ScrollTable>
      {rows.length < total ? (
        <p class="quiet">
          {plural(total - rows.length, '{0} more row is in the export.|{0} more rows are in the export.')}
        </p>
      ) : null}
    </>
  );
};

const Head = ({ results: { dimensions, measures }, labels }: ResultsProps) => (
  <thead>
    <tr>
      <th scope="col" rowSpan={2}>
        <span class="visually-hidden">{t('Difference')}</span>
      </th>
      {dimensions.map((name) => (
        <th key={name} scope="col" rowSpan={2}>
          {name}
        </th>
      ))}
      {measures.map(({ name, isNumber }) => (
        <th key={name} scope="colgroup" colSpan={isNumber ? 4 : 2} class="measure">
          <span class="measure-name">{name}</span>
        </th>
      ))}
    </tr>
    <tr>
      {measures.map(({ name, isNumber }) => (
        <MeasureHead key={name} isNumber={isNumber} labels={labels} />
      ))}
    </tr>
  </thead>
);

const MeasureHead = ({ isNumber, labels }: { isNumber: boolean; labels: ResultsProps['labels'] }) => {
  const kind = isNumber ? 'number' : '';
  return (
    <>
      <th scope="col" class={`from ${kind}`}>
        {labels.left}
      </th>
      <th scope="col" class={kind}>
        {labels.right}
      </th>
      {isNumber ? (
        <>
          <th scope="col" class="number">
            {t('Change')}
          </th>
          <th scope="col" class="number">
            {t('Change in %')}
          </th>
        </>
      ) : null}
    </>
  );
};

const Row = ({ row: { status, key, cells }, measures }: { row: ShownRow; measures: readonly Measure[] }) => (
  <tr class={`row ${status}`}>
    <td class="status">
      {status === 'same' ? null : <Icon icon={ICONS[status]} />}
      {wordOf(status)}
    </td>
    {key.map((value, index) => (
      <th key={index} scope="row">
        {value === null ? <Null /> : value}
      </th>
    ))}
    {cells.map((cell, index) => (
      <Cells key={index} cell={cell} isNumber={measures[index]?.isNumber ?? false} />
    ))}
  </tr>
);

const Null = () => <span class="quiet">NULL</span>;

const Cells = ({ cell, isNumber }: { cell: ShownCell; isNumber: boolean }) => {
  const { left, right, isChanged, absolute, percent } = cell;
  const kind = isNumber ? 'number' : '';
  const mark = isChanged ? 'differs' : '';
  const direction = absolute === undefined ? '' : absolute.startsWith('-') ? 'down' : 'up';
  return (
    <>
      <td class={`from left ${kind} ${mark}`}>{left === null ? <Null /> : left}</td>
      <td class={`right ${kind} ${mark}`}>{right === null ? <Null /> : right}</td>
      {isNumber ? (
        <>
          <td class={`number change ${direction}`}>{absolute}</td>
          <td class={`number change ${direction}`}>{percent}</td>
        </>
      ) : null}
    </>
  );
};
