/** Rules of Python that its grammar does not enforce, such as the order of arguments and indentation. */
import type { SyntaxNode, Tree } from '@lezer/common';
import { isBlank, lineAt } from '../../shared/text/lines.ts';
import type { Wrapper } from './wrapper.ts';

function literalBefore(tree: Tree, end: number): SyntaxNode | undefined {
  let node: SyntaxNode | null = tree.resolveInner(end, -1);
  while (node !== null && node.name !== 'String') node = node.parent;
  return node?.to === end ? node : undefined;
}

function beside(node: SyntaxNode, side: 'prevSibling' | 'nextSibling'): SyntaxNode | null {
  let next = node[side];
  while (next?.name === 'Comment') next = next[side];
  return next;
}

function lastBefore(node: SyntaxNode, names: RegExp): SyntaxNode | null {
  let before = node.prevSibling;
  while (before !== null && !names.test(before.name)) before = before.prevSibling;
  return before;
}

/** No positional argument may follow a named one, and a generator must be the only argument. */
function hasValidArguments(list: SyntaxNode): boolean {
  let isNamed = false;
  for (let item = list.firstChild; item !== null; item = item.nextSibling) {
    if (item.name === 'for') {
      const isLast = list.lastChild !== null && lastBefore(list.lastChild, /^(?:,|in)$/)?.name === 'in';
      return isLast && lastBefore(item, /^,$/) === null;
    }
    if (!/^[(,]$/.test(beside(item, 'prevSibling')?.name ?? '') || /^(?:[),*]|Comment)$/.test(item.name)) continue;
    const hasName = item.nextSibling?.name === 'AssignOp' || item.name === '**';
    if (isNamed && !hasName) return false;
    isNamed ||= hasName;
  }
  return true;
}

const NO_VALUE_BEHIND = /^(?:del|except|import|as|with|for|print)$/;
const NO_VALUE_IN = /^(?:TypeDef|ContinuedString|ExpressionStatement|Body|Script|StatementGroup|CallExpression)$/;
const STATEMENT = /Statement$|^(?:Script|Body|MatchClause|ClassDefinition)$/;

/** Whether the literal is a value rather than a statement, target, type or parameter. */
function isValue(literal: SyntaxNode): boolean {
  const { parent, prevSibling } = literal;
  if (parent === null || NO_VALUE_IN.test(parent.name) || NO_VALUE_BEHIND.test(prevSibling?.name ?? '')) return false;
  for (let node = literal; node.parent !== null; node = node.parent) {
    const { name } = node.parent;
    if (name === 'AssignStatement') return lastBefore(node, /^(?:Assign|Update)Op$/) !== null;
    if (STATEMENT.test(name)) return true;
  }
  return false;
}

/** Whether the statement is on its own line, with the indentation of its neighbors. */
function isIndented(statement: SyntaxNode, text: string): boolean {
  const block = statement.parent;
  const indentOf = ({ from }: SyntaxNode): string | undefined => {
    const before = text.slice(lineAt(text, from).start, from);
    return isBlank(before) ? before : undefined;
  };
  const own = indentOf(statement);
  if (own === undefined) return false;
  const others = [beside(statement, 'prevSibling'), beside(statement, 'nextSibling')].filter(
    (node): node is SyntaxNode => node !== null && node.name !== ':',
  );
  return others.every((node) => indentOf(node) === own) && (block?.name === 'Body' || others.length > 0 || own === '');
}

const LIST = /^(?:ArgList|(?:Array|Tuple|Set|Dictionary)Expression)$/;

function isBeforeItem(literal: SyntaxNode): boolean {
  const comma = beside(literal, 'nextSibling');
  const next = comma?.name === ',' ? beside(comma, 'nextSibling') : null;
  return LIST.test(literal.parent?.name ?? '') && next !== null && !/^[)\]}]$/.test(next.name);
}

/** @returns whether Python accepts the literal that ends at the offset, with the code before and after it */
export function takesLiteral(tree: Tree, text: string, end: number, { open, close }: Wrapper): boolean {
  const literal = literalBefore(tree, end);
  const parent = literal?.parent;
  if (!literal || !parent || (close.startsWith(',') && !isBeforeItem(literal))) return false;
  const { name, parent: owner } = parent;
  const isArgument = name === 'ArgList' && owner?.name !== 'ClassDefinition';
  // Only the docstring may come before imports from `__future__`.
  if (open.endsWith('sql = ')) return isIndented(parent, text) && !/^from __future__\b/m.test(text.slice(end));
  if (open.endsWith('"sql": '))
    return name === 'DictionaryExpression' && parent.getChildren(':').length + parent.getChildren('**').length > 1;
  if (open.endsWith('sql=')) {
    const isSql = ({ from, to, nextSibling }: SyntaxNode): boolean =>
      text.slice(from, to) === 'sql' && nextSibling?.name === 'AssignOp';
    return isArgument && hasValidArguments(parent) && parent.getChildren('VariableName').filter(isSql).length === 1;
  }
  if (name !== 'ArgList') return isValue(literal);
  return (isArgument || literal.prevSibling?.name === 'AssignOp') && hasValidArguments(parent);
}
