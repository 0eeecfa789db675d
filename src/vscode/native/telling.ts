/** Tells a turn, as it grows, to a reader who can be given more but from whom nothing can be taken back. */
import { t } from '../../shared/text/l10n.ts';
import type { Item } from '../../shared/thread/model.ts';
import { payloadOf, queriesOf, type ShownTurn } from '../../shared/thread/turns.ts';

export type Part =
  | { kind: 'text'; text: string }
  /** What the agent is doing at the moment. */
  | { kind: 'progress'; text: string };

/** A query that has run. */
export interface ToldQuery {
  toolCallId: string;
  title: string;
  sql: string;
  hasRows: boolean;
}

/**
 * Images would be fetched from wherever the text says; they become the links that they also are. A mark that the text
 * escapes itself stays: one more backslash would undo that.
 */
const withoutImages = (text: string): string => text.replace(/(?<!\\)((?:\\\\)*)!\[/g, '$1\\![');

export class Telling {
  readonly #begun = new Set<string>();
  /** The text of the answer as far as it was told. */
  #said = '';

  /**
   * @param turn as it is now
   * @returns what is new since the last call, in order
   */
  next({ steps, answer }: ShownTurn): Part[] {
    const parts = steps.flatMap((item) => this.#step(item));
    const text = answer && this.#text(answer);
    return text ? [...parts, { kind: 'text', text }] : parts;
  }

  #step(item: Item): Part[] {
    const payload = payloadOf(item);
    if (payload === undefined) return [];
    if (this.#begun.has(item.id)) return [];
    this.#begun.add(item.id);
    if (payload.kind === 'modelSearch')
      return [{ kind: 'progress', text: t('Searching the data model: {0}', payload.searchQuery) }];
    if (payload.kind === 'sqlQuery') return [{ kind: 'progress', text: t('Running SQL: {0}', payload.queryTitle) }];
    return [{ kind: 'progress', text: payload.name }];
  }

  #text({ content, inProcess }: Item): string {
    // A "!" at the end may be the beginning of an image.
    const full = withoutImages(inProcess ? content.replace(/!$/, '') : content.trimEnd());
    if (this.#said.trimEnd().startsWith(full.trimEnd())) return '';
    const text = full.startsWith(this.#said) ? full.slice(this.#said.length) : `\n\n${full}`;
    this.#said = full;
    return text;
  }
}

/** @returns the queries of a turn that have run */
export function queriesIn({ steps }: Pick<ShownTurn, 'steps'>): ToldQuery[] {
  return queriesOf(steps).flatMap(({ toolCallId, payload: { queryTitle: title, sqlQuery: sql, table } }) =>
    table === undefined ? [] : [{ toolCallId, title, sql, hasRows: table.rows.length > 0 }],
  );
}
