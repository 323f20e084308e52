import { describe, expect, it } from 'vitest';
import { type ApiError, isApiError } from '@/lib/protocol/errors';
import { ContractChecks, type SignatureVerdict } from './contract-checks';

const NOW = 1_700_000_000_000;
const MINUTE = 60_000;
const CUSTOMER = '0xc0ffee';
const address = (n: number) => `198.51.${n >> 8}.${n & 255}`;

interface Asked {
  verdict: Promise<SignatureVerdict>;
  reached: () => boolean;
  answer: (verdict: SignatureVerdict) => Promise<SignatureVerdict>;
}

function stage({ perMinute = 30, customers = [CUSTOMER] } = {}) {
  const clock = { now: NOW };
  const checks = new ContractChecks({
    perMinute,
    hasAccount: (wallet) => Promise.resolve(customers.includes(wallet)),
    now: () => clock.now,
  });
  let serial = 0;
  let chainCalls = 0;
  /** Starts a check that waits for the chain until `answer` is called. */
  const start = (wallet: string, clientIp: string, digest = `claim ${serial++}`): Asked => {
    let tell: ((verdict: SignatureVerdict) => void) | null = null;
    let told: SignatureVerdict | null = null;
    const verdict = checks.check({ wallet, clientIp, digest }, () => {
      chainCalls++;
      return new Promise((resolve) => {
        tell = resolve;
        if (told) resolve(told);
      });
    });
    verdict.catch(() => undefined);
    return {
      verdict,
      reached: () => tell !== null,
      answer: (given) => {
        told = given;
        tell?.(given);
        return verdict;
      },
    };
  };
  const ask = (wallet: string, clientIp: string, verdict: SignatureVerdict, digest?: string) =>
    start(wallet, clientIp, digest).answer(verdict);
  const refusal = (wallet: string, clientIp: string, digest?: string): ApiError => {
    try {
      start(wallet, clientIp, digest);
    } catch (error) {
      if (isApiError(error)) return error;
      throw error;
    }
    throw new Error('Not refused.');
  };
  return { checks, clock, start, ask, refusal, chainCalls: () => chainCalls };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('forged signatures of contract wallets', () => {
  it('from one address reach the chain 30 times a minute, whatever wallets they name', async () => {
    const { ask, refusal, clock, chainCalls } = stage();
    for (let i = 0; i < 30; i++) expect(await ask(`0x${i}`, address(1), 'invalid')).toBe('invalid');
    const error = refusal('0xother', address(1));
    expect(error.code).toBe('MINUTE_CAP');
    expect(error.headers).toEqual({
      'x-ratelimit-limit': '30',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(NOW / 1000 + 60),
      'retry-after': '60',
    });
    expect(error.fields?.customMessage).toMatch(
      /30 requests a minute from one address with contract-wallet signatures/,
    );
    expect(chainCalls()).toBe(30);
    await ask('0xother', address(2), 'invalid');
    clock.now += MINUTE;
    await ask('0xother', address(1), 'invalid');
  });

  it('from one /64 are those of one address', async () => {
    const { ask, refusal } = stage({ perMinute: 3 });
    for (let i = 0; i < 3; i++) await ask(`0x${i}`, `2001:db8::${i + 1}`, 'invalid');
    expect(refusal('0xother', '2001:db8::ffff').code).toBe('MINUTE_CAP');
    await ask('0xother', '2001:db8:0:1::1', 'invalid');
  });

  it('for one contract wallet are limited too, from wherever they come', async () => {
    const { ask, refusal } = stage();
    for (let i = 0; i < 30; i++) await ask('0xvictim', address(i >> 1), 'invalid');
    for (let i = 0; i < 15; i++)
      expect(refusal('0xvictim', address(i)).fields?.customMessage).toMatch(
        /30 requests a minute from all addresses together for one contract wallet/,
      );
    await ask('0xother', address(1), 'invalid');
  });

  it('do not lock the wallet out that they name: an address that forged nothing is heard', async () => {
    const { ask } = stage();
    for (let i = 0; i < 100; i++) await ask(CUSTOMER, address(i), 'invalid');
    expect(await ask(CUSTOMER, address(200), 'valid')).toBe('valid');
  });

  it('in the name of a wallet without an account cost no more calls than it may have, from however many addresses', async () => {
    const { ask, start, chainCalls } = stage();
    for (let i = 0; i < 30; i++) await ask('0xnobody', address(i), 'invalid');
    for (let i = 30; i < 100; i++)
      await expect(start('0xnobody', address(i)).verdict).rejects.toMatchObject({ code: 'MINUTE_CAP' });
    expect(chainCalls()).toBe(30);
    expect(await ask('0xother', address(40), 'valid'), 'an address that was refused so has lost nothing').toBe('valid');
  });

  it('are remembered for 30 s: sent again they cost neither a call nor the limit', async () => {
    const { ask, start, clock, chainCalls } = stage({ perMinute: 2 });
    await ask('0xa', address(1), 'invalid', 'forged');
    for (let i = 0; i < 100; i++) expect(await start('0xa', address(i), 'forged').verdict).toBe('invalid');
    expect(chainCalls()).toBe(1);
    clock.now += 30_000;
    expect(await ask('0xa', address(1), 'valid', 'forged')).toBe('valid');
    expect(chainCalls()).toBe(2);
  });

  it('a chain that was silent is asked again, and so is one that said yes', async () => {
    const { ask, chainCalls } = stage();
    for (const verdict of ['unavailable', 'valid', 'unavailable', 'invalid'] as const)
      expect(await ask('0xa', address(1), verdict, 'same')).toBe(verdict);
    expect(chainCalls()).toBe(4);
  });

  it('the same at once, from many addresses, is one check', async () => {
    const { start, chainCalls } = stage({ perMinute: 1 });
    const first = start('0xa', address(1), 'same');
    const others = Array.from({ length: 50 }, (_, i) => start('0xa', address(i), 'same'));
    await settled();
    await first.answer('valid');
    expect(await Promise.all(others.map(({ verdict }) => verdict))).toEqual(Array.from({ length: 50 }, () => 'valid'));
    expect(chainCalls()).toBe(1);
  });

  it('of one address run 4 at a time, and more are 429 that say so', async () => {
    const { start, refusal } = stage();
    const running = Array.from({ length: 4 }, (_, i) => start(`0x${i}`, address(1)));
    const error = refusal('0xother', address(1));
    expect([error.code, error.headers]).toEqual([
      'CONCURRENT_CALL',
      {
        'x-ratelimit-limit': '4',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(NOW / 1000 + 1),
        'retry-after': '1',
      },
    ]);
    expect(error.fields?.customMessage).toMatch(/At most 4 contract-wallet signatures .* for one address at a time/);
    await running[0]?.answer('invalid');
    start('0xother', address(1));
  });

  it('for one contract wallet run 4 at a time for addresses that forged before', async () => {
    const { ask, start, refusal } = stage();
    for (let i = 0; i < 5; i++) await ask(`0x${i}`, address(i), 'invalid');
    for (let i = 0; i < 4; i++) start('0xvictim', address(i));
    expect(refusal('0xvictim', address(4)).fields?.customMessage).toMatch(/for one contract wallet at a time/);
    expect(await start('0xvictim', address(9)).answer('valid')).toBe('valid');
  });
});

describe('the slots for checks', () => {
  /** Starts checks of forgers at many addresses. The chain answers them slowly. */
  async function flood(
    start: (wallet: string, clientIp: string) => Asked,
    count: number,
    wallet = (i: number) => `0xforged${i}`,
  ): Promise<Asked[]> {
    const asked = Array.from({ length: count }, (_, i) => start(wallet(i), address(1_000 + i)));
    await settled();
    return asked;
  }

  it('are 16 for strangers: more hear that too many are being checked, and nothing of them is kept', async () => {
    const { start, ask } = stage({ perMinute: 1 });
    const forged = await flood(start, 100);
    expect(forged.filter(({ reached }) => reached())).toHaveLength(16);
    expect(await forged[99]?.verdict).toBe('busy');
    await Promise.all(forged.slice(0, 16).map(({ answer }) => answer('invalid')));
    // A check that found no free slot does not count.
    expect(await ask('0xforged99', address(1_099), 'valid')).toBe('valid');
  });

  it('have a share that strangers cannot take: a wallet with an account is checked all the same', async () => {
    const { start, ask } = stage();
    await flood(start, 100);
    expect(await ask(CUSTOMER, address(1), 'valid')).toBe('valid');
    expect(await ask('0xstranger', address(2), 'valid')).toBe('busy');
  });

  it('have a share that nobody can claim: names of customers, known from the chain, do not open it', async () => {
    const customers = Array.from({ length: 200 }, (_, i) => `0xcustomer${i}`);
    const { start, ask } = stage({ customers });
    // This wallet signed in from this address before.
    expect(await ask('0xcustomer0', address(1), 'valid')).toBe('valid');
    const claimed = await flood(start, 100, (i) => `0xcustomer${i}`);
    const forged = await flood(start, 100);
    expect([...claimed, ...forged].filter(({ reached }) => reached())).toHaveLength(24);
    expect(await ask('0xcustomer150', address(2), 'valid')).toBe('busy');
    for (let i = 0; i < 20; i++) expect(await ask('0xcustomer0', address(1), 'valid')).toBe('valid');
  });

  it('are free again when the chain answered or failed', async () => {
    const { start, ask } = stage();
    for (let round = 0; round < 3; round++) {
      const forged = await flood(start, 16, (i) => `0xround${round}of${i}`);
      await Promise.all(forged.map(({ answer }) => answer('unavailable')));
    }
    expect(await ask('0xstranger', address(1), 'valid')).toBe('valid');
  });
});

describe('a wallet that was proven where it asks', () => {
  it('is not held up by forgers at its address', async () => {
    const { ask, refusal } = stage({ perMinute: 5 });
    await ask(CUSTOMER, address(1), 'valid');
    for (let i = 0; i < 5; i++) await ask(`0x${i}`, address(1), 'invalid');
    expect(refusal('0xother', address(1)).code).toBe('MINUTE_CAP');
    expect(await ask(CUSTOMER, address(1), 'valid')).toBe('valid');
  });

  it('has a limit of its own, and is a stranger beyond it', async () => {
    const { ask, refusal, clock } = stage({ perMinute: 5 });
    await ask(CUSTOMER, address(1), 'valid');
    for (let i = 0; i < 5; i++) await ask(CUSTOMER, address(1), 'valid');
    for (let i = 0; i < 5; i++) await ask(CUSTOMER, address(1), 'invalid');
    expect(refusal(CUSTOMER, address(1)).code).toBe('MINUTE_CAP');
    clock.now += MINUTE;
    expect(await ask(CUSTOMER, address(1), 'valid')).toBe('valid');
  });

  it('is one with an account: who is right about a wallet that he just made up is still a stranger', async () => {
    const { ask, refusal } = stage({ perMinute: 5 });
    for (let i = 0; i < 5; i++) await ask(`0xundeployed${i}`, address(1), 'valid');
    expect(refusal('0xundeployed0', address(1)).code).toBe('MINUTE_CAP');
  });

  it('does not use up the limit of its address: many of them may be behind one', async () => {
    const customers = Array.from({ length: 100 }, (_, i) => `0xcustomer${i}`);
    const { ask } = stage({ perMinute: 5, customers });
    for (const wallet of customers) expect(await ask(wallet, address(1), 'valid')).toBe('valid');
  });

  it('is asked about as a stranger while the store is away', async () => {
    const checks = new ContractChecks({
      perMinute: 5,
      hasAccount: () => Promise.reject(new Error('The store is away.')),
      now: () => NOW,
    });
    expect(
      await checks.check({ wallet: CUSTOMER, clientIp: address(1), digest: 'a' }, () => Promise.resolve('valid')),
    ).toBe('valid');
  });
});

describe('what else asks chains in the name of a contract wallet, as the verification of a payment does', () => {
  const pending = () => new Promise<string>(() => undefined);

  it('has the slots of sign-ins, of which forgers leave some to wallets that have an account', async () => {
    const { checks, start } = stage();
    for (let n = 0; n < 8; n++) void checks.share({ wallet: `0x${n}`, clientIp: address(n) }, pending);
    for (let n = 8; n < 16; n++) start(`0x${n}`, address(n));
    await settled();
    expect(await checks.share({ wallet: '0x99', clientIp: address(99) }, pending)).toBeNull();
    expect(await checks.share({ wallet: CUSTOMER, clientIp: address(99) }, () => Promise.resolve('verified'))).toEqual({
      answer: 'verified',
    });
  });

  it('proves nothing of who is at an address', async () => {
    const { checks, ask } = stage();
    const claim = { wallet: CUSTOMER, clientIp: address(1) };
    await checks.share(claim, () => Promise.resolve('verified'));
    for (let n = 0; n < 24; n++)
      void checks
        .share({ wallet: n < 16 ? `0x${n}` : CUSTOMER, clientIp: address(100 + n) }, pending)
        .catch(() => null);
    await settled();
    expect(await checks.share(claim, pending)).toBeNull();
    expect(await ask(CUSTOMER, address(1), 'valid')).toBe('busy');
  });

  it('is limited by address, frees its slot when it fails, and is told why', async () => {
    const { checks } = stage({ perMinute: 3 });
    const claim = { wallet: '0x1', clientIp: address(1) };
    for (let n = 0; n < 3; n++)
      await expect(checks.share(claim, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(checks.share(claim, pending)).rejects.toMatchObject({ code: 'MINUTE_CAP' });
    for (let n = 0; n < 16; n++) void checks.share({ wallet: `0xa${n}`, clientIp: address(10 + n) }, pending);
    await settled();
    expect(await checks.share({ wallet: '0x99', clientIp: address(99) }, pending)).toBeNull();
  });
});
