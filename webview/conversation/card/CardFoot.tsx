/** The footer of a result card: the row count, and the SQL with its actions. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../../src/shared/text/l10n.ts';
import type { Item } from '../../../src/shared/thread/model.ts';
import { runsOnModel, type SqlQueryPayload } from '../../../src/shared/wire/toolPayloads.ts';
import { usePost } from '../../app/post.ts';
import type { WholeResult } from '../../app/replica.ts';
import { partKey } from '../../find/parts.ts';
import { useFoundIn } from '../../find/useFind.ts';
import { highlightSql } from '../../markdown/highlight.ts';
import { Icon } from '../../ui/Icon.tsx';
import { rowCount } from '../../ui/RowNotice.tsx';

interface CardFootProps {
  item: Item;
  payload: SqlQueryPayload;
  working: boolean;
  /** Whether the chart has its own data, and there are no rows. */
  ownData: boolean;
  /** Path of the certified query with this SQL. */
  certified: string | undefined;
  loaded: WholeResult | undefined;
}

export const CardFoot = ({ item, payload, working, ownData, certified, loaded }: CardFootProps) => {
  const { id: toolCallId, toolCall } = item;
  const post = usePost();
  const { table, error, sqlQuery } = payload;
  const [open, setOpen] = useState(false);
  const found = useFoundIn(['sql'], (itemId) => itemId === toolCallId);
  useEffect(() => {
    if (found) setOpen(true);
  }, [found]);
  const act = (type: 'insertSql' | 'copySql' | 'openSql') => () => post({ type, toolCallId });
  const count = table
    ? rowCount(loaded?.rows.length ?? table.rows.length, table.totalRows, loaded?.state)
    : ownData
      ? ''
      : t('No result');
  const where =
    toolCall && runsOnModel(toolCall)
      ? t('Semantic SQL: runs on the data model, not in the warehouse')
      : t('Warehouse SQL: doesn’t run on the data model');
  const isPart = table !== undefined && table.totalRows > table.rows.length && sqlQuery !== '';
  return (
    <>
      <div class="card-foot">
        <span class="count">{working && !table ? t('Running…') : error === undefined ? count : ''}</span>
        {isPart && (!loaded || loaded.state === 'stopped') ? (
          <button type="button" class="action" onClick={() => post({ type: 'loadAll', toolCallId })}>
            {t('Load all')}
          </button>
        ) : null}
        {certified === undefined ? null : (
          <button
            type="button"
            class="action certified"
            title={certified}
            aria-label={t('Certified: {0}', certified)}
            onClick={() => post({ type: 'openCertified', toolCallId })}
          >
            <Icon icon="verified-filled" />
            {t('Certified')}
          </button>
        )}
        {sqlQuery === '' ? null : (
          <>
            <button type="button" class="fold" aria-expanded={open} title={where} onClick={() => setOpen(!open)}>
              <Icon icon={open ? 'chevron-down' : 'chevron-right'} />
              {t('SQL')}
            </button>
            <span class="sql-actions">
              <button type="button" class="action" aria-label={t('Insert SQL')} onClick={act('insertSql')}>
                {t('Insert')}
              </button>
              <button type="button" class="action" aria-label={t('Copy SQL')} onClick={act('copySql')}>
                {t('Copy')}
              </button>
              <button type="button" class="action" aria-label={t('Open SQL')} onClick={act('openSql')}>
                {t('Open')}
              </button>
            </span>
          </>
        )}
      </div>
      {open ? (
        <>
          <p class="sql-kind">{where}</p>
          <SqlText sql={sqlQuery} part={partKey({ id: toolCallId }, 'sql')} />
        </>
      ) : null}
    </>
  );
};

/** @param props.part key of the searchable text, written to `data-part` */
const SqlText = ({ sql, part }: { sql: string; part: string }) => {
  const code = useRef<HTMLElement>(null);
  useLayoutEffect(() => code.current?.replaceChildren(highlightSql(sql)), [sql]);
  return (
    <pre class="sql" tabIndex={0} role="group" aria-label={t('SQL')} data-part={part}>
      <code ref={code} />
    </pre>
  );
};
