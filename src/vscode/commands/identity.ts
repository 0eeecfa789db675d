/** Choosing whom to ask as, on the connection of the thread that is looked at. */
import * as vscode from 'vscode';
import type { ConnectionEntry } from '../../chat/connection/connectionList.ts';
import { t } from '../../shared/text/l10n.ts';
import type { App, Command } from '../app.ts';
import { connectionOf } from '../connection/threadConnection.ts';
import { showQuickPick } from '../host/quickPick.ts';

/**
 * @param argument the name of an identity; without one the user picks it
 * @returns the identity that is current now, or undefined when nothing was picked
 */
export const switchIdentity: Command = async (app, argument) => {
  const entry = connectionOf(app, app.sessions.active);
  const chosen = typeof argument === 'string' ? argument : await pickIdentity(app, { entry });
  if (chosen === undefined) return undefined;
  if (!app.identities.names(entry).includes(chosen)) throw new Error(t('There is no identity named “{0}”.', chosen));
  await app.identities.switchTo(chosen, entry);
  return chosen;
};

interface IdentityPick {
  title?: string;
  placeHolder?: string;
  /** An identity that makes no sense here. */
  except?: string;
  /** The connection that it is for; the current one when absent. */
  entry?: ConnectionEntry | undefined;
}

/** @returns the name of the identity that the user picks; undefined too when they go to add one */
export async function pickIdentity(app: App, options: IdentityPick = {}): Promise<string | undefined> {
  const {
    title = t('Analytics Chat: Switch Identity'),
    placeHolder = t('Whom the next questions are asked as'),
    except,
    entry = app.connections.current,
  } = options;
  const add = t('Add an identity in the settings…');
  const picks = app.identities
    .names(entry)
    .filter((name) => name !== except)
    .map((label) => ({ label, description: label === app.identities.on(entry) ? t('current') : '' }));
  const chosen = await showQuickPick([...picks, { label: add }], { title, placeHolder });
  if (chosen?.label !== add) return chosen?.label;
  await vscode.commands.executeCommand('workbench.action.openSettings', 'analyticsChat.identities');
  return undefined;
}
