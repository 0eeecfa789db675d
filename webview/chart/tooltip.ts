/** The tooltip of a chart. */
import { readable } from '../../src/shared/chart/names.ts';

/** Maximum number of values. */
const most = 12;

/** Distance from the pointer, in pixels. */
const gap = 12;

/** A tooltip that shows every value as plain text. */
export class Tooltip {
  readonly #element = document.createElement('div');

  constructor(parent: HTMLElement) {
    this.#element.setAttribute('aria-hidden', 'true');
    this.#element.className = 'chart-tooltip';
    this.#element.hidden = true;
    parent.append(this.#element);
  }

  /** Shows a value beside the pointer; hides the tooltip if there is none. */
  show(event: MouseEvent | null, value: unknown): void {
    this.#element.hidden = true;
    if (!event || value === null || value === undefined || value === '') return;
    this.#element.hidden = false;
    this.#element.replaceChildren(...linesOf(value));
    const { clientX: x, clientY: y } = event;
    const { width, height } = this.#element.getBoundingClientRect();
    const left = x + gap + width > innerWidth ? x - gap - width : x + gap;
    const top = y + gap + height > innerHeight ? y - gap - height : y + gap;
    this.#element.style.left = `${Math.max(0, left)}px`;
    this.#element.style.top = `${Math.max(0, top)}px`;
  }

  remove(): void {
    this.#element.remove();
  }
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
