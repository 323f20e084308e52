import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EmbeddingsServer } from '@/lib/sandbox/embeddings/embeddings-server';
import { SimulatedEnclave } from '@/lib/sandbox/enclave/enclave';
import { generateEnclaveKeys } from '@/lib/sandbox/enclave/enclave-keys';
import { Guide } from '@/lib/sandbox/guide/guide';
import { InferenceServer } from '@/lib/sandbox/inference/inference-server';
import { PLACE_ENCRYPTION, STAND_IN_MODELS, type StandInPlace } from '@/lib/sandbox/inference/models';

export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Answer of the enclave on its way to the client, which an intermediary may alter. */
export interface PassedAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

type Between = (
  answer: PassedAnswer,
  request: SeenRequest,
  response: ServerResponse,
) => PassedAnswer | null | Promise<PassedAnswer | null>;

/** E2EE headers by the names under which the gateway forwards them. */
const RENAMED: Readonly<Record<string, string>> = {
  'ehbp-encapsulated-key': 'ehbp-encapsulated-key',
  'x-encryption-version': 'x-encryption-version',
  'x-encrypt-all-fields': 'x-encrypt-all-fields',
  'x-service-tee-client-pub-key': 'x-client-pub-key',
  'x-service-tee-model-pub-key': 'x-model-pub-key',
  'x-service-tee-signing-algo': 'x-signing-algo',
};

export const DEMO_KEY = 'demo-key';
export const REQUEST_ID = 'r'.repeat(32);
const CHARGE = {
  timestamp: '2026-11-01T00:00:00Z',
  resource: 'chat/e2ee-guide',
  detail: '',
  units: 37,
  amount: '0.000012345',
  currency: 'USD',
  pots: { usd: '0.000012345' },
  apiKey: null,
  requestId: REQUEST_ID,
};

/** Paths that serve models of other providers. */
const PLACES: Readonly<Record<string, StandInPlace>> = {
  'near-ed25519-guide': 'near',
  'tinfoil-guide': 'tinfoil',
  'tinfoil-embedding': 'tinfoil',
};

function encryptionOf(id: string): { encryption?: string } {
  const { place } = STAND_IN_MODELS.find((model) => model.id === id && model.isEncryptable) ?? {};
  return place === undefined || place === 'guide' ? {} : { encryption: PLACE_ENCRYPTION[place] };
}

const MODELS = ['e2ee-guide', 'guide', 'tee-guide', 'near-ed25519-guide', 'tinfoil-guide'].map((id) => ({
  id,
  type: 'text',
  model_spec: {
    capabilities: { supportsE2EE: id === 'e2ee-guide', supportsTeeAttestation: id !== 'guide' },
    ...encryptionOf(id),
    pricing: { input: { usd: 1 }, output: { usd: 2 } },
  },
}));

export type EnclaveGateway = Awaited<ReturnType<typeof startEnclaveGateway>>;

/**
 * Starts a gateway in this process for the simulated enclave. Records all requests and lets a test act as intermediary.
 * Charges and checks nothing.
 */
export async function startEnclaveGateway() {
  const guide = new Guide([
    {
      document: 'docs/staking.md',
      heading: 'Staking',
      text: 'Stake TPK to be given a daily allocation. Unstaking takes seven days.',
    },
    {
      document: 'docs/top-up.md',
      heading: 'Top-ups',
      text: 'A top-up is paid in USDC on Base or Solana, five dollars or more.',
    },
  ]);
  const enclave = new SimulatedEnclave(generateEnclaveKeys(Date.now()), '{"name": "guide"}');
  const embeddings = new EmbeddingsServer(() => []);
  const inEnclave = (place: StandInPlace) =>
    new InferenceServer({ guide, enclave, embeddings, place, eventDelayMs: 0 });
  const models = {
    enclave: inEnclave('enclave'),
    guide: new InferenceServer({ guide, enclave: null, eventDelayMs: 0 }),
    near: inEnclave('near'),
    tinfoil: inEnclave('tinfoil'),
    chutes: inEnclave('chutes'),
  };
  const upstream = await listen((request, response, path) => {
    const [, place, rest = ''] = /^\/(\w+)([^?]*)/.exec(path) ?? [];
    return models[place as StandInPlace].handle(request, response, rest);
  });
  const seen: SeenRequest[] = [];
  const simulatedRoot = Buffer.from(enclave.root).toString('base64');
  const own: Readonly<Record<string, object>> = {
    '/api/sandbox': { profile: 'sandbox', demoKey: DEMO_KEY, evm: [], solana: null, enclave: { root: simulatedRoot } },
    '/api/v1/models': { object: 'list', data: MODELS },
    '/api/v1/billing/usage': { data: [CHARGE], pagination: { hasMore: false, nextCursor: null } },
  };
  const ownAnswer = (path: string): PassedAnswer | null => {
    const body = own[path.split('?')[0] ?? ''];
    return body
      ? { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) }
      : null;
  };
  const state: { between: Between | null } = { between: null };
  const front = await listen(async (request, response, path) => {
    const body = await bytesOf(request);
    const asked = { method: request.method ?? '', path, headers: request.headers, body };
    seen.push(asked);
    const answer = ownAnswer(path) ?? (await passOn(asked, upstream.url));
    const passed = state.between ? await state.between(answer, asked, response) : answer;
    if (passed) response.writeHead(passed.status, passed.headers).end(passed.body);
  });
  return {
    url: front.url,
    enclave,
    models,
    /** All requests since the last reset. */
    seen,
    completions: () => seen.filter(({ path }) => path === '/api/v1/chat/completions'),
    simulatedRoot,
    /**
     * Sets the intermediary between client and enclave; null removes it. If an intermediary returns null, it has sent
     * the answer itself.
     */
    interpose: (between: Between | null) => (state.between = between),
    reset: () => {
      seen.length = 0;
      state.between = null;
      for (const server of Object.values(models)) server.tampering = undefined;
    },
    close: async () => {
      await front.close();
      await upstream.close();
    },
  };
}

