/** Searches the titles of threads, then their messages, generated SQL and results. */
import { cellText } from '../../shared/results/cells.ts';
import type { Item } from '../../shared/thread/model.ts';
import { payloadOf } from '../../shared/thread/turns.ts';
import type { StoredMeta } from './storedThread.ts';
import { decodeThread } from './threadFile.ts';
import type { Mark } from '../../shared/protocol/threads.ts';

/** A match, with the text around it. */
export interface SearchHit {
  meta: StoredMeta;
  where: 'title' | 'content';
  snippet: string;
  /** Ranges of the words in the snippet, in order. */
  ranges: readonly Mark[];
}

const BEFORE = 40;
const SNIPPET = 160;

/**
 * Lowercases text without changing its length, and replaces the final sigma. The Turkish `İ`, the only letter that
 * would become longer, counts as `i`.
 */
const folded = (text: string): string => text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ');

/**
 * @param threads the threads to search; hits have their order
 * @param read reads the file of a thread
 * @param query words that must all occur in the same title or text, in any order and case
 * @returns hits as they are found, at most one per thread; ends early if `signal` aborts
 */
export async function* search(
  threads: readonly StoredMeta[],
  read: (threadId: string) => Promise<Uint8Array>,
  query: string,
  signal?: AbortSignal,
): AsyncGenerator<SearchHit> {
  const words = [...new Set(folded(query).split(/\s/u))].filter((word) => word !== '');
  if (words.length === 0) return;
  const rest: StoredMeta[] = [];
  for (const meta of threads) {
    if (find(meta.title, words) !== undefined)
      yield { meta, where: 'title', snippet: meta.title, ranges: rangesIn(meta.title, words) };
    else rest.push(meta);
  }
  for (const meta of rest) {
    if (signal?.aborted) return;
    // A thread that can't be read has no hits; opening it reports the error. It may also have been deleted meanwhile.
    const hit = await read(meta.id).then(
      (file) => searchFile(meta, file, words),
      () => undefined,
    );
    if (hit) yield hit;
  }
}

function searchFile(meta: StoredMeta, file: Uint8Array, words: readonly string[]): SearchHit | undefined {
  if (!mayContain(file, words)) return undefined;
  const { stored } = decodeThread(meta.id, file);
  for (const { question, items } of stored?.thread.turns ?? [])
    for (const text of [question?.content ?? '', ...items.flatMap(textsOf)]) {
      const at = find(text, words);
      if (at !== undefined) return { meta, where: 'content', ...snippetOf(text, at, words) };
    }
  return undefined;
}

function textsOf(item: Item): string[] {
  const payload = payloadOf(item);
  if (payload?.kind !== 'sqlQuery') return [item.content];
  const rows = (payload.table?.rows ?? []).map((row) => row.map(cellText).join(' · '));
  return [item.content, payload.queryTitle, payload.sqlQuery, rows.join('\n')];
}

/** Rules out most files by a search of their raw text, without parsing them. */
function mayContain(file: Uint8Array, words: readonly string[]): boolean {
  const written = new TextDecoder().decode(file);
  // Escapes can represent any character, so the file must be parsed.
  if (written.includes('\\u') || written.includes('\\/')) return true;
  const text = folded(written);
  // Characters that JSON escapes cannot be found in the raw text.
  return words.every((word) => text.includes(word) || /["\\\p{Cc}\p{Cs}]/u.test(word));
}

/** @returns the smallest offset of the words; `undefined` unless all of them occur */
function find(text: string, words: readonly string[]): number | undefined {
  const lower = folded(text);
  const places = words.map((word) => lower.indexOf(word));
  return places.includes(-1) ? undefined : Math.min(...places);
}

function snippetOf(text: string, at: number, words: readonly string[]): Pick<SearchHit, 'snippet' | 'ranges'> {
  const start = at <= BEFORE ? 0 : at - BEFORE;
  const cut = text.slice(start, start + SNIPPET).replace(/\p{Cs}/gu, '');
  const line = cut.replace(/\s/gu, ' ');
  const snippet = `${start > 0 ? '…' : ''}${line}${start + SNIPPET < text.length ? '…' : ''}`;
  return { snippet, ranges: rangesIn(snippet, words) };
}

/** @returns the ranges of the words, of which the longest wins where two begin */
function rangesIn(text: string, words: readonly string[]): Mark[] {
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  const any = longestFirst.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
  return [...folded(text).matchAll(new RegExp(any, 'g'))].map(({ index, 0: { length } }) => [index, index + length]);
}
