import { afterEach, describe, expect, it, vi } from 'vitest';
import { POOL_HEIGHTS_SCRIPT, rememberPoolHeight } from './head-scripts';

/** Simulates a browser window with this width and stored values. */
function windowOf(width: number, stored: Map<string, string>) {
  const set = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
  vi.stubGlobal('window', { innerWidth: width });
  vi.stubGlobal('innerWidth', width);
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('document', {
    documentElement: { style: { setProperty: (name: string, value: string) => void set.set(name, value) } },
  });
  return { set, runScript: () => void new Function(POOL_HEIGHTS_SCRIPT)() };
}

afterEach(() => void vi.unstubAllGlobals());

describe('the heights of the pools’ cards', () => {
  it('are there before the first paint of the next visit, in a window of the same width', () => {
    const stored = new Map<string, string>();
    windowOf(1440, stored);
    rememberPoolHeight('right', 420);
    rememberPoolHeight('allocation', 510);
    const later = windowOf(1440, stored);
    later.runScript();
    expect([...later.set]).toEqual([
      ['--pool-right', '420px'],
      ['--pool-allocation', '510px'],
    ]);
    const phone = windowOf(390, stored);
    phone.runScript();
    expect(phone.set.size).toBe(0);
  });

  it.each(['', 'x', 'null', '[]', '{"width":1440,"right":"1px;color:red","allocation":-5}'])(
    'are left alone where the storage holds %j',
    (text) => {
      const { set, runScript } = windowOf(1440, new Map([['turnpike.pool-heights', text]]));
      runScript();
      expect([...set.values()].filter((value) => !/^\d+px$/.test(value))).toEqual([]);
      expect(set.size).toBe(0);
    },
  );
});
