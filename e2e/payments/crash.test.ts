import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  draftEvmPayment,
  readPaymentOptions,
  sendPayment,
  signedEvmPayment,
  signSolanaPayment,
  type SignedPayment,
} from '@/lib/client';
import { bundleSandbox, endChildren, startAlone } from '@/lib/sandbox/sandbox-under-test';
import { checkLedger } from '@/lib/server/billing/ledger-check';
import { openSqlite } from '@/lib/server/db/sqlite/open';
import { bundleStage, KillableStage } from './killable-stage';
import { evmWallet, solanaWallet } from './paying-wallets';
import { balanceOnChain } from './receiver-balance';

/**
 * Kills the gateway repeatedly while wallets pay, and in a second run the chains too. After the restart, credits equal
 * the receiver's balance on chain, to the unit. X402_KILLS is the number of kills, 12 by default; 100 take minutes.
 */

const KILLS = Number(process.env.X402_KILLS ?? '12');
const PATIENCE_MS = 60_000 + KILLS * 15_000;
const UNITS_TO_NANO = 1_000n;

let sandboxBundle: string;
let stageBundle: string;
beforeAll(async () => {
  [sandboxBundle, stageBundle] = await Promise.all([bundleSandbox(), bundleStage()]);
}, 120_000);
afterAll(endChildren);

async function withFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-x402-crash-'));
  try {
    await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Signs one payment on Base and one on Solana. */
async function twoPayments(origin: string, sandboxUrl: string): Promise<SignedPayment[]> {
  const accepts = await readPaymentOptions({ baseUrl: origin });
  const [evm, solana] = [
    accepts.find(({ network }) => network === 'eip155:8453'),
    accepts.find(({ network }) => network.startsWith('solana:')),
  ];
  if (!evm || !solana) throw new Error('Not all rails are offered.');
  const [payer, solanaPayer] = await Promise.all([evmWallet(sandboxUrl), solanaWallet(sandboxUrl)]);
  const draft = draftEvmPayment(evm, payer.account.address);
  return Promise.all([
    payer.account.signTypedData(draft.typedData).then((signature) => signedEvmPayment(draft, signature)),
    signSolanaPayment(solana, solanaPayer, `${sandboxUrl}/solana/solana-mainnet`),
  ]);
}

async function received(sandboxUrl: string): Promise<bigint> {
  return (await balanceOnChain(sandboxUrl, 'base')) + (await balanceOnChain(sandboxUrl, 'solana'));
}

/** Lets the restarted gateway finish open payments, and compares the ledger with the chains. */
async function expectBooksAgree(
  stage: KillableStage,
  dataDir: string,
  sandboxUrl: string,
): Promise<{ credited: number; states: string[] }> {
  const { db, close } = await openSqlite(dataDir, { exclusive: false });
  try {
    const openPayments = () =>
      db
        .selectFrom('payments')
        .select(['id', 'state'])
        .where('state', 'in', ['verified', 'submitted', 'settled'])
        .execute();
    for (
      const deadline = performance.now() + 60_000;
      (await openPayments()).length > 0 && performance.now() < deadline;
    )
      await sleep(250);
    const rows = await db.selectFrom('ledger').select('amount').where('kind', '=', 'TOP_UP').execute();
    const credited = rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    expect(credited).toBe((await received(sandboxUrl)) * UNITS_TO_NANO);
    expect((await checkLedger(db)).faults).toEqual([]);
    const states = (await db.selectFrom('payments').select('state').execute()).map(({ state }) => state);
    return { credited: rows.length, states };
  } finally {
    await close();
    await stage.kill();
  }
}

/** Repeats: pays, kills after a random time, restarts. */
async function killAgainAndAgain(
  stage: KillableStage,
  sandboxUrl: () => string,
  alsoKill: () => Promise<void>,
  rounds = KILLS,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const payments = await twoPayments(stage.origin, sandboxUrl());
    const answers = payments.map((payment) => sendPayment({ baseUrl: stage.origin }, payment).catch(() => null));
    await sleep(Math.random() * 250);
    await Promise.all([stage.kill(), alsoKill()]);
    await Promise.all(answers);
    await stage.start();
    // A client without an answer sends the same payment again.
    if (round % 2 === 0)
      await Promise.all(payments.map((payment) => sendPayment({ baseUrl: stage.origin }, payment).catch(() => null)));
  }
}

describe('kill -9', () => {
  test(`of the gateway, ${KILLS} times, the chains living on`, { timeout: PATIENCE_MS }, () =>
    withFolder(async (folder) => {
      const { url } = await startAlone(sandboxBundle, join(folder, 'sandbox'));
      const stage = new KillableStage(stageBundle, { sandboxUrl: url, dataDir: join(folder, 'data') });
      await stage.start();
      await killAgainAndAgain(
        stage,
        () => url,
        () => Promise.resolve(),
      );
      const { credited, states } = await expectBooksAgree(stage, join(folder, 'data'), url);
      expect(states.every((state) => state === 'credited')).toBe(true);
      // Every second round sends its payments again and expects them to be credited.
      expect(credited).toBeGreaterThanOrEqual(KILLS);
    }),
  );

  test(`of the gateway and of the chains with it, ${Math.ceil(KILLS / 2)} times`, { timeout: PATIENCE_MS }, () =>
    withFolder(async (folder) => {
      const open = () => startAlone(sandboxBundle, join(folder, 'sandbox'));
      let sandbox = await open();
      const stage = new KillableStage(stageBundle, { sandboxUrl: sandbox.url, dataDir: join(folder, 'data') });
      await stage.start();
      const killSandbox = async (): Promise<void> => {
        const ended = once(sandbox.child, 'exit');
        sandbox.child.kill('SIGKILL');
        await ended;
        sandbox = await open();
        stage.settings.sandboxUrl = sandbox.url;
      };
      await killAgainAndAgain(stage, () => sandbox.url, killSandbox, Math.ceil(KILLS / 2));
      await expectBooksAgree(stage, join(folder, 'data'), sandbox.url);
    }),
  );
});
