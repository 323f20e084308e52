/**
 * @not next: turnpike-client.test.ts has the package send the same requests.
 * @not postgres: top-ups and charges are the same as for other wallets, and other tests check those on Postgres.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type CallToolResult, type ClientCapabilities, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { x402Client } from '@x402/fetch';
import { ExactSvmScheme } from '@x402/svm/exact/client';
import { createPublicClient, erc20Abi, http, type PrivateKeyAccount } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { audioFile } from '@/test/audio-files';
import { solanaWallet } from '../payments/paying-wallets';
import { type BuiltCommand, buildCommand } from './harness/built-command';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import { type SandboxDescription, startSandboxGateway } from './harness/sandbox-gateway';
import { startStubTranscriber, type StubTranscriber, TRANSCRIBER_MODEL } from './harness/stub-transcriber';

/** The published `turnpike-client mcp` with the official MCP client, over standard input and output and over HTTP. */

/** A call of 20 credits costs a dollar, so that a dozen calls use up a budget. */
const PRICE_PER_CREDIT_USD = '0.05';
const BASE = 'eip155:8453';
const TOKEN = 'a-token-of-the-tests';
const TOOLS = [
  'call_chain',
  'send_transaction',
  'ask_private_model',
  'verify_attestation',
  'speak',
  'transcribe',
  'make_image',
  'embed',
  'make_video',
  'balance',
  'top_up',
];
const READ = { name: 'call_chain', arguments: { network: 'ethereum-mainnet', method: 'eth_blockNumber' } };

let gateway: GatewayUnderTest;
let sandbox: SandboxDescription;
let command: BuiltCommand;
let transcriber: StubTranscriber;
beforeAll(async () => {
  transcriber = await startStubTranscriber(0.001);
  const { transcriptions } = transcriber;
  ({ gateway, sandbox } = await startSandboxGateway({ pricePerCreditUsd: PRICE_PER_CREDIT_USD, transcriptions }));
  command = await buildCommand();
}, 120_000);
afterAll(async () => {
  await Promise.all([...shared.values()].map(async (asked) => (await asked).client.close()));
  command?.remove();
  await gateway?.stop();
  transcriber?.stop();
});

const folders: string[] = [];
const clients: Client[] = [];
const shared = new Map<string, Promise<Asked>>();
const children: ChildProcess[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  for (const child of children.splice(0)) child.kill();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

type Answering = 'pay' | 'decline' | 'cancel' | 'untick';
interface Asked {
  client: Client;
  questions: string[];
}

/** A client that answers questions with this answer. Without an answer, the client cannot be asked. */
function newClient(answer?: Answering): Asked {
  const capabilities: ClientCapabilities = answer === undefined ? {} : { elicitation: {} };
  const client = new Client({ name: 'tests', version: '1.0.0' }, { capabilities });
  const questions: string[] = [];
  if (answer !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      questions.push(params.message);
      return answer === 'pay' || answer === 'untick'
        ? { action: 'accept', content: { pay: answer === 'pay' } }
        : { action: answer };
    });
  }
  clients.push(client);
  return { client, questions };
}

const environment = (env: Record<string, string>) => ({
  PATH: process.env.PATH ?? '',
  TURNPIKE_URL: gateway.url,
  ...env,
});

/** Starts a server on standard input and output, like every MCP client. */
async function overStdio(env: Record<string, string>, options: string[] = [], answer?: Answering): Promise<Asked> {
  const asked = newClient(answer);
  await asked.client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [command.program, 'mcp', ...options],
      env: environment(env),
      stderr: 'ignore',
    }),
  );
  return asked;
}

/** Starts a server with the sandbox's key. Tests share it, because it keeps nothing between calls. */
function keyed(...options: string[]): Promise<Asked> {
  const known = shared.get(options.join(' '));
  if (known !== undefined) return known;
  const started = overStdio({ TURNPIKE_API_KEY: sandbox.demoKey }, options).then((asked) => {
    clients.splice(clients.indexOf(asked.client), 1);
    return asked;
  });
  shared.set(options.join(' '), started);
  return started;
}

async function call(
  client: Client,
  tool: { name: string; arguments?: Record<string, unknown>; _meta?: Record<string, unknown> },
): Promise<CallToolResult> {
  return (await client.callTool(tool, undefined, { timeout: 120_000 })) as CallToolResult;
}
const textOf = ({ content: [first] }: CallToolResult): string => (first?.type === 'text' ? first.text : '');
const errorOf = (
  result: CallToolResult,
): { error: string; code: string; remedy: string; detail: Record<string, unknown> } => {
  expect(result.isError, textOf(result)).toBe(true);
  return JSON.parse(textOf(result)) as ReturnType<typeof errorOf>;
};

