/** The names that JavaScript code outside of cubes and views declares, imports and uses. */
import type { SyntaxNode } from '@lezer/common';
import type { CodeDefinition, CodeImport, CodePart, ModelTree, UsedName } from './modelNode.ts';

const DECLARATIONS = new Set(['VariableDeclaration', 'FunctionDeclaration', 'ClassDeclaration']);

/** @param codeOf returns the code of a node without comments, formatting, cubes and views */
export function jsNames(
  top: SyntaxNode,
  text: string,
  codeOf: (node: SyntaxNode) => string,
): Pick<ModelTree, 'loose' | 'definitions' | 'imports' | 'names'> {
  const definitions: CodeDefinition[] = [];
  const imports: CodeImport[] = [];
  const loose: CodePart[] = [];
  for (let child = top.firstChild; child; child = child.nextSibling) {
    const found = importsOf(child, text);
    if (found) {
      imports.push(...found);
      continue;
    }
    const range = { start: child.from, end: child.to, text: codeOf(child) };
    const declaration = child.name === 'ExportDeclaration' ? declarationIn(child) : child;
    if (declaration && DECLARATIONS.has(declaration.name))
      definitions.push(...declaredIn(declaration, text).map((name) => ({ ...range, name })));
    else if (range.text !== '') loose.push(range);
  }
  return { definitions, imports, loose, names: usedIn(top, text) };
}

const declarationIn = (node: SyntaxNode): SyntaxNode | undefined =>
  [...DECLARATIONS].flatMap((name) => node.getChild(name) ?? [])[0];

function declaredIn(declaration: SyntaxNode, text: string): string[] {
  const names: string[] = [];
  declaration.cursor().iterate(({ name, from, to }) => {
    if (name === 'VariableDefinition') names.push(text.slice(from, to));
    // Local names are not declared for the file.
    return !['Block', 'ParamList', 'ClassBody', 'ArrowFunction', 'FunctionExpression'].includes(name);
  });
  return names;
}

/** @returns undefined for anything but an import or export of another file */
function importsOf(statement: SyntaxNode, text: string): CodeImport[] | undefined {
  const slice = (node: SyntaxNode): string => text.slice(node.from, node.to);
  // The text of `export default 'text'` is no path.
  const isImport = /^(?:Im|Ex)portDeclaration$/.test(statement.name) && !statement.getChild('default');
  const source = isImport ? statement.getChild('String') : requiredIn(statement, slice);
  if (!source) return undefined;
  const path = slice(source).slice(1, -1);
  const imports: CodeImport[] = [];
  let imported: string | undefined;
  statement.cursor().iterate(({ name, node }) => {
    if (name === 'Star' && statement.name === 'ExportDeclaration') imports.push({ name: '*', path });
    const isExport = name === 'VariableName' && statement.name === 'ExportDeclaration';
    const isRenamed = name === 'PropertyName' || node.nextSibling?.name === 'as';
    if (name === 'VariableDefinition' || (isExport && !isRenamed)) {
      // Everything but a default import, a namespace and a plain variable is in a group or pattern.
      const isNamed = /Group|Pattern/.test(node.parent!.name);
      imports.push({ name: slice(node), path, ...(isNamed ? { imported: imported ?? slice(node) } : {}) });
      imported = undefined;
    } else if (name === 'VariableName' || name === 'PropertyName') imported = slice(node);
    return true;
  });
  return imports;
}

/** @returns the path in `const … = require('path')` */
function requiredIn(statement: SyntaxNode, slice: (node: SyntaxNode) => string): SyntaxNode | undefined {
  const call = statement.name === 'VariableDeclaration' ? statement.getChild('CallExpression') : null;
  const isRequire = call?.firstChild && slice(call.firstChild) === 'require';
  return (isRequire && call.getChild('ArgList')?.getChild('String')) || undefined;
}

function usedIn(top: SyntaxNode, text: string): UsedName[] {
  const names: UsedName[] = [];
  top.cursor().iterate(({ name, from, to, node }) => {
    const isShorthand = name === 'PropertyDefinition' && node.prevSibling === null && node.nextSibling === null;
    if (name !== 'VariableName' && !isShorthand) return;
    const property = node.parent?.name === 'MemberExpression' ? node.parent.getChild('PropertyName') : null;
    const isObject = property !== null && node.parent!.firstChild!.from === from;
    names.push({
      name: text.slice(from, to) + (isObject ? `.${text.slice(property.from, property.to)}` : ''),
      start: from,
    });
  });
  return names;
}
