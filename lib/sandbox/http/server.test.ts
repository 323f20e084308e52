import { X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { createPublicClient, http as httpTransport, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { NETWORKS } from '@/lib/protocol/networks';
import { SANDBOX_CONTRACTS, SANDBOX_USDC_MINT } from '@/lib/protocol/sandbox-contracts';
import { type Chains, createChains } from '@/lib/sandbox/evm/chain';
import { MULTICALL3_ADDRESS } from '../evm/multicall3';
import { EmbeddingsServer } from '../embeddings/embeddings-server';
import { createInference } from '../inference/create-inference';
import { createSpeech } from '@/lib/sandbox/speech/speech-server';
import { callRpc, PATIENCE_MS, recordingLog, temporaryFolder } from '../sandbox-under-test';
import { createSolanaNetworks, type SolanaNetworks } from '@/lib/sandbox/solana/network';
import { SolanaWebSocket } from '../solana/websocket/server';
import { createVideo } from '@/lib/sandbox/video/video-studio';
import { createSandboxServer } from './server';

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS });

const ADDRESS = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const JSON_TYPE = { 'content-type': 'application/json' };
const dataDir = temporaryFolder();
const log = recordingLog();
let chains: Chains;
let solana: SolanaNetworks;
let server: http.Server;
let url: string;

beforeAll(async () => {
  chains = createChains(dataDir, log);
  solana = createSolanaNetworks(dataDir, log);
  server = createSandboxServer(
    {
      chains,
      solana,
      solanaWebSocket: new SolanaWebSocket(solana, log),
      inference: createInference(dataDir, process.cwd(), { eventDelayMs: 0 }),
      speech: createSpeech(process.cwd()),
      embeddings: new EmbeddingsServer(() => []),
      video: createVideo(dataDir, process.cwd(), log),
    },
    log,
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await Promise.all([...chains.values(), ...solana.values()].map((chain) => chain.stop()));
  fs.rmSync(dataDir, { recursive: true, maxRetries: 3 });
});

const post = (path: string, body: RequestInit['body'], headers: Record<string, string> = JSON_TYPE) =>
  fetch(url + path, { method: 'POST', body, headers });
const startedNetworks = () => [...chains.values()].filter((chain) => chain.started).map((chain) => chain.network.slug);

describe('refused, with a sentence and a code, and no chain started', () => {
  it.each<[string, number, string, () => Promise<Response>]>([
    ['an unknown path', 404, 'NOT_FOUND', () => fetch(`${url}/evm`)],
    ['an unknown network', 404, 'UNKNOWN_NETWORK', () => post('/evm/narnia-mainnet', '{}')],
    ['a network of another kind', 404, 'UNKNOWN_NETWORK', () => post('/evm/solana-mainnet', '{}')],
    ['a slug with path tricks', 404, 'UNKNOWN_NETWORK', () => post('/evm/..%2Fethereum-mainnet', '{}')],
    ['GET on a chain', 405, 'METHOD_NOT_ALLOWED', () => fetch(`${url}/evm/ethereum-mainnet`)],
    ['POST on the status', 405, 'METHOD_NOT_ALLOWED', () => post('/status', '{}')],
    ['GET on the faucet', 405, 'METHOD_NOT_ALLOWED', () => fetch(`${url}/faucet`)],
    [
      'plain text, as other pages can send it',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      () => post('/evm/ethereum-mainnet', '{}', { 'content-type': 'text/plain' }),
    ],
    ['no content type', 415, 'UNSUPPORTED_MEDIA_TYPE', () => post('/faucet', new Uint8Array([123, 125]), {})],
    ['an empty body', 400, 'EMPTY_BODY', () => post('/evm/ethereum-mainnet', '')],
    [
      'a large faucet body',
      413,
      'BODY_TOO_LARGE',
      () => post('/faucet', JSON.stringify({ address: 'x'.repeat(20_000) })),
    ],
    ['faucet: no JSON', 400, 'INVALID_JSON', () => post('/faucet', '{"address":')],
    ['faucet: invalid UTF-8', 400, 'INVALID_JSON', () => post('/faucet', new Uint8Array([0x22, 0xff, 0x22]))],
    ['faucet: an array', 400, 'INVALID_REQUEST', () => post('/faucet', '[]')],
    ['faucet: null', 400, 'INVALID_REQUEST', () => post('/faucet', 'null')],
    ['faucet: no address', 400, 'INVALID_ADDRESS', () => post('/faucet', '{}')],
    ['faucet: a short address', 400, 'INVALID_ADDRESS', () => post('/faucet', '{"address":"0x12"}')],
    [
      'faucet: a wrong checksum',
      400,
      'INVALID_ADDRESS',
      () => post('/faucet', JSON.stringify({ address: ADDRESS.replace('fB', 'Fb') })),
    ],
  ])('%s: %i %s', async (_name, status, code, ask) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/json');
    const body = (await answer.json()) as { error: string; code: string };
    expect(body).toEqual({ error: expect.stringMatching(/^[A-Z].*\.$/) as string, code });
    expect(startedNetworks()).toEqual([]);
  });

  it('names the verb that a path answers', async () => {
    expect((await fetch(`${url}/faucet`)).headers.get('allow')).toBe('POST');
  });

  it('a name that a page made resolve to this machine', async () => {
    const request = http.get(`${url}/status`, { headers: { host: 'evil.example:80' } });
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
    expect(answer.resume().statusCode).toBe(421);
  });

  it('a body that grows beyond the limit without having said so', async () => {
    const request = http.request(`${url}/faucet`, {
      method: 'POST',
      headers: { ...JSON_TYPE, 'transfer-encoding': 'chunked' },
    });
    request.on('error', () => undefined);
    request.write('x'.repeat(10_000));
    request.write('x'.repeat(10_000));
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
    expect(answer.statusCode).toBe(413);
    request.destroy();
  });

  it('survives clients that leave in the middle of a body', async () => {
    const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(
      'POST /faucet HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
    );
    await once(socket, 'connect');
    socket.destroy();
    expect((await fetch(`${url}/status`)).status).toBe(200);
    expect(log.warnings).toEqual([]);
  });
});

