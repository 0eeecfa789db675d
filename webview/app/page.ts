/** Starts a page whose state follows from the messages of the host alone. */
import { oncePerFrame } from './frame.ts';
import { onHostMessage, postRaw } from './host.ts';

/**
 * @param isMessage recognizes the messages for this page; others are ignored
 * @param apply returns the state after a message; `undefined` until the first complete one
 * @param draw renders a state; called at most once per frame
 */
export function startPage<State, Message>(
  isMessage: (message: unknown) => message is Message,
  apply: (state: State | undefined, message: Message) => State | undefined,
  draw: (state: State) => void,
): void {
  let state: State | undefined;
  const redraw = oncePerFrame(() => {
    if (state) draw(state);
  });
  onHostMessage((message) => {
    if (!isMessage(message)) return;
    state = apply(state, message);
    redraw();
  });
  postRaw({ type: 'ready' });
}
