/**
 * Popups, and menus as in the ARIA menu pattern, operated with arrow keys, Home, End, first letters, Enter and Escape.
 */
import { element, icon } from '../ui/dom.ts';
import './menu.css';

/** Where a popup opens: below an element, or at a point of the window. */
export type Anchor = HTMLElement | { x: number; y: number };

/** Minimum distance from the edges of the window, in pixels. */
const MARGIN = 4;

/**
 * Shows a panel as a popup and removes it when it closes.
 * @param host element to append the panel to
 * @param returnFocus called if the panel has the focus when it closes
 * @returns a function that closes the popup
 */
export function openPopup(host: HTMLElement, panel: HTMLElement, anchor: Anchor, returnFocus: () => void): () => void {
  panel.popover = 'auto';
  panel.classList.add('popup');
  host.append(panel);
  panel.showPopover();
  const { left, top } = position(panel.getBoundingClientRect(), anchor);
  panel.style.left = `${left}px`;
  panel.style.top = `${top}px`;
  const opener = anchor instanceof HTMLElement ? anchor : undefined;
  if (opener) opener.ariaExpanded = 'true';
  const hasFocus = (): boolean => panel.contains(document.activeElement);
  const remove = (): void => {
    panel.remove();
    if (opener) opener.ariaExpanded = null;
  };
  // The browser closes it on Escape or a click outside; the key closes nothing else.
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') event.stopPropagation();
  });
  panel.addEventListener('beforetoggle', () => {
    if (hasFocus()) returnFocus();
  });
  panel.addEventListener('toggle', ({ newState }) => {
    if (newState === 'closed') remove();
  });
  return () => {
    const hadFocus = hasFocus();
    // Removed first: focusing forces a layout, which would still contain the panel.
    remove();
    if (hadFocus) returnFocus();
  };
}

function position(panel: DOMRect, anchor: Anchor): { left: number; top: number } {
  const box = anchor instanceof HTMLElement ? anchor.getBoundingClientRect() : new DOMRect(anchor.x, anchor.y, 0, 0);
  const right = window.innerWidth - panel.width - MARGIN;
  const below = box.bottom + panel.height + MARGIN <= window.innerHeight;
  const top = below ? box.bottom : Math.max(MARGIN, box.top - panel.height);
  return { left: Math.max(MARGIN, Math.min(box.left, right)), top };
}

export interface MenuItem {
  label: string;
  /** Equivalent keyboard shortcut, for display only. */
  keys?: string;
  /** Initial state of a toggle item, which keeps the menu open; omitted for other items. */
  checked?: boolean;
  /** Whether a separator precedes the item. */
  group?: boolean;
  run: () => void;
}

/**
 * Opens a menu and focuses its first item.
 * @param host element to append the menu to
 * @param label accessible name
 * @param returnFocus called if the menu has the focus when it closes, before the item's action
 */
export function openMenu(
  host: HTMLElement,
  anchor: Anchor,
  label: string,
  items: readonly MenuItem[],
  returnFocus: () => void,
): void {
  // The browser has just closed its menu by the press that began this click.
  if (anchor instanceof HTMLElement && anchor.ariaExpanded === 'true') return;
  const menu = element('div', 'menu');
  menu.role = 'menu';
  menu.ariaLabel = label;
  const buttons: HTMLElement[] = [];
  for (const item of items) {
    if (item.group && buttons.length > 0) {
      const line = element('div', 'menu-line');
      line.role = 'separator';
      menu.append(line);
    }
    const button = menuButton(item);
    button.addEventListener('click', () => activate(item, button));
    buttons.push(button);
    menu.append(button);
  }
  const close = openPopup(host, menu, anchor, returnFocus);
  const activate = (item: MenuItem, button: HTMLElement): void => {
    // Closes first: moving the focus after the action would force a layout of what it has changed.
    if (item.checked === undefined) close();
    else button.ariaChecked = String(button.ariaChecked !== 'true');
    item.run();
  };
  menu.addEventListener('keydown', (event) => {
    const target = event.key === 'Tab' ? undefined : nextItem(buttons, event.key);
    if (event.key === 'Tab') close();
    else if (event.key === 'Enter' || event.key === ' ') (document.activeElement as HTMLElement).click();
    else if (!target) return;
    event.preventDefault();
    event.stopPropagation();
    target?.focus();
  });
  menu.addEventListener('pointermove', ({ target }) => {
    (target as HTMLElement).closest<HTMLElement>('.menu-item')?.focus({ preventScroll: true });
  });
  // As menus of VS Code do: what the menu belongs to moves away from it.
  const onWheel = ({ target }: WheelEvent): void => {
    if (menu.contains(target as Node)) return;
    window.removeEventListener('wheel', onWheel);
    if (menu.isConnected) close();
  };
  window.addEventListener('wheel', onWheel, { passive: true });
  buttons[0]?.focus();
}

/** Opens the menu of a button, which gets the focus back. */
export function openButtonMenu(button: HTMLElement, label: string, items: readonly MenuItem[]): void {
  // In the landmark, so that the menu is not outside of all landmarks.
  const host = button.closest('main') ?? document.body;
  openMenu(host, button, label, items, () => button.focus());
}

function menuButton({ label, keys, checked }: MenuItem): HTMLElement {
  const button = element('div', 'menu-item');
  button.role = checked === undefined ? 'menuitem' : 'menuitemcheckbox';
  button.tabIndex = -1;
  if (checked !== undefined) button.ariaChecked = String(checked);
  button.append(icon('check'), element('span', 'menu-label', label));
  if (keys !== undefined) {
    const hint = element('span', 'menu-keys', keys);
    hint.ariaHidden = 'true';
    button.append(hint);
  }
  return button;
}

function nextItem(buttons: readonly HTMLElement[], key: string): HTMLElement | undefined {
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  const from = (index: number): HTMLElement | undefined => buttons[(index + buttons.length) % buttons.length];
  if (key === 'ArrowDown') return from(at + 1);
  if (key === 'ArrowUp') return from(at < 0 ? -1 : at - 1);
  if (key === 'Home') return from(0);
  if (key === 'End') return from(-1);
  if (key.length !== 1 || key === ' ') return undefined;
  const rotated = [...buttons.slice(at + 1), ...buttons.slice(0, at + 1)];
  return rotated.find(({ textContent }) => textContent.toLowerCase().startsWith(key.toLowerCase()));
}
