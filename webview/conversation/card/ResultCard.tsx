/** Card of a SQL query: its title, its chart or rows, its SQL and its actions. */
import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Arrangement } from '../../../src/shared/results/arrange.ts';
import { inTimeZone } from '../../../src/shared/results/timeZone.ts';
import type { SqlQueryPayload, ToolPayload } from '../../../src/shared/wire/toolPayloads.ts';
import type { ViewContext } from '../../../src/shared/protocol/chat.ts';
import { t } from '../../../src/shared/text/l10n.ts';
import type { Item } from '../../../src/shared/thread/model.ts';
import { payloadOf } from '../../../src/shared/thread/turns.ts';
import type { ChartHandle } from '../../chart/chart.ts';
import { queryTitle } from '../../find/parts.ts';
import { usePost } from '../../app/post.ts';
import type { WholeResult } from '../../app/replica.ts';
import { RowNotice } from '../../ui/RowNotice.tsx';
import { later } from '../../ui/wrappers.tsx';
import { CardFoot } from './CardFoot.tsx';
import { CardHead, openSaveMenu } from './CardHead.tsx';
import { ChartBox, chartTable, hasOwnData, NO_ROWS, prepareCharts } from '../../ui/ChartBox.tsx';
import { Grid, type KeptGrid } from './Grid.tsx';
import './card.css';

/** Specifications with which charts are drawn instead of their own, by tool call id: those with common scales. */
export const DrawnSpecs = createContext<ReadonlyMap<string, string>>(new Map());

const Studio = later(async () => (await import('../../studio/Studio.tsx')).Studio);

const inZoneOf = (payload: ToolPayload, zone: string | undefined): ToolPayload =>
  payload.kind === 'sqlQuery' && payload.table ? { ...payload, table: inTimeZone(payload.table, zone) } : payload;

interface ResultCardProps {
  item: Item;
  /** Identity of the question. */
  identity: string | undefined;
  running: boolean;
  viewContext: ViewContext;
  loaded: WholeResult | undefined;
}

export const ResultCard = ({ item, identity = '', running, viewContext, loaded }: ResultCardProps) => {
  const known = payloadOf(item);
  const zone = viewContext.timeZones[identity];
  const payload = useMemo(() => known && inZoneOf(known, zone), [known, zone]);
  if (payload?.kind !== 'sqlQuery') return null;
  const title = queryTitle(item) || t('Query');
  return (
    <div
      class="card"
      role="group"
      aria-label={t('SQL query: {0}', title)}
      data-vscode-context={JSON.stringify({ webviewSection: 'query', toolCallId: item.id })}
    >
      <CardBody
        item={item}
        payload={payload}
        title={title}
        working={item.inProcess && running}
        viewContext={viewContext}
        loaded={loaded}
      />
    </div>
  );
};

interface BodyProps {
  item: Item;
  payload: SqlQueryPayload;
  title: string;
  working: boolean;
  viewContext: ViewContext;
  loaded: WholeResult | undefined;
}

/** The reason why a chart cannot be drawn, and its specification. */
interface Problem {
  spec: string;
  reason: string;
}

const CardBody = ({ item, payload, title, working, viewContext, loaded }: BodyProps) => {
  const post = usePost();
  const drawnSpecs = useContext(DrawnSpecs);
  const { error } = payload;
  const changed = viewContext.chartSpecs.find(([id]) => id === item.id)?.[1];
  const spec = changed ?? payload.vegaSpec;
  const whole = loaded?.state === 'done' ? loaded.rows : undefined;
  const ownData = payload.table === undefined && spec !== undefined && hasOwnData(spec);
  const table = useMemo(
    () => (payload.table ? chartTable(payload.table, whole) : ownData ? NO_ROWS : undefined),
    [payload.table, whole, ownData],
  );
  const [asTable, setAsTable] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [changing, setChanging] = useState(false);
  const [height, setHeight] = useState<number>();
  const body = useRef<HTMLDivElement>(null);
  const grid = useRef<KeptGrid>({});
  const [chart, setChart] = useState<ChartHandle>();
  const reason = problem !== undefined && problem.spec === spec ? problem.reason : undefined;
  const drawable = table !== undefined && spec !== undefined && (ownData || table.rows.length > 0);
  const charted = drawable && reason === undefined && !asTable;
  const charting = !drawable ? 'none' : reason !== undefined ? 'failed' : charted ? 'shown' : 'hidden';
  useEffect(() => {
    if (working) prepareCharts();
  }, [working]);
  /** Limits the rows to the height of the chart, and reserves it for the next chart, to avoid layout shifts. */
  const show = (what: 'chart' | 'table'): void => {
    if (what === 'table') setHeight(body.current?.offsetHeight);
    setAsTable(what === 'table');
  };
  const shown = (): Arrangement | undefined => {
    const { handle } = grid.current;
    return handle && { ...handle.arrangement, isWhole: (loaded?.rows.length ?? 0) > 0 };
  };
  const closeStudio = (): void => {
    // Focus the button that opened the studio: in a narrow card, that of the menu.
    const openers = body.current?.parentElement?.querySelectorAll<HTMLElement>(
      '.card-tools :is([aria-expanded], .card-more)',
    );
    [...(openers ?? [])].find((opener) => opener.checkVisibility())?.focus();
    setChanging(false);
  };
  return (
    <>
      <CardHead
        item={item}
        payload={payload}
        title={title}
        working={working}
        charting={charting}
        changing={changing}
        shown={shown}
        onShow={show}
        onSave={chart && ((button) => openSaveMenu(button, item.id, chart, post))}
        onChange={() => setChanging(!changing)}
      />
      {error === undefined ? null : <p class="tool-error">{t('The query failed: {0}', error)}</p>}
      {reason === undefined ? null : <p class="tool-error">{t('Can’t draw the chart: {0}', reason)}</p>}
      {changing && drawable && (charted || reason !== undefined) ? (
        <Studio toolCallId={item.id} spec={spec} table={table} changed={changed !== undefined} onClose={closeStudio} />
      ) : null}
      <RowNotice text={loaded?.notice} />
      <div class={height === undefined ? 'card-body' : 'card-body is-sized'} ref={body} style={heightStyle(height)}>
        {charted ? (
          <ChartBox
            spec={drawnSpecs.get(item.id) ?? spec}
            table={table}
            title={title}
            onDrawn={setChart}
            onProblem={(why) => setProblem({ spec, reason: why })}
          />
        ) : payload.table ? (
          <Grid
            table={payload.table}
            title={title}
            loaded={loaded}
            guardFormulas={viewContext.guardFormulas}
            kept={grid}
          />
        ) : null}
      </div>
      <CardFoot
        item={item}
        payload={payload}
        working={working}
        ownData={ownData}
        certified={viewContext.certified.find(([id]) => id === item.id)?.[1]}
        loaded={loaded}
      />
    </>
  );
};

/** Height of the grid's borders and of its summary, in pixels. */
const AROUND_GRID = 25;
/** Minimum height of the grid, in pixels. */
const LEAST_GRID = 160;

function heightStyle(height: number | undefined): Record<string, string> {
  if (height === undefined) return {};
  return {
    '--card-body-height': `${height}px`,
    '--results-grid-max-height': `${Math.max(height - AROUND_GRID, LEAST_GRID)}px`,
  };
}