interface Wallet {
  account: PrivateKeyAccount;
  env: { TURNPIKE_PRIVATE_KEY: string };
}
async function fundedWallet(): Promise<Wallet> {
  const key = generatePrivateKey();
  const account = privateKeyToAccount(key);
  const funded = await fetch(`${gateway.url}/api/sandbox/faucet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address: account.address }),
  });
  expect(funded.status).toBe(200);
  return { account, env: { TURNPIKE_PRIVATE_KEY: key } };
}

/** Returns a wallet's USDC on the chain, in base units. */
function usdcOf(address: `0x${string}`): Promise<bigint> {
  const chain = sandbox.evm.find(({ chainId }) => chainId === 8453);
  const client = createPublicClient({ transport: http(chain?.rpcUrl) });
  return client.readContract({
    abi: erc20Abi,
    address: chain?.contracts['usdc'] as `0x${string}`,
    functionName: 'balanceOf',
    args: [address],
  });
}

describe('what an agent finds', () => {
  test('tools that say what they do, cost and change, and resources that list what can be called', async () => {
    const { client } = await keyed();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS);
    for (const { description, inputSchema, annotations } of tools) {
      expect(description?.length).toBeGreaterThan(30);
      expect(inputSchema).toMatchObject({ type: 'object' });
      expect(annotations?.readOnlyHint).toBeTypeOf('boolean');
    }
    expect(client.getServerVersion()).toMatchObject({
      name: 'turnpike',
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
    });
    expect(client.getInstructions()).toContain('turnpike://networks');

    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['turnpike://networks', 'turnpike://models', 'turnpike://prices']);
    const read = async (uri: string): Promise<unknown> =>
      JSON.parse((((await client.readResource({ uri })).contents[0] ?? {}) as { text: string }).text) as unknown;
    expect(await read('turnpike://networks')).toMatchObject({
      networks: expect.arrayContaining(['ethereum-mainnet', 'solana-mainnet']) as string[],
    });
    expect(await read('turnpike://models')).toMatchObject({
      chat: expect.arrayContaining([expect.objectContaining({ id: 'e2ee-guide' })]) as object[],
      speech: expect.arrayContaining([expect.objectContaining({ id: 'tts-kokoro' })]) as object[],
      transcriptions: [{ id: TRANSCRIBER_MODEL, usdPerSecond: 0.001 }],
      embeddings: [
        { id: 'stand-in-embedding', isEncrypted: false },
        { id: 'tinfoil-embedding', isEncrypted: true },
      ],
      images: [expect.objectContaining({ id: 'stand-in-image' })],
      video: expect.arrayContaining([expect.any(Object)]) as object[],
    });
    expect(await read('turnpike://prices')).toMatchObject({
      rpc: { pricePerCreditUsd: PRICE_PER_CREDIT_USD },
      chat: expect.arrayContaining([
        { id: 'e2ee-guide', usdPerMillionInputTokens: 0.15, usdPerMillionOutputTokens: 0.6 },
      ]) as object[],
    });
  });
});

describe('chains', () => {
  test('are read and charged; integers that JSON rounds are decimal strings', async () => {
    const { client } = await keyed();
    expect((await call(client, READ)).structuredContent).toEqual({
      result: expect.stringMatching(/^0x[0-9a-f]+$/) as string,
      credits: 20,
      costUsd: '1.00000000',
    });
    const info = await call(client, {
      name: 'call_chain',
      arguments: {
        network: 'solana-mainnet',
        method: 'getAccountInfo',
        params: ['11111111111111111111111111111111', { encoding: 'base64' }],
      },
    });
    expect(info.structuredContent).toMatchObject({
      result: { value: { owner: 'NativeLoader1111111111111111111111111111111' } },
    });
    expect(JSON.stringify(info.structuredContent)).toContain('18446744073709551615');
  });

  test.each([
    ['eth_sendRawTransaction', 'ethereum-mainnet'],
    ['eth_sendUserOperation', 'ethereum-mainnet'],
    ['zks_sendRawTransactionWithDetailedOutput', 'zksync-mainnet'],
    ['linea_cancelBundle', 'linea-mainnet'],
    ['requestAirdrop', 'solana-mainnet'],
    ['starknet_addInvokeTransaction', 'starknet-mainnet'],
    ['operators_submitEverything', 'ethereum-mainnet'],
  ])('are not written to by %s as a read', async (method, network) => {
    const { client } = await keyed();
    const charged = gateway.books.count();
    expect(errorOf(await call(client, { name: 'call_chain', arguments: { network, method } }))).toMatchObject({
      code: 'OPTION_INVALID',
      error: `${method} is not a read-only method.`,
      remedy: expect.stringContaining('send_transaction') as string,
    });
    expect(gateway.books.count()).toBe(charged);
  });

  test('take a transaction that somebody signed, once', async () => {
    const { client } = await keyed();
    const chain = sandbox.evm.find(({ chainId }) => chainId === 8453);
    const { account } = await fundedWallet();
    const reader = createPublicClient({ transport: http(chain?.rpcUrl) });
    const signedTransaction = await account.signTransaction({
      chainId: 8453,
      to: '0x00000000000000000000000000000000DeaDBeef',
      value: 1n,
      gas: 21_000n,
      gasPrice: await reader.getGasPrice(),
      nonce: 0,
    });
    const sent = (
      await call(client, { name: 'send_transaction', arguments: { network: 'base-mainnet', signedTransaction } })
    ).structuredContent as { result: `0x${string}` };
    expect(await reader.waitForTransactionReceipt({ hash: sent.result })).toMatchObject({
      status: 'success',
      from: account.address.toLowerCase(),
    });
  });

  test.each([
    ['ethereum-mainnet', 'c29tZXRoaW5n', /hexadecimal/],
    ['ethereum-mainnet', '0x123', /hexadecimal/],
    ['solana-mainnet', '{"a":1}', /Base64/],
    ['starknet-mainnet', '[1]', /JSON object/],
    ['starknet-mainnet', '{', /JSON object/],
  ])(
    'refuse on %s what is no transaction (%s), before anything is sent',
    async (network, signedTransaction, sentence) => {
      const { client } = await keyed();
      const charged = gateway.books.count();
      expect(
        errorOf(await call(client, { name: 'send_transaction', arguments: { network, signedTransaction } })).error,
      ).toMatch(sentence);
      expect(gateway.books.count()).toBe(charged);
    },
  );

  test('say what was wrong: the chain’s own error with its cost, and the gateway’s with its remedy', async () => {
    const { client } = await keyed();
    expect(
      errorOf(
        await call(client, {
          name: 'call_chain',
          arguments: { network: 'ethereum-mainnet', method: 'eth_getBalance', params: ['nobody'] },
        }),
      ),
    ).toMatchObject({ code: expect.any(Number) as number, credits: 5, costUsd: '0.25000000' });
    expect(
      errorOf(
        await call(client, { name: 'call_chain', arguments: { network: 'atlantis-mainnet', method: 'eth_chainId' } }),
      ),
    ).toMatchObject({ code: 'UNSUPPORTED_NETWORK', remedy: expect.stringMatching(/.{20}/) as string });
  });
});

describe('arguments that do not fit are told in the schema’s own words', () => {
  test.each<[label: string, tool: string, args: Record<string, unknown>, sentence: RegExp]>([
    [
      'a network that is no name',
      'call_chain',
      { network: 'Ethereum Mainnet', method: 'eth_chainId' },
      /A network is named in lower case/,
    ],
    ['no method', 'call_chain', { network: 'ethereum-mainnet' }, /expected string, received undefined/],
    [
      'parameters that are a text',
      'call_chain',
      { network: 'ethereum-mainnet', method: 'eth_call', params: 'none' },
      /params/,
    ],
    [
      'ten thousand parameters',
      'call_chain',
      { network: 'ethereum-mainnet', method: 'eth_call', params: Array.from({ length: 10_001 }, () => 0) },
      /more than the maximum of 10000 elements/,
    ],
    ['no question', 'ask_private_model', { prompt: '' }, /Too small: expected string to have >=1 characters/],
    ['half a token', 'ask_private_model', { prompt: 'Hi', maxTokens: 1.5 }, /expected int/],
    [
      'a text that is too long',
      'speak',
      { text: 'a'.repeat(4_097) },
      /Too big: expected string to have <=4096 characters/,
    ],
    ['a format that there is not', 'speak', { text: 'Hi', format: 'mp2' }, /Invalid option: expected one of "mp3"/],
    ['no text', 'embed', { texts: [] }, /Too small: expected array to have >=1 items/],
    ['too many texts', 'embed', { texts: Array.from({ length: 17 }, () => 'a') }, /Too big: expected array/],
    ['audio that is not base64', 'transcribe', { audio: '%%%' }, /base64/],
    ['neither audio nor a file', 'transcribe', {}, /either `audio` or `file`/],
    ['no prompt', 'make_image', { prompt: '' }, /Too small: expected string to have >=1 characters/],
    ['an amount that is a text', 'top_up', { amountUsd: '5' }, /expected number, received string/],
    ['an amount below zero', 'top_up', { amountUsd: -5 }, /Too small: expected number to be >0/],
    ['a tool that there is not', 'nothing', {}, /Tool nothing not found/],
  ])('%s', async (_, name, args, sentence) => {
    const { client } = await keyed();
    const charged = gateway.books.count();
    const result = await call(client, { name, arguments: args });
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringMatching(sentence)]);
    expect(gateway.books.count()).toBe(charged);
  });
});

describe('private models', () => {
  test('answer once the enclave was verified, with the verdict, the signature and the cost', async () => {
    const { client } = await keyed('--allow-simulated');
    const { structuredContent } = await call(client, {
      name: 'ask_private_model',
      arguments: { prompt: 'How does staking work?', system: 'Be brief.', maxTokens: 200 },
    });
    expect(structuredContent).toMatchObject({
      model: expect.stringMatching(/^e2ee/) as string,
      answer: expect.stringMatching(/stak/i) as string,
      verdict: 'simulated',
      signature: 'verified',
      finishReason: 'stop',
      costUsd: expect.stringMatching(/^0\.0+[1-9]/) as string,
    });
  });

  test('are sent nothing where the verdict is not accepted', async () => {
    const { client } = await keyed();
    const charged = gateway.books.count();
    expect(errorOf(await call(client, { name: 'ask_private_model', arguments: { prompt: 'A secret' } }))).toMatchObject(
      {
        code: expect.stringMatching(/^ATTESTATION_/) as string,
        error: expect.stringContaining('Nothing was sent') as string,
      },
    );
    expect(gateway.books.count()).toBe(charged);
  });

  test('are attested for free, and whether that is enough is said', async () => {
    const ask = { name: 'verify_attestation', arguments: { model: 'e2ee-guide' } };
    expect((await call((await keyed('--allow-simulated')).client, ask)).structuredContent).toMatchObject({
      verdict: 'simulated',
      isAccepted: true,
    });
    expect((await call((await keyed()).client, ask)).structuredContent).toMatchObject({
      isAccepted: false,
      refusal: expect.any(String) as string,
      remedy: expect.any(String) as string,
    });
  });

  test('that do not exist are refused by name', async () => {
    const { client } = await keyed();
    expect(
      errorOf(await call(client, { name: 'ask_private_model', arguments: { prompt: 'Hi', model: 'nobody' } })),
    ).toMatchObject({ code: 'MODEL_UNKNOWN', error: expect.stringContaining('"nobody"') as string });
    expect(errorOf(await call(client, { name: 'speak', arguments: { text: 'Hi', model: 'nobody' } }))).toMatchObject({
      code: 'MODEL_UNKNOWN',
      remedy: expect.stringContaining('tts-kokoro') as string,
    });
  });
});

describe('pictures and vectors', () => {
  const PICTURE = { name: 'make_image', arguments: { prompt: 'A toll gate at dawn', size: '512x512' } };

  test('come inside the answer', async () => {
    const { client } = await keyed();
    const { content } = await call(client, PICTURE);
    expect(content).toEqual([
      {
        type: 'image',
        mimeType: 'image/png',
        data: expect.stringMatching(/^iVBORw0KGgo[A-Za-z0-9+/=]{1000,}$/) as string,
      },
    ]);
    const texts = ['How do I stake?', 'Staking locks tokens.', 'A lighthouse'];
    const { structuredContent } = await call(client, { name: 'embed', arguments: { texts } });
    const { vectors, ...rest } = structuredContent as { vectors: number[][] };
    expect(rest).toEqual({ model: 'stand-in-embedding', dimensions: 1_024, tokens: expect.any(Number) as number });
    const [one, similar, other] = vectors as [number[], number[], number[]];
    const dot = (left: number[], right: number[]) => left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
    expect(dot(one, one)).toBeCloseTo(1, 4);
    expect(dot(one, similar)).toBeGreaterThan(dot(one, other));
  });

  test('are a file in the folder that was named', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'mcp-media-'));
    folders.push(folder);
    const { client } = await keyed('--media', folder);
    const { file } = (await call(client, PICTURE)).structuredContent as { file: string };
    expect(path.basename(file)).toMatch(/^image-[0-9a-f]{12}\.png$/);
    expect(readFileSync(file).subarray(1, 4).toString()).toBe('PNG');
  });

  test('of a size or a model that there is not are refused with what there is', async () => {
    const { client } = await keyed();
    const charged = gateway.books.count();
    const odd = { ...PICTURE, arguments: { ...PICTURE.arguments, size: '7x7' } };
    expect(errorOf(await call(client, odd)).error).toMatch(/512x512/);
    for (const tool of [PICTURE, { name: 'embed', arguments: { texts: ['Hi'] } }])
      expect(errorOf(await call(client, { ...tool, arguments: { ...tool.arguments, model: 'nobody' } }))).toMatchObject(
        { code: 'MODEL_UNKNOWN', remedy: expect.stringContaining('stand-in') as string },
      );
    expect(gateway.books.count()).toBe(charged);
  });
});

test('texts for a model in an enclave are encrypted to it, once its verdict is accepted', async () => {
  const embed = { name: 'embed', arguments: { texts: ['A road'], model: 'tinfoil-embedding' } };
  expect((await call((await keyed('--allow-simulated')).client, embed)).structuredContent).toMatchObject({
    model: 'tinfoil-embedding',
    dimensions: 1_024,
  });
  const charged = gateway.books.count();
  const refused = errorOf(await call((await keyed()).client, embed));
  expect(refused).toMatchObject({ code: expect.stringMatching(/^ATTESTATION_/) as string });
  expect(gateway.books.count()).toBe(charged);
});

describe('speech', () => {
  const transcribe = (args: object) => ({ name: 'transcribe', arguments: { ...args } });

  test('becomes text, given as base64, or as a file that another tool has written', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'mcp-media-'));
    folders.push(folder);
    const { client } = await keyed('--media', folder);
    const bytes = await audioFile('mp3', 2);
    const audio = Buffer.from(bytes).toString('base64');
    expect((await call(client, transcribe({ audio, language: 'en' }))).structuredContent).toEqual({
      model: TRANSCRIBER_MODEL,
      text: `${bytes.length} bytes`,
    });
    const { structuredContent } = await call(client, { name: 'speak', arguments: { text: 'Hello.', format: 'wav' } });
    const spoken = structuredContent as { file: string; bytes: number };
    for (const file of [spoken.file, path.basename(spoken.file)])
      expect((await call(client, transcribe({ file }))).structuredContent).toMatchObject({
        text: `${spoken.bytes} bytes`,
      });
  });

  test('of a file outside the folder, of a link, and without a folder is refused before anything is sent', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'mcp-media-'));
    folders.push(folder);
    symlinkSync('/etc/hostname', path.join(folder, 'link.wav'));
    const { client } = await keyed('--media', folder);
    const received = transcriber.received.length;
    for (const file of ['/etc/hostname', '../x.wav', 'link.wav', 'none.wav', '.'])
      expect([file, errorOf(await call(client, transcribe({ file }))).code]).toEqual([file, 'OPTION_INVALID']);
    expect(errorOf(await call((await keyed()).client, transcribe({ file: 'a.wav' }))).error).toContain('--media');
    expect(transcriber.received.length).toBe(received);
  });

  test('that cannot be decoded is refused, and nothing is charged', async () => {
    const { client } = await keyed();
    const charged = gateway.books.count();
    const audio = Buffer.from('This is text.').toString('base64');
    expect(errorOf(await call(client, transcribe({ audio })))).toMatchObject({ code: 'AUDIO_UNMEASURABLE' });
    expect(gateway.books.count()).toBe(charged);
  });
});

describe('audio and videos', { timeout: 90_000 }, () => {
  test('come inside the answer', async () => {
    const { client } = await keyed();
    const { content } = await call(client, {
      name: 'speak',
      arguments: { text: 'A call costs twenty credits.', format: 'mp3' },
    });
    expect(content).toEqual([
      { type: 'audio', mimeType: 'audio/mpeg', data: expect.stringMatching(/^[A-Za-z0-9+/=]{3000,}$/) as string },
    ]);
  });

  test('or as files in the folder that was named, and progress is told meanwhile', async () => {
    const folder = path.join(mkdtempSync(path.join(tmpdir(), 'mcp-media-')), 'made');
    folders.push(path.dirname(folder));
    const { client } = await keyed('--media', folder);
    const speech = (await call(client, { name: 'speak', arguments: { text: 'Hello.', format: 'wav' } }))
      .structuredContent as { file: string; bytes: number };
    expect(speech).toMatchObject({
      file: expect.stringMatching(/\/made\/speech-[0-9a-f]{12}\.wav$/) as string,
      mimeType: 'audio/wav',
    });
    expect([readFileSync(speech.file).subarray(0, 4).toString(), readFileSync(speech.file).length]).toEqual([
      'RIFF',
      speech.bytes,
    ]);

    const progress: number[] = [];
    const video = (
      (await client.callTool({ name: 'make_video', arguments: { prompt: 'A toll gate at dawn' } }, undefined, {
        timeout: 80_000,
        onprogress: ({ progress: elapsedMs }) => progress.push(elapsedMs),
      })) as CallToolResult
    ).structuredContent as { file: string };
    expect(readFileSync(video.file).subarray(4, 8).toString()).toBe('ftyp');
    expect(progress[0]).toBe(0);
  });
});

describe('money moves within the budget, once a person agreed', () => {
  test('a call without money asks, tops up and goes on', async () => {
    const { account, env } = await fundedWallet();
    const { client, questions } = await overStdio(env, ['--per-day', '5'], 'pay');
    expect((await call(client, READ)).structuredContent).toMatchObject({ costUsd: '1.00000000' });
    expect(questions).toEqual([
      expect.stringMatching(new RegExp(`^Pay 5 USD from ${account.address} on ${BASE} to 0x`, 'i')),
    ]);
    expect((await call(client, { name: 'balance' })).structuredContent).toMatchObject({
      x402Usd: 4,
      toppedUpTodayUsd: 5,
    });
  });

  test.each<[Answering | undefined, RegExp]>([
    ['decline', /did not approve/],
    ['cancel', /did not approve/],
    ['untick', /did not approve/],
    [undefined, /cannot ask for it/],
  ])('a person who answers %s keeps it', async (answer, sentence) => {
    const { account, env } = await fundedWallet();
    const { client } = await overStdio(env, ['--per-day', '100'], answer);
    for (const tool of [READ, { name: 'top_up', arguments: { amountUsd: 5 } }]) {
      expect(errorOf(await call(client, tool))).toMatchObject({
        code: 'TOP_UP_REFUSED',
        error: expect.stringMatching(sentence) as string,
        remedy: expect.stringContaining('Nothing was signed') as string,
      });
    }
    expect(await usdcOf(account.address)).toBe(100_000_000n);
    expect((await call(client, { name: 'balance' })).structuredContent).toMatchObject({ toppedUpTodayUsd: 0 });
  });

  test('what the budget does not allow is refused before anybody is asked, and without a budget nothing moves', async () => {
    const { env } = await fundedWallet();
    const bounded = await overStdio(env, ['--per-day', '7'], 'pay');
    expect(errorOf(await call(bounded.client, { name: 'top_up', arguments: { amountUsd: 7.5 } }))).toMatchObject({
      code: 'BUDGET_EXCEEDED',
      detail: { limit: 'perDayUsd', excessUsd: 0.5 },
    });
    expect(bounded.questions).toEqual([]);
    const unbounded = await overStdio(env, [], 'pay');
    expect(errorOf(await call(unbounded.client, { name: 'top_up', arguments: {} }))).toMatchObject({
      code: 'TOP_UP_FORBIDDEN',
    });
    expect(unbounded.questions).toEqual([]);
  });

  test('an agent loop tops up by itself within its budget, and not a cent beyond', async () => {
    const { account, env } = await fundedWallet();
    const { client, questions } = await overStdio(env, ['--per-day', '10', '--auto-top-up'], 'pay');
    let ended: CallToolResult | null = null;
    let calls = 0;
    // The agent calls until it is refused, then tries every way to get more money.
    for (; calls < 20 && ended === null; calls++) {
      const result = await call(client, READ);
      if (result.isError) ended = result;
    }
    expect(calls).toBe(11);
    expect(errorOf(ended as CallToolResult)).toMatchObject({
      code: 'BUDGET_EXCEEDED',
      detail: { limit: 'perDayUsd', limitUsd: 10 },
    });
    const tries = await Promise.all(
      [undefined, 5, 0.000001, 10].map((amountUsd) =>
        call(client, { name: 'top_up', arguments: { ...(amountUsd !== undefined && { amountUsd }) } }),
      ),
    );
    expect(tries.map((result) => errorOf(result).code)).toEqual(Array.from({ length: 4 }, () => 'BUDGET_EXCEEDED'));
    expect((await call(client, READ)).isError).toBe(true);
    expect(questions).toEqual([]);

    const { x402Usd, toppedUpTodayUsd } = (await call(client, { name: 'balance' })).structuredContent as {
      x402Usd: number;
      toppedUpTodayUsd: number;
    };
    expect({ x402Usd, toppedUpTodayUsd, onChain: await usdcOf(account.address) }).toEqual({
      x402Usd: 0,
      toppedUpTodayUsd: 10,
      onChain: 90_000_000n,
    });
    // The ledger has exactly two credits of 5 USD and ten charges of 1 USD.
    const [topUp, charge] = [
      ['TOP_UP', 5e9],
      ['CHARGE', -1e9],
    ];
    const half = [topUp, ...Array.from({ length: 5 }, () => charge)];
    expect(gateway.books.movementsOf(account.address)).toEqual([...half, ...half]);
  });
});

describe('over streamable HTTP', () => {
  interface Listening {
    url: string;
    port: number;
  }

  async function listening(env: Record<string, string>, options: string[] = []): Promise<Listening> {
    const child = spawn(process.execPath, [command.program, 'mcp', '--http', '0', '--json', ...options], {
      env: environment({ TURNPIKE_PROXY_TOKEN: TOKEN, ...env }) as unknown as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const printed = await new Promise<string>((resolve, reject) => {
      child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString()));
      child.once('exit', (code) => reject(new Error(`It ended with ${code}.`)));
    });
    const { url, token } = JSON.parse(printed) as { url: string; token: string };
    expect(token).toBe(TOKEN);
    return { url, port: Number(new URL(url).port) };
  }

  const transportOf = (url: string) =>
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${TOKEN}` } } });

  test('two clients at once have sessions of their own, each is asked for what it spends, and an ended one is gone', async () => {
    const { env } = await fundedWallet();
    const { url } = await listening(env, ['--per-day', '5']);
    const [payer, other] = [newClient('pay'), newClient('decline')];
    const transport = transportOf(url);
    // The SDK's types are not compatible with exactOptionalPropertyTypes.
    await payer.client.connect(transport as Parameters<Client['connect']>[0]);
    await other.client.connect(transportOf(url.replace('/mcp', `/${TOKEN}/mcp`)) as Parameters<Client['connect']>[0]);
    expect(errorOf(await call(other.client, READ)).code).toBe('TOP_UP_REFUSED');
    expect((await call(payer.client, READ)).structuredContent).toMatchObject({ credits: 20 });
    expect((await call(other.client, READ)).structuredContent).toMatchObject({ credits: 20 });
    expect([payer.questions.length, other.questions.length]).toEqual([1, 1]);
    const session = transport.sessionId;
    await transport.terminateSession();
    const { status } = await sent(url, {
      headers: { authorization: `Bearer ${TOKEN}`, 'mcp-session-id': String(session) },
      body: MESSAGE,
    });
    expect(status).toBe(404);
  });

  const MESSAGE = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  /** Sends a request with headers that fetch would not set. */
  function sent(
    url: string,
    { method = 'POST', headers, body = '' }: { method?: string; headers: Record<string, string>; body?: string },
  ): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        url,
        {
          method,
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
        },
        (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => (text += chunk.toString()));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
          response.on('error', reject);
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  test('nobody is let in without the token, from a page, by another name, or at another path', async () => {
    const { url, port } = await listening({ TURNPIKE_API_KEY: sandbox.demoKey });
    const bearer = { authorization: `Bearer ${TOKEN}` };
    const refusals: [number, Parameters<typeof sent>[1]][] = [
      [401, { headers: {}, body: MESSAGE }],
      [401, { headers: { authorization: 'Bearer another-token-of-nobody' }, body: MESSAGE }],
      [403, { headers: { origin: 'https://evil.example' }, body: MESSAGE }],
      [403, { headers: { ...bearer, host: `evil.example:${port}` }, body: MESSAGE }],
      [403, { headers: { ...bearer, host: '127.0.0.1' }, body: MESSAGE }],
      [
        403,
        { method: 'OPTIONS', headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' } },
      ],
      [400, { headers: bearer, body: MESSAGE }],
      [400, { headers: bearer, body: '{' }],
      [404, { headers: { ...bearer, 'mcp-session-id': 'none' }, body: MESSAGE }],
      [413, { headers: bearer, body: ' '.repeat(4 * 1_024 * 1_024 + 1) }],
      [400, { method: 'GET', headers: bearer }],
    ];
    for (const [status, request_] of refusals)
      expect([(await sent(url, request_)).status, request_.headers, request_.method]).toEqual([
        status,
        request_.headers,
        request_.method,
      ]);
    expect((await sent(url.replace('/mcp', '/'), { headers: bearer, body: MESSAGE })).status).toBe(404);
  });
});

