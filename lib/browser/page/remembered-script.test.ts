import { afterEach, describe, expect, it, vi } from 'vitest';
import { REMEMBERED_CONVERSATION_SCRIPT } from './head-scripts';

/** Runs the script with this storage and returns the document's data attributes. */
function markOf(getItem: (key: string) => string | null): DOMStringMap {
  const dataset: DOMStringMap = {};
  vi.stubGlobal('sessionStorage', { getItem });
  vi.stubGlobal('document', { documentElement: { dataset } });
  new Function(REMEMBERED_CONVERSATION_SCRIPT)();
  return dataset;
}

afterEach(() => vi.unstubAllGlobals());

describe('what is known of a conversation before the first paint', () => {
  it('is that one is open in this tab', () => {
    expect(markOf((key) => (key === 'turnpike.chat' ? '"c1"' : null))).toEqual({ conversation: '' });
  });

  it.each([
    ['none is', null],
    ['none is any more', 'null'],
    ['what is stored is broken', '{'],
  ])('is nothing where %s', (_what, stored) => {
    expect(markOf(() => stored)).toEqual({});
  });

  it('is nothing where the storage is blocked, which breaks nothing', () => {
    const blocked = () => {
      throw new Error('The operation is insecure.');
    };
    expect(markOf(blocked)).toEqual({});
  });
});
