/**
 * Accumulates the lines of one response by the rules of 3.1 to 3.3: a delta appends, a whole line replaces, and an
 * empty text changes nothing. Other responses play no role here; `merge.ts` combines them.
 */
import { MESSAGE_ID, type ItemLine, type ToolCall, type Usage } from '../wire/streamLines.ts';
import type { Item, Transcript, Turn } from './model.ts';

/** Adds lines to a copy of a transcript. */
export class TranscriptWriter {
  #transcript: Transcript;
  readonly #turns: Turn[];
  /**
   * The open turn, its items in order of arrival, and the item of the last line; all three are copies that may be
   * modified.
   */
  #turn: Turn | undefined;
  #items: Item[] = [];
  #item: Item | undefined;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
    this.#turns = copied(transcript.turns);
  }

  /** @returns the transcript with all lines so far; the writer must not be used after it */
  done(): Transcript {
    return { ...this.#transcript, turns: this.#turns };
  }

  /** Handles the `cutoff` line, which ends the thread's history: later lines belong to the running question. */
  mark(): void {
    const { asked, open } = this.#transcript;
    this.#transcript = { ...this.#transcript, marked: true, open: asked?.id ?? open };
  }

  usage(usage: Usage): void {
    const { asked, open } = this.#transcript;
    const of = asked?.id ?? open;
    if (of !== undefined) this.#openTurn(of).usage = usage;
  }

  add(line: ItemLine, time: number): void {
    if (line.role === 'user') return this.#ask(line, time);
    const { asked, open, marked } = this.#transcript;
    // History consists of whole lines; a delta or an unfinished item belongs to the running question.
    const isNew = line.isDelta || (line.isInProcess && marked);
    this.#openTurn((isNew ? asked?.id : open) ?? open ?? asked?.id ?? '');
    const item = this.#itemOf(line, time);
    if (line.kind === 'toolCall') item.toolCall = mergeToolCall(item.toolCall, line.toolCall);
    write(item, 'content', line);
    write(item, 'thinking', line);
    if (line.graphPath.length > 0) item.graphPath = line.graphPath;
    item.inProcess = line.isInProcess && item.toolCall?.result === undefined;
    // Keep `updated` monotonic if the clock goes back.
    item.updated = Math.max(time, item.updated);
  }

  /** Opens the turn of a user line: that of the running question if the line is its echo, which may have another id. */
  #ask({ id, content = '' }: ItemLine, time: number): void {
    const { asked, marked, echo } = this.#transcript;
    const isRenamed = marked && echo === undefined && content === asked?.content && !MESSAGE_ID.test(id);
    if (asked && (id === asked.id || id === echo || isRenamed)) {
      this.#transcript = { ...this.#transcript, echo: id };
      const turn = this.#openTurn(asked.id);
      if (id !== asked.id) turn.question = { id: asked.id, content, time, echo: id };
      return;
    }
    this.#openTurn(id).question = { id, content, time };
  }

  #openTurn(id: string): Turn {
    if (this.#transcript.open !== id) this.#transcript = { ...this.#transcript, open: id };
    if (this.#turn?.id === id) return this.#turn;
    const at = placeIn(this.#turns, id);
    const known = this.#turns[at];
    this.#items = known ? copied(known.items) : [];
    this.#turn = { ...known, id, items: this.#items };
    this.#turns[at] = this.#turn;
    this.#item = undefined;
    return this.#turn;
  }

  /** @returns an item that may be modified */
  #itemOf({ id, graphPath, sort }: ItemLine, time: number): Item {
    if (this.#item?.id === id) return this.#item;
    const at = placeIn(this.#items, id);
    const text = { content: '', thinking: '', graphPath, inProcess: false };
    const place = { sort: sort ?? this.#items.at(-1)?.sort ?? 0, time, updated: time };
    return (this.#items[at] = this.#item = { ...(this.#items[at] ?? { id, ...text, ...place }) });
  }
}

/** Lists of at most this length are searched, which is faster than to keep their indexes. */
const SHORT = 32;
/** The indexes of the entries of a longer list and of its copies, by id; the copies extend the same map. */
const places = new WeakMap<readonly object[], Map<string, number>>();

/** @returns a copy that may be extended, and shares the indexes */
function copied<T extends { id: string }>(list: readonly T[]): T[] {
  const copy = list.slice();
  const known = list.length > SHORT ? places.get(list) : undefined;
  if (known) places.set(copy, known);
  return copy;
}

/**
 * Takes constant time for a list that grows, also by way of copies, once it is long.
 * @returns the index of the entry with the id, or of a new entry at the end
 */
function placeIn(list: readonly { id: string }[], id: string): number {
  if (list.at(-1)?.id === id) return list.length - 1;
  if (list.length <= SHORT) {
    const found = list.findIndex((entry) => entry.id === id);
    return found < 0 ? list.length : found;
  }
  let known = places.get(list);
  const at = known?.get(id);
  // Another copy of an earlier list may have another entry there.
  if (known === undefined || (at !== undefined && list[at]?.id !== id))
    places.set(list, (known = new Map(list.map((entry, index) => [entry.id, index]))));
  const place = known.get(id) ?? list.length;
  known.set(id, place);
  return place;
}

/** Maximum characters of one text; further deltas and continuations are dropped, because V8 limits strings to 2^29. */
export const MAX_TEXT = 2 ** 24;

/** A delta appends to the text; a whole line replaces it and marks it as exact. */
function write(item: Item, field: 'content' | 'thinking', line: ItemLine): void {
  const text = line[field];
  if (!text) return;
  if (line.isDelta) {
    if (item[field].length + text.length <= MAX_TEXT) item[field] += text;
  } else {
    item[field] = text;
    item.exact = { ...item.exact, [field]: true };
  }
}

/** A repeated start line does not remove the result. */
export function mergeToolCall(known: ToolCall | undefined, said: ToolCall): ToolCall {
  if (known === undefined) return said;
  return { name: said.name || known.name, input: said.input ?? known.input, result: said.result ?? known.result };
}
