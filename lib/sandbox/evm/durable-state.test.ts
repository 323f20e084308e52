import { describe, expect, it } from 'vitest';
import { DurableState } from './durable-state';

/** Simulates a chain whose state is one number, and a disk whose writes end when the test releases them. */
function setUp() {
  const world = { chain: 0, disk: 0, saves: 0, fail: false, releases: [] as (() => void)[] };
  const state = new DurableState(async () => {
    const atStart = world.chain;
    world.saves += 1;
    await new Promise<void>((resolve) => world.releases.push(resolve));
    if (world.fail) throw new Error('disk full');
    world.disk = atStart;
  });
  const turns = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  return { world, state, turns };
}

describe('DurableState', () => {
  it('lets nobody speak of a change before it is on disk, neither who made it nor who read it', async () => {
    const { world, state, turns } = setUp();
    const told: string[] = [];
    const writer = state
      .write(() => Promise.resolve((world.chain = 1)))
      .then(() => state.settled())
      .then(() => told.push(`writer ${world.disk}`));
    await turns();
    const reader = state.settled().then(() => told.push(`reader ${world.disk}`));
    await turns();
    expect(told).toEqual([]);
    world.releases[0]?.();
    await Promise.all([writer, reader]);
    expect(told.sort()).toEqual(['reader 1', 'writer 1']);
    expect(world.saves).toBe(1);
  });

  it('is settled at once where nothing changed', async () => {
    const { world, state } = setUp();
    await state.settled();
    expect(world.saves).toBe(0);
  });

  it('saves once for changes that run together, and only when the last of them is done', async () => {
    const { world, state, turns } = setUp();
    let finishSlow = (): void => undefined;
    const slow = state.write(() =>
      new Promise<void>((resolve) => (finishSlow = resolve)).then(() => (world.chain += 1)),
    );
    await state.write(() => Promise.resolve((world.chain += 1)));
    const settled = state.settled();
    await turns();
    expect(world.saves).toBe(0);
    finishSlow();
    await slow;
    await turns();
    world.releases[0]?.();
    await settled;
    expect([world.saves, world.disk]).toEqual([1, 2]);
  });

  it('keeps changes out of a save that runs, so that it is of one moment', async () => {
    const { world, state, turns } = setUp();
    await state.write(() => Promise.resolve((world.chain = 1)));
    const first = state.settled();
    const second = state.write(() => Promise.resolve((world.chain = 2)));
    await turns();
    expect(world.chain).toBe(1);
    world.releases[0]?.();
    await Promise.all([first, second]);
    const settled = state.settled();
    await turns();
    world.releases[1]?.();
    await settled;
    expect([world.saves, world.disk]).toEqual([2, 2]);
  });

  it('tells everybody who waits that the disk refused, and tries again for the next', async () => {
    const { world, state, turns } = setUp();
    await state.write(() => Promise.resolve((world.chain = 1)));
    world.fail = true;
    const outcomes = Promise.allSettled([state.settled(), state.settled()]);
    await turns();
    world.releases[0]?.();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    world.fail = false;
    const settled = state.settled();
    await turns();
    world.releases[1]?.();
    await settled;
    expect(world.disk).toBe(1);
  });
});
