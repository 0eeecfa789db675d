import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { repoRoot } from '../../vscode/paths.ts';

/**
 * Saves a screenshot of the page in `out/screenshots`, for people to look at.
 * @param name file name without extension; anything but letters and digits becomes a dash
 * @returns the path of the file
 */
export async function screenshot(page: Page, name: string): Promise<string> {
  const path = join(repoRoot, 'out', 'screenshots', `${name.replace(/[^\p{L}\p{N}]+/gu, '-')}.png`);
  await page.screenshot({ path });
  return path;
}
