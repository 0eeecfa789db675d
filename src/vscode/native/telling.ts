/** Tells a turn, as it grows, to a reader who can be given more but from whom nothing can be taken back. */
import { t } from '../../shared/l10n.ts';
import type { Item } from '../../shared/thread.ts';
import { payloadOf, type Turn } from '../../shared/turns.ts';

export type Part =
  | { kind: 'text'; text: string }
  /** What the agent is doing at the moment. */
  | { kind: 'progress'; text: string }
  /** A query that has run. */
  | { kind: 'sql'; toolCallId: string; title: string; sql: string; hasRows: boolean };

/** Images would be fetched from wherever the text says; they become the links that they also are. */
const withoutImages = (text: string): string => text.replaceAll('![', '\\![');

export class Telling {
  readonly #begun = new Set<string>();
  readonly #done = new Set<string>();
  /** The text of the answer as far as it was told. */
  #said = '';
  /** Whether something else was told in the middle of it. */
  #interrupted = false;

  /**
   * @param turn as it is now
   * @returns what is new since the last call, in order
   */
  next({ steps, answer }: Turn): Part[] {
    const parts = steps.flatMap((item) => this.#step(item));
    if (parts.some(({ kind }) => kind === 'sql')) this.#interrupted = this.#said !== '';
    const text = answer && this.#text(answer);
    return text ? [...parts, { kind: 'text', text }] : parts;
  }

  #step(item: Item): Part[] {
    const payload = payloadOf(item);
    if (payload === undefined) return [];
    const parts: Part[] = [];
    if (!this.#begun.has(item.id)) {
      this.#begun.add(item.id);
      if (payload.kind === 'modelSearch')
        parts.push({ kind: 'progress', text: t('Searching the data model: {0}', payload.searchQuery) });
      else if (payload.kind === 'sqlQuery')
        parts.push({ kind: 'progress', text: t('Running SQL: {0}', payload.queryTitle) });
      else parts.push({ kind: 'progress', text: payload.name });
    }
    if (payload.kind !== 'sqlQuery' || payload.table === undefined || this.#done.has(item.id)) return parts;
    this.#done.add(item.id);
    const { queryTitle: title, sqlQuery: sql, table } = payload;
    if (sql !== '') parts.push({ kind: 'sql', toolCallId: item.id, title, sql, hasRows: table.rows.length > 0 });
    return parts;
  }

  #text({ content, inProcess }: Item): string {
    // A "!" at the end may be the beginning of an image.
    const full = withoutImages(inProcess ? content.replace(/!$/, '') : content.trimEnd());
    if (this.#said.trimEnd().startsWith(full.trimEnd())) return '';
    const goesOn = full.startsWith(this.#said) && !this.#interrupted;
    const more = full.startsWith(this.#said) ? full.slice(this.#said.length) : full;
    const text = this.#said === '' || goesOn ? more : `\n\n${more}`;
    this.#said = full;
    this.#interrupted = false;
    return text;
  }
}
