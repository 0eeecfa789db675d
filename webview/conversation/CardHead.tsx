/** The head of a result card: its title and the actions on its chart and rows, the rare ones in a menu when it is narrow. */
import { t } from '../../src/shared/text/l10n.ts';
import type { SqlQueryPayload } from '../../src/shared/wire/toolPayloads.ts';
import type { Item } from '../../src/shared/thread/model.ts';
import { IconButton } from '../ui/Button.tsx';
import { partKey } from '../find/parts.ts';
import { post } from '../app/host.ts';

interface CardHeadProps {
  item: Item;
  payload: SqlQueryPayload;
  title: string;
  working: boolean;
  /** How it is with the chart; hidden where the rows are shown in its place. */
  charting: 'none' | 'failed' | 'hidden' | 'shown';
  /** Whether the chart is being changed. */
  changing: boolean;
  onShow: (what: 'chart' | 'table') => void;
  onSave: (button: HTMLElement) => void;
  onChange: () => void;
}

/** An action that is an icon in a wide card, and an entry of the menu in a narrow one. */
export interface CardAction {
  icon: string;
  name: string;
  /** Whether what the action opens and closes is open. */
  expanded?: boolean;
  run: () => void;
}

export const CardHead = (props: CardHeadProps) => {
  const { item, payload, title, working, charting, changing, onShow, onSave, onChange } = props;
  const { error, description, table } = payload;
  const actions: CardAction[] = [
    ...(charting === 'shown' || charting === 'failed'
      ? [{ icon: 'settings', name: t('Change chart'), expanded: changing, run: onChange }]
      : []),
    {
      icon: 'link-external',
      name: t('Open results'),
      run: () => post({ type: 'openResults', toolCallId: item.id }),
    },
    {
      icon: 'desktop-download',
      name: t('Export results'),
      run: () => post({ type: 'exportResults', toolCallId: item.id }),
    },
  ];
  const icon = working ? 'loading codicon-modifier-spin' : error === undefined ? 'database' : 'warning';
  return (
    <div class="card-head">
      <span class={`codicon codicon-${icon}`} aria-hidden="true" />
      <span
        class="card-title"
        title={description ? `${title}\n${description}` : title}
        data-part={partKey(item, 'title')}
      >
        {title}
      </span>
      {table ? (
        <span class="card-tools">
          {charting === 'shown' ? (
            <IconButton icon="table" name={t('Show table')} onClick={() => onShow('table')} />
          ) : charting === 'hidden' ? (
            <IconButton icon="graph" name={t('Show chart')} onClick={() => onShow('chart')} />
          ) : null}
          {charting === 'shown' ? (
            <IconButton
              icon="save"
              name={t('Save chart')}
              onClick={({ currentTarget }) => onSave(currentTarget as HTMLElement)}
            />
          ) : null}
          <span class="card-rare">
            {actions.map(({ run, ...shown }) => (
              <IconButton key={shown.icon} {...shown} onClick={run} />
            ))}
          </span>
          <IconButton
            class="card-more"
            icon="ellipsis"
            name={t('More actions')}
            onClick={({ currentTarget }) => void openMore(currentTarget as HTMLElement, actions)}
          />
        </span>
      ) : null}
    </div>
  );
};

const openMore = async (button: HTMLElement, actions: readonly CardAction[]): Promise<void> =>
  (await import('./cardMenu.ts')).openCardMenu(button, actions);
