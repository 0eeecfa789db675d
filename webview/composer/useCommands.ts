/** Lists, selects and runs the slash commands that match the draft. */
import { useState } from 'preact/hooks';
import { post } from '../app/host.ts';
import { matching, type CommandInfo } from './commands.ts';

interface Commands {
  /** Commands that match the text; empty if it is not a command or the list was dismissed. */
  fitting: readonly CommandInfo[];
  /** Index of the command that Enter runs; -1 if there is none. */
  selected: number;
  run(command: CommandInfo): void;
  /** Handles a key for the list. @returns whether the key was handled */
  onKey(key: string): boolean;
}

/** @param clear removes the command's text from the draft */
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
