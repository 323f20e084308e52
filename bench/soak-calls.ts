import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { attestationPolicy, PrivateChatSession } from '@/lib/client/private-chat';
import { completeVideo, queueVideo, retrieveVideo } from '@/lib/client';
import type { SoakWallets } from './soak-wallets';

/** Kind of call in a soak test. */
export interface SoakCall {
  name: string;
  /** Calls per minute when the whole mix has about 19 calls per second. */
  perMinute: number;
  /** Expected result of `run`. */
  expected: string;
  /** @returns an HTTP status or a word that describes the result */
  run(): Promise<string>;
}

/** Gateway that a soak test calls, with the callers' credentials. */
interface SoakTarget {
  url: string;
  keys: readonly string[];
  /** Root of the simulated enclave, from the sandbox. */
  simulatedRoot: string;
  wallets: SoakWallets;
}

const NETWORKS = ['base-mainnet', 'ethereum-mainnet', 'sandbox-testnet', 'polygon-mainnet'];
const TEXT = 'The gateway reads this sentence aloud, and then it reads the next one. ';
const QUESTION = [{ role: 'user' as const, content: 'How is a top-up paid?' }];
const VIDEO_MODEL = 'stand-in-video';
const VIDEO_WAIT_MS = 120_000;
const VIDEO_POLL_MS = 500;

/** Returns a mix of calls to all endpoints, including refused calls and clients that disconnect early. */
export function soakCalls(target: SoakTarget): SoakCall[] {
  let turn = 0;
  const key = (): string => target.keys[turn++ % target.keys.length] as string;
  const post = (
    path: string,
    body: unknown,
    headers: Record<string, string> = { authorization: `Bearer ${key()}` },
  ): Promise<string> =>
    ask(target.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const get = (path: string, headers: Record<string, string> = { authorization: `Bearer ${key()}` }): Promise<string> =>
    ask(target.url + path, { headers });
  const leave = (path: string, body: object): Promise<string> => leaveInTheMiddle(target.url + path, key(), body);
  const rpc = (network: string): string => `/api/v1/crypto/rpc/${network}`;
  const network = (): string => NETWORKS[turn % NETWORKS.length] as string;
  return [
    {
      name: 'rpc, balance of a new address',
      perMinute: 240,
      expected: '200',
      run: () => post(rpc(network()), read('eth_getBalance', [`0x${randomBytes(20).toString('hex')}`, 'latest'])),
    },
    {
      name: 'rpc, newest block',
      perMinute: 120,
      expected: '200',
      run: () => post(rpc(network()), read('eth_blockNumber')),
    },
    {
      name: 'rpc, answer that memory has',
      perMinute: 60,
      expected: '200',
      run: () => post(rpc('base-mainnet'), read('eth_getBlockByNumber', ['0x0', false])),
    },
    { name: 'rpc, Solana', perMinute: 60, expected: '200', run: () => post(rpc('solana-mainnet'), read('getSlot')) },
    {
      name: 'rpc, batch of 20',
      perMinute: 60,
      expected: '200',
      run: () =>
        post(
          rpc(network()),
          Array.from({ length: 20 }, (_, id) =>
            read(
              id % 2 ? 'eth_chainId' : 'eth_getBalance',
              id % 2 ? [] : [`0x${randomBytes(20).toString('hex')}`, 'latest'],
              id,
            ),
          ),
        ),
    },
    {
      name: 'rpc under an idempotency key, twice',
      perMinute: 60,
      expected: '200',
      run: () => twice((headers) => post(rpc('base-mainnet'), read('eth_blockNumber'), headers), key()),
    },
    {
      name: 'chat, whole',
      perMinute: 60,
      expected: '200',
      run: () => post('/api/v1/chat/completions', { model: 'guide', messages: QUESTION, max_tokens: 60 }),
    },
    {
      name: 'chat, streamed',
      perMinute: 60,
      expected: '200',
      run: () => post('/api/v1/chat/completions', { model: 'guide', messages: QUESTION, max_tokens: 60, stream: true }),
    },
    {
      name: 'chat, left in the middle',
      perMinute: 20,
      expected: 'left',
      run: () => leave('/api/v1/chat/completions', { model: 'guide', messages: QUESTION, stream: true }),
    },
    { name: 'chat, attested', perMinute: 6, expected: 'verified', run: () => privately(target, key(), 'tee-guide') },
    {
      name: 'chat, attested and encrypted',
      perMinute: 6,
      expected: 'verified',
      run: () => privately(target, key(), 'e2ee-guide'),
    },
    {
      name: 'attestation',
      perMinute: 12,
      expected: '200',
      run: () => get(`/api/v1/tee/attestation?model=tee-guide&nonce=${randomBytes(32).toString('hex')}`),
    },
    {
      name: 'speech, whole',
      perMinute: 10,
      expected: '200',
      run: () => post('/api/v1/audio/speech', { model: 'tts-kokoro', input: TEXT, response_format: 'mp3' }),
    },
    {
      name: 'speech, streamed',
      perMinute: 10,
      expected: '200',
      run: () =>
        post('/api/v1/audio/speech', {
          model: 'tts-kokoro',
          input: TEXT.repeat(3),
          response_format: 'pcm',
          streaming: true,
        }),
    },
    {
      name: 'speech, left in the middle',
      perMinute: 4,
      expected: 'left',
      run: () =>
        leave('/api/v1/audio/speech', {
          model: 'tts-kokoro',
          input: TEXT.repeat(20),
          response_format: 'opus',
          streaming: true,
        }),
    },
    {
      name: 'video, queued, taken and deleted',
      perMinute: 2,
      expected: 'deleted',
      run: () => video(target.url, key()),
    },
    {
      name: 'sign-in of a wallet, which reads',
      perMinute: 60,
      expected: '200',
      run: () => signedIn(target.wallets, (headers) => post(rpc('base-mainnet'), read('eth_blockNumber'), headers)),
    },
    {
      name: 'sign-in of a wallet, which looks at its balance',
      perMinute: 20,
      expected: '200',
      run: () => signedIn(target.wallets, (headers, address) => get(`/api/v1/x402/balance/${address}`, headers)),
    },
    {
      name: 'sign-in of a wallet, which looks at its payments',
      perMinute: 20,
      expected: '200',
      run: () => signedIn(target.wallets, (headers, address) => get(`/api/v1/x402/transactions/${address}`, headers)),
    },
    {
      name: 'key, minted and revoked',
      perMinute: 3,
      expected: 'minted',
      run: async () => (await target.wallets.mint(), 'minted'),
    },
    { name: 'top-up', perMinute: 4, expected: 'credited', run: () => target.wallets.topUp() },
    { name: 'usage, a page', perMinute: 30, expected: '200', run: () => get('/api/v1/billing/usage?limit=100') },
    { name: 'usage, sums', perMinute: 6, expected: '200', run: () => get('/api/v1/billing/usage?groupBy=day') },
    { name: 'balance', perMinute: 30, expected: '200', run: () => get('/api/v1/billing/balance') },
    { name: 'models', perMinute: 20, expected: '200', run: () => get('/api/v1/models?type=all', {}) },
    { name: 'health', perMinute: 30, expected: '200', run: () => get('/api/health', {}) },
    { name: 'network health', perMinute: 10, expected: '200', run: () => get('/api/network-health', {}) },
    { name: 'description of the API', perMinute: 4, expected: '200', run: () => get('/api/v1/openapi.json', {}) },
    { name: 'page of the console', perMinute: 6, expected: '200', run: () => get('/', {}) },
    {
      name: 'refused: no credential',
      perMinute: 30,
      expected: '402',
      run: () => post(rpc('base-mainnet'), read('eth_blockNumber'), {}),
    },
    {
      name: 'refused: unknown key',
      perMinute: 30,
      expected: '401',
      run: () => post(rpc('base-mainnet'), read('eth_blockNumber'), { authorization: `Bearer sk-${randomUUID()}` }),
    },
    { name: 'refused: invalid JSON', perMinute: 20, expected: '400', run: () => post(rpc('base-mainnet'), '{') },
    {
      name: 'refused: an unknown network',
      perMinute: 10,
      expected: '400',
      run: () => post(rpc('atlantis-mainnet'), read('eth_blockNumber')),
    },
    {
      name: 'refused: an unknown model',
      perMinute: 10,
      expected: '404',
      run: () => post('/api/v1/chat/completions', { model: 'oracle', messages: QUESTION }),
    },
    { name: 'refused: unknown path', perMinute: 10, expected: '404', run: () => get(`/api/v1/${randomUUID()}`) },
  ];
}

function read(method: string, params: readonly unknown[] = [], id = 1): object {
  return { jsonrpc: '2.0', id, method, params };
}

/** Sends a request and reads the whole answer. Returns the text of a server error, so that the report shows it. */
async function ask(url: string, init: RequestInit): Promise<string> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(120_000) });
  const body = await response.arrayBuffer();
  return response.status < 500
    ? String(response.status)
    : `${response.status} ${Buffer.from(body).toString('utf8', 0, 200)}`;
}

