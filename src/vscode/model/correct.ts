/**
 * *Correct…*: writes a hint for the agent at the definition of a member that an answer's SQL uses, and offers to ask
 * again once the service has the new model.
 */
import * as vscode from 'vscode';
import { membersIn, qualified, type MemberDefinition } from '../../model/members.ts';
import { entryOf, textAt } from '../../model/modelNode.ts';
import { usedMembers, type UsedMember } from '../../model/usedMembers.ts';
import type { HintKey } from '../../insert/hints/hint.ts';
import { t } from '../../shared/text/l10n.ts';
import { setStatusBarMessage, showInputBox, showWarningMessage, showInformationMessage } from '../host/notify.ts';
import { showQuickPick } from '../host/quickPick.ts';
import { readModelFiles, type ModelSource } from './modelFiles.ts';
import { applyPreviewed, type FileChange } from '../host/fileChanges.ts';
import type { ChatSession } from '../../chat/session/chatSession.ts';
import { pushStateOf, type PushState } from '../host/git.ts';
import type { Services } from '../services.ts';

/** A hint that was written to a model file. */
interface Correction {
  /** Name of the member in the query. */
  name: string;
  uri: vscode.Uri;
}

/**
 * Lets the user pick a member and type a hint, and writes it after a preview.
 * @param queries SQL of the answer
 * @param clean redacts secrets
 * @param only name of the member to correct, if it is known
 * @returns undefined if nothing was written
 */
export async function writeCorrection(
  queries: readonly string[],
  clean: (text: string) => string,
  only?: string,
): Promise<Correction | undefined> {
  if (!vscode.workspace.isTrusted)
    throw new Error(t('The data model can’t be corrected in Restricted Mode. Trust this workspace to write files.'));
  if (!vscode.workspace.workspaceFolders?.length)
    throw new Error(t('Open the folder of your data model to correct it.'));
  const files = await currentFiles();
  const members = usedMembers(files, queries).filter(({ name }) => only === undefined || name === only);
  if (members.length === 0) throw new Error(t('The members of this query are not defined in the open folders.'));
  const member = only === undefined ? await pickMember(members, files) : members[0];
  if (member === undefined) return undefined;
  const key = await pickKey(member);
  if (key === undefined) return undefined;
  const hint = await showInputBox({
    title: t('Analytics Chat: Correct {0}', member.name),
    prompt:
      key === 'description' ? t('What {0} means', member.name) : t('What the agent must know about {0}', member.name),
    value: hintsOf(member)[key] ?? '',
    validateInput: (text) => (text.trim() === '' ? t('Enter a hint.') : undefined),
  });
  if (hint === undefined) return undefined;
  return write(member, fileOf(member, files), key, clean(hint));
}

const fileOf = ({ definition }: UsedMember, files: readonly ModelSource[]): ModelSource =>
  files.find(({ path }) => path === definition.path)!;

/** The model files of the workspace, with unsaved changes. */
async function currentFiles(): Promise<ModelSource[]> {
  const open = new Map(vscode.workspace.textDocuments.map((document) => [document.uri.toString(), document]));
  const files = await readModelFiles();
  return files.map((file) => ({ ...file, text: open.get(file.uri.toString())?.getText() ?? file.text }));
}

async function pickMember(
  members: readonly UsedMember[],
  files: readonly ModelSource[],
): Promise<UsedMember | undefined> {
  const items = members.map((member) => {
    const { definition } = member;
    // A path alone would be that of a local file, and not in a folder of another file system.
    const path = vscode.workspace.asRelativePath(fileOf(member, files).uri);
    const own = qualified(definition);
    return {
      label: member.name,
      description: own === member.name ? path : `${own} · ${path}`,
      detail: hintsOf(member).description ?? '',
      member,
    };
  });
  const choice = await showQuickPick(items, {
    title: t('Analytics Chat: Correct'),
    placeHolder: t('Select the member that the answer got wrong'),
    matchOnDescription: true,
  });
  return choice?.member;
}

/** @returns the current hints of a member */
function hintsOf({ definition: { node } }: UsedMember): Partial<Record<HintKey, string>> {
  const meta = entryOf(node, 'meta')?.value;
  const [description, context] = [textAt(node, 'description'), meta && textAt(meta, 'ai_context')];
  return {
    ...(description === undefined ? {} : { description: unescaped(description) }),
    ...(context === undefined ? {} : { ai_context: unescaped(context) }),
  };
}

