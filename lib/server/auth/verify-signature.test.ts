import { randomBytes } from 'node:crypto';
import {
  concatHex,
  createTestClient,
  hashMessage,
  pad,
  createWalletClient,
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionData,
  http,
  parseAbi,
  publicActions,
  serializeErc6492Signature,
  size,
  type Address,
  type Hex,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it, onTestFinished } from 'vitest';
import factory from '@/contracts/artifacts/SmartWalletFactory.json';
import { SMART_WALLET_FACTORY_ABI } from '@/lib/protocol/contract-abis';
import { formatSignInMessage } from '@/lib/protocol/sign-in/message';
import negative from '@/lib/protocol/sign-in/vectors/verification-negative.json';
import positive from '@/lib/protocol/sign-in/vectors/verification-positive.json';
import { configSchema } from '../config/schema';
import { Secret } from '../config/secret';
import { chainRequest } from '../upstreams/nodes/network-client';
import { RpcNetworks } from '../upstreams/nodes/networks';
import { errorOf, refusingUrl, resultOf, scriptedNode } from '@/test/scripted-node';
import { testChain } from '@/test/test-chain';
import { serve } from '@/test/test-gateway';
import { ContractChecks } from './contract-checks';
import { PersonalSignatures } from './verify-signature';

const MESSAGE = 'Prove it.';
const owner = privateKeyToAccount('0x00000000000000000000000000000000000000000000000000000000000a11ce');
const stranger = privateKeyToAccount(generatePrivateKey());
const SALT = `0x${'5a'.repeat(32)}` as const;
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

function networks(upstreams: Record<string, string[]>): RpcNetworks {
  const { rpc } = configSchema.parse({ rpc: { healthChecks: { intervalMs: 0 } } });
  const made = new RpcNetworks({
    rpc,
    networks: Object.fromEntries(
      Object.entries(upstreams).map(([slug, urls]) => [
        slug,
        { upstreams: urls.map((url) => ({ url: new Secret(url), headers: {} })), chainIdentity: false as const },
      ]),
    ),
  });
  onTestFinished(() => made.close());
  return made;
}

const none = () => networks({});
const onBase = (url: string) => networks({ 'base-mainnet': [url] });

/** Verifies without anything remembered from other calls, and with limits that are never reached. */
async function verify(rpc: RpcNetworks, address: Address, signature: string, chainIds = [8453], message = MESSAGE) {
  const signatures = new PersonalSignatures(
    (chainId) => chainRequest(rpc, chainId),
    new ContractChecks({ perMinute: 1_000, hasAccount: () => Promise.resolve(false), now: Date.now }),
  );
  return (await signatures.judge({ address, message, signature, chainIds }, { clientIp: '192.0.2.1' })).verdict;
}

