import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CheckList } from '../check-list';
import { Malformed } from '../malformed';
import type { TdReport } from '../quote/quote';
import { checkComposeFile, checkEventLog, readEventLog, replayRegister, runtimeEventDigest } from './workload';

const composeHash = createHash('sha256').update('{"compose": 1}').digest();
const sha384 = (...parts: Buffer[]) => createHash('sha384').update(Buffer.concat(parts)).digest();
/** Computes dstack's event digest with node:crypto. */
const digestOf = (event: string, payload: Buffer) =>
  sha384(Buffer.from([1, 0, 0, 8]), Buffer.from(':'), Buffer.from(event), Buffer.from(':'), payload);
const runtime = (event: string, payload = Buffer.alloc(0), change: Record<string, unknown> = {}) => ({
  imr: 3,
  event_type: 0x08000001,
  digest: digestOf(event, payload).toString('hex'),
  event,
  event_payload: payload.toString('hex'),
  ...change,
});
const firmware = (imr: number, digest: Buffer) => ({
  imr,
  event_type: 4,
  digest: digest.toString('hex'),
  event: 'boot',
  event_payload: '',
});
const log = [
  firmware(0, sha384(Buffer.from('a'))),
  runtime('app-id', Buffer.from('aa', 'hex')),
  runtime('compose-hash', composeHash),
  runtime('system-ready'),
];
const extend = (events: { digest: string }[]) =>
  events.reduce((value, { digest }) => sha384(value, Buffer.from(digest, 'hex')), Buffer.alloc(48));
const zeros = new Uint8Array(48);

function report(change: Partial<TdReport> = {}): TdReport {
  const rtMrs = [extend(log.slice(0, 1)), zeros, zeros, extend(log.slice(1))] as const;
  return { mrTd: zeros, mrConfigId: zeros, rtMrs, ...change } as TdReport;
}
async function outcome(make: () => { established: unknown; evidence: Record<string, never> | object }) {
  const list = new CheckList();
  await list.make('event-log', '', make as () => { established: unknown; evidence: Record<string, never> });
  return list.checks[0];
}

describe('an event log', () => {
  it('has digests over type, name and payload', () => {
    expect(Buffer.from(runtimeEventDigest('compose-hash', composeHash))).toEqual(digestOf('compose-hash', composeHash));
  });

  it('leads to the registers, which start with zeros', async () => {
    expect(Buffer.from(replayRegister(readEventLog(log), 3))).toEqual(extend(log.slice(1)));
    expect(replayRegister([], 2)).toEqual(zeros);
    expect(await outcome(() => checkEventLog(report(), log))).toMatchObject({
      outcome: 'passed',
      evidence: { replayed: ['RTMR0', 'RTMR3'] },
    });
  });

  it('recomputes the digests that services leave out', async () => {
    expect(
      (
        await outcome(() =>
          checkEventLog(
            report(),
            log.map((event) => (event.imr === 3 ? { ...event, digest: '' } : event)),
          ),
        )
      )?.outcome,
    ).toBe('passed');
  });

  it('is not checkable where there is none', async () => {
    for (const none of [null, undefined])
      expect((await outcome(() => checkEventLog(report(), none)))?.outcome).toBe('not-checkable');
  });

  it.each([
    ['an event left out', [log[0], log[1], log[3]]],
    ['an event added', [...log, runtime('more')]],
    ['events in another order', [log[0], log[2], log[1], log[3]]],
    ['an event moved to another register', [log[0], log[1], { ...log[2], imr: 2 }, log[3]]],
    ['no event of the application', [log[0]]],
    ['nothing', []],
  ])('fails with %s', async (_, touched) => {
    expect((await outcome(() => checkEventLog(report(), touched)))?.outcome).toBe('failed');
  });

  it('fails where a payload is not the one whose digest was measured', () => {
    const touched = [log[0], log[1], { ...log[2], event_payload: 'ee'.repeat(32) }, log[3]];
    expect(() => readEventLog(touched)).toThrow(Malformed);
    expect(() => readEventLog([{ ...log[1], event: 'other' }])).toThrow(Malformed);
  });

  it.each([
    [{}],
    [[null]],
    [[{ imr: 4, event_type: 1, digest: '' }]],
    [[{ imr: 0, event_type: 1, digest: 'zz' }]],
    [[{ imr: 0, event_type: 1, digest: '00'.repeat(49) }]],
    ['log'],
    [7],
  ])('is refused as %j', (bad) => {
    expect(() => readEventLog(bad)).toThrow(Malformed);
  });
});

