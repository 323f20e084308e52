/**
 * @typedef {object} LockedPackage
 * @property {string} [name] real name, if installed under another
 * @property {string} [version]
 * @property {string} [license]
 * @property {string} [integrity] Subresource Integrity: `sha512-` and Base64
 * @property {boolean} [dev]
 * @property {boolean} [optional]
 * @property {boolean} [link]
 */

/**
 * Makes a CycloneDX 1.6 bill of materials from a lock file. Two equal lock files give two equal bills, because a bill
 * contains neither a serial number nor a time.
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
  // A package URL escapes the scope's `@` but not its slash.
  const purl = `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
  const [, algorithm, digest] = /^(sha\d+)-(\S+)/.exec(integrity ?? '') ?? [];
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    scope: optional ? 'optional' : 'required',
    // The licence field of npm has an SPDX identifier, an SPDX expression, or another text.
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

/** Returns whether npm's licence field is not an SPDX licence. @param {string} license */
function isUnlisted(license) {
  return license === 'UNLICENSED' || license.startsWith('SEE');
}