async function twice(call: (headers: Record<string, string>) => Promise<string>, key: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() };
  const [first, second] = [await call(headers), await call(headers)];
  return first === second ? first : `${first}, then ${second}`;
}

async function signedIn(
  wallets: SoakWallets,
  call: (headers: Record<string, string>, address: string) => Promise<string>,
): Promise<string> {
  const wallet = await wallets.signIn();
  return wallet === null ? '200' : call(wallet.headers, wallet.address);
}

/** Reads the first part of a stream and disconnects. */
async function leaveInTheMiddle(url: string, key: string, body: object): Promise<string> {
  const abort = new AbortController();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
    signal: abort.signal,
  });
  if (!response.ok) return `${response.status} ${await response.text()}`;
  await (response.body as ReadableStream<Uint8Array>).getReader().read();
  abort.abort();
  return 'left';
}

async function privately({ url, simulatedRoot }: SoakTarget, apiKey: string, model: string): Promise<string> {
  const session = new PrivateChatSession({
    connection: { baseUrl: url, apiKey },
    model,
    encrypted: model === 'e2ee-guide',
    policy: attestationPolicy({ simulatedRoot }),
    accepted: ['simulated'],
  });
  return (await session.ask(QUESTION)).signature.outcome;
}

async function video(baseUrl: string, apiKey: string): Promise<string> {
  const connection = { baseUrl, apiKey };
  const queued = await queueVideo(connection, {
    model: VIDEO_MODEL,
    prompt: `A lighthouse, ${randomUUID()}`,
    duration: '3s',
    aspect_ratio: '16:9',
  });
  const deadline = performance.now() + VIDEO_WAIT_MS;
  while ((await retrieveVideo(connection, queued)).status !== 'ready') {
    if (performance.now() > deadline) return 'not finished in time';
    await sleep(VIDEO_POLL_MS);
  }
  await completeVideo(connection, queued);
  return 'deleted';
}
