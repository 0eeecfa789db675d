/** A row of the history list, which shows one thread. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../src/shared/text/l10n.ts';
import type { Mark, ThreadAct, ThreadEntry } from '../../src/shared/protocol/threads.ts';
import { ActionButtons, openActions, type Action } from '../ui/actions.tsx';
import { post } from '../app/host.ts';
import { isComposing } from '../ui/dom.ts';
import { briefTime } from '../ui/times.ts';
import { pieces } from './rows.ts';

interface ThreadRowProps {
  entry: ThreadEntry;
  index: number;
  /** Number of threads in the list, rendered or not. */
  total: number;
  /** Whether the view shows this thread. */
  current: boolean;
  renaming: boolean;
  onOpen: (entry: ThreadEntry) => void;
  /** Pins or unpins the thread. */
  onPin: (entry: ThreadEntry) => void;
  onRename: () => void;
  /**
   * @param title `undefined` if the rename was canceled
   * @param byKey whether a key ended it; otherwise the focus has moved elsewhere
   */
  onRenamed: (title: string | undefined, byKey: boolean) => void;
  onRemove: (entry: ThreadEntry) => void;
}

export const ThreadRow = (props: ThreadRowProps) => {
  const { entry, index, total, current, renaming, onOpen, onPin, onRename, onRenamed, onRemove } = props;
  const { id, title, time, where, pinned, running, unread, marks, snippet } = entry;
  const name = title || t('New chat');
  const about = [briefTime(time), where].filter(Boolean).join(' · ');
  const act = (which: ThreadAct) => (): void => post({ type: 'threadAct', act: which, threadId: id });
  const actions: Action[] = [
    ...(running ? [{ icon: 'debug-stop', label: t('Stop'), run: act('stop') }] : []),
    { icon: 'link-external', label: t('Open in editor'), run: act('openInTab') },
    { icon: pinned ? 'pinned' : 'pin', label: pinned ? t('Unpin') : t('Pin'), run: () => onPin(entry) },
    { icon: 'edit', label: t('Rename'), tooltip: t('Rename (F2)'), run: onRename },
    { icon: 'export', label: t('Export'), run: act('export') },
    { icon: 'trash', label: t('Delete'), tooltip: t('Delete (Delete)'), run: () => onRemove(entry) },
  ];
  return (
    <li
      class={current ? 'thread is-current' : 'thread'}
      data-thread={id}
      aria-setsize={total}
      aria-posinset={index + 1}
      onContextMenu={(event) => openActions(event, name, actions)}
    >
      {renaming ? <NameField title={title} onDone={onRenamed} /> : null}
      <button
        type="button"
        class="thread-open"
        aria-current={current ? 'true' : undefined}
        onClick={() => onOpen(entry)}
      >
        <span class="thread-title">
          {running ? <State class="codicon codicon-loading codicon-modifier-spin" name={t('running')} /> : null}
          {unread ? <State class="unread" name={t('unread')} /> : null}
          {pinned ? <State class="codicon codicon-pinned" name={t('pinned')} /> : null}
          <span class="thread-name">
            <Marked text={name} marks={marks} />
          </span>
        </span>
        {snippet ? (
          <span class="thread-snippet">
            <Marked text={snippet.text} marks={snippet.marks} />
          </span>
        ) : null}
        <span class="thread-about">{about}</span>
      </button>
      <span class="thread-actions">
        <ActionButtons actions={actions} />
      </span>
    </li>
  );
};

/** An icon that is part of the row's accessible name. */
const State = ({ class: looks, name }: { class: string; name: string }) => (
  <span class={looks} role="img" aria-label={name} />
);

const NameField = ({ title, onDone }: { title: string; onDone: ThreadRowProps['onRenamed'] }) => {
  const field = useRef<HTMLInputElement>(null);
  const done = useRef(false);
  // Move the focus before the next paint, because the focused button is removed or hidden.
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const end = (name: string | undefined, byKey: boolean): void => {
    if (done.current) return;
    done.current = true;
    onDone(name, byKey);
  };
  return (
    <input
      ref={field}
      type="text"
      class="filter thread-field"
      aria-label={t('Name of the chat')}
      defaultValue={title}
      onBlur={({ currentTarget }) => end(currentTarget.value, false)}
      onKeyDown={(event) => {
        if (isComposing(event)) return;
        // Tab would lose the focus with the field.
        if (event.key === 'Enter' || event.key === 'Tab') end(event.currentTarget.value, true);
        else if (event.key === 'Escape') end(undefined, true);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
};

const Marked = ({ text, marks }: { text: string; marks: readonly Mark[] }) => (
  <>{pieces(text, marks).map((piece) => (piece.marked ? <mark>{piece.text}</mark> : piece.text))}</>
);
