import { createRequire } from 'node:module';
import { type Abi, type Hex, parseAbi } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EvmTill, headerOf, type SignedDraft } from '@/test/evm-till';
import { type SandboxProcess, startSandboxProcess } from '@/test/sandbox-process';

/** Token with authorizations that anyone may use. It keeps half of what its events report. */
const SOURCE = `// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;
contract KeepsHalf {
  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(bytes32 => bool)) public authorizationState;
  event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
  event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);
  event Transfer(address indexed from, address indexed to, uint256 value);
  function use(address from, address to, uint256 value, bytes32 nonce) public {
    authorizationState[from][nonce] = true;
    emit AuthorizationUsed(from, nonce);
    emit Transfer(from, to, value);
    balanceOf[to] += value / 2;
  }
  function useTwice(address from, address to, uint256 value, bytes32 first, bytes32 second) external {
    use(from, to, value, first);
    use(from, to, value, second);
  }
  function useAndSweep(address from, address to, uint256 value, bytes32 nonce) external {
    use(from, to, value, nonce);
    emit Transfer(to, from, balanceOf[to]);
    balanceOf[to] = 0;
  }
  function lie(address from, address to, uint256 value, bytes32 nonce) external {
    use(from, to, value, nonce);
    balanceOf[to] -= value / 2;
  }
  function cancel(address from, bytes32 nonce) external {
    authorizationState[from][nonce] = true;
    emit AuthorizationCanceled(from, nonce);
  }
  function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, uint8, bytes32, bytes32) external pure { revert(); }
}`;

const ABI = parseAbi([
  'function use(address from, address to, uint256 value, bytes32 nonce)',
  'function useTwice(address from, address to, uint256 value, bytes32 first, bytes32 second)',
  'function useAndSweep(address from, address to, uint256 value, bytes32 nonce)',
  'function lie(address from, address to, uint256 value, bytes32 nonce)',
  'function cancel(address from, bytes32 nonce)',
]);

function compile(): { abi: Abi; bytecode: Hex } {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const input = {
    language: 'Solidity',
    sources: { 'a.sol': { content: SOURCE } },
    settings: { evmVersion: 'cancun', outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
  };
  const { contracts } = JSON.parse(solc.compile(JSON.stringify(input))) as {
    contracts: { 'a.sol': { KeepsHalf: { abi: Abi; evm: { bytecode: { object: string } } } } };
  };
  const { abi, evm } = contracts['a.sol'].KeepsHalf;
  return { abi, bytecode: `0x${evm.bytecode.object}` };
}

let sandbox: SandboxProcess;
let token: `0x${string}`;
beforeAll(async () => {
  sandbox = await startSandboxProcess();
}, 120_000);
afterAll(() => sandbox.stop());

type Function = 'use' | 'useTwice' | 'useAndSweep' | 'lie' | 'cancel';

async function open(): Promise<{
  till: EvmTill;
  call(name: Function, args: readonly unknown[]): Promise<void>;
  sign(): Promise<SignedDraft>;
}> {
  const maker = await EvmTill.open(sandbox);
  const account = await maker.payer();
  const client = maker.client(account);
  if (!token) {
    const hash = await client.deployContract({ ...compile(), chain: null, account });
    token = (await client.waitForTransactionReceipt({ hash })).contractAddress as `0x${string}`;
  }
  const till = await EvmTill.open(sandbox, {
    rail: { token: { address: token, symbol: 'USDC', decimals: 6, name: 'USD Coin', version: '2' } },
  });
  const call = async (name: Function, args: readonly unknown[]): Promise<void> => {
    const hash = await client.writeContract({
      address: token,
      abi: ABI as Abi,
      functionName: name,
      args,
      chain: null,
      account,
    });
    await client.waitForTransactionReceipt({ hash });
  };
  return { till, call, sign: () => till.sign(account, { value: 20_000_000n }) };
}

const present = (till: EvmTill, signed: SignedDraft) =>
  till.payments
    .receive(headerOf(signed, { asset: token }))
    .catch((error: { reason?: string }) => error.reason ?? String(error));

describe('what came in is what the balance says', () => {
  it('a token that keeps a fee credits no more than came in', async () => {
    const { till, call, sign } = await open();
    const signed = await sign();
    await till.db.insertInto('payments').values(recorded(till, signed)).execute();
    await call('use', [signed.from, till.receiver, signed.draft.value, signed.draft.nonce]);
    expect(await present(till, signed)).toMatchObject({ state: 'credited', amount_units: '10000000' });
    expect(await till.credits()).toEqual([await till.received()]);
  });

  it('nor with two payments in one block, or with a receiver that spends in the same block', async () => {
    const { till, call, sign } = await open();
    const [first, second, third] = [await sign(), await sign(), await sign()];
    for (const each of [first, second, third])
      await till.db.insertInto('payments').values(recorded(till, each)).execute();
    await call('useTwice', [first.from, till.receiver, first.draft.value, first.draft.nonce, second.draft.nonce]);
    for (const each of [first, second])
      expect(await present(till, each)).toMatchObject({ state: 'credited', amount_units: '10000000' });
    expect((await till.credits()).reduce((sum, units) => sum + units, 0n)).toBe(await till.received());
    await call('useAndSweep', [third.from, till.receiver, third.draft.value, third.draft.nonce]);
    // The sweep took out 30, of which 10 came from this payment.
    expect(await present(till, third)).toMatchObject({ state: 'credited', amount_units: '10000000' });
  });

  it('a token that says it moved something and did not credits nothing', async () => {
    const { till, call, sign } = await open();
    const signed = await sign();
    await till.db.insertInto('payments').values(recorded(till, signed)).execute();
    await call('lie', [signed.from, till.receiver, signed.draft.value, signed.draft.nonce]);
    expect(await present(till, signed)).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(/the receiver got nothing/),
    });
    expect(await till.credits()).toEqual([]);
  });

  it('a cancelled authorization is over, and an open one is not', async () => {
    const { till, call, sign } = await open();
    const [cancelled, waiting] = [await sign(), await sign()];
    for (const each of [cancelled, waiting])
      await till.db.insertInto('payments').values(recorded(till, each)).execute();
    await call('cancel', [cancelled.from, cancelled.draft.nonce]);
    expect(await present(till, cancelled)).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(/cancelled/),
    });
    expect(await present(till, waiting)).toMatchObject({ state: 'submitted' });
  });
});

/** Returns a payment as recorded after verification, because this token would not pass verification. */
function recorded(till: EvmTill, signed: SignedDraft) {
  const rail = till.payments.rails.all[0];
  if (!rail) throw new Error('There is no rail.');
  const header = JSON.parse(Buffer.from(headerOf(signed, { asset: token }), 'base64').toString()) as {
    payload: Record<string, unknown>;
  };
  const read = rail.read({ network: rail.terms.network, accepted: null, content: header.payload });
  return {
    id: `pay_${generatePrivateKey().slice(2)}`,
    identity: read.identity,
    network: rail.terms.network,
    asset: rail.terms.asset,
    payer: read.payer,
    pay_to: rail.terms.payTo,
    amount_units: read.amountUnits.toString(),
    amount: Number(read.amountUnits) * 1_000,
    state: 'verified' as const,
    content: JSON.stringify(read.content),
    from_height: 0,
    expires_at: read.expiresAt,
    next_look_at: 0,
    created_at: Date.now(),
  };
}
