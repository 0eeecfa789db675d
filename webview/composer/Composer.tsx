/** Where questions are written. Writing goes on while an answer comes; what is sent meanwhile waits in a queue. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Draft, Surroundings } from '../../src/shared/protocol/chat.ts';
import { t } from '../../src/shared/text/l10n.ts';
import type { Thread } from '../../src/shared/thread/model.ts';
import { isRunning } from '../../src/shared/thread/turns.ts';
import { IconButton } from '../ui/Button.tsx';
import { post } from '../app/host.ts';
import { isComposing, isMac } from '../ui/keys.ts';
import { announce, attachComposer, attachFocus } from '../app/lazy.ts';
import { CommandList, optionId } from './CommandList.tsx';
import { Queue } from './Queue.tsx';
import { Thumbnails } from './Thumbnails.tsx';
import { Where } from './Where.tsx';
import { useCommands } from './useCommands.ts';
import { useDraft } from './useDraft.ts';
import { useRecall } from './useRecall.ts';
import './composer.css';

const LIST = 'slash-commands';

interface ComposerProps {
  thread: Thread;
  around: Surroundings;
  draft: Draft;
}

export const Composer = ({ thread, around, draft: initial }: ComposerProps) => {
  const field = useRef<HTMLTextAreaElement>(null);
  /** Where the @ stands that asked for a file. */
  const mention = useRef<number | undefined>(undefined);
  /** Where the caret goes once the field shows what was put into it. */
  const caret = useRef<number | undefined>(undefined);
  const { draft, change, prepend, clear, clearIf, take } = useDraft(thread.id, initial);
  const running = isRunning(thread);
  const { text, images } = draft;
  const canSend = text.trim() !== '' || images.length > 0;

  useEffect(
    () =>
      attachComposer({
        onCompose: (more) => {
          const place = prepend(more, mention.current);
          if (more.text !== '') caret.current = place;
          mention.current = undefined;
          field.current?.focus();
        },
        onSent: clearIf,
        onDraft: take,
      }),
    [prepend, clearIf, take],
  );
  useEffect(() => attachFocus('composer', () => field.current?.focus()), []);
  useLayoutEffect(() => {
    if (caret.current !== undefined) field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  });

  const [refused, setRefused] = useState('');
  const recall = useRecall(thread, text, change);
  const commands = useCommands(text, () => change({ text: '', images }));

  const send = (): void => {
    if (!canSend) return;
    post({ type: 'send', text: text.trim(), images });
    clear();
    setRefused('');
    field.current?.focus();
  };

  const takeFiles = async (files: Iterable<File>): Promise<void> => {
    // What is dropped is gone when its event has passed.
    const list = [...files];
    const taken = await (await import('./draftImages.ts')).readImages(list);
    if (taken.images.length > 0) prepend({ text: '', images: taken.images });
    const words = taken.refused ? t('Not attached: images may be PNG, JPEG, GIF or WebP, up to 5 MB.') : '';
    setRefused(words);
    if (words !== '') announce(words);
  };

  /** @returns whether the key did something, so that nothing is typed by it */
  const takeKey = (event: KeyboardEvent): boolean => {
    const { key } = event;
    if (commands.onKey(key)) return true;
    if (key === 'Enter' && sends(event, around.sendKey)) send();
    else if (key === 'Escape' && running) post({ type: 'stop' });
    else return recall(key, event.currentTarget as HTMLTextAreaElement);
    return true;
  };

  return (
    <div
      class="composer"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        const uris = urisOf(event.dataTransfer);
        if (uris.length > 0) post({ type: 'attachUris', uris });
        else void takeFiles(event.dataTransfer?.files ?? []);
      }}
    >
      <Queue
        queue={thread.queue}
        held={!running}
        onEdit={(message) => {
          prepend(message);
          caret.current = message.text.length;
          field.current?.focus();
        }}
      />
      <Where {...around} />
      <div class="box">
        {refused === '' ? null : <p class="refused">{refused}</p>}
        <Thumbnails
          images={images}
          onRemove={(index) => change({ text, images: images.filter((_, at) => at !== index) })}
        />
        {commands.selected < 0 ? null : <CommandList id={LIST} {...commands} />}
        <textarea
          ref={field}
          {...(commands.selected < 0
            ? {}
            : { 'aria-controls': LIST, 'aria-activedescendant': optionId(LIST, commands.selected) })}
          rows={1}
          aria-label={t('Message')}
          placeholder={t('Ask about your data…')}
          value={text}
          onInput={({ currentTarget }) => {
            const { value, selectionStart } = currentTarget;
            const typed = value.length === text.length + 1;
            // An @ at the beginning of a word asks for a file, whose text then takes its place.
            const asks = typed && /(^|\s)@$/.test(value.slice(0, selectionStart));
            mention.current = asks ? selectionStart - 1 : undefined;
            if (asks) post({ type: 'attach', what: 'file' });
            change({ text: value, images });
          }}
          onKeyDown={(event) => {
            if (!isComposing(event) && takeKey(event)) event.preventDefault();
          }}
          onPaste={(event) => {
            const files = event.clipboardData?.files ?? [];
            if (files.length === 0) return;
            event.preventDefault();
            void takeFiles(files);
          }}
        />
        <div class="box-actions">
          <IconButton icon="attach" name={t('Attach image')} onClick={() => post({ type: 'pickImage' })} />
          <IconButton icon="mention" name={t('Attach context')} onClick={() => post({ type: 'attach', what: 'any' })} />
          <span class="where-space" />
          {running ? <IconButton icon="debug-stop" name={t('Stop')} onClick={() => post({ type: 'stop' })} /> : null}
          {running && !canSend ? null : (
            <IconButton
              icon="send"
              name={t('Send')}
              tooltip={sendTooltip(around.sendKey)}
              disabled={!canSend}
              onClick={send}
            />
          )}
        </div>
      </div>
    </div>
  );
};

/** Files dragged from the editor, wherever they are: each is an address of its own. */
function urisOf(data: DataTransfer | null): string[] {
  const list = data?.getData('application/vnd.code.uri-list') || data?.getData('text/uri-list') || '';
  return list.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
}

function sendTooltip(sendKey: Surroundings['sendKey']): string {
  if (sendKey === 'enter') return t('Send (Enter)');
  return isMac ? t('Send (⌘Enter)') : t('Send (Ctrl+Enter)');
}

function sends(event: KeyboardEvent, sendKey: Surroundings['sendKey']): boolean {
  const modified = event.ctrlKey || event.metaKey;
  return sendKey === 'modEnter' ? modified : !event.shiftKey && !event.altKey && !modified;
}
