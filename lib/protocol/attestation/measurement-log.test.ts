import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signingInput } from '../receipts/compact-jws';
import { RECEIPT_TYPE } from '../receipts/receipt';
import { type CheckedLog, checkMeasurementLog, MEASUREMENT_TYPE, type MeasurementEntry } from './measurement-log';

function keyPair(kid: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { kid, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid } };
}

const [KEY, OTHER] = [keyPair('one'), keyPair('two')];
const keys = { keys: [KEY.jwk] };
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

function signed(payload: unknown, key = KEY, type = MEASUREMENT_TYPE): string {
  const input = signingInput(key.kid, payload, type);
  return `${input}.${sign(null, Buffer.from(input), key.privateKey).toString('base64url')}`;
}

/** Signs a chain of entries, each changed before its signature. */
function chain(...changes: Partial<MeasurementEntry>[]): string[] {
  const signatures: string[] = [];
  changes.forEach((change, index) => {
    const before = signatures.at(-1);
    signatures.push(
      signed({
        version: 1,
        seq: index + 1,
        previous: before === undefined ? null : sha256(before),
        at: 1_000 + index,
        model: 'm',
        role: 'model',
        hardware: 'intel-tdx',
        registers: { mrTd: `0${index}` },
        changed: index === 0 ? [] : ['mrTd'],
        ...change,
      }),
    );
  });
  return signatures;
}

const check = (signatures: readonly string[], known?: { seq: number; sha256: string }) =>
  checkMeasurementLog({ signatures, keys, known: known ?? null });

describe('a log of measurements', () => {
  it('that is whole holds, and its head continues it', () => {
    const log = chain({}, {}, { model: 'other', changed: [] });
    const [first = '', , last = ''] = log;
    expect(check([])).toEqual({ fault: null, entries: [], head: null });
    const verdict = check(log, { seq: 1, sha256: sha256(first) });
    expect(verdict).toMatchObject({ fault: null, head: { seq: 3, sha256: sha256(last), key: 'one' } });
  });

  it('may be long: its end is checked from any entry, with earlier entries of a model', () => {
    const log = chain({}, {}, {}, { skipped: 7 });
    const [first = '', second = '', ...end] = log;
    const of = (more: Partial<CheckedLog>) => checkMeasurementLog({ signatures: end, keys, from: 3, ...more });
    expect(of({ known: { seq: 3, sha256: sha256(end[0] ?? '') }, earlier: [first] })).toMatchObject({
      fault: null,
      entries: [{ seq: 1 }, { seq: 3 }, { seq: 4, skipped: 7 }],
      head: { seq: 4 },
    });
    expect(of({ known: { seq: 3, sha256: 'ab'.repeat(32) } }).fault).toBe('fork');
    const unnamed = chain({}, {}, { changed: [] });
    expect(checkMeasurementLog({ signatures: unnamed.slice(2), keys, from: 3, earlier: [second] })).toMatchObject({
      reason: expect.stringContaining('what changed'),
    });
    expect(of({ from: 2 })).toMatchObject({ fault: 'broken', reason: expect.stringContaining('number 3') });
    expect(of({ earlier: [second, first] })).toMatchObject({ reason: expect.stringContaining('out of order') });
    expect(of({ earlier: [end[0] ?? ''] })).toMatchObject({ reason: expect.stringContaining('out of order') });
    expect(of({ earlier: [signed({}, { ...OTHER, kid: 'one' })] })).toMatchObject({ fault: 'broken' });
  });

  it('that contradicts an earlier head is a fork, and so is a shorter one', () => {
    const [one, other] = [chain({}, {}), chain({}, { at: 2_000 })];
    const known = { seq: 2, sha256: sha256(one[1] ?? '') };
    expect(check(one, known).fault).toBe(null);
    expect(check(other, known)).toEqual({
      fault: 'fork',
      reason: expect.stringContaining('differs from the entry 2'),
      head: { seq: 2, sha256: sha256(other[1] ?? ''), key: 'one' },
    });
    expect(check(one.slice(0, 1), known)).toEqual({
      fault: 'fork',
      reason: expect.stringContaining('now has 1'),
      head: { seq: 1, sha256: sha256(one[0] ?? ''), key: 'one' },
    });
  });

  it.each<[string, RegExp, readonly string[]]>([
    ['lacks its first entry', /number 2/, chain({}, {}).slice(1)],
    ['lacks one in the middle', /number 3/, chain({}, {}, {}).toSpliced(1, 1)],
    ['has entries of two histories', /does not follow/, [...chain({ at: 1 }), ...chain({}, {}).slice(1)]],
    ['names a wrong change', /what changed/, chain({}, { changed: [] })],
    ['dates an entry back', /older than the entry before/, chain({}, { at: 999 })],
    ['has an altered entry', /altered/, chain({}).map((text) => text.slice(0, -8) + 'AAAAAAAA'.slice(0, 8))],
    ['is signed by a key that is not listed', /not in the list/, [signed({ seq: 1 }, OTHER)]],
    ['is signed by another key under the name of a listed one', /altered/, [signed({}, { ...OTHER, kid: 'one' })]],
    ['has a receipt for an entry', /not a JWS/, [signed({ seq: 1 }, KEY, RECEIPT_TYPE)]],
    ['has an entry of another version', /version 1/, chain({ version: 2 as 1 })],
    ['has an entry of a time that no date has', /version 1/, chain({ at: 8_640_000_000_001 })],
    ['has no text of a JWS', /not a JWS/, ['']],
  ])('that %s is broken', (_name, why, signatures) => {
    expect(check(signatures)).toEqual({ fault: 'broken', reason: expect.stringMatching(why) });
  });
});
