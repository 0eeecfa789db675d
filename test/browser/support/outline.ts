/** What a page shows, as short text: what screen readers get, and what is only visible. */
import type { Locator } from 'playwright-core';

/** A node of Playwright's accessible tree; a field without a value is absent. */
interface Node {
  role: string;
  name?: string;
  text?: string;
  children?: (Node | string)[];
  [state: string]: unknown;
}

/** Maximum length of a line that holds several nodes. */
const LINE = 118;

/** @returns the accessible tree: names, states and texts, with short nodes in one line */
export async function outline(part: Locator): Promise<string> {
  const tree = (await part.ariaSnapshotJSON()) as unknown as Node[];
  return tree.map((node) => written(node, '')).join('\n');
}

function written(node: Node | string, indent: string): string {
  if (typeof node === 'string') return indent + JSON.stringify(node);
  const { role, name = '', text = '', children = [], ...states } = node;
  if (role === 'text') return indent + JSON.stringify(text);
  if (role === 'row') return `${indent}row ${children.map(writtenCell).join(' | ')}`;
  const own = [
    indent + role,
    ...(name === '' ? [] : [JSON.stringify(name)]),
    ...Object.entries(states).map(([key, value]) => (value === true ? key : `${key}=${String(value)}`)),
    // Icons are characters of a font.
    ...(text === '' || text === name || /^[\ue000-\uf8ff]$/.test(text) ? [] : [`(${text})`]),
  ].join(' ');
  if (children.length === 0) return own;
  const line = `${own} [${children.map((child) => written(child, '')).join(', ')}]`;
  if (line.length <= LINE && !line.includes('\n')) return line;
  return [own, ...packed(children.map((child) => written(child, `${indent}  `)))].join('\n');
}

/** Puts lines together, as far as they fit, that have none below them. */
function packed(lines: readonly string[]): string[] {
  const all: string[] = [];
  for (const line of lines) {
    const both = `${all.at(-1)}, ${line.trimStart()}`;
    if (all.length > 0 && !both.includes('\n') && both.length <= LINE && !/^ *row /.test(line))
      all[all.length - 1] = both;
    else all.push(line);
  }
  return all;
}

/** Headers have a mark. The name of a cell repeats what is in it. */
function writtenCell(cell: Node | string): string {
  if (typeof cell === 'string') return JSON.stringify(cell);
  const { role, name = '', text = '', children = [], ...states } = cell;
  const mark = { columnheader: '^', rowheader: '#' }[role] ?? '';
  const inner = children.length > 0 ? `[${children.map((child) => written(child, '')).join(', ')}]` : text || name;
  return [mark + inner, ...Object.keys(states)].join(' ');
}

/**
 * @returns what a part of a page shows beside its accessible tree, one line for each row of it: icons, tooltips (`titled`
 *   if they repeat the name), types of images, carets, placeholders, contexts of VS Code's menus, places in the tab order,
 *   alignment, colors of the theme, and what the tree does not contain
 */
export function looks(part: Locator, more: readonly string[] = []): Promise<string> {
  return part.evaluate((root, others) => {
    const probe = document.body.appendChild(document.createElement('i'));
    const colorOf = (name: string): string => {
      probe.style.color = '';
      probe.style.color = `var(--vscode-${name})`;
      return getComputedStyle(probe).color;
    };
    const tones = Object.entries({
      quiet: 'descriptionForeground',
      added: 'diffEditor-insertedTextBackground',
      removed: 'diffEditor-removedTextBackground',
      link: 'textLink-foreground',
      // Also of badges and of the current item of a menu.
      strong: 'button-background',
      chosen: 'list-inactiveSelectionBackground',
    }).map(([tone, name]) => [tone, colorOf(name)] as const);
    probe.remove();
    const toneOf = (color: string): string[] => tones.flatMap(([tone, wanted]) => (wanted === color ? [tone] : []));
    const told = (element: Element): string[] => {
      const style = getComputedStyle(element);
      const above = element.parentElement && getComputedStyle(element.parentElement);
      const said = [
        'current',
        'sort',
        'setsize',
        'posinset',
        'description',
        'busy',
        'haspopup',
        'live',
        ...others,
      ].flatMap((name) => {
        const value = element.getAttribute(`aria-${name}`);
        return value === null ? [] : [`${name}=${value}`];
      });
      const { title, tabIndex, dataset } = element as HTMLElement;
      const context = dataset.vscodeContext;
      const span = element instanceof HTMLTableCellElement ? [element.rowSpan, element.colSpan].join('×') : '1×1';
      return [
        ...(element.classList.contains('codicon-modifier-spin') ? ['spins'] : []),
        ...(element instanceof HTMLImageElement ? [element.src.slice(5, element.src.indexOf(';'))] : []),
        ...(getComputedStyle(element, '::after').width === '2px' ? ['caret'] : []),
        ...(title ? [title === element.ariaLabel ? 'titled' : `“${title.replaceAll('\n', ' / ')}”`] : []),
        ...(context ? [`context: ${Object.values(JSON.parse(context) as object).join(' ')}`] : []),
        ...((element as HTMLInputElement).placeholder ? ['placeholder'] : []),
        ...(element.hasAttribute('tabindex') ? [tabIndex < 0 ? 'no tab stop' : 'tab stop'] : []),
        ...(span === '1×1' ? [] : [span]),
        ...(element.matches('td, th') && style.textAlign !== 'start' ? [style.textAlign] : []),
        ...(element instanceof HTMLProgressElement ? [`${element.value} of ${element.max}`] : []),
        ...(style.color !== above?.color ? toneOf(style.color) : []),
        ...toneOf(style.backgroundColor),
        ...said,
      ];
    };
    const lines = new Map<Element | null, string[]>();
    for (const element of [root, ...root.querySelectorAll('*')]) {
      if (!element.checkVisibility() || element.closest('svg')) continue;
      const [whole, own] = [
        element.textContent,
        [...element.childNodes].map((each) => each.nodeType === 3 && each.nodeValue),
      ];
      const text = element.getAttribute('aria-label') ?? (whole.length > 24 ? own.filter(Boolean).join(' ') : whole);
      const icon = /codicon codicon-([\w-]+)/.exec(element.className)?.[1];
      const facts = told(element);
      if (facts.length === 0 && icon === undefined) continue;
      const name = icon === undefined ? text.replace(/\s+/g, ' ').trim() || element.localName : `<${icon}>`;
      const line = element.closest('tr, li, h1, h2, p, section, article, [role=row], [role=group]');
      lines.set(line, [...(lines.get(line) ?? []), facts.length > 0 ? `${name}: ${facts.join(', ')}` : name]);
    }
    return [...lines.values()].map((all) => all.join(' | ')).join('\n');
  }, more);
}
