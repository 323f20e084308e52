import { describe, expect, it } from 'vitest';
import { CheckList } from '../check-list';
import type { PinnedImage, PinnedWorkload } from '../policy';
import { checkWorkload, missingMeasurements } from './known-workload';
import type { Measurements } from './workload';

const value = (digit: string, bytes = 48) => digit.repeat(2 * bytes);
const composeHash = value('c', 32);
const measurements: Measurements = {
  mrTd: value('a'),
  rtMr0: value('1'),
  rtMr1: value('2'),
  rtMr2: value('3'),
  rtMr3: value('4'),
  mrConfigId: `01${composeHash}${'00'.repeat(15)}`,
  composeHash,
};
const platform = { mrTd: value('a'), rtMr0: value('1'), rtMr1: value('2'), rtMr2: value('3') };
const whole: PinnedWorkload = { name: 'guide', ...platform, composeHash };
const image: PinnedImage = { hash: value('d', 32), ...platform };

async function check(
  pinnedWorkloads: readonly PinnedWorkload[],
  pinnedImages: readonly PinnedImage[] = [],
  seen = measurements,
  isHostsWord = false,
) {
  const list = new CheckList();
  await list.make('workload', '', () =>
    checkWorkload(seen, { hash: composeHash, boundBy: 'mr_config_id', isHostsWord }, { pinnedWorkloads, pinnedImages }),
  );
  return list.checks[0];
}
const without = (...names: (keyof PinnedWorkload)[]) =>
  Object.fromEntries(
    Object.entries(whole).filter(([name]) => !names.includes(name as keyof PinnedWorkload)),
  ) as unknown as PinnedWorkload;

