import { describe, expect, it } from 'vitest';
import { chatGateway } from '@/test/chat-gateway';
import { refuses, scriptedModel } from '@/test/scripted-model';

const NONCE = 'ab'.repeat(32);
const SIGNATURE = { text: 'a:b', signature: '0x12', signing_address: '0x34', signing_algo: 'ecdsa' };

async function enclave(status = 200, body: unknown = {}) {
  const model = await scriptedModel(refuses(status, body), [{ id: 'tee' }]);
  const plain = await scriptedModel(undefined, [{ id: 'plain' }]);
  const gateway = await chatGateway({
    enclaveUpstreams: [{ name: 'enclave', url: model.url, key: 'enclave-secret' }],
    chatUpstreams: [{ name: 'plain', url: plain.url }],
  });
  return { model, ...gateway };
}

describe('GET /tee/attestation', () => {
  const path = (query: string) => `/tee/attestation?${query}`;

  it('asks the enclave with the nonce, and says what came and what it proves', async () => {
    const { get, model } = await enclave(200, {
      signing_address: '0x00',
      signing_public_key: '04',
      intel_quote: '00ff',
      verified: true,
      tee_provider: 'near',
    });
    const { status, json } = await get(path(`model=tee&nonce=${NONCE.toUpperCase()}`));
    expect(status).toBe(200);
    expect(model.asked[0]?.path).toBe(`/v1/attestation/report?model=tee&nonce=${NONCE}&signing_algo=ecdsa`);
    expect(json).toMatchObject({
      verified: false,
      verdict: 'failed',
      reason: 'TEE attestation verification failed',
      simulated: false,
      nonce: NONCE.toUpperCase(),
      model: 'tee',
      tee_provider: 'near',
      signing_address: '0x00',
      signing_key: '04',
    });
  });

  it('never believes the enclave that it is verified: without a quote nothing is', async () => {
    const { get } = await enclave(200, { verified: true, signing_address: '0x00' });
    const { json } = await get(path(`model=tee&nonce=${NONCE}`));
    expect(json['verified']).toBe(false);
    expect(json['reason']).toEqual(expect.any(String));
  });

  it.each(['', 'ab', 'ab'.repeat(31), 'ab'.repeat(33), 'zz'.repeat(32)])(
    'refuses the nonce %j before anybody is asked',
    async (nonce) => {
      const { get, model } = await enclave();
      const { status, json } = await get(path(`model=tee&nonce=${nonce}`));
      expect([status, json.code]).toEqual([400, 'INVALID_NONCE']);
      expect(json.error).toContain('Nonce must be exactly 32 bytes');
      expect(model.asked).toEqual([]);
    },
  );

  it('is 400 without a model or a nonce, 404 for an unknown model, 400 for one that runs in no enclave', async () => {
    const { get } = await enclave();
    expect((await get(path(`nonce=${NONCE}`))).status).toBe(400);
    expect((await get(path('model=tee'))).status).toBe(400);
    expect((await get(path(`model=other&nonce=${NONCE}`))).json.code).toBe('MODEL_NOT_FOUND');
    expect((await get(path(`model=plain&nonce=${NONCE}`))).json.code).toBe('MODEL_NOT_ATTESTED');
  });

  it.each([
    [500, {}],
    [400, { error: { message: 'nonce enclave-secret' } }],
    [200, 'no json'],
    [200, []],
  ])('is 502 where the enclave answers %i %j', async (said, body) => {
    const { get } = await enclave(said, body);
    const { status, json, text } = await get(path(`model=tee&nonce=${NONCE}`));
    expect([status, json.code]).toEqual([502, 'ATTESTATION_UNAVAILABLE']);
    expect(text).not.toContain('enclave-secret');
  });

  it('needs a credential, and costs nothing', async () => {
    const { get, caller, charges } = await enclave();
    expect((await get(path(`model=tee&nonce=${NONCE}`), { key: null })).status).toBe(401);
    expect((await get(path(`model=tee&nonce=${NONCE}`), { key: await caller(0) })).status).toBe(200);
    expect(await charges()).toEqual([]);
  });
});

describe('GET /tee/signature', () => {
  const path = '/tee/signature?model=tee&request_id=chatcmpl-1';

  it('hands on the signature of the enclave', async () => {
    const { get, model } = await enclave(200, { ...SIGNATURE, more: 1 });
    const { status, json } = await get(path);
    expect([status, json]).toEqual([200, SIGNATURE]);
    expect(model.asked[0]?.path).toBe('/v1/signature/chatcmpl-1?model=tee&signing_algo=ecdsa');
  });

  it.each([
    [404, {}, 404, 'SIGNATURE_NOT_FOUND'],
    [500, {}, 502, 'ATTESTATION_UNAVAILABLE'],
    [200, { text: 1 }, 502, 'ATTESTATION_UNAVAILABLE'],
    [200, 'x', 502, 'ATTESTATION_UNAVAILABLE'],
  ])('where the enclave answers %i %j is %i %s', async (said, body, status, code) => {
    const { get } = await enclave(said, body);
    const answer = await get(path);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });

  it('of a model whose answers are not signed is 404 with what vouches for them instead', async () => {
    const model = await scriptedModel(refuses(404, {}), [{ id: 'tee' }]);
    const { get } = await chatGateway({ enclaveUpstreams: [{ name: 'enclave', url: model.url, encryption: 'ehbp' }] });
    const { status, json } = await get(path);
    expect([status, json.code]).toEqual([404, 'ANSWERS_NOT_SIGNED']);
    expect(json.error).toMatch(/^Answers of this model are not signed: an encrypted answer needs no signature/);
    expect(JSON.stringify(json)).not.toContain('soon after');
  });

  it.each(['', '../models', 'a/b', 'a%20b', 'x'.repeat(300)])('refuses the id %j', async (id) => {
    const { get, model } = await enclave();
    expect((await get(`/tee/signature?model=tee&request_id=${id}`)).status).toBe(400);
    expect(model.asked).toEqual([]);
  });

  it('needs a credential', async () => {
    const { get } = await enclave();
    expect((await get(path, { key: null })).status).toBe(401);
  });
});
