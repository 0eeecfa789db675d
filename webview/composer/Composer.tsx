/** The message field with its actions. Messages sent while an answer is running are queued. */
import type { TargetedKeyboardEvent } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Draft, ViewContext } from '../../src/shared/protocol/chat.ts';
import { tooManyImages } from '../../src/shared/protocol/images.ts';
import { t } from '../../src/shared/text/l10n.ts';
import type { Thread } from '../../src/shared/thread/model.ts';
import { isRunning } from '../../src/shared/thread/turns.ts';
import { IconButton } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { post } from '../app/host.ts';
import { announce, attachComposer, attachFocus } from '../app/mounted.ts';
import { focusInTurn } from '../ui/access.tsx';
import { isComposing, isMac } from '../ui/dom.ts';
import { Queue, Thumbnails, Where } from './ComposerParts.tsx';
import { CommandList, LIST, optionId, useCommands } from './SlashCommands.tsx';
import { readImages } from './draft.ts';
import { useDrops } from './drops.ts';
import { useDraft, useRecall } from './useDraft.ts';
import './composer.css';

interface ComposerProps {
  thread: Thread;
  viewContext: ViewContext;
  draft: Draft;
}

export const Composer = ({ thread, viewContext, draft: initial }: ComposerProps) => {
  const field = useRef<HTMLTextAreaElement>(null);
  /** Offset of the `@` that opened the file picker. */
  const mention = useRef<number | undefined>(undefined);
  /** Caret position to set once the field shows the inserted text. */
  const caret = useRef<number | undefined>(undefined);
  const { draft, change, prepend, edit, clear, clearIf, replace } = useDraft(thread.id, initial);
  const running = isRunning(thread);
  const { text, images } = draft;
  const canSend = text.trim() !== '' || images.length > 0;

  const [refused, setRefused] = useState('');
  /** Shows and announces why something was not attached; nothing for an empty text. */
  const refuse = useCallback((problem: string) => {
    const words = problem === '' ? '' : t('Not attached: {0}', problem);
    setRefused(words);
    if (words !== '') announce(words);
  }, []);
  useEffect(
    () =>
      attachComposer({
        onCompose: (more) => {
          const { caret: place, leftOut } = prepend(more, mention.current);
          if (more.text !== '') caret.current = place;
          refuse(leftOut === 0 ? '' : tooManyImages());
          mention.current = undefined;
          focusInTurn(() => field.current?.focus());
        },
        onEdit: (question) => {
          edit(question);
          caret.current = question.text.length;
          refuse('');
          announce(editingText());
          field.current?.focus();
        },
        onSent: clearIf,
        onDraft: replace,
      }),
    [prepend, edit, clearIf, replace, refuse],
  );
  useEffect(() => attachFocus('composer', () => field.current?.focus()), []);
  useLayoutEffect(() => {
    if (caret.current === undefined || !field.current) return;
    field.current.setSelectionRange(caret.current, caret.current);
    // The caret is in the text below the inserted one, which may be higher than the field.
    field.current.scrollTop = field.current.scrollHeight;
    caret.current = undefined;
  });

  const update = (changed: Partial<Draft>): void => change({ ...draft, ...changed });
  const recall = useRecall(thread, text, update);
  const commands = useCommands(text, () => update({ text: '' }));

  const send = (): void => {
    if (!canSend) return;
    post({ type: 'send', text: text.trim(), images });
    clear();
    setRefused('');
    field.current?.focus();
  };

  const attachFiles = async (files: Iterable<File>): Promise<void> => {
    // Copy the list: it is emptied when the drop event has been dispatched.
    const { images: added, problems } = await readImages([...files]);
    const { leftOut } = prepend({ text: '', images: added });
    const [problem = leftOut > 0 ? tooManyImages() : ''] = problems;
    refuse(problem);
  };

  useDrops(attachFiles);

  /** @returns whether the key was handled, so that its default action is prevented */
  const handleKey = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): boolean => {
    const { key } = event;
    const modified = event.shiftKey || event.ctrlKey || event.altKey || event.metaKey;
    // Shift+Tab leaves the field, and Shift+Enter starts a line.
    if (!event.shiftKey && commands.onKey(key)) return true;
    if (key === 'Escape' && draft.aside) clear();
    else if (key === 'Enter' && sends(event, viewContext.sendKey)) send();
    else if (key === 'Escape' && running) post({ type: 'stop' });
    else return !modified && recall(key, event.currentTarget);
    return true;
  };

  return (
    <div class="composer">
      <Queue
        queue={thread.queue}
        held={!running}
        onEdit={(message) => {
          prepend(message);
          caret.current = message.text.length;
          field.current?.focus();
        }}
      />
      <Where {...viewContext} />
      <div class="box">
        {draft.aside ? (
          <p class="editing">
            <Icon icon="edit" />
            <span class="editing-text">{editingText()}</span>
            <IconButton
              icon="close"
              name={t('Cancel editing')}
              onClick={() => {
                clear();
                field.current?.focus();
              }}
            />
          </p>
        ) : null}
        {refused === '' ? null : (
          <p class="refused">
            <Icon icon="error" /> {refused}
          </p>
        )}
        <Thumbnails images={images} onRemove={(index) => update({ images: images.filter((_, at) => at !== index) })} />
        {commands.selected < 0 ? null : <CommandList {...commands} />}
        <textarea
          ref={field}
          aria-controls={commands.selected < 0 ? undefined : LIST}
          aria-activedescendant={commands.selected < 0 ? undefined : optionId(commands.selected)}
          rows={1}
          aria-label={t('Message')}
          placeholder={t('Ask about your data…')}
          value={text}
          onInput={({ currentTarget }) => {
            const { value, selectionStart } = currentTarget;
            const typed = value.length === text.length + 1;
            // An `@` at the start of a word opens the file picker; the file's text replaces it.
            const asks = typed && /(^|\s)@$/.test(value.slice(0, selectionStart));
            mention.current = asks ? selectionStart - 1 : undefined;
            if (asks) post({ type: 'attach', what: 'file' });
            update({ text: value });
          }}
          onKeyDown={(event) => {
            if (!isComposing(event) && handleKey(event)) event.preventDefault();
          }}
          onPaste={(event) => {
            const { files = [], types = [] } = event.clipboardData ?? {};
            // A spreadsheet copies cells also as a picture; a copied file may have its name as plain text.
            const isText = types.includes('text/plain') && types.includes('text/html');
            if (files.length === 0 || isText) return;
            event.preventDefault();
            void attachFiles(files);
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
              tooltip={sendTooltip(viewContext.sendKey)}
              disabled={!canSend}
              onClick={send}
            />
          )}
        </div>
      </div>
    </div>
  );
};

const editingText = (): string => t('Editing an earlier question. It will be asked as a new one.');

function sendTooltip(sendKey: ViewContext['sendKey']): string {
  if (sendKey === 'enter') return t('Send (Enter)');
  return isMac ? t('Send (⌘Enter)') : t('Send (Ctrl+Enter)');
}

function sends(event: KeyboardEvent, sendKey: ViewContext['sendKey']): boolean {
  const modified = event.ctrlKey || event.metaKey;
  return sendKey === 'modEnter' ? modified : !event.shiftKey && !event.altKey && !modified;
}
