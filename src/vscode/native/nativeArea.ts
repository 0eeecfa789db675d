/** What other parts of VS Code and other extensions use: the chat participant, the language model tools, links, the API. */
import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import { askWithInformation } from '../host/notify.ts';
import { showThread } from '../threads/threadActions.ts';
import { consentText, readLink, whereText, type WhereServices } from './consent.ts';
import { participantFollowUps, participantHandler, type ParticipantServices } from './participant.ts';
import { publicApi } from './api.ts';
import type { NativeHandlers, ToolName } from './offerNatively.ts';
import type { ThreadSummary } from './publicApi.ts';
import type { RunToolsServices } from './runTools.ts';
import { toolsOf, type ToolsServices } from './tools.ts';
import type { Services } from '../services.ts';

type NativeServices = ParticipantServices & ToolsServices & RunToolsServices & UriHandlerServices & Services<'context'>;

type Tools = Record<ToolName, vscode.LanguageModelTool<unknown>>;

/** @param changed emitter of `onDidChangeThread` in the public API */
export const registerNative = (services: NativeServices, changed: vscode.EventEmitter<ThreadSummary>) =>
  Object.assign(handleLinks(services), { api: publicApi(services, changed), handlers: nativeHandlers(services) });

export const nativeHandlers = (services: ParticipantServices & ToolsServices & RunToolsServices): NativeHandlers => ({
  answer: participantHandler(services),
  followUps: (result) => participantFollowUps(services, result),
  tool: toolLoader(services),
  noteMissing: (failure) => services.log.error('This editor lacks the API of a part of the extension.', failure),
});

/** The code of runs is loaded when one of their tools is first called. */
function toolLoader(services: ToolsServices & RunToolsServices): NativeHandlers['tool'] {
  const asking: Partial<Tools> = toolsOf(services);
  let running: Promise<Partial<Tools>> | undefined;
  return async (name) => {
    const found = asking[name];
    if (found) return found;
    running ??= import('./runTools.ts').then(({ runTools }) => runTools(services));
    return (await running)[name]!;
  };
}

type AskAfterConsentServices = WhereServices & Services<'sessions' | 'views'>;

type UriHandlerServices = AskAfterConsentServices & Services<'log' | 'repository' | 'guarded'>;

/** Asks a question after the user confirms it, because any web page can contain such a link. */
async function askAfterConsent(services: AskAfterConsentServices, text: string): Promise<void> {
  const ask = t('Ask');
  const detail = consentText(whereText(services), text);
  const choice = await askWithInformation(t('A link wants to ask your analytics agent:'), detail, ask);
  if (choice !== ask) return;
  const session = services.sessions.create();
  await services.views.focus(session);
  await session.send({ text, images: [] });
}

/** Handles `vscode://` links to the extension: `/thread?id=…` and `/ask?text=…`. */
export function handleLinks(services: UriHandlerServices): vscode.Disposable {
  return vscode.window.registerUriHandler({
    handleUri: ({ path, query }) =>
      void services.guarded(async () => {
        await services.repository.restore();
        const request = readLink(path, query);
        if (request === undefined)
          return services.log.warn(`A link was ignored: ${JSON.stringify(path.slice(0, 100))}`);
        if (request.kind === 'ask') return askAfterConsent(services, request.text);
        return showThread(services, request.threadId);
      }),
  });
}
