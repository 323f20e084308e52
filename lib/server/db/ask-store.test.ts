import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { apiError } from '@/lib/protocol/errors';
import { askStore } from './ask-store';

describe('asking the store', () => {
  it('gives what it answers', async () => {
    expect(await askStore(() => Promise.resolve(1))).toBe(1);
  });

  it('is 503 where nobody answers', async () => {
    await expect(askStore(() => new pg.Client({ host: '127.0.0.1', port: 1 }).connect())).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      cause: { code: 'ECONNREFUSED' },
    });
  });

  it.each([
    ['57P01', 'FATAL'],
    ['57P03', 'ERROR'],
    ['53300', 'ERROR'],
    ['08006', 'ERROR'],
  ])('is 503 where the server cannot serve (%s)', async (code, severity) => {
    const error = Object.assign(new pg.DatabaseError('away', 1, 'error'), { code, severity });
    await expect(askStore(() => Promise.reject(error))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  it('rethrows the error of a statement that the server refuses', async () => {
    const error = Object.assign(new pg.DatabaseError('duplicate key', 1, 'error'), {
      code: '23505',
      severity: 'ERROR',
    });
    await expect(askStore(() => Promise.reject(error))).rejects.toBe(error);
  });

  it.each([apiError('NOT_FOUND'), new TypeError('a fault of ours')])(
    'leaves what is no matter of the store as it is: %s',
    async (error) => {
      await expect(askStore(() => Promise.reject(error))).rejects.toBe(error);
    },
  );
});