describe('a client that pays by the call (x402 inside MCP)', () => {
  interface Required {
    accepts: { network: string; amount: string }[];
  }
  const payWith = async (payer: x402Client, result: CallToolResult) => ({
    'x402/payment': await payer.createPaymentPayload(
      result.structuredContent as unknown as Parameters<x402Client['createPaymentPayload']>[0],
    ),
  });

  test.each(['Base', 'Solana'])(
    'is told the terms, pays on %s with the official client, and is handed the receipt',
    async (rail) => {
      const evm = rail === 'Base' ? await fundedWallet() : null;
      const payer = x402Client.fromConfig({
        schemes: [
          evm
            ? { network: BASE, client: new ExactEvmScheme(evm.account) }
            : {
                network: 'solana:*',
                client: new ExactSvmScheme((await solanaWallet(`${gateway.url}/api/sandbox`)).signer, {
                  rpcUrl: `${gateway.url}/api/sandbox/rpc/solana-mainnet`,
                }),
              },
        ],
        spendControls: false,
      });
      const { client } = await overStdio({}, ['--client-pays', '--allow-simulated']);
      const tools = [
        READ,
        { name: 'speak', arguments: { text: 'Hello.', format: 'mp3' } },
        { name: 'ask_private_model', arguments: { prompt: 'How does staking work?', maxTokens: 64 } },
        { name: 'make_image', arguments: { prompt: 'A road', size: '512x512' } },
        { name: 'embed', arguments: { texts: ['A road', 'A gate'] } },
        { name: 'transcribe', arguments: { audio: Buffer.from(await audioFile('wav', 2)).toString('base64') } },
      ];
      for (const tool of tools) {
        const charged = gateway.books.count();
        const asked = await call(client, tool);
        const required = asked.structuredContent as unknown as Required;
        expect([asked.isError, JSON.parse(textOf(asked))]).toEqual([true, required]);
        expect(required).toMatchObject({
          x402Version: 2,
          resource: { url: expect.stringContaining(gateway.url) as string },
        });
        expect(gateway.books.count(), 'nothing was done yet').toBe(charged);
        const paid = await call(client, { ...tool, _meta: await payWith(payer, asked) });
        expect(paid.isError, textOf(paid)).toBeFalsy();
        expect(paid._meta?.['x402/payment-response']).toMatchObject({
          success: true,
          transaction: expect.any(String) as string,
          network: expect.stringMatching(rail === 'Base' ? /^eip155/ : /^solana/) as string,
        });
      }
      if (evm) expect(await usdcOf(evm.account.address)).toBeLessThan(100_000_000n - 1_000_000n);
    },
  );

  test('pays for one call once: refuses the same payment for another call, and an invalid payment', async () => {
    const { account } = await fundedWallet();
    const payer = x402Client.fromConfig({
      schemes: [{ network: BASE, client: new ExactEvmScheme(account) }],
      spendControls: false,
    });
    const { client } = await overStdio({}, ['--client-pays']);
    const _meta = await payWith(payer, await call(client, READ));
    expect((await call(client, { ...READ, _meta })).isError).toBeFalsy();
    const before = await usdcOf(account.address);
    const other = await call(client, {
      name: 'call_chain',
      arguments: { network: 'ethereum-mainnet', method: 'eth_gasPrice' },
      _meta,
    });
    expect(other).toMatchObject({
      isError: true,
      structuredContent: {
        x402Version: 2,
        accepts: expect.arrayContaining([expect.objectContaining({ network: BASE })]) as object[],
        error: expect.stringContaining('used for another request') as string,
      },
    });
    expect(await usdcOf(account.address)).toBe(before);
    for (const payment of ['text', 7, null, [], {}, { x402Version: 2, payload: {} }])
      expect((await call(client, { ...READ, _meta: { 'x402/payment': payment } })).isError).toBe(true);
  });

  test('is offered neither the money of the owner nor videos, and the owner’s wallet cannot be named beside it', async () => {
    const { client } = await overStdio({}, ['--client-pays']);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(
      TOOLS.filter((name) => !['make_video', 'balance', 'top_up'].includes(name)),
    );
    await expect(overStdio({}, ['--client-pays', '--per-day', '5'])).rejects.toThrow(/closed/i);
  });
});
