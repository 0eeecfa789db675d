/** Choosing the development branch. */
import * as vscode from 'vscode';
import type { ConnectionEntry } from '../../chat/connectionList.ts';
import { t } from '../../shared/l10n.ts';
import type { App, Command } from '../app.ts';
import { gitBranches } from '../git.ts';
import { readSettings } from '../settings.ts';
import { connectionOf } from '../threadConnection.ts';

interface BranchPick extends vscode.QuickPickItem {
  branch?: string;
}

/**
 * @param argument the name of a branch; without one the user picks or types it
 * @returns the branch that is current now, or undefined when nothing was picked
 */
export const switchBranch: Command = async (app, argument) => {
  const named = typeof argument === 'string' ? argument.trim() : '';
  const branch = named || (await pickBranch(app));
  if (branch === undefined || branch === '') return undefined;
  await app.branches.switchTo(branch);
  return branch;
};

function picksOf(current: string, recent: readonly string[], git: readonly string[], except = ''): BranchPick[] {
  const { mainBranch, branches } = readSettings();
  const seen = new Set([except]);
  const group = (label: string, names: readonly string[], icon: string): BranchPick[] => {
    const fresh = names.filter((name) => name !== '' && !seen.has(name));
    for (const name of fresh) seen.add(name);
    if (fresh.length === 0) return [];
    const items = fresh.map((name) => ({
      label: `$(${icon}) ${name}`,
      description: [name === mainBranch ? t('main branch') : '', name === current ? t('current') : '']
        .filter(Boolean)
        .join(' · '),
      branch: name,
    }));
    return [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
  };
  return [
    ...group(t('Settings'), [mainBranch, ...branches], 'git-branch'),
    ...group(t('Recent'), recent, 'history'),
    ...group(t('Git'), git, 'source-control'),
  ];
}

/**
 * @param title of the pick
 * @param placeholder what the branch is for
 * @param except a branch that makes no sense here
 * @returns the branch that the user picks or types
 */
export async function pickBranch(
  app: App,
  title = t('Analytics Chat: Switch Branch'),
  placeholder = t('The branch that the next questions run against; type any name'),
  except?: string,
): Promise<string | undefined> {
  const current = app.branches.label;
  const items = picksOf(current, app.branches.recent, await gitBranches(), except);
  const pick = vscode.window.createQuickPick<BranchPick>();
  pick.title = title;
  pick.placeholder = placeholder;
  pick.items = items;
  pick.activeItems = items.filter(({ branch }) => branch === current);
  return new Promise((resolve) => {
    pick.onDidChangeValue((value) => {
      const typed = value.trim();
      const known = items.some(({ branch }) => branch === typed);
      pick.items =
        typed === '' || known
          ? items
          : [...items, { label: `$(add) ${typed}`, description: t('use this name'), branch: typed }];
    });
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]?.branch);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

/** Choosing whom to ask as, on the connection of the thread that is looked at. */
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
  const chosen = await vscode.window.showQuickPick([...picks, { label: add }], { title, placeHolder });
  if (chosen?.label !== add) return chosen?.label;
  await vscode.commands.executeCommand('workbench.action.openSettings', 'analyticsChat.identities');
  return undefined;
}
