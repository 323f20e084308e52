import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import { createReadCache, type ReadCache } from './read-cache';
import { type ReadOptions, ReadsProvider, useRead } from './use-read';

const KEY = ['sandbox'];

/** Returns the data that `useRead` gives a page during server rendering. */
function rendered(cache: ReadCache, options: Partial<ReadOptions<unknown>> = {}): unknown {
  const read = vi.fn(() => Promise.resolve('asked'));
  function Probe() {
    const { data, isPending, isError, updatedAtMs } = useRead({ key: KEY, read, ...options });
    return JSON.stringify({ data, isPending, isError, updatedAtMs });
  }
  const markup = renderToStaticMarkup(
    <ReadsProvider value={cache}>
      <Probe />
    </ReadsProvider>,
  );
  expect(read).not.toHaveBeenCalled();
  return JSON.parse(markup.replaceAll('&quot;', '"'));
}

describe('a reading on a page that the server renders', () => {
  it('is pending where nothing is known, and asks nobody', () => {
    expect(rendered(createReadCache())).toEqual({ isPending: true, isError: false, updatedAtMs: 0 });
    expect(rendered(createReadCache(), { enabled: false, keepsPrevious: true })).toEqual({
      isPending: true,
      isError: false,
      updatedAtMs: 0,
    });
  });

  it('is what the server knew', () => {
    const cache = createReadCache();
    cache.putKnown(KEY, [1]);
    expect(rendered(cache)).toEqual({ data: [1], isPending: false, isError: false, updatedAtMs: 0 });
  });

  it('takes null for an answer', () => {
    const cache = createReadCache();
    cache.putKnown(KEY, null);
    expect(rendered(cache)).toEqual({ data: null, isPending: false, isError: false, updatedAtMs: 0 });
    expect(rendered(cache, { keepsPrevious: true })).toEqual({
      data: null,
      isPending: false,
      isError: false,
      updatedAtMs: 0,
    });
  });

  it('does not show the first render in the browser what the browser alone knows, which would differ from the page', () => {
    const cache = createReadCache();
    cache.put(KEY, 'newer');
    expect(rendered(cache)).toEqual({ isPending: true, isError: false, updatedAtMs: 0 });
  });

  it('has to stand inside of a cache', () => {
    function Probe() {
      return String(useRead({ key: KEY, read: () => Promise.resolve(1) }).data);
    }
    expect(() => renderToStaticMarkup(<Probe />)).toThrow('ReadsProvider');
  });
});
