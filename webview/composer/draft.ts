/** Adds texts to a draft, and reads and checks pasted and dropped images. */
import type { Draft } from '../../src/shared/protocol/chat.ts';
import { MAX_IMAGE_BYTES, MAX_IMAGES, imageProblem, tooManyImages } from '../../src/shared/protocol/images.ts';
import type { ImageAttachment } from '../../src/shared/wire/streamLines.ts';

export interface Prepended {
  draft: Draft;
  /** Number of images that exceeded the limit and are left out. */
  leftOut: number;
}

/** Inserts a draft before the current one; attachments go behind those that are there. */
export function prepend(held: Draft, more: Draft): Prepended {
  const { text, images, attachments = [] } = held;
  // Don't insert a text that is already at the start.
  const isThere = more.text !== '' && (text === more.text || text.startsWith(`${more.text}\n`));
  const joined = text === '' || isThere ? text || more.text : more.text === '' ? text : `${more.text}\n${text}`;
  const added = isThere ? more.images.filter(({ data }) => !images.some((known) => known.data === data)) : more.images;
  // Images without a text are appended; those of a text are inserted before the others, like the text.
  const all = more.text === '' ? [...images, ...added] : [...added, ...images];
  const news = (more.attachments ?? []).filter((each) => !attachments.some((known) => known.text === each.text));
  const attached = [...attachments, ...news];
  return {
    draft: {
      ...more,
      ...held,
      text: joined,
      images: all.slice(0, MAX_IMAGES),
      ...(attached.length > 0 ? { attachments: attached } : {}),
    },
    leftOut: Math.max(0, all.length - MAX_IMAGES),
  };
}

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

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^data:[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error(file.name));
    reader.readAsDataURL(file);
  });
}
