/** A query: its title, its chart or table, its SQL and what can be done with it. */
import { useState } from 'preact/hooks';
import type { SqlQueryPayload } from '../../src/shared/payloads.ts';
import { t } from '../../src/shared/l10n.ts';
import type { Item } from '../../src/shared/thread.ts';
import { payloadOf } from '../../src/shared/turns.ts';
import { IconButton } from '../Button.tsx';
import { post } from '../host.ts';
import type { LoadedRows } from '../store.ts';
import { ChartBox } from './ChartBox.tsx';
import { Grid } from './Grid.tsx';
import { SqlText } from './SqlText.tsx';

interface ResultCardProps {
  item: Item;
  running: boolean;
  loaded: LoadedRows | undefined;
}

export const ResultCard = ({ item, running, loaded }: ResultCardProps) => {
  const payload = payloadOf(item);
  if (payload?.kind !== 'sqlQuery') return null;
  const title = payload.queryTitle || payload.description || t('Query');
  const working = item.inProcess && running;
  return (
    <div class="card" role="group" aria-label={t('SQL query: {0}', title)}>
      <CardBody item={item} payload={payload} title={title} working={working} loaded={loaded} />
    </div>
  );
};

interface BodyProps {
  item: Item;
  payload: SqlQueryPayload;
  title: string;
  working: boolean;
  loaded: LoadedRows | undefined;
}

const CardBody = ({ item, payload, title, working, loaded }: BodyProps) => {
  const { table, vegaSpec, error } = payload;
  const drawable = table !== undefined && vegaSpec !== undefined && table.rows.length > 0;
  const [asTable, setAsTable] = useState(false);
  const [problem, setProblem] = useState<string>();
  const charted = drawable && !asTable && problem === undefined && loaded === undefined;
  return (
    <>
      <div class="card-head">
        <span
          class={`codicon codicon-${working ? 'loading codicon-modifier-spin' : error === undefined ? 'database' : 'warning'}`}
          aria-hidden="true"
        />
        <span class="card-title" title={payload.description}>
          {title}
        </span>
        {drawable && problem === undefined && loaded === undefined ? (
          <IconButton
            icon={asTable ? 'graph' : 'table'}
            name={asTable ? t('Show chart') : t('Show table')}
            onClick={() => setAsTable(!asTable)}
          />
        ) : null}
        {table ? (
          <>
            <IconButton
              icon="open-preview"
              name={t('Open results')}
              onClick={() => post({ type: 'openResults', toolCallId: item.id })}
            />
            <IconButton
              icon="desktop-download"
              name={t('Export results')}
              onClick={() => post({ type: 'exportResults', toolCallId: item.id })}
            />
          </>
        ) : null}
      </div>
      {error === undefined ? null : <p class="tool-error">{t('The query failed: {0}', error)}</p>}
      {problem === undefined ? null : <p class="tool-error">{t('The chart cannot be drawn: {0}', problem)}</p>}
      {charted ? (
        <ChartBox toolCallId={item.id} spec={vegaSpec} table={table} title={title} onProblem={setProblem} />
      ) : table ? (
        <Grid table={table} title={title} loaded={loaded} />
      ) : null}
      <CardFoot item={item} payload={payload} working={working} loaded={loaded} />
    </>
  );
};

function countOf({ table, error }: SqlQueryPayload, working: boolean, loaded: LoadedRows | undefined): string {
  if (loaded && table) return loadedCount(loaded, table.totalRows);
  if (working) return t('Running…');
  if (error !== undefined || table === undefined) return '';
  const shown = table.rows.length.toLocaleString();
  if (table.totalRows > table.rows.length) return t('{0} of {1} rows', shown, table.totalRows.toLocaleString());
  return table.rows.length === 1 ? t('1 row') : t('{0} rows', shown);
}

function loadedCount({ rows, state }: LoadedRows, total: number): string {
  const shown = rows.length.toLocaleString();
  if (state === 'done') return t('All {0} rows', shown);
  const count = t('{0} of {1} rows', shown, Math.max(total, rows.length).toLocaleString());
  return state === 'limited' ? t('{0}; export to get all', count) : count;
}

const CardFoot = ({ item, payload, working, loaded }: Omit<BodyProps, 'title'>) => {
  const [open, setOpen] = useState(false);
  if (payload.sqlQuery === '') return <p class="card-foot">{countOf(payload, working, loaded)}</p>;
  const act = (type: 'insertSql' | 'copySql' | 'openSql') => () => post({ type, toolCallId: item.id });
  return (
    <>
      <div class="card-foot">
        <span class="count">{countOf(payload, working, loaded)}</span>
        {payload.table && payload.table.totalRows > payload.table.rows.length && !loaded ? (
          <button type="button" class="action" onClick={() => post({ type: 'loadAll', toolCallId: item.id })}>
            {t('Load all')}
          </button>
        ) : null}
        <button type="button" class="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
          <span class={`codicon codicon-chevron-${open ? 'down' : 'right'}`} aria-hidden="true" />
          SQL
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
      </div>
      {open ? <SqlText sql={payload.sqlQuery} /> : null}
    </>
  );
};
