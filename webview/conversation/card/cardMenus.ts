/** Menus of a result card, loaded when they are first opened. */
import { t } from '../../../src/shared/text/l10n.ts';
import { post } from '../../app/host.ts';
import type { Background, ChartHandle } from '../../chart/chart.ts';
import { menuHost, openMenu } from '../../menu/menu.ts';

/** Image pixels per CSS pixel. */
const SCALE = 3;

/** An action that is a button in a wide card and a menu item in a narrow one. */
export interface CardAction {
  icon: string;
  name: string;
  /** Whether the element that the action toggles is open; omitted for other actions. */
  expanded?: boolean;
  run: () => void;
}

/** Opens the menu of the actions that do not fit into a narrow card. */
export function openCardMenu(button: HTMLElement, actions: readonly CardAction[]): void {
  const items = actions.map(({ name, run }) => ({ label: name, run }));
  openMenu(menuHost(button), button, t('More actions'), items, () => button.focus());
}

/** Opens the menu that saves a chart as an image file. */
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
