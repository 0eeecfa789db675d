/** Reads image files as attachments of a message (2.3). */
import * as vscode from 'vscode';
import { imageTypes, MAX_IMAGE_BYTES, imageProblem } from '../../shared/protocol/images.ts';
import { t } from '../../shared/text/l10n.ts';
import type { ImageAttachment } from '../../shared/wire/streamLines.ts';
import type { ThreadView } from './threadView.ts';
import { showWarningMessage } from '../host/notify.ts';

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}

const nameOf = (uri: vscode.Uri): string => uri.path.split('/').at(-1) ?? '';
const endings = [...imageTypes.map((type) => type.replace('image/', '')), 'jpg'];

function typeOf(uri: vscode.Uri): string | undefined {
  const ending = nameOf(uri).split('.').at(-1)?.toLowerCase();
  return imageTypes.find((type) => type === `image/${ending === 'jpg' ? 'jpeg' : ending}`);
}

export const isImageFile = (uri: vscode.Uri): boolean => typeOf(uri) !== undefined;

/** @returns the image; undefined, after a warning to the user, if it can't be attached */
export async function readImage(uri: vscode.Uri): Promise<ImageAttachment | undefined> {
  const name = nameOf(uri);
  const mimeType = typeOf(uri) ?? '';
  const { size } = await vscode.workspace.fs.stat(uri);
  const bytes = size > MAX_IMAGE_BYTES ? new Uint8Array() : await vscode.workspace.fs.readFile(uri);
  const problem = imageProblem({ name, mimeType, size }, bytes);
  if (problem !== undefined) {
    void showWarningMessage(t('Not attached: {0}', problem));
    return undefined;
  }
  return { mimeType, data: toBase64(bytes), name };
}

/** @param problems of images that were left out of an imported file */
export function warnOfImages(problems: readonly string[]): void {
  if (problems.length > 0) void showWarningMessage(t('Images not attached: {0}', problems.slice(0, 3).join(' ')));
}

/** Asks for image files and adds them to the composer. */
export async function pickImages(view: ThreadView): Promise<void> {
  const uris = await vscode.window.showOpenDialog({
    title: t('Attach images'),
    canSelectMany: true,
    filters: { [t('Images')]: endings },
  });
  const images = (await Promise.all((uris ?? []).map(readImage))).filter((image) => image !== undefined);
  if (images.length > 0) view.post({ type: 'compose', draft: { text: '', images } });
}