describe('a workload', () => {
  it('is known by firmware, boot and compose file, whatever else is pinned', async () => {
    expect(await check([{ name: 'other', composeHash: value('0', 32) }, whole])).toMatchObject({
      outcome: 'passed',
      evidence: { workload: 'guide', pinnedBy: ['mrTd', 'rtMr0', 'rtMr1', 'rtMr2', 'composeHash'] },
    });
  });

  it('is known by RTMR3 in the place of the compose file, and in either case of hex', async () => {
    expect((await check([{ name: 'guide', ...platform, rtMr3: value('4') }]))?.outcome).toBe('passed');
    expect((await check([{ ...whole, mrTd: value('A'), composeHash: value('C', 32) }]))?.outcome).toBe('passed');
  });

  it.each<[string, PinnedWorkload, string[]]>([
    ['a compose hash alone', { name: 'old', composeHash }, ['MRTD', 'RTMR0', 'RTMR1', 'RTMR2']],
    [
      'MRTD alone',
      { name: 'old', mrTd: platform.mrTd },
      ['RTMR0', 'RTMR1', 'RTMR2', 'the hash of the compose file or RTMR3'],
    ],
    ['MRTD and a compose hash', { name: 'old', mrTd: platform.mrTd, composeHash }, ['RTMR0', 'RTMR1', 'RTMR2']],
    [
      'MRCONFIGID, which the host chooses',
      { name: 'old', ...platform, mrConfigId: measurements.mrConfigId ?? '' },
      ['the hash of the compose file or RTMR3'],
    ],
    ['RTMR3, which the guest extends', { name: 'old', rtMr3: value('4') }, ['MRTD', 'RTMR0', 'RTMR1', 'RTMR2']],
    [
      'an image of which nothing is pinned',
      { name: 'old', imageHash: value('d', 32), composeHash },
      ['MRTD', 'RTMR0', 'RTMR1', 'RTMR2'],
    ],
    ['everything but MRTD', without('mrTd'), ['MRTD']],
    ['everything but RTMR0', without('rtMr0'), ['RTMR0']],
    ['everything but RTMR1', without('rtMr1'), ['RTMR1']],
    ['everything but RTMR2', without('rtMr2'), ['RTMR2']],
    ['everything but the application', without('composeHash'), ['the hash of the compose file or RTMR3']],
  ])('is not known by %s: what is missing is named', async (_, pin, missing) => {
    expect(missingMeasurements(pin)).toEqual(missing);
    expect(await check([pin])).toMatchObject({
      outcome: 'not-checkable',
      reason: expect.stringContaining(missing.at(-1) ?? '') as unknown,
      evidence: { pin: pin.name, missing },
    });
    expect((await check([pin]))?.reason).toContain(`The pin “${pin.name}” matches, but does not identify the workload`);
  });

  it('is not known by registers of zeros, which nothing was measured into', async () => {
    for (const name of ['mrTd', 'rtMr0', 'rtMr1', 'rtMr2'] as const) {
      const zeros = { [name]: '00'.repeat(48) };
      expect((await check([{ ...whole, ...zeros }], [], { ...measurements, ...zeros }))?.outcome, name).toBe(
        'not-checkable',
      );
    }
    expect(
      (
        await check([{ name: 'guide', ...platform, rtMr3: '00'.repeat(48) }], [], {
          ...measurements,
          rtMr3: '00'.repeat(48),
        })
      )?.outcome,
    ).toBe('passed');
  });

  it.each(['mrTd', 'rtMr0', 'rtMr1', 'rtMr2', 'composeHash'] as const)(
    'is another one where %s differs, and that is said',
    async (name) => {
      const other = await check([{ ...whole, [name]: value('9', name === 'composeHash' ? 32 : 48) }]);
      expect(other).toMatchObject({
        outcome: 'failed',
        reason: expect.stringMatching(/matches no pinned workload\. “guide” differs in \S/) as unknown,
      });
    },
  );

  it('is not known by a compose file of which only the host speaks, unless RTMR3 is pinned', async () => {
    expect(await check([whole], [], measurements, true)).toMatchObject({
      outcome: 'not-checkable',
      reason: expect.stringContaining('MRCONFIGID, which the host chooses') as unknown,
    });
    expect((await check([{ ...whole, rtMr3: value('4') }], [], measurements, true))?.outcome).toBe('passed');
    expect((await check([{ name: 'guide', ...platform, rtMr3: value('4') }], [], measurements, true))?.outcome).toBe(
      'passed',
    );
  });

  it('is told from one that is pinned in whole though a pin that says too little fits as well', async () => {
    expect(
      await check([
        { name: 'old', composeHash },
        { ...whole, rtMr1: value('9') },
      ]),
    ).toMatchObject({
      outcome: 'not-checkable',
      reason: expect.stringMatching(/“old” matches.*“guide” differs in RTMR1\.$/) as unknown,
    });
  });

  it('is never fitted by a pin that names nothing, and is unknown where none is pinned', async () => {
    expect((await check([{ name: 'anything' }]))?.outcome).toBe('failed');
    expect((await check([{ name: 'anything', imageHash: value('d', 32) }]))?.outcome).toBe('failed');
    expect((await check([]))?.outcome).toBe('not-checkable');
  });
});

describe('an image', () => {
  const pin: PinnedWorkload = { name: 'guide', imageHash: value('d', 32), composeHash };

  it('implies the measurements that it is pinned with, on any shape of machine that it is pinned for', async () => {
    expect((await check([pin], [image]))?.outcome).toBe('passed');
    expect(
      (await check([{ ...pin, imageHash: value('D', 32) }], [{ ...image, rtMr0: value('9') }, image]))?.outcome,
    ).toBe('passed');
  });

  it('implies nothing of another image, nor of other measurements', async () => {
    expect((await check([pin], [{ ...image, hash: value('e', 32) }]))?.outcome).toBe('not-checkable');
    for (const name of ['mrTd', 'rtMr0', 'rtMr1', 'rtMr2'] as const)
      expect((await check([pin], [{ ...image, [name]: value('9') }]))?.outcome, name).toBe('failed');
  });

  it('does not stand in for the application', async () => {
    expect(await check([{ name: 'guide', imageHash: image.hash }], [image])).toMatchObject({
      outcome: 'not-checkable',
      evidence: { missing: ['the hash of the compose file or RTMR3'] },
    });
  });

  it('does not override what the pin itself says', async () => {
    expect((await check([{ ...pin, mrTd: value('9') }], [image]))?.outcome).toBe('failed');
    expect((await check([{ ...pin, mrTd: value('A') }], [image]))?.outcome).toBe('passed');
  });
});
