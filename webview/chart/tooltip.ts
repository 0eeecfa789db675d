/** The tooltip of a chart: at the pointer, for the mark below it or the nearest point of a line. */
import type { View } from 'vega';
import { readable } from '../../src/shared/chart/names.ts';
import { nearestPoint } from './nearest.ts';

/** Maximum number of values. */
const most = 12;

/** Distance from the pointer, in pixels. */
const gap = 12;

/** A tooltip that shows every value as plain text. */
export class Tooltip {
  readonly #element = popover('chart-tooltip');
  readonly #dot = popover('chart-tooltip-point');
  /** The event for which a mark is shown, which precedes the search for a point. */
  #shown: MouseEvent | undefined;

  constructor(parent: HTMLElement) {
    parent.append(this.#element, this.#dot);
  }

  /** Shows the value of a mark beside the pointer; hides the tooltip if there is none. */
  show(event: MouseEvent | null, item: unknown, value: unknown): void {
    // Vega finds only the whole line.
    if (/^(line|area|trail)$/.test((item as { mark?: { marktype?: string } } | null)?.mark?.marktype ?? '')) return;
    this.#dot.hidePopover();
    this.#shown = event ?? undefined;
    this.#place(event, value);
  }

  /** Shows the nearest point of the lines of a view, unless a mark is shown for the same event. */
  showNearest(event: MouseEvent, view: View, picture: Element): void {
    if (event === this.#shown) return;
    const { left, top } = picture.getBoundingClientRect();
    const point = nearestPoint(view, event.clientX - left, event.clientY - top);
    this.#place(point ? event : null, point?.value);
    if (!point) return this.#dot.hidePopover();
    this.#dot.showPopover();
    this.#dot.style.left = `${left + point.x}px`;
    this.#dot.style.top = `${top + point.y}px`;
  }

  hide(): void {
    this.#element.hidePopover();
    this.#dot.hidePopover();
  }

  remove(): void {
    this.#element.remove();
    this.#dot.remove();
  }

  #place(event: MouseEvent | null, value: unknown): void {
    if (!event || value === null || value === undefined || value === '') return this.#element.hidePopover();
    this.#element.replaceChildren(...linesOf(value));
    this.#element.showPopover();
    const { clientX: x, clientY: y } = event;
    const { width, height } = this.#element.getBoundingClientRect();
    const left = x + gap + width > innerWidth ? x - gap - width : x + gap;
    const top = y + gap + height > innerHeight ? y - gap - height : y + gap;
    this.#element.style.left = `${Math.max(0, left)}px`;
    this.#element.style.top = `${Math.max(0, top)}px`;
  }
}

/** An element in the top layer: elsewhere, a part of the page may be what its position is relative to. */
function popover(className: string): HTMLElement {
  const element = document.createElement('div');
  element.popover = 'manual';
  element.className = className;
  element.setAttribute('aria-hidden', 'true');
  Object.assign(element.style, { inset: 'auto', margin: '0' });
  return element;
}

function linesOf(value: unknown): HTMLElement[] {
  if (typeof value !== 'object' || value === null) return [line('', value)];
  const { title, ...rest } = value as Record<string, unknown>;
  const lines = Object.entries(rest).map(([name, member]) => line(readable(name), member));
  return [...(title === undefined ? [] : [line('', title)]), ...lines.slice(0, most)];
}

function line(name: string, value: unknown): HTMLElement {
  const element = document.createElement('div');
  const label = document.createElement('span');
  label.textContent = name === '' ? '' : `${name}: `;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  element.append(label, text.length > 200 ? `${text.slice(0, 200)}…` : text);
  return element;
}
