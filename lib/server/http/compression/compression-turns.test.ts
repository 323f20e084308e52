import { expect, it } from 'vitest';
import { CompressionTurns } from './compressed-reply';

function task(log: string[], name: string) {
  let end: () => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const ended = new Promise<string>((resolve, reject) => {
    end = () => resolve(name);
    fail = reject;
  });
  const run = (): Promise<string> => {
    log.push(name);
    return ended;
  };
  return { run, end: () => end(), fail: (error: Error) => fail(error) };
}

it('so many run at a time, one follows whatever became of the one before, and one too many does not wait', async () => {
  const turns = new CompressionTurns(2, 2);
  const log: string[] = [];
  const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((name) => task(log, name)) as [
    ReturnType<typeof task>,
    ReturnType<typeof task>,
    ReturnType<typeof task>,
    ReturnType<typeof task>,
    ReturnType<typeof task>,
  ];
  const [first, second, third, fourth] = [turns.take(a.run), turns.take(b.run), turns.take(c.run), turns.take(d.run)];
  expect(await turns.take(e.run)).toBeNull();
  expect(log).toEqual(['a', 'b']);
  b.fail(new Error('broken'));
  await expect(second).rejects.toThrow('broken');
  await Promise.resolve();
  expect(log).toEqual(['a', 'b', 'c']);
  a.end();
  c.end();
  d.end();
  expect(await Promise.all([first, third, fourth])).toEqual(['a', 'c', 'd']);
  e.end();
  expect(await turns.take(e.run)).toBe('e');
});
