/** The license notices match the packages in the bundles. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { before, describe, it } from 'mocha';
import { bundles, commandLine } from '../../../esbuild.mjs';
import { bundledPackages, type BundledPackage } from '../../release/bundled.mjs';
import { thirdPartyNotices } from '../../release/notices.mjs';
import { purl, softwareBill } from '../../release/sbom.mjs';
import { repoRoot } from '../../vscode/paths.ts';

/** The bundles of the extension and of the command line, built like `npm run build` but in memory. */
async function metafiles(): Promise<Metafile[]> {
  const made = [...bundles, commandLine].map((options) => build({ ...options, absWorkingDir: repoRoot, write: false }));
  return (await Promise.all(made)).map(({ metafile }) => metafile ?? assert.fail('no metafile'));
}

describe('packages in the bundles', () => {
  let packages: BundledPackage[];
  const named = (name: string): boolean => packages.some((each) => each.name === name);

  before(async () => {
    packages = bundledPackages(repoRoot, await metafiles());
  });

  it('are detected in every bundle', () => {
    // Packages of the host, of the page, of its style sheet and of the charts.
    for (const name of ['sql-formatter', 'preact', '@vscode/codicons', 'vega-interpreter'])
      assert.ok(named(name), name);
    for (const name of ['typescript', 'esbuild', '@vscode/vsce', 'vega-embed']) assert.ok(!named(name), name);
  });

  it('are in ThirdPartyNotices.txt with their licenses (npm run build writes it)', () => {
    const read = (file: string): string => readFileSync(join(repoRoot, file), 'utf8');
    assert.equal(read('ThirdPartyNotices.txt'), thirdPartyNotices(packages, read('LICENSE')));
  });

  it('have licenses that allow shipping them', () => {
    const allowed = /^(MIT|ISC|0BSD|BSD-[23]-Clause|CC-BY-4\.0|\(MPL-2\.0 OR Apache-2\.0\))$/;
    assert.deepEqual(
      packages.filter(({ license }) => !allowed.test(license)).map(({ name, license }) => `${name}: ${license}`),
      [],
    );
  });

  it('are exactly those in the bill of materials, which is deterministic', () => {
    const product = { name: 'analytics-chat', version: '1.2.3', license: 'MIT' };
    const bill = softwareBill(product, packages) as { components: { purl: string }[] };
    assert.deepEqual(
      bill.components.map((component) => component.purl),
      packages.map(purl),
    );
    assert.deepEqual(softwareBill(product, packages), bill);
  });
});
