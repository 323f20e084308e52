import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { canonicalJson } from '@/lib/protocol/canonical-json';
import { describeStores } from '@/test/describe-stores';
import type { Database } from '../db/schema';
import { KeptReports } from './kept-reports';

const measurements = { kind: 'intel-tdx', mrTd: 'ab' };
const BOUNDS = { ofModelMax: 2, reportBytesMax: 200, bytesMax: 300 };

/** Notes a report of about 100 bytes, which names `address`. */
function note(kept: KeptReports, model: string, at: number, address: string | null = null, padding = 50) {
  const answered = { signing_address: address, model, at, padding: 'x'.repeat(padding) };
  const reported = { family: 'near', enclaves: [{ measurements }, { measurements: null }] } as never;
  kept.note(model, answered, { at, reported, verdict: 'verified' });
  const text = canonicalJson(answered);
  return { text, sha256: createHash('sha256').update(text).digest('hex') };
}

const ANY = { address: null, since: 0 };
const opened = (db: Database, bounds = BOUNDS) => new KeptReports(db, bounds);

describeStores('reports that receipts name', (open) => {
  it('are found by their hash from any process, with what the receipt says', async () => {
    const { db } = (await open()).store;
    const kept = opened(db);
    const { text, sha256 } = note(kept, 'm', 5_999);
    expect(await kept.read(sha256)).toBeUndefined();
    const named = await kept.of('m', ANY);
    expect(named).toEqual({
      facts: { sha256, fetchedAt: 5, family: 'near', verdict: 'verified', measurements: [measurements] },
      signingAddress: null,
    });
    expect(await opened(db).of('m', ANY)).toEqual(named);
    expect(await opened(db).read(sha256)).toBe(text);
    expect(await kept.of('other', ANY)).toBeNull();
  });

  it('are of the key that signed, in any case of its letters, and not too old', async () => {
    const kept = opened((await open()).store.db);
    const { sha256 } = note(kept, 'm', 5_000, '0xAB');
    expect(await kept.of('m', { address: '0xcd', since: 0 })).toBeNull();
    expect(await kept.of('m', { address: '0xab', since: 5_001 })).toBeNull();
    expect(await kept.of('m', { address: '0xaB', since: 5_000 })).toMatchObject({ facts: { sha256 } });
    // The report is stored now, and its age is the same as before.
    expect(await kept.of('m', { address: '0xab', since: 5_001 })).toBeNull();
  });

  it('serve several receipts, so that others do not drive them out', async () => {
    const kept = opened((await open()).store.db);
    const { sha256 } = note(kept, 'm', 1_000);
    await kept.of('m', ANY);
    note(kept, 'm', 2_000);
    expect(await kept.of('m', ANY)).toMatchObject({ facts: { sha256 } });
  });

  it('are the last few of a model, and bounded in bytes', async () => {
    const kept = opened((await open()).store.db);
    const made: string[] = [];
    const keep = async (model: string, at: number) => {
      made.push(note(kept, model, at).sha256);
      await kept.of(model, { address: null, since: at });
    };
    const left = async () => {
      const texts = await Promise.all(made.map((each) => kept.read(each)));
      return texts.map((text) => text !== undefined);
    };
    for (const at of [1_000, 2_000, 3_000]) await keep('m', at);
    expect(await left()).toEqual([false, true, true]);
    await keep('other', 4_000);
    await keep('third', 5_000);
    expect(await left()).toEqual([false, false, false, true, true]);
    note(kept, 'm', 9_000, null, 500);
    expect(await kept.of('m', { address: null, since: 9_000 })).toBeNull();
  });
});
