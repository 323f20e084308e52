import { bytesToHex } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { encryptContent, generateE2eeKeyPair } from '@/lib/protocol/e2ee/codec';
import { chatGateway } from '@/test/chat-gateway';
import { chunk, DONE, scriptedModel, streams } from '@/test/scripted-model';

const MODEL_KEY = generateE2eeKeyPair().publicKey;
const OWN_KEY = generateE2eeKeyPair().publicKey;
const SECRET = encryptContent('a secret', MODEL_KEY);
const HEADERS = { 'X-Service-TEE-Client-Pub-Key': bytesToHex(OWN_KEY), 'X-Service-TEE-Model-Pub-Key': bytesToHex(MODEL_KEY), 'X-Service-TEE-Signing-Algo': 'ecdsa' };
const ASK = { model: 'e2ee', stream: true, messages: [{ role: 'user', content: SECRET }] };

async function enclave() {
  const reply = chunk(encryptContent('x'.repeat(400), OWN_KEY)) + DONE;
  const model = await scriptedModel(streams(reply), [{ id: 'e2ee' }, { id: 'tee', model_spec: { capabilities: { supportsE2EE: false } } }]);
  return { model, reply, ...(await chatGateway({ enclaveUpstreams: [{ name: 'enclave', url: model.url }] })) };
}

describe('an encrypted chat', () => {
  it('is relayed byte for byte, its headers under the names of enclaves, and charged by what was in the ciphertext', async () => {
    const { model, reply, ask, charges } = await enclave();
    const body = JSON.stringify(ASK, null, 1);
    const { status, text } = await ask(body, { headers: HEADERS });
    expect([status, text]).toEqual([200, reply]);
    expect(model.asked[0]?.body).toBe(body);
    expect(model.asked[0]?.headers).toMatchObject({ 'x-client-pub-key': bytesToHex(OWN_KEY), 'x-model-pub-key': bytesToHex(MODEL_KEY), 'x-signing-algo': 'ecdsa' });
    expect((await charges())[0]?.detail).toBe('2 + 100 tokens');
  });

  it.each([
    ['not streamed', { ...ASK, stream: false }, HEADERS, 'E2EE_STREAMING', 'E2EE requires streaming'],
    ['with plain text', { ...ASK, messages: [...ASK.messages, { role: 'user', content: 'in the clear' }] }, HEADERS, 'E2EE_NOT_ENCRYPTED', 'Encrypted field is not valid hex'],
    ['with content in parts', { ...ASK, messages: [{ role: 'user', content: [{ type: 'text', text: 'in the clear' }] }] }, HEADERS, 'E2EE_NOT_ENCRYPTED', 'Encrypted field is not valid hex'],
    ['with a bad key', ASK, { ...HEADERS, 'X-Service-TEE-Client-Pub-Key': `06${'00'.repeat(64)}` }, 'E2EE_PUBLIC_KEY', 'Invalid public key'],
    ['with one header', ASK, { 'X-Service-TEE-Signing-Algo': 'ecdsa' }, 'E2EE_HEADERS', 'missing'],
    ['with tools', { ...ASK, tools: [{ type: 'function' }] }, HEADERS, 'E2EE_FEATURE', 'Function calling is disabled'],
    ['to another model', { ...ASK, model: 'tee' }, HEADERS, 'E2EE_MODEL', 'does not accept'],
  ])('%s is refused, and nobody hears of it', async (_what, body, headers, code, sentence) => {
    const { model, ask, charges } = await enclave();
    const { status, json } = await ask(body, { headers: headers as Record<string, string> });
    expect([status, json.code]).toEqual([400, code]);
    expect(json.error).toContain(sentence);
    expect(model.asked).toEqual([]);
    expect(await charges()).toEqual([]);
  });

  it('that the enclave refuses is told so with the names that its own headers have', async () => {
    const model = await scriptedModel((_asked, response) => void response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"X-Model-Pub-Key is not the key of this enclave: attest it again."}}'), [{ id: 'e2ee' }]);
    const { ask } = await chatGateway({ enclaveUpstreams: [{ name: 'enclave', url: model.url }] });
    const { status, json } = await ask(ASK, { headers: HEADERS });
    expect([status, json.error]).toEqual([400, 'X-Service-TEE-Model-Pub-Key is not the key of this enclave: attest it again.']);
  });
});
