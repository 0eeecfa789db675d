/** The rows of a result. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ResultTable } from '../../src/shared/payloads.ts';
import { t } from '../../src/shared/l10n.ts';
import { createGrid, type GridHandle } from '../grid/index.ts';
import { post } from '../host.ts';
import { announce, type LoadedRows } from '../store.ts';

interface GridProps {
  table: ResultTable;
  title: string;
  /** More rows than the table has, still growing perhaps. */
  loaded: LoadedRows | undefined;
  guardFormulas: boolean;
}

export const Grid = ({ table, title, loaded, guardFormulas }: GridProps) => {
  const container = useRef<HTMLDivElement>(null);
  const grid = useRef<GridHandle | undefined>(undefined);
  useLayoutEffect(() => {
    if (!container.current || table.columns.length === 0) return undefined;
    const { columns, rows } = table;
    const created = createGrid(
      container.current,
      { name: t('Results: {0}', title), columns, rows, copy: { headers: false, guardFormulas } },
      { onCopy: (_format, text) => post({ type: 'copy', text }), onAnnounce: announce },
    );
    grid.current = created;
    return () => created.dispose();
  }, [table, title, guardFormulas]);
  useLayoutEffect(() => {
    if (loaded && loaded.rows.length > 0) grid.current?.update({ columns: table.columns, rows: loaded.rows });
  }, [loaded]);
  if (table.columns.length === 0) return <p class="quiet card-empty">{t('The query has no columns to show.')}</p>;
  return (
    <>
      <div class="card-rows" ref={container} />
      {table.rows.length === 0 ? <p class="quiet card-empty">{t('The query gave no rows.')}</p> : null}
    </>
  );
};
