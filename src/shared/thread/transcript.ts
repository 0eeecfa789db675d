/**
 * A transcript is what one response has said, by the rules of 3.1 to 3.3 alone: a delta appends, a whole line
 * replaces, empty text keeps what is there. It knows no other response.
 */
import { MESSAGE_ID, type ItemLine, type ToolCall, type Usage } from '../wire/streamLines.ts';
import type { Item, Mutable, Transcript, Turn } from './model.ts';

/** Adds lines to a transcript. The transcript that it begins with stays as it is. */
export class TranscriptWriter {
  #transcript: Transcript;
  readonly #turns: Turn[];
  /** The open turn, its items in the order of their arrival, and the item of the last line; all three are our own. */
  #turn: Turn | undefined;
  #items: Item[] = [];
  #item: Item | undefined;
  readonly #turnPlace: (id: string) => number;
  #itemPlace = placesIn(this.#items);

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
    this.#turns = transcript.turns.slice();
    this.#turnPlace = placesIn(this.#turns);
  }

  /** @returns the transcript with all lines so far; the writer must not be used after it */
  done(): Transcript {
    return { ...this.#transcript, turns: this.#turns };
  }

  /** The marker ends the thread's history: what follows belongs to the running question. */
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
    // History consists of whole lines: what is being generated is of the running question.
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

  /** A user line opens its turn: that of the running question if it is its echo, which may have an id of its own. */
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

  #openTurn(id: string): Mutable<Turn> {
    if (this.#transcript.open !== id) this.#transcript = { ...this.#transcript, open: id };
    if (this.#turn?.id === id) return this.#turn;
    const at = this.#turnPlace(id);
    const known = this.#turns[at];
    this.#items = known ? known.items.slice() : [];
    this.#turn = { ...known, id, items: this.#items };
    this.#turns[at] = this.#turn;
    this.#item = undefined;
    this.#itemPlace = placesIn(this.#items);
    return this.#turn;
  }

  /** @returns an item that may be changed in place */
  #itemOf({ id, graphPath, sort }: ItemLine, time: number): Mutable<Item> {
    if (this.#item?.id === id) return this.#item;
    const at = this.#itemPlace(id);
    const text = { content: '', thinking: '', graphPath, inProcess: false };
    const place = { sort: sort ?? this.#items.at(-1)?.sort ?? 0, time, updated: time };
    return (this.#items[at] = this.#item = { ...(this.#items[at] ?? { id, ...text, ...place }) });
  }
}

/** @returns the index of an id in a list, or of its end; most lines concern the last entry, which needs no map */
function placesIn(list: readonly { id: string }[]): (id: string) => number {
  let places: Map<string, number> | undefined;
  return (id) => {
    if (list.at(-1)?.id === id) return list.length - 1;
    places ??= new Map(list.map((entry, at) => [entry.id, at]));
    const at = places.get(id) ?? list.length;
    places.set(id, at);
    return at;
  };
}

/** Characters of one text, 2^24, beyond which deltas and continuations are dropped: V8 refuses strings of 2^29. */
export const MAX_TEXT = 2 ** 24;

/** A delta appends; a whole line replaces, and is exact from then on. */
function write(item: Mutable<Item>, field: 'content' | 'thinking', line: ItemLine): void {
  const text = line[field];
  if (!text) return;
  if (line.isDelta) {
    if (item[field].length + text.length <= MAX_TEXT) item[field] += text;
  } else {
    item[field] = text;
    item.exact = { ...item.exact, [field]: true };
  }
}

/** A result, once there, is not withdrawn by a repeated start line. */
export function mergeToolCall(known: ToolCall | undefined, said: ToolCall): ToolCall {
  if (known === undefined) return said;
  return { name: said.name || known.name, input: said.input ?? known.input, result: said.result ?? known.result };
}
