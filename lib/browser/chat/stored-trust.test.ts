import { describe, expect, it } from 'vitest';
import { readAlarms, type TamperAlarm, withAlarm } from './tamper-alarms';
import { pinFault, readPins } from './workload-pins';

const composeHash = 'ab'.repeat(32);
const alarm: TamperAlarm = { modelId: 'x', atMs: 1, sentence: 'TDX debug mode detected', detail: null, hint: 'Do not use it.', nothingSent: true };

describe('pins of workloads', () => {
  it('come back from storage', () => {
    const pins = [{ name: 'mine', composeHash }, { name: 'other', mrTd: 'CD'.repeat(48), rtMr3: '00'.repeat(48) }];
    expect(readPins(JSON.parse(JSON.stringify(pins)))).toEqual(pins);
  });

  it.each([
    ['without a measurement, which would fit everything', { name: 'any' }],
    ['of an unknown field', { name: 'x', colour: composeHash }],
    ['beside an unknown field', { name: 'x', composeHash, colour: 'red' }],
    ['cut short', { name: 'x', composeHash: composeHash.slice(2) }],
    ['that is no hex', { name: 'x', composeHash: 'xy'.repeat(32) }],
    ['without a name', { name: '', composeHash }],
    ['of an inherited name', { name: 'x', constructor: composeHash }],
  ])('are none where one is %s', (_what, pin) => {
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
