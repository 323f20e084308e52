/**
 * @not next: sign-in.test.ts, x402.test.ts and private-chat.test.ts send the same requests through Next.
 * @not postgres: top-ups and charges are the same as for other wallets, and other tests check those on Postgres.
 */
import { base58 } from '@scure/base';
import { Connection } from '@solana/web3.js';
import { generateText, streamText } from 'ai';
import OpenAI from 'openai';
import { createPublicClient, createWalletClient, http } from 'viem';
import { mainnet } from 'viem/chains';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { turnpikeModels } from '@/packages/turnpike-client/src/ai-sdk';
import { turnpikeProvider } from '@/packages/turnpike-client/src/ethers';
import {
  createTurnpike,
  type Turnpike,
  type TurnpikeAccount,
  type TurnpikeEvent,
  type TurnpikeOptions,
} from '@/packages/turnpike-client/src/index';
import { openaiOptions } from '@/packages/turnpike-client/src/openai';
import { turnpikeSolanaRpc, web3Connection } from '@/packages/turnpike-client/src/solana';
import { speak, speechModels } from '@/packages/turnpike-client/src/speech';
import { makeVideo, videoModels } from '@/packages/turnpike-client/src/video';
import { turnpikeTransport } from '@/packages/turnpike-client/src/viem';
import { evmWallet, solanaWallet } from '../payments/paying-wallets';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import { type SandboxDescription, startSandboxGateway } from './harness/sandbox-gateway';

/** The package as customer of a whole gateway: every kind of account, every subpath, and all payments. */

let gateway: GatewayUnderTest;
let sandbox: SandboxDescription;
beforeAll(async () => {
  ({ gateway, sandbox } = await startSandboxGateway());
}, 120_000);
afterAll(() => gateway?.stop());

const BLOCK = { method: 'eth_blockNumber', id: 1 };

interface Customer {
  turnpike: Turnpike;
  events: TurnpikeEvent[];
}

function customer(account: TurnpikeAccount, options: Partial<TurnpikeOptions> = {}): Customer {
  const events: TurnpikeEvent[] = [];
  return {
    events,
    turnpike: createTurnpike({ url: gateway.url, account, onEvent: (event) => void events.push(event), ...options }),
  };
}

const countOf = (events: readonly TurnpikeEvent[], type: TurnpikeEvent['type']) =>
  events.filter((event) => event.type === type).length;

/** EIP-1193 provider over an account of viem. Records its calls. */
function provider(account: Awaited<ReturnType<typeof evmWallet>>['account'], asked: string[] = [], chainId = 8453) {
  let current = 1;
  return {
    async request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
      asked.push(method);
      const given = (params ?? []) as string[];
      if (method === 'eth_requestAccounts') return [account.address];
      if (method === 'eth_chainId') return `0x${current.toString(16)}`;
      if (method === 'wallet_switchEthereumChain') return (current = chainId) && null;
      if (method === 'personal_sign') return account.signMessage({ message: { raw: given[0] as `0x${string}` } });
      if (method === 'eth_signTypedData_v4')
        return account.signTypedData(JSON.parse(given[1] as string) as Parameters<typeof account.signTypedData>[0]);
      throw new Error(`${method} is not known`);
    },
  };
}

/** Wallet Standard wallet over a key pair of @solana/kit. */
async function standardWalletOf(signer: Awaited<ReturnType<typeof solanaWallet>>['signer']) {
  const { getTransactionDecoder, getTransactionEncoder } = await import('@solana/kit');
  const account = { address: signer.address as string, chains: ['solana:mainnet'] };
  const signMessage = async ({ message }: { message: Uint8Array }) => {
    const [signatures] = await signer.signMessages([{ content: message, signatures: {} }]);
    return [{ signedMessage: message, signature: signatures?.[signer.address] as Uint8Array }];
  };
  const signTransaction = async ({ transaction }: { transaction: Uint8Array }) => {
    const decoded = getTransactionDecoder().decode(transaction);
    const [signatures] = await signer.signTransactions([
      decoded as Parameters<typeof signer.signTransactions>[0][number],
    ]);
    return [
      {
        signedTransaction: new Uint8Array(
          getTransactionEncoder().encode({ ...decoded, signatures: { ...decoded.signatures, ...signatures } }),
        ),
      },
    ];
  };
  const features = {
    'standard:connect': { connect: async () => ({ accounts: [account] }) },
    'solana:signMessage': { signMessage },
    'solana:signTransaction': { signTransaction },
  };
  return { name: 'Standard wallet', accounts: [], features };
}

