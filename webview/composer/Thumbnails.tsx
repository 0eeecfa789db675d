/** Images that will go with the message. */
import { t } from '../../src/shared/l10n.ts';
import type { ImageAttachment } from '../../src/shared/wire.ts';
import { IconButton } from '../Button.tsx';

interface ThumbnailsProps {
  images: readonly ImageAttachment[];
  onRemove: (index: number) => void;
}

export const Thumbnails = ({ images, onRemove }: ThumbnailsProps) =>
  images.length === 0 ? null : (
    <ul class="thumbnails" aria-label={t('Attached images')}>
      {images.map((image, index) => (
        <li key={`${index} ${image.name ?? ''}`}>
          <img
            class="thumbnail"
            alt={image.name ?? t('Attached image')}
            src={`data:${image.mimeType};base64,${image.data}`}
          />
          <IconButton icon="close" name={t('Remove image')} onClick={() => onRemove(index)} />
        </li>
      ))}
    </ul>
  );
