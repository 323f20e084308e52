import { describe, expect, it } from 'vitest';
import type { Asker } from './asker';
import { CancelSignal } from './asker';
import { SingleFlight } from './single-flight';

/** A read that ends when the test says so, with the number of its starts and cancellations. */
function flight() {
  let land: (answer: string) => void = () => undefined;
  let crash: (error: Error) => void = () => undefined;
  const seen = { starts: 0, calledOff: 0, asker: null as Asker | null };
  const start = (asker: Asker): Promise<string> => {
    seen.starts++;
    seen.asker = asker;
    asker.whenGone(() => seen.calledOff++);
    return new Promise((resolve, reject) => ([land, crash] = [resolve, reject]));
  };
  return { seen, start, land: (answer: string) => land(answer), crash: (error: Error) => crash(error) };
}

describe('a flight', () => {
  it('is shared by all who ask while it is under way, and started anew after that', async () => {
    const [flights, { seen, start, land }] = [new SingleFlight<string>(), flight()];
    const all = [1, 2, 3].map(() => flights.join('key', undefined, start));
    land('x');
    expect([await Promise.all(all), seen.starts]).toEqual([['x', 'x', 'x'], 1]);
    void flights.join('key', undefined, start);
    expect(seen.starts).toBe(2);
  });

  it('fails for all', async () => {
    const [flights, { start, crash }] = [new SingleFlight<string>(), flight()];
    const all = [1, 2].map(() => flights.join('key', undefined, start));
    crash(new Error('down'));
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('goes on while one still waits, and is called off with the last; nobody joins it then', async () => {
    const [flights, { seen, start }] = [new SingleFlight<string>(), flight()];
    const [first, second] = [new CancelSignal(), new CancelSignal()];
    const all = [first, second].map(({ whenGone }) => flights.join('key', whenGone, start));
    first.cancel();
    await expect(all[0]).rejects.toMatchObject({ reason: 'aborted' });
    expect(seen.calledOff).toBe(0);
    second.cancel();
    await expect(all[1]).rejects.toMatchObject({ reason: 'aborted' });
    expect(seen.calledOff).toBe(1);
    void flights.join('key', undefined, start);
    expect(seen.starts).toBe(2);
  });

  it('whose question has been sent goes on when all are gone, and lands for each of them', async () => {
    const [flights, { seen, start, land }] = [new SingleFlight<string>(), flight()];
    const [first, second, late] = [new CancelSignal(), new CancelSignal(), new CancelSignal()];
    const early = [first, second].map(({ whenGone }) => flights.join('key', whenGone, start));
    first.cancel();
    await expect(early[0]).rejects.toMatchObject({ reason: 'aborted' });
    seen.asker?.onSent();
    const after = flights.join('key', late.whenGone, start);
    second.cancel();
    late.cancel();
    land('x');
    expect([await early[1], await after, seen.calledOff, seen.starts]).toEqual(['x', 'x', 0, 1]);
  });

  it('that waits for a connection takes the turns of all who join it, until it is sent', () => {
    const [flights, { seen, start }] = [new SingleFlight<string>(), flight()];
    const joined: (number | null)[] = [];
    void flights.join('key', undefined, start, 0, 1);
    seen.asker?.onQueued?.((caller) => joined.push(caller));
    void flights.join('key', undefined, start, 0, 2);
    void flights.join('key', undefined, start, 0, null);
    seen.asker?.onSent();
    void flights.join('key', undefined, start, 0, 3);
    expect([joined, seen.starts]).toEqual([[2, null], 1]);
  });

  it('that is called off before it listens is told when it does', async () => {
    const flights = new SingleFlight<string>();
    const [leaving, told] = [new CancelSignal(), { calledOff: false }];
    let listen: () => void = () => undefined;
    const joined = flights.join('key', leaving.whenGone, ({ whenGone }) => {
      listen = () => void whenGone(() => (told.calledOff = true));
      return new Promise(() => undefined);
    });
    leaving.cancel();
    await expect(joined).rejects.toMatchObject({ reason: 'aborted' });
    listen();
    expect(told.calledOff).toBe(true);
  });

  it('is not joined by who had left before', async () => {
    const [flights, { start, land }] = [new SingleFlight<string>(), flight()];
    const [gone, other] = [new CancelSignal(), flights.join('key', undefined, start)];
    gone.cancel();
    await expect(flights.join('key', gone.whenGone, start)).rejects.toMatchObject({ reason: 'aborted' });
    land('x');
    expect(await other).toBe('x');
  });

  it('from before a fence is not joined after it, and both land', async () => {
    const [flights, before, after] = [new SingleFlight<string>(), flight(), flight()];
    const first = flights.join('key', undefined, before.start);
    flights.fence();
    const second = flights.join('key', undefined, after.start);
    before.land('old');
    after.land('new');
    expect(await Promise.all([first, second])).toEqual(['old', 'new']);
  });

  it('with a very long key is not shared', () => {
    const [flights, { seen, start }] = [new SingleFlight<string>(), flight()];
    for (let i = 0; i < 2; i++) void flights.join('k'.repeat(5_000), undefined, start);
    expect(seen.starts).toBe(2);
  });
});