describe('a wallet without a cent tops up once within its budget, and is answered', () => {
  const faucet = () => `${gateway.url}/api/sandbox`;
  const kinds: readonly (readonly [kind: string, make: () => Promise<TurnpikeAccount>])[] = [
    ['a viem account', async () => (await evmWallet(faucet())).account],
    [
      'a viem wallet client',
      async () =>
        createWalletClient({
          account: (await evmWallet(faucet())).account,
          chain: mainnet,
          transport: http(gateway.url),
        }),
    ],
    ['an EIP-1193 provider', async () => provider((await evmWallet(faucet())).account)],
    ['a Solana signer', async () => (await solanaWallet(faucet())).signer],
    ['a Wallet Standard wallet', async () => standardWalletOf((await solanaWallet(faucet())).signer)],
  ];

  test.each(kinds)('as %s', async (_, make) => {
    const { turnpike, events } = customer(await make(), { budget: { perDayUsd: 5 } });
    const { items, balanceRemainingUsd } = await turnpike.rpc('ethereum-mainnet', BLOCK);
    expect(items[0]?.result).toMatch(/^0x/);
    expect(Number(balanceRemainingUsd)).toBeCloseTo(5 - 0.000014, 6);
    expect(events.map(({ type }) => type).filter((type) => type !== 'top-up-progress')).toEqual([
      'signed-in',
      'top-up-begins',
      'top-up-credited',
    ]);
    expect(turnpike.spentTodayUsd()).toBe(5);
    expect(await turnpike.balance()).toMatchObject({ consumptionCurrency: 'X402' });
  });

  test('thirty calls at once share one sign-in and one top-up', async () => {
    const asked: string[] = [];
    const { turnpike, events } = customer(provider((await evmWallet(faucet())).account, asked), {
      budget: { perDayUsd: 100 },
    });
    const answers = await Promise.all(Array.from({ length: 30 }, () => turnpike.rpc('ethereum-mainnet', BLOCK)));
    expect(answers.every(({ credits }) => credits === 20)).toBe(true);
    expect([
      countOf(events, 'signed-in'),
      countOf(events, 'top-up-begins'),
      countOf(events, 'top-up-credited'),
    ]).toEqual([1, 1, 1]);
    expect(asked.filter((method) => method === 'eth_signTypedData_v4')).toHaveLength(1);
    const { balances, x402Usd } = (await turnpike.balance()) as { balances: unknown; x402Usd?: number };
    expect(x402Usd, JSON.stringify(balances)).toBeCloseTo(5 - 30 * 0.000014, 9);
  });

  test('and not a cent beyond: what the day does not hold is refused before anything is signed', async () => {
    const asked: string[] = [];
    const { turnpike, events } = customer(provider((await evmWallet(faucet())).account, asked), {
      budget: { perDayUsd: 4.5 },
    });
    await expect(turnpike.rpc('ethereum-mainnet', BLOCK)).rejects.toMatchObject({
      name: 'TurnpikeError',
      code: 'BUDGET_EXCEEDED',
      detail: { limit: 'perDayUsd', limitUsd: 4.5, wouldBeUsd: 5, excessUsd: 0.5 },
      message: expect.stringContaining('0.5 USD more than perDayUsd') as string,
    });
    expect(asked).not.toContain('eth_signTypedData_v4');
    expect(countOf(events, 'top-up-begins')).toBe(0);
  });

  test('a listener that throws keeps the money where it is', async () => {
    const asked: string[] = [];
    const account = provider((await evmWallet(faucet())).account, asked);
    const turnpike = createTurnpike({
      url: gateway.url,
      account,
      budget: { perDayUsd: 5 },
      onEvent: ({ type }) => (type === 'top-up-begins' ? Promise.reject(new Error('Not today')) : undefined),
    });
    await expect(turnpike.rpc('ethereum-mainnet', BLOCK)).rejects.toMatchObject({
      code: 'TOP_UP_REFUSED',
      message: expect.stringContaining('Not today') as string,
    });
    expect(asked).not.toContain('eth_signTypedData_v4');
    expect(turnpike.spentTodayUsd()).toBe(0);
  });

  test('without a budget the refusal is the gateway’s', async () => {
    const { turnpike } = customer((await evmWallet(faucet())).account);
    await expect(turnpike.rpc('ethereum-mainnet', BLOCK)).rejects.toMatchObject({
      code: 'PAYMENT_REQUIRED',
      status: 402,
      remedy: expect.stringContaining('Top up') as string,
    });
    await expect(turnpike.topUp()).rejects.toMatchObject({ code: 'TOP_UP_FORBIDDEN' });
  });

  test('a wallet without USDC is told that the payment was refused, and by what', async () => {
    const { generatePrivateKey, privateKeyToAccount } = await import('viem/accounts');
    const { turnpike } = customer(privateKeyToAccount(generatePrivateKey()), { budget: { perDayUsd: 5 } });
    await expect(turnpike.rpc('ethereum-mainnet', BLOCK)).rejects.toMatchObject({ code: 'PAYMENT_REFUSED' });
    expect(turnpike.spentTodayUsd()).toBe(0);
  });

  test('a top-up by hand is of the amount that was chosen', async () => {
    const { turnpike } = customer((await evmWallet(faucet())).account, { budget: { perDayUsd: 12 } });
    expect(await turnpike.topUp(7.25)).toMatchObject({
      state: 'credited',
      amountCreditedUsd: 7.25,
      newBalanceUsd: 7.25,
    });
    await expect(turnpike.topUp(7.25)).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED', detail: { excessUsd: 2.5 } });
  });
});

