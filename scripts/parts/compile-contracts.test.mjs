import fs from 'node:fs';

import { beforeAll, describe, expect, it } from 'vitest';

import { abisFile, abisText, artifactFile, artifactText, compileContracts } from './compile-contracts.mjs';

describe('the committed artifacts', () => {
  /** @type {Awaited<ReturnType<typeof compileContracts>>} */
  let artifacts;
  beforeAll(async () => {
    artifacts = await compileContracts();
  }, 120_000);

  it('are what the sources compile to, so that nobody deploys what nobody can read', () => {
    for (const [name, artifact] of Object.entries(artifacts)) {
      expect(
        fs.readFileSync(artifactFile(name), 'utf8') === artifactText(artifact),
        `${name}: run node scripts/contracts.mjs`,
      ).toBe(true);
    }
  });

  it('have their interfaces in lib/protocol', () => {
    expect(fs.readFileSync(abisFile, 'utf8') === abisText(artifacts), 'run node scripts/contracts.mjs').toBe(true);
  });
});
