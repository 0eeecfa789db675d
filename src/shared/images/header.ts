/** Reads the format and the dimensions of an image from its first bytes. */

export interface ImageHeader {
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
