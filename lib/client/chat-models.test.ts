import { describe, expect, it } from 'vitest';
import { encryptingModel, readChatModels } from './chat-models';

const entry = {
  id: 'e2ee-guide',
  type: 'text',
  model_spec: {
    name: 'Guide',
    availableContextTokens: 32_768,
    maxCompletionTokens: 4_096,
    capabilities: {
      supportsE2EE: true,
      supportsTeeAttestation: true,
      supportsResponseSchema: true,
      supportsFunctionCalling: false,
    },
    pricing: { input: { usd: 0.15 }, output: { usd: 0.6 } },
    offline: false,
  },
};

describe('the list of models', () => {
  it('says what each can do, and what a token costs to the nano-USD', () => {
    expect(readChatModels({ data: [entry] })).toEqual([
      {
        id: 'e2ee-guide',
        name: 'Guide',
        contextTokens: 32_768,
        maxOutputTokens: 4_096,
        isOffline: false,
        can: { encrypt: true, attest: true, followSchema: true, callTools: false, see: false },
        price: { inputNanoUsdPerMillion: 150_000_000, outputNanoUsdPerMillion: 600_000_000 },
      },
    ]);
  });

  it.each([
    [{ supportsE2EE: true }, undefined, true],
    [{ supportsE2EE: true }, 'ecdsa', true],
    [{ supportsE2EE: false }, 'ehbp', true],
    [{ supportsE2EE: false }, 'ed25519', true],
    [{ supportsE2EE: false }, 'ml-kem-768', true],
    [{ supportsE2EE: false }, undefined, false],
    [{ supportsE2EE: false }, null, false],
    [{}, '', false],
    [{}, 1, false],
  ])(
    'has one that can be encrypted to by its flag, or by the encryption that is named: %j, %j',
    (capabilities, encryption, encrypts) => {
      const [model] = readChatModels({ data: [{ ...entry, model_spec: { capabilities, encryption } }] });
      expect(model?.can.encrypt).toBe(encrypts);
    },
  );

  it.each([
    [{ supportsVision: true }, undefined, true],
    [{ supportsVision: true }, 'ehbp', true],
    [{ supportsVision: true }, 'ml-kem-768', true],
    [{ supportsVision: true }, 'ed25519', false],
    [{ supportsVision: true, supportsE2EE: true }, undefined, false],
    [{ supportsVision: 'true' }, undefined, false],
    [{}, undefined, false],
  ])(
    'has one that can be shown pictures, unless its messages are encrypted as texts: %j, %j',
    (capabilities, encryption, sees) => {
      const [model] = readChatModels({ data: [{ ...entry, model_spec: { capabilities, encryption } }] });
      expect(model?.can.see).toBe(sees);
    },
  );

  it('has the time to the first token if it is a whole number', () => {
    const timeOf = (latency: unknown) =>
      readChatModels({ data: [{ ...entry, model_spec: { ...entry.model_spec, latency } }] })[0]?.firstTokenMs;
    expect(
      [{ firstTokenMs: 320 }, { firstTokenMs: '320' }, { firstTokenMs: -1 }, {}, null, undefined].map(timeOf),
    ).toEqual([320, undefined, undefined, undefined, undefined, undefined]);
  });

  it('takes a capability that is not plainly true for one that is not there', () => {
    const [model] = readChatModels({
      data: [{ id: 'x', model_spec: { capabilities: { supportsE2EE: 'true', supportsTeeAttestation: 1 } } }],
    });
    expect(model).toMatchObject({
      name: 'x',
      can: { encrypt: false, attest: false, followSchema: false, callTools: false, see: false },
      price: null,
      contextTokens: null,
    });
  });

  it.each([
    [null],
    [undefined],
    ['text'],
    [{}],
    [{ data: 'x' }],
    [{ data: [null, 3, {}, { id: '' }, { id: 'voice', type: 'tts' }] }],
  ])('leaves out what is not a chat model: %j', (body) => {
    expect(readChatModels(body)).toEqual([]);
  });

  it('has one to encrypt to where nobody has chosen: the first, whose answers are vouched for as a whole if there is one', () => {
    const listed = (id: string, encryption?: string) => ({
      ...entry,
      id,
      model_spec: { ...entry.model_spec, capabilities: { supportsE2EE: encryption === undefined }, encryption },
    });
    const chosen = (...models: object[]) => encryptingModel(readChatModels({ data: models }))?.id;
    expect(chosen(listed('a', 'ml-kem-768'), listed('b', 'ehbp'), listed('c'))).toBe('b');
    expect(chosen(listed('a', 'ml-kem-768'), listed('b', 'ml-kem-768'))).toBe('a');
    expect(chosen({ ...entry, model_spec: {} })).toBeUndefined();
  });

  it('has no price if the list has only half of one, or an invalid one', () => {
    for (const pricing of [
      { input: { usd: 1 } },
      { input: { usd: -1 }, output: { usd: 1 } },
      { input: { usd: '1' }, output: { usd: 1 } },
    ]) {
      expect(
        readChatModels({ data: [{ ...entry, model_spec: { ...entry.model_spec, pricing } }] })[0]?.price,
      ).toBeNull();
    }
  });
});
