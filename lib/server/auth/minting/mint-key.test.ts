import { privateKeyToAccount } from 'viem/accounts';
import { verifyMessage } from 'viem';
import { describe, expect, it } from 'vitest';
import type { MintTerms } from '@/lib/protocol/api-keys/mint-request';
import { isApiError } from '@/lib/protocol/errors';
import { Secret } from '../../config/secret';
import { ChainUnavailable } from '../../billing/allocation/stake-reader';
import { hashApiKey, insertApiKey, listApiKeys, revokeApiKey, NO_BUDGET } from '../../db/api-keys';
import { LIVE_KEYS_MAX, MINTED_A_DAY_MAX } from '../../db/mint-api-key';
import type { Database } from '../../db/schema';
import { findWalletAccount } from '../../db/wallets';
import { describeStores } from '@/test/describe-stores';
import { type Mint, type MintClaim, mintKey } from './mint-key';
import { MintTokens } from './mint-tokens';

const CALLER = { clientIp: '192.0.2.1' };
const NOW = Date.UTC(2026, 10, 21, 12);
const wallet = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const stranger = privateKeyToAccount(`0x${'22'.repeat(32)}`);
const tokens = new MintTokens(new Secret('a secret of the tests'));
const terms: Omit<MintTerms, 'allow' | 'alert' | 'limitPrepaidNano'> = {
  type: 'INFERENCE',
  description: 'bot',
  expiresAt: null,
  limitPeriod: 'MONTH',
  limitUsdNano: 5,
  limitDiemNano: null,
};

/** Returns scripted dependencies of minting, and the order of the calls to them. */
function scripted(
  db: Database,
  script: { stake?: () => Promise<boolean>; signature?: 'valid' | 'invalid' | 'unavailable' } = {},
) {
  const asked: string[] = [];
  const mint: Mint = {
    db,
    stakeSymbol: 'TPK',
    canStake: true,
    tokens: { check: (token, now) => (asked.push('token'), tokens.check(token, now)) },
    stake: { holdsStake: () => (asked.push('stake'), script.stake?.() ?? Promise.resolve(true)) },
    verifySignature: async ({ address, message, signature }) => {
      asked.push('signature');
      return (
        script.signature ??
        ((await verifyMessage({ address, message, signature: signature as `0x${string}` })) ? 'valid' : 'invalid')
      );
    },
  };
  return { mint, asked };
}

async function claimOf(by = wallet, now = NOW): Promise<MintClaim> {
  const token = await tokens.issue(now);
  return { address: by.address, token, signature: await by.signMessage({ message: token }) };
}

async function refusalOf(promise: Promise<unknown>): Promise<{ code: string; message: string; headers?: unknown }> {
  try {
    await promise;
  } catch (error) {
    if (isApiError(error)) return error;
    throw error;
  }
  throw new Error('A key was minted.');
}

