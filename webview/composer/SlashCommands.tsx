/** The slash commands of the composer: their names, and the list of those that match the draft. */
import { useState } from 'preact/hooks';
import type { SlashCommand } from '../../src/shared/protocol/chat.ts';
import { t } from '../../src/shared/text/l10n.ts';
import { post } from '../app/host.ts';

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

/** Id of the list, for the field that controls it. */
export const LIST = 'slash-commands';

export const optionId = (index: number): string => `${LIST}-${index}`;

const reveal = (option: HTMLElement | null): void => option?.scrollIntoView({ block: 'nearest' });

export const CommandList = ({ fitting, selected, run }: Commands) => (
  <ul class="command-list" id={LIST} role="listbox" aria-label={t('Commands')}>
    {fitting.map((command, index) => (
      <li
        key={command.name}
        ref={index === selected ? reveal : undefined}
        id={optionId(index)}
        role="option"
        aria-selected={index === selected}
        // The field keeps the focus.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => run(command)}
      >
        <span class="command-name">/{command.name}</span>
        <span class="quiet">{command.description}</span>
      </li>
    ))}
  </ul>
);

interface Commands {
  /** Commands that match the text; empty if it is not a command or the list was dismissed. */
  fitting: readonly CommandInfo[];
  /** Index of the command that Enter runs; -1 if there is none. */
  selected: number;
  run(command: CommandInfo): void;
  /** Handles a key for the list. @returns whether the key was handled */
  onKey(key: string): boolean;
}

/**
 * Lists, selects and runs the slash commands that match the draft.
 * @param clear removes the command's text from the draft
 */
export function useCommands(text: string, clear: () => void): Commands {
  const [dismissed, setDismissed] = useState('');
  const [wanted, setWanted] = useState(0);
  const fitting = text === dismissed ? [] : matching(text);
  const selected = Math.min(wanted, fitting.length - 1);

  const run = ({ name }: CommandInfo): void => {
    clear();
    setWanted(0);
    post({ type: 'command', name });
  };

  const onKey = (key: string): boolean => {
    const chosen = fitting[selected];
    if (!chosen) return false;
    if (key === 'ArrowUp') setWanted((selected + fitting.length - 1) % fitting.length);
    else if (key === 'ArrowDown') setWanted((selected + 1) % fitting.length);
    else if (key === 'Enter' || key === 'Tab') run(chosen);
    else if (key === 'Escape') setDismissed(text);
    else return false;
    return true;
  };

  return { fitting, selected, run, onKey };
}