describe('GET /status', () => {
  it('lists every EVM chain, running or not, and what stands on it', async () => {
    const status = (await (await fetch(`${url}/status`)).json()) as { evm: { network: string }[]; solana: unknown };
    expect(status.solana).toEqual(
      NETWORKS.filter(({ kind }) => kind === 'solana').map(({ slug: network }) => ({
        network,
        started: false,
        usdcMint: SANDBOX_USDC_MINT,
      })),
    );
    expect(status.evm.map(({ network }) => network)).toEqual([
      'sandbox-testnet',
      ...NETWORKS.filter(({ kind }) => kind === 'evm').map(({ slug }) => slug),
    ]);
    expect(status.evm[0]).toEqual({
      network: 'sandbox-testnet',
      chainId: 31_337,
      started: false,
      contracts: SANDBOX_CONTRACTS,
    });
  });
});

describe('POST /evm/{network}', () => {
  it('starts the chain and hands bytes through: ids of any length, batches, errors', async () => {
    expect(await (await post('/evm/base-mainnet', '{"jsonrpc":"2.0","id":7,"method":"eth_chainId"}')).text()).toBe(
      '{"jsonrpc":"2.0","id":7,"result":"0x2105"}',
    );
    const batch = await (
      await post(
        '/evm/base-mainnet',
        '[{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","id":2,"method":"eth_nope"}]',
      )
    ).json();
    expect(batch).toEqual([
      { jsonrpc: '2.0', id: 1, result: '0x2105' },
      { jsonrpc: '2.0', id: 2, error: expect.objectContaining({ code: -32601 }) as object },
    ]);
    expect(startedNetworks()).toEqual(['base-mainnet']);
  });

  it('takes bodies beyond the 2 MB at which anvil stops by itself', async () => {
    const data = `0x${'00'.repeat(1_500_000)}`;
    expect(await callRpc(url, 'base-mainnet', 'web3_sha3', [data])).toMatch(/^0x[0-9a-f]{64}$/);
  });

  it('answers an aggregate3 of Multicall3 through viem', async () => {
    const client = createPublicClient({ transport: httpTransport(`${url}/evm/base-mainnet`) });
    const abi = parseAbi([
      'function getChainId() view returns (uint256)',
      'function getBlockNumber() view returns (uint256)',
      'function nope() view returns (uint256)',
    ]);
    const contract = { address: MULTICALL3_ADDRESS, abi } as const;
    const results = await client.multicall({
      multicallAddress: MULTICALL3_ADDRESS,
      contracts: [
        { ...contract, functionName: 'getChainId' },
        { ...contract, functionName: 'getBlockNumber' },
        { ...contract, functionName: 'nope' },
      ],
    });
    expect(results.map(({ status }) => status)).toEqual(['success', 'success', 'failure']);
    expect(results[0]?.result).toBe(8453n);
  });

  it('is a 502 with the reason, and no JSON-RPC, where the chain cannot start; others go on', async () => {
    fs.mkdirSync(`${dataDir}/evm`, { recursive: true });
    fs.writeFileSync(`${dataDir}/evm/linea-mainnet`, 'a file where its folder should be');
    const answer = await post('/evm/linea-mainnet', '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}');
    expect(answer.status).toBe(502);
    expect(await answer.json()).toEqual({
      error: expect.stringMatching(/linea-mainnet could not start: EEXIST/) as string,
      code: 'CHAIN_UNAVAILABLE',
    });
    expect(await callRpc(url, 'base-mainnet', 'eth_chainId')).toBe('0x2105');
  });

  it('is a 502 where the chain dies under a call, and works again on the next', async () => {
    const { pid, pool } = await (chains.get('base-mainnet')?.ready() ?? Promise.reject(new Error('no chain')));
    process.kill(pid, 'SIGSTOP');
    const pending = post('/evm/base-mainnet', '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}');
    await expect.poll(() => pool.stats.running, { timeout: PATIENCE_MS / 3 }).toBeGreaterThan(0);
    process.kill(pid, 'SIGKILL');
    const answer = await pending;
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([502, 'CHAIN_FAILED']);
    await expect.poll(() => callRpc(url, 'base-mainnet', 'eth_chainId'), { timeout: PATIENCE_MS / 3 }).toBe('0x2105');
  });
});

