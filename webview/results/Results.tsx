/** The page that shows the rows of one query in an editor tab. */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { LoadState } from '../../src/shared/protocol/chat.ts';
import { isToResults, type FromResults, type ToResults } from '../../src/shared/protocol/results.ts';
import type { Arrangement } from '../../src/shared/results/arrange.ts';
import type { ResultFormat } from '../../src/shared/results/encode.ts';
import { runInSlices } from '../../src/shared/results/slices.ts';
import { t, useBundle } from '../../src/shared/text/l10n.ts';
import type { ResultTable } from '../../src/shared/wire/toolPayloads.ts';
import { postRaw, saveState } from '../app/host.ts';
import { startPage } from '../app/page.ts';
import { ChartBox, chartTable } from '../ui/ChartBox.tsx';
import { IconButton } from '../ui/Button.tsx';
import { createGrid, type GridHandle } from '../grid/createGrid.ts';
import { openButtonMenu, type MenuItem } from '../menu/menu.ts';
import { announce } from '../app/mounted.ts';
import { rowCount, RowNotice } from '../ui/RowNotice.tsx';
import { focusInTurn, Status } from '../ui/access.tsx';
import '@vscode/codicons/dist/codicon.css';
import '../ui/base.css';
import './results.css';

interface ResultsState {
  title: string;
  /** The table of the answer. */
  table: ResultTable;
  /** The chart of the answer, as JSON text. */
  spec?: string;
  guardFormulas: boolean;
  hasSql: boolean;
  /** The rows to display; extended in place while all rows are loading. */
  rows: readonly (readonly unknown[])[];
  /** `undefined` while the rows are those of the answer. */
  load: LoadState | undefined;
  /** How another grid shows the rows, as an order to this one. */
  shown?: Arrangement;
  /** Localized description of how the loaded rows differ from the answer's. */
  notice?: string;
}

const postResults = (message: FromResults): void => postRaw(message);

let loaded: (readonly unknown[])[] = [];

function apply(before: ResultsState | undefined, message: ToResults): ResultsState | undefined {
  if (message.type === 'table') {
    const { title, table, spec, guardFormulas, hasSql } = message;
    useBundle(message.l10n, document.documentElement.lang);
    saveState(message.remember);
    return { title, table, spec, guardFormulas, hasSql, rows: table.rows, load: undefined };
  }
  if (!before) return undefined;
  if (message.type === 'arrange') return { ...before, shown: message.shown };
  if (message.from === 0) loaded = [];
  // The batch continues a load that an earlier page started.
  if (message.from !== loaded.length) return before;
  for (const row of message.rows) loaded.push(row);
  // A load that ended before its first row leaves the answer's rows.
  if (loaded.length === 0 && message.state !== 'done') return { ...before, load: undefined, notice: undefined };
  return { ...before, rows: loaded, load: message.state, notice: message.notice };
}

