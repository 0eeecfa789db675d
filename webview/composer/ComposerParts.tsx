/** The parts of the composer around its field. */
import type { Attachment, FromWebview, ViewContext } from '../../src/shared/protocol/chat.ts';
import { t } from '../../src/shared/text/l10n.ts';
import type { QueuedMessage } from '../../src/shared/thread/model.ts';
import type { ImageAttachment } from '../../src/shared/wire/streamLines.ts';
import { post } from '../app/host.ts';
import { IconButton } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Picture } from '../ui/Picture.tsx';

interface QueueProps {
  queue: readonly QueuedMessage[];
  /** Whether the messages stay queued until the user sends one, because the answer was stopped or failed. */
  held: boolean;
  /** Moves a message from the queue back to the composer. */
  onEdit: (message: QueuedMessage) => void;
}

/** The queued messages, sent when the running answer ends. */
export const Queue = ({ queue, held, onEdit }: QueueProps) =>
  queue.length === 0 ? null : (
    <ul class="queue" aria-label={t('Queued messages')}>
      {queue.map((message) => (
        <li key={message.id}>
          {message.images.map((image, index) => (
            <Picture key={index} class="queue-image" image={image} />
          ))}
          <span class="queue-text" title={message.text}>
            {message.text}
          </span>
          {held ? (
            <IconButton
              icon="send"
              name={t('Send queued message')}
              onClick={() => post({ type: 'sendQueued', id: message.id })}
            />
          ) : null}
          <IconButton
            icon="edit"
            name={t('Edit queued message')}
            onClick={() => {
              post({ type: 'unqueue', id: message.id });
              onEdit(message);
            }}
          />
          <IconButton
            icon="close"
            name={t('Remove queued message')}
            onClick={() => post({ type: 'unqueue', id: message.id })}
          />
        </li>
      ))}
    </ul>
  );

interface ChoiceProps {
  icon: string;
  value: string;
  /** Accessible name and tooltip. */
  name: string;
  intent: FromWebview;
}

const Choice = ({ icon, value, name, intent }: ChoiceProps) => (
  <button type="button" class="where-button" aria-label={name} title={name} onClick={() => post(intent)}>
    <Icon icon={icon} />
    <span class="where-name">{value}</span>
    <Icon icon="chevron-down" />
  </button>
);

/** Buttons that show and switch the connection, branch and identity of the next question. */
export const Where = ({ connection, branch, identity }: ViewContext) => (
  <div class="where">
    {connection === '' ? null : (
      <Choice
        icon="plug"
        value={connection}
        name={t('Connection: {0}', connection)}
        intent={{ type: 'switchConnection' }}
      />
    )}
    <div class="where-row">
      <Choice icon="git-branch" value={branch} name={t('Branch: {0}', branch)} intent={{ type: 'switchBranch' }} />
      <Choice icon="account" value={identity} name={t('Identity: {0}', identity)} intent={{ type: 'switchIdentity' }} />
      <span class="where-space" />
      <IconButton icon="add" name={t('New chat')} onClick={() => post({ type: 'newChat' })} />
    </div>
  </div>
);

interface ThumbnailsProps {
  images: readonly ImageAttachment[];
  onRemove: (index: number) => void;
}

/** The images attached to the draft. */
export const Thumbnails = ({ images, onRemove }: ThumbnailsProps) =>
  images.length === 0 ? null : (
    <ul class="thumbnails" aria-label={t('Attached images')}>
      {images.map((image, index) => (
        <li key={`${index} ${image.name ?? ''}`}>
          <Picture class="thumbnail" image={image} />
          <IconButton icon="close" name={t('Remove image')} onClick={() => onRemove(index)} />
        </li>
      ))}
    </ul>
  );

interface ChipsProps {
  attachments: readonly Attachment[];
  onRemove: (index: number) => void;
}

const icons: Record<Attachment['kind'], string> = {
  file: 'file',
  selection: 'list-selection',
  problem: 'warning',
  sql: 'database',
};

/** Maximum number of characters of a text in its tooltip. */
const PREVIEW = 600;

/** The texts attached to the draft. */
export const Chips = ({ attachments, onRemove }: ChipsProps) =>
  attachments.length === 0 ? null : (
    <ul class="attachments" aria-label={t('Attachments')}>
      {attachments.map((attachment, index) => (
        <li key={`${index} ${attachment.name}`} title={attachment.text.slice(0, PREVIEW)}>
          <Icon icon={icons[attachment.kind]} />
          <span class="attachment-name">{attachment.name}</span>
          <span class="attachment-size">{sizeOf(attachment)}</span>
          <IconButton icon="close" name={t('Remove {0}', attachment.name)} onClick={() => onRemove(index)} />
        </li>
      ))}
    </ul>
  );

/** @returns the size of the text in the message, in kilobytes */
function sizeOf({ text, cut = false }: Attachment): string {
  const kilobytes = Math.max(0.1, new TextEncoder().encode(text).length / 1000);
  const format = { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 1 } as const;
  const size = new Intl.NumberFormat(document.documentElement.lang, format).format(kilobytes);
  return cut ? t('first {0}', size) : size;
}
