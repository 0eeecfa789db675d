/** How the parts of a page look, as a table of properties, whose values are followed by the parts that have them. */
import type { CDPSession, Locator, Page } from 'playwright-core';

/** Names of parts by `property value`. */
type Styles = Record<string, string[]>;

const FOCUSABLE = 'main :is(button, a, summary, input, textarea, select, [tabindex])';

/** Adds up the looks of the parts of pages, in all states in which they are seen. */
export class SeenStyles {
  readonly #seen = new Map<string, Map<string, Set<string>>>();

  /** Adds the looks of what is shown in a part of a page: as it is, under the pointer, with the focus, in high contrast. */
  async see(page: Page, part: Locator): Promise<void> {
    const usual = await part.evaluate(stylesIn, false);
    this.#add('', usual, {});
    const cdp = await page.context().newCDPSession(page);
    for (const [variant, selector, states] of [
      ['hover ', 'main :is(button, a, li, tr, summary, article, label, [role])', ['hover', 'focus-within']],
      ['focus ', FOCUSABLE, ['focus', 'focus-visible']],
    ] as const) {
      const release = await force(cdp, selector, states);
      this.#add(variant, await part.evaluate(stylesIn, false), usual);
      await release();
    }
    await cdp.detach();
    await page.evaluate(() => document.body.classList.replace('vscode-dark', 'vscode-high-contrast'));
    this.#add('contrast ', await part.evaluate(stylesIn, true), usual);
    await page.evaluate(() => document.body.classList.replace('vscode-high-contrast', 'vscode-dark'));
  }

  /** @returns a line for each property */
  toString(): string {
    const lines = [...this.#seen].map(([property, values]) => {
      const parts = [...values].sort(([a], [b]) => (a < b ? -1 : 1));
      return `${property}: ${parts.map(([value, names]) => `${value} (${[...names].sort().join(' ')})`).join(', ')}`;
    });
    return lines.sort().join('\n');
  }

  #add(variant: string, styles: Styles, besides: Styles): void {
    for (const [look, names] of Object.entries(styles)) {
      const cut = look.indexOf(' ');
      const [property, value] = [look.slice(0, cut), variant + look.slice(cut + 1)];
      const values = this.#seen.get(property) ?? new Map<string, Set<string>>();
      for (const name of names) {
        // A part with one more class looks like one without it, but for what is told of it.
        const like = name.replace(/(\.[\w-]+)+(?=>|:|$)/g, '');
        if (besides[look]?.includes(name)) continue;
        if (like !== name && (names.includes(like) || values.get(value)?.has(like))) continue;
        this.#seen.set(property, values.set(value, (values.get(value) ?? new Set()).add(name)));
      }
    }
  }
}

async function force(cdp: CDPSession, selector: string, states: readonly string[]): Promise<() => Promise<void>> {
  await cdp.send('DOM.enable');
  await cdp.send('CSS.enable');
  const { root } = await cdp.send('DOM.getDocument');
  const { nodeIds } = await cdp.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector });
  const set = async (forcedPseudoClasses: string[]): Promise<void> => {
    await Promise.all(nodeIds.map((nodeId) => cdp.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses })));
  };
  await set([...states]);
  return () => set([]);
}

