/** Images that are pasted or dropped into the composer, checked before they are attached. */
import { MAX_IMAGE_BYTES, MAX_IMAGES, imageProblem, tooManyImages } from '../../src/shared/protocol/images.ts';
import type { ImageAttachment } from '../../src/shared/wire/streamLines.ts';

/** @returns the images among the files, and why the other files can't be attached */
export async function readImages(files: readonly File[]): Promise<{ images: ImageAttachment[]; problems: string[] }> {
  const images: ImageAttachment[] = [];
  const problems: string[] = [];
  for (const file of files) {
    if (images.length === MAX_IMAGES) return { images, problems: [...problems, tooManyImages()] };
    const { name, type: mimeType, size } = file;
    const bytes = size > MAX_IMAGE_BYTES ? new Uint8Array() : new Uint8Array(await file.arrayBuffer());
    const problem = imageProblem({ name, mimeType, size }, bytes);
    if (problem === undefined) images.push({ mimeType, data: await base64Of(file), name });
    else problems.push(problem);
  }
  return { images, problems };
}

export { tooManyImages };

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^data:[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error(file.name));
    reader.readAsDataURL(file);
  });
}