describe('the subpaths, under a key', () => {
  const keyed = () => customer(sandbox.demoKey).turnpike;

  test('viem', async () => {
    const client = createPublicClient({
      chain: mainnet,
      transport: turnpikeTransport(keyed(), 'ethereum-mainnet', { batch: true }),
    });
    const [chainId, block] = await Promise.all([client.getChainId(), client.getBlockNumber()]);
    expect([chainId, typeof block]).toEqual([1, 'bigint']);
  });

  test('ethers', async () => {
    const provider = turnpikeProvider(keyed(), 'ethereum-mainnet');
    expect(await provider.getBlockNumber()).toBeGreaterThan(0);
    expect((await provider.getNetwork()).chainId).toBe(1n);
    provider.destroy();
  });

  test('@solana/kit and @solana/web3.js', async () => {
    const slot = await turnpikeSolanaRpc(keyed()).getSlot().send();
    expect(typeof slot).toBe('bigint');
    const { value } = await turnpikeSolanaRpc(keyed()).getLatestBlockhash().send();
    expect(base58.decode(value.blockhash)).toHaveLength(32);
    expect(await new Connection(...web3Connection(keyed())).getSlot()).toBeGreaterThan(0);
  });

  test('the OpenAI SDK, whole and streamed', async () => {
    const openai = new OpenAI(openaiOptions(keyed()));
    const messages = [{ role: 'user' as const, content: 'What does a JSON-RPC call cost?' }];
    expect((await openai.chat.completions.create({ model: 'guide', messages })).choices[0]?.message.content).toMatch(
      /credit/i,
    );
    let text = '';
    for await (const { choices } of await openai.chat.completions.create({ model: 'guide', messages, stream: true }))
      text += choices[0]?.delta.content ?? '';
    expect(text).toMatch(/credit/i);
  });

  test('the AI SDK, whole and streamed', async () => {
    const model = turnpikeModels(keyed())('guide');
    const { text, usage } = await generateText({ model, prompt: 'What does a JSON-RPC call cost?' });
    expect(text).toMatch(/credit/i);
    expect(usage.totalTokens).toBeGreaterThan(10);
    expect(await streamText({ model, prompt: 'What does a JSON-RPC call cost?' }).text).toMatch(/credit/i);
  });

  test('speech, with its progress', async () => {
    const [model] = await speechModels(keyed());
    let heard = 0;
    const speech = await speak(
      keyed(),
      {
        model: model?.id ?? '',
        voice: model?.defaultVoice ?? '',
        input: 'A call costs twenty credits.',
        response_format: 'mp3',
      },
      { onProgress: ({ bytes }) => (heard = bytes) },
    );
    const audio = await speech.bytes();
    expect(audio.length).toBeGreaterThan(2_000);
    expect(heard).toBe(audio.length);
    await expect(speech.bytes()).rejects.toMatchObject({ code: 'OPTION_INVALID' });
  });

  test('video, paid for once and deleted from the server when it is here', async () => {
    const turnpike = keyed();
    const [model] = await videoModels(turnpike);
    const stages: number[] = [];
    const request = {
      model: model?.id ?? '',
      prompt: 'A toll gate at dawn',
      duration: model?.durations[0] ?? '',
      aspect_ratio: model?.aspectRatios[0] ?? '',
    };
    const { media, video } = await makeVideo(turnpike, request, {
      pollMs: 200,
      onProgress: ({ elapsedMs }) => stages.push(elapsedMs),
    });
    expect(media.type).toBe('video/mp4');
    expect(stages[0]).toBe(0);
    const again = await turnpike.fetch('/api/v1/video/retrieve', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(video),
    });
    expect(again.status).toBe(404);
  });
});

