import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createStoredValue } from './stored-value';

class MemoryStorage {
  readonly entries = new Map<string, string>();
  getItem = (key: string) => this.entries.get(key) ?? null;
  setItem = (key: string, value: string) => void this.entries.set(key, value);
  removeItem = (key: string) => void this.entries.delete(key);
}

class BlockedStorage {
  getItem = () => this.refuse();
  setItem = () => this.refuse();
  removeItem = () => this.refuse();
  private refuse(): never {
    throw new DOMException('blocked', 'SecurityError');
  }
}

let local: MemoryStorage;
let session: MemoryStorage;
let events: EventTarget;

beforeEach(() => {
  [local, session, events] = [new MemoryStorage(), new MemoryStorage(), new EventTarget()];
  vi.stubGlobal('window', {
    localStorage: local,
    sessionStorage: session,
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
  });
});
afterEach(() => vi.unstubAllGlobals());

const text = (stored: unknown) => (typeof stored === 'string' ? stored : null);

describe('a stored value', () => {
  it('stays in local storage when the page closes, and listeners get it', () => {
    const store = createStoredValue({ key: 'k', initial: 'a', parse: text });
    const heard = vi.fn();
    store.subscribe(heard);
    store.set('b');
    expect(heard).toHaveBeenCalledOnce();
    expect(createStoredValue({ key: 'k', initial: 'a', parse: text }).get()).toBe('b');
  });

  it('moves between tab and browser without leaving a copy behind', () => {
    const store = createStoredValue({
      key: 'k',
      initial: 'a',
      parse: text,
      sessionOnly: (value) => value.startsWith('secret'),
    });
    store.set('kept');
    store.set('secret');
    expect([...local.entries.keys()]).toEqual([]);
    store.set('kept');
    expect([...session.entries.keys()]).toEqual([]);
  });

  it('follows another tab', () => {
    const store = createStoredValue({ key: 'k', initial: 'a', parse: text });
    const heard = vi.fn();
    store.subscribe(heard);
    local.setItem('k', '"other"');
    events.dispatchEvent(Object.assign(new Event('storage'), { key: 'k' }));
    expect(heard).toHaveBeenCalledOnce();
    expect(store.get()).toBe('other');
  });

  it('follows another tab while no component shows it, so that a write keeps what that tab wrote', () => {
    const store = createStoredValue({ key: 'k', initial: 'a', parse: text });
    store.subscribe(() => undefined)();
    expect(store.get()).toBe('a');
    local.setItem('k', '"other"');
    events.dispatchEvent(Object.assign(new Event('storage'), { key: 'k' }));
    store.set(`${store.get()} and mine`);
    expect(local.getItem('k')).toBe('"other and mine"');
  });

  it.each(['{', '7', 'null'])('takes the initial value where %s is stored', (stored) => {
    local.setItem('k', stored);
    expect(createStoredValue({ key: 'k', initial: 'a', parse: text }).get()).toBe('a');
  });

  it('works for the length of the page where storage is blocked', () => {
    vi.stubGlobal('window', {
      localStorage: new BlockedStorage(),
      sessionStorage: new BlockedStorage(),
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    });
    const store = createStoredValue({ key: 'k', initial: 'a', parse: text });
    expect(store.get()).toBe('a');
    store.set('b');
    expect(store.get()).toBe('b');
  });

  it('says whether it is kept, and that it is not', () => {
    const store = createStoredValue({ key: 'k', initial: 'a', parse: text });
    expect(store.set('b')).toBe(true);
    local.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    expect(store.set('c')).toBe(false);
    expect(store.get()).toBe('c');
  });

  describe('that is a draft', () => {
    const draft = () => createStoredValue({ key: 'k', initial: 'a', parse: text, draftOf: (last) => `${last}!` });

    it('is each tab’s own, and a new tab begins with what was written last', () => {
      draft().set('mine');
      expect(draft().get()).toBe('mine');
      session = new MemoryStorage();
      vi.stubGlobal('window', {
        localStorage: local,
        sessionStorage: session,
        addEventListener: events.addEventListener.bind(events),
        removeEventListener: events.removeEventListener.bind(events),
      });
      expect(draft().get()).toBe('mine!');
    });

    it('does not follow another tab', () => {
      const store = draft();
      const heard = vi.fn();
      store.subscribe(heard);
      store.set('mine');
      local.setItem('k', '"other"');
      events.dispatchEvent(Object.assign(new Event('storage'), { key: 'k' }));
      expect(heard).toHaveBeenCalledOnce();
      expect(store.get()).toBe('mine');
    });
  });

  it('is the initial value on the server', () => {
    vi.unstubAllGlobals();
    expect(createStoredValue({ key: 'k', initial: 'a', parse: text }).get()).toBe('a');
  });
});
