/** The extension as VS Code's own chat, its language models and its links reach it; what they do is loaded when they do. */
import * as vscode from 'vscode';
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
  return participant;
}

function offerTools(app: App): vscode.Disposable {
  const tool = (name: keyof ReturnType<typeof toolsOf>): vscode.Disposable =>
    vscode.lm.registerTool<unknown>(name, {
      prepareInvocation: async (options, token) =>
        (await acts()).toolsOf(app)[name].prepareInvocation?.(options, token),
      invoke: async (options, token) => (await acts()).toolsOf(app)[name].invoke(options, token),
    });
  return vscode.Disposable.from(tool('analyticsChat_ask'), tool('analyticsChat_searchModel'));
}
