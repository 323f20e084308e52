import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createPublicClient, createWalletClient, encodeFunctionData, http, serializeErc6492Signature } from 'viem';
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import {
  draftEvmPayment,
  type EvmPaymentDraft,
  readPaymentOptions,
  sendPayment,
  signedEvmPayment,
  type PaymentRequirements,
} from '@/lib/client';
import { AUTHORIZABLE_USD_ABI, SMART_WALLET_FACTORY_ABI } from '@/lib/protocol/contract-abis';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import { sandboxRails } from '@/lib/sandbox/payment-rails';
import { bundleSandbox, endChildren, startAlone, temporaryFolder } from '@/lib/sandbox/sandbox-under-test';
import { evmWallet } from './paying-wallets';
import { openStage, type Stage } from './payments-stage';
import { balanceOnChain } from './receiver-balance';
import { stageKeys } from './stage-gateway';

/**
 * Invalid payments give an error and take nothing. Money and credit always match. It does not matter who submits a
 * payment, or what a facilitator says.
 */

const PATIENCE_MS = 60_000;
const NOBODY = '0x000000000000000000000000000000000000dEaD';

let sandboxUrl: string;
beforeAll(async () => {
  ({ url: sandboxUrl } = await startAlone(await bundleSandbox(), temporaryFolder()));
}, 120_000);
afterAll(endChildren);

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
const header = (
  text: string,
): {
  x402Version: number;
  accepted: PaymentRequirements;
  payload: { signature: string; authorization: Record<string, string> };
} => JSON.parse(Buffer.from(text, 'base64').toString());

async function credits({ gateway }: Stage): Promise<number[]> {
  return (await gateway.db.selectFrom('ledger').select('amount').where('kind', '=', 'TOP_UP').execute()).map(
    ({ amount }) => amount,
  );
}

async function firstOption(stage: Stage): Promise<PaymentRequirements> {
  const [accepted] = await readPaymentOptions({ baseUrl: stage.origin });
  if (!accepted) throw new Error('nothing is accepted');
  return accepted;
}

async function signed(draft: EvmPaymentDraft, account: PrivateKeyAccount): Promise<string> {
  return signedEvmPayment(draft, await account.signTypedData(draft.typedData));
}

async function present(
  stage: Stage,
  value: string,
  name = 'payment-signature',
): Promise<{ status: number; body: { error: string; message?: string; code?: string; details?: { reason: string } } }> {
  const response = await fetch(`${stage.origin}/api/v1/x402/top-up`, { method: 'POST', headers: { [name]: value } });
  return { status: response.status, body: (await response.json()) as never };
}

