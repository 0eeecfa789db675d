/** The list of suggestions above the message field, such as of commands: the field keeps the focus and selects by keys. */
import { useState } from 'preact/hooks';

export interface Suggestion {
  label: string;
  description: string;
  run: () => void;
}

export interface SuggestionSource {
  /** Accessible name of the list. */
  name: string;
  /** What was typed; another query selects the first suggestion again. */
  query: string;
  items: readonly Suggestion[];
  /** Closes the list. */
  dismiss: () => void;
}

/** Id of the list, for the field that controls it. */
export const LIST = 'suggestions';

export const optionId = (index: number): string => `${LIST}-${index}`;

const reveal = (option: HTMLElement | null): void => option?.scrollIntoView({ block: 'nearest' });

export const SuggestionList = ({ name, items, selected, choose }: Suggestions) => (
  <ul class="suggestions" id={LIST} role="listbox" aria-label={name}>
    {items.map((item, index) => (
      <li
        key={`${item.label} ${item.description}`}
        ref={index === selected ? reveal : undefined}
        id={optionId(index)}
        role="option"
        aria-selected={index === selected}
        // The field keeps the focus.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => choose(item)}
      >
        <span class="suggestion-label">{item.label}</span>
        <span class="quiet">{item.description}</span>
      </li>
    ))}
  </ul>
);

interface Suggestions extends SuggestionSource {
  /** Index of the suggestion that Enter runs; -1 if there is none. */
  selected: number;
  choose(item: Suggestion): void;
  /** Handles a key for the list. @returns whether the key was handled */
  onKey(key: string): boolean;
}

export function useSuggestions(source: SuggestionSource): Suggestions {
  const { query, items, dismiss } = source;
  const [wanted, setWanted] = useState({ query, index: 0 });
  const selected = Math.min(wanted.query === query ? wanted.index : 0, items.length - 1);
  const select = (index: number): void => setWanted({ query, index: (index + items.length) % items.length });

  const choose = (item: Suggestion): void => {
    setWanted({ query: '', index: 0 });
    item.run();
  };

  const onKey = (key: string): boolean => {
    const chosen = items[selected];
    if (!chosen) return false;
    if (key === 'ArrowUp') select(selected - 1);
    else if (key === 'ArrowDown') select(selected + 1);
    else if (key === 'Enter' || key === 'Tab') choose(chosen);
    else if (key === 'Escape') dismiss();
    else return false;
    return true;
  };

  return { ...source, selected, choose, onKey };
}
