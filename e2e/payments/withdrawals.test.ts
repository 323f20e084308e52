import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import { createPublicClient, erc20Abi, type Hex, http } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  askWithdrawals,
  draftEvmPayment,
  draftWithdrawal,
  type EvmWithdrawalDraft,
  type PaymentRequirements,
  readPaymentOptions,
  sendPayment,
  signedEvmPayment,
  type SignedPayment,
  signSolanaPayment,
  type SolanaWithdrawalDraft,
  type WithdrawalDraft,
} from '@/lib/client';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import { bundleSandbox, endChildren, startAlone } from '@/lib/sandbox/sandbox-under-test';
import { checkLedger } from '@/lib/server/billing/ledger-check';
import { openSqlite } from '@/lib/server/db/sqlite/open';
import { bundleStage, KillableStage } from './killable-stage';
import { evmWallet, fund, type SignIn, solanaWallet } from './paying-wallets';
import { solanaBalance } from './receiver-balance';

/** Kills a gateway repeatedly while a wallet withdraws. X402_KILLS is the number of kills on each rail, 8 by default. */
const KILLS = Number(process.env.X402_KILLS ?? '8');
const PATIENCE_MS = 150_000 + KILLS * 15_000;
/** Origin in sign-ins and statements. A stage has no public URL, so its own origin is the default. */
const GATEWAY = 'http://localhost:3000';
const FEE = 50_000n;
const UNITS_TO_NANO = 1_000n;

let sandboxBundle: string;
let stageBundle: string;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-withdrawals-'));
  [sandboxBundle, stageBundle] = await Promise.all([bundleSandbox(), bundleStage()]);
}, 120_000);
afterAll(async () => {
  await endChildren();
  rmSync(folder, { recursive: true, force: true });
});

interface Owner {
  address: string;
  signIn: SignIn;
  pay(terms: PaymentRequirements): Promise<SignedPayment>;
  sign(draft: WithdrawalDraft): Promise<string>;
}

interface Chain {
  network: string;
  owner(url: string): Promise<Owner>;
  /** Creates a key for payouts. @returns its address and the configuration of withdrawals */
  payingKey(): { address: string; settings: object };
  balanceOf(url: string, address: string): Promise<bigint>;
}

const BASE: Chain = {
  network: 'eip155:8453',
  async owner(url) {
    const { account, signIn } = await evmWallet(url);
    return {
      address: account.address,
      signIn,
      pay: async (terms) => {
        const draft = draftEvmPayment(terms, account.address);
        return signedEvmPayment(draft, await account.signTypedData(draft.typedData));
      },
      sign: (draft) => account.signTypedData((draft as EvmWithdrawalDraft).typedData),
    };
  },
  payingKey() {
    const privateKey: Hex = `0x${randomBytes(32).toString('hex')}`;
    return { address: privateKeyToAddress(privateKey), settings: { privateKey } };
  },
  balanceOf: (url, address) =>
    createPublicClient({ transport: http(`${url}/evm/base-mainnet`) }).readContract({
      address: SANDBOX_CONTRACTS.usdc,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [address as Hex],
    }),
};

const SOLANA: Chain = {
  network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  async owner(url) {
    const { address, signIn, sign, signTransaction } = await solanaWallet(url);
    return {
      address,
      signIn,
      pay: (terms) => signSolanaPayment(terms, { address, signTransaction }, `${url}/solana/solana-mainnet`),
      sign: (draft) => Promise.resolve(sign((draft as SolanaWithdrawalDraft).text)),
    };
  },
  payingKey() {
    const seed = new Uint8Array(randomBytes(32));
    return {
      address: base58.encode(ed25519.getPublicKey(seed)),
      settings: { solanaPrivateKey: base58.encode(seed) },
    };
  },
  balanceOf: solanaBalance,
};