/** Removes the escapes of JavaScript strings and of the templates that the model compiler reads. */
const unescaped = (text: string): string => text.replace(/\\([\\{}`'"$])/g, '$1').trim();

async function pickKey(member: UsedMember): Promise<HintKey | undefined> {
  const hints = hintsOf(member);
  const item = (key: HintKey, label: string, what: string) => ({
    label,
    description: what,
    detail: hints[key] ?? '',
    key,
  });
  const choice = await showQuickPick(
    [
      item('description', 'description', t('for people and the agent')),
      item('ai_context', 'meta.ai_context', t('for the agent only')),
    ],
    { title: t('Analytics Chat: Correct {0}', member.name), placeHolder: t('Select where to write the hint') },
  );
  return choice?.key;
}

async function write(
  { name, definition }: UsedMember,
  { uri }: ModelSource,
  key: HintKey,
  hint: string,
): Promise<Correction | undefined> {
  const { applyEdits, loadGrammar } = await import('../../insert/planner.ts');
  const { planHint } = await import('../../insert/hints/planHint.ts');
  const plan = async (): Promise<FileChange[] | undefined> => {
    const document = await vscode.workspace.openTextDocument(uri);
    await loadGrammar(document.languageId, uri.path);
    const before = document.getText();
    const current = currentDefinition(definition, before);
    const edits = planHint({
      document: { text: before, languageId: document.languageId, fileName: uri.path },
      at: current.node.start,
      key,
      hint,
      options: { ...indentationOf(uri), eol: document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n' },
    });
    if (edits !== undefined) return [{ uri, before, text: applyEdits(before, edits) }];
    void offerToOpen(document, current.offset, name);
    return undefined;
  };
  if (!(await applyPreviewed(t('Correct {0}', name), plan))) return undefined;
  setStatusBarMessage(t('Corrected: {0}', name), 5000);
  const document = await vscode.workspace.openTextDocument(uri);
  await reveal(document, currentDefinition(definition, document.getText()).offset);
  return { name, uri };
}

/**
 * @returns the same definition in the text of the editor, which may have changed and has its own line ends
 * @throws Error if it is gone
 */
function currentDefinition({ kind, owner, name, path, offset }: MemberDefinition, text: string): MemberDefinition {
  const same = membersIn({ path, text }).filter(
    (each) => each.kind === kind && each.owner === owner && each.name === name,
  );
  const distance = (each: MemberDefinition): number => Math.abs(each.offset - offset);
  const [nearest] = same.sort((left, right) => distance(left) - distance(right));
  if (nearest === undefined) throw new Error(t('The file changed in the meantime, so nothing was written. Try again.'));
  return nearest;
}

function indentationOf(uri: vscode.Uri): { tabSize: number; insertSpaces: boolean } {
  const editor = vscode.workspace.getConfiguration('editor', uri);
  return { tabSize: editor.get('tabSize', 2), insertSpaces: editor.get('insertSpaces', true) };
}

async function offerToOpen(document: vscode.TextDocument, offset: number, name: string): Promise<void> {
  const open = t('Open definition');
  const message = t('The hint of {0} is not plain text or the file has errors. Change it in the file.', name);
  if ((await showWarningMessage(message, open)) === open) await reveal(document, offset);
}

async function reveal(document: vscode.TextDocument, offset: number): Promise<void> {
  const at = document.positionAt(offset);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
}

export type AskAgainServices = Services<'branches' | 'repository' | 'sessions' | 'views'>;

/**
 * Asks on the checked-out branch of the corrected file: in the same thread, or in a new one if that is read-only or was
 * deleted meanwhile.
 * @returns when the question was asked, or the user has closed the offer
 */
export async function offerToAskAgain(
  services: AskAgainServices,
  session: ChatSession,
  question: string,
  uri: vscode.Uri,
): Promise<void> {
  const [again, anyway] = [t('Ask again'), t('Ask anyway')];
  const file = vscode.workspace.asRelativePath(uri);
  let state = await pushStateOf(uri);
  let choice = await showInformationMessage(firstOffer(file, state), again);
  while (choice === again) {
    state = await pushStateOf(uri);
    if (state === undefined || state.isPushed) break;
    const message = t('{0} is not pushed to “{1}” yet, so the service still has the old model.', file, state.branch);
    choice = await showWarningMessage(message, again, anyway);
  }
  if (choice === undefined) return;
  if (state) await followBranch(services, uri, state.branch);
  const { id } = session.thread;
  const isOpen = services.sessions.get(id) === session && !services.repository.isReadOnly(id);
  const asked = isOpen ? session : services.sessions.create();
  await services.views.reveal(asked);
  await asked.send({ text: question, images: [] });
}

function firstOffer(file: string, state: PushState | undefined): string {
  if (state === undefined) return t('Publish {0} to the service, then ask again.', file);
  return t('Commit {0} and push it to “{1}”, then ask again: the service uses the pushed model.', file, state.branch);
}

async function followBranch({ branches }: AskAgainServices, uri: vscode.Uri, branch: string): Promise<void> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const current = branches.currentIn(folder);
  if ((current.name || branches.mainOf(folder)) !== branch) await branches.switchTo(branch, folder);
}
