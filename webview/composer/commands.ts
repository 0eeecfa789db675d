/** The slash commands of the composer. */
import { t } from '../../src/shared/text/l10n.ts';
import type { SlashCommand } from '../../src/shared/protocol/chat.ts';

export interface CommandInfo {
  name: SlashCommand;
  description: string;
}

const slashCommands = (): readonly CommandInfo[] => [
  { name: 'new', description: t('Begin a new chat') },
  { name: 'branch', description: t('Switch the branch') },
  { name: 'identity', description: t('Ask as somebody else') },
  { name: 'compare', description: t('Ask on two branches, side by side') },
  { name: 'sql', description: t('Pick SQL to insert') },
  { name: 'export', description: t('Export this chat') },
  { name: 'help', description: t('What you can type and press here') },
];

/** @returns the commands that begin with the text; none if it is not the beginning of a command */
export function matching(text: string): readonly CommandInfo[] {
  const typed = /^\/(\w*)$/.exec(text)?.[1]?.toLowerCase();
  return typed === undefined ? [] : slashCommands().filter(({ name }) => name.startsWith(typed));
}
