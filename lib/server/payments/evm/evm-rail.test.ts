import { encodeErrorResult, type Hex, parseAbi, serializeErc6492Signature } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import { checkLedger } from '../../billing/ledger-check';
import { EvmTill, headerOf, type SignedDraft } from '@/test/evm-till';
import { type SandboxProcess, startSandboxProcess } from '@/test/sandbox-process';
import { errorOf, resultOf, scriptedNode } from '@/test/scripted-node';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

let sandbox: SandboxProcess;
beforeAll(async () => {
  sandbox = await startSandboxProcess();
}, 120_000);
afterAll(() => sandbox.stop());

const hex = (value: bigint): string => value.toString(16).padStart(64, '0');
const partsOf = (signature: Hex) => ({
  r: signature.slice(2, 66),
  s: BigInt(`0x${signature.slice(66, 130)}`),
  v: signature.slice(130),
});

async function refusal(pending: Promise<unknown>): Promise<string> {
  return pending.then(
    (outcome) => `taken: ${JSON.stringify(outcome)}`,
    (error: { reason?: string }) => error.reason ?? String(error),
  );
}

describe('one authorization is one payment, however it is written', () => {
  it('another recovery byte, a compact signature, other cases and the shape of v1 get the recorded answer', async () => {
    const till = await EvmTill.open(sandbox);
    const signed = await till.sign(await till.payer());
    const first = await till.payments.receive(headerOf(signed));
    expect(first).toMatchObject({ state: 'credited', amount: 5_000_000_000 });
    const { r, s, v } = partsOf(signed.signature);
    const compact = `0x${r}${hex(s | (v === '1c' ? 1n << 255n : 0n))}`;
    const upper = `0x${signed.signature.slice(2).toUpperCase()}`;
    for (const again of [
      headerOf(signed, { v1: true }),
      headerOf(signed, { change: { signature: `0x${r}${hex(s)}${v === '1b' ? '00' : '01'}` } }),
      headerOf(signed, { change: { signature: compact } }),
      headerOf(signed, { change: { signature: signed.signature.slice(2), nonce: signed.draft.nonce.slice(2) } }),
      headerOf(signed, { change: { signature: signed.signature.toUpperCase() } }),
      headerOf(signed, {
        change: {
          signature: upper,
          from: signed.from.toLowerCase(),
          nonce: `0x${signed.draft.nonce.slice(2).toUpperCase()}`,
          value: '0005000000',
        },
      }),
    ]) {
      expect(await till.payments.receive(again)).toEqual(first);
    }
    expect(await till.credits()).toEqual([5_000_000n]);
  });

  it('one of these written forms that comes first is executed all the same', async () => {
    const till = await EvmTill.open(sandbox);
    const signed = await till.sign(await till.payer());
    const { r, s, v } = partsOf(signed.signature);
    expect(
      await till.payments.receive(
        headerOf(signed, { change: { signature: `0x${r}${hex(s)}${v === '1b' ? '00' : '01'}` } }),
      ),
    ).toMatchObject({ state: 'credited' });
    const other = await till.sign(await till.payer());
    const parts = partsOf(other.signature);
    const compact = `0x${parts.r}${hex(parts.s | (parts.v === '1c' ? 1n << 255n : 0n))}`;
    expect(await till.payments.receive(headerOf(other, { change: { signature: compact } }))).toMatchObject({
      state: 'credited',
    });
  });

  it('a used authorization with another value, time, signature or none is refused, not answered as before', async () => {
    const till = await EvmTill.open(sandbox);
    const account = await till.payer();
    const signed = await till.sign(account);
    await till.payments.receive(headerOf(signed));
    const { draft } = signed;
    const otherValue = await till.sign(account, { ...draft, value: 90_000_000n });
    const otherTime = await till.sign(account, { ...draft, validBefore: draft.validBefore + 1n });
    const { r, s } = partsOf(signed.signature);
    expect(await refusal(till.payments.receive(headerOf(otherValue)))).toBe('authorization_already_used');
    expect(await refusal(till.payments.receive(headerOf(otherTime)))).toBe('authorization_already_used');
    expect(await refusal(till.payments.receive(headerOf(signed, { change: { value: '90000000' } })))).toBe(
      'authorization_already_used',
    );
    expect(
      await refusal(till.payments.receive(headerOf(signed, { change: { signature: `0x${'11'.repeat(65)}` } }))),
    ).toBe('authorization_already_used');
    expect(
      await refusal(
        till.payments.receive(
          headerOf(signed, {
            change: { signature: `0x${r}${hex(ORDER - s)}${signed.signature.endsWith('1b') ? '1c' : '1b'}` },
          }),
        ),
      ),
    ).toBe('signature_malleable');
    expect(await refusal(till.payments.receive(headerOf(signed, { change: { signature: '0x' } })))).toBe(
      'invalid_payload',
    );
    expect(
      await refusal(
        till.payments.receive(headerOf(signed, { change: { to: privateKeyToAddress(generatePrivateKey()) } })),
      ),
    ).toMatch(/wrong_receiver/);
    expect(await till.credits()).toEqual([5_000_000n]);
  });

  it('nobody pays from the zero address, whatever the signature, and no node is asked', async () => {
    const till = await EvmTill.open(sandbox);
    const signed = await till.sign(await till.payer());
    const zero = { ...signed, from: `0x${'00'.repeat(20)}` as const };
    for (const signature of [`0x${'00'.repeat(64)}1b`, `0x${'ff'.repeat(64)}1c`, signed.signature]) {
      expect(await refusal(till.payments.receive(headerOf(zero, { change: { signature } })))).toBe('invalid_payer');
    }
    expect(till.node.asked).toEqual([]);
  });
});

