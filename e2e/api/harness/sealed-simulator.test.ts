import { bytesToHex } from '@noble/hashes/utils.js';
import { Identity, KeyConfigMismatchError, Transport } from 'ehbp';
import { describe, expect, it } from 'vitest';
import { attestationPolicy, hopsOfAttestation, PrivateChatSession } from '@/lib/client/private-chat';
import { SimulatedEnclave } from '@/lib/sandbox/enclave/enclave';
import { generateEnclaveKeys } from '@/lib/sandbox/enclave/enclave-keys';
import { Guide } from '@/lib/sandbox/guide/guide';
import { InferenceServer } from '@/lib/sandbox/inference/inference-server';
import { PLACE_ENCRYPTION } from '@/lib/sandbox/inference/models';
import { chatGateway, type ChatGateway } from '@/test/chat-gateway';
import { serve } from '@/test/test-gateway';

/**
 * Three programs that share no code: the JavaScript client of EHBP's authors from the registry, the gateway on a
 * socket, and the sandbox's enclave on another socket.
 */
const QUESTION = { model: 'e2ee-guide', messages: [{ role: 'user', content: 'How long does unstaking take?' }] };

async function simulator(prices: Record<string, object> = {}) {
  const enclave = new SimulatedEnclave(generateEnclaveKeys(Date.now()), '{"name": "guide"}');
  const models = new InferenceServer({
    guide: new Guide([{ document: 'docs/staking.md', heading: 'Staking', text: 'Unstaking takes seven days.' }]),
    enclave,
    eventDelayMs: 1,
  });
  const { origin } = await serve(
    (request, response) =>
      void models
        .handle(request, response, (request.url ?? '').replace(/^\/v1/, '').split('?')[0] ?? '')
        .catch(() => response.destroy()),
  );
  const gateway = await chatGateway({
    enclaveUpstreams: [{ name: 'enclave', url: `${origin}/v1`, encryption: 'ehbp' }],
    models: Object.fromEntries(
      ['e2ee-guide', 'tee-guide'].map((id) => [
        id,
        { capabilities: { supportsE2EE: true }, ...(prices[id] && { prices: prices[id] }) },
      ]),
    ),
  });
  return { enclave, gateway };
}

/** Server of the simulator behind a gateway that trusts its root, with our client. */
async function ours(place: 'near' | 'tinfoil') {
  const model = place === 'near' ? 'near-ed25519-guide' : 'tinfoil-guide';
  const enclave = new SimulatedEnclave(generateEnclaveKeys(Date.now()), '{"name": "guide"}');
  const models = new InferenceServer({
    guide: new Guide([{ document: 'docs/staking.md', heading: 'Staking', text: 'Unstaking takes seven days.' }]),
    enclave,
    place,
    eventDelayMs: 1,
  });
  const { origin } = await serve(
    (request, response) =>
      void models
        .handle(request, response, (request.url ?? '').replace(/^\/v1/, '').split('?')[0] ?? '')
        .catch(() => response.destroy()),
  );
  const simulatedRoot = Buffer.from(enclave.root).toString('base64');
  const gateway = await chatGateway({
    enclaveUpstreams: [{ name: 'enclave', url: `${origin}/v1`, encryption: PLACE_ENCRYPTION[place] }],
    attestation: { roots: [{ certificate: simulatedRoot, simulated: true }], pccsUrl: null, nvidiaUrl: null },
  });
  const session = new PrivateChatSession({
    connection: { baseUrl: gateway.origin, apiKey: gateway.key },
    model,
    encrypted: true,
    policy: attestationPolicy({ simulatedRoot }),
    accepted: ['simulated'],
  });
  return { enclave, gateway, session };
}

async function clientOf({ origin, key }: ChatGateway, publicKey: Uint8Array) {
  const transport = new Transport(await Identity.fromPublicKeyHex(bytesToHex(publicKey)), new URL(origin).host);
  return (body: { model: string }, model = body.model) =>
    transport.post(`${origin}/api/v1/chat/completions`, JSON.stringify(body), {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-service-tee-model': model },
    });
}

