import { describe, expect, it } from 'vitest';
import { checkpoint } from './checkpoint';

const PAGES_PER_MIB = 256;

/**
 * Simulates a log of `logMib`, to which other connections write `writtenMib` during each passive checkpoint. @returns
 * the checkpoints that ran
 */
function run(logMib: number, writtenMib: readonly number[]): string[] {
  const ran: string[] = [];
  let pages = logMib * PAGES_PER_MIB;
  checkpoint((mode) => {
    const copied = pages;
    if (mode === 'passive') pages += (writtenMib[ran.length] ?? writtenMib.at(-1) ?? 0) * PAGES_PER_MIB;
    ran.push(mode);
    return [0, pages, copied];
  });
  return ran;
}

describe('the checkpoint of a log', () => {
  it('that is short never takes the lock of writers', () => {
    expect(run(63, [1])).toEqual(['passive']);
  });

  it('that is long takes it when nearly all is copied, however much was written before', () => {
    expect(run(100, [40, 12, 4, 1])).toEqual(['passive', 'passive', 'passive', 'passive', 'restart']);
  });

  it('to which more is written than that comes back for it later', () => {
    expect(run(100, [10])).toEqual(Array(8).fill('passive'));
  });

  it('that grows beyond a gigabyte lets writers wait', () => {
    expect(run(1_020, [10])).toEqual(['passive', 'restart']);
  });
});
