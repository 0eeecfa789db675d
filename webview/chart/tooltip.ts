import { readable } from '../../src/shared/chart/names.ts';
import type { ChartTheme } from './theme.ts';

const most = 12;
const gap = 12;

/** A text-only tooltip: contents from the chart are never parsed as HTML. */
export class Tooltip {
  readonly #element = document.createElement('div');

  constructor(parent: HTMLElement) {
    this.#element.setAttribute('aria-hidden', 'true');
    this.#element.className = 'chart-tooltip';
    this.#element.hidden = true;
    parent.append(this.#element);
  }

  /** Sets styles one by one, because the content security policy forbids style attributes. */
  setTheme(theme: ChartTheme): void {
    Object.assign(this.#element.style, {
      position: 'fixed',
      zIndex: '1000',
      pointerEvents: 'none',
      maxWidth: 'min(320px, 80vw)',
      padding: '4px 8px',
      borderRadius: '4px',
      border: `1px solid ${theme.tooltipBorder}`,
      background: theme.tooltipBackground,
      color: theme.tooltipForeground,
      font: `${theme.fontSize - 1}px ${theme.fontFamily}`,
      lineHeight: '1.5',
      overflowWrap: 'anywhere',
    });
  }

  /** Shows a value beside the pointer, or hides the tooltip. */
  show(event: MouseEvent | null, value: unknown): void {
    if (!event || value === null || value === undefined || value === '') {
      this.#element.hidden = true;
      return;
    }
    this.#element.replaceChildren(...linesOf(value));
    this.#element.hidden = false;
    this.#moveTo(event.clientX, event.clientY);
  }

  remove(): void {
    this.#element.remove();
  }

  #moveTo(x: number, y: number): void {
    const { width, height } = this.#element.getBoundingClientRect();
    const left = x + gap + width > innerWidth ? x - gap - width : x + gap;
    const top = y + gap + height > innerHeight ? y - gap - height : y + gap;
    this.#element.style.left = `${Math.max(0, left)}px`;
    this.#element.style.top = `${Math.max(0, top)}px`;
  }
}

function linesOf(value: unknown): HTMLElement[] {
  if (typeof value !== 'object' || value === null) return [line('', shown(value))];
  const { title, ...rest } = value as Record<string, unknown>;
  const lines = Object.entries(rest).map(([name, member]) => line(readable(name), shown(member)));
  const head = title === undefined ? [] : [line('', shown(title))];
  return [...head, ...lines.slice(0, most)];
}

function shown(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function line(name: string, value: string): HTMLElement {
  const element = document.createElement('div');
  if (name !== '') {
    const label = document.createElement('span');
    label.style.opacity = '0.75';
    label.textContent = `${name}: `;
    element.append(label);
  }
  element.append(value);
  return element;
}
