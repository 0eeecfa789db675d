/** Checks the images in a message (2.3): type, size and dimensions, which are read from the first bytes. */
import { t } from '../text/l10n.ts';
import type { ImageAttachment } from '../wire/streamLines.ts';

export const imageTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Bytes. The service documents no limit; this one keeps requests below common gateway limits. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
/** Maximum number of pixels of one image, which takes 200 MB when decoded. */
const MAX_PIXELS = 50_000_000;
export const MAX_IMAGES = 10;

interface ImageHeader {
  mimeType: string;
  width: number;
  height: number;
}

type Dimensions = Omit<ImageHeader, 'mimeType'>;

/** @returns undefined if the bytes are not a PNG, JPEG, GIF or WebP image with a complete header */
export function imageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const [mimeType, read] of Object.entries(readers)) {
    const found = read(view);
    if (found && found.width > 0 && found.height > 0) return { mimeType, ...found };
  }
  return undefined;
}

const readers: Record<string, (view: DataView) => Dimensions | undefined> = {
  'image/png': png,
  'image/jpeg': jpeg,
  'image/gif': gif,
  'image/webp': webp,
};

const has = (view: DataView, at: number, text: string): boolean =>
  view.byteLength >= at + text.length &&
  [...text].every((char, index) => view.getUint8(at + index) === char.charCodeAt(0));

function png(view: DataView): Dimensions | undefined {
  if (!has(view, 0, '\x89PNG\r\n\x1a\n') || !has(view, 12, 'IHDR') || view.byteLength < 24) return undefined;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

function gif(view: DataView): Dimensions | undefined {
  if (!(has(view, 0, 'GIF87a') || has(view, 0, 'GIF89a')) || view.byteLength < 10) return undefined;
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** Lossy, lossless and extended files have different first chunks. */
function webp(view: DataView): Dimensions | undefined {
  if (!has(view, 0, 'RIFF') || !has(view, 8, 'WEBP') || view.byteLength < 30) return undefined;
  if (has(view, 12, 'VP8 ') && has(view, 23, '\x9d\x01\x2a'))
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (has(view, 12, 'VP8L') && has(view, 20, '\x2f')) {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (!has(view, 12, 'VP8X')) return undefined;
  const uint24 = (at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
  return { width: uint24(24) + 1, height: uint24(27) + 1 };
}

/** Segments before the frame header (SOF), such as EXIF data with a preview, are skipped. */
function jpeg(view: DataView): Dimensions | undefined {
  if (!has(view, 0, '\xff\xd8\xff')) return undefined;
  let at = 2;
  while (at + 9 <= view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    if (isFrame(marker)) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    // A marker may be preceded by any number of fill bytes.
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** SOF0 to SOF15, without the tables (DHT, DAC) and the extension that share the range. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

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
      '“{0}” has the type {1} but contains {2}. Rename it to match its content.',
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
