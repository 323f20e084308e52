import { expect, test } from 'vitest';

import { compareRecordings } from './wire-recordings.mjs';

const line = (/** @type {number} */ status, path = '/a', body = '') =>
  JSON.stringify({
    test: 'a test',
    request: { method: 'GET', path, headers: {}, body: '' },
    answer: { status, headers: {}, body },
  });
const recording = (/** @type {string[]} */ ...lines) => new Map([['file', lines]]);

test('the same answers in another order are the same', () => {
  expect(compareRecordings(recording(line(200), line(429)), recording(line(429), line(200)))).toEqual({
    same: 2,
    differences: [],
  });
});

test('an answer of another status, or another body, is named with its test and request', () => {
  const { same, differences } = compareRecordings(
    recording(line(200), line(200, '/b')),
    recording(line(200), line(500, '/b')),
  );
  expect(same).toBe(1);
  expect(differences).toEqual([expect.stringMatching(/^file: a test\n {2}GET \/b\n {2}- .*200.*\n {2}\+ .*500/)]);
  expect(compareRecordings(recording(line(200)), recording(line(200, '/a', 'x'))).differences).toHaveLength(1);
});

test('a request that is missing or new is a difference', () => {
  expect(compareRecordings(recording(line(200), line(200)), recording(line(200))).differences).toHaveLength(1);
  expect(compareRecordings(recording(), recording(line(200))).differences).toHaveLength(1);
});
