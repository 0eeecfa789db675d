/** The *Switch Branch…* and *Switch Identity…* commands, and the pickers of branches and identities. */
import * as vscode from 'vscode';
import { openSettings } from '../host/settings.ts';
import type { ConnectionEntry } from '../../chat/connection/connectionList.ts';
import { serviceTokenText } from '../../chat/connection/identity.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Branches } from './branches.ts';
import { gitBranches } from '../host/git.ts';
import type { Command } from '../host/command.ts';
import { createQuickPick, picked, setItems, showQuickPick, type PickItem } from '../host/quickPick.ts';
import type { Services } from '../services.ts';

interface BranchPick extends PickItem {
  branch?: string;
}

/**
 * @param argument name of a branch; if omitted, the user picks or types one
 * @returns the new current branch, or undefined if the user cancels
 */
export const switchBranch: Command<Services<'branches'>> = async (services, argument) => {
  const named = typeof argument === 'string' ? argument.trim() : '';
  const branch = named || (await pickBranch(services));
  if (branch === undefined || branch === '') return undefined;
  await services.branches.switchTo(branch);
  return branch;
};

function picksOf(
  { label: current, main, offered, recent }: Branches,
  git: readonly string[],
  except = '',
): BranchPick[] {
  const seen = new Set([except]);
  const group = (label: string, names: readonly string[], icon: string): BranchPick[] => {
    const fresh = [...new Set(names)].filter((name) => name !== '' && !seen.has(name));
    for (const name of fresh) seen.add(name);
    if (fresh.length === 0) return [];
    const items = fresh.map((name) => ({
      icon,
      label: name,
      description: [name === main ? t('main branch') : '', name === current ? t('current') : '']
        .filter(Boolean)
        .join(' · '),
      branch: name,
    }));
    return [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
  };
  return [
    ...group(t('Settings'), [main, ...offered], 'git-branch'),
    ...group(t('Recent'), recent, 'history'),
    ...group(t('Git'), git, 'source-control'),
  ];
}

/**
 * @param title title of the quick pick
 * @param placeholder tells the user what the branch is used for
 * @param except a branch to leave out of the list
 * @returns the branch that the user picks or types, or undefined if the user cancels
 */
export async function pickBranch(
  services: Services<'branches'>,
  title = t('Analytics Chat: Switch Branch'),
  placeholder = t('Select a branch for the next questions, or type a name'),
  except?: string,
): Promise<string | undefined> {
  const current = services.branches.label;
  const items = picksOf(services.branches, await gitBranches(), except);
  const pick = createQuickPick<BranchPick>(title, placeholder);
  setItems(pick, items, ({ branch }) => branch === current);
  pick.onDidChangeValue((value) => {
    const typed = value.trim();
    const known = items.find(({ branch }) => branch === typed);
    const own = { icon: 'add', label: typed, description: t('use this name'), branch: typed };
    // VS Code lists the typed name first, so that Enter would choose it instead of a branch that was found by a part.
    const found = (how: 'startsWith' | 'includes') => items.find(({ branch }) => branch?.[how](typed));
    const first = known ?? found('startsWith') ?? found('includes') ?? own;
    setItems(pick, typed === '' || known ? items : [...items, own], ({ branch }) => branch === first.branch);
  });
  return (await picked(pick))?.branch;
}

/** @returns two branches; the user picks those that the argument lacks. Undefined if the user cancels. */
export async function pickBranches(
  services: Services<'branches'>,
  title: string,
  given: { left?: string; right?: string } = {},
): Promise<{ left: string; right: string } | undefined> {
  const left =
    given.left ?? (await pickBranch(services, title, t('Select the first branch to compare, or type a name')));
  if (left === undefined) return undefined;
  const prompt = t('Select the branch to compare “{0}” with, or type a name', left);
  const right = given.right ?? (await pickBranch(services, title, prompt, left));
  return right === undefined ? undefined : { left, right };
}

/**
 * Sets the identity for the connection of the active thread.
 * @param argument name of an identity; if omitted, the user picks one
 * @returns the new current identity, or undefined if the user cancels
 * @throws Error if there is no such identity
 */
export const switchIdentity: Command<SwitchIdentityServices & Services<'sessions'>> = (services, argument) =>
  switchIdentityOn(services, services.sessions.connectionOf(services.sessions.active), argument);

export type SwitchIdentityServices = Services<'identities' | 'connections'>;

/** Like `switchIdentity`, for another connection. */
export async function switchIdentityOn(
  services: SwitchIdentityServices,
  entry: ConnectionEntry | undefined,
  argument: unknown,
): Promise<string | undefined> {
  const chosen = typeof argument === 'string' ? argument : await pickIdentity(services, { entry });
  if (chosen === undefined) return undefined;
  if (!services.identities.names(entry).includes(chosen))
    throw new Error(t('There is no identity named “{0}”.', chosen));
  await services.identities.switchTo(chosen, entry);
  return chosen;
}

/** @returns the session settings that change how the agent answers, where they are set */
function detailOf(settings: Record<string, unknown> | undefined): string | undefined {
  const { timezone, allowChatWorkspaceAuthoring: authoring } = settings ?? {};
  const parts = [
    ...(typeof timezone === 'string' ? [t('Time zone: {0}', timezone)] : []),
    ...(typeof authoring === 'boolean' ? [authoring ? t('Authoring allowed') : t('Authoring not allowed')] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(' · ');
}

interface IdentityPick {
  title?: string;
  placeHolder?: string;
  /** An identity to leave out of the list. */
  except?: string;
  /** The connection whose identities are listed; defaults to the current one. */
  entry?: ConnectionEntry;
}

/**
 * @returns the picked identity; undefined if the user cancels or opens the settings to add one
 * @throws Error if the connection has a service token
 */
export async function pickIdentity(
  services: Services<'identities' | 'connections'>,
  {
    title = t('Analytics Chat: Switch Identity'),
    placeHolder = t('Select an identity for the next questions'),
    except,
    entry = services.connections.current,
  }: IdentityPick,
): Promise<string | undefined> {
  if (entry?.authentication === 'serviceToken') throw new Error(serviceTokenText());
  const add = t('Add an identity in the settings…');
  const all = services.identities.all(entry);
  const picks = services.identities
    .names(entry)
    .filter((name) => name !== except)
    .map((label) => ({
      label,
      description: label === services.identities.on(entry) ? t('current') : '',
      detail: detailOf(all.get(label)),
    }));
  const chosen = await showQuickPick([...picks, { label: add }], { title, placeHolder });
  if (chosen?.label !== add) return chosen?.label;
  await openSettings('analyticsChat.identities');
  return undefined;
}
