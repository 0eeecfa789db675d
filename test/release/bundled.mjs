// @ts-check
/** Finds the npm packages that the bundles contain. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `folder` is absolute, `license` an SPDX expression.
 * @typedef {{ folder: string, name: string, version: string, license: string, author: string, repository: string | undefined }} BundledPackage
 */

/**
 * @param {string} root folder that the paths in the metafiles are relative to
 * @param {readonly import('esbuild').Metafile[]} metafiles esbuild's metadata of each bundle
 * @returns {BundledPackage[]} every package with code or data in a bundle, by name and version
 */
export function bundledPackages(root, metafiles) {
  /** @type {Set<string>} */
  const folders = new Set();
  for (const { outputs } of metafiles)
    for (const { inputs } of Object.values(outputs))
      for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
        const folder = /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
        if (folder !== undefined && bytesInOutput > 0) folders.add(join(root, folder));
      }
  return [...folders].map(readPackage).sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
}

/** @param {string} a @param {string} b */
const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * @param {string} folder
 * @returns {BundledPackage}
 */
function readPackage(folder) {
  const { name, version, license, author, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (typeof license !== 'string') throw new Error(`${name} does not say under which license it is.`);
  return {
    folder,
    name,
    version,
    license,
    author: author?.name ?? author ?? `the authors of ${name}`,
    repository: repository?.url ?? repository,
  };
}
