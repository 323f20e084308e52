/**
 * @not next: the endpoint fetches and verifies reports. private-chat.test.ts has one through `next`.
 * @not postgres: an attestation costs nothing. The log of measurements has tests on both databases.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_POLICY } from '@/lib/protocol/tee/policy';
import { configuredRoot } from '@/lib/protocol/tee/trusted-roots';
import { type AttestationRequest, verifyAttestation } from '@/lib/protocol/tee/verify-attestation';
import { SimulatedEnclave, type Tampering } from '@/lib/sandbox/enclave/enclave';
import { generateEnclaveKeys } from '@/lib/sandbox/enclave/enclave-keys';
import { type GatewayUnderTest, startGateway } from './harness/gateway-under-test';
import type { Caller } from './harness/operator';

/**
 * spec, "GET /tee/attestation" and "Private inference (messages)", in the live profile. The upstream's reports contain
 * only the quote, like real ones. The services for collateral and GPUs use Intel's and NVIDIA's protocols.
 */

const enclave = new SimulatedEnclave(generateEnclaveKeys(Date.now()), '{"name": "live"}');
/** Enclave of another installation, with an unknown root. */
const stranger = new SimulatedEnclave(generateEnclaveKeys(Date.now()), '{"name": "live"}');
const nvidia = await generateKeyPair('ES384', { extractable: true });
const pinned = { ...(await exportJWK(nvidia.publicKey)), kid: 'nv-1' };

type Report = Record<string, unknown>;
/** Changes an honest report. */
let reshape: (report: Report) => unknown;
let status: number;
let source: SimulatedEnclave;
let tampering: Tampering | undefined;
let nvidiaStatus: number;
const asked: string[] = [];
const upstreamAsked: string[] = [];

function upstream(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://upstream');
  upstreamAsked.push(request.url ?? '');
  if (pathname === '/v1/models')
    return void response.end(
      JSON.stringify({
        data: [{ id: 'model' }, { id: 'plain', capabilities: { supportsTeeAttestation: false, supportsE2EE: false } }],
      }),
    );
  if (pathname !== '/v1/attestation/report') return void response.writeHead(status === 200 ? 404 : status).end('{}');
  const { collateral: _own, ...report } = source.attest(
    'model',
    Buffer.from(searchParams.get('nonce') ?? '', 'hex'),
    Date.now(),
    tampering,
  );
  response.writeHead(status).end(JSON.stringify(reshape(report)));
}

function pccs(request: IncomingMessage, response: ServerResponse): void {
  asked.push(request.url ?? '');
  const { pathname } = new URL(request.url ?? '', 'http://pccs');
  const given = enclave.collateral(Date.now());
  const send = (header: string, chain: string, body: string | Buffer) =>
    void response.setHeader(header, encodeURIComponent(chain)).end(body);
  if (pathname === '/tdx/certification/v4/tcb')
    return send(
      'TCB-Info-Issuer-Chain',
      given.tcb_info_issuer_chain,
      `{"tcbInfo":${given.tcb_info},"signature":"${given.tcb_info_signature}"}`,
    );
  if (pathname === '/tdx/certification/v4/qe/identity')
    return send(
      'SGX-Enclave-Identity-Issuer-Chain',
      given.qe_identity_issuer_chain,
      `{"enclaveIdentity":${given.qe_identity},"signature":"${given.qe_identity_signature}"}`,
    );
  if (pathname === '/sgx/certification/v4/pckcrl')
    return send('SGX-PCK-CRL-Issuer-Chain', given.pck_crl_issuer_chain, Buffer.from(given.pck_crl, 'hex'));
  if (pathname === '/root.crl') return void response.end(Buffer.from(given.root_ca_crl, 'hex'));
  response.writeHead(404).end();
}

