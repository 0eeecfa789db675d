/** The *Switch Branch…* command and the branch picker. */
import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import type { Command } from './command.ts';
import type { Branches } from '../connection/branches.ts';
import { gitBranches } from '../connection/git.ts';
import { createQuickPick, picked, setItems, type PickItem } from '../host/quickPick.ts';

interface BranchPick extends PickItem {
  branch?: string;
}

/**
 * @param argument name of a branch; if omitted, the user picks or types one
 * @returns the new current branch, or undefined if the user cancels
 */
export const switchBranch: Command<{ branches: Branches }> = async (services, argument) => {
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
  services: { branches: Branches },
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
    const known = items.some(({ branch }) => branch === typed);
    const own = { icon: 'add', label: typed, description: t('use this name'), branch: typed };
    setItems(pick, typed === '' || known ? items : [...items, own]);
  });
  return (await picked(pick))?.branch;
}