describe('the compose file', () => {
  const events = readEventLog(log);
  const configId = Buffer.concat([Buffer.of(1), composeHash, Buffer.alloc(15)]);

  it('is bound by mr_config_id or by its event', () => {
    expect(checkComposeFile(report(), events, null).established).toEqual({
      hash: composeHash.toString('hex'),
      boundBy: 'rtmr3',
      isHostsWord: false,
    });
    expect(checkComposeFile(report({ mrConfigId: configId }), [], '{"compose": 1}').established).toEqual({
      hash: composeHash.toString('hex'),
      boundBy: 'mr_config_id',
      isHostsWord: true,
    });
    expect(checkComposeFile(report({ mrConfigId: configId }), events, '{"compose": 1}').established.boundBy).toBe(
      'mr_config_id',
    );
  });

  it('stands on the host’s word alone where no event accounts for register 3', () => {
    const boundIn = (change: Partial<TdReport>, given: typeof events) =>
      checkComposeFile(report({ mrConfigId: configId, ...change }), given, null).established.isHostsWord;
    const others = readEventLog([runtime('app-id', Buffer.from('aa', 'hex'))]);
    const registers = (third: Uint8Array) => ({ rtMrs: [zeros, zeros, zeros, third] as const });
    expect(boundIn({}, events), 'its event is in the log').toBe(false);
    expect(boundIn({}, []), 'the log was left out').toBe(true);
    expect(
      boundIn(
        {},
        readEventLog(log.map((event) => (event.event === 'compose-hash' ? { ...event, event_type: 4 } : event))),
      ),
      'its event was given another type',
    ).toBe(true);
    expect(boundIn(registers(zeros), []), 'the guest measured nothing').toBe(false);
    expect(boundIn(registers(replayRegister(others, 3)), others), 'the guest measured no compose file').toBe(false);
  });

  it('is not bound by a config id of another version or form', async () => {
    for (const other of [
      Buffer.alloc(48),
      Buffer.concat([Buffer.of(2), composeHash, Buffer.alloc(15)]),
      Buffer.concat([Buffer.of(1), composeHash, Buffer.alloc(14), Buffer.of(1)]),
    ]) {
      expect((await outcome(() => checkComposeFile(report({ mrConfigId: other }), [], null)))?.outcome).toBe(
        'not-checkable',
      );
    }
  });

  it('is not bound by words beside a digest of another type', async () => {
    const unbound = readEventLog([{ ...runtime('compose-hash', composeHash), event_type: 4 }]);
    expect((await outcome(() => checkComposeFile(report(), unbound, null)))?.outcome).toBe('not-checkable');
  });

  it.each([
    ['another file', () => checkComposeFile(report(), events, '{"compose": 2}')],
    [
      'two bindings that differ',
      () =>
        checkComposeFile(
          report({ mrConfigId: Buffer.concat([Buffer.of(1), Buffer.alloc(32, 9), Buffer.alloc(15)]) }),
          events,
          null,
        ),
    ],
    [
      'a second event, which an application can add',
      () =>
        checkComposeFile(report(), [...events, ...readEventLog([runtime('compose-hash', Buffer.alloc(32, 9))])], null),
    ],
  ])('fails with %s', async (_, check) => {
    expect((await outcome(check))?.outcome).toBe('failed');
  });
});
