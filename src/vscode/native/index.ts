/** The extension as VS Code's own chat, its language models and its links reach it; what they do is loaded when they do. */
import * as vscode from 'vscode';
import { textIn } from '../../shared/text/checks.ts';
import type { App } from '../app.ts';
import type { toolsOf } from './tools.ts';
import { handleLinks } from './uriHandler.ts';

const PARTICIPANT_ID = 'analytics-chat.analytics';
const acts = () => import('../actsPart.ts');

/** Offers whatever this editor has a place for; some that are built on VS Code have no chat. */
export function offerNatively(app: App): vscode.Disposable {
  const offers = [handleLinks, offerParticipant, offerTools].flatMap((offer) => {
    try {
      return [offer(app)];
    } catch (failure) {
      app.log.error('This editor does not take a part of the extension.', failure);
      return [];
    }
  });
  return vscode.Disposable.from(...offers);
}

function offerParticipant(app: App): vscode.Disposable {
  const participant = vscode.chat.createChatParticipant(PARTICIPANT_ID, async (request, context, stream, token) =>
    (await acts()).participantHandler(app)(request, context, stream, token),
  );
  participant.iconPath = vscode.Uri.joinPath(app.context.extensionUri, 'media', 'icon.png');
  participant.followupProvider = {
    provideFollowups: async (result) => (await acts()).participantFollowUps(app, result),
  };
  // Feedback stays on this machine: a line in the log, for a user who reports a problem.
  const feedback = participant.onDidReceiveFeedback(({ kind, result }) =>
    app.log.info(
      `An answer in VS Code's chat was marked ${kind === vscode.ChatResultFeedbackKind.Helpful ? 'helpful' : 'unhelpful'}` +
        ` (thread ${textIn(result.metadata, 'threadId') ?? 'unknown'}).`,
    ),
  );
  return vscode.Disposable.from(participant, feedback);
}

function offerTools(app: App): vscode.Disposable {
  const tool = (name: keyof ReturnType<typeof toolsOf>): vscode.Disposable =>
    vscode.lm.registerTool<unknown>(name, {
      prepareInvocation: async (options, token) =>
        (await acts()).toolsOf(app)[name].prepareInvocation?.(options, token),
      invoke: async (options, token) => (await acts()).toolsOf(app)[name].invoke(options, token),
    });
  return vscode.Disposable.from(tool('ask_analytics_agent'), tool('search_data_model'));
}
