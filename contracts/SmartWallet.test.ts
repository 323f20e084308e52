import {
  type Abi,
  encodeFunctionData,
  hashMessage,
  type Hex,
  parseEther,
  serializeErc6492Signature,
  toHex,
} from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { MINTABLE_TOKEN_ABI, SMART_WALLET_ABI, SMART_WALLET_FACTORY_ABI } from '@/lib/protocol/contract-abis';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import { ContractChain, newAccount } from './testing/contract-chain';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const { smartWalletFactory, stakeToken } = SANDBOX_CONTRACTS;
const SALT = toHex(1, { size: 32 });
let chain: ContractChain;
let owner: PrivateKeyAccount;
let wallet: Hex;
beforeAll(async () => {
  chain = await ContractChain.start();
});
afterAll(() => chain.stop());
beforeEach(async () => {
  owner = await chain.richAccount();
  wallet = (await chain.read(factory('addressOf', owner.address, SALT))) as Hex;
});

const factory = (functionName: string, ...args: unknown[]) => ({
  address: smartWalletFactory,
  abi: SMART_WALLET_FACTORY_ABI as Abi,
  functionName,
  args,
});
const onWallet = (functionName: string, ...args: unknown[]) => ({
  address: wallet,
  abi: SMART_WALLET_ABI as Abi,
  functionName,
  args,
});
const create = () => chain.send(owner, factory('createWallet', owner.address, SALT));

describe('the factory', () => {
  it('deploys where it said that it would, and leaves a wallet that is there alone', async () => {
    expect(await chain.rpc('eth_getCode', [wallet, 'latest'])).toBe('0x');
    expect((await create()).logs).toHaveLength(1);
    expect(await chain.read(onWallet('owner'))).toBe(owner.address);
    expect((await create()).logs).toHaveLength(0);
  });

  it('gives each owner and each salt a wallet of its own', async () => {
    const addresses = await Promise.all([
      chain.read(factory('addressOf', owner.address, SALT)),
      chain.read(factory('addressOf', owner.address, toHex(2, { size: 32 }))),
      chain.read(factory('addressOf', newAccount().address, SALT)),
    ]);
    expect(new Set(addresses).size).toBe(3);
  });
});

describe('a smart wallet', () => {
  it('approves the signature of its owner and no other (EIP-1271)', async () => {
    await create();
    const hash = hashMessage('hello');
    const valid = await owner.signMessage({ message: 'hello' });
    const approve = (signature: string) => chain.read(onWallet('isValidSignature', hash, signature));
    expect(await approve(valid)).toBe('0x1626ba7e');
    for (const bad of [
      await newAccount().signMessage({ message: 'hello' }),
      await owner.signMessage({ message: 'bye' }),
      valid.slice(0, -2),
      '0x',
    ]) {
      expect(await approve(bad)).toBe('0xffffffff');
    }
  });

  it('signs before it is deployed (ERC-6492), as viem verifies it, and afterwards', async () => {
    const message = 'hello';
    const inner = await owner.signMessage({ message });
    const data = encodeFunctionData({
      abi: SMART_WALLET_FACTORY_ABI,
      functionName: 'createWallet',
      args: [owner.address, SALT],
    });
    const wrap = (signature: Hex) => serializeErc6492Signature({ address: smartWalletFactory, data, signature });
    const client = chain.client(owner);
    expect(await client.verifyMessage({ address: wallet, message, signature: wrap(inner) })).toBe(true);
    expect(
      await client.verifyMessage({
        address: wallet,
        message,
        signature: wrap(await newAccount().signMessage({ message })),
      }),
    ).toBe(false);
    expect(
      await client.verifyMessage({
        address: owner.address,
        message,
        signature: wrap(await newAccount().signMessage({ message })),
      }),
    ).toBe(false);
    await create();
    expect(await client.verifyMessage({ address: wallet, message, signature: wrap(inner) })).toBe(true);
    expect(await client.verifyMessage({ address: wallet, message, signature: inner })).toBe(true);
  });

  it('acts for its owner and for nobody else, and hands on what a call reverts with', async () => {
    await create();
    await chain.mint(stakeToken, wallet, parseEther('2'));
    const to = newAccount().address;
    const transfer = (amount: bigint) =>
      encodeFunctionData({ abi: MINTABLE_TOKEN_ABI, functionName: 'transfer', args: [to, amount] });
    expect(await chain.revertOf(await chain.richAccount(), onWallet('execute', stakeToken, 0n, transfer(1n)))).toBe(
      'NotOwner',
    );
    await chain.send(owner, onWallet('execute', stakeToken, 0n, transfer(parseEther('2'))));
    expect(
      await chain.read({ address: stakeToken, abi: MINTABLE_TOKEN_ABI as Abi, functionName: 'balanceOf', args: [to] }),
    ).toBe(parseEther('2'));
    // Selector of the token's error ERC20InsufficientBalance.
    expect(await chain.revertOf(owner, onWallet('execute', stakeToken, 0n, transfer(1n)))).toMatch(
      /ERC20InsufficientBalance|0xe450d38c/,
    );
  });

  it('takes coins and sends them on', async () => {
    await create();
    const client = chain.client(owner);
    await client.waitForTransactionReceipt({
      hash: await client.sendTransaction({ to: wallet, value: parseEther('2') }),
    });
    const to = newAccount().address;
    await chain.send(owner, onWallet('execute', to, parseEther('1'), '0x'));
    expect([await client.getBalance({ address: wallet }), await client.getBalance({ address: to })]).toEqual([
      parseEther('1'),
      parseEther('1'),
    ]);
  });
});
