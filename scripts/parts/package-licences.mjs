/**
 * @typedef {object} LicensedPackage
 * @property {string} name
 * @property {string} version
 * @property {string} licence SPDX expression from package-lock.json
 * @property {boolean} isDevelopment needed only to build or test
 * @property {boolean} isOptional npm may skip it
 */

/** Licences that require at most attribution. */
const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'OFL-1.1',
  'Python-2.0',
]);

/**
 * Packages that are accepted with another licence, and the reason for each. The tests fail for any other such package.
 *
 * @type {readonly {names: RegExp, licence: string, because: string}[]}
 */
export const exceptions = [
  {
    names: /^(lightningcss(-.*)?|axe-core|@axe-core\/playwright)$/,
    licence: 'MPL-2.0',
    because: 'builds and tests alone; nothing of it ships',
  },
  {
    names: /^(mediabunny|@mediabunny\/(aac|flac)-encoder)$/,
    licence: 'MPL-2.0',
    because: 'used as published; its own files stay under its licence',
  },
  {
    names: /^@img\/sharp-/,
    licence: 'LGPL-3.0-or-later',
    because: 'libvips as a shared library that Next and the sandbox may load for images; optional, replaceable',
  },
  {
    names: /^rpc-websockets$/,
    licence: 'LGPL-3.0-only',
    because: 'used as published by @solana/web3.js in the wallet adapter; replaceable',
  },
  {
    names: /^@echogarden\/espeak-ng-emscripten$/,
    licence: 'GPL-3.0',
    because: "the sandbox's voice, in a program of its own; optional, replaceable, absent from live",
  },
];

/** Licences that were read from the packages' own files, because their lock entries state none. */
const readByHand = new Map([
  ['eyes', 'MIT'],
  ['text-encoding-utf-8', 'Unlicense'],
  ['memorystream', 'MIT'],
]);

/**
 * Returns the packages of a lock file, sorted by name. Returns each version of a package once.
 *
 * @param {{packages: Record<string, {version?: string, license?: string, dev?: boolean, optional?: boolean,
 * devOptional?: boolean}>}} lock
 * @returns {LicensedPackage[]}
 */
export function licensedPackages(lock) {
  /** @type {Map<string, LicensedPackage>} */
  const found = new Map();
  for (const [place, entry] of Object.entries(lock.packages)) {
    if (!place.startsWith('node_modules/') || !entry.version) continue;
    const name = place.replace(/^.*node_modules\//, '');
    const known = found.get(`${name}@${entry.version}`);
    const isDevelopment = Boolean(entry.dev ?? entry.devOptional) && (known?.isDevelopment ?? true);
    const isOptional = Boolean(entry.optional) && (known?.isOptional ?? true);
    found.set(`${name}@${entry.version}`, {
      name,
      version: entry.version,
      licence: entry.license ?? readByHand.get(name) ?? 'unknown',
      isDevelopment,
      isOptional,
    });
  }
  return [...found.values()].sort((a, b) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1,
  );
}

/**
 * Returns packages whose licence is neither permissive nor an accepted exception.
 * @param {readonly LicensedPackage[]} packages
 */
export function undecided(packages) {
  return packages.filter(
    ({ name, licence }) =>
      !isPermissive(licence) && !exceptions.some((each) => each.names.test(name) && licence.includes(each.licence)),
  );
}

/**
 * Returns whether a licence expression is permissive. In an AND, all licences must be permissive; in an OR, at least
 * one.
 *
 * @param {string} expression
 */
function isPermissive(expression) {
  const bare = expression.replace(/[()]/g, '');
  return bare
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => permissive.has(licence) || licence === 'Unlicense'));
}

/**
 * Renders THIRD-PARTY-NOTICES.md.
 * @param {readonly LicensedPackage[]} packages
 */
export function renderLicences(packages) {
  const shipped = packages.filter(({ isDevelopment }) => !isDevelopment);
  /** @type {Map<string, LicensedPackage[]>} */
  const byLicence = new Map();
  for (const each of shipped) byLicence.set(each.licence, [...(byLicence.get(each.licence) ?? []), each]);
  const tables = [...byLicence]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([licence, group]) => `## ${licence}\n\n${group.map(({ name, version }) => `${name} ${version}`).join(', ')}\n`,
    );
  const reasons = exceptions.map(({ licence, names, because }) => {
    const matching = [...new Set(packages.filter(({ name }) => names.test(name)).map(({ name }) => name))];
    return `| ${licence} | ${matching.join(', ')} | ${because} |`;
  });
  return [
    '# Packages that the product runs on',
    '',
    `Written by \`npm run licences\` from package-lock.json: ${shipped.length} packages, without what only builds and tests need. The tests fail where this list is old, and where a package comes in under a licence that is neither permissive nor named here:`,
    '',
    '| licence | packages | why it may stand here |',
    '|---|---|---|',
    ...reasons,
    '',
    ...tables,
  ].join('\n');
}