async function passOn({ method, path, headers, body }: SeenRequest, upstream: string): Promise<PassedAnswer> {
  const url = new URL(path, 'http://gateway');
  const model = url.searchParams.get('model') ?? modelOf(headers, body);
  const target = upstreamPath(url, model);
  const kept: [string, string][] = Object.entries(headers).flatMap(([name, value]) =>
    RENAMED[name] && typeof value === 'string' ? [[RENAMED[name], value]] : [],
  );
  const init: RequestInit =
    method === 'POST'
      ? { method, body: body as BodyInit, headers: Object.fromEntries([...kept, ['content-type', 'application/json']]) }
      : {};
  const response = await fetch(upstream + target, init);
  const bytes = Buffer.from(await response.arrayBuffer());
  const nonce = response.headers.get('ehbp-response-nonce');
  const passed = {
    'content-type': response.headers.get('content-type') ?? '',
    'x-request-id': REQUEST_ID,
    ...(nonce !== null && { 'ehbp-response-nonce': nonce }),
  };
  if (response.ok && url.pathname.endsWith('/tee/attestation') && model in PLACES)
    return {
      status: 200,
      headers: passed,
      body: Buffer.from(JSON.stringify({ provider_answers: [bytes.toString()], provider_endorsements: null })),
    };
  if (response.ok || nonce !== null) return { status: response.status, headers: passed, body: bytes };
  // Formats refusals by an upstream as the gateway does.
  const { error, title } = JSON.parse(bytes.toString()) as { error?: { message: string }; title?: string };
  const code = target.includes('/signature/')
    ? 'SIGNATURE_NOT_FOUND'
    : title === undefined
      ? 'MODEL_REFUSED'
      : 'EHBP_KEY_CONFIG';
  return {
    status: response.status,
    headers: { 'content-type': 'application/json', 'x-request-id': REQUEST_ID },
    body: Buffer.from(JSON.stringify({ error: error?.message ?? title, code })),
  };
}

function modelOf(headers: IncomingHttpHeaders, body: Buffer): string {
  const named = headers['x-service-tee-model'];
  if (typeof named === 'string') return named;
  return (JSON.parse(body.toString() || '{}') as { model?: string }).model ?? '';
}

function upstreamPath(url: URL, model: string): string {
  const query = url.searchParams;
  const place = PLACES[model] ?? (model === 'guide' ? 'guide' : 'enclave');
  const algorithm = place === 'near' ? 'ed25519' : 'ecdsa';
  if (url.pathname.endsWith('/tee/attestation'))
    return `/${place}/attestation/report?${query}&signing_algo=${algorithm}`;
  if (url.pathname.endsWith('/tee/signature'))
    return `/${place}/signature/${query.get('request_id')}?signing_algo=${algorithm}`;
  return `/${place}${url.pathname.replace('/api/v1', '')}`;
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

async function listen(handle: (request: IncomingMessage, response: ServerResponse, path: string) => Promise<unknown>) {
  const server = createServer((request, response) => {
    handle(request, response, request.url ?? '/').catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
