/** A chart in the conversation. Its code is a lazy chunk, loaded with the first chart. */
import { Icon } from './Icon.tsx';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ResultTable } from '../../src/shared/wire/toolPayloads.ts';
import { limits } from '../../src/shared/chart/limits.ts';
import { t } from '../../src/shared/text/l10n.ts';
import { announce } from '../app/mounted.ts';
import type { ChartHandle } from '../chart/chart.ts';
import './chartBox.css';

interface ChartBoxProps {
  spec: string;
  table: ResultTable;
  title: string;
  /** Called with the chart once it is drawn, and with nothing when it is removed. */
  onDrawn: (chart: ChartHandle | undefined) => void;
  /** Called with a localized reason if no chart can be shown. */
  onProblem: (reason: string) => void;
}

/** Preloads the code of charts, so that it is ready when a running query ends. */
export const prepareCharts = (): void => {
  import('../chart/chart.ts').catch(() => undefined);
};

/**
 * @param rows all rows, once they are loaded
 * @returns the table to draw: that of the answer, with all rows unless these are too many for a chart
 */
export function chartTable(table: ResultTable, rows: ResultTable['rows'] | undefined): ResultTable {
  if (!rows) return table;
  return { columns: table.columns, rows: rows.length > limits.tableRows ? table.rows : rows, totalRows: rows.length };
}

/** The table of a chart whose specification has its own data. */
export const NO_ROWS: ResultTable = { columns: [], rows: [], totalRows: 0 };

/** Whether a specification, as JSON text, contains data or generates it. */
export const hasOwnData = (spec: string): boolean => /"(?:values|datasets|sequence|graticule|sphere)"\s*:/.test(spec);

export const ChartBox = ({ spec, table, title, onDrawn, onProblem }: ChartBoxProps) => {
  const container = useRef<HTMLDivElement>(null);
  const drawn = useRef<HTMLElement | undefined>(undefined);
  const chart = useRef<ChartHandle | undefined>(undefined);
  const [notices, setNotices] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string>();
  const report = useRef(onProblem);
  useLayoutEffect(() => {
    report.current = onProblem;
  });

  useEffect(() => {
    const box = container.current;
    let gone = false;
    const draw = async (): Promise<void> => {
      const { drawChart } = await import('../chart/chart.ts');
      if (gone || !box) return;
      // Draw a changed chart invisibly, then replace the previous one.
      const place = document.createElement('div');
      if (drawn.current) place.className = 'chart-next';
      box.append(place);
      const said: string[] = [];
      const onNotice = (text: string): void => {
        said.push(text);
        if (!gone) setNotices([...said]);
      };
      try {
        const handle = await drawChart(place, { spec, table, title }, onNotice);
        if (gone) return handle.dispose();
        chart.current?.dispose();
        drawn.current?.remove();
        place.className = '';
        drawn.current = place;
        chart.current = handle;
        onDrawn(handle);
        setNotices([...said]);
        setProblem(undefined);
      } finally {
        if (drawn.current !== place) place.remove();
      }
    };
    draw().catch((failure: unknown) => {
      if (gone) return;
      const reason = failure instanceof Error ? failure.message : t('The chart code could not be loaded.');
      if (drawn.current) setProblem(reason);
      else report.current(reason);
    });
    return () => {
      gone = true;
    };
  }, [spec, table, title]);

  useEffect(() => {
    const unsubscribe = onThemeChange(() => void chart.current?.updateTheme());
    return () => {
      unsubscribe();
      chart.current?.dispose();
      onDrawn(undefined);
    };
  }, []);

  const problemText = problem === undefined ? undefined : t('Can’t apply the change: {0}', problem);
  useEffect(() => {
    if (problemText !== undefined) announce(problemText);
  }, [problemText]);

  const [shown, total, most] = [table.rows.length, table.totalRows, limits.tableRows].map((n) => n.toLocaleString());
  const part = (): string =>
    table.totalRows > limits.tableRows
      ? t('The chart shows {0} of {1} rows. The limit for charts is {2}.', shown!, total!, most!)
      : t('The chart shows {0} of {1} rows.', shown!, total!);
  return (
    <div class="chart-box">
      {problemText === undefined ? null : (
        <p class="chart-notice is-problem">
          <Icon icon="warning" />
          <span>{problemText}</span>
        </p>
      )}
      <div class={drawn.current ? 'chart is-drawn' : 'chart'} ref={container} />
      {[...(table.totalRows > table.rows.length ? [part()] : []), ...notices].map((notice) => (
        <p class="chart-notice" key={notice}>
          <Icon icon="info" />
          <span>{notice}</span>
        </p>
      ))}
    </div>
  );
};

/**
 * Observes the color theme of VS Code, whose colors are CSS variables on the root element.
 * @returns a function that stops observing
 */
function onThemeChange(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
  return () => observer.disconnect();
}
