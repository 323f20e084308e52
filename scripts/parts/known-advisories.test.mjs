import { expect, test } from 'vitest';

import { readAudit } from './known-advisories.mjs';

const advisory = (/** @type {string} */ severity) => ({
  vulnerabilities: {
    left: { severity, range: '<2', via: [{ title: 'Prototype pollution', url: 'https://example.org/1' }, 'deep'] },
  },
});

test('a package with a high or critical advisory is named, with why and what to do', () => {
  for (const severity of ['high', 'critical']) {
    expect(readAudit(JSON.stringify(advisory(severity)))).toEqual([
      `left <2 (${severity}): Prototype pollution https://example.org/1; through deep. Update it, or replace the package that depends on it.`,
    ]);
  }
});

test('lesser ones, and none, pass', () => {
  expect(readAudit(JSON.stringify(advisory('moderate')))).toEqual([]);
  expect(readAudit('{"vulnerabilities":{}}')).toEqual([]);
});

test('a registry without a list is no finding', () => {
  for (const output of [
    '',
    'npm error audit endpoint returned an error',
    '{"message":"405 Method Not Allowed"}',
    '{"error":{"code":"ENOTFOUND"}}',
  ])
    expect(readAudit(output)).toBeNull();
});
