/** Registers the chat participant, the language model tools and the URI handler. */
import * as vscode from 'vscode';
import { textIn } from '../../shared/text/checks.ts';
import type { App } from '../app.ts';
import { participantFollowUps, participantHandler } from './participant.ts';
import { toolsOf } from './tools.ts';
import { handleLinks } from './uriHandler.ts';

const PARTICIPANT_ID = 'analytics-chat.analytics';

/** Registers what this editor supports; some editors based on VS Code lack the chat or tool APIs. */
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
  const participant = vscode.chat.createChatParticipant(PARTICIPANT_ID, participantHandler(app));
  participant.iconPath = vscode.Uri.joinPath(app.context.extensionUri, 'media', 'icon.png');
  participant.followupProvider = {
    provideFollowups: (result) => participantFollowUps(app, result),
  };
  // Feedback is only logged locally, for bug reports.
  const feedback = participant.onDidReceiveFeedback(({ kind, result }) =>
    app.log.info(
      `An answer in VS Code's chat was marked ${kind === vscode.ChatResultFeedbackKind.Helpful ? 'helpful' : 'unhelpful'}` +
        ` (thread ${textIn(result.metadata, 'threadId') ?? 'unknown'}).`,
    ),
  );
  return vscode.Disposable.from(participant, feedback);
}

function offerTools(app: App): vscode.Disposable {
  const tools = Object.entries(toolsOf(app));
  return vscode.Disposable.from(...tools.map(([name, tool]) => vscode.lm.registerTool(name, tool)));
}
