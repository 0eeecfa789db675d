/** Finds user-visible strings in the sources that are not localized with `t`. */
import ts from 'typescript';

/**
 * Element attributes, and properties and calls of the VS Code API, whose strings are visible to users or read aloud.
 */
const attributes = new Set(['aria-label', 'aria-description', 'title', 'alt', 'placeholder', 'name', 'label']);
const properties = new Set([
  ...['title', 'label', 'description', 'detail', 'placeHolder', 'prompt', 'tooltip', 'saveLabel', 'openLabel'],
]);
/** Errors whose messages are shown to users. */
const errors = new Set(['ChatError', 'ChartProblem']);
const shown = new Set([
  ...['showInformationMessage', 'showWarningMessage', 'showErrorMessage', 'setStatusBarMessage'],
  ...['askWithWarning', 'askWithInformation', 'createQuickPick', 'withProgress', 'markdown', 'progress'],
]);

/**
 * @param name the file name; its extension decides whether JSX is parsed
 * @param source the text of the file
 * @returns the strings that are not localized, as `line: text`; also calls of `t` and `plural` without a literal or with
 * other values than its placeholders
 */
export function bareStrings(name: string, source: string): string[] {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const report = (node: ts.Node): void => {
    found.push(`${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${node.getText().trim()}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node) && isWords(node.text)) report(node);
    else if (ts.isJsxAttribute(node) && attributes.has(node.name.getText()))
      literalsOf(node.initializer).forEach(report);
    else if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) literalsOf(node).forEach(report);
    else if (ts.isPropertyAssignment(node) && properties.has(node.name.getText()))
      literalsOf(node.initializer).forEach(report);
    else if (ts.isNewExpression(node) && errors.has(node.expression.getText()))
      literalsOf(node.arguments?.[1]).forEach(report);
    else if (ts.isCallExpression(node)) visitCall(node);
    ts.forEachChild(node, visit);
  };
  const visitCall = (node: ts.CallExpression): void => {
    const { expression } = node;
    const called = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
    const at = ['t', 'plural'].indexOf(called);
    const text = node.arguments[at];
    if (text && !(ts.isStringLiteralLike(text) && hasValues(text.text, node.arguments.slice(at + 1), at === 1)))
      report(text);
    if (shown.has(called)) node.arguments.flatMap(literalsOf).forEach(report);
  };
  visit(file);
  return found;
}

/** The string literals that an expression can evaluate to; arguments of calls are not included. */
function literalsOf(node: ts.Node | undefined): ts.Node[] {
  if (!node) return [];
  if (ts.isStringLiteralLike(node)) return isWords(node.text) ? [node] : [];
  if (ts.isTemplateExpression(node)) {
    const texts = [node.head, ...node.templateSpans.map(({ literal }) => literal)];
    return texts.some(({ text }) => isWords(text)) ? [node] : [];
  }
  if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node)) return literalsOf(node.expression);
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(literalsOf);
  if (ts.isBinaryExpression(node)) return [node.left, node.right].flatMap(literalsOf);
  return [];
}

/** Whether there are as many values as placeholders; without values, `plural` inserts its count. */
function hasValues(text: string, values: readonly ts.Expression[], isPlural: boolean): boolean {
  const count = Math.max(0, ...Array.from(text.matchAll(/\{(\d+)\}/g), ([, index]) => Number(index) + 1));
  return (
    values.some(ts.isSpreadElement) || values.length === (isPlural && count === 1 && values.length === 0 ? 0 : count)
  );
}

/** Whether a text has words, apart from codicons, URLs and SQL's `NULL`. */
const isWords = (text: string): boolean => /\p{L}/u.test(text.replace(/\$\([\w~-]+\)|https?:\/\/\S+|\bNULL\b/g, ''));
