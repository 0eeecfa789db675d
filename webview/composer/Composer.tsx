/** The message field with its actions. Messages sent while an answer is running are queued. */
import type { TargetedKeyboardEvent } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isEmptyDraft, draftMessage, type Draft, type ViewContext } from '../../src/shared/protocol/chat.ts';
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
import { Chips, Queue, Thumbnails, Where } from './ComposerParts.tsx';
import { LIST, optionId, SuggestionList, useSuggestions } from './Suggestions.tsx';
import { readImages } from './draft.ts';
import { useDrops } from './drops.ts';
import { useCommands } from './useCommands.ts';
import { useDraft, useRecall } from './useDraft.ts';
import { useMention } from './useMention.ts';
import './composer.css';

interface ComposerProps {
  thread: Thread;
  viewContext: ViewContext;
  draft: Draft;
}

export const Composer = ({ thread, viewContext, draft: initial }: ComposerProps) => {
  const field = useRef<HTMLTextAreaElement>(null);
  /** Caret position to set once the field shows the inserted text. */
  const caret = useRef<number | undefined>(undefined);
  const { draft, change, prepend, edit, clear, clearIf, replace } = useDraft(thread.id, initial);
  const running = isRunning(thread);
  const { text, images, attachments = [] } = draft;
  const canSend = !isEmptyDraft(draft);

  const update = (changed: Partial<Draft>): void => change({ ...draft, ...changed });
  const commands = useCommands(text, () => update({ text: '' }));
  const mention = useMention(text, (next, place) => {
    update({ text: next });
    caret.current = place;
  });
  const { onFiles } = mention;
  const suggestions = useSuggestions(mention.items.length > 0 ? mention : commands);

  const [refused, setRefused] = useState('');
  /** Shows and announces why something was not attached; nothing for an empty text. */
  const refuse = useCallback((problem: string) => {
    const words = problem === '' ? '' : t('Not attached: {0}', problem);
    setRefused(words);
    if (words !== '') announce(words);
  }, []);
  // Effects are cleaned up only after a paint: what arrives until then would go to a composer that is gone.
  useLayoutEffect(
    () =>
      attachComposer({
        onCompose: (more) => {
          const { draft: next, leftOut } = prepend(more);
          if (more.text !== '') caret.current = next.text.length;
          refuse(leftOut === 0 ? '' : tooManyImages());
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
        onFiles,
      }),
    [prepend, edit, clearIf, replace, refuse, onFiles],
  );
  useEffect(() => attachFocus('composer', () => field.current?.focus()), []);
  useLayoutEffect(() => {
    if (caret.current === undefined || !field.current) return;
    field.current.setSelectionRange(caret.current, caret.current);
    // The caret is in the text below the inserted one, which may be higher than the field.
    field.current.scrollTop = field.current.scrollHeight;
    caret.current = undefined;
  });

  const recall = useRecall(thread, text, update);

  const send = (): void => {
    if (!canSend) return;
    post({ type: 'send', ...draftMessage(draft) });
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
    if (!event.shiftKey && suggestions.onKey(key)) return true;
    if (/^(?:Arrow|Home|End|Page)/.test(key)) mention.dismiss();
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
        <Chips
          attachments={attachments}
          onRemove={(index) => update({ attachments: attachments.filter((_, at) => at !== index) })}
        />
        {suggestions.selected < 0 ? null : <SuggestionList {...suggestions} />}
        <textarea
          ref={field}
          aria-controls={suggestions.selected < 0 ? undefined : LIST}
          aria-activedescendant={suggestions.selected < 0 ? undefined : optionId(suggestions.selected)}
          rows={1}
          aria-label={t('Message')}
          placeholder={t('Ask about your data…')}
          value={text}
          onInput={({ currentTarget }) => {
            mention.onInput(currentTarget.value, currentTarget.selectionStart);
            update({ text: currentTarget.value });
          }}
          onClick={mention.dismiss}
          onBlur={mention.dismiss}
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
          <IconButton icon="attach" name={t('Attach image or context')} onClick={() => post({ type: 'attach' })} />
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
