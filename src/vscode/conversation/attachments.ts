/** Attaches files, the selection, problems, SQL and images (2.3) to the composer. */
import * as vscode from 'vscode';
import type { Attachment } from '../../shared/protocol/chat.ts';
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

/** @returns a text with its title, as a fenced code block cut to `MAX_TEXT` */
function attachmentOf(kind: Attachment['kind'], title: string, { name, languageId, text }: Passage): Attachment {
  const cut = text.length > MAX_TEXT;
  const body = cut ? `${text.slice(0, MAX_TEXT)}\n…` : text;
  return { kind, name, text: `${title}\n${fenced(body, languageId)}\n`, ...(cut ? { cut } : {}) };
}

const compose = (view: ChatView, attachment: Attachment): void =>
  view.post({ type: 'compose', draft: { text: '', images: [], attachments: [attachment] } });

/** A text, and the name of what it is from. */
interface Passage {
  name: string;
  languageId: string;
  text: string;
}

/** @param range lines to name on the chip; without them, the text is a whole file */
function attachPassage(view: ChatView, document: vscode.TextDocument, text: string, range?: vscode.Range): void {
  const path = vscode.workspace.asRelativePath(document.uri);
  const lines = range && [...new Set([range.start.line + 1, range.end.line + 1])].join('–');
  const name = [nameOf(document.uri), ...(lines === undefined ? [] : [lines])].join(':');
  const passage = { name, languageId: document.languageId, text };
  compose(view, attachmentOf(range ? 'selection' : 'file', t('About {0}:', path), passage));
}

/** Attaches the selected text of an editor, or its whole text if nothing is selected. */
export function attachFrom(view: ChatView, { document, selection }: vscode.TextEditor): void {
  const range = selection.isEmpty ? undefined : selection;
  attachPassage(view, document, document.getText(range), range);
}

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
  attachPassage(view, document, document.getText());
}

/** The files of the workspace, sorted by their relative paths. */
async function workspaceFiles(): Promise<{ label: string; uri: vscode.Uri }[]> {
  const uris = await vscode.workspace.findFiles('**/*', '**/{node_modules,.git}/**', MAX_FILES);
  return uris
    .map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri }))
    .sort((a, b) => a.label.localeCompare(b.label));
}

/** Posts the files of the workspace to the composer, which completes their paths. */
export async function listFiles(view: ChatView): Promise<void> {
  const files = await workspaceFiles();
  view.post({ type: 'files', files: files.map(({ label, uri }) => ({ path: label, uri: uri.toString() })) });
}

async function pickFile(view: ChatView): Promise<void> {
  const items = await workspaceFiles();
  if (items.length === 0) {
    void showInformationMessage(t('There is no file to attach. Open a folder with files.'));
    return;
  }
  const choice = await showQuickPick(items, { title: t('Attach a file') });
  if (choice) await attachFile(view, choice.uri);
}

function attachSelection(view: ChatView): void {
  const editor = currentEditor();
  if (editor && editor.document.getText(editor.selection.isEmpty ? undefined : editor.selection) !== '')
    attachFrom(view, editor);
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
  if (!choice) return;
  const text = `${t('Problem in {0}:', choice.description)} ${choice.label}\n`;
  compose(view, { kind: 'problem', name: choice.description.split('/').at(-1) ?? '', text });
}

function attachSql(view: ChatView): void {
  const sql = findSql(view.session.thread)?.payload;
  const name = sql?.queryTitle || t('SQL');
  if (sql) compose(view, attachmentOf('sql', name, { name, languageId: 'sql', text: sql.sqlQuery }));
  else void showInformationMessage(t('There is no generated SQL in this chat yet.'));
}

/** Asks what to attach and adds it to the composer. */
export async function attachContent(view: ChatView): Promise<void> {
  const choices = [
    { icon: 'file-media', label: t('Image…'), run: () => pickImages(view) },
    { icon: 'file', label: t('File…'), run: () => pickFile(view) },
    { icon: 'selection', label: t('Selection'), run: () => attachSelection(view) },
    { icon: 'warning', label: t('Problem…'), run: () => pickProblem(view) },
    { icon: 'database', label: t('Last SQL'), run: () => attachSql(view) },
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
async function pickImages(view: ChatView): Promise<void> {
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
