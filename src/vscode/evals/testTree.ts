/** The test items of the Test Explorer, which are questions below their files, and the last results of the tests. */
import * as vscode from 'vscode';
import { hasRule, questionKey, ruleText, tagsOf, type TestQuestion } from '../../evals/question.ts';
import { representingAnswers, type Verdict } from '../../evals/matrix/matrix.ts';
import { fieldsOf } from '../../shared/text/checks.ts';
import type { Thread } from '../../shared/thread/model.ts';
import { plainText } from '../../shared/text/plainText.ts';
import type { AskContext } from '../runs/askContext.ts';
import { rangeOf } from '../host/ranges.ts';
import type { FolderQuestions } from './questionFiles.ts';

/** A question with its test item. */
export interface QuestionTest {
  item: vscode.TestItem;
  folder: vscode.WorkspaceFolder;
  question: TestQuestion;
}

export class TestTree {
  readonly #controller: vscode.TestController;
  #tests = new Map<string, QuestionTest>();

  constructor(controller: vscode.TestController) {
    this.#controller = controller;
  }

  get ids(): ReadonlySet<string> {
    return new Set(this.#tests.keys());
  }

  /** Keeps existing items, because VS Code stores results by item. @returns the tests that are new or changed */
  update(folders: readonly FolderQuestions[]): QuestionTest[] {
    const before = this.#tests;
    this.#tests = new Map();
    const changed: QuestionTest[] = [];
    const files: vscode.TestItem[] = [];
    for (const { folder, questions } of folders)
      for (const [path, inFile] of Map.groupBy(questions, (question) => question.path)) {
        const file = this.#fileItem(folder, path, folders.length > 1);
        files.push(file);
        const tests = inFile.map((question) => {
          const id = `${folder.uri.toString()}#${questionKey(question)}`;
          const known = before.get(id);
          const test = { item: this.#questionItem(id, file, question, known?.item), folder, question };
          if (!known || contentOf(known.question) !== contentOf(question)) changed.push(test);
          this.#tests.set(id, test);
          return test;
        });
        file.children.replace(tests.map(({ item }) => item));
      }
    this.#controller.items.replace(files);
    return changed;
  }

  /** @returns the tests of a run request, in the order of the files */
  selected({ include, exclude }: Pick<vscode.TestRunRequest, 'include' | 'exclude'>): QuestionTest[] {
    const isIn = (items: readonly vscode.TestItem[], { item }: QuestionTest): boolean =>
      items.some(({ id }) => id === item.id || id === item.parent?.id);
    return [...this.#tests.values()].filter(
      (test) => (include === undefined || isIn(include, test)) && !isIn(exclude ?? [], test),
    );
  }

  #fileItem(folder: vscode.WorkspaceFolder, path: string, isNamed: boolean): vscode.TestItem {
    const uri = vscode.Uri.joinPath(folder.uri, path);
    const id = uri.toString();
    const item = this.#controller.items.get(id) ?? this.#controller.createTestItem(id, plainText(path), uri);
    item.description = isNamed ? plainText(folder.name) : undefined;
    return item;
  }

  #questionItem(
    id: string,
    file: vscode.TestItem,
    question: TestQuestion,
    known: vscode.TestItem | undefined,
  ): vscode.TestItem {
    const isKnown = known && known.uri?.toString() === file.uri?.toString();
    const item = isKnown ? known : this.#controller.createTestItem(id, plainText(question.name), file.uri);
    item.description = question.space === undefined ? undefined : plainText(question.space);
    item.range = rangeOf(question.range);
    // VS Code itself writes an @ before a tag.
    item.tags = tagsOf(question).map((tag) => new vscode.TestTag(tag.slice(1)));
    return item;
  }
}

/** The parts of a question that can change its verdict. */
const contentOf = ({ text, identity, expectedSql, baseline, access, behavior, turns }: TestQuestion): string =>
  JSON.stringify([
    ...[text, identity, expectedSql, baseline?.columns, baseline?.rows, access && ruleText(access)],
    ...[behavior, turns?.map(contentOf)],
  ]);

/** The result of a test in its last run. */
export interface TestResult {
  test: QuestionTest;
  /** With the branch, the identity and the connection of the run. */
  verdict: Verdict<AskContext>;
}

/** @returns where the test was asked */
export const contextOf = ({ verdict }: TestResult): AskContext => verdict.cells.at(-1)!.context;

/** @returns whether the result of an answer can become the expected result of its question */
export function canAccept({ question, status, expectation, attempt }: Verdict): boolean {
  const isOpen = status === 'skipped' || status === 'failed' || status === 'review';
  const isOther = hasRule(question) || (expectation !== undefined && expectation.from !== 'baseline');
  return isOpen && !isOther && attempt?.actual !== undefined && attempt.actual.loadError === undefined;
}

/** @returns the thread of the deciding answer, with all of its turns */
export const resultThread = ({ verdict }: TestResult): Thread | undefined =>
  representingAnswers(verdict).at(-1)?.thread;

/** Context key with the ids of the tests that offer *Accept as Expected* in the manifest. */
const ACCEPTABLE = 'analyticsChat.acceptableTests';

/** The last result of each test, for the actions in its menus. */
export class TestResults {
  readonly #results = new Map<string, TestResult>();

  keep(result: TestResult): void {
    this.#results.set(result.test.item.id, result);
    this.#offer();
  }

  /** Forgets the results of tests that no longer exist. */
  retain(ids: ReadonlySet<string>): void {
    for (const id of this.#results.keys()) if (!ids.has(id)) this.#results.delete(id);
    this.#offer();
  }

  #offer(): void {
    const acceptable = [...this.#results].flatMap(([id, { verdict }]) => (canAccept(verdict) ? id : []));
    void vscode.commands.executeCommand('setContext', ACCEPTABLE, acceptable);
  }

  /** @param argument of a command in a menu: a `TestItem`, or `{test, message}` */
  find(argument: unknown): TestResult | undefined {
    const fields = fieldsOf(argument);
    const { id } = 'test' in fields ? fieldsOf(fields.test) : fields;
    return typeof id === 'string' ? this.#results.get(id) : undefined;
  }
}
