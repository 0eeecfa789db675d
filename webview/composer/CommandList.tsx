/** The list of slash commands that match the entered text. */
import { t } from '../../src/shared/text/l10n.ts';
import type { CommandInfo } from './commands.ts';

interface CommandListProps {
  id: string;
  fitting: readonly CommandInfo[];
  selected: number;
  run: (command: CommandInfo) => void;
}

export const optionId = (list: string, index: number): string => `${list}-${index}`;

const reveal = (option: HTMLElement | null): void => option?.scrollIntoView({ block: 'nearest' });

export const CommandList = ({ id, fitting, selected, run }: CommandListProps) => (
  <ul class="command-list" id={id} role="listbox" aria-label={t('Commands')}>
    {fitting.map((command, index) => (
      <li
        key={command.name}
        ref={index === selected ? reveal : undefined}
        id={optionId(id, index)}
        role="option"
        aria-selected={index === selected}
        onMouseDown={(event) => {
          event.preventDefault();
          run(command);
        }}
      >
        <span class="command-name">/{command.name}</span>
        <span class="quiet">{command.description}</span>
      </li>
    ))}
  </ul>
);
