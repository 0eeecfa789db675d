/** The queued messages, sent when the running answer ends. */
import { t } from '../../src/shared/text/l10n.ts';
import type { QueuedMessage } from '../../src/shared/thread/model.ts';
import { IconButton } from '../ui/Button.tsx';
import { post } from '../app/host.ts';
import { Picture } from '../ui/Picture.tsx';

interface QueueProps {
  queue: readonly QueuedMessage[];
  /** Whether nothing is running, so that the messages stay queued: the answer was stopped or failed. */
  held: boolean;
  /** Moves a message from the queue back to the composer. */
  onEdit: (message: QueuedMessage) => void;
}

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
