import { afterEach, describe, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe('a step that was done here', () => {
  it('is kept once, beside those of before', async () => {
    const { firstStepsDone, noteFirstStep } = await storedAs('["wallet"]');
    noteFirstStep('chat');
    noteFirstStep('chat');
    expect(firstStepsDone.get()).toEqual(['wallet', 'chat']);
    expect(kept.get('turnpike.first-steps')).toContain('chat');
  });

  it.each(['{"chat":true}', 'chat', '["fly",7,null]'])('comes from nothing but steps: %s', async (stored) => {
    expect((await storedAs(stored)).firstStepsDone.get()).toEqual([]);
  });
});

const kept = new Map<string, string>();

async function storedAs(text: string) {
  kept.clear();
  kept.set('turnpike.first-steps', text);
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  vi.stubGlobal('window', {
    localStorage: storage,
    sessionStorage: storage,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  });
  vi.stubGlobal('localStorage', storage);
  return import('./first-steps-done');
}
