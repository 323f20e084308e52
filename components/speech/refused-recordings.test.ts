import { expect, it } from 'vitest';
import { parseRefusedRecordings } from './refused-recordings';

const refused = {
  request: { input: 'Hello.', model: 'm', voice: 'v', response_format: 'mp3' },
  costUsd: '0.1',
  error: { kind: 'unreachable', baseUrl: 'http://gateway.example', hasBegun: false },
};

it('what was refused comes back as it was, as many as stand on the stage', () => {
  expect(parseRefusedRecordings([refused, refused, refused])).toEqual([refused, refused]);
});

it.each([
  null,
  'x',
  [null],
  [{ ...refused, error: null }],
  [{ ...refused, request: {} }],
  [{ ...refused, costUsd: 1 }],
])('is ignored if malformed: %j', (stored) => {
  expect(parseRefusedRecordings(stored) ?? []).toEqual([]);
});
