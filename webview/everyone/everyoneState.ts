/** Holds the state of the page with the answers of several identities, and exchanges its messages with the host. */
import { isToEveryone, type EveryoneState } from '../../src/shared/protocol/everyone.ts';
import type { FromRunPage } from '../../src/shared/protocol/runPage.ts';
import { useBundle } from '../../src/shared/text/l10n.ts';
import { oncePerFrame } from '../app/frame.ts';
import { onHostMessage, postRaw } from '../app/host.ts';

export const postEveryone = (message: FromRunPage): void => postRaw(message);

/** @param draw renders a state; called at most once per frame */
export function start(draw: (state: EveryoneState) => void): void {
  let state: EveryoneState | undefined;
  const redraw = oncePerFrame(() => {
    if (state) draw(state);
  });
  onHostMessage((message) => {
    if (!isToEveryone(message)) return;
    if (message.l10n) useBundle(message.l10n, document.documentElement.lang);
    ({ state } = message);
    redraw();
  });
  postEveryone({ type: 'ready' });
}
