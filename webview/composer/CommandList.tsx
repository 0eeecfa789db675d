/** The slash commands that fit what is typed so far. */
import { t } from '../../src/shared/l10n.ts';
import type { CommandInfo } from './commands.ts';

interface CommandListProps {
  id: string;
  commands: readonly CommandInfo[];
  selected: number;
  onChoose: (command: CommandInfo) => void;
}

export const optionId = (list: string, index: number): string => `${list}-${index}`;

export const CommandList = ({ id, commands, selected, onChoose }: CommandListProps) => (
  <ul class="command-list" id={id} role="listbox" aria-label={t('Commands')}>
    {commands.map((command, index) => (
      <li
        key={command.name}
        id={optionId(id, index)}
        role="option"
        aria-selected={index === selected}
        onMouseDown={(event) => {
          event.preventDefault();
          onChoose(command);
        }}
      >
        <span class="command-name">/{command.name}</span>
        <span class="quiet">{command.description}</span>
      </li>
    ))}
  </ul>
);
