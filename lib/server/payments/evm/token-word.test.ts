import { createPublicClient, custom, encodeFunctionData, erc20Abi, getAddress, type Hex, RpcRequestError } from 'viem';
import { describe, expect, it } from 'vitest';
import { AUTHORIZATION_ABI, isAuthorizationSpent } from './find-execution';
import { isRefusal } from './evm-sender';
import { tokenBalance } from './token-balance';

const TOKEN = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
const PAYER = getAddress('0xabcdef0123456789abcdef0123456789abcdef01');
const NONCE: Hex = `0x${'0f'.repeat(32)}`;
const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;

/** Returns a node that gives every call this answer, and its requests. */
function nodeSaying(answer: Hex | Error | null) {
  const asked: unknown[] = [];
  const request = async ({ method, params }: { method: string; params: unknown }): Promise<unknown> => {
    asked.push([method, params]);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { asked, client: createPublicClient({ transport: custom({ request }, { retryCount: 0 }), ccipRead: false }) };
}

const reasonOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => Promise.reject(new Error('It was answered.')),
    (error: unknown) => error,
  );

describe('a token is asked', () => {
  it('in the very bytes of its interface', async () => {
    const node = nodeSaying(word(1n));
    await tokenBalance(node.client, TOKEN, PAYER);
    await isAuthorizationSpent(node.client, { token: TOKEN, from: PAYER, nonce: NONCE }, 255n);
    expect(node.asked).toEqual([
      [
        'eth_call',
        [
          { to: TOKEN, data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [PAYER] }) },
          'latest',
        ],
      ],
      [
        'eth_call',
        [
          {
            to: TOKEN,
            data: encodeFunctionData({
              abi: AUTHORIZATION_ABI,
              functionName: 'authorizationState',
              args: [PAYER, NONCE],
            }),
          },
          '0xff',
        ],
      ],
    ]);
  });

  it.each([0n, 1n, 5_000_000n, (1n << 256n) - 1n])('for a balance of %s', async (balance) => {
    expect(await tokenBalance(nodeSaying(word(balance)).client, TOKEN, PAYER)).toBe(balance);
  });

  it.each([
    [0n, false],
    [1n, true],
  ])('for a nonce whose state is %s', async (state, spent) => {
    expect(
      await isAuthorizationSpent(nodeSaying(word(state)).client, { token: TOKEN, from: PAYER, nonce: NONCE }),
    ).toBe(spent);
  });

  it('and more behind the word changes nothing', async () => {
    expect(await tokenBalance(nodeSaying(`${word(7n)}${'00'.repeat(32)}`).client, TOKEN, PAYER)).toBe(7n);
  });

  it.each<Hex | null>(['0x', '0x01', null])('and %s is no answer, but a refusal of it', async (answer) => {
    const node = nodeSaying(answer);
    expect(isRefusal(await reasonOf(tokenBalance(node.client, TOKEN, PAYER)))).toBe(true);
    expect(
      isRefusal(await reasonOf(isAuthorizationSpent(node.client, { token: TOKEN, from: PAYER, nonce: NONCE }))),
    ).toBe(true);
  });

  it('and a state that is neither yes nor no is invalid', async () => {
    await expect(
      isAuthorizationSpent(nodeSaying(word(2n)).client, { token: TOKEN, from: PAYER, nonce: NONCE }),
    ).rejects.toThrow();
  });

  it('and a node that answers with an error refuses, one that does not answer does not', async () => {
    const reverted = new RpcRequestError({
      body: {},
      url: 'base-mainnet',
      error: { code: 3, message: 'execution reverted' },
    });
    expect(isRefusal(await reasonOf(tokenBalance(nodeSaying(reverted).client, TOKEN, PAYER)))).toBe(true);
    expect(
      isRefusal(await reasonOf(tokenBalance(nodeSaying(new Error('refused the connection')).client, TOKEN, PAYER))),
    ).toBe(false);
  });
});