describe('credit is what came in', () => {
  it('a payment that was refused and that somebody then executed for a friend instead is refused for good', async () => {
    const till = await EvmTill.open(sandbox);
    const account = await till.payer();
    const toFriend = await till.sign(account, { to: privateKeyToAddress(generatePrivateKey()), value: 50_000_000n });
    expect(await refusal(till.payments.receive(headerOf(toFriend)))).toBe('wrong_receiver');
    await till.execute(toFriend);
    expect(await refusal(till.payments.receive(headerOf(toFriend)))).toBe('wrong_receiver');
    const sameNonce = await till.sign(account, { ...toFriend.draft, to: till.receiver });
    expect(await refusal(till.payments.receive(headerOf(sameNonce)))).toMatch(/nonce_already_used/);
    expect(await till.credits()).toEqual([]);
  });

  it('an authorization that was executed over less than another with its nonce says is credited with that alone', async () => {
    const till = await EvmTill.open(sandbox);
    const account = await till.payer();
    const small = await till.sign(account);
    const large = await till.sign(account, { ...small.draft, value: 90_000_000n });
    await till.execute(small);
    expect(await refusal(till.payments.receive(headerOf(large)))).toMatch(/nonce_already_used/);
    expect(await till.payments.receive(headerOf(small))).toMatchObject({ state: 'credited', amount: 5_000_000_000 });
    expect(await till.credits()).toEqual([await till.received()]);
  });

  it('a payment that is not signed is not looked for, though its nonce was used', async () => {
    const till = await EvmTill.open(sandbox);
    const signed = await till.sign(await till.payer());
    await till.execute(signed);
    expect(
      await refusal(till.payments.receive(headerOf(signed, { change: { signature: `0x${'11'.repeat(64)}1b` } }))),
    ).toMatch(/signature/);
    expect(till.node.count('eth_getLogs')).toBe(0);
    expect(await till.payments.receive(headerOf(signed))).toMatchObject({ state: 'credited' });
  });
});