function nras(request: IncomingMessage, response: ServerResponse): void {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    if (request.url !== '/v3/attest/gpu') return void response.end(JSON.stringify({ keys: [pinned] }));
    const { nonce } = JSON.parse(body) as { nonce: string };
    const nowS = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: 'https://nras.attestation.nvidia.com',
      exp: nowS + 3_600,
      nbf: nowS - 10,
      eat_nonce: nonce,
      'x-nvidia-overall-att-result': true,
    };
    void new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES384', kid: 'nv-1' })
      .sign(nvidia.privateKey)
      .then((token) => response.writeHead(nvidiaStatus).end(JSON.stringify([['JWT', token], {}])));
  });
}

const servers: Server[] = [];
async function listen(handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(handler);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

let gateway: GatewayUnderTest;
let caller: Caller;
beforeAll(async () => {
  const [models, collateral, gpus] = [await listen(upstream), await listen(pccs), await listen(nras)];
  const attestation = {
    roots: [{ certificate: Buffer.from(enclave.root).toString('base64'), simulated: true }],
    pccsUrl: `${collateral}/`,
    rootCrlUrl: `${collateral}/root.crl`,
    nvidiaUrl: gpus,
    nvidiaKeys: [{ kid: pinned.kid, kty: 'EC', crv: 'P-384', x: pinned.x, y: pinned.y }],
  };
  const inference = {
    enclaveUpstreams: [{ name: 'enclave', url: `${models}/v1`, key: 'upstream-secret' }],
    attestation,
  };
  gateway = await startGateway({
    profile: 'live',
    config: { inference, limits: { publicRequestsPerMinutePerIp: 100_000 } },
  });
  caller = await gateway.operator.createCaller({ usd: '1' });
}, 120_000);
afterAll(async () => {
  await gateway?.stop();
  for (const server of servers) server.close();
});
beforeEach(() => {
  reshape = (report) => report;
  status = 200;
  source = enclave;
  tampering = undefined;
  nvidiaStatus = 200;
});

const get = (path: string, headers: Record<string, string> = { authorization: `Bearer ${caller.key}` }) =>
  gateway.ask({ method: 'GET', path: `/api/v1/tee/${path}`, headers });
async function attest(nonce = randomBytes(32).toString('hex')) {
  const answer = await get(`attestation?model=model&nonce=${nonce}`);
  return {
    ...answer,
    nonce,
    json: answer.json as Report & { checks: { id: string; outcome: string; reason: string | null }[] },
  };
}

describe('a report without collateral', () => {
  test('is verified with what the collateral service publishes, which is asked once and served along', async () => {
    const { json, status: answered, nonce } = await attest();
    expect(answered).toBe(200);
    expect(json).toMatchObject({
      verified: true,
      verdict: 'simulated',
      simulated: true,
      reason: null,
      nonce,
      model: 'model',
      collateral_fault: null,
      collateral: { ...enclave.collateral(Date.now()) },
    });
    expect((await attest()).json['verified']).toBe(true);
    expect(asked.toSorted()).toEqual([
      '/root.crl',
      '/sgx/certification/v4/pckcrl?ca=platform&encoding=der',
      '/tdx/certification/v4/qe/identity?update=standard',
      '/tdx/certification/v4/tcb?fmspc=53494D554C41',
    ]);
  });

  test('can be verified by the caller with only the answer and its own roots', async () => {
    const { json, nonce } = await attest();
    const policy = { ...DEFAULT_POLICY, roots: [configuredRoot(enclave.root, true)] };
    const question: AttestationRequest = {
      report: json,
      expected: { nonce, model: 'model', needsPublicKey: true },
      policy,
      nowMs: Date.now(),
    };
    expect(await verifyAttestation(question)).toMatchObject({
      conclusion: 'simulated',
      key: { address: enclave.address },
    });
    expect(await verifyAttestation({ ...question, policy: DEFAULT_POLICY })).toMatchObject({
      conclusion: 'failed',
      reason: 'TEE attestation verification failed',
      key: null,
    });
  });

  test.each<[Tampering, string]>([
    ['wrong-key', 'TEE attestation verification failed'],
    ['wrong-nonce', 'Attestation nonce mismatch'],
    ['debug', 'TDX debug mode detected'],
  ])('with %s is not verified, for the reason that the specification names', async (given, reason) => {
    tampering = given;
    const { status: answered, json } = await attest();
    expect([answered, json['verified'], json['verdict'], json['reason'], json['simulated']]).toEqual([
      200,
      false,
      'failed',
      reason,
      false,
    ]);
  });

  test('of a simulator whose root is not configured is refused, and nobody is asked about it', async () => {
    source = stranger;
    const before = asked.length;
    const { json } = await attest();
    expect(json).toMatchObject({
      verified: false,
      verdict: 'failed',
      reason: 'TEE attestation verification failed',
      collateral: null,
    });
    expect(asked).toHaveLength(before);
  });

  test.each<[string, (report: Report) => unknown, string]>([
    [
      'calls itself verified without a quote',
      ({ intel_quote: _quote, ...report }) => ({ ...report, verified: true }),
      'not-checkable',
    ],
    ['has another key', (report) => ({ ...report, signing_public_key: `04${'ab'.repeat(64)}` }), 'failed'],
    ['has no key to encrypt to', ({ signing_public_key: _key, ...report }) => report, 'failed'],
    ['is about another model', (report) => ({ ...report, model: 'another' }), 'failed'],
    ['names another nonce', (report) => ({ ...report, request_nonce: '00'.repeat(32) }), 'failed'],
    [
      'has a flipped bit in its quote',
      (report) => ({
        ...report,
        intel_quote: (report['intel_quote'] as string).replace(
          /^(.{1500})(.)/,
          (_all, head: string, digit: string) => head + (digit === '0' ? '1' : '0'),
        ),
      }),
      'failed',
    ],
    [
      'has bytes after its quote',
      (report) => ({ ...report, intel_quote: `${report['intel_quote'] as string}01` }),
      'failed',
    ],
    ['has invalid collateral', (report) => ({ ...report, collateral: { tcb_info: '{}' } }), 'failed'],
    [
      'has an event log that was cut',
      (report) => ({ ...report, event_log: (report['event_log'] as unknown[]).slice(1, -1) }),
      'failed',
    ],
  ])('that %s is not verified', async (_, change, verdict) => {
    reshape = change;
    const { json } = await attest();
    expect(json).toMatchObject({ verified: false, verdict, reason: expect.stringMatching(/\S/) });
  });
});

describe('the shapes of upstreams', () => {
  test('a report of NEAR AI is unpacked, and the rest of it kept', async () => {
    reshape = ({ model, ...report }) => ({
      gateway_attestation: { signing_address: '0x12' },
      model_attestations: [
        { model_name: 'another' },
        {
          model_name: model,
          ...report,
          event_log: JSON.stringify(report['event_log']),
          info: { tcb_info: JSON.stringify((report['info'] as { tcb_info: object }).tcb_info) },
        },
      ],
    });
    expect((await attest()).json).toMatchObject({
      verified: true,
      signing_address: enclave.address,
      gateway_attestation: { signing_address: '0x12' },
      other_attestations: [{ model_name: 'another' }],
    });
  });

  test('a report of Phala has its other nodes beside it; its quote may be base64 and end in zeros', async () => {
    reshape = (report) => ({
      ...report,
      intel_quote: Buffer.from(`${report['intel_quote'] as string}0000`, 'hex').toString('base64'),
      all_attestations: [{ signing_address: '0x34' }],
    });
    expect((await attest()).json).toMatchObject({ verified: true, other_attestations: [{ signing_address: '0x34' }] });
  });

  test('GPU evidence is judged by NVIDIA, whose signed word is handed on', async () => {
    reshape = (report) => ({
      ...report,
      nvidia_payload: JSON.stringify({
        nonce: report['request_nonce'],
        arch: 'RUBIN',
        evidence_list: [{ certificate: 'c', evidence: 'e' }],
      }),
    });
    const { json } = await attest();
    expect(json).toMatchObject({
      verified: true,
      nvidia_verdict: [['JWT', expect.stringMatching(/^ey/)], {}],
      nvidia_keys: { keys: [{ kid: 'nv-1' }] },
      nvidia_fault: null,
    });
    expect(json.checks.find(({ id }) => id === 'gpu')?.outcome).toBe('passed');
    nvidiaStatus = 503;
    const away = (await attest()).json;
    expect(away).toMatchObject({
      verified: true,
      nvidia_verdict: null,
      nvidia_fault: "NVIDIA's attestation service answered with status 503.",
    });
    expect(away.checks.find(({ id }) => id === 'gpu')).toMatchObject({
      outcome: 'not-checkable',
      reason: expect.stringContaining('status 503'),
    });
  });

  test('GPU evidence of another nonce is a failed attestation, and NVIDIA is not asked', async () => {
    reshape = (report) => ({
      ...report,
      nvidia_payload: JSON.stringify({ nonce: '00'.repeat(32), arch: 'HOPPER', evidence_list: [] }),
    });
    expect((await attest()).json).toMatchObject({
      verified: false,
      reason: 'TEE attestation verification failed',
      nvidia_verdict: null,
      nvidia_fault: null,
    });
  });
});

describe('errors', () => {
  test.each(['', '00', 'ab'.repeat(31), 'ab'.repeat(33), 'ab'.repeat(31).concat('a'), 'zz'.repeat(32)])(
    'the nonce %j is 400, and the enclave is not asked',
    async (nonce) => {
      const before = upstreamAsked.filter((path) => path.includes('/attestation/')).length;
      const { status: answered, json } = await get(`attestation?model=model&nonce=${nonce}`);
      expect([answered, json]).toEqual([
        400,
        expect.objectContaining({
          code: 'INVALID_NONCE',
          error: expect.stringContaining('Nonce must be exactly 32 bytes'),
        }),
      ]);
      expect(upstreamAsked.filter((path) => path.includes('/attestation/'))).toHaveLength(before);
    },
  );

  test('an unknown model is 404, one outside enclaves 400, no credential 401, no nonce 400', async () => {
    const nonce = 'ab'.repeat(32);
    expect(await get(`attestation?model=none&nonce=${nonce}`)).toMatchObject({
      status: 404,
      json: { code: 'MODEL_NOT_FOUND' },
    });
    expect(await get(`attestation?model=plain&nonce=${nonce}`)).toMatchObject({
      status: 400,
      json: { code: 'MODEL_NOT_ATTESTED' },
    });
    expect((await get(`attestation?model=model&nonce=${nonce}`, {})).status).toBe(401);
    expect((await get('attestation?model=model')).status).toBe(400);
    expect((await get(`attestation?nonce=${nonce}`)).status).toBe(400);
  });

  test.each<[string, () => void]>([
    ['refuses', () => (status = 400)],
    ['fails', () => (status = 500)],
    ['answers no report', () => (reshape = () => [])],
    [
      'answers for other models',
      () => (reshape = () => ({ model_attestations: [{ model_name: 'one' }, { model_name: 'two' }] })),
    ],
  ])('an upstream that %s is 502', async (_, change) => {
    change();
    expect(await attest()).toMatchObject({ status: 502, json: { code: 'ATTESTATION_UNAVAILABLE' } });
  });

  test('a signature that the enclave does not have is 404, and an enclave that fails 502', async () => {
    expect(await get('signature?model=model&request_id=chatcmpl-1')).toMatchObject({
      status: 404,
      json: { code: 'SIGNATURE_NOT_FOUND' },
    });
    status = 500;
    expect(await get('signature?model=model&request_id=chatcmpl-1')).toMatchObject({
      status: 502,
      json: { code: 'ATTESTATION_UNAVAILABLE' },
    });
  });
});
