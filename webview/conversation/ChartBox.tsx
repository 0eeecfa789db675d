/** A chart in the conversation. The code that draws it is loaded with the first one. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ResultTable } from '../../src/shared/payloads.ts';
import { t } from '../../src/shared/l10n.ts';
import { IconButton } from '../Button.tsx';
import type { ChartHandle } from '../chart/index.ts';
import { post } from '../host.ts';
import { onThemeChange } from '../theme.ts';

interface ChartBoxProps {
  toolCallId: string;
  spec: string;
  table: ResultTable;
  title: string;
  /** Told why, in words, when the chart cannot be drawn. */
  onProblem: (reason: string) => void;
}

export const ChartBox = ({ toolCallId, spec, table, title, onProblem }: ChartBoxProps) => {
  const container = useRef<HTMLDivElement>(null);
  const chart = useRef<ChartHandle | undefined>(undefined);
  const [notice, setNotice] = useState('');
  const report = useRef(onProblem);
  useLayoutEffect(() => {
    report.current = onProblem;
  });
  useEffect(() => {
    let gone = false;
    let unsubscribe = (): void => undefined;
    const draw = async (): Promise<void> => {
      const { drawChart, readTheme } = await import('../chart/index.ts');
      const box = container.current;
      if (gone || !box) return;
      const handle = await drawChart(box, { spec, table, title }, { theme: readTheme(box), onNotice: setNotice });
      if (gone) {
        handle.dispose();
        return;
      }
      chart.current = handle;
      unsubscribe = onThemeChange(() => void handle.setTheme(readTheme(box)));
    };
    draw().catch((failure: unknown) => {
      if (!gone) report.current(failure instanceof Error ? failure.message : t('The chart code could not be loaded.'));
    });
    return () => {
      gone = true;
      unsubscribe();
      chart.current?.dispose();
      chart.current = undefined;
    };
  }, [spec, table, title]);

  const save = async (format: 'png' | 'svg'): Promise<void> => {
    if (!chart.current) return;
    const data = format === 'svg' ? await chart.current.toSvg('theme') : await chart.current.toPng('theme', 2);
    post({ type: 'saveChart', toolCallId, format, data });
  };
  return (
    <div class="chart-box">
      <div class="chart" ref={container} />
      {notice === '' ? null : <p class="quiet">{notice}</p>}
      <div class="chart-actions">
        <IconButton icon="save" name={t('Save chart')} onClick={() => void save('png')} />
        <IconButton icon="file-media" name={t('Save chart as SVG')} onClick={() => void save('svg')} />
        <IconButton
          icon="json"
          name={t('Open chart specification')}
          onClick={() => post({ type: 'openChartSpec', toolCallId })}
        />
      </div>
    </div>
  );
};
