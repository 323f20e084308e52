import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AnswerOpener, sealBody } from '@/lib/protocol/e2ee/ml-kem/sender';
import { keyFrom, openPiece } from '@/lib/protocol/e2ee/ml-kem/pieces';
import { gunzip } from '@/lib/protocol/e2ee/ml-kem/gzip';
import { SimulatedEnclave } from '../enclave/enclave';
import { generateEnclaveKeys } from '../enclave/enclave-keys';
import { Guide } from '../guide/guide';
import { ChutesControl } from './chutes-control';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 60_000 });

const MODEL = 'chutes-e2ee-guide';
const CHAT = {
  model: MODEL,
  messages: [{ role: 'user', content: 'How long does unstaking take?' }],
  stream: true,
  stream_options: { include_usage: true },
};
const clock = { now: Date.now() };
const enclave = new SimulatedEnclave(generateEnclaveKeys(Date.now()), '{"name": "guide"}');
const control = new ChutesControl({
  guide: new Guide([{ document: 'docs/staking.md', heading: 'Staking', text: 'Unstaking takes seven days.' }]),
  enclave,
  tamperingOf: () => undefined,
  eventDelayMs: 0,
  now: () => clock.now,
});
let server: Server;
let origin = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    control.handle(request, response, (request.url ?? '').split('?')[0] ?? '').catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

interface Listed {
  instances: { instance_id: string; e2e_pubkey: string; nonces: string[] }[];
  nonce_expires_in: number;
}

async function listed() {
  const { instances } = (await (await fetch(`${origin}/e2e/instances/${MODEL}`)).json()) as Listed;
  const [{ instance_id: id, e2e_pubkey: key, nonces } = { instance_id: '', e2e_pubkey: '', nonces: [] }] = instances;
  return { id, key: Buffer.from(key, 'base64'), nonce: nonces[0] as string };
}

/** Sends a chat as Chutes' client does: the instance in headers, the rest encrypted in the body. */
async function invoke(
  { id, key, nonce }: Awaited<ReturnType<typeof listed>>,
  { headers = {}, chat = CHAT, body }: { headers?: Record<string, string>; chat?: object; body?: Uint8Array } = {},
) {
  const { body: sealed, secretKey } = sealBody(chat as Record<string, unknown>, key);
  const response = await fetch(`${origin}/e2e/invoke`, {
    method: 'POST',
    headers: {
      'content-type': 'application/octet-stream',
      'x-chute-id': MODEL,
      'x-instance-id': id,
      'x-e2e-nonce': nonce,
      'x-e2e-stream': 'true',
      'x-e2e-path': '/v1/chat/completions',
      ...headers,
    },
    body: (body ?? sealed) as BodyInit,
  });
  return {
    status: response.status,
    contentType: response.headers.get('content-type'),
    bytes: new Uint8Array(await response.arrayBuffer()),
    secretKey,
  };
}

const detailOf = ({ bytes }: { bytes: Uint8Array }) =>
  (JSON.parse(new TextDecoder().decode(bytes)) as { detail: string }).detail;

describe('the stand-in for Chutes’ API', () => {
  it('lists instances with keys and nonces, under the model’s id there and under its name', async () => {
    for (const chute of [MODEL, '5a4d0000-0000-4000-8000-000000000001']) {
      const json = (await (await fetch(`${origin}/e2e/instances/${chute}`)).json()) as Listed;
      expect(json).toMatchObject({
        nonce_expires_in: 60,
        instances: [{ instance_id: 'instance-2' }, { instance_id: 'instance-3' }, { instance_id: 'instance-4' }],
      });
      expect(new Set(json.instances.flatMap(({ nonces }) => nonces)).size).toBe(30);
      expect(json.instances.every(({ e2e_pubkey: key }) => Buffer.from(key, 'base64').length === 1_184)).toBe(true);
    }
    expect((await fetch(`${origin}/e2e/instances/other`)).status).toBe(404);
  });

  it('has evidence of instances of which one is not listed any more', async () => {
    const evidence = (await (await fetch(`${origin}/chutes/${MODEL}/evidence?nonce=${'ab'.repeat(32)}`)).json()) as {
      evidence: { instance_id: string }[];
    };
    expect(evidence.evidence.map(({ instance_id: id }) => id)).toEqual(['instance-1', 'instance-2', 'instance-3']);
    expect((await fetch(`${origin}/chutes/${MODEL}/evidence?nonce=ab`)).status).toBe(400);
  });

  it('answers a stream in pieces, and says beside them in the clear what it took', async () => {
    const { status, bytes, secretKey } = await invoke(await listed());
    expect(status).toBe(200);
    const text = new TextDecoder().decode(bytes);
    expect(text).toMatch(
      /^data: \{"e2e_init":"[^"]+"\}\n\n(?:data: \{"e2e":"[^"]+"\}\n\n)+data: \{"usage":\{"prompt_tokens":\d+,"completion_tokens":\d+,"total_tokens":\d+\}\}\n\ndata: \[DONE\]\n\n$/,
    );
    const plain = new AnswerOpener(secretKey)
      .push(bytes)
      .map((part) => new TextDecoder().decode(part))
      .join('');
    expect([...plain.matchAll(/"content":"([^"]*)"/g)].map(([, content]) => content).join('')).toContain('seven days');
  });

  it('answers whole in one ciphertext', async () => {
    const { bytes, contentType, secretKey } = await invoke(await listed(), {
      headers: { 'x-e2e-stream': 'false' },
      chat: { ...CHAT, stream: false },
    });
    expect(contentType).toBe('application/octet-stream');
    const plain = await gunzip(
      openPiece(bytes.subarray(1_088), keyFrom(bytes.subarray(0, 1_088), secretKey, 'answer')),
      100_000,
    );
    expect(new TextDecoder().decode(plain)).toContain('seven days');
  });

  it('takes a nonce once, for its instance, and for a while', async () => {
    const one = await listed();
    expect((await invoke(one)).status).toBe(200);
    const again = await invoke(one);
    expect([again.status, detailOf(again)]).toEqual([403, 'Invalid, expired, or already-used nonce']);
    expect((await invoke({ ...(await listed()), id: 'instance-3' })).status).toBe(403);
    const late = await listed();
    clock.now += 76_000;
    expect((await invoke(late)).status).toBe(403);
  });

  it('refuses what is not for this instance, or says something else in its headers than within', async () => {
    const other = Buffer.from(enclave.instances.attesting[0]?.keys.publicKey ?? []);
    const refusals = [
      await invoke({ ...(await listed()), key: other }),
      await invoke(await listed(), { body: new Uint8Array(10) }),
      await invoke(await listed(), { headers: { 'x-e2e-stream': 'false' } }),
      await invoke(await listed(), { chat: { ...CHAT, model: 'other' } }),
      await invoke(await listed(), { chat: { ...CHAT, messages: [] } }),
      await invoke(await listed(), { headers: { 'x-e2e-path': '/v1/embeddings' } }),
      await invoke(await listed(), { headers: { 'x-chute-id': 'other' } }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([400, 400, 400, 404, 400, 404, 404]);
  });

  it('says of an instance that has gone that it has', async () => {
    const before = await listed();
    enclave.rotateKey();
    expect((await invoke(before)).status).toBe(410);
    expect((await invoke(await listed())).status).toBe(200);
  });
});
