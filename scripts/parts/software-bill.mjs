/**
 * @typedef {object} LockedPackage
 * @property {string} [name] where it is installed under another
 * @property {string} [version]
 * @property {string} [license]
 * @property {string} [integrity] as of Subresource Integrity: `sha512-` and Base64
 * @property {boolean} [dev]
 * @property {boolean} [optional]
 * @property {boolean} [link]
 */

/**
 * A CycloneDX 1.6 bill of materials of what a lock file installs. The same lock makes the same bill: it has no serial
 * number and no time.
 *
 * @param {{name: string, version: string, packages: Record<string, LockedPackage>}} lock
 * @param {{withDevelopment?: boolean}} [options]
 */
export function softwareBill(lock, { withDevelopment = false } = {}) {
  /** @type {Map<string, ReturnType<typeof componentOf>>} */
  const components = new Map();
  for (const [place, locked] of Object.entries(lock.packages)) {
    const at = place.lastIndexOf('node_modules/');
    if (at < 0 || locked.link || locked.version === undefined || (locked.dev && !withDevelopment)) continue;
    const component = componentOf(locked.name ?? place.slice(at + 'node_modules/'.length), locked.version, locked);
    components.set(component['bom-ref'], component);
  }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': `pkg:npm/${lock.name}@${lock.version}`,
        name: lock.name,
        version: lock.version,
        purl: `pkg:npm/${lock.name}@${lock.version}`,
      },
    },
    components: [...components.keys()].sort().map((ref) => components.get(ref)),
  };
}

/** @param {string} name @param {string} version @param {LockedPackage} locked */
function componentOf(name, version, { license, integrity, optional }) {
  // A scope's sign is escaped in a package URL, and its slash is not.
  const purl = `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
  const [, algorithm, digest] = /^(sha\d+)-(\S+)/.exec(integrity ?? '') ?? [];
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    scope: optional ? 'optional' : 'required',
    // Names of SPDX, and expressions of them.
    ...(license && {
      licenses: [
        /^[\w.+-]+$/.test(license)
          ? { license: isUnlisted(license) ? { name: license } : { id: license } }
          : { expression: license },
      ],
    }),
    ...(algorithm &&
      digest && {
        hashes: [{ alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') }],
      }),
  };
}

/** What npm has in place of a licence that SPDX knows. @param {string} license */
function isUnlisted(license) {
  return license === 'UNLICENSED' || license.startsWith('SEE');
}