describe('a payment that is not accepted', { timeout: PATIENCE_MS }, () => {
  test('is 400 with what is wrong, and takes nothing', async () => {
    const stage = await openStage(sandboxUrl);
    const { account } = await evmWallet(sandboxUrl);
    const accepted = await firstOption(stage);
    const before = await balanceOnChain(sandboxUrl, 'base');
    const draft = (change: Partial<PaymentRequirements> = {}, nowMs?: number) =>
      signed(draftEvmPayment({ ...accepted, ...change }, account.address, nowMs), account);
    const good = header(await draft());
    const tampered = (authorization: Record<string, string>) =>
      encode({
        ...good,
        payload: { ...good.payload, authorization: { ...good.payload.authorization, ...authorization } },
      });
    const cases: Record<string, [string, string | RegExp]> = {
      'corrupted base64': ['%%%not base64%%%', 'invalid_base64'],
      'base64 of no JSON': [Buffer.from('hello').toString('base64'), 'invalid_json'],
      'JSON of another shape': [encode({ hello: 'world' }), 'invalid_payload'],
      'a JSON array': [encode([1, 2]), 'invalid_payload'],
      'no signature': [encode({ ...good, payload: { authorization: good.payload.authorization } }), 'invalid_payload'],
      'another scheme': [encode({ ...good, accepted: { ...accepted, scheme: 'upto' } }), 'invalid_payload'],
      'another network': [encode({ ...good, accepted: { ...accepted, network: 'eip155:1' } }), 'wrong_network'],
      'another token': [encode({ ...good, accepted: { ...accepted, asset: NOBODY } }), 'wrong_asset'],
      'another receiver, by word': [encode({ ...good, accepted: { ...accepted, payTo: NOBODY } }), 'wrong_receiver'],
      'another receiver, signed': [encode({ ...header(await draft({ payTo: NOBODY })), accepted }), 'wrong_receiver'],
      'less than the minimum': [
        encode({ ...header(await draft({ amount: '4999999' })), accepted: { ...accepted, amount: '4999999' } }),
        'amount_too_small',
      ],
      'less than was accepted': [encode({ ...good, accepted: { ...accepted, amount: '6000000' } }), 'value_mismatch'],
      'another value than was signed': [tampered({ value: '9000000' }), /signature/],
      'another nonce than was signed': [tampered({ nonce: `0x${'11'.repeat(32)}` }), /signature/],
      expired: [await draft({}, Date.now() - 3_600_000), /valid_before/],
      'not valid yet': [await draft({}, Date.now() + 3_600_000), /valid_after/],
      'valid for longer than a day': [await draft({ maxTimeoutSeconds: 100_000 }), 'valid_too_long'],
      'more than the wallet has': [await draft({ amount: '100000001' }), /insufficient_balance/],
    };
    for (const [name, [value, reason]] of Object.entries(cases)) {
      const { status, body } = await present(stage, value);
      expect({ name, status, body }).toMatchObject({
        name,
        status: 400,
        body: { error: 'X402_INVALID_PAYMENT', message: expect.stringMatching(/\S+ \S+/) },
      });
      expect(body.details?.reason, name).toEqual(typeof reason === 'string' ? reason : expect.stringMatching(reason));
    }
    expect(await credits(stage)).toEqual([]);
    expect(await balanceOnChain(sandboxUrl, 'base')).toBe(before);
    expect(await stage.gateway.db.selectFrom('payments').selectAll().execute()).toEqual([]);
  });

  test('with a header of 1 MB is refused before it is read', async () => {
    const stage = await openStage(sandboxUrl);
    const outcome = await fetch(`${stage.origin}/api/v1/x402/top-up`, {
      method: 'POST',
      headers: { 'payment-signature': 'A'.repeat(1_000_000) },
    }).then(
      ({ status }) => status,
      () => 'closed',
    );
    expect([431, 'closed']).toContain(outcome);
    expect((await fetch(`${stage.origin}/api/v1/x402/top-up`, { method: 'POST' })).status).toBe(402);
  });

  test('with an amount that cannot be asked for is 400', async () => {
    const stage = await openStage(sandboxUrl);
    for (const amount of ['4.99', '0', '-5', 'five', '1e3', '5.0000000001', '']) {
      expect(
        (await fetch(`${stage.origin}/api/v1/x402/top-up?amountUsd=${amount}`, { method: 'POST' })).status,
        amount,
      ).toBe(400);
    }
  });
});

describe('a payment that somebody else submits first', { timeout: PATIENCE_MS }, () => {
  test('is credited when it is presented, once', async () => {
    const stage = await openStage(sandboxUrl);
    const [{ account, address }, other] = [await evmWallet(sandboxUrl), await evmWallet(sandboxUrl)];
    const draft = draftEvmPayment({ ...(await firstOption(stage)), amount: '6000000' }, account.address);
    const signature = await account.signTypedData(draft.typedData);
    const transport = http(`${sandboxUrl}/evm/base-mainnet`);
    const { from, to, value, validAfter, validBefore, nonce } = draft.typedData.message;
    const hash = await createWalletClient({ account: other.account, transport }).writeContract({
      chain: null,
      address: SANDBOX_CONTRACTS.usdc,
      abi: AUTHORIZABLE_USD_ABI,
      functionName: 'transferWithAuthorization',
      args: [from, to, value, validAfter, validBefore, nonce, signature],
    });
    await createPublicClient({ transport }).waitForTransactionReceipt({ hash });
    const payment = signedEvmPayment(draft, signature);
    const outcome = await sendPayment({ baseUrl: stage.origin }, payment);
    expect(outcome).toMatchObject({
      state: 'credited',
      amountCreditedUsd: 6,
      walletAddress: address,
      transaction: hash,
    });
    expect(await sendPayment({ baseUrl: stage.origin }, payment)).toEqual(outcome);
    expect(await credits(stage)).toEqual([6_000_000_000]);
  });
});