const Results = ({ state }: { state: ResultsState }) => {
  const { table, title, rows, load, spec, hasSql } = state;
  const [isChart, setChart] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isPart = rows.length < table.totalRows || load === 'limited';
  const grid = useRef<GridHandle | undefined>(undefined);
  const shown = (): Arrangement => ({
    ...(grid.current?.arrangement ?? { columns: [], filters: [] }),
    isWhole: load !== undefined,
  });
  const openCopyMenu = (button: HTMLElement): void => {
    if (grid.current) openButtonMenu(button, t('Copy results'), copyItems(grid.current));
  };
  return (
    <main class="results" aria-label={title}>
      <header class="results-head">
        <h1 class="results-title">{title}</h1>
        <span class="quiet results-count">{rowCount(rows.length, table.totalRows, load)}</span>
        <div class="results-actions">
          {spec === undefined || rows.length === 0 ? null : isChart ? (
            <IconButton icon="table" name={t('Show table')} onClick={() => setChart(false)} />
          ) : (
            <IconButton icon="graph" name={t('Show chart')} onClick={() => setChart(true)} />
          )}
          {hasSql && isPart && load !== 'loading' && load !== 'limited' ? (
            <button
              type="button"
              class="action"
              onClick={() => {
                // The button unmounts: move the focus to the grid.
                grid.current?.focus();
                postResults({ type: 'loadAll' });
              }}
            >
              {t('Load all')}
            </button>
          ) : null}
          <IconButton
            icon="copy"
            name={t('Copy results')}
            hasMenu
            onClick={({ currentTarget }) => openCopyMenu(currentTarget)}
          />
          <IconButton
            icon="desktop-download"
            name={t('Export results')}
            onClick={() => postResults({ type: 'exportResults', shown: shown() })}
          />
          {hasSql ? (
            <IconButton icon="code" name={t('Open SQL')} onClick={() => postResults({ type: 'openSql' })} />
          ) : null}
        </div>
      </header>
      <RowNotice text={state.notice} />
      {isChart && spec !== undefined ? (
        problem === undefined ? (
          <Chart state={state} spec={spec} onProblem={setProblem} />
        ) : (
          <p class="results-problem">{t('Can’t draw the chart: {0}', problem)}</p>
        )
      ) : null}
      <Rows state={state} grid={grid} isHidden={isChart && problem === undefined} />
    </main>
  );
};

interface ChartProps {
  state: ResultsState;
  spec: string;
  onProblem: (reason: string) => void;
}

const Chart = ({ state: { table, title, rows, load }, spec, onProblem }: ChartProps) => {
  const whole = load === 'done' ? rows : undefined;
  const drawn = useMemo(() => chartTable(table, whole), [table, whole]);
  return (
    <div class="results-chart">
      <ChartBox spec={spec} table={drawn} title={title} onDrawn={() => undefined} onProblem={onProblem} />
    </div>
  );
};

interface RowsProps {
  state: ResultsState;
  grid: { current: GridHandle | undefined };
  /** Whether the chart is shown instead; the grid keeps its filters and columns. */
  isHidden: boolean;
}

const Rows = ({ state, grid, isHidden }: RowsProps) => {
  const { table, title, rows, guardFormulas } = state;
  const container = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!container.current || table.columns.length === 0) return undefined;
    const created = createGrid(
      container.current,
      { name: t('Results: {0}', title), columns: table.columns, rows, guardFormulas },
      {
        onCopy: (text) => postResults({ type: 'copy', text }),
        onAnnounce: announce,
      },
    );
    grid.current = created;
    const cancelFocus = focusInTurn(() => created.focus());
    return () => {
      cancelFocus();
      grid.current = undefined;
      created.dispose();
    };
  }, [table]);
  useLayoutEffect(() => {
    if (rows !== table.rows) grid.current?.update({ columns: table.columns, rows });
  }, [state]);
  useLayoutEffect(() => {
    if (state.shown) grid.current?.arrange(state.shown);
  }, [table, state.shown]);
  if (table.columns.length === 0) return <p class="quiet">{t('The query returned no columns.')}</p>;
  return (
    <>
      <div class="results-rows" ref={container} hidden={isHidden} />
      {rows.length === 0 ? <p class="quiet results-empty">{t('The query returned no rows.')}</p> : null}
      <Status />
    </>
  );
};

/** Whether to include column names; kept for the next copy. */
let headers = true;

/** @returns the items of the menu that copies all rows */
function copyItems(grid: GridHandle): MenuItem[] {
  const copy = (label: string, format: ResultFormat): MenuItem => ({
    label,
    run: () => void runInSlices(grid.encode(format, headers), (text) => postResults({ type: 'copy', text })),
  });
  return [
    copy(t('Copy as TSV'), 'tsv'),
    copy(t('Copy as CSV'), 'csv'),
    copy(t('Copy as JSON'), 'json'),
    copy(t('Copy as Markdown'), 'markdown'),
    copy(t('Copy as SQL IN List'), 'sqlIn'),
    { label: t('With Headers'), group: true, checked: headers, run: () => (headers = !headers) },
  ];
}

startPage(isToResults, apply, (state) => <Results state={state} />);
