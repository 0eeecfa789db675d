/** Reads and checks images that are pasted or dropped into the composer. */
import { imageTypes, MAX_IMAGE_BYTES } from '../../src/shared/protocol/images.ts';
import type { ImageAttachment } from '../../src/shared/wire.ts';

/** @returns the accepted images, and whether some files were rejected for their type or size */
export async function readImages(files: Iterable<File>): Promise<{ images: ImageAttachment[]; refused: boolean }> {
  const images: ImageAttachment[] = [];
  let refused = false;
  for (const file of files) {
    if (!imageTypes.includes(file.type) || file.size > MAX_IMAGE_BYTES) refused = true;
    else images.push({ mimeType: file.type, data: await base64Of(file), name: file.name });
  }
  return { images, refused };
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^data:[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error(file.name));
    reader.readAsDataURL(file);
  });
}
