import { afterEach, describe, expect, it, vi } from 'vitest';
import { giveRoomBack, keepPayment, type KeptPayment, parseKeptPayments, takeRoom } from './tracked-payments';

const KEPT: KeptPayment = {
  id: 'a',
  payment: 'eyJ9',
  family: 'evm',
  payer: '0x1',
  network: 'eip155:31337',
  rpcNetwork: 'sandbox-testnet',
  isStandIn: true,
  title: 'Turnpike Sandbox',
  amount: '5.00',
  symbol: 'USDC',
  signedAtMs: 1,
  expiresAtMs: 2,
};

describe('kept payments', () => {
  it('are taken as they were kept', () => {
    expect(parseKeptPayments([KEPT])).toEqual([KEPT]);
  });

  it('are dropped one by one where a foreign hand wrote them', () => {
    const foreign = [
      null,
      'x',
      {},
      { ...KEPT, payment: 'a\r\nb: c' },
      { ...KEPT, payment: '' },
      { ...KEPT, family: 'x' },
      { ...KEPT, expiresAtMs: null },
      { ...KEPT, amount: 5 },
    ];
    expect(parseKeptPayments([...foreign, KEPT])).toEqual([KEPT]);
    expect(parseKeptPayments({ 0: KEPT })).toBeNull();
  });
});

describe('the room for a payment', () => {
  afterEach(() => vi.unstubAllGlobals());

  /** Stubs a local storage that holds at most this many characters. */
  function stubStorage(charactersMax: number): Map<string, string> {
    const entries = new Map<string, string>();
    const storage = {
      getItem: (key: string) => entries.get(key) ?? null,
      setItem(key: string, value: string) {
        const others = [...entries].filter(([each]) => each !== key).reduce((sum, [, text]) => sum + text.length, 0);
        if (others + value.length > charactersMax) throw new DOMException('full', 'QuotaExceededError');
        entries.set(key, value);
      },
      removeItem: (key: string) => void entries.delete(key),
    };
    vi.stubGlobal('localStorage', storage);
    vi.stubGlobal('window', { localStorage: storage, sessionStorage: storage, addEventListener: () => undefined });
    return entries;
  }

  it('is taken before it is signed, and is the payment’s once it is', () => {
    const entries = stubStorage(20_000);
    expect(takeRoom()).toBe(true);
    expect(() => localStorage.setItem('draft', 'x'.repeat(10_000))).toThrow();
    expect(keepPayment(KEPT)).toBe(true);
    expect([...entries.keys()]).toEqual(['turnpike.payments']);
  });

  it('that is not there is found out before anything is signed, and a payment that is not kept is known', () => {
    stubStorage(100);
    expect(takeRoom()).toBe(false);
    expect(keepPayment({ ...KEPT, id: 'b', payment: 'ZmY' })).toBe(false);
    giveRoomBack();
  });

  it('is not asked for where storage is blocked: the page says that it keeps nothing', () => {
    const refuse = () => {
      throw new DOMException('blocked', 'SecurityError');
    };
    vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
    vi.stubGlobal('window', {
      localStorage: { getItem: refuse, setItem: refuse, removeItem: refuse },
      sessionStorage: { getItem: refuse, setItem: refuse, removeItem: refuse },
      addEventListener: () => undefined,
    });
    expect(takeRoom()).toBe(true);
    expect(keepPayment(KEPT)).toBe(false);
  });
});