describe('a made-up signature in the form of a wallet that is yet to be deployed (ERC-6492)', () => {
  it("records nothing in the name of a payer whose nonce was used, and leaves the payer's own payment to be taken", async () => {
    const till = await EvmTill.open(sandbox, { rail: { walletFactories: [SANDBOX_CONTRACTS.smartWalletFactory] } });
    const signed = await till.sign(await till.payer());
    await till.execute(signed);
    const signature = serializeErc6492Signature({
      address: SANDBOX_CONTRACTS.smartWalletFactory,
      data: '0x12345678',
      signature: `0x${'11'.repeat(65)}`,
    });
    expect(await refusal(till.payments.receive(headerOf(signed, { change: { signature } })))).toMatch(
      /nonce_already_used/,
    );
    expect(await till.db.selectFrom('payments').selectAll().execute()).toEqual([]);
    expect(await till.payments.receive(headerOf(signed))).toMatchObject({ state: 'credited' });
    expect(await till.credits()).toEqual([5_000_000n]);
  });
});

/**
 * Runtime code of a wallet that accepts every signature (EIP-1271) while the gas price is zero. At other prices it
 * fails and uses all its gas.
 */
const TWO_FACED: Hex = '0x3a15600657fe5b631626ba7e60e01b60005260206000f3';
/**
 * Returns code that accepts every signature after a loop. 16^5 rounds take about 27 million gas, 16^4 take 1.7 million.
 */
const gasEater = (rounds: string): Hex => `0x62${rounds}5b6001900380600457631626ba7e60e01b60005260206000f3`;

async function contractPayer(till: EvmTill, code: Hex): Promise<{ signed: SignedDraft; address: `0x${string}` }> {
  const account = await till.payer();
  const address = privateKeyToAddress(generatePrivateKey());
  await till.sandbox.fund(address);
  await till.rpc('anvil_setCode', [address, code]);
  return { address, signed: await till.sign(account, {}, address) };
}

describe('what executing a payment may cost', () => {
  it('a wallet that agrees when it is asked and reverts on chain costs one transaction, within the bound of gas', async () => {
    const till = await EvmTill.open(sandbox, { answerWithinMs: 1_500 });
    const { signed, address } = await contractPayer(till, TWO_FACED);
    const first = await till.payments.receive(headerOf(signed));
    expect(first).toMatchObject({ state: 'submitted', attempts: 1, waits_for: expect.stringMatching(/reverted/) });
    for (let round = 0; round < 4; round++) await till.payments.receive(headerOf(signed));
    await till.another().resume();
    expect(await till.sent()).toBe(1);
    const receipt = (await till.rpc('eth_getTransactionReceipt', [first.transaction_id])) as {
      gasUsed: Hex;
      status: Hex;
    };
    expect(receipt.status).toBe('0x0');
    expect(Number(receipt.gasUsed)).toBeLessThanOrEqual(150_000);
    // If another party executes the payment, that party pays the gas, and the payment is still credited.
    await till.rpc('anvil_setCode', [address, '0x631626ba7e60e01b60005260206000f3']);
    await till.execute(signed);
    expect(await untilEnded(till, headerOf(signed))).toMatchObject({ state: 'credited' });
    expect(await till.credits()).toEqual([5_000_000n]);
  });

  it('a wallet that takes more gas than is paid for is refused before anything is sent', async () => {
    const till = await EvmTill.open(sandbox);
    const { signed } = await contractPayer(till, gasEater('010000'));
    expect(await refusal(till.payments.receive(headerOf(signed)))).toBe('gas_too_high');
    expect(await till.sent()).toBe(0);
    const generous = await EvmTill.open(sandbox, { rail: { gasMax: 5_000_000 } });
    const again = await contractPayer(generous, gasEater('010000'));
    expect(await generous.payments.receive(headerOf(again.signed))).toMatchObject({ state: 'credited' });
  });

  it('the nodes are asked at a pace, however often an open payment is presented', async () => {
    const till = await EvmTill.open(sandbox, { answerWithinMs: 400 });
    const { signed } = await contractPayer(till, TWO_FACED);
    await till.payments.receive(headerOf(signed));
    const [before, startedAt] = [till.node.asked.length, performance.now()];
    for (let round = 0; round < 5; round++)
      await Promise.all(Array.from({ length: 20 }, () => till.payments.receive(headerOf(signed))));
    // About 2 s on an idle machine, with one lookup a second of three calls each.
    const seconds = Math.ceil((performance.now() - startedAt) / 1_000);
    expect(till.node.asked.length - before).toBeLessThanOrEqual(3 * (seconds + 2));
  });

  it('one of a wallet that has less costs two calls', async () => {
    const till = await EvmTill.open(sandbox);
    const account = await till.payer();
    const poor = await till.sign(account, { value: 5_000_000_000n });
    expect(await refusal(till.payments.receive(headerOf(poor)))).toBe('invalid_exact_evm_insufficient_balance');
    expect(till.node.asked.flatMap(({ items }) => items.map(({ method }) => method))).toEqual(['eth_call', 'eth_call']);
  });

  it('one that took all that its payer had, executed before it was presented, is credited all the same', async () => {
    const till = await EvmTill.open(sandbox);
    const signed = await till.sign(await till.payer(), { value: 100_000_000n });
    await till.execute(signed);
    expect(await till.payments.receive(headerOf(signed))).toMatchObject({ state: 'credited' });
    expect(await till.credits()).toEqual([100_000_000n]);
  });

  it('one that nobody signed, of a payer who is no contract, costs one call', async () => {
    const till = await EvmTill.open(sandbox);
    const signed = await till.sign(await till.payer());
    for (const signature of [`0x${'11'.repeat(64)}1b`, `0x${'11'.repeat(64)}`, `0x${'ab'.repeat(200)}`]) {
      const before = till.node.asked.length;
      expect(await refusal(till.payments.receive(headerOf(signed, { change: { signature } })))).toBe(
        'invalid_exact_evm_signature',
      );
      expect(till.node.asked.slice(before)).toHaveLength(1);
    }
    expect(till.node.count('eth_getCode')).toBe(3);
  });

  it('one that nobody signed is not refused while no node says whether its payer is a contract', async () => {
    const till = await EvmTill.open(sandbox, {
      answer: (method, _params, id) => (method === 'eth_getCode' ? errorOf({ id }, -32_000, 'not now') : undefined),
    });
    const signed = await till.sign(await till.payer());
    expect(
      await refusal(till.payments.receive(headerOf(signed, { change: { signature: `0x${'11'.repeat(64)}1b` } }))),
    ).toMatch(/answered with error -32000/);
  });
});