describe('an OpenAI SDK under a private fetch', () => {
  const messages = [
    { role: 'developer' as const, content: 'Be brief.' },
    { role: 'user' as const, content: [{ type: 'text' as const, text: 'How does staking work?' }] },
  ];
  const sdk = (accepted: readonly ('simulated' | 'verified')[], seen: string[] = [], bodies: string[] = []) => {
    const spied: typeof fetch = (input, init) => {
      if (String(input).endsWith('/chat/completions')) bodies.push(new TextDecoder().decode(init?.body as Uint8Array));
      return fetch(input, init);
    };
    const { turnpike } = customer(sandbox.demoKey, { fetch: spied });
    const privately = {
      simulatedRoot: sandbox.enclave?.root ?? '',
      accepted: accepted as ['simulated'],
      onAttestation: ({ verdict }: { verdict: { conclusion: string } }) => void seen.push(verdict.conclusion),
      onSignature: ({ outcome }: { outcome: string }) => void seen.push(outcome),
    };
    return new OpenAI(openaiOptions(turnpike, privately));
  };

  test('sends ciphertext, and gives the answer whole and streamed once its signature holds', async () => {
    const [seen, bodies]: [string[], string[]] = [[], []];
    const openai = sdk(['simulated'], seen, bodies);
    const whole = await openai.chat.completions.create({ model: 'e2ee-guide', messages, max_tokens: 200 });
    expect(whole.choices[0]?.message.content).toMatch(/stak/i);
    expect(whole.usage?.total_tokens).toBeGreaterThan(10);
    let text = '';
    let ended = '';
    for await (const { choices } of await openai.chat.completions.create({
      model: 'e2ee-guide',
      messages,
      stream: true,
      stream_options: { include_usage: true },
    })) {
      text += choices[0]?.delta.content ?? '';
      ended = choices[0]?.finish_reason ?? ended;
    }
    expect(text).toMatch(/stak/i);
    expect(ended).toBe('stop');
    expect(seen).toEqual(['simulated', 'verified', 'verified']);
    expect(bodies).toHaveLength(2);
    expect(bodies.join()).not.toMatch(/staking work|Be brief/);
  });

  test('refuses to send where the verdict is not accepted, and says so through the SDK', async () => {
    const bodies: string[] = [];
    await expect(
      sdk(['verified'], [], bodies).chat.completions.create({ model: 'e2ee-guide', messages }),
    ).rejects.toMatchObject({ status: 403, code: undefined, message: expect.stringContaining('simulator') as string });
    expect(bodies).toEqual([]);
  });

  test.each([
    ['a model that takes no encryption', { model: 'guide' }, /does not support encrypted chats/],
    ['a model that there is not', { model: 'nobody' }, /no model called/],
    [
      'tools',
      { tools: [{ type: 'function' as const, function: { name: 'look' } }] },
      /\\?"tools\\?" would be sent unencrypted/,
    ],
    [
      'a schema',
      { response_format: { type: 'json_schema' as const, json_schema: { name: 'secret' } } },
      /\\?"response_format\\?" would be sent unencrypted/,
    ],
    ['metadata', { metadata: { about: 'me' } }, /\\?"metadata\\?" would be sent unencrypted/],
    [
      'an image',
      {
        messages: [{ role: 'user' as const, content: [{ type: 'image_url' as const, image_url: { url: 'data:,' } }] }],
      },
      /part of the type \\?"image_url\\?"/,
    ],
  ])('refuses %s, and sends nothing', async (_, changed, sentence) => {
    const bodies: string[] = [];
    await expect(
      sdk(['simulated'], [], bodies).chat.completions.create({ model: 'e2ee-guide', messages, ...changed } as never),
    ).rejects.toThrow(sentence);
    expect(bodies).toEqual([]);
  });

  test('refuses what is no chat, but reads', async () => {
    const openai = sdk(['simulated']);
    await expect(openai.audio.speech.create({ model: 'tts-kokoro', voice: 'af_sky', input: 'Hello' })).rejects.toThrow(
      /private channel/,
    );
    expect((await openai.models.list()).data.length).toBeGreaterThan(1);
  });
});

