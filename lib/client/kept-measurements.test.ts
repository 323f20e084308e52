import { describe, expect, it } from 'vitest';
import type { LogVerdict } from '@/lib/protocol/attestation/measurement-log';
import {
  keptAfter,
  keptHead,
  type KeptMeasurement,
  measurementWarnings,
  readKept,
  withoutGateway,
} from './kept-measurements';

const ORIGIN = 'https://gateway.example';

const verdictOf = (...mrTds: string[]) =>
  ({
    conclusion: 'verified',
    enclaves: mrTds.map((mrTd) => ({
      role: 'model',
      hardware: 'intel-tdx',
      isUsed: true,
      measurements: { kind: 'intel-tdx', mrTd, rtMr0: '00' },
    })),
  }) as never;

const logTo = (seq: number): LogVerdict => ({
  fault: null,
  entries: [],
  head: { seq, sha256: `${seq}`.repeat(64).slice(0, 64), key: 'one' },
});

const look = (log: LogVerdict | null | undefined, ...mrTds: string[]) => ({
  origin: ORIGIN,
  model: 'm',
  verdict: verdictOf(...mrTds),
  log,
});

const after = (
  kept: readonly KeptMeasurement[],
  seen: ReturnType<typeof look>,
  { nowMs = 1_000, acceptsChange = true } = {},
) => keptAfter(kept, seen, { nowMs, acceptsChange });

describe('what a client keeps of a log of measurements', () => {
  it('is trusted at the first look: head, key and measurements, for the next', () => {
    const first = look(logTo(2), 'aa');
    expect(measurementWarnings([], first)).toEqual([]);
    const kept = after([], first);
    expect(keptHead(kept, ORIGIN)).toEqual({
      origin: ORIGIN,
      model: 'm',
      seq: 2,
      sha256: '2'.repeat(64),
      key: 'one',
      atMs: 1_000,
      measured: [{ model: 'm', role: 'model', hardware: 'intel-tdx', registers: { mrTd: 'aa', rtMr0: '00' } }],
    });
    expect(readKept(JSON.parse(JSON.stringify(kept)))).toEqual(kept);
    expect(keptHead(kept, 'https://other.example')).toBeNull();
  });

  it('is the head of all models of a gateway, of which the newest counts', () => {
    const kept = after(after([], { ...look(logTo(5), 'aa'), model: 'other' }), look(logTo(3), 'aa'));
    expect(keptHead(kept, ORIGIN)?.seq).toBe(5);
    expect(withoutGateway(kept, ORIGIN)).toEqual([]);
  });

  it('warns of a change with old and new, until it is accepted', () => {
    const kept = after([], look(logTo(1), 'aa'));
    const changed = look(logTo(2), 'bb');
    const warning = {
      kind: 'changed',
      atMs: 1_000,
      changes: [{ role: 'model', what: 'measurement', name: 'mrTd', before: 'aa', now: 'bb' }],
    };
    expect(measurementWarnings(kept, changed)).toEqual([warning]);
    const waiting = after(kept, changed, { nowMs: 2_000, acceptsChange: false });
    expect(measurementWarnings(waiting, changed)).toEqual([warning]);
    expect(keptHead(waiting, ORIGIN)?.seq).toBe(2);
    expect(measurementWarnings(after(waiting, changed), changed)).toEqual([]);
  });

  it('takes a further instance that measures the same for no change, and one that measures else for one', () => {
    const kept = after([], look(logTo(1), 'aa'));
    expect(measurementWarnings(kept, look(logTo(1), 'aa', 'aa'))).toEqual([]);
    expect(measurementWarnings(kept, look(logTo(1), 'aa', 'bb'))).toHaveLength(1);
  });

  it('warns of two histories with both heads and of a broken log, and then keeps what it had', () => {
    const kept = after([], look(logTo(2), 'aa'));
    const shown = { seq: 2, sha256: 'ff'.repeat(32), key: 'two' };
    const fork = look({ fault: 'fork', reason: 'Why.', head: shown }, 'aa');
    expect(measurementWarnings(kept, fork)).toEqual([
      { kind: 'fork', reason: 'Why.', atMs: 1_000, kept: { seq: 2, sha256: '2'.repeat(64), key: 'one' }, shown },
    ]);
    expect(after(kept, fork)).toBe(kept);
    const broken = look({ fault: 'broken', reason: 'Why.' }, 'aa');
    expect(measurementWarnings(kept, broken)).toEqual([{ kind: 'broken', reason: 'Why.' }]);
    expect(after(kept, broken)).toBe(kept);
  });

  it('warns of a change whatever the log says, and of a log that cannot be read where one was read before', () => {
    const kept = after([], look(logTo(2), 'aa'));
    const changed = expect.objectContaining({ kind: 'changed', atMs: 1_000 });
    expect(measurementWarnings(kept, look(undefined, 'bb'))).toEqual([changed]);
    expect(measurementWarnings(kept, look(null, 'aa'))).toEqual([{ kind: 'unread' }]);
    expect(measurementWarnings([], look(null, 'aa'))).toEqual([]);
    for (const log of [null, { fault: 'broken', reason: '' }, { fault: 'fork', reason: '', head: null }] as const) {
      const seen = look(log, 'bb');
      const ofLog = expect.objectContaining({ kind: log?.fault ?? 'unread' });
      expect(measurementWarnings(kept, seen)).toEqual([ofLog, changed]);
    }
  });

  it('accepts a change without a log, and still expects the log that was read before', () => {
    const kept = after([], look(logTo(2), 'aa'));
    const unread = look(null, 'bb');
    expect(after(kept, unread, { acceptsChange: false })).toBe(kept);
    expect(after(kept, look(null, 'aa'))).toBe(kept);
    expect(after([], unread)).toEqual([]);
    const accepted = after(kept, unread, { nowMs: 2_000 });
    expect(accepted).toMatchObject([{ seq: 2, sha256: '2'.repeat(64), atMs: 2_000 }]);
    expect(measurementWarnings(accepted, unread)).toEqual([{ kind: 'unread' }]);
  });

  it('begins with an empty log too, and learns nothing from a verdict that proves nothing', () => {
    const empty = look({ fault: null, entries: [], head: null }, 'aa');
    expect(after([], empty)).toMatchObject([{ seq: 0, measured: [{ registers: { mrTd: 'aa' } }] }]);
    expect(after([], { ...empty, verdict: { conclusion: 'failed', enclaves: [] } as never })).toEqual([]);
  });

  it.each([
    null,
    'x',
    {},
    [{ origin: ORIGIN }],
    [{ ...after([], look(logTo(1), 'aa'))[0], seq: '1' }],
    [{ ...after([], look(logTo(1), 'aa'))[0], atMs: 8.64e15 + 2 }],
  ])('is not read from %j', (stored) => expect(readKept(stored)).toBeNull());

  it('is bounded', () => {
    let kept: readonly KeptMeasurement[] = [];
    for (let each = 0; each < 250; each += 1) kept = after(kept, { ...look(logTo(1), 'aa'), model: `m${each}` });
    expect([kept.length, kept[0]?.model]).toEqual([200, 'm249']);
    expect(readKept([...kept, ...kept])).toHaveLength(200);
  });
});
