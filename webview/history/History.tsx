/** The threads of this machine, over the conversation: to look through, search, open, name, pin, export and delete. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../src/shared/text/l10n.ts';
import type { ThreadEntry, ThreadsPart } from '../../src/shared/protocol/threads.ts';
import { IconButton } from '../ui/Button.tsx';
import { Edge } from '../ui/Edge.tsx';
import { post } from '../app/host.ts';
import { isComposing, isMac } from '../ui/keys.ts';
import { announce, attach } from '../app/lazy.ts';
import { foundIn, nextRow, soughtIn, type Sought } from './rows.ts';
import { ThreadRow } from './ThreadRow.tsx';
import './history.css';

/** Rows that are drawn at once, and that are added each time the reader reaches their end. */
const PAGE = 60;

interface HistoryProps {
  /** The thread that the view shows. */
  shown: string;
  /** Changes when the list is to have the keyboard again. */
  asked: number;
  /** A thread is opened for what was found in it, or for nothing in particular. */
  onSeek: (sought: Sought | undefined) => void;
  onClose: () => void;
}

export const History = ({ shown, asked, onSeek, onClose }: HistoryProps) => {
  const [query, setQuery] = useState('');
  const [count, setCount] = useState(PAGE);
  const [list, setList] = useState<ThreadsPart>();
  const [renaming, setRenaming] = useState('');
  /** Deleted since the list was opened, and to be had back; the last one first. */
  const [removed, setRemoved] = useState<readonly ThreadEntry[]>([]);
  const search = useRef<HTMLInputElement>(null);
  const undo = useRef<HTMLButtonElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  /** The row that gets the keyboard once it is drawn; empty for what brings the last one back. */
  const wanted = useRef<string | undefined>(undefined);
  /** Enter was pressed before anything of what is looked for was there. */
  const hurried = useRef(false);
  const entries = list?.entries ?? [];
  const [last] = removed;

  useLayoutEffect(() => {
    search.current?.focus();
    search.current?.select();
  }, [asked]);
  useEffect(() => () => post({ type: 'closeThreads' }), []);
  useEffect(() => post({ type: 'listThreads', query, count }), [query, count]);
  useEffect(
    () =>
      attach('threads', (part) => {
        if (part.query !== query) return;
        setList((before) => ({ ...part, entries: [...(before?.entries.slice(0, part.from) ?? []), ...part.entries] }));
      }),
    [query],
  );
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    const row = wanted.current === '' ? undo.current : rowOf(rows.current, wanted.current);
    if (row) wanted.current = undefined;
    row?.focus();
  });

  const found = list?.query === query && query.trim() !== '' ? foundIn(list, count) : '';
  const hasFound = found !== '';
  // Once a search: a chat that is deleted from what was found has its own words.
  useEffect(() => {
    if (hasFound) announce(found);
  }, [query, hasFound]);

  const open = (entry: ThreadEntry): void => {
    const { id } = entry;
    const text = soughtIn(entry, query);
    onSeek(text === undefined ? undefined : { threadId: id, text });
    post({ type: 'threadAct', act: 'open', threadId: id });
    onClose();
  };
  const openFirst = (): void => {
    const isThere = list?.query === query;
    const [first] = isThere ? entries : [];
    hurried.current = !first && (!isThere || list.busy);
    if (first) open(first);
  };
  useLayoutEffect(() => {
    if (hurried.current) openFirst();
  });
  const remove = (entry: ThreadEntry): void => {
    const at = entries.indexOf(entry);
    wanted.current = (entries[at + 1] ?? entries[at - 1])?.id ?? '';
    post({ type: 'threadAct', act: 'remove', threadId: entry.id });
    setList((before) => before && { ...before, entries: before.entries.filter(({ id }) => id !== entry.id) });
    setRemoved((before) => [entry, ...before]);
    announce(t('“{0}” was deleted.', entry.title || t('New chat')));
  };
  const bringBack = (entry: ThreadEntry): void => {
    wanted.current = entry.id;
    post({ type: 'threadAct', act: 'bringBack', threadId: entry.id });
    setRemoved((before) => before.filter(({ id }) => id !== entry.id));
  };
  const endRename = (entry: ThreadEntry, title: string | undefined): void => {
    setRenaming('');
    wanted.current = entry.id;
    if (title === undefined || title.trim() === '' || title === entry.title) return;
    post({ type: 'renameThread', threadId: entry.id, title });
    setList((before) => before && { ...before, entries: renamed(before.entries, entry.id, title.trim()) });
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event) || renaming !== '') return;
    const { key } = event;
    const id = (event.target as Element).closest<HTMLElement>('[data-thread]')?.dataset.thread;
    const entry = entries.find((one) => one.id === id);
    const next = nextRow(
      entries.map((one) => one.id),
      id,
      key,
    );
    if (key === 'Escape') onClose();
    else if (key === 'Enter' && event.target === search.current) openFirst();
    else if (next !== undefined) {
      if (next === '') search.current?.focus();
      else rowOf(rows.current, next)?.focus();
    } else if (entry && key === 'F2') setRenaming(entry.id);
    else if (entry && (key === 'Delete' || (key === 'Backspace' && event.metaKey))) remove(entry);
    // In the search field the key is for what was typed.
    else if (key === 'z' && (isMac ? event.metaKey : event.ctrlKey) && last && event.target !== search.current)
      bringBack(last);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <section class="history" aria-label={t('History')} onKeyDown={onKeyDown}>
      <div class="history-head">
        <input
          ref={search}
          type="text"
          class="filter"
          aria-label={t('Search chats')}
          placeholder={t('Search titles and contents')}
          value={query}
          onInput={({ currentTarget }) => {
            hurried.current = false;
            setQuery(currentTarget.value);
            setCount(PAGE);
          }}
        />
        <IconButton icon="close" name={t('Close history')} tooltip={t('Close (Escape)')} onClick={onClose} />
      </div>
      {/* Below the rows for the eye, so that they stay where they are; before them for the keyboard. */}
      {last ? (
        <div class="history-undo">
          <span class="history-undo-text">{t('“{0}” was deleted.', last.title || t('New chat'))}</span>
          <button
            ref={undo}
            type="button"
            class="action"
            title={isMac ? t('Undo (⌘Z)') : t('Undo (Ctrl+Z)')}
            onClick={() => bringBack(last)}
          >
            {t('Undo')}
          </button>
        </div>
      ) : null}
      <div class="history-rows" ref={rows} aria-busy={list === undefined || list.busy}>
        {entries.length > 0 ? (
          <ul class="threads" aria-label={t('Chats')}>
            {entries.map((entry, index) => (
              <ThreadRow
                key={entry.id}
                entry={entry}
                index={index}
                total={list?.total ?? 0}
                current={entry.id === shown}
                renaming={entry.id === renaming}
                onOpen={open}
                onRename={() => setRenaming(entry.id)}
                onRenamed={(title) => endRename(entry, title)}
                onRemove={remove}
              />
            ))}
          </ul>
        ) : list === undefined || list.busy ? null : (
          <p class="history-empty">{query.trim() === '' ? t('No chats yet.') : t('Nothing was found.')}</p>
        )}
        {list && entries.length < list.total && entries.length >= count ? (
          <Edge key={count} log={rows} onReach={() => setCount(count + PAGE)} />
        ) : null}
      </div>
    </section>
  );
};

const rowOf = (rows: HTMLElement | null, id: string): HTMLElement | null =>
  rows?.querySelector<HTMLElement>(`[data-thread="${CSS.escape(id)}"] .thread-open`) ?? null;

const renamed = (entries: readonly ThreadEntry[], id: string, title: string): ThreadEntry[] =>
  entries.map((entry) => (entry.id === id ? { ...entry, title, marks: [] } : entry));