describeStores('minting', (open) => {
  const openDb = async () => (await open()).store.db;

  describe('a claim that holds', () => {
    it('gives a key that is stored as a hash, with its terms, in the account of the wallet', async () => {
      const db = await openDb();
      const { mint, asked } = scripted(db);
      const { apiKey, id } = await mintKey(mint, await claimOf(), terms, CALLER, NOW);
      expect(asked).toEqual(['token', 'signature', 'stake']);
      const accountId = await findWalletAccount(db, wallet.address);
      expect(await listApiKeys(db)).toEqual([
        {
          ...NO_BUDGET,
          ...terms,
          madeBy: null,
          id,
          accountId,
          last6: apiKey.slice(-6),
          createdAt: NOW,
          revokedAt: null,
        },
      ]);
      const row = await db.selectFrom('api_keys').select('hash').executeTakeFirstOrThrow();
      expect(row.hash).toBe(hashApiKey(apiKey));
    });

    it('gives the keys of one wallet one account, however its address is written, and another wallet another', async () => {
      const db = await openDb();
      const { mint } = scripted(db);
      const claim = await claimOf();
      for (const address of [claim.address, claim.address.toLowerCase(), `0x${claim.address.slice(2).toUpperCase()}`])
        await mintKey(mint, { ...claim, address }, terms, CALLER, NOW);
      await mintKey(mint, await claimOf(stranger), terms, CALLER, NOW);
      const accounts = (await listApiKeys(db)).map(({ accountId }) => accountId);
      expect(new Set(accounts.slice(0, 3)).size).toBe(1);
      expect(accounts[3]).not.toBe(accounts[0]);
      expect(await db.selectFrom('accounts').select('id').execute()).toHaveLength(2);
    });
  });

  describe('a claim that does not hold', () => {
    it.each([
      ['no address', async () => ({ ...(await claimOf()), address: 'vitalik.eth' }), 'Invalid wallet address.', []],
      [
        'an address with a wrong checksum',
        async () => ({
          ...(await claimOf()),
          address: wallet.address.replace(/[a-f]/, (letter) => letter.toUpperCase()),
        }),
        'Invalid wallet address: its upper and lower case letters do not match its EIP-55 checksum.',
        [],
      ],
      ['a token of 15 minutes ago', () => claimOf(wallet, NOW - 15 * 60_000), 'JWT has expired.', ['token']],
      [
        'a token of another service',
        async () => ({ ...(await claimOf()), token: await new MintTokens(null).issue(NOW) }),
        'JWT signature is invalid.',
        ['token'],
      ],
      ['no token', async () => ({ ...(await claimOf()), token: 'token' }), 'JWT is malformed.', ['token']],
      [
        'the signature of another wallet',
        async () => ({ ...(await claimOf(stranger)), address: wallet.address }),
        'Wallet signature does not match.',
        ['token', 'signature'],
      ],
      [
        'the signature of another token',
        async () => ({ ...(await claimOf()), signature: (await claimOf()).signature }),
        'Wallet signature does not match.',
        ['token', 'signature'],
      ],
    ] as const)('%s: the key is not made, and nothing beyond is asked', async (_what, claim, message, askedFor) => {
      const db = await openDb();
      const { mint, asked } = scripted(db);
      expect((await refusalOf(mintKey(mint, await claim(), terms, CALLER, NOW))).message).toBe(message);
      expect(asked).toEqual(askedFor);
      expect(await listApiKeys(db)).toEqual([]);
      expect(await db.selectFrom('accounts').select('id').execute()).toEqual([]);
    });

    it('a wallet without stake', async () => {
      const db = await openDb();
      const { mint } = scripted(db, { stake: () => Promise.resolve(false) });
      expect(await refusalOf(mintKey(mint, await claimOf(), terms, CALLER, NOW))).toMatchObject({
        code: 'WALLET_HAS_NO_STAKE',
        message: 'Wallet has no staked TPK on Base.',
        hint: undefined,
      });
      expect(await refusalOf(mintKey({ ...mint, canStake: false }, await claimOf(), terms, CALLER, NOW))).toMatchObject(
        { code: 'WALLET_HAS_NO_STAKE', hint: expect.stringContaining('has no staking contract') as string },
      );
      expect(await findWalletAccount(db, wallet.address)).toBeNull();
    });

    it('a signature that the chain says nothing about is no wrong signature: try again', async () => {
      const db = await openDb();
      const { mint, asked } = scripted(db, { signature: 'unavailable' });
      expect(await refusalOf(mintKey(mint, await claimOf(), terms, CALLER, NOW))).toMatchObject({
        message: 'Could not verify wallet signature.',
        headers: { 'retry-after': '5' },
      });
      expect(asked).not.toContain('stake');
    });

    it('a stake that the chain says nothing about, under whichever bundle’s error class, is 503 and never a key', async () => {
      const db = await openDb();
      const failures = [
        new ChainUnavailable('no answer'),
        Object.assign(new Error('no answer'), { name: 'ChainUnavailable' }),
      ];
      for (const failure of failures) {
        const { mint } = scripted(db, { stake: () => Promise.reject(failure) });
        expect(await refusalOf(mintKey(mint, await claimOf(), terms, CALLER, NOW))).toMatchObject({
          code: 'STAKE_UNAVAILABLE',
          headers: { 'retry-after': '5' },
        });
      }
      expect(await listApiKeys(db)).toEqual([]);
    });

    it('any other failure of the stake reader is not taken for the chain’s, and makes no key either', async () => {
      const db = await openDb();
      const { mint } = scripted(db, { stake: () => Promise.reject(new TypeError('a fault of ours')) });
      await expect(mintKey(mint, await claimOf(), terms, CALLER, NOW)).rejects.toThrow(TypeError);
      expect(await listApiKeys(db)).toEqual([]);
    });
  });

  describe('a stake that vanishes', () => {
    it('while the signature is checked makes no key: it is read after that, right before the key is stored', async () => {
      const db = await openDb();
      let staked = true;
      const { mint } = scripted(db, { stake: () => Promise.resolve(staked) });
      const { verifySignature } = mint;
      mint.verifySignature = async (claim, caller) => {
        const verdict = await verifySignature(claim, caller);
        staked = false;
        return verdict;
      };
      expect((await refusalOf(mintKey(mint, await claimOf(), terms, CALLER, NOW))).code).toBe('WALLET_HAS_NO_STAKE');
      expect(await listApiKeys(db)).toEqual([]);
    });

    it('after one key makes no second one: no answer about a stake is kept', async () => {
      const db = await openDb();
      const answers = [true, false];
      const { mint } = scripted(db, { stake: () => Promise.resolve(answers.shift() ?? false) });
      const claim = await claimOf();
      await mintKey(mint, claim, terms, CALLER, NOW);
      expect((await refusalOf(mintKey(mint, claim, terms, CALLER, NOW))).code).toBe('WALLET_HAS_NO_STAKE');
      expect(await listApiKeys(db)).toHaveLength(1);
    });
  });

  describe('an account', () => {
    it(
      'has at most 100 live keys, also of those that are minted at once, and one account from its first mints',
      { timeout: 60_000 },
      async () => {
        const books = await open();
        const { mint } = scripted(books.store.db);
        const other = scripted(await books.connect()).mint;
        const claim = await claimOf();
        // On a busy machine, mints wait so long for a connection that they are refused. Callers then try again.
        const mintOnce = async (mint: Parameters<typeof mintKey>[0]): Promise<unknown> =>
          mintKey(mint, claim, terms, CALLER, NOW).catch((error: { code: string }) =>
            error.code === 'STORE_UNAVAILABLE' ? mintOnce(mint) : Promise.reject(error as unknown as Error),
          );
        const outcomes = await Promise.allSettled(
          Array.from({ length: LIVE_KEYS_MAX + 20 }, (_none, index) => mintOnce(index % 2 ? mint : other)),
        );
        const refused = outcomes.flatMap((outcome) =>
          outcome.status === 'rejected' ? [outcome.reason as { code: string }] : [],
        );
        expect(refused.map(({ code }) => code)).toEqual(Array(20).fill('API_KEY_LIMIT_REACHED'));
        expect(await listApiKeys(books.store.db)).toHaveLength(LIVE_KEYS_MAX);
        expect(await books.store.db.selectFrom('accounts').select('id').execute()).toHaveLength(1);
        expect(await books.faults()).toEqual([]);
      },
    );

    it('may mint again when a key was revoked or has expired', { timeout: 60_000 }, async () => {
      const db = await openDb();
      const { mint } = scripted(db);
      const claim = await claimOf();
      const { id } = await mintKey(mint, claim, terms, CALLER, NOW);
      await mintKey(mint, claim, { ...terms, expiresAt: NOW + 60_000 }, CALLER, NOW);
      for (let count = 2; count < LIVE_KEYS_MAX; count++) await mintKey(mint, claim, terms, CALLER, NOW);
      expect((await refusalOf(mintKey(mint, claim, terms, CALLER, NOW))).code).toBe('API_KEY_LIMIT_REACHED');
      await revokeApiKey(db, id, NOW);
      await mintKey(mint, claim, terms, CALLER, NOW);
      expect((await refusalOf(mintKey(mint, claim, terms, CALLER, NOW + 59_999))).code).toBe('API_KEY_LIMIT_REACHED');
      await mintKey(mint, claim, terms, CALLER, NOW + 60_000);
      expect((await refusalOf(mintKey(mint, claim, terms, CALLER, NOW + 60_000))).code).toBe('API_KEY_LIMIT_REACHED');
    });

    it('mints at most 200 keys in 24 hours, however many of them it revokes', { timeout: 60_000 }, async () => {
      const db = await openDb();
      const { mint } = scripted(db);
      const claim = await claimOf();
      const { accountId } = await mintKey(mint, claim, terms, CALLER, NOW);
      const revoked = (index: number, createdAt: number) =>
        insertApiKey(db, `revoked ${index}`, { accountId, ...terms }, createdAt);
      for (let index = 2; index < MINTED_A_DAY_MAX; index++) await revokeApiKey(db, await revoked(index, NOW), NOW);
      await revokeApiKey(db, await revoked(1, NOW - 86_400_000), NOW);
      const { id } = await mintKey(mint, claim, terms, CALLER, NOW);
      await revokeApiKey(db, id, NOW);
      expect(await refusalOf(mintKey(mint, claim, terms, CALLER, NOW))).toMatchObject({
        code: 'API_KEY_LIMIT_REACHED',
        message: expect.stringMatching(/^200 API keys, the maximum, were created/),
      });
      expect(await listApiKeys(db)).toHaveLength(MINTED_A_DAY_MAX + 1);
    });
  });
});
