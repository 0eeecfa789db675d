/** The handlers that an area registers: each area has some of them, and `start.ts` composes them. */
import type { Intent, SlashCommand } from '../../shared/protocol/chat.ts';
import type { ChatView } from './chatView.ts';

/** Handlers of the commands in the manifest, by id. `argument` is the first argument of `executeCommand`, unchecked. */
export type CommandHandlers = Readonly<Record<string, (argument?: unknown) => unknown>>;

/** A handler for each intent. Errors are not caught; `start.ts` runs handlers through `guarded`. */
export type IntentHandlers = {
  readonly [Type in Intent['type']]: (view: ChatView, intent: Extract<Intent, { type: Type }>) => unknown;
};

/** What each slash command does. */
export type SlashHandlers = Readonly<Record<SlashCommand, (view: ChatView) => unknown>>;

export function handleIntent(handlers: IntentHandlers, view: ChatView, intent: Intent): unknown {
  const handle = handlers[intent.type] as (view: ChatView, intent: Intent) => unknown;
  return handle(view, intent);
}