describe('what goes wrong is said with a code and a remedy', () => {
  test('a key that there is not', async () => {
    await expect(customer('tpk_unknown').turnpike.rpc('ethereum-mainnet', BLOCK)).rejects.toMatchObject({
      name: 'TurnpikeError',
      code: 'INVALID_API_KEY',
      status: 401,
      remedy: expect.stringMatching(/key/) as string,
    });
  });

  test('a network that there is not', async () => {
    await expect(customer(sandbox.demoKey).turnpike.rpc('atlantis-mainnet', BLOCK)).rejects.toMatchObject({
      code: 'UNSUPPORTED_NETWORK',
      status: 400,
    });
  });

  test('a budget that is exceeded under the OpenAI SDK is its error, not a connection that failed', async () => {
    const { account } = await evmWallet(`${gateway.url}/api/sandbox`);
    const openai = new OpenAI(openaiOptions(customer(account, { budget: { perDayUsd: 1 } }).turnpike));
    await expect(
      openai.chat.completions.create({ model: 'guide', messages: [{ role: 'user', content: 'Hi' }] }),
    ).rejects.toMatchObject({ status: 402, message: expect.stringContaining('4 USD more than perDayUsd') as string });
  });

  test('a call that is cancelled, at its beginning and under way', async () => {
    const { turnpike } = customer(sandbox.demoKey);
    await expect(turnpike.rpc('ethereum-mainnet', BLOCK, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'ABORTED',
    });
    const abort = new AbortController();
    const speech = await speak(
      turnpike,
      { model: 'tts-kokoro', voice: 'af_sky', input: 'One. '.repeat(400), response_format: 'wav' },
      { signal: abort.signal },
    );
    abort.abort();
    await expect(speech.bytes()).rejects.toMatchObject({ code: 'ABORTED' });
  });
});
