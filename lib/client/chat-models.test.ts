import { describe, expect, it } from 'vitest';
import { readChatModels } from './chat-models';

const entry = {
  id: 'e2ee-guide',
  type: 'text',
  model_spec: {
    name: 'Guide',
    availableContextTokens: 32_768,
    maxCompletionTokens: 4_096,
    capabilities: { supportsE2EE: true, supportsTeeAttestation: true, supportsResponseSchema: true, supportsFunctionCalling: false },
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
        can: { encrypt: true, attest: true, followSchema: true, callTools: false },
        price: { inputNanoUsdPerMillion: 150_000_000, outputNanoUsdPerMillion: 600_000_000 },
      },
    ]);
  });

  it('takes a capability that is not plainly true for one that is not there', () => {
    const [model] = readChatModels({ data: [{ id: 'x', model_spec: { capabilities: { supportsE2EE: 'true', supportsTeeAttestation: 1 } } }] });
    expect(model).toMatchObject({ name: 'x', can: { encrypt: false, attest: false, followSchema: false, callTools: false }, price: null, contextTokens: null });
  });

  it.each([[null], [undefined], ['text'], [{}], [{ data: 'x' }], [{ data: [null, 3, {}, { id: '' }, { id: 'voice', type: 'tts' }] }]])('leaves out what is not a chat model: %j', (body) => {
    expect(readChatModels(body)).toEqual([]);
  });

  it('names no price where the list names half of one, or one that is none', () => {
    for (const pricing of [{ input: { usd: 1 } }, { input: { usd: -1 }, output: { usd: 1 } }, { input: { usd: '1' }, output: { usd: 1 } }]) {
      expect(readChatModels({ data: [{ ...entry, model_spec: { ...entry.model_spec, pricing } }] })[0]?.price).toBeNull();
    }
  });
});
