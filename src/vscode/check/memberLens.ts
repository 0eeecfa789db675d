/**
 * Shows a CodeLens at each member of a model file with the number of questions that use it; a click lists them, to ask one
 * of them or about the member.
 */
import * as vscode from 'vscode';
import type { MemberDefinition } from '../../model/members.ts';
import type { TestQuestion } from '../../evals/question.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { plural, t } from '../../shared/text/l10n.ts';
import type { QuestionFiles } from '../evals/questionFiles.ts';
import type { ModelFiles } from '../model/modelFiles.ts';
import type { PastQuestions } from './pastQuestions.ts';

/**
 * The kinds of members with a lens. Members that a view includes get none: a lens on every line would hide the list.
 */
const ASKED_ABOUT: ReadonlySet<string> = new Set(['measure', 'dimension', 'segment']);

export class MemberLens implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #questionFiles: QuestionFiles;
  readonly #pastQuestions: PastQuestions;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #subscription: vscode.Disposable;
  readonly #files: ModelFiles;
  /** Questions of the history, read when the first model file is shown. */
  #past: readonly TestQuestion[] | undefined;

  constructor(files: ModelFiles, questionFiles: QuestionFiles, pastQuestions: PastQuestions) {
    this.#files = files;
    this.#questionFiles = questionFiles;
    this.#pastQuestions = pastQuestions;
    this.#subscription = questionFiles.onDidChange(() => this.#changed.fire());
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const folder = vscode.workspace.getWorkspaceFolder(document.uri);
    if (!folder || !vscode.workspace.isTrusted) return [];
    const { qualified } = await import('../../model/members.ts');
    const text = document.getText();
    const file = { path: document.uri.path, text };
    const own = await this.#files.membersIn(file);
    if (own.length === 0) return [];
    const error = await this.#files.errorIn(file);
    const { MemberUse } = await import('../../evals/check/questionUse.ts');
    const use = new MemberUse(
      [...(await this.#othersIn(folder, document.uri)), ...own],
      await this.#questionsOf(folder),
    );
    const lenses = own.flatMap((member) => {
      const questions = ASKED_ABOUT.has(member.kind) ? use.questionsOf(member) : [];
      // In a file with a syntax error, a member may have moved.
      if (questions.length === 0 || (error !== undefined && !text.startsWith(member.name!, member.offset))) return [];
      const position = document.positionAt(member.offset);
      return new vscode.CodeLens(new vscode.Range(position, position), {
        title: plainText(plural(questions.length, 'Ask · {0} question uses it|Ask · {0} questions use it')),
        command: 'analyticsChat.askAboutMember',
        arguments: [{ name: qualified(member), questions }],
      });
    });
    return error === undefined ? lenses : [errorLens(document.positionAt(error)), ...lenses];
  }

  /** Updates all lenses, and reads the history again. */
  refresh(): void {
    this.#past = undefined;
    this.#changed.fire();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  /** @returns the members of the folder's other model files, as they are on disk */
  async #othersIn(folder: vscode.WorkspaceFolder, except: vscode.Uri): Promise<MemberDefinition[]> {
    const key = folder.uri.toString();
    const others = (await this.#files.read()).filter(
      ({ uri }) =>
        uri.toString() !== except.toString() && vscode.workspace.getWorkspaceFolder(uri)?.uri.toString() === key,
    );
    return (await Promise.all(others.map((file) => this.#files.membersIn(file)))).flat();
  }

  /** The history is read in the background; until then, only tests count. */
  async #questionsOf(folder: vscode.WorkspaceFolder): Promise<TestQuestion[]> {
    const { withPastQuestions } = await import('../../evals/check/pastQuestions.ts');
    const tests = await this.#questionFiles.questionsOf(folder);
    if (this.#past === undefined) void this.#readPast();
    return withPastQuestions(tests, this.#past ?? []);
  }

  async #readPast(): Promise<void> {
    const before: readonly TestQuestion[] = (this.#past = []);
    // Without a readable history, only tests count.
    const past = await this.#pastQuestions.load().catch(() => []);
    // After a refresh, these may be the questions of another connection.
    if (this.#past !== before) return;
    this.#past = past;
    if (past.length > 0) this.#changed.fire();
  }
}

/** Says why the lenses don't follow the text. */
function errorLens(position: vscode.Position): vscode.CodeLens {
  const title = t('Syntax error: the members of this file are those of its last version without one');
  return new vscode.CodeLens(new vscode.Range(position, position), { title, command: '' });
}
