/** Converts a growing turn to append-only output, because VS Code's chat can't change text that it has received. */
import { t } from '../../shared/text/l10n.ts';
import type { Item } from '../../shared/thread/model.ts';
import { payloadOf, queriesOf, type ShownTurn } from '../../shared/thread/turns.ts';

export type Part =
  | { kind: 'text'; text: string }
  /** A step that the agent has started. */
  | { kind: 'progress'; text: string };

/** A query that returned a table. */
export interface StreamedQuery {
  toolCallId: string;
  title: string;
  sql: string;
  hasRows: boolean;
}

/**
 * Converts images to links, so that VS Code doesn't fetch them. An already escaped `!` is skipped, because a second
 * backslash would cancel the first.
 */
const withoutImages = (text: string): string => text.replace(/(?<!\\)((?:\\\\)*)!\[/g, '$1\\![');

export class TurnStream {
  readonly #begun = new Set<string>();
  /** The part of the answer that was already emitted. */
  #emitted = '';

  /**
   * @param turn current state of the turn
   * @returns the parts added since the last call, in order
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
    // Hold back a trailing "!": it may start an image.
    const full = withoutImages(inProcess ? content.replace(/!$/, '') : content.trimEnd());
    if (this.#emitted.trimEnd().startsWith(full.trimEnd())) return '';
    const text = full.startsWith(this.#emitted) ? full.slice(this.#emitted.length) : `\n\n${full}`;
    this.#emitted = full;
    return text;
  }
}

/** @returns the queries of a turn that returned a table */
export function queriesIn({ steps }: Pick<ShownTurn, 'steps'>): StreamedQuery[] {
  return queriesOf(steps).flatMap(({ toolCallId, payload: { queryTitle: title, sqlQuery: sql, table } }) =>
    table === undefined ? [] : [{ toolCallId, title, sql, hasRows: table.rows.length > 0 }],
  );
}