describe('EHBP’s own client, through the gateway, to the simulator', () => {
  it('chats streamed and whole, and is charged what the enclave says in the clear', async () => {
    const { enclave, gateway } = await simulator();
    const chat = await clientOf(gateway, enclave.hpkeKeys.publicKey);
    const whole = (await (await chat(QUESTION)).json()) as {
      choices: { message: { content: string } }[];
      usage: { prompt_tokens: number; completion_tokens: number };
    };
    expect(whole.choices[0]?.message.content).toContain('seven days');
    const events = await (await chat({ ...QUESTION, ...{ stream: true } })).text();
    expect(events.endsWith('data: [DONE]\n\n')).toBe(true);
    const said = events
      .split('\n\n')
      .flatMap((event) =>
        event.startsWith('data: {')
          ? [
              (JSON.parse(event.slice(6)) as { choices: { delta?: { content?: string } }[] }).choices[0]?.delta
                ?.content ?? '',
            ]
          : [],
      );
    expect(said.join('')).toBe(whole.choices[0]?.message.content);
    const detail = `${whole.usage.prompt_tokens} + ${whole.usage.completion_tokens} tokens`;
    expect((await gateway.charges()).map((charge) => charge.detail)).toEqual([detail, detail]);
  });

  it('is charged at the price of the model that the enclave says it served, whichever the header named', async () => {
    const { enclave, gateway } = await simulator({
      'e2ee-guide': { inputUsdPerMillionTokens: '3', outputUsdPerMillionTokens: '6' },
    });
    const chat = await clientOf(gateway, enclave.hpkeKeys.publicKey);
    const { usage } = (await (await chat(QUESTION, 'tee-guide')).json()) as {
      usage: { prompt_tokens: number; completion_tokens: number };
    };
    expect((await gateway.charges()).map(({ amount, resource }) => [amount, resource])).toEqual([
      [usage.prompt_tokens * 3_000 + usage.completion_tokens * 6_000, 'chat/e2ee-guide'],
    ]);
  });

  it('reads refusals that are for it alone, charged nothing', async () => {
    const { enclave, gateway } = await simulator();
    const chat = await clientOf(gateway, enclave.hpkeKeys.publicKey);
    const refused = await chat({ ...QUESTION, model: 'no-such-model' }, 'e2ee-guide');
    expect([refused.status, ((await refused.json()) as { error: { code: string } }).error.code]).toEqual([
      404,
      'MODEL_NOT_FOUND',
    ]);
    const plain = await chat({ ...QUESTION, model: 'tee-guide' });
    expect([plain.status, ((await plain.json()) as { error: { code: string } }).error.code]).toEqual([
      400,
      'E2EE_NOT_SUPPORTED',
    ]);
    expect(await gateway.charges()).toEqual([]);
  });

  it('hears that the enclave has another key, and goes on with that', async () => {
    const { enclave, gateway } = await simulator();
    const old = await clientOf(gateway, enclave.hpkeKeys.publicKey);
    enclave.rotateKey();
    await expect(old(QUESTION)).rejects.toBeInstanceOf(KeyConfigMismatchError);
    expect((await (await clientOf(gateway, enclave.hpkeKeys.publicKey))(QUESTION)).status).toBe(200);
    expect(await gateway.charges()).toHaveLength(1);
  });
});

describe('our own client, through the gateway, to the simulator', () => {
  const question = [{ role: 'user', content: 'How long does unstaking take?' }] as const;

  it('chats with what the report proves, every hop named, and is charged what the enclave says in the clear', async () => {
    const { gateway, session } = await ours('tinfoil');
    const { answer, signature, attestation } = await session.ask(question);
    expect([answer.text, signature.outcome, answer.received.bytes().length > 0]).toEqual([
      expect.stringContaining('seven days'),
      'sealed',
      true,
    ]);
    expect(
      hopsOfAttestation(attestation, { client: 'program' }).map(
        ({ kind, name, reads, standing }) => `${kind} ${name ?? '-'} ${reads} ${standing}`,
      ),
    ).toEqual([
      'client - content own',
      'gateway - metadata simulated',
      'provider enclave metadata simulated',
      'router - content simulated',
      'model - content claim',
      'gpu - content claim',
    ]);
    expect((await gateway.charges()).map(({ detail, resource }) => [detail, resource])).toEqual([
      [`${answer.usage?.promptTokens} + ${answer.usage?.completionTokens} tokens`, 'chat/tinfoil-guide'],
    ]);
  });

  it('goes on with the new key of an enclave that was started anew, and is charged once', async () => {
    const { enclave, gateway, session } = await ours('tinfoil');
    await session.start();
    enclave.rotateKey();
    expect((await session.ask(question)).signature.outcome).toBe('sealed');
    expect(await gateway.charges()).toHaveLength(1);
  });

  it('chats with keys of ed25519 as well, the signature checked, and is charged the tokens that the model counts', async () => {
    const { enclave, gateway, session } = await ours('near');
    const { answer, signature, attestation } = await session.ask(question);
    const key = Buffer.from(enclave.ed25519Keys.publicKey).toString('hex');
    expect([answer.text, signature.outcome, signature.signer]).toEqual([
      expect.stringContaining('seven days'),
      'verified',
      key,
    ]);
    expect(
      hopsOfAttestation(attestation, { client: 'program' }).map(
        ({ kind, reads, standing }) => `${kind} ${reads} ${standing}`,
      ),
    ).toEqual([
      'client content own',
      'gateway metadata simulated',
      'provider metadata simulated',
      'model content simulated',
      'gpu content claim',
    ]);
    expect((await gateway.charges()).map(({ detail, resource }) => [detail, resource])).toEqual([
      [`${answer.usage?.promptTokens} + ${answer.usage?.completionTokens} tokens`, 'chat/near-ed25519-guide'],
    ]);
  });
});
