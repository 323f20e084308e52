import { randomBytes } from 'node:crypto';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { EvmTill, headerOf } from '@/test/evm-till';
import { type SandboxProcess, startSandboxProcess } from '@/test/sandbox-process';
import { withdrawalDomain, WITHDRAWAL_TYPES } from '@/lib/protocol/x402/withdrawal-text';
import { ContractChecks } from '../../auth/contract-checks';
import { PersonalSignatures } from '../../auth/verify-signature';
import { checkLedger } from '../../billing/ledger-check';
import { paymentsConfig, paymentsSchema } from '../../config/payments';
import { configSchema } from '../../config/schema';
import { Secret } from '../../config/secret';
import { createLog } from '../../telemetry/log';
import { RpcNetworks } from '../../upstreams/nodes/networks';
import { createWithdrawals } from '../create-payments';
import type { AskedWithdrawal, Withdrawals } from '../withdrawals/withdrawals';

const NETWORK = 'base-mainnet';
const ORIGIN = 'https://gateway.example';
const ORIGINS = new Set([ORIGIN]);
const HOUR_MS = 3_600_000;

let sandbox: SandboxProcess;
beforeAll(async () => {
  sandbox = await startSandboxProcess();
}, 120_000);
afterAll(() => sandbox.stop());

/** Wallet that has prepaid 5 USD on the simulated chain, and the gateway's withdrawals on the same chain. */
async function prepaid() {
  const till = await EvmTill.open(sandbox);
  const owner = await till.payer();
  expect(await till.payments.receive(headerOf(await till.sign(owner)))).toMatchObject({ state: 'credited' });
  const key = generatePrivateKey();
  const paying = privateKeyToAddress(key);
  await sandbox.fund(paying);
  const config = paymentsConfig(
    paymentsSchema.parse({
      rails: [
        {
          family: 'evm',
          network: 'eip155:8453',
          name: 'base',
          rpcNetwork: NETWORK,
          receiver: till.receiver,
          facilitator: { privateKey: key },
          confirmations: 1,
          token: { address: till.token, symbol: 'USDC', decimals: 6, name: 'USD Coin', version: '2' },
        },
      ],
      resumeIntervalMs: HOUR_MS,
      withdrawals: { privateKey: key, dailyUsdMax: 100 },
    }),
  );
  const { rpc: rpcConfig } = configSchema.parse({ rpc: { healthChecks: { intervalMs: 0 } } });
  const process = (clock: { now: () => number } = { now: Date.now }): Withdrawals => {
    const rpc = new RpcNetworks({
      rpc: rpcConfig,
      networks: { [NETWORK]: { upstreams: [{ url: new Secret(till.node.url), headers: {} }], chainIdentity: false } },
    });
    const made = createWithdrawals(config, {
      rpc,
      terms: till.payments.rails.terms,
      db: till.db,
      meter: { reserve: unused, release: unused, spendable: unused },
      signatures: new PersonalSignatures(
        () => null,
        new ContractChecks({ perMinute: 10, hasAccount: () => Promise.resolve(false), now: Date.now }),
      ),
      log: createLog('silent'),
      now: () => clock.now(),
      exclusive: false,
      closeWithinMs: 20,
    });
    onTestFinished(async () => {
      await made.close();
      await rpc.close();
    });
    return made;
  };
  const { account_id: accountId } = await till.db.selectFrom('wallets').select('account_id').executeTakeFirstOrThrow();
  const by = { accountId, wallet: owner.address.toLowerCase(), clientIp: '192.0.2.1' };
  const sign = async (amount: string, signer = owner): Promise<AskedWithdrawal> => {
    const statement = {
      gateway: ORIGIN,
      amount,
      fee: '50000',
      nonce: `0x${randomBytes(32).toString('hex')}` as const,
      validBefore: String(Math.floor(Date.now() / 1_000) + 600),
    };
    const signature = await signer.signTypedData({
      domain: withdrawalDomain(8453, till.token),
      types: WITHDRAWAL_TYPES,
      primaryType: 'Withdrawal',
      message: {
        ...statement,
        to: owner.address,
        amount: BigInt(amount),
        fee: 50_000n,
        validBefore: BigInt(statement.validBefore),
      },
    });
    return { network: 'eip155:8453', asset: till.token, statement, signature };
  };
  return { till, owner, paying, by, sign, process };
}

const unused = (): never => {
  throw new Error('Only SQLite alone holds.');
};