async function untilEnded(till: EvmTill, header: string, payments = till.payments) {
  let payment = await payments.receive(header);
  for (let round = 0; round < 120 && payment.state !== 'credited' && payment.state !== 'failed'; round++)
    payment = await payments.receive(header);
  return payment;
}

/**
 * This test and the next come before those that mine more blocks, because they search the whole chain: ten pages per
 * lookup, with 2 s between lookups.
 */
describe('a search goes on until its end', () => {
  it('over several looks, and over the end of a process, for an execution many pages of logs back', async () => {
    const till = await EvmTill.open(sandbox, { rail: { logBlocksMax: 8 }, answerWithinMs: 300 });
    const payer = await till.payer();
    await till.mine(120);
    const signed = await till.sign(payer);
    await till.execute(signed);
    const again = await till.sign(payer);
    await till.mine(50);
    await expect
      .poll(() => till.payments.receive(headerOf(signed)), { timeout: 10_000 })
      .toMatchObject({
        state: 'verified',
        attempts: 0,
        waits_for: expect.stringMatching(/that used it: block \d+ of/),
      });
    expect(await untilEnded(till, headerOf(signed), till.another())).toMatchObject({ state: 'credited' });
    expect(await till.sent()).toBe(0);
    expect(await untilEnded(till, headerOf(again))).toMatchObject({ state: 'credited' });
    expect((await checkLedger(till.db)).faults).toEqual([]);
  });
});

