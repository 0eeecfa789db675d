/** The list of stored threads, shown over the conversation: search, open, rename, pin, export and delete. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../src/shared/text/l10n.ts';
import type { ThreadEntry, ThreadsPart } from '../../src/shared/protocol/threads.ts';
import { IconButton } from '../ui/Button.tsx';
import { Edge } from '../ui/Edge.tsx';
import { post } from '../app/host.ts';
import { announce, attach } from '../app/mounted.ts';
import { isComposing, isMac } from '../ui/dom.ts';
import { foundIn, inHeldOrder, nextRow, soughtIn, type Sought } from './rows.ts';
import { ThreadRow } from './ThreadRow.tsx';
import './history.css';

/** Number of rows rendered at first, and added whenever the reader reaches their end. */
const PAGE = 60;

interface HistoryProps {
  /** Id of the thread that the view shows. */
  shown: string;
  /** Changes when the search field must be focused again. */
  asked: number;
  /** Called when a thread is opened, with the search match to reveal, if any. */
  onSeek: (sought: Sought | undefined) => void;
  onClose: () => void;
}

export const HistoryList = ({ shown, asked, onSeek, onClose }: HistoryProps) => {
  const [query, setQuery] = useState('');
  const [count, setCount] = useState(PAGE);
  const [list, setList] = useState<ThreadsPart>();
  const [renaming, setRenaming] = useState('');
  /** Threads deleted since the list was opened, the latest first; they can be restored. */
  const [removed, setRemoved] = useState<readonly ThreadEntry[]>([]);
  const search = useRef<HTMLInputElement>(null);
  const undo = useRef<HTMLButtonElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  /** Id of the row to focus once it is rendered; empty for the Undo button. */
  const wanted = useRef<string | undefined>(undefined);
  /** Id of the thread that is being opened; until it is shown, the list keeps clicks from the previous one. */
  const [opening, setOpening] = useState('');
  /** Whether Enter was pressed before the search had any result: the first one is then opened. */
  const hurried = useRef(false);
  /** Ids of the rows that stay where they are after one was pinned, until the pointer leaves them. */
  const [held, setHeld] = useState<readonly string[]>();
  const entries = inHeldOrder(list?.entries ?? [], held);
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
  // Announce once per search: a deletion among the results has its own announcement.
  useEffect(() => {
    if (hasFound) announce(found);
  }, [query, hasFound]);

  const open = (entry: ThreadEntry): void => {
    const { id } = entry;
    const text = soughtIn(entry, query);
    onSeek(text === undefined ? undefined : { threadId: id, text });
    post({ type: 'threadAct', act: 'open', threadId: id });
    if (id === shown) onClose();
    else setOpening(id);
  };
  useLayoutEffect(() => {
    if (opening === shown) onClose();
  }, [opening, shown]);
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
  const pin = ({ id, pinned }: ThreadEntry): void => {
    if (rows.current?.matches(':hover')) setHeld(entries.map((entry) => entry.id));
    post({ type: 'threadAct', act: pinned ? 'unpin' : 'pin', threadId: id });
  };
  const endRename = (entry: ThreadEntry, title: string | undefined, byKey: boolean): void => {
    setRenaming('');
    if (byKey) wanted.current = entry.id;
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
    // In the search field, the shortcut undoes typing instead.
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
            setHeld(undefined);
            setCount(PAGE);
          }}
        />
        <IconButton icon="close" name={t('Close history')} tooltip={t('Close (Escape)')} onClick={onClose} />
      </div>
      {/* Displayed below the rows, so that they don't move, but before them in the tab order. */}
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
      <div
        class="history-rows"
        ref={rows}
        onPointerLeave={() => setHeld(undefined)}
        aria-busy={list === undefined || list.busy}
      >
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
                onPin={pin}
                onRename={() => setRenaming(entry.id)}
                onRenamed={(title, byKey) => endRename(entry, title, byKey)}
                onRemove={remove}
              />
            ))}
          </ul>
        ) : list === undefined || list.busy ? null : (
          <p class="history-empty">{query.trim() === '' ? t('No chats yet.') : t('No chats found.')}</p>
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
