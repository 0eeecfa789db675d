/** The slash commands while the text may become one: listed, chosen by the keyboard, carried out. */
import { useState } from 'preact/hooks';
import { post } from '../app/host.ts';
import { matching, type CommandInfo } from './commands.ts';

interface Commands {
  /** Empty while the text is no command. */
  fitting: readonly CommandInfo[];
  /** The one among them that Enter runs; -1 while there is none. */
  selected: number;
  run(command: CommandInfo): void;
  /** Takes a key; true when it was one of the list's. */
  onKey(key: string): boolean;
}

/** @param clear takes the text away, which the command was */
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
