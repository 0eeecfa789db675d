/** Registers the chat participant, the language model tools and the URI handler. */
import * as vscode from 'vscode';
import { textIn } from '../../shared/text/checks.ts';
import { participantFollowUps, participantHandler, type ParticipantServices } from './participant.ts';
import { toolsOf, type ToolsServices } from './tools.ts';
import { handleLinks, type UriHandlerServices } from './uriHandler.ts';

interface ParticipantOfferServices extends ParticipantServices {
  context: vscode.ExtensionContext;
}

interface NativeServices extends UriHandlerServices, ParticipantOfferServices, ToolsServices {}

const PARTICIPANT_ID = 'analytics-chat.analytics';

/** Registers what this editor supports; some editors based on VS Code lack the chat or tool APIs. */
export function offerNatively(services: NativeServices): vscode.Disposable {
  const offers = [handleLinks, offerParticipant, offerTools].flatMap((offer) => {
    try {
      return [offer(services)];
    } catch (failure) {
      services.log.error('This editor lacks the API of a part of the extension.', failure);
      return [];
    }
  });
  return vscode.Disposable.from(...offers);
}

function offerParticipant(services: ParticipantOfferServices): vscode.Disposable {
  const participant = vscode.chat.createChatParticipant(PARTICIPANT_ID, participantHandler(services));
  participant.iconPath = vscode.Uri.joinPath(services.context.extensionUri, 'media', 'icon.png');
  participant.followupProvider = {
    provideFollowups: (result) => participantFollowUps(services, result),
  };
  // Feedback is only logged locally, for bug reports.
  const feedback = participant.onDidReceiveFeedback(({ kind, result }) =>
    services.log.info(
      `An answer in VS Code's chat was marked ${kind === vscode.ChatResultFeedbackKind.Helpful ? 'helpful' : 'unhelpful'}` +
        ` (thread ${textIn(result.metadata, 'threadId') ?? 'unknown'}).`,
    ),
  );
  return vscode.Disposable.from(participant, feedback);
}

function offerTools(services: ToolsServices): vscode.Disposable {
  const tools = Object.entries(toolsOf(services));
  return vscode.Disposable.from(...tools.map(([name, tool]) => vscode.lm.registerTool(name, tool)));
}