describe('a smart wallet', { timeout: PATIENCE_MS }, () => {
  test('pays: deployed with its payment (ERC-6492), and once it is there (EIP-1271)', async () => {
    const stage = await openStage(sandboxUrl);
    const owner = privateKeyToAccount(generatePrivateKey());
    const salt = `0x${'07'.repeat(32)}` as const;
    const client = createPublicClient({ transport: http(`${sandboxUrl}/evm/base-mainnet`) });
    const wallet = await client.readContract({
      address: SANDBOX_CONTRACTS.smartWalletFactory,
      abi: SMART_WALLET_FACTORY_ABI,
      functionName: 'addressOf',
      args: [owner.address, salt],
    });
    await fetch(`${sandboxUrl}/faucet`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ address: wallet }),
    });
    const accepted = await firstOption(stage);
    const counterfactual = draftEvmPayment(accepted, wallet);
    const data = encodeFunctionData({
      abi: SMART_WALLET_FACTORY_ABI,
      functionName: 'createWallet',
      args: [owner.address, salt],
    });
    const inner = await owner.signTypedData(counterfactual.typedData);
    const wrapped = (address: `0x${string}`) => serializeErc6492Signature({ address, data, signature: inner });
    const foreign = await sendPayment({ baseUrl: stage.origin }, signedEvmPayment(counterfactual, wrapped(NOBODY)));
    expect(foreign).toMatchObject({ state: 'refused', reason: expect.stringMatching(/factory_not_allowed/) });
    expect(
      await sendPayment(
        { baseUrl: stage.origin },
        signedEvmPayment(counterfactual, wrapped(SANDBOX_CONTRACTS.smartWalletFactory)),
      ),
    ).toMatchObject({ state: 'credited', walletAddress: wallet.toLowerCase() });
    expect(await client.getCode({ address: wallet })).toBeDefined();
    const draft = draftEvmPayment(accepted, wallet);
    expect(await sendPayment({ baseUrl: stage.origin }, await signed(draft, owner))).toMatchObject({
      state: 'credited',
      newBalanceUsd: 10,
    });
  });
});

describe('a remote facilitator', { timeout: PATIENCE_MS }, () => {
  /** Listens on the loopback address and answers /settle with this. */
  async function facilitator(settle: (response: ServerResponse) => void): Promise<object> {
    const server = createServer((_request, response) => settle(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const [base] = sandboxRails(stageKeys);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { rails: [{ ...base, facilitator: { url, timeoutMs: 300 } }] };
  }
  const answer =
    (status: number, body: unknown, headers: Record<string, string> = {}) =>
    (response: ServerResponse) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    };

  const lie = { success: true, transaction: `0x${'ab'.repeat(32)}`, network: 'eip155:8453', payer: NOBODY };
  test.each([
    ['says success without a transaction on chain', answer(200, lie)],
    ['answers 500', answer(500, { error: 'down' })],
    ['redirects', answer(307, lie, { location: 'http://127.0.0.1:9/' })],
    ['answers something else than JSON', (response: ServerResponse) => response.end('<html>')],
    ['never answers', () => undefined],
  ])('%s: nothing is credited, and the answer says how far it is and how to go on', async (_, settle) => {
    const stage = await openStage(sandboxUrl, {
      payments: await facilitator(settle as (response: ServerResponse) => void),
      answerWithinMs: 1_500,
    });
    const { account } = await evmWallet(sandboxUrl);
    const draft = draftEvmPayment(await firstOption(stage), account.address);
    const outcome = await sendPayment({ baseUrl: stage.origin }, await signed(draft, account));
    expect(outcome).toMatchObject({
      state: 'pending',
      stage: 'submitted',
      paymentId: expect.stringMatching(/^pay_/),
      expiresAt: expect.stringMatching(/^2/),
      message: expect.stringMatching(/\S/),
    });
    expect(await credits(stage)).toEqual([]);
  });
});
