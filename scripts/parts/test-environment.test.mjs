import fs from 'node:fs';
import { expect, test } from 'vitest';

import { createTestEnvironment, runMark } from './test-environment.mjs';

test("an operator's settings do not reach the tests, anything else does", () => {
  const environment = createTestEnvironment({
    PATH: '/bin',
    PORT: '80',
    HOST: '0.0.0.0',
    TURNPIKE_PROFILE: 'live',
    TURNPIKE_SECRET: 'x',
    RPC_ETHEREUM_MAINNET: 'https://node.example',
    PUBLIC_URL: 'https://example.com',
    DATABASE_URL: 'postgres://db.example/turnpike',
    PGPASSWORD: 'x',
    ATTESTATION_SAMPLES: '/samples',
  });
  try {
    expect(environment.env).toMatchObject({
      PATH: '/bin',
      ATTESTATION_SAMPLES: '/samples',
      [runMark]: environment.mark,
    });
    for (const name of [
      'PORT',
      'HOST',
      'TURNPIKE_PROFILE',
      'TURNPIKE_SECRET',
      'RPC_ETHEREUM_MAINNET',
      'PUBLIC_URL',
      'DATABASE_URL',
      'PGPASSWORD',
    ]) {
      expect(environment.env).not.toHaveProperty(name);
    }
    expect(fs.statSync(environment.folder).isDirectory()).toBe(true);
  } finally {
    environment.remove();
  }
  expect(fs.existsSync(environment.folder)).toBe(false);
});
