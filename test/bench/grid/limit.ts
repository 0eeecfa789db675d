/** The physical limit: nothing but the cells in sight, drawn anew for each frame, with no other duty. */
import type { Mounted, Table } from './contenders.ts';
import { CATEGORY } from './data.ts';

const ROW = 22;
const COLUMN = 120;

export function drawVisibleRows(container: HTMLElement, { rows: all }: Table): Mounted {
  let rows = all;
  const scroller = document.createElement('div');
  scroller.className = 'scrolling';
  const content = document.createElement('div');
  content.style.height = `${rows.length * ROW}px`;
  const sheet = document.createElement('div');
  sheet.style.position = 'sticky';
  sheet.style.top = '0';
  content.append(sheet);
  scroller.append(content);
  container.append(scroller);
  const inSight = Math.min(Math.ceil(scroller.clientHeight / ROW) + 1, rows.length);
  const across = Math.ceil(scroller.clientWidth / COLUMN);
  const cells = Array.from({ length: inSight }, (_, row) =>
    Array.from({ length: across }, (_, column) => {
      const cell = document.createElement('div');
      cell.style.cssText = `position:absolute;overflow:hidden;white-space:nowrap;width:${COLUMN}px;height:${ROW}px;top:${row * ROW}px;left:${column * COLUMN}px`;
      const text = document.createTextNode('');
      cell.append(text);
      sheet.append(cell);
      return text;
    }),
  );
  const draw = (): void => {
    const first = Math.floor(scroller.scrollTop / ROW);
    cells.forEach((line, at) => {
      const row = rows[first + at];
      line.forEach((text, column) => (text.data = String(row?.[column] ?? 'NULL')));
    });
  };
  draw();
  scroller.addEventListener('scroll', draw);
  const keys = Float64Array.from(all, (row) => row[1] as number);
  return {
    scroller,
    rowHeight: ROW,
    sort: () => () => {
      const order = Array.from(all.keys()).sort((a, b) => keys[a]! - keys[b]!);
      rows = order.map((row) => all[row]!);
      draw();
    },
    filter: () => () => {
      rows = all.filter((row) => row[2] === CATEGORY);
      content.style.height = `${rows.length * ROW}px`;
      draw();
    },
    dispose: () => scroller.remove(),
  };
}
