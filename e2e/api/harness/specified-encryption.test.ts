import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { encryptContent, generateE2eeKeyPair } from '@/lib/protocol/e2ee/codec';
import { SimulatedEnclave } from '@/lib/sandbox/enclave/enclave';
import { generateEnclaveKeys } from '@/lib/sandbox/enclave/enclave-keys';
import { Guide } from '@/lib/sandbox/guide/guide';
import { InferenceServer } from '@/lib/sandbox/inference/inference-server';
import { PLACE_ENCRYPTION, STAND_IN_MODELS } from '@/lib/sandbox/inference/models';
import { chatGateway, type ChatGateway } from '@/test/chat-gateway';
import { serve } from '@/test/test-gateway';

const PLACES = ['enclave', 'near', 'tinfoil'] as const;
const NONCE = 'ab'.repeat(32);

/**
 * A gateway with the sandbox's enclaves of three kinds of encryption, and each model's capabilities as the sandbox
 * states them.
 */
async function gatewayOverAll(): Promise<ChatGateway> {
  const enclave = new SimulatedEnclave(generateEnclaveKeys(Date.now()), '{"name": "guide"}');
  const guide = new Guide([{ document: 'docs/staking.md', heading: 'Staking', text: 'Unstaking takes seven days.' }]);
  const enclaveUpstreams = await Promise.all(
    PLACES.map(async (place) => {
      const models = new InferenceServer({ guide, enclave, place, eventDelayMs: 1 });
      const { origin } = await serve(
        (request, response) =>
          void models
            .handle(request, response, (request.url ?? '').replace(/^\/v1/, '').split('?')[0] ?? '')
            .catch(() => response.destroy()),
      );
      return { name: place, url: `${origin}/v1`, encryption: PLACE_ENCRYPTION[place] };
    }),
  );
  const models = Object.fromEntries(
    STAND_IN_MODELS.map(({ id, isEncryptable }) => [id, { capabilities: { supportsE2EE: isEncryptable } }]),
  );
  return chatGateway({
    enclaveUpstreams,
    models,
    attestation: {
      roots: [{ certificate: Buffer.from(enclave.root).toString('base64'), simulated: true }],
      pccsUrl: null,
      nvidiaUrl: null,
    },
  });
}

/** Makes the specified call ("E2EE calls") like a client that knows only the specification. */
async function askAsSpecified({ ask }: ChatGateway, model: string, key: string) {
  const own = generateE2eeKeyPair();
  const content = encryptContent('How long does unstaking take?', hexToBytes(key));
  const headers = {
    'X-Service-TEE-Client-Pub-Key': bytesToHex(own.publicKey),
    'X-Service-TEE-Model-Pub-Key': key,
    'X-Service-TEE-Signing-Algo': 'ecdsa',
  };
  return ask({ model, stream: true, messages: [{ role: 'user', content }] }, { headers });
}

describe('a client that follows the specification', () => {
  it('is answered by every model with supportsE2EE, the first among them, and told by every other what it takes', async () => {
    const gateway = await gatewayOverAll();
    const data = (await gateway.get('/models')).json['data'] as {
      id: string;
      model_spec: { encryption?: string; capabilities: { supportsE2EE: boolean } };
    }[];
    const taking = data.filter(({ model_spec: { capabilities } }) => capabilities.supportsE2EE);
    expect(taking.map(({ id }) => id)).toEqual(['e2ee-guide', 'near-cloud-guide']);
    for (const { id } of taking) {
      const report = (await gateway.get(`/tee/attestation?model=${id}&nonce=${NONCE}`)).json as { signing_key: string };
      const { status, text } = await askAsSpecified(gateway, id, report.signing_key);
      expect([id, status]).toEqual([id, 200]);
      expect(text).toContain('[DONE]');
    }
    const others = data.filter(
      ({ model_spec: { capabilities, encryption } }) => !capabilities.supportsE2EE && encryption !== undefined,
    );
    expect(others.map(({ id }) => id)).toEqual(['near-ed25519-guide', 'tinfoil-guide']);
    for (const {
      id,
      model_spec: { encryption },
    } of others) {
      const { status, json } = await askAsSpecified(gateway, id, bytesToHex(generateE2eeKeyPair().publicKey));
      expect([status, json.code, json.error]).toEqual([
        400,
        'E2EE_MODEL',
        expect.stringContaining(`model_spec.encryption: ${encryption}`),
      ]);
      expect(json.error).not.toContain('does not accept');
    }
  });
});
