import { describe, expect, it } from 'vitest';
import { CONSOLE_PAGES } from '@/lib/browser/page/console-pages';
import { PAGE_LETTERS, ShortcutReader } from './key-shortcuts';

function pressed(keys: string, everyMs = 100) {
  const reader = new ShortcutReader();
  return [...keys].map((key, index) => reader.read({ key, atMs: index * everyMs }));
}

describe('keys without a modifier', () => {
  it('open the sheet with a question mark, and a page with g and its letter', () => {
    expect(pressed('?')).toEqual([{ kind: 'sheet' }]);
    expect(pressed('gc')).toEqual([null, { kind: 'page', href: '/chat' }]);
  });

  it('do nothing by the letter alone, by g alone, or long after it', () => {
    expect(pressed('cgxc')).toEqual([null, null, null, null]);
    expect(pressed('gc', 2_000)).toEqual([null, null]);
  });

  it('begin anew with each g', () => {
    expect(pressed('ggr').at(-1)).toEqual({ kind: 'page', href: '/rpc' });
  });

  it('know every page of the console', () => {
    expect(Object.values(PAGE_LETTERS).sort()).toEqual(CONSOLE_PAGES.map(({ href }) => href).sort());
  });
});
