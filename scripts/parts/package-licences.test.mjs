import fs from 'node:fs';
import { describe, expect, test } from 'vitest';

import { exceptions, licensedPackages, renderLicences, undecided } from './package-licences.mjs';
import { inRepository } from './repository.mjs';

const lock = JSON.parse(fs.readFileSync(inRepository('package-lock.json'), 'utf8'));
const packages = licensedPackages(lock);

describe('the packages of this repository', () => {
  test('are under licences that are permissive or were decided on; nothing is under the AGPL', () => {
    expect(undecided(packages)).toEqual([]);
    expect(packages.filter(({ licence }) => /AGPL/i.test(licence))).toEqual([]);
  });

  test('are listed in the documents as they are', () => {
    expect(fs.readFileSync(inRepository('THIRD-PARTY-NOTICES.md'), 'utf8')).toBe(renderLicences(packages));
  });

  test('need every exception that is declared', () => {
    for (const { names, licence } of exceptions)
      expect(
        packages.some((each) => names.test(each.name) && each.licence.includes(licence)),
        String(names),
      ).toBe(true);
  });
});

test.each(['AGPL-3.0-or-later', 'GPL-3.0', 'LGPL-3.0-only', 'SSPL-1.0', 'MIT AND GPL-2.0', 'UNLICENSED', undefined])(
  '%s comes in for nobody',
  (license) => {
    expect(
      undecided(licensedPackages({ packages: { 'node_modules/new-one': { version: '1.0.0', license } } })),
    ).toHaveLength(1);
  },
);

test.each(['MIT', '(MIT OR GPL-3.0)', 'Apache-2.0 AND MIT', '(BSD-3-Clause OR GPL-2.0)'])(
  '%s may be used',
  (license) => {
    expect(
      undecided(licensedPackages({ packages: { 'node_modules/new-one': { version: '1.0.0', license } } })),
    ).toEqual([]);
  },
);