describe('POST /faucet', () => {
  it('funds an address in any case and names it with its checksum', async () => {
    const answer = await post('/faucet', JSON.stringify({ address: ADDRESS.toLowerCase(), note: 'ignored' }));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      address: ADDRESS,
      funded: [
        {
          network: 'sandbox-testnet',
          chainId: 31_337,
          amount: '100',
          symbol: 'ETH',
          balance: '100',
          tokens: expect.any(Array) as unknown[],
        },
        {
          network: 'base-mainnet',
          chainId: 8_453,
          amount: '100',
          symbol: 'ETH',
          balance: '100',
          tokens: expect.any(Array) as unknown[],
        },
      ],
    });
  });
});

describe('the inference stand-ins', () => {
  it('answer under their own paths, with OpenAI\u2019s errors', async () => {
    const models = async (place: string) =>
      ((await (await fetch(`${url}/${place}/v1/models`)).json()) as { data: { id: string }[] }).data.map(
        ({ id }) => id,
      );
    expect([await models('guide'), await models('enclave')]).toEqual([
      ['guide'],
      ['tee-guide', 'e2ee-guide', 'near-cloud-guide', 'near-direct-guide', 'chutes-guide', 'phala-cloud-guide'],
    ]);
    const unknown = await post(
      '/guide/v1/chat/completions',
      JSON.stringify({ model: 'other', messages: [{ role: 'user', content: 'a' }] }),
    );
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      { error: expect.objectContaining({ code: 'MODEL_NOT_FOUND' }) as object },
    ]);
    expect((await fetch(`${url}/guide/v1/attestation/report`)).status).toBe(404);
  });

  it('give the root of the enclave, and falsify its attestations on demand', async () => {
    const { root } = (await (await fetch(`${url}/enclave`)).json()) as { root: string };
    expect(new X509Certificate(Buffer.from(root, 'base64')).subject).toContain('SIMULATED');
    const tamper = (tampering: unknown) =>
      fetch(`${url}/enclave/tampering`, { method: 'PUT', body: JSON.stringify({ tampering }), headers: JSON_TYPE });
    expect(await (await tamper('debug')).json()).toMatchObject({ tampering: 'debug' });
    expect((await tamper('gently')).status).toBe(400);
    expect(await (await tamper(null)).json()).toMatchObject({ tampering: null });
    const nonce = 'ab'.repeat(32);
    const alone = (body: object) =>
      fetch(`${url}/enclave/tampering`, { method: 'PUT', body: JSON.stringify(body), headers: JSON_TYPE });
    const attested = async (asked: string) =>
      (
        (await (
          await fetch(`${url}/enclave/v1/attestation/report?model=e2ee-guide&nonce=${asked}&signing_algo=ecdsa`)
        ).json()) as { intel_quote: string }
      ).intel_quote.includes(asked);
    expect(await (await alone({ tampering: 'wrong-nonce', nonce })).json()).toMatchObject({ tampering: null });
    expect([await attested(nonce), await attested('cd'.repeat(32))]).toEqual([false, true]);
    await alone({ tampering: null, nonce });
    expect(await attested(nonce)).toBe(true);
    for (const wrong of ['AB'.repeat(32), 'ab', 7])
      expect((await alone({ tampering: 'debug', nonce: wrong })).status).toBe(400);
    const { address } = (await (await fetch(`${url}/enclave`)).json()) as { address: string };
    const rotated = (await (await fetch(`${url}/enclave/rotation`, { method: 'PUT' })).json()) as { address: string };
    expect([rotated.address === address, /^0x[0-9a-f]{40}$/.test(rotated.address)]).toEqual([false, true]);
  });
});
