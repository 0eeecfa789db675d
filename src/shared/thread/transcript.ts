/**
 * A transcript is what one response has said, by the rules of 3.1 to 3.3 alone: a delta appends, a whole line
 * replaces, empty text keeps what is there. It knows no other response.
 */
import { MESSAGE_ID, type ItemLine, type ToolCall, type Usage } from '../wire/streamLines.ts';
import type { Item, Mutable, Question, Transcript, Turn } from './model.ts';

/** @param question the running question; undefined when a thread is read */
export const newTranscript = (question: Question | undefined): Transcript => ({
  ...(question ? { asked: { id: question.id, content: question.content } } : {}),
  turns: [],
  marked: false,
});

/** Fewer items are found as fast by looking at each. */
const INDEXED = 32;

/** Adds lines to a transcript. The transcript that it begins with stays as it is. */
export class TranscriptWriter {
  #transcript: Transcript;
  readonly #turns: Turn[];
  /** The open turn, its items in the order of their arrival, and the item of the last line; all three are our own. */
  #turn: Turn | undefined;
  #items: Item[] = [];
  #item: Item | undefined;
  #places: Map<string, number> | undefined;
  #turnPlaces: Map<string, number> | undefined;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
    this.#turns = transcript.turns.slice();
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
    const at = this.#turnPlaceOf(id);
    const known = this.#turns[at];
    this.#items = known ? known.items.slice() : [];
    this.#turn = { ...known, id, items: this.#items };
    this.#turns[at] = this.#turn;
    this.#item = this.#places = undefined;
    return this.#turn;
  }

  #turnPlaceOf(id: string): number {
    const last = this.#turns.length - 1;
    if (last < 0 || this.#turns[last]?.id === id) return Math.max(0, last);
    this.#turnPlaces ??= new Map(this.#turns.map((turn, place) => [turn.id, place]));
    const at = this.#turnPlaces.get(id) ?? last + 1;
    this.#turnPlaces.set(id, at);
    return at;
  }

  /** @returns an item that may be changed in place */
  #itemOf({ id, graphPath, sort }: ItemLine, time: number): Mutable<Item> {
    if (this.#item?.id === id) return this.#item;
    const at = this.#placeOf(id);
    const known = this.#items[at];
    if (known) return (this.#items[at] = this.#item = { ...known });
    const text = { content: '', thinking: '', graphPath, inProcess: false };
    this.#item = { id, ...text, sort: sort ?? this.#items.at(-1)?.sort ?? 0, time, updated: time };
    this.#places?.set(id, this.#items.length);
    this.#items.push(this.#item);
    return this.#item;
  }

  #placeOf(id: string): number {
    if (this.#items.length < INDEXED) return this.#items.findLastIndex((item) => item.id === id);
    this.#places ??= new Map(this.#items.map((item, at) => [item.id, at]));
    return this.#places.get(id) ?? -1;
  }
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
    item.exact =
      field === 'content'
        ? { content: true, thinking: item.exact?.thinking ?? false }
        : { ...item.exact, thinking: true };
  }
}

/** A result, once there, is not withdrawn by a repeated start line. */
export function mergeToolCall(known: ToolCall | undefined, said: ToolCall): ToolCall {
  if (known === undefined) return said;
  return { name: said.name || known.name, input: said.input ?? known.input, result: said.result ?? known.result };
}
