/** Runs the actions that an error offers. */
import { openSettings } from '../host/settings.ts';
import type { ChatSession, Message } from '../../chat/session/chatSession.ts';
import { assertNever, isEmptyDraft, draftMessage, restOf } from '../../shared/protocol/chat.ts';
import type { ErrorAction } from '../../shared/thread/model.ts';
import { addConnection, connectTo, setApiKey, type ConnectionSetupServices } from '../connection/connect.ts';
import { switchBranch, switchIdentity, type SwitchIdentityServices } from '../connection/switchContext.ts';
import { newChatIn, type NewChatServices } from './chatCommands.ts';
import { promptFrom, type ChatView } from '../host/chatView.ts';
import type { Services } from '../services.ts';

export type ErrorActionServices = NewChatServices &
  ConnectionSetupServices &
  SwitchIdentityServices &
  Services<'branches'>;

/** @returns an unsent question that is back in the composer, as the user has edited it; undefined if there is none */
function editedQuestion({ sessions }: Services<'sessions'>, session: ChatSession): Message | undefined {
  const { id, error } = session.thread;
  const draft = sessions.draft(id);
  return error === undefined || session.failedToRead || isEmptyDraft(draft) ? undefined : draftMessage(draft);
}

/** Retries the last request, or sends the edited question instead. */
function retry(services: Services<'sessions'>, session: ChatSession): Promise<unknown> {
  const edited = editedQuestion(services, session);
  if (edited === undefined) return session.retry();
  const { id } = session.thread;
  services.sessions.keepDraft(id, restOf(services.sessions.draft(id)));
  return session.send(edited);
}

/** Asks the question that is back in the composer in a new chat, and shows that. */
async function askInNewChat(services: ErrorActionServices, view: ChatView): Promise<unknown> {
  const question = editedQuestion(services, view.session);
  const { id } = view.session.thread;
  if (question) services.sessions.keepDraft(id, restOf(services.sessions.draft(id)));
  await newChatIn(services, view);
  return question && services.sessions.active.send(question);
}

/** Runs the action of an error; errors are not caught. */
export async function handleErrorAction(
  services: ErrorActionServices,
  view: ChatView,
  action: ErrorAction,
): Promise<unknown> {
  const { session } = view;
  /** Prompts return false or undefined if the user cancels. The focus returns before the answer, which may take long. */
  const retryAfter = async (prompt: () => unknown): Promise<unknown> =>
    (await promptFrom(view, prompt)) ? retry(services, session) : undefined;
  switch (action) {
    case 'retry':
      return retry(services, session);
    case 'resume':
      return session.reattach();
    case 'attach':
      return session.attach();
    case 'stopAndSend':
      return session.stopAndSend(editedQuestion(services, session));
    case 'connect':
      return retryAfter(() => connectTo(services, services.sessions.connectionOf(session)));
    case 'addConnection':
      return retryAfter(() => addConnection(services));
    case 'setApiKey':
      return retryAfter(() => setApiKey(services, services.sessions.connectionOf(session)));
    case 'switchBranch':
      return retryAfter(() => switchBranch(services));
    case 'switchIdentity':
      services.sessions.activate(session);
      return retryAfter(() => switchIdentity(services));
    case 'newChat':
      return newChatIn(services, view, true);
    case 'askInNewChat':
      return askInNewChat(services, view);
    case 'openSettings':
      return openSettings();
    case 'openProxySettings':
      return openSettings('http.proxy');
    case 'showLog':
      return services.log.show();
    default:
      return assertNever(action);
  }
}
