/** Reads a query over cubes and views, SELECT by SELECT. */
import { isCode, lexSql, type Token } from '../../shared/text/lexSql.ts';
import { isKeyword, isOperand } from './sqlWords.ts';
import { Scope } from './queryScope.ts';
import type { NamePart, Reference } from './reference.ts';

/** What a parenthesis encloses: a query, or a part of an expression. */
interface Frame {
  scope: Scope;
  isQuery: boolean;
  /** Whether the query combines several, so that its ORDER BY names output columns. */
  isCombined: boolean;
}

export class QueryReader {
  readonly #tokens: readonly Token[];
  readonly #found: Reference[] = [];
  readonly #scopes: Scope[] = [];
  /** Names of common table expressions, their columns, and windows, in lower case. */
  readonly #defined: ReadonlySet<string>;
  #frames: Frame[] = [];

  constructor(sql: string) {
    this.#tokens = lexSql(sql).filter(isCode);
    this.#defined = new Set(this.#tokens.flatMap((_, index) => this.#definedAt(index)));
  }

  read(): readonly Reference[] {
    this.#readTokens();
    return [...this.#found, ...this.#scopes.flatMap((scope) => scope.references(this.#defined))];
  }

  members(): ReturnType<Scope['members']> {
    this.#readTokens();
    return this.#scopes.flatMap((scope) => scope.members(this.#defined));
  }

  #readTokens(): void {
    this.#frames = [this.#frame(undefined)];
    for (let index = 0; index < this.#tokens.length; index = this.#next(index));
  }

  #frame(parent: Scope | undefined): Frame {
    const scope = new Scope(parent);
    this.#scopes.push(scope);
    return { scope, isQuery: true, isCombined: false };
  }

