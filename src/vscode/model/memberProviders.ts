/** Completion, hover and Go to Definition for data model names. */
import * as vscode from 'vscode';
import { completionsAt, nameAt, type NameContext } from '../../shared/text/memberNames.ts';
import { positionAt } from '../../shared/text/sourceFile.ts';
import { titledMarkdownString } from '../host/notify.ts';
import { rangeInDocument, rangeOf } from '../host/ranges.ts';
import type { Members } from './members.ts';
import { plainText } from '../../shared/text/plainText.ts';
import type { ModelFiles } from './modelFiles.ts';

const LANGUAGES = ['sql', 'jinja-sql', 'yaml', 'javascript'];

class MemberProvider implements vscode.CompletionItemProvider, vscode.HoverProvider, vscode.DefinitionProvider {
  readonly #members: Members;
  readonly #files: ModelFiles;

  constructor(members: Members, files: ModelFiles) {
    this.#members = members;
    this.#files = files;
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.CompletionItem[]> {
    const { definitions } = this.#members;
    if (definitions.length === 0) return [];
    const offset = document.offsetAt(position);
    const { start, candidates } = completionsAt(
      document.getText(),
      offset,
      definitions,
      await this.#contextAt(document, offset),
    );
    const range = new vscode.Range(document.positionAt(start), position);
    return candidates.map(({ name, insertText, kind, detail, documentation }) => {
      const item = new vscode.CompletionItem(
        plainText(name),
        kind === 'member' ? vscode.CompletionItemKind.Field : vscode.CompletionItemKind.Class,
      );
      item.insertText = insertText;
      item.detail = detail;
      item.documentation = documentation;
      item.range = range;
      return item;
    });
  }

  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const found = await this.#nameAt(document, position);
    if (!found) return undefined;
    const { definition, member } = found;
    const title = member?.title || member?.name || definition.title || definition.name;
    const facts = member ? [member.name, member.type, member.aggType] : [definition.name, definition.type];
    const text = titledMarkdownString(title, facts.filter(Boolean).join(' · '), member?.description ?? '');
    return new vscode.Hover(text, rangeInDocument(document, found));
  }

  async provideDefinition(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Location[]> {
    const found = await this.#nameAt(document, position);
    if (!found) return [];
    const files = await this.#files.read();
    const { findDefinition } = await import('../../model/usedMembers.ts');
    const members = await Promise.all(files.map((file) => this.#files.membersIn(file)));
    const { endOfName } = await import('../../model/members.ts');
    return findDefinition(members.flat(), found.name).map(({ path, offset }) => {
      const { uri, text } = files.find((each) => each.path === path)!;
      const range = rangeOf({ start: positionAt(text, offset), end: positionAt(text, endOfName(text, offset)) });
      return new vscode.Location(uri, range);
    });
  }

  async #nameAt(document: vscode.TextDocument, position: vscode.Position) {
    const { definitions } = this.#members;
    if (definitions.length === 0) return undefined;
    const offset = document.offsetAt(position);
    return nameAt(document.getText(), offset, definitions, await this.#contextAt(document, offset));
  }

  /** Finds the cube or view in a model file that `CUBE` means at an offset. */
  async #contextAt(document: vscode.TextDocument, offset: number): Promise<NameContext> {
    const members = await this.#files.membersIn({ path: document.uri.path, text: document.getText() });
    const owner = members.find(({ name, node }) => name === undefined && node.start <= offset && offset <= node.end);
    return owner ? { cube: owner.owner } : {};
  }
}

export function provideMembers(members: Members, files: ModelFiles): vscode.Disposable {
  const provider = new MemberProvider(members, files);
  return vscode.Disposable.from(
    vscode.languages.registerCompletionItemProvider(LANGUAGES, provider, '.'),
    vscode.languages.registerHoverProvider(LANGUAGES, provider),
    vscode.languages.registerDefinitionProvider(LANGUAGES, provider),
  );
}
