/** Checks images, with messages that say why one cannot be sent or shown. */
import { imageTypes, MAX_IMAGE_BYTES, MAX_IMAGES, MAX_PIXELS } from '../protocol/images.ts';
import { t } from '../text/l10n.ts';
import type { ImageAttachment } from '../wire/streamLines.ts';
import { imageHeader } from './header.ts';

interface ImageFile {
  name: string;
  /** Type according to the file name or the sender, unverified. */
  mimeType: string;
  /** Bytes. */
  size: number;
}

const formatName = (mimeType: string): string =>
  mimeType === 'image/webp' ? 'WebP' : mimeType.replace('image/', '').toUpperCase();

/**
 * @param bytes the file's content; not read if `size` is too large
 * @returns the reason why the image cannot be sent or shown; undefined if it can
 */
export function imageProblem({ name, mimeType, size }: ImageFile, bytes: Uint8Array): string | undefined {
  if (size > MAX_IMAGE_BYTES)
    return t('“{0}” is larger than {1} MB. Use a smaller image.', name, MAX_IMAGE_BYTES / 2 ** 20);
  const header = imageTypes.includes(mimeType) ? imageHeader(bytes) : undefined;
  if (!header) return t('“{0}” is not a PNG, JPEG, GIF or WebP image. Convert it to one of these formats.', name);
  if (header.mimeType !== mimeType)
    return t(
      '“{0}” is named as {1} but contains {2}. Rename it to match its content.',
      name,
      formatName(mimeType),
      formatName(header.mimeType),
    );
  const { width, height } = header;
  if (width * height > MAX_PIXELS)
    return t(
      '“{0}” has {1} × {2} pixels; the limit is {3} megapixels. Resize it.',
      name,
      width,
      height,
      MAX_PIXELS / 1e6,
    );
  return undefined;
}

export const tooManyImages = (): string =>
  t('A message can have {0} images. Send the others in another message.', MAX_IMAGES);

/**
 * Checks the images of a message from a file. @returns the valid images, and the reasons why the others were left out
 */
export function checkImages(images: readonly ImageAttachment[]): { images: ImageAttachment[]; problems: string[] } {
  const checked = images.slice(0, MAX_IMAGES).map((image) => ({ image, problem: attachmentProblem(image) }));
  const problems = checked.flatMap(({ problem }) => (problem === undefined ? [] : [problem]));
  if (images.length > MAX_IMAGES) problems.push(tooManyImages());
  return { images: checked.filter(({ problem }) => problem === undefined).map(({ image }) => image), problems };
}

function attachmentProblem({ name = t('Attached image'), mimeType, data }: ImageAttachment): string | undefined {
  // Four base64 characters are three bytes; the padding is ignored here.
  const isLong = data.length > (MAX_IMAGE_BYTES / 3) * 4 + 4;
  const bytes = isLong ? new Uint8Array() : decode(data);
  return imageProblem({ name, mimeType, size: isLong ? Infinity : bytes.length }, bytes);
}

/** @returns the decoded bytes; empty if the text is not base64 */
function decode(data: string): Uint8Array {
  try {
    const binary = atob(data);
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
    return bytes;
  } catch {
    return new Uint8Array();
  }
}