/** Runs in the page. @returns what differs from an element without styles, or is not inherited from the one around it */
function stylesIn(root: Element, hasContrast: boolean): Styles {
  const words = (list: string): string[] => list.split(' ');
  const page = document.documentElement;
  const before = page.style.cssText;
  const rules = [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules].map(({ cssText }) => cssText))
    .join('');
  // Each color of the theme is another one, and so has a name.
  const colors = new Map([['rgba(0, 0, 0, 0)', 'none']]);
  for (const name of new Set(rules.match(/--vscode-[\w-]+/g))) {
    if (/font-(family|size|weight)|^--vscode-contrast/.test(name) && !(hasContrast && /contrast/.test(name))) continue;
    const color = `rgb(1, ${colors.size >> 8}, ${colors.size & 255})`;
    colors.set(color, name.slice(9));
    page.style.setProperty(name, color);
  }
  for (const name of words('font-family editor-font-family')) page.style.setProperty(`--vscode-${name}`, name);
  const short = (value: string): string =>
    value.replace(/rgba?\(.*?\)/g, (color) => colors.get(color) ?? color).replace(/(\d)px\b/g, '$1');

  const shadow = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
  const plain = new Map<string, CSSStyleDeclaration>();
  const plainOf = ({ localName, attributes: { appearance } }: Element & { attributes: { appearance?: Attr } }) => {
    const created = plain.get(localName);
    if (created) return created;
    const element = document.createElement(localName);
    if (appearance) element.setAttribute('appearance', appearance.value);
    const style = getComputedStyle(shadow.appendChild(element));
    plain.set(localName, style);
    return style;
  };
  const OWN = words(
    'display flex flex-flow align-items justify-content gap padding border-radius background-color background-image ' +
      'overflow text-overflow -webkit-line-clamp position z-index opacity box-shadow vertical-align unicode-bidi ' +
      'table-layout object-fit field-sizing resize box-sizing order animation-name text-decoration-line clip-path ' +
      'container-type scroll-padding scrollbar-gutter content-visibility grid-template-columns',
  );
  const INHERITED = words(
    'color font-weight font-style font-family font-variant-numeric text-align white-space overflow-wrap cursor ' +
      'list-style-type border-collapse user-select',
  );
  const SIDES = words('top right bottom left');
  const SIZES = words('width height min-width min-height max-width max-height');
  const looksOf = (element: Element, pseudo: string | undefined): [string, string][] => {
    const style = getComputedStyle(element, pseudo);
    const around = pseudo ? getComputedStyle(element) : getComputedStyle(element.parentElement!);
    const usual = plainOf(pseudo ? document.createElement('span') : element);
    const isToolkit = element.localName.includes('-');
    const same = (name: string, other: CSSStyleDeclaration): boolean =>
      style.getPropertyValue(name) === other.getPropertyValue(name);
    const names = [
      ...OWN.filter((name) => !same(name, usual) && !(isToolkit && /^(display|background)/.test(name))),
      ...INHERITED.filter((name) => !same(name, around) && !(isToolkit && same(name, usual))),
    ].filter((name) => !(name === 'display' && style.display === 'block' && around.display.endsWith('flex')));
    const found = names.map((name): [string, string] => [name, style.getPropertyValue(name)]);
    const together = (name: string, of: (side: string) => string): void => {
      const all = SIDES.map(of);
      if (new Set(all).size === 1) found.push([name, all[0]!]);
      else SIDES.forEach((side, at) => found.push([`${name}-${side}`, all[at]!]));
    };
    together('border', (side) => {
      const [width, line, color] = words('width style color').map((of) =>
        style.getPropertyValue(`border-${side}-${of}`),
      );
      return width === '0px' || isToolkit ? '' : `${width} ${line} ${color}`;
    });
    if (style.outlineStyle !== 'none' && !isToolkit) found.push(['outline', `${style.outline} ${style.outlineOffset}`]);
    const [size, sizeAround] = [style, around].map((of) => Number.parseFloat(of.fontSize));
    const [height, heightAround] = [style, around].map(
      (of) => Number.parseFloat(of.lineHeight) / Number.parseFloat(of.fontSize),
    );
    if (!isToolkit && size !== sizeAround) found.push(['font-size', `${Math.round((size! / sizeAround!) * 100)}%`]);
    if (!isToolkit && height && height.toFixed(2) !== heightAround?.toFixed(2))
      found.push(['line-height', height.toFixed(2)]);
    if (pseudo) return found;
    const map = element.computedStyleMap();
    const sized = (name: string, initial: string): string => {
      const value = String(map.get(name));
      const isSet = (element as HTMLElement).style.getPropertyValue(name) !== '';
      return isSet || value === initial || value === usual.getPropertyValue(name) ? '' : value;
    };
    together('margin', (side) => sized(`margin-${side}`, '0px'));
    if (style.position !== 'static') together('inset', (side) => sized(side, 'auto'));
    for (const name of SIZES) found.push([name, sized(name, name.startsWith('max') ? 'none' : 'auto')]);
    return found;
  };
  const GENERIC = words('codicon action quiet');
  const nameOf = (element: Element): string => {
    const name = [...element.classList].filter((each) => !/^codicon-/.test(each)).join('.');
    if (element === root) return name || element.localName;
    if (name !== '' && !GENERIC.includes(name)) return name;
    return `${nameOf(element.parentElement!)}>${name || element.localName}`;
  };
  const found: Styles = {};
  const times = new Map<string, number>();
  for (const element of [root, ...root.querySelectorAll('*')]) {
    if (!element.checkVisibility() || element.matches('svg *, .visually-hidden *, vscode-button > *')) continue;
    const own = nameOf(element);
    const time = (times.get(own) ?? 0) + 1;
    // More of the same would only take time.
    if (times.set(own, time) && time > 3) continue;
    for (const pseudo of [undefined, '::before', '::after']) {
      if (pseudo && (getComputedStyle(element, pseudo).content === 'none' || element.matches('.codicon'))) continue;
      for (const [property, value] of looksOf(element, pseudo)) {
        if (value === '') continue;
        const names = (found[`${property} ${short(value)}`] ??= []);
        const name = own + (pseudo ?? '');
        if (!names.includes(name)) names.push(name);
      }
    }
  }
  // What most of a kind have in common is not told of each.
  for (const kind of GENERIC) {
    const isKind = (name: string): boolean => name.endsWith(`>${kind}`);
    const all = new Set(Object.values(found).flat().filter(isKind));
    for (const [look, names] of Object.entries(found))
      if (all.size > 1 && names.filter(isKind).length * 2 > all.size)
        found[look] = [...names.filter((name) => !isKind(name)), kind];
  }
  shadow.host.remove();
  page.style.cssText = before;
  return found;
}
