import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPublicClient, erc20Abi, type Hex, http } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { draftEvmPayment, readPaymentOptions, sendPayment, signedEvmPayment } from '@/lib/client';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import { withdrawalDomain, WITHDRAWAL_TYPES } from '@/lib/protocol/x402/withdrawal-statement';
import { bundleSandbox, endChildren, startAlone } from '@/lib/sandbox/sandbox-under-test';
import { checkLedger } from '@/lib/server/billing/ledger-check';
import { openSqlite } from '@/lib/server/db/sqlite/open';
import { bundleStage, KillableStage } from './killable-stage';
import { evmWallet, fund } from './paying-wallets';

/** A gateway that is killed again and again while a wallet withdraws. X402_KILLS says how often. */
const KILLS = Number(process.env.X402_KILLS ?? '8');
const PATIENCE_MS = 60_000 + KILLS * 15_000;
/** Origin for which sign-ins and statements are made. A stage has no public URL, so its own is the default. */
const GATEWAY = 'http://localhost:3000';
const TOKEN = SANDBOX_CONTRACTS.usdc;
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

test(
  `kill -9 of the gateway, ${KILLS} times: the wallet got what the ledger debited`,
  { timeout: PATIENCE_MS },
  async () => {
    const { url } = await startAlone(sandboxBundle, join(folder, 'sandbox'));
    const key: Hex = `0x${randomBytes(32).toString('hex')}`;
    await fund(url, privateKeyToAddress(key));
    const dataDir = join(folder, 'data');
    const stage = new KillableStage(stageBundle, {
      sandboxUrl: url,
      dataDir,
      payments: { withdrawals: { privateKey: key, dailyUsdMax: 1_000 } },
    });
    await stage.start();
    const { account, signIn } = await evmWallet(url);
    const balanceOf = (address: Hex): Promise<bigint> =>
      createPublicClient({ transport: http(`${url}/evm/base-mainnet`) }).readContract({
        address: TOKEN,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [address],
      });
    const accepts = await readPaymentOptions({ baseUrl: stage.origin }, '50');
    const terms = accepts.find(({ network }) => network === 'eip155:8453');
    if (!terms) throw new Error('Base is not offered.');
    const draft = draftEvmPayment(terms, account.address);
    await sendPayment({ baseUrl: stage.origin }, signedEvmPayment(draft, await account.signTypedData(draft.typedData)));
    const [before, paidFrom] = await Promise.all([balanceOf(account.address), balanceOf(privateKeyToAddress(key))]);

    const signIns = await signIn(GATEWAY);
    const withdraw = async (body: object): Promise<number> => {
      const answer = await fetch(`${stage.origin}/api/v1/x402/withdrawals`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sign-in-with-x': signIns },
        body: JSON.stringify(body),
      });
      return answer.status;
    };
    for (let round = 0; round < KILLS; round++) {
      const statement = {
        gateway: GATEWAY,
        amount: 2_000_000n + BigInt(round),
        fee: FEE,
        nonce: `0x${randomBytes(32).toString('hex')}` as const,
        validBefore: BigInt(Math.floor(Date.now() / 1_000) + 3_000),
      };
      const signature = await account.signTypedData({
        domain: withdrawalDomain(8453, TOKEN),
        types: WITHDRAWAL_TYPES,
        primaryType: 'Withdrawal',
        message: { ...statement, to: account.address },
      });
      const { amount, fee, validBefore } = statement;
      const body = {
        ...statement,
        network: 'eip155:8453',
        asset: TOKEN,
        amount: String(amount),
        fee: String(fee),
        validBefore: String(validBefore),
        signature,
      };
      const answer = withdraw(body).catch(() => 0);
      await sleep(Math.random() * 400);
      await stage.kill();
      await answer;
      await stage.start();
      // In every second round the wallet sends the same request again.
      if (round % 2 === 0) expect(await withdraw(body)).toBe(202);
    }

    const { db, close } = await openSqlite(dataDir, { exclusive: false });
    try {
      await expect
        .poll(
          () => db.selectFrom('withdrawals').select('id').where('state', 'in', ['debited', 'submitted']).execute(),
          { timeout: 60_000 },
        )
        .toEqual([]);
      const sent = await db.selectFrom('withdrawals').select(['state', 'amount']).execute();
      expect(sent.length).toBeGreaterThanOrEqual(KILLS / 2);
      expect(new Set(sent.map(({ state }) => state))).toEqual(new Set(['sent']));
      const debited = sent.reduce((sum, { amount }) => sum + BigInt(amount), 0n) / UNITS_TO_NANO;
      const fees = FEE * BigInt(sent.length);
      expect((await balanceOf(account.address)) - before).toBe(debited - fees);
      expect(paidFrom - (await balanceOf(privateKeyToAddress(key)))).toBe(debited - fees);
      const { x402 } = await db.selectFrom('meters').select('x402').where('x402', '>', 0).executeTakeFirstOrThrow();
      expect(BigInt(x402)).toBe((50_000_000n - debited) * UNITS_TO_NANO);
      expect((await checkLedger(db)).faults).toEqual([]);
    } finally {
      await close();
      await stage.kill();
    }
  },
);
