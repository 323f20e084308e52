import { describe, expect, it } from 'vitest';
import { Secret } from './secret';
import { workerCount } from './workers';

const databaseUrl = new Secret('postgres://a@b/c');

describe('how many processes serve', () => {
  it('is one a processor on Postgres in live, else one, unless it is configured', () => {
    expect(workerCount({ workers: undefined, databaseUrl, profile: 'live' }, 8)).toBe(8);
    expect(workerCount({ workers: 3, databaseUrl, profile: 'live' }, 8)).toBe(3);
    expect(workerCount({ workers: undefined, databaseUrl: null, profile: 'live' }, 8)).toBe(1);
    expect(workerCount({ workers: undefined, databaseUrl, profile: 'sandbox' }, 8)).toBe(1);
  });

  it.each([
    [
      'on SQLite',
      { workers: 2, databaseUrl: null, profile: 'live' as const },
      /workers: 2 processes cannot share SQLite.*DATABASE_URL/,
    ],
    [
      'in the sandbox',
      { workers: 2, databaseUrl, profile: 'sandbox' as const },
      /workers: the sandbox runs in one process/,
    ],
  ])('cannot be several %s', (_where, config, sentence) => {
    expect(() => workerCount(config, 8)).toThrow(sentence);
  });
});
