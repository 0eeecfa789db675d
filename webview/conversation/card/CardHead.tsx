/** The header of a result card, and its menus. */
import type { Arrangement } from '../../../src/shared/results/arrange.ts';
import { t } from '../../../src/shared/text/l10n.ts';
import type { SqlQueryPayload } from '../../../src/shared/wire/toolPayloads.ts';
import type { Item } from '../../../src/shared/thread/model.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { partKey } from '../../find/parts.ts';
import { usePost, type Post } from '../../app/post.ts';
import type { Background, ChartHandle } from '../../chart/chart.ts';
import { openButtonMenu } from '../../menu/menu.ts';

/** An action that is a button in a wide card and a menu item in a narrow one. */
interface CardAction {
  icon: string;
  name: string;
  /** Whether the element that the action toggles is open; omitted for other actions. */
  expanded?: boolean;
  run: () => void;
}

interface CardHeadProps {
  item: Item;
  payload: SqlQueryPayload;
  title: string;
  working: boolean;
  /** State of the chart; `hidden` while the rows are shown instead. */
  charting: 'none' | 'failed' | 'hidden' | 'shown';
  /** Whether the chart studio is open. */
  changing: boolean;
  /** @returns how the grid shows the rows; `undefined` while the chart is shown */
  shown: () => Arrangement | undefined;
  onShow: (what: 'chart' | 'table') => void;
  /** Omitted until the chart is drawn. */
  onSave: ((button: HTMLElement) => void) | undefined;
  onChange: () => void;
}

/** The title and the actions; in a narrow card, the less common actions are in a menu. */
export const CardHead = (props: CardHeadProps) => {
  const post = usePost();
  const { item, payload, title, working, charting, changing, shown, onShow, onSave, onChange } = props;
  const { error, description, table } = payload;
  const actions: CardAction[] = [
    ...(table && (charting === 'shown' || charting === 'failed')
      ? [{ icon: 'settings', name: t('Change chart'), expanded: changing, run: onChange }]
      : []),
    {
      icon: 'link-external',
      name: t('Open results'),
      run: () => post({ type: 'openResults', toolCallId: item.id, shown: shown() }),
    },
    {
      icon: 'desktop-download',
      name: t('Export results'),
      run: () => post({ type: 'exportResults', toolCallId: item.id, shown: shown() }),
    },
  ];
  const icon = working ? 'loading' : error === undefined ? 'database' : 'warning';
  return (
    <div class="card-head">
      <Icon icon={icon} />
      <span
        class="card-title"
        title={description && description !== title ? `${title}\n${description}` : title}
        data-part={partKey(item, 'title')}
      >
        {title}
      </span>
      {table || charting === 'shown' ? (
        <span class="card-tools">
          {table && charting === 'shown' ? (
            <IconButton class="is-charted" icon="table" name={t('Show table')} onClick={() => onShow('table')} />
          ) : charting === 'hidden' ? (
            <IconButton icon="graph" name={t('Show chart')} onClick={() => onShow('chart')} />
          ) : null}
          {charting === 'shown' ? (
            <IconButton
              icon="save"
              name={t('Save chart')}
              hasMenu
              disabled={!onSave}
              onClick={({ currentTarget }) => onSave?.(currentTarget)}
            />
          ) : null}
          {table ? (
            <>
              <span class="card-rare">
                {actions.map(({ run, ...shown }) => (
                  <IconButton key={shown.icon} {...shown} onClick={run} />
                ))}
              </span>
              <IconButton
                class="card-more"
                icon="ellipsis"
                name={t('More actions')}
                hasMenu
                onClick={({ currentTarget }) => openCardMenu(currentTarget, actions)}
              />
            </>
          ) : null}
        </span>
      ) : null}
    </div>
  );
};

/** Opens the menu of the actions that do not fit into a narrow card. */
function openCardMenu(button: HTMLElement, actions: readonly CardAction[]): void {
  const items = actions.map(({ name, run }) => ({ label: name, run }));
  openButtonMenu(button, t('More actions'), items);
}

/** Resolution of saved images, in pixels per CSS pixel. */
const SCALE = 3;

/** Opens the menu that saves a chart as an image file. */
export function openSaveMenu(button: HTMLElement, toolCallId: string, chart: ChartHandle, post: Post): void {
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
  openButtonMenu(button, t('Save chart'), items);
}