describe('a nonce that was used before the time that is searched', () => {
  /**
   * Opens a chain on which a nonce was used outside the searched blocks. @param remembers whether its node has the
   * state of old blocks
   */
  async function usedBefore({
    remembers,
    rail = {},
    blocks = 20,
  }: {
    remembers: boolean;
    rail?: Record<string, unknown>;
    blocks?: number;
  }) {
    const answer = (method: string, params: unknown, id: number): string | undefined => {
      if (method === 'eth_getLogs') return resultOf({ id }, '[]');
      const [, block] = params as unknown[];
      if (method !== 'eth_call' || !/^0x[0-9a-f]+$/.test(String(block))) return undefined;
      return remembers ? resultOf({ id }, `"0x${hex(1n)}"`) : errorOf({ id }, -32_000, 'missing trie node');
    };
    const till = await EvmTill.open(sandbox, { rail, answerWithinMs: 300, answer });
    const payer = await till.payer();
    const used = await till.sign(payer, { to: payer.address, value: 0n });
    await till.execute(used);
    await till.mine(blocks);
    return { till, header: headerOf(await till.sign(payer, { nonce: used.draft.nonce })) };
  }

  it('is refused, and leaves no payment open', async () => {
    const { till, header } = await usedBefore({ remembers: true });
    expect(await refusal(till.payments.receive(header))).toMatch(/nonce_already_used/);
    expect(await till.db.selectFrom('payments').selectAll().execute()).toEqual([]);
  });

  it('leaves no payment open where no node remembers what it was then', async () => {
    const { till, header } = await usedBefore({ remembers: false });
    expect(await refusal(till.payments.receive(header))).toMatch(/ChainUnreachable/);
    expect(await till.db.selectFrom('payments').selectAll().execute()).toEqual([]);
  });

  it('ends there too, once it was searched for long enough', async () => {
    const { till, header } = await usedBefore({ remembers: false, rail: { logBlocksMax: 16 }, blocks: 200 });
    await expect
      .poll(async () => (await till.payments.receive(header)).waits_for, { timeout: 10_000 })
      .toMatch(/that used it: block \d+ of/);
    await till.db
      .updateTable('payments')
      .set({ created_at: Date.now() - 3_700_000 })
      .execute();
    expect(await untilEnded(till, header)).toMatchObject({ state: 'failed' });
  });
});

describe('a payment counts when a reversal is implausible', () => {
  it('after so many blocks, and until then it says for how many it waits', async () => {
    const till = await EvmTill.open(sandbox, { rail: { confirmations: 4 }, answerWithinMs: 300 });
    const signed = await till.sign(await till.payer());
    await expect
      .poll(async () => (await till.payments.receive(headerOf(signed))).waits_for, { timeout: 10_000 })
      .toBe('The payment is executed. Waiting for Base to confirm it: 1 of 4 blocks.');
    await till.mine(2);
    await expect
      .poll(async () => (await till.payments.receive(headerOf(signed))).waits_for, { timeout: 10_000 })
      .toMatch(/: 3 of 4 blocks/);
    expect(await till.credits()).toEqual([]);
    expect(await till.sent()).toBe(1);
    await till.mine(1);
    expect(await untilEnded(till, headerOf(signed))).toMatchObject({ state: 'credited', waits_for: null });
  });

  it.each([['safe'], ['finalized']] as const)('in the block that the node calls %s', async (confirmations) => {
    const till = await EvmTill.open(sandbox, { rail: { confirmations }, answerWithinMs: 300 });
    const signed = await till.sign(await till.payer());
    await expect
      .poll(async () => (await till.payments.receive(headerOf(signed))).waits_for, { timeout: 10_000 })
      .toMatch(/executed in block \d+\. Waiting until Base/);
    expect(await till.credits()).toEqual([]);
    await till.mine(140);
    expect(await untilEnded(till, headerOf(signed))).toMatchObject({ state: 'credited' });
  });

  it('a block that is reorganised away takes nothing with it that was credited', async () => {
    const till = await EvmTill.open(sandbox, { rail: { confirmations: 3 }, answerWithinMs: 300 });
    const snapshot = await till.rpc('evm_snapshot', []);
    const payer = await till.payer();
    const signed = await till.sign(payer);
    expect(await till.payments.receive(headerOf(signed))).toMatchObject({ state: 'submitted' });
    await till.rpc('evm_revert', [snapshot]);
    await till.mine(6);
    for (let round = 0; round < 6; round++) await till.payments.receive(headerOf(signed));
    expect(await till.credits()).toEqual([]);
    expect(await till.received()).toBe(0n);
  });
});

