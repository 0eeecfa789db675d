/** The chat view as the user sees and uses it. */
import type { Frame, FrameLocator, Locator } from 'playwright-core';

/** Finds elements of the chat's page: a webview of the editor, or a page of its own. */
type ChatView = Pick<FrameLocator, 'locator' | 'getByRole' | 'getByText' | 'getByLabel' | 'getByTitle'>;

export interface Chat {
  view: ChatView;
  field: Locator;
  log: Locator;
  /** Types a question and sends it with Enter. */
  ask(question: string): Promise<void>;
  /** Waits for an announcement to screen readers since the last call of `ask` or `told`. */
  told(text: string): Promise<void>;
  answers(): Locator;
  button(name: string | RegExp): Locator;
}

export function chatIn(view: ChatView): Chat {
  // Not the field of the page's HTML, which is busy until its code is loaded.
  const field = view.locator(':not([aria-busy]) > .composer').getByRole('textbox', { name: 'Message' });
  const announcements = view.getByRole('status').locator('span');
  const markHeard = (all: Element[]): void => all.forEach((each) => each.setAttribute('data-heard', ''));
  return {
    view,
    field,
    log: view.getByRole('log', { name: 'Conversation' }),
    ask: async (question) => {
      await field.waitFor();
      await announcements.evaluateAll(markHeard);
      await field.fill(question);
      await field.press('Enter');
    },
    told: async (text) => {
      const awaited = announcements.and(view.locator(':not([data-heard])')).filter({ hasText: text });
      await awaited.waitFor();
      await awaited.evaluateAll(markHeard);
    },
    answers: () => view.getByRole('article', { name: 'Assistant' }),
    button: (name) => view.getByRole('button', { name, exact: true }),
  };
}

/** The frame in which the chat's own page runs, for scripts that look into it. */
export async function innerFrame({ view }: Chat): Promise<Frame> {
  const frame = await (await view.locator('#root').elementHandle())?.ownerFrame();
  if (!frame) throw new Error('The chat has no page.');
  return frame;
}

interface AttachedFile {
  name: string;
  type: string;
  /** The content; a number stands for that many zeros. */
  bytes: number[] | number;
}

/** Pastes a file into the message field. */
export async function pasteFile(chat: Chat, file: AttachedFile): Promise<void> {
  await deliver(chat.field, file, 'paste');
}

/** Drops a file on the message field. */
export async function dropFile(chat: Chat, file: AttachedFile, onto = chat.field): Promise<void> {
  await deliver(onto, file, 'drop');
}

function deliver(target: Locator, file: AttachedFile, how: 'paste' | 'drop'): Promise<void> {
  return target.evaluate(
    (element, { name, type, bytes, how }) => {
      const data = new DataTransfer();
      data.items.add(
        new File([typeof bytes === 'number' ? new Uint8Array(bytes) : Uint8Array.from(bytes)], name, { type }),
      );
      const options = { bubbles: true, cancelable: true };
      element.dispatchEvent(
        how === 'paste'
          ? new ClipboardEvent('paste', { ...options, clipboardData: data })
          : new DragEvent('drop', { ...options, dataTransfer: data }),
      );
    },
    { ...file, how },
  );
}
