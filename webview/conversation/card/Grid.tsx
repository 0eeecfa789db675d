/** The rows of a result. The grid is a lazy chunk, loaded with the first result. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Arrangement } from '../../../src/shared/results/arrange.ts';
import type { ResultTable } from '../../../src/shared/wire/toolPayloads.ts';
import { t } from '../../../src/shared/text/l10n.ts';
import type { GridHandle } from '../../grid/createGrid.ts';
import { usePost } from '../../app/post.ts';
import type { WholeResult } from '../../app/replica.ts';
import { announce } from '../../app/mounted.ts';

interface GridProps {
  table: ResultTable;
  title: string;
  /** Rows loaded beyond those of the table, possibly still growing. */
  loaded: WholeResult | undefined;
  guardFormulas: boolean;
  kept: { current: KeptGrid };
}

/** The grid while it is shown; then, how it showed the rows of which table, for when it takes the place of the chart. */
export interface KeptGrid {
  handle?: GridHandle;
  table?: ResultTable;
  shown?: Arrangement;
}

export const Grid = ({ table, title, loaded, guardFormulas, kept }: GridProps) => {
  const post = usePost();
  const container = useRef<HTMLDivElement>(null);
  const whole = useRef(loaded);
  useLayoutEffect(() => {
    const box = container.current;
    if (!box || table.columns.length === 0) return undefined;
    const { columns, rows } = table;
    let gone = false;
    void import('../../grid/createGrid.ts').then(({ createGrid }) => {
      if (gone) return;
      // Keep the height while the grid measures itself: a log that shrinks loses its scroll position.
      box.style.minHeight = `${box.offsetHeight}px`;
      const grid = createGrid(
        box,
        { name: t('Results: {0}', title), columns, rows, guardFormulas },
        { onCopy: (text) => post({ type: 'copy', text }), onAnnounce: announce },
      );
      if (whole.current && whole.current.rows.length > 0) grid.update({ columns, rows: whole.current.rows });
      if (kept.current.shown && kept.current.table === table) grid.arrange(kept.current.shown);
      kept.current = { handle: grid };
      box.style.minHeight = '';
    });
    return () => {
      gone = true;
      const { handle } = kept.current;
      if (!handle) return;
      kept.current = { table, shown: handle.arrangement };
      handle.dispose();
    };
  }, [table, title, guardFormulas, post]);
  useLayoutEffect(() => {
    whole.current = loaded;
    if (loaded && loaded.rows.length > 0) kept.current.handle?.update({ columns: table.columns, rows: loaded.rows });
  }, [loaded]);
  // A single cell has no summary.
  const summary = table.rows.length * table.columns.length > 1 ? '23px' : '0px';
  if (table.columns.length === 0) return <p class="quiet card-empty">{t('The query returned no columns.')}</p>;
  return (
    <>
      <div
        class="card-rows"
        ref={container}
        style={{ '--rows': table.rows.length, '--grid-summary-height': summary }}
      />
      {table.rows.length === 0 ? <p class="quiet card-empty">{t('The query returned no rows.')}</p> : null}
    </>
  );
};