  /** Reads the token at the index. @returns the index of the next one */
  #next(index: number): number {
    const frame = this.#frames.at(-1)!;
    const { scope } = frame;
    const text = this.#text(index);
    switch (text) {
      case '(':
        this.#open(index, frame);
        return index + 1;
      case ')':
        if (this.#frames.length > 1) this.#frames.pop();
        return index + 1;
      case '*':
        if (frame.isQuery && scope.clause === 'select' && /^(?:select|distinct|all|,)$/.test(this.#text(index - 1)))
          scope.hasStar = true;
        return index + 1;
      case ';':
        this.#frames = [this.#frame(undefined)];
        return index + 1;
      case ',':
        if (frame.isQuery) this.#comma(scope);
        return index + 1;
      case 'union':
      case 'intersect':
      case 'except':
        this.#frames[this.#frames.length - 1] = { ...this.#frame(scope.parent), isCombined: true };
        return index + 1;
    }
    if (frame.isQuery && this.#isClause(index, frame)) return index + 1;
    return this.#isName(index) ? this.#name(index, frame) : index + 1;
  }

  #comma(scope: Scope): void {
    scope.item += 1;
    if (scope.clause !== 'from' && scope.clause !== 'on') return;
    scope.clause = 'from';
    scope.isTableNext = true;
  }

  #open(index: number, { scope }: Frame): void {
    const before = this.#text(index - 1);
    const isQuery = /^(?:select|with|values)$/.test(this.#text(index + 1)) && !this.#isName(index - 1);
    // A table or a common table expression does not see the other tables of the query.
    const isApart = (scope.isTableNext && before !== 'lateral') || before === 'as' || before === 'materialized';
    if (scope.isTableNext) {
      scope.isOpen = true;
      scope.isTableNext = false;
    }
    const inner = isQuery && this.#frame(isApart ? scope.parent : scope);
    this.#frames.push(inner || { scope, isQuery: false, isCombined: false });
  }

  /** Handles the word at the index if it begins a clause. */
  #isClause(index: number, { scope, isCombined }: Frame): boolean {
    switch (this.#text(index)) {
      case 'from':
        // IS DISTINCT FROM is an operator.
        if (this.#isWord(index - 1, 'distinct')) return true;
        scope.clause = 'from';
        scope.isTableNext = true;
        return true;
      case 'join':
        scope.clause = 'from';
        scope.isTableNext = true;
        return true;
      case 'on':
        if (scope.clause === 'from') scope.clause = 'on';
        return true;
      case 'where':
        scope.clause = 'where';
        return true;
      case 'group':
      case 'having':
      case 'qualify':
      case 'window':
      case 'order':
        scope.clause = 'order';
        if (isCombined) scope.isOpen = true;
        return true;
      case 'select':
        scope.clause = 'select';
        return true;
      case 'lateral':
      case 'values':
        scope.isOpen = true;
        return true;
      default:
        return false;
    }
  }

  /** Reads the name at the index, with the parts behind it. @returns the index behind it */
  #name(index: number, { scope, isQuery }: Frame): number {
    const parts = [this.#part(index)];
    let end = index + 1;
    for (; this.#text(end) === '.' && this.#isName(end + 1); end += 2) parts.push(this.#part(end + 1));
    const hasStar = this.#text(end) === '.';
    if (scope.isTableNext) {
      this.#table(parts, scope, end);
      return end;
    }
    if (this.#text(end) === '(') {
      // Columns of a table that are named anew.
      if (scope.clause === 'from') scope.isOpen = true;
      return end;
    }
    if (parts.length > 1 || hasStar) {
      scope.qualified.push(hasStar ? [...parts, { name: '*', start: 0 }] : parts);
      return end;
    }
    const { name } = parts[0]!;
    if (this.#isAlias(index)) {
      if (scope.clause === 'from') this.#tableAlias(name, scope, index);
      // An alias within parentheses is a type, or the column of a subquery.
      else if (isQuery) scope.aliases.set(name.toLowerCase(), scope.item);
    } else if (this.#isColumn(index)) scope.columns.push({ ...parts[0]!, clause: scope.clause, item: scope.item });
    return end;
  }

  #table(parts: readonly NamePart[], scope: Scope, end: number): void {
    scope.isTableNext = false;
    const [{ name }] = parts as [NamePart];
    if (parts.length > 1 || this.#text(end) === '(' || this.#defined.has(name.toLowerCase())) {
      scope.isOpen = true;
      return;
    }
    scope.tables.set(name.toLowerCase(), name);
    this.#found.push({ parts, owners: [], isPath: true, isOwner: true });
  }

  /** Names the last table anew. */
  #tableAlias(name: string, scope: Scope, index: number): void {
    const before = this.#isWord(index - 1, 'as') ? index - 2 : index - 1;
    const table = this.#isName(before) ? scope.tables.get(this.#part(before).name.toLowerCase()) : undefined;
    if (table === undefined) return;
    // The table may be used without its alias a second time.
    scope.tables.set(name.toLowerCase(), table);
  }

  #isAlias(index: number): boolean {
    if (this.#isWord(index - 1, 'as')) return true;
    const before = this.#tokens[index - 1];
    if (before === undefined) return false;
    return before.kind === 'word' ? isOperand(before.text) : before.kind !== 'symbol' || before.text === ')';
  }

  #isColumn(index: number): boolean {
    const before = this.#text(index - 1);
    const after = this.#tokens[index + 1];
    return (
      !/^(?:over|collate|[:$@`{[])$/.test(before) &&
      // A type with a literal, such as DATE '2024-01-01', and the name of an argument.
      after?.kind !== 'string' &&
      !(after?.text === '=' && this.#text(index + 2) === '>') &&
      after?.text !== '`'
    );
  }

  /** @returns the names in front of AS and a parenthesis: `name(columns) AS (…)` */
  #definedAt(index: number): string[] {
    if (this.#text(index) !== 'as') return [];
    let open = index + 1;
    while (/^(?:not|materialized)$/.test(this.#text(open))) open += 1;
    if (this.#text(open) !== '(') return [];
    let start = index - 1;
    if (this.#text(start) === ')') while (start > 0 && this.#text(start) !== '(') start -= 1;
    if (this.#text(start) === '(') start -= 1;
    const names: string[] = [];
    for (let at = start; at < index; at += 1) if (this.#isName(at)) names.push(this.#part(at).name.toLowerCase());
    return names;
  }

  /** @returns the token in lower case if it is no literal */
  #text(index: number): string {
    const token = this.#tokens[index];
    return token?.kind === 'word' || token?.kind === 'symbol' ? token.text.toLowerCase() : '';
  }

  #isWord(index: number, word: string): boolean {
    return this.#text(index) === word;
  }

  #isName(index: number): boolean {
    const token = this.#tokens[index];
    if (token?.kind === 'identifier') return /^"\w+"$/.test(token.text);
    // Behind a dot, a keyword is a name.
    return token?.kind === 'word' && (!isKeyword(token.text) || this.#text(index - 1) === '.');
  }

  /** @param index of a name */
  #part(index: number): NamePart {
    const { kind, text, start } = this.#tokens[index]!;
    return kind === 'identifier' ? { name: text.slice(1, -1), start: start + 1 } : { name: text, start };
  }
}
