/** The line over a result: its title, and what can be done with its chart and its rows. */
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

export const CardHead = (props: CardHeadProps) => {
  const { item, payload, title, working, charting, changing, onShow, onSave, onChange } = props;
  const { error, description, table } = payload;
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
          {charting === 'shown' || charting === 'failed' ? (
            <IconButton icon="settings" name={t('Change chart')} expanded={changing} onClick={onChange} />
          ) : null}
          <IconButton
            icon="link-external"
            name={t('Open results')}
            onClick={() => post({ type: 'openResults', toolCallId: item.id })}
          />
          <IconButton
            icon="desktop-download"
            name={t('Export results')}
            onClick={() => post({ type: 'exportResults', toolCallId: item.id })}
          />
        </span>
      ) : null}
    </div>
  );
};
