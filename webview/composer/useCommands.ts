/** The slash commands of the composer, suggested while the draft is the beginning of one. */
import { useState } from 'preact/hooks';
import type { SlashCommand } from '../../src/shared/protocol/chat.ts';
import { t } from '../../src/shared/text/l10n.ts';
import { post } from '../app/host.ts';
import type { SuggestionSource } from './Suggestions.tsx';

interface CommandInfo {
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
function matching(text: string): readonly CommandInfo[] {
  const typed = /^\/(\w*)$/.exec(text)?.[1]?.toLowerCase();
  return typed === undefined ? [] : slashCommands().filter(({ name }) => name.startsWith(typed));
}

/** @param clear removes the command's text from the draft */
export function useCommands(text: string, clear: () => void): SuggestionSource {
  const [dismissed, setDismissed] = useState('');
  const commands = text === dismissed ? [] : matching(text);
  return {
    name: t('Commands'),
    query: text,
    items: commands.map(({ name, description }) => ({
      label: `/${name}`,
      description,
      run: () => {
        clear();
        post({ type: 'command', name });
      },
    })),
    dismiss: () => setDismissed(text),
  };
}
