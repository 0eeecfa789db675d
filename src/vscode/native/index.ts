/** The extension as VS Code's own chat, its language models and its links reach it. */
import * as vscode from 'vscode';
import type { App } from '../app.ts';
import { handleLinks } from '../uriHandler.ts';
import { offerParticipant } from './participant.ts';
import { offerTools } from './tools.ts';

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
