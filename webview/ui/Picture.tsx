/** An image attached to a message. */
import { t } from '../../src/shared/text/l10n.ts';
import type { ImageAttachment } from '../../src/shared/wire/streamLines.ts';

interface PictureProps {
  image: ImageAttachment;
  class: string;
}

export const Picture = ({ image, class: look }: PictureProps) => {
  const name = image.name ?? t('Attached image');
  return <img class={look} alt={name} title={name} src={`data:${image.mimeType};base64,${image.data}`} />;
};
