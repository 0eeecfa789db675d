/** Header of a result card: its title and actions; in a narrow card, the less common actions are in a menu. */
import { t } from '../../../src/shared/text/l10n.ts';
import type { SqlQueryPayload } from '../../../src/shared/wire/toolPayloads.ts';
import type { Item } from '../../../src/shared/thread/model.ts';
import { IconButton } from '../../ui/Button.tsx';
import { partKey } from '../../find/parts.ts';
import { post } from '../../app/host.ts';
import type { CardAction } from './cardMenus.ts';

interface CardHeadProps {
  item: Item;
  payload: SqlQueryPayload;
  title: string;
  working: boolean;
  /** State of the chart; `hidden` while the rows are shown instead. */
  charting: 'none' | 'failed' | 'hidden' | 'shown';
  /** Whether the chart studio is open. */
  changing: boolean;
  onShow: (what: 'chart' | 'table') => void;
  onSave: (button: HTMLElement) => void;
  onChange: () => void;
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
  (await import('./cardMenus.ts')).openCardMenu(button, actions);