async function untilEnded(withdrawals: Withdrawals, accountId: number, id: string) {
  await expect
    .poll(
      async () => {
        await withdrawals.resume();
        return (await withdrawals.find(accountId, id))?.state;
      },
      { timeout: 20_000 },
    )
    .toMatch(/sent|failed/);
  return withdrawals.find(accountId, id);
}

describe('a withdrawal on an EVM chain', () => {
  it('reaches the wallet that signed it, and the books agree with the chain', async () => {
    const { till, owner, by, sign, process } = await prepaid();
    const before = await till.balanceOf(owner.address);
    const withdrawals = process();
    const { id } = await withdrawals.request(await sign('4000000'), by, ORIGINS);
    const sent = await untilEnded(withdrawals, by.accountId, id);
    expect(sent).toMatchObject({ state: 'sent', amount: 4_000_000_000, balance_after: 1_000_000_000 });
    expect(await till.rpc('eth_getTransactionReceipt', [sent?.transaction_id])).toMatchObject({ status: '0x1' });
    expect((await till.balanceOf(owner.address)) - before).toBe(3_950_000n);
    expect((await checkLedger(till.db)).faults).toEqual([]);
  });

  it('is sent once by processes that work on it together', async () => {
    const { till, owner, paying, by, sign, process } = await prepaid();
    const before = await till.balanceOf(owner.address);
    const [one, other] = [process(), process()];
    const asked = await sign('5000000');
    const [first, second] = await Promise.all([one.request(asked, by, ORIGINS), other.request(asked, by, ORIGINS)]);
    expect(first.id).toBe(second.id);
    await Promise.all([one.resume(), other.resume()]);
    expect(await untilEnded(one, by.accountId, first.id)).toMatchObject({ state: 'sent' });
    expect((await till.balanceOf(owner.address)) - before).toBe(4_950_000n);
    expect(Number(await till.rpc('eth_getTransactionCount', [paying, 'latest']))).toBe(1);
  });

  it('is found by its nonce, and not sent again, if the process died after sending it', async () => {
    const { till, owner, paying, by, sign, process } = await prepaid();
    const before = await till.balanceOf(owner.address);
    const withdrawals = process();
    const { id } = await withdrawals.request(await sign('4000000'), by, ORIGINS);
    await untilEnded(withdrawals, by.accountId, id);
    // State as if the process had died right after the transaction.
    await till.db
      .updateTable('withdrawals')
      .set({ state: 'submitted', transaction_id: null, ended_at: null, next_look_at: 0 })
      .execute();
    const next = process();
    expect(await untilEnded(next, by.accountId, id)).toMatchObject({ state: 'sent' });
    expect((await till.balanceOf(owner.address)) - before).toBe(3_950_000n);
    expect(Number(await till.rpc('eth_getTransactionCount', [paying, 'latest']))).toBe(1);
  });

  it('is credited back if the chain passed its expiry without it', async () => {
    const { till, owner, paying, by, sign, process } = await prepaid();
    const before = await till.balanceOf(owner.address);
    const clock = { now: () => Date.now() };
    // Without coins for gas nothing can be sent.
    await till.rpc('anvil_setBalance', [paying, '0x0']);
    const withdrawals = process(clock);
    const { id } = await withdrawals.request(await sign('4000000'), by, ORIGINS);
    await withdrawals.resume();
    expect(await withdrawals.find(by.accountId, id)).toMatchObject({ state: 'submitted' });
    await till.rpc('evm_increaseTime', [7_300]);
    await till.mine(1);
    clock.now = () => Date.now() + 2 * HOUR_MS;
    expect(await untilEnded(withdrawals, by.accountId, id)).toMatchObject({ state: 'failed' });
    expect(await till.balanceOf(owner.address)).toBe(before);
    expect((await checkLedger(till.db)).faults).toEqual([]);
    const { x402 } = await till.db.selectFrom('meters').select('x402').executeTakeFirstOrThrow();
    expect(x402).toBe(5_000_000_000);
  });

  it('is refused without the signature of the wallet itself', async () => {
    const { by, sign, process } = await prepaid();
    const stranger = privateKeyToAccount(generatePrivateKey());
    const asked = await sign('4000000', stranger);
    await expect(process().request(asked, by, ORIGINS)).rejects.toMatchObject({ field: 'signature' });
    const own = await sign('4000000');
    const raised = { ...own, statement: { ...own.statement, amount: '4500000' } };
    await expect(process().request(raised, by, ORIGINS)).rejects.toMatchObject({ field: 'signature' });
  });
});
