// @ts-check
/** Writes the software bill of materials, for tools that look for known vulnerabilities. */
import { createHash } from 'node:crypto';

/** @typedef {{ name: string, version: string, license: string }} Product */

/**
 * The package URL (purl) of a package.
 * @param {Product} product
 */
export const purl = ({ name, version }) => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;

/**
 * @param {Product} product the extension
 * @param {readonly import('./bundled.mjs').BundledPackage[]} packages bundled packages
 * @returns a deterministic CycloneDX 1.6 document that lists exactly the bundled packages
 */
export function softwareBill(product, packages) {
  const ref = purl(product);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf([product, ...packages].map(purl).join('\n'))}`,
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': ref, ...component(product) } },
    components: packages.map((each) => ({
      type: 'library',
      'bom-ref': purl(each),
      ...component(each),
      ...(each.repository === undefined
        ? {}
        : { externalReferences: [{ type: 'vcs', url: each.repository.replace(/^git\+/, '') }] }),
    })),
    dependencies: [{ ref, dependsOn: packages.map(purl) }],
  };
}

/** @param {Product} each */
function component(each) {
  const { name, version, license } = each;
  // An expression such as "A OR B" takes the place of an id.
  const licenses = / /.test(license)
    ? [{ expression: license.replace(/^\((.*)\)$/, '$1') }]
    : [{ license: { id: license } }];
  return { name, version, purl: purl(each), licenses };
}

/**
 * A name-based UUID, so that two builds of one commit are identical.
 * @param {string} text
 */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
