/** The slash commands of the composer. */
import { t } from '../../src/shared/text/l10n.ts';
import type { SlashCommand } from '../../src/shared/protocol/chat.ts';

export interface CommandInfo {
  name: SlashCommand;
  description: string;
}

const slashCommands = (): readonly CommandInfo[] => [
  { name: 'new', description: t('Start a new chat') },
  { name: 'branch', description: t('Switch the branch') },
  { name: 'identity', description: t('Switch the identity') },
  { name: 'compare', description: t('Compare the answers on two branches') },
  { name: 'sql', description: t('Select SQL to insert') },
  { name: 'export', description: t('Export this chat') },
  { name: 'help', description: t('Show commands and keyboard shortcuts') },
];

/** @returns the commands that begin with the text; none if it is not the beginning of a command */
export function matching(text: string): readonly CommandInfo[] {
  const typed = /^\/(\w*)$/.exec(text)?.[1]?.toLowerCase();
  return typed === undefined ? [] : slashCommands().filter(({ name }) => name.startsWith(typed));
}
