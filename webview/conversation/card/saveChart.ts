/** Menu that saves a chart as an image file. */
import { t } from '../../../src/shared/text/l10n.ts';
import type { Background, ChartHandle } from '../../chart/chart.ts';
import { menuHost, openMenu } from '../../menu/menu.ts';
import { post } from '../../app/host.ts';

/** Image pixels per CSS pixel. */
const SCALE = 3;

/** @param button anchor of the menu */
export function openSaveMenu(button: HTMLElement, toolCallId: string, chart: ChartHandle | undefined): void {
  if (!chart) return;
  const save = async (format: 'png' | 'svg', background: Background): Promise<void> => {
    const data = format === 'svg' ? await chart.toSvg(background) : await chart.toPng(background, SCALE);
    post({ type: 'saveChart', toolCallId, format, data });
  };
  const item = (label: string, format: 'png' | 'svg', background: Background) => ({
    label,
    run: () => void save(format, background),
  });
  const items = [
    item(t('PNG'), 'png', 'theme'),
    item(t('PNG on White'), 'png', 'white'),
    item(t('SVG'), 'svg', 'theme'),
    item(t('SVG on White'), 'svg', 'white'),
  ];
  openMenu(menuHost(button), button, t('Save chart'), items, () => button.focus());
}
