/** The physical limit: draws only the visible cells, anew for each frame. */
import { columnMeasure } from '../../../webview/grid/columns/columnMeasure.ts';
import { GridState } from '../../../webview/grid/gridState.ts';
import type { Mounted, Table } from './contenders.ts';
import { CATEGORY, type BenchRow } from './data.ts';

const ROW = 22;
const COLUMN = 120;
/** Width of the row numbers, if there are any. */
const NUMBER = 60;
/** As many as in the menu of our cells. */
const MENU_ITEMS = 9;

const placed = (width: number, left: number): string =>
  `position:absolute;overflow:hidden;white-space:nowrap;width:${width}px;height:${ROW}px;top:0;left:${left}px`;

/** The cells of a limit: width, text and attributes. */
interface Cells {
  widths: readonly number[];
  /** Width of the whole content, if it scrolls sideways. */
  width?: number;
  text(row: BenchRow | undefined, column: number): string;
  /** Whether a value passes the filter; without it, only the same value does. */
  matches?(value: BenchRow[number]): boolean;
  dressRow?(line: HTMLElement): (row: number) => void;
  dressCell?(cell: HTMLElement, column: number): void;
  /** Adds the header above the rows. */
  addHeader?(sheet: HTMLElement, lefts: readonly number[]): void;
  /** Opens a menu, which has the focus. @returns a function that closes it */
  openMenu?(scroller: HTMLElement): () => void;
  /** Says by what the rows are sorted or filtered, and how many there are. */
  mark?(column: number, sort: 'ascending' | 'none', count: number): void;
}

/** Bare cells with the text of the value. */
export const drawVisibleRows = (container: HTMLElement, table: Table): Mounted =>
  draw(container, table, {
    widths: table.columns.map(() => COLUMN),
    text: (row, column) => String(row?.[column] ?? 'NULL'),
  });

/**
 * The same with what a results grid has: values formatted by column type, fitted widths, row numbers that stay when it is
 * scrolled sideways, a header, a menu to filter with regardless of case and space, and the roles and indexes of the ARIA
 * grid pattern. Other columns are not drawn when it is scrolled sideways, because that is not measured.
 */
export function drawWholeCells(container: HTMLElement, table: Table): Mounted {
  const state = new GridState(table, columnMeasure(container), () => undefined);
  const headings: HTMLElement[] = [];
  const summary = document.createElement('div');
  const widths = table.columns.map((_, column) => state.layout.width(column));
  return draw(container, table, {
    widths,
    width: widths.reduce((sum, width) => sum + width, NUMBER),
    text(row, column) {
      const value = row?.[column] ?? null;
      return value === null ? 'NULL' : state.display(column, value);
    },
    matches: (value) => String(value).trim().toLowerCase() === CATEGORY,
    dressRow(line) {
      line.role = 'row';
      const number = line.appendChild(document.createElement('div'));
      number.role = 'rowheader';
      number.ariaColIndex = '1';
      number.style.cssText = `position:sticky;z-index:1;width:${NUMBER}px;height:${ROW}px;left:0;background:white`;
      return (row) => {
        number.textContent = String(row + 1);
        line.ariaRowIndex = String(row + 2);
        line.classList.toggle('is-odd', row % 2 === 1);
      };
    },
    dressCell(cell, column) {
      cell.role = 'gridcell';
      cell.ariaColIndex = String(column + 2);
      cell.ariaSelected = 'false';
      cell.tabIndex = -1;
      cell.dataset.kind = state.columns[column]!.kind;
    },
    addHeader(sheet, lefts) {
      const line = sheet.appendChild(document.createElement('div'));
      line.role = 'row';
      line.ariaRowIndex = '1';
      for (const [column, left] of lefts.entries()) {
        const heading = line.appendChild(document.createElement('div'));
        headings.push(heading);
        heading.role = 'columnheader';
        heading.ariaColIndex = String(column + 2);
        heading.ariaSort = 'none';
        heading.style.cssText = placed(state.layout.width(column), left);
        heading.textContent = state.columns[column]!.name;
      }
    },
    openMenu(scroller) {
      const menu = document.createElement('div');
      menu.role = 'menu';
      menu.popover = 'auto';
      for (let item = 0; item < MENU_ITEMS; item += 1) {
        const button = menu.appendChild(document.createElement('button'));
        button.role = 'menuitem';
        button.textContent = `Item ${item}`;
      }
      scroller.before(menu);
      scroller.tabIndex = 0;
      menu.showPopover();
      menu.querySelector('button')?.focus();
      return () => {
        menu.remove();
        scroller.focus();
      };
    },
    mark(column, sort, count) {
      const heading = headings[column]!;
      heading.ariaSort = sort;
      heading.append(sort === 'none' ? ' ▾' : ' ↑');
      summary.textContent = `${count} of ${table.rows.length} rows`;
      container.append(summary);
    },
  });
}

function draw(container: HTMLElement, { rows: all }: Table, kind: Cells): Mounted {
  let rows = all;
  const scroller = document.createElement('div');
  scroller.className = 'scrolling';
  const content = document.createElement('div');
  content.style.height = `${rows.length * ROW}px`;
  const sheet = document.createElement('div');
  sheet.style.position = 'sticky';
  sheet.style.top = '0';
  if (kind.width !== undefined) content.style.width = `${kind.width}px`;
  content.append(sheet);
  scroller.append(content);
  container.append(scroller);
  const inSight = Math.min(Math.ceil(scroller.clientHeight / ROW) + 1, rows.length);
  const lefts: number[] = [];
  const head = kind.addHeader ? ROW : 0;
  for (let left = kind.addHeader ? NUMBER : 0; left < scroller.clientWidth && lefts.length < kind.widths.length;)
    left += kind.widths[lefts.push(left) - 1]!;
  const lines = Array.from({ length: inSight }, (_, row) => {
    const line = document.createElement('div');
    line.style.cssText = `position:absolute;width:100%;top:${head + row * ROW}px`;
    const dress = kind.dressRow?.(line);
    const cells = lefts.map((left, column) => {
      const cell = document.createElement('div');
      cell.style.cssText = placed(kind.widths[column]!, left);
      kind.dressCell?.(cell, column);
      const text = document.createTextNode('');
      cell.append(text);
      line.append(cell);
      return text;
    });
    sheet.append(line);
    return { cells, dress };
  });
  kind.addHeader?.(sheet, lefts);
  const show = (): void => {
    const first = Math.floor(scroller.scrollTop / ROW);
    lines.forEach(({ cells, dress }, at) => {
      const row = rows[first + at];
      dress?.(first + at);
      cells.forEach((text, column) => (text.data = kind.text(row, column)));
    });
  };
  show();
  scroller.addEventListener('scroll', show);
  const { openMenu, mark, matches = (value: unknown) => value === CATEGORY } = kind;
  return {
    scroller,
    rowHeight: ROW,
    sort: () => () => {
      const keys = Float64Array.from(all, (row) => row[1] as number);
      const order = Array.from(all.keys()).sort((a, b) => keys[a]! - keys[b]!);
      rows = order.map((row) => all[row]!);
      mark?.(1, 'ascending', rows.length);
      show();
    },
    filter() {
      const close = openMenu?.(scroller);
      return () => {
        close?.();
        rows = all.filter((row) => matches(row[2]!));
        content.style.height = `${rows.length * ROW}px`;
        mark?.(2, 'none', rows.length);
        show();
      };
    },
    ...(openMenu ? { menu: () => openMenu(scroller) } : {}),
    dispose() {
      scroller.remove();
    },
  };
}
