import { describe, expect, it } from 'vitest';
import { readAlarms, type TamperAlarm, withAlarm } from './privacy/tamper-alarms';
import {
  completedPin,
  fitsMeasured,
  pinFault,
  pinLack,
  pinOfVerdict,
  pinsOfVerdict,
  readPins,
  readTypedPin,
} from './privacy/kept-pins';

const composeHash = 'ab'.repeat(32);
const alarm: TamperAlarm = {
  modelId: 'x',
  atMs: 1,
  sentence: 'TDX debug mode detected',
  detail: null,
  hint: 'Do not use it.',
  nothingSent: true,
};

describe('pins of workloads', () => {
  it('come back from storage', () => {
    const pins = [
      { name: 'mine', composeHash },
      { name: 'other', mrTd: 'CD'.repeat(48), rtMr3: '00'.repeat(48) },
    ];
    expect(readPins(JSON.parse(JSON.stringify(pins)))).toEqual(pins);
  });

  it('of earlier come back as they are, and say what they lack', () => {
    const old = [
      { name: 'mine', composeHash },
      { name: 'firmware', mrTd: 'cd'.repeat(48) },
    ];
    expect(readPins(old)).toEqual(old);
    expect(old.map(pinLack)).toEqual([
      'MRTD, RTMR0, RTMR1 and RTMR2',
      'RTMR0, RTMR1, RTMR2 and the hash of the compose file or RTMR3',
    ]);
  });

  const register = (digit: string) => digit.repeat(96);
  const measurements = {
    mrTd: register('a'),
    rtMr0: register('1'),
    rtMr1: register('2'),
    rtMr2: register('3'),
    rtMr3: register('4'),
    mrConfigId: register('5'),
    composeHash,
  };
  const whole = { mrTd: register('a'), rtMr0: register('1'), rtMr1: register('2'), rtMr2: register('3'), composeHash };
  const verdict = {
    conclusion: 'unknown-workload',
    reason: null,
    checks: [],
    key: null,
    measurements,
    workload: null,
    checkedAtMs: 0,
  } as const;

  it('are made of everything that was measured, in one act, and of nothing that does not hold', () => {
    expect(pinOfVerdict('m', verdict)).toEqual({ name: 'm of 1970-01-01', ...whole });
    const { composeHash: _left, ...platform } = whole;
    expect(pinOfVerdict('m', { ...verdict, measurements: { ...measurements, composeHash: null } })).toEqual({
      name: 'm of 1970-01-01',
      ...platform,
      rtMr3: register('4'),
    });
    for (const conclusion of ['failed', 'not-checkable'] as const)
      expect(pinOfVerdict('m', { ...verdict, conclusion })).toBeNull();
  });

  it('are made for every enclave on the way that none fits, and for none that would not be used', () => {
    const enclave = (role: 'model' | 'router', isUsed: boolean, workload: string | null) =>
      ({
        role,
        isUsed,
        workload,
        name: null,
        hardware: 'intel-tdx',
        verdict: 'unknown-workload',
        reason: null,
        checks: [],
        keys: [],
        unusable: null,
        measurements: { kind: 'intel-tdx', ...measurements },
      }) as const;
    const chain = {
      ...verdict,
      enclaves: [enclave('router', true, null), enclave('model', true, null), enclave('model', false, null)],
    };
    expect(pinsOfVerdict('m', chain)).toEqual([
      { name: 'm router of 1970-01-01', ...whole },
      { name: 'm of 1970-01-01', ...whole },
    ]);
    expect(
      pinsOfVerdict('m', { ...chain, enclaves: [enclave('router', true, 'known'), enclave('model', true, null)] }),
    ).toEqual([{ name: 'm of 1970-01-01', ...whole }]);
    expect(pinsOfVerdict('m', { ...chain, conclusion: 'failed' })).toEqual([]);
  });

  it('of earlier are completed by what was measured, without a change to what they name', () => {
    expect(completedPin({ name: 'mine', composeHash }, measurements)).toEqual({ name: 'mine', ...whole });
    expect(completedPin({ name: 'mine', mrTd: register('9'), rtMr3: register('4') }, measurements)).toMatchObject({
      mrTd: register('9'),
      rtMr3: register('4'),
      rtMr0: register('1'),
    });
    expect([
      fitsMeasured({ name: 'x', composeHash }, measurements),
      fitsMeasured({ name: 'x', mrTd: register('9') }, measurements),
      fitsMeasured({ name: 'x' }, measurements),
      fitsMeasured({ name: 'x', composeHash }, null),
    ]).toEqual([true, false, false, false]);
  });

  it('are typed in whole, and what is wrong is said where it is', () => {
    expect(readTypedPin({ name: ' mine ', ...whole, mrTd: ` ${register('A')}\n`, rtMr3: '' })).toEqual({
      pin: { name: 'mine', ...whole },
    });
    expect(readTypedPin({ name: '', ...whole })).toMatchObject({ field: 'name' });
    expect(readTypedPin({ name: 'x', ...whole, rtMr1: 'ab' })).toEqual({
      field: 'rtMr1',
      fault: 'RTMR1 takes 96 hexadecimal characters.',
    });
    expect(readTypedPin({ name: 'x', composeHash })).toEqual({
      field: 'mrTd',
      fault: 'A workload is known by all of these together. Missing: MRTD, RTMR0, RTMR1 and RTMR2.',
    });
    expect(readTypedPin({ ...whole, name: 'x', composeHash: ' ' })).toMatchObject({ field: 'composeHash' });
  });

  it.each([
    ['without a measurement, which would fit everything', { name: 'any' }],
    ['of an unknown field', { name: 'x', colour: composeHash }],
    ['beside an unknown field', { name: 'x', composeHash, colour: 'red' }],
    ['cut short', { name: 'x', composeHash: composeHash.slice(2) }],
    ['that is no hex', { name: 'x', composeHash: 'xy'.repeat(32) }],
    ['without a name', { name: '', composeHash }],
    ['of an inherited name', { name: 'x', constructor: composeHash }],
  ])('are ignored if one is %s', (_what, pin) => {
    expect(readPins([pin])).toEqual([]);
  });

  it('say how long each measurement is', () => {
    expect(pinFault('composeHash', ` ${composeHash}\n`)).toBeNull();
    expect(pinFault('mrTd', composeHash)).toBe('MRTD takes 96 hexadecimal characters.');
  });
});

describe('warnings', () => {
  it('come back from storage, and only where they are whole', () => {
    expect(readAlarms([alarm, { ...alarm, nothingSent: 'yes' }, null, { modelId: 'y' }])).toEqual([alarm]);
    expect(readAlarms('x')).toBeNull();
  });

  it('keep the time of first discovery, and that something was sent', () => {
    const again = { ...alarm, atMs: 9, detail: 'again' };
    expect(withAlarm([alarm], again)).toEqual([{ ...again, atMs: 1 }]);
    expect(withAlarm([{ ...alarm, nothingSent: false }], again)).toEqual([{ ...again, atMs: 1, nothingSent: false }]);
    const other = { ...again, modelId: 'y' };
    expect(withAlarm([alarm], other)).toEqual([other, alarm]);
  });
});
