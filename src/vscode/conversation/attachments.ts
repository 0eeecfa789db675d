/** Attaches files, the selection, problems, SQL and images (2.3) to the composer. */
import * as vscode from 'vscode';
import { fenced } from '../../shared/text/plainText.ts';
import { t } from '../../shared/text/l10n.ts';
import { findSql } from '../../shared/thread/turns.ts';
import { currentEditor } from '../host/currentEditor.ts';
import { readableUri } from './readableUri.ts';
import type { ChatView } from '../host/chatView.ts';
import { showInformationMessage, showWarningMessage } from '../host/notify.ts';
import { showQuickPick } from '../host/quickPick.ts';
import { imageTypes, MAX_IMAGE_BYTES, MAX_IMAGES, imageProblem } from '../../shared/protocol/images.ts';
import type { ImageAttachment } from '../../shared/wire/streamLines.ts';

const MAX_FILES = 5000;
/** Maximum number of characters per attachment, to leave room for the question. */
const MAX_TEXT = 40_000;

/** @returns the title and the text as a fenced code block, cut to `MAX_TEXT` */
function quoted(title: string, language: string, text: string): string {
  const body = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}\n…` : text;
  return `${title}\n${fenced(body, language)}\n`;
}

const compose = (view: ChatView, text: string): void => view.post({ type: 'compose', draft: { text, images: [] } });

/** A text, and the name of the file that it is from. */
interface Passage {
  name: string;
  languageId: string;
  text: string;
}

const passageOf = ({ uri, languageId }: vscode.TextDocument, text: string): Passage => ({
  name: vscode.workspace.asRelativePath(uri),
  languageId,
  text,
});

/** @returns the selected text of the current editor, or its whole text if nothing is selected */
export function currentPassage(): Passage | undefined {
  const editor = currentEditor();
  if (!editor) return undefined;
  const { document, selection } = editor;
  return passageOf(document, document.getText(selection.isEmpty ? undefined : selection));
}

/** Adds a passage to the composer. */
export const composeAbout = (view: ChatView, { name, languageId, text }: Passage): void =>
  compose(view, quoted(t('About {0}:', name), languageId, text));

/** Attaches dropped files; the URIs may name another machine or no file system at all. */
export async function attachUris(view: ChatView, uris: readonly string[]): Promise<void> {
  for (const text of uris) {
    const uri = await readableUri(vscode.Uri.parse(text, true));
    if (uri) await attachFile(view, uri);
  }
}

/** Attaches a file that the user chose in VS Code. */
export async function attachFile(view: ChatView, uri: vscode.Uri): Promise<void> {
  if (imageTypeOf(uri) !== undefined) {
    const image = await readImage(uri);
    if (image) view.post({ type: 'compose', draft: { text: '', images: [image] } });
    return;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  // The document has the URI form of the workspace, even if the URI was `vscode-remote:`.
  composeAbout(view, passageOf(document, document.getText()));
}

async function pickFile(view: ChatView): Promise<void> {
  const uris = await vscode.workspace.findFiles('**/*', '**/{node_modules,.git}/**', MAX_FILES);
  if (uris.length === 0) {
    void showInformationMessage(t('There is no file to attach. Open a folder with files.'));
    return;
  }
  const items = uris
    .map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri }))
    .sort((a, b) => a.label.localeCompare(b.label));
  const choice = await showQuickPick(items, { title: t('Attach a file') });
  if (choice) await attachFile(view, choice.uri);
}

function attachSelection(view: ChatView): void {
  const passage = currentPassage();
  if (passage && passage.text !== '') composeAbout(view, passage);
  else void showInformationMessage(t('Open a file and select some text to attach it.'));
}

async function pickProblem(view: ChatView): Promise<void> {
  const items = vscode.languages.getDiagnostics().flatMap(([uri, problems]) =>
    problems.map((problem) => ({
      label: problem.message,
      description: `${vscode.workspace.asRelativePath(uri)}:${problem.range.start.line + 1}`,
    })),
  );
  if (items.length === 0) {
    void showInformationMessage(t('There are no problems in this workspace.'));
    return;
  }
  const choice = await showQuickPick(items, { title: t('Attach a problem') });
  if (choice) compose(view, `${t('Problem in {0}:', choice.description)} ${choice.label}\n`);
}

function attachSql(view: ChatView): void {
  const sql = findSql(view.session.thread)?.payload;
  if (sql) compose(view, quoted(sql.queryTitle || t('SQL'), 'sql', sql.sqlQuery));
  else void showInformationMessage(t('There is no generated SQL in this chat yet.'));
}

/** Asks what to attach and adds it to the composer. @param what `file` skips the first quick pick */
export async function attachContent(view: ChatView, what: 'file' | 'any'): Promise<void> {
  if (what === 'file') return pickFile(view);
  const choices = [
    { icon: 'file', label: t('File…'), run: () => pickFile(view) },
    { icon: 'selection', label: t('Selection'), run: () => attachSelection(view) },
    { icon: 'warning', label: t('Problem…'), run: () => pickProblem(view) },
    { icon: 'database', label: t('Last SQL'), run: () => attachSql(view) },
    { icon: 'file-media', label: t('Image…'), run: () => pickImages(view) },
  ];
  const choice = await showQuickPick(choices, { title: t('Attach to the message') });
  await choice?.run();
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}

const nameOf = (uri: vscode.Uri): string => uri.path.split('/').at(-1) ?? '';
const endings = [...imageTypes.map((type) => type.replace('image/', '')), 'jpg'];

/** @returns the MIME type of an image file by its name; undefined for any other file */
function imageTypeOf(uri: vscode.Uri): string | undefined {
  const ending = nameOf(uri).split('.').at(-1)?.toLowerCase();
  return imageTypes.find((type) => type === `image/${ending === 'jpg' ? 'jpeg' : ending}`);
}

/** @returns the image; undefined, after a warning to the user, if it can't be attached */
async function readImage(uri: vscode.Uri): Promise<ImageAttachment | undefined> {
  const name = nameOf(uri);
  const mimeType = imageTypeOf(uri) ?? '';
  const { size } = await vscode.workspace.fs.stat(uri);
  const bytes = size > MAX_IMAGE_BYTES ? new Uint8Array() : await vscode.workspace.fs.readFile(uri);
  const problem = imageProblem({ name, mimeType, size }, bytes);
  if (problem !== undefined) {
    void showWarningMessage(t('Not attached: {0}', problem));
    return undefined;
  }
  return { mimeType, data: toBase64(bytes), name };
}

/** Asks for image files and adds them to the composer. */
export async function pickImages(view: ChatView): Promise<void> {
  const uris = await vscode.window.showOpenDialog({
    title: t('Attach images'),
    canSelectMany: true,
    filters: { [t('Images')]: endings },
  });
  const images: ImageAttachment[] = [];
  for (const uri of uris ?? []) {
    const image = await readImage(uri);
    if (image) images.push(image);
    // One too many is enough for the page to say so; a whole folder of images would not fit into the memory.
    if (images.length > MAX_IMAGES) break;
  }
  if (images.length > 0) view.post({ type: 'compose', draft: { text: '', images } });
}
