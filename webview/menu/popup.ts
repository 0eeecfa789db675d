/** A popup in the browser's top layer, closed by Escape or a click outside. */

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
  panel.addEventListener('beforetoggle', () => {
    if (panel.contains(document.activeElement)) returnFocus();
  });
  panel.addEventListener('toggle', ({ newState }) => {
    if (newState === 'closed') panel.remove();
  });
  return () => panel.hidePopover();
}

function position(panel: DOMRect, anchor: Anchor): { left: number; top: number } {
  const box = anchor instanceof HTMLElement ? anchor.getBoundingClientRect() : new DOMRect(anchor.x, anchor.y, 0, 0);
  const right = window.innerWidth - panel.width - MARGIN;
  const below = box.bottom + panel.height + MARGIN <= window.innerHeight;
  const top = below ? box.bottom : Math.max(MARGIN, box.top - panel.height);
  return { left: Math.max(MARGIN, Math.min(box.left, right)), top };
}
