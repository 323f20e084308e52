import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isApiError } from '@/lib/protocol/errors';
import type { PaidCall } from '../billing/paid-call';
import { UploadPlaces } from '../http/multipart/uploaded-file';
import { ReceivedAudio } from './received-audio';
import type { Transcriptions } from './transcriptions';

const FOLDER = mkdtempSync(join(tmpdir(), 'received-'));

/** Sixteen places, of which one caller may have four. */
function uploads() {
  const places = new UploadPlaces(16);
  const options = { places, folder: FOLDER, config: { fileBytesMax: 1_000 } } as unknown as Transcriptions;
  const receive = async (accountId: number, seen: number, spendable: number): Promise<string | null> => {
    const received = new ReceivedAudio();
    onTestFinished(() => received.remove());
    const paid = {
      caller: { accountId },
      spendableNanoUsd: seen,
      spendable: () => Promise.resolve(spendable),
      header: (name: string) => (name === 'content-type' ? 'multipart/form-data; boundary=xx' : null),
      // The body ends at once, and its place is kept until `remove`.
      streamBody: async function* () {},
    } as unknown as PaidCall;
    const error: unknown = await received.receive(paid, options).catch((thrown: unknown) => thrown);
    return isApiError(error) ? error.code : null;
  };
  return { places, receive };
}

it.each([
  ['whose balance was read', 0],
  ['whose balance was not read', Infinity],
])('callers without funds %s share the places of one caller', async (_name, seen) => {
  const { places, receive } = uploads();
  for (let account = 1; account <= 4; account++) for (let each = 0; each < 4; each++) await receive(account, seen, 0);
  expect(places.taken).toBe(4);
  expect(await receive(5, seen, 0)).toBe('OVERLOADED');
  expect(await receive(6, seen, 1)).toBe(seen === 0 ? 'OVERLOADED' : 'INVALID_MULTIPART');
});

it('callers with funds have places of their own', async () => {
  const { places, receive } = uploads();
  for (const account of [1, 2]) for (let each = 0; each < 4; each++) await receive(account, 5, 5);
  expect(places.taken).toBe(8);
  expect(await receive(1, Infinity, 5)).toBe('OVERLOADED');
  expect(await receive(3, Infinity, 5)).toBe('INVALID_MULTIPART');
});
