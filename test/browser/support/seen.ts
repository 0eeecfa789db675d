import type { Locator } from 'playwright-core';

/**
 * What people perceive of a part of a page: the tree that a screen reader reads, with the roles, names and states of its
 * elements, then the icons and, each on its own line, the tooltips that say more than the name of their control, and
 * last the texts in other colors than the rest.
 * Announcements, which no one reads again, are left out.
 */
export async function seen(part: Locator): Promise<string> {
  const looks = await part.evaluate((root) => {
    const lines = ['looks:'];
    const colors = { quiet: 'descriptionForeground', link: 'textLink-foreground' };
    const colored = Object.keys(colors).map((): string[] => []);
    const shades = Object.values(colors).map((name) => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = `var(--vscode-${name})`;
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    });
    for (const each of root.querySelectorAll<HTMLElement>('*')) {
      if (!each.checkVisibility() || each.closest('[role=grid], svg')) continue;
      const text = [...each.childNodes].map((node) => (node instanceof Text ? node.data.trim() : '')).join('');
      if (text !== '') colored[shades.indexOf(getComputedStyle(each).color)]?.push(text);
      const { title, ariaLabel, ariaHasPopup, ariaExpanded } = each;
      if (title !== '' && title !== ariaLabel) lines.push(title.replaceAll('\n', ' / '));
      if (title === '' && each.matches('vscode-button[aria-label]')) lines.push(`no tooltip: ${ariaLabel}`);
      if (ariaHasPopup !== null) lines.push(`${lines.pop()} has ${ariaHasPopup}`);
      const icon = each.className.match(/(?<=codicon-)\S+/g);
      if (ariaExpanded === 'false') lines.push(`${lines.pop()} folded`);
      if (icon) lines.push(`${lines.pop()} ${icon.join('~')}`);
    }
    for (const [at, name] of Object.keys(colors).entries())
      if (colored[at]!.length > 0) lines.push(`${name}: ${colored[at]!.join(' | ')}`);
    return lines.join('\n  ');
  });
  const tree = (await part.ariaSnapshot()).replace(/^ *- status.*\n?/gm, '').trimEnd();
  return `${tree}\n${looks}`;
}
