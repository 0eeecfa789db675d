/** The images attached to the draft. */
import { t } from '../../src/shared/text/l10n.ts';
import type { ImageAttachment } from '../../src/shared/wire/streamLines.ts';
import { IconButton } from '../ui/Button.tsx';
import { Picture } from '../ui/Picture.tsx';

interface ThumbnailsProps {
  images: readonly ImageAttachment[];
  onRemove: (index: number) => void;
}

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
