import type { Locator } from 'playwright-core';

/**
 * What people perceive of a part of a page: the tree that a screen reader reads, with the roles, names and states of its
 * elements, then the icons and, each on its own line, the tooltips that say more than the name of their control.
 * Announcements, which no one reads again, are left out.
 */
export async function seen(part: Locator): Promise<string> {
  const looks = await part.evaluate((root) => {
    const lines = ['looks:'];
    for (const each of root.querySelectorAll<HTMLElement>('[title], [aria-label], .codicon, [dir]')) {
      if (!each.checkVisibility()) continue;
      const { title, ariaLabel, ariaHasPopup } = each;
      if (title !== '' && title !== ariaLabel) lines.push(title.replaceAll('\n', ' / '));
      if (title === '' && each.localName === 'vscode-button') lines.push(`no tooltip: ${ariaLabel}`);
      if (ariaHasPopup !== null) lines.push(`${lines.pop()} has ${ariaHasPopup}`);
      const icon = each.className.match(/(?<=codicon-)\S+/g);
      if (icon) lines.push(`${lines.pop()} ${icon.join('~')}`);
    }
    return lines.join('\n  ');
  });
  const tree = (await part.ariaSnapshot()).replace(/^ *- status.*\n?/gm, '').trimEnd();
  return `${tree}\n${looks}`;
}
