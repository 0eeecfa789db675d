/** A small panel above the page (the browser's top layer): Escape or a click elsewhere closes it. */

/** Where a panel opens: below an element, or at a point of the window. */
export type Anchor = HTMLElement | { x: number; y: number };

/** Distance kept from the edges of the window. */
const MARGIN = 4;

/**
 * Shows a panel; it is removed when it closes.
 * @param host the element that the panel belongs to
 * @param returnFocus is called where the panel has the focus as it closes
 * @returns closes the panel
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