describe('a configuration that names another receiver', () => {
  it('does not make a payment fail that went to the one of its time', async () => {
    const till = await EvmTill.open(sandbox, { rail: { confirmations: 4 }, answerWithinMs: 300 });
    const signed = await till.sign(await till.payer());
    await expect
      .poll(async () => (await till.payments.receive(headerOf(signed))).waits_for, { timeout: 10_000 })
      .toMatch(/: 1 of 4 blocks/);
    await till.mine(4);
    const changed = till.another({ receiver: privateKeyToAddress(generatePrivateKey()), confirmations: 4 });
    await till.db.updateTable('payments').set({ next_look_at: 0 }).execute();
    await changed.resume();
    expect(await till.db.selectFrom('payments').select(['state', 'error']).execute()).toEqual([
      { state: 'credited', error: null },
    ]);
    expect(await till.credits()).toEqual([5_000_000n]);
  });
});

describe('a payment that is recorded, presented after the configuration was changed', () => {
  it.each<[string, Record<string, unknown>]>([
    ['to another receiver', { receiver: privateKeyToAddress(generatePrivateKey()) }],
    ['to another chain', { network: 'eip155:84532', name: 'base-sepolia' }],
    [
      'to another token',
      {
        token: {
          address: privateKeyToAddress(generatePrivateKey()),
          symbol: 'USDC',
          decimals: 6,
          name: 'USD Coin',
          version: '2',
        },
      },
    ],
  ])('%s, gets the recorded answer, and no other gets one', async (_, change) => {
    const till = await EvmTill.open(sandbox);
    const account = await till.payer();
    const signed = await till.sign(account);
    const first = await till.payments.receive(headerOf(signed));
    expect(first).toMatchObject({ state: 'credited' });
    const changed = till.another(change);
    const { r, s, v } = partsOf(signed.signature);
    for (const again of [
      headerOf(signed),
      headerOf(signed, { v1: true }),
      headerOf(signed, { change: { signature: `0x${r}${hex(s)}${v === '1b' ? '00' : '01'}` } }),
    ]) {
      expect(await changed.receive(again)).toEqual(first);
    }
    const otherValue = await till.sign(account, { ...signed.draft, value: 90_000_000n });
    const unknown = await till.sign(account);
    for (const other of [otherValue, unknown])
      expect(await refusal(changed.receive(headerOf(other)))).toMatch(/^wrong_/);
    expect(await refusal(changed.receive(headerOf(signed, { change: { signature: `0x${'11'.repeat(65)}` } })))).toMatch(
      /^wrong_/,
    );
    expect(await till.credits()).toEqual([5_000_000n]);
  });
});

const LOOKUP_ABI = parseAbi([
  'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)',
]);

describe('a contract that asks for data from a URL (EIP-3668)', () => {
  it('has reverted, and nothing is fetched from there', async () => {
    const attacker = await scriptedNode();
    const till = await EvmTill.open(sandbox);
    const address = privateKeyToAddress(generatePrivateKey());
    const data = encodeErrorResult({
      abi: LOOKUP_ABI,
      errorName: 'OffchainLookup',
      args: [address, [`${attacker.url}/{sender}/{data}`, attacker.url], '0x1234', '0x12345678', '0x'],
    });
    const length = (data.length - 2) / 2;
    const word = (value: number): string => value.toString(16).padStart(4, '0');
    // Code that reverts with the data after it.
    await till.rpc('anvil_setCode', [address, `0x61${word(length)}80600a6000396000fd${data.slice(2)}`]);
    const signed = await till.sign(privateKeyToAccount(generatePrivateKey()), {}, address);
    expect(await refusal(till.payments.receive(headerOf(signed)))).toMatch(/signature/);
    expect(
      await refusal(till.payments.receive(headerOf(signed, { change: { signature: `0x${'12'.repeat(100)}` } }))),
    ).toMatch(/signature/);
    expect(till.node.count('eth_call')).toBeGreaterThan(0);
    expect(attacker.asked).toEqual([]);
  });
});