test.each([
  ['Base', BASE],
  ['Solana', SOLANA],
])(
  `kill -9 of the gateway, ${KILLS} times, on %s: the wallet got what the ledger debited`,
  { timeout: PATIENCE_MS },
  async (name, chain) => {
    const { url } = await startAlone(sandboxBundle, join(folder, `sandbox ${name}`));
    const { address: paying, settings } = chain.payingKey();
    await fund(url, paying);
    const dataDir = join(folder, `data ${name}`);
    const stage = new KillableStage(stageBundle, {
      sandboxUrl: url,
      dataDir,
      payments: { withdrawals: { ...settings, dailyUsdMax: 1_000 } },
    });
    await stage.start();
    const owner = await chain.owner(url);
    // Each round withdraws a dollar. The faucet gives 100 USDC at a time.
    const prepaidUsd = KILLS + 50;
    for (let funded = 100; funded < prepaidUsd; funded += 100)
      for (const address of [owner.address, paying]) await fund(url, address);
    const accepts = await readPaymentOptions({ baseUrl: stage.origin }, String(prepaidUsd));
    const terms = accepts.find(({ network }) => network === chain.network);
    if (!terms) throw new Error(`${name} is not offered.`);
    await sendPayment({ baseUrl: stage.origin }, await owner.pay(terms));
    const { db, close } = await openSqlite(dataDir, { exclusive: false });
    await expect
      .poll(() => db.selectFrom('meters').select('x402').where('x402', '>', 0).execute(), { timeout: 60_000 })
      .toHaveLength(1);
    const balances = () => Promise.all([owner.address, paying].map((address) => chain.balanceOf(url, address)));
    const [before = 0n, paidFrom = 0n] = await balances();

    const signIn = await owner.signIn(GATEWAY);
    const found = await askWithdrawals({
      baseUrl: GATEWAY,
      signIn,
      fetch: (input, init) => fetch(String(input).replace(GATEWAY, stage.origin), init),
    });
    const [offered] = found.terms.filter(({ network }) => network === chain.network);
    if (!offered) throw new Error('Nothing can be withdrawn.');
    const withdraw = async (body: object): Promise<number> => {
      const answer = await fetch(`${stage.origin}/api/v1/x402/withdrawals`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sign-in-with-x': signIn },
        body: JSON.stringify(body),
      });
      return answer.status;
    };
    for (let round = 0; round < KILLS; round++) {
      const amount = 1_000_000n + BigInt(round);
      const draft = draftWithdrawal(offered, { gateway: GATEWAY, to: owner.address, amount });
      const { network, asset, statement } = draft;
      const body = { ...statement, to: undefined, network, asset, signature: await owner.sign(draft) };
      const answer = withdraw(body).catch(() => 0);
      await sleep(Math.random() * 400);
      await stage.kill();
      await answer;
      await stage.start();
      // Every second round sends the same request again.
      if (round % 2 === 0) expect(await withdraw(body)).toBe(202);
    }

    try {
      await expect
        .poll(
          () => db.selectFrom('withdrawals').select('id').where('state', 'in', ['debited', 'submitted']).execute(),
          { timeout: 150_000 },
        )
        .toEqual([]);
      const sent = await db.selectFrom('withdrawals').select(['state', 'amount']).execute();
      expect(sent.length).toBeGreaterThanOrEqual(KILLS / 2);
      expect(new Set(sent.map(({ state }) => state))).toEqual(new Set(['sent']));
      const debited = sent.reduce((sum, { amount }) => sum + BigInt(amount), 0n) / UNITS_TO_NANO;
      const fees = FEE * BigInt(sent.length);
      const [after = 0n, paidTo = 0n] = await balances();
      expect(after - before).toBe(debited - fees);
      expect(paidFrom - paidTo).toBe(debited - fees);
      const { x402 } = await db.selectFrom('meters').select('x402').where('x402', '>', 0).executeTakeFirstOrThrow();
      expect(BigInt(x402)).toBe((BigInt(prepaidUsd) * 1_000_000n - debited) * UNITS_TO_NANO);
      expect((await checkLedger(db)).faults).toEqual([]);
    } finally {
      await close();
      await stage.kill();
    }
  },
);