/** Returns the second valid signature of a message, whose s is in the upper half. */
function highS(signature: Hex): Hex {
  const s = ORDER - BigInt(`0x${signature.slice(66, 130)}`);
  const v = signature.endsWith('1b') ? '1c' : '1b';
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${v}` as Hex;
}

describe('the signature of a key is checked without a chain', () => {
  it('and holds, with the recovery byte of either kind, under an address in any case', async () => {
    const signature = await owner.signMessage({ message: MESSAGE });
    const fromZero = `${signature.slice(0, 130)}${signature.endsWith('1b') ? '00' : '01'}`;
    for (const address of [owner.address, owner.address.toLowerCase() as Address]) {
      expect(await verify(none(), address, signature)).toBe('valid');
      expect(await verify(none(), address, fromZero)).toBe('valid');
    }
  });

  it('and holds with any prefix, and none, in either case', async () => {
    const digits = (await owner.signMessage({ message: MESSAGE })).slice(2);
    for (const text of [
      digits,
      digits.toUpperCase(),
      `0X${digits}`,
      `0X${digits.toUpperCase()}`,
      `0x${digits.toUpperCase()}`,
    ])
      expect(await verify(none(), owner.address, text)).toBe('valid');
    for (const text of [` ${digits}`, `0x0x${digits}`, `x${digits}`, `${digits}\n`, digits.slice(1)])
      expect(await verify(none(), owner.address, text)).toBe('invalid');
  });

  it('does not hold for another message, another address, or in its other form', async () => {
    const signature = await owner.signMessage({ message: MESSAGE });
    expect(await verify(none(), owner.address, signature, [8453], `${MESSAGE} `)).toBe('invalid');
    expect(await verify(none(), stranger.address, signature)).toBe('invalid');
    expect(await verify(none(), owner.address, highS(signature))).toBe('invalid');
  });

  it('the other form is not even asked of a chain, which would take it', async () => {
    const node = await scriptedNode(({ items: [item] }) => resultOf(item as { id: number }, '"0x01"'));
    expect(await verify(onBase(node.url), owner.address, highS(await owner.signMessage({ message: MESSAGE })))).toBe(
      'invalid',
    );
    expect(node.asked).toHaveLength(0);
  });

  it.each([
    '',
    '0x',
    '0x1',
    'nonsense',
    '0xzz',
    `0x${'00'.repeat(65)}`,
    `0x${'ff'.repeat(65)}`,
    `0x${'11'.repeat(64)}`,
    `0x${'11'.repeat(7000)}`,
    '0X1234',
    '2'.repeat(88),
  ])('%.20s is invalid', async (signature) => {
    expect(await verify(none(), owner.address, signature)).toBe('invalid');
  });

  it.each(Object.entries(positive))(
    'public vector that holds: %s',
    async (_name, { signature, address, chainId, ...fields }) => {
      const message = formatSignInMessage({ ...withoutTime(fields), family: 'evm', address, chainId: String(chainId) });
      expect(await verify(none(), address as Address, signature, [chainId], message)).toBe('valid');
    },
  );

  it.each(Object.entries(negative))(
    'public vector that does not: %s',
    async (_name, { signature, address, chainId, ...fields }) => {
      const message = formatSignInMessage({ ...fields, family: 'evm', address, chainId: String(chainId) });
      expect(await verify(none(), address as Address, signature, [chainId], message)).toBe('invalid');
    },
  );
});

function withoutTime<T extends object>({ time: _time, ...fields }: T & { time?: string }): Omit<T, 'time'> {
  return fields as Omit<T, 'time'>;
}

describe('a wallet that is a contract is asked of its chain', () => {
  /** Returns a chain with the wallet's factory. If `deployed`, the chain also has the wallet. */
  async function chainWithWallet({ deployed }: { deployed: boolean }) {
    const chain = await testChain(8453);
    const transport = http(chain.url);
    const reader = createTestClient({ mode: 'anvil', transport }).extend(publicActions);
    await reader.setBalance({ address: owner.address, value: 10n ** 18n });
    const wallet = createWalletClient({ account: owner, transport });
    const mined = async (hash: Hex) => reader.waitForTransactionReceipt({ hash, pollingInterval: 20 });
    const { contractAddress } = await mined(
      await wallet.deployContract({ abi: SMART_WALLET_FACTORY_ABI, bytecode: factory.bytecode as Hex, chain: null }),
    );
    const at = contractAddress as Address;
    const args = [owner.address, SALT] as const;
    if (deployed)
      await mined(
        await wallet.writeContract({
          address: at,
          abi: SMART_WALLET_FACTORY_ABI,
          functionName: 'createWallet',
          args,
          chain: null,
        }),
      );
    const address = await reader.readContract({
      address: at,
      abi: SMART_WALLET_FACTORY_ABI,
      functionName: 'addressOf',
      args,
    });
    const wrap = (signature: Hex) =>
      serializeErc6492Signature({
        address: at,
        data: encodeFunctionData({ abi: SMART_WALLET_FACTORY_ABI, functionName: 'createWallet', args }),
        signature,
      });
    return { chain, address, wrap };
  }

  it('deployed: its owner signs for it, nobody else (EIP-1271)', async () => {
    const { chain, address } = await chainWithWallet({ deployed: true });
    const rpc = onBase(chain.url);
    expect(await verify(rpc, address, await owner.signMessage({ message: MESSAGE }))).toBe('valid');
    expect(await verify(rpc, address, await stranger.signMessage({ message: MESSAGE }))).toBe('invalid');
    const digits = (await owner.signMessage({ message: MESSAGE })).slice(2);
    for (const text of [digits, `0X${digits.toUpperCase()}`]) expect(await verify(rpc, address, text)).toBe('valid');
    expect(await verify(rpc, address, '0x1234')).toBe('invalid');
    expect(await verify(rpc, stranger.address, await owner.signMessage({ message: MESSAGE }))).toBe('invalid');
    expect(await verify(rpc, stranger.address, '0x1234')).toBe('invalid');
  });

  it('whose owners have approved on the chain: it takes the empty signature, for what they approved alone', async () => {
    const SAFE: Address = '0x000000000000000000000000000000000005afe0';
    const chain = await testChain(8453);
    const client = createTestClient({ mode: 'anvil', transport: http(chain.url) });
    // Code whose isValidSignature(hash, signature) returns the magic value if the signature is empty and the storage
    // slot at the hash is 1.
    await client.setCode({ address: SAFE, bytecode: '0x600435546044351516631626ba7e0260e01b5f5260205ff3' });
    await client.setStorageAt({ address: SAFE, index: hashMessage(MESSAGE), value: pad('0x1') });
    const rpc = onBase(chain.url);
    for (const text of ['0x', '0X']) expect(await verify(rpc, SAFE, text)).toBe('valid');
    for (const text of ['', '0x00', await owner.signMessage({ message: MESSAGE })])
      expect(await verify(rpc, SAFE, text)).toBe('invalid');
    expect(await verify(rpc, SAFE, '0x', [8453], `${MESSAGE} `)).toBe('invalid');
    expect(await verify(rpc, owner.address, '0x')).toBe('invalid');
    expect(await verify(none(), SAFE, '0x')).toBe('invalid');
    // The identity precompile returns its input, which begins like an accepting answer.
    expect(await verify(rpc, '0x0000000000000000000000000000000000000004', '0x')).toBe('invalid');
  });

  it('to be deployed: with the call that does so (ERC-6492)', async () => {
    const { chain, address, wrap } = await chainWithWallet({ deployed: false });
    const rpc = onBase(chain.url);
    expect(await verify(rpc, address, wrap(await owner.signMessage({ message: MESSAGE })))).toBe('valid');
    expect(await verify(rpc, address, await owner.signMessage({ message: MESSAGE }))).toBe('invalid');
    expect(await verify(rpc, address, wrap(await stranger.signMessage({ message: MESSAGE })))).toBe('invalid');
    expect(await verify(rpc, stranger.address, wrap(await owner.signMessage({ message: MESSAGE })))).toBe('invalid');
  });

  it('on every chain that is named, and on no other', async () => {
    const { chain, address } = await chainWithWallet({ deployed: true });
    const empty = await testChain(31337);
    const rpc = networks({ 'base-mainnet': [chain.url], 'sandbox-testnet': [empty.url] });
    const signature = await owner.signMessage({ message: MESSAGE });
    expect(await verify(rpc, address, signature, [31337])).toBe('invalid');
    expect(await verify(rpc, address, signature, [31337, 8453])).toBe('valid');
    expect(await verify(rpc, address, signature, [])).toBe('invalid');
    expect(await verify(rpc, address, signature, [1])).toBe('invalid');
  });
});

describe('the zero address signs nothing', () => {
  const ZERO: Address = `0x${'0'.repeat(40)}`;
  const word = (digit: string) => digit.repeat(64);
  const broken: Hex[] = [
    `0x${word('0')}${word('0')}1b`,
    `0x${word('0')}${word('0')}1c`,
    `0x${word('f')}${word('1')}1b`,
    `0x${ORDER.toString(16)}${word('1')}1c`,
    `0x${word('1')}${word('f')}1b`,
    `0x${word('5')}${word('0')}1b`,
  ];

  it('though the chain takes every broken signature for its own', async () => {
    const chain = await testChain(8453);
    const noise = Array.from({ length: 10 }, () => `0x${randomBytes(64).toString('hex')}1b` as const);
    for (const signature of [...broken, ...noise])
      expect(await verify(onBase(chain.url), ZERO, signature)).toBe('invalid');
  });

  it('and no chain is asked', async () => {
    const node = await scriptedNode(({ items: [item] }) => resultOf(item as { id: number }, '"0x01"'));
    for (const signature of [...broken, '0x1234' as const, await owner.signMessage({ message: MESSAGE })])
      expect(await verify(onBase(node.url), ZERO, signature)).toBe('invalid');
    expect(node.asked).toHaveLength(0);
  });
});

describe('a wallet that names a URL to look up (EIP-3668)', () => {
  const TRAP: Address = '0x00000000000000000000000000000000000e3668';

  /** Returns code that answers every call with OffchainLookup. */
  function trapCode(url: string): Hex {
    const abi = parseAbi([
      'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)',
    ]);
    const data = encodeErrorResult({
      abi,
      errorName: 'OffchainLookup',
      args: [TRAP, [url], '0x1234', '0x1626ba7e', '0x'],
    });
    const length = size(data).toString(16).padStart(4, '0');
    // PUSH2 length, PUSH2 13, PUSH0, CODECOPY, PUSH2 length, PUSH0, REVERT, and then the data, at position 13.
    return concatHex([`0x61${length}61000d5f3961${length}5ffd`, data]);
  }

  it('gets no request, deployed or not, nor does its name', async () => {
    const seen: string[] = [];
    const { origin } = await serve((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      response.end('{"data":"0x"}');
    });
    const chain = await testChain(8453);
    const client = createTestClient({ mode: 'anvil', transport: http(chain.url) }).extend(publicActions);
    await client.setCode({ address: TRAP, bytecode: trapCode(`${origin}/{sender}/{data}`) });
    const deploying = serializeErc6492Signature({ address: TRAP, data: '0x1234', signature: '0x1234' });
    for (const signature of ['0x1234' as const, await stranger.signMessage({ message: MESSAGE }), deploying]) {
      expect(await verify(onBase(chain.url), TRAP, signature)).toBe('invalid');
      expect(await verify(onBase(chain.url), stranger.address, deploying)).toBe('invalid');
    }
    expect(seen).toEqual([]);
    // A plain viem client follows the lookup.
    await client.call({ to: TRAP }).catch(() => undefined);
    expect(seen).toHaveLength(1);
  });

  it('costs the node a bounded amount of gas, whatever the code of a wallet does', async () => {
    const node = await scriptedNode(({ items: [item] }) => resultOf(item as { id: number }, '"0x00"'));
    await verify(onBase(node.url), TRAP, '0x1234');
    expect(node.asked[0]?.items[0]?.params).toMatchObject([{ gas: '0x989680' }, 'latest']);
  });
});

describe('a chain that does not answer is no verdict', () => {
  const signature = stranger.signMessage({ message: MESSAGE });
  const wallet = owner.address;

  it('where nothing listens, or the node fails', async () => {
    expect(await verify(onBase(await refusingUrl()), wallet, await signature)).toBe('unavailable');
    const failing = await scriptedNode(({ items: [item] }) =>
      errorOf(item as { id: number }, -32603, 'Internal error'),
    );
    expect(await verify(onBase(failing.url), wallet, await signature)).toBe('unavailable');
    for (const result of ['null', '1', '"yes"']) {
      const odd = await scriptedNode(({ items: [item] }) => resultOf(item as { id: number }, result));
      expect(await verify(onBase(odd.url), wallet, await signature)).toBe('unavailable');
    }
    const nonsense = await scriptedNode(() => 'nonsense');
    expect(await verify(onBase(nonsense.url), wallet, await signature)).toBe('unavailable');
  });

  it('where one of several is silent; but one that says yes is enough', async () => {
    const yes = await scriptedNode(({ items: [item] }) => resultOf(item as { id: number }, '"0x01"'));
    const no = await scriptedNode(({ items: [item] }) => resultOf(item as { id: number }, '"0x00"'));
    const over = (url: string) => networks({ 'base-mainnet': [url], 'sandbox-testnet': [closed] });
    const closed = await refusingUrl();
    expect(await verify(over(no.url), wallet, await signature, [8453, 31337])).toBe('unavailable');
    expect(await verify(over(yes.url), wallet, await signature, [8453, 31337])).toBe('valid');
  });

  it.each([
    [3, 'execution reverted'],
    [-32000, 'execution reverted: SignatureValidator'],
    [-32015, 'VM execution error.'],
    [-32000, 'out of gas'],
    [-32000, 'invalid opcode: INVALID'],
  ])('a revert is one: %i %s', async (code, text) => {
    const node = await scriptedNode(({ items: [item] }) => errorOf(item as { id: number }, code, text));
    expect(await verify(onBase(node.url), wallet, await signature)).toBe('invalid');
  });

  it.each(['"0x"', '"0x00"', '"0x02"', '"0x0100"', `"${encodeAbiParameters([{ type: 'uint256' }], [2n])}"`])(
    'the answer %s is no yes',
    async (result) => {
      const node = await scriptedNode(({ items: [item] }) => resultOf(item as { id: number }, result));
      expect(await verify(onBase(node.url), wallet, await signature)).toBe('invalid');
    },
  );
});
