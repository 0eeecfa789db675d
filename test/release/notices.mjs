// @ts-check
/** Writes the license notices of all bundled packages. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {import('./bundled.mjs').BundledPackage} BundledPackage */

const rule = '-'.repeat(80);

/**
 * @param {readonly BundledPackage[]} packages bundled packages
 * @param {string} mit text of the MIT license, for packages that name it without including its text
 * @returns the text of `ThirdPartyNotices.txt`: each license once, after the packages that use it
 */
export function thirdPartyNotices(packages, mit) {
  /** @type {Map<string, string[]>} */
  const byLicence = new Map();
  for (const each of packages) {
    const text = licenseText(each, mit);
    byLicence.set(text, [...(byLicence.get(text) ?? []), `${each.name} ${each.version} (${each.license})`]);
  }
  return [
    'Analytics Chat for VS Code holds code and data of these packages.',
    ...[...byLicence].map(([text, names]) => `${rule}\n${names.join('\n')}\n${rule}\n\n${text}`),
    '',
  ].join('\n\n');
}

/** @param {BundledPackage} pack @param {string} mit */
function licenseText({ folder, name, license, author }, mit) {
  const files = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .sort();
  if (files.length > 0) return files.map((file) => plain(readFileSync(join(folder, file), 'utf8'))).join('\n\n');
  if (license !== 'MIT') throw new Error(`${name} does not hold the text of its license, ${license}.`);
  return plain(mit.replace(/^Copyright .*$/m, `Copyright (c) ${author}`));
}

/**
 * Removes byte-order marks, carriage returns and trailing white space.
 * @param {string} text
 */
const plain = (text) =>
  text
    .replace(/^\ufeff/, '')
    .replace(/[ \t\r]+$/gm, '')
    .replace(/^\n+|\n+$/g, '');
