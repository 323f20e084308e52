import { describe, expect, it } from 'vitest';
import { chatGateway } from '@/test/chat-gateway';
import { scriptedModel } from '@/test/scripted-model';
import { SeenReports } from '../attestation/seen-reports';
import type { Auth } from '../auth/auth';
import { models } from './models';

type Entry = { id: string; context_length: number; model_spec: Record<string, unknown> };
const entriesOf = (json: Record<string, unknown>) => json['data'] as Entry[];

describe('GET /models', () => {
  it('lists what the upstreams list, sorted, with the context as each of them names it', async () => {
    const model = await scriptedModel(undefined, [
      { id: 'vllm', max_model_len: 1 },
      { id: 'llamacpp', meta: { n_ctx_train: 2 } },
      { id: 'groq', context_window: 3 },
      { id: 'openrouter', context_length: 4 },
      { id: 'ollama' },
      { no: 'id' },
      null,
    ]);
    const { get } = await chatGateway({
      chatUpstreams: [{ name: 'test', url: model.url }],
      models: { ollama: { contextTokens: 5, name: 'Ollama', prices: { inputUsdPerMillionTokens: '7' } } },
    });
    const { status, json } = await get('/models');
    expect([status, json['object'], json['type']]).toEqual([200, 'list', 'text']);
    expect(entriesOf(json).map(({ id, context_length: length }) => [id, length])).toEqual([
      ['groq', 3],
      ['llamacpp', 2],
      ['ollama', 5],
      ['openrouter', 4],
      ['vllm', 1],
    ]);
    expect(entriesOf(json)[2]).toEqual({
      id: 'ollama',
      type: 'text',
      object: 'model',
      created: 1_795_305_600,
      owned_by: 'test',
      context_length: 5,
      model_spec: {
        name: 'Ollama',
        availableContextTokens: 5,
        maxCompletionTokens: 5,
        capabilities: {
          supportsE2EE: false,
          supportsTeeAttestation: false,
          supportsResponseSchema: true,
          supportsFunctionCalling: true,
          supportsWebSearch: false,
        },
        pricing: { input: { usd: 7, diem: 7 }, output: { usd: 0.6, diem: 0.6 } },
        privacy: 'relayed',
        offline: false,
        family: null,
        enclaves: [],
        hops: [
          { kind: 'client', name: null, reads: 'content', proof: 'none', standing: 'own' },
          { kind: 'gateway', name: null, reads: 'content', proof: 'claim', standing: 'claim' },
          { kind: 'provider', name: 'test', reads: 'content', proof: 'claim', standing: 'claim' },
          { kind: 'model', name: null, reads: 'content', proof: 'claim', standing: 'claim' },
        ],
      },
    });
  });

  it('says of models in enclaves what they can, and believes no other upstream that it is one', async () => {
    const claims = { model_spec: { capabilities: { supportsE2EE: true, supportsTeeAttestation: true } } };
    const inside = await scriptedModel(undefined, [
      { id: 'a' },
      { id: 'b', model_spec: { capabilities: { supportsE2EE: false } } },
    ]);
    const outside = await scriptedModel(undefined, [{ id: 'c', ...claims }, { id: 'a' }]);
    const { get } = await chatGateway({
      enclaveUpstreams: [{ name: 'in', url: inside.url }],
      chatUpstreams: [{ name: 'out', url: outside.url }],
    });
    const listed = entriesOf((await get('/models')).json).map(({ id, model_spec: { privacy } }) => [id, privacy]);
    expect(listed).toEqual([
      ['a', 'e2ee'],
      ['b', 'tee'],
      ['c', 'relayed'],
    ]);
  });

  it('has supportsE2EE for the encryption of the specification alone, and names every other', async () => {
    const kinds = ['ecdsa', 'ed25519', 'ehbp'] as const;
    const servers = await Promise.all(
      kinds.map(async (kind) => ({
        name: kind,
        encryption: kind,
        url: (
          await scriptedModel(undefined, [
            { id: `a-${kind}` },
            { id: `plain-${kind}`, model_spec: { capabilities: { supportsE2EE: false } } },
          ])
        ).url,
      })),
    );
    const { get } = await chatGateway({ enclaveUpstreams: servers });
    const listed = entriesOf((await get('/models')).json).map(
      ({ id, model_spec: { capabilities, encryption, privacy } }) => [
        id,
        (capabilities as { supportsE2EE: boolean }).supportsE2EE,
        encryption ?? null,
        privacy,
      ],
    );
    expect(listed).toEqual([
      ['a-ecdsa', true, 'ecdsa', 'e2ee'],
      ['a-ed25519', false, 'ed25519', 'e2ee'],
      ['a-ehbp', false, 'ehbp', 'e2ee'],
      ['plain-ecdsa', false, null, 'tee'],
      ['plain-ed25519', false, null, 'tee'],
      ['plain-ehbp', false, null, 'tee'],
    ]);
  });

  it('can be encrypted to where the upstream is a gateway that names the encryption which it is configured with, and not with another', async () => {
    const says = (id: string, encryption: string) => ({
      id,
      model_spec: { capabilities: { supportsE2EE: false }, encryption },
    });
    const model = await scriptedModel(undefined, [
      says('a', 'ehbp'),
      says('b', 'ecdsa'),
      { id: 'c', model_spec: { encryption: 'other' } },
    ]);
    const { get } = await chatGateway({ enclaveUpstreams: [{ name: 'in', url: model.url, encryption: 'ehbp' }] });
    expect(
      entriesOf((await get('/models')).json).map(({ id, model_spec: { encryption } }) => [id, encryption ?? null]),
    ).toEqual([
      ['a', 'ehbp'],
      ['b', null],
      ['c', 'ehbp'],
    ]);
  });

  it('is public, but a credential that is presented must hold', async () => {
    const { get } = await chatGateway({});
    expect((await get('/models', { key: null })).status).toBe(200);
    expect((await get('/models', { key: 'tpk_unknown' })).status).toBe(401);
  });

  it('is not sent again to a client that has it, and is never told to one whose credential is not valid', async () => {
    const { origin } = await chatGateway({});
    const ask = (headers: Record<string, string>) => fetch(`${origin}/api/v1/models`, { headers });
    const condition = { 'if-none-match': (await ask({})).headers.get('etag') ?? '' };
    expect((await ask(condition)).status).toBe(304);
    expect((await ask({ ...condition, authorization: 'Bearer tpk_unknown' })).status).toBe(401);
  });

  it('is made once for callers who ask at the same moment, once per type', async () => {
    const made: string[] = [];
    const catalogue = (name: string) => ({ list: () => (made.push(name), []) });
    const later = (name: string) => ({ list: () => Promise.resolve(catalogue(name).list()) });
    const { GET } = models({
      ...{ auth: {} as Auth, seen: new SeenReports(), chat: later('chat'), speech: later('speech') },
      ...{ video: later('video'), embeddings: catalogue('embeddings'), images: catalogue('images') },
      transcriptions: catalogue('transcriptions'),
    });
    const ask = (type: string) => GET!({ header: () => null, query: new URLSearchParams({ type }) } as never);
    const replies = await Promise.all(['text', 'tts', 'text', 'text', 'tts'].map(ask));
    expect(made.sort()).toEqual(['chat', 'speech']);
    expect(replies.map(({ body }) => (JSON.parse(String(body)) as { type: string }).type)).toEqual([
      'text',
      'tts',
      'text',
      'text',
      'tts',
    ]);
  });

  it('has types, and refuses others', async () => {
    const model = await scriptedModel();
    const { get } = await chatGateway({ chatUpstreams: [{ name: 'test', url: model.url }] });
    expect(entriesOf((await get('/models?type=tts')).json)).toEqual([]);
    expect(entriesOf((await get('/models?type=all')).json)).toHaveLength(1);
    expect((await get('/models?type=other')).status).toBe(400);
  });

  it('keeps what an upstream had when it is away, and marks it', async () => {
    const model = await scriptedModel();
    const { get } = await chatGateway({ chatUpstreams: [{ name: 'test', url: model.url }], modelsRefreshMs: 30 });
    await get('/models');
    model.models = 'no list' as unknown as unknown[];
    for (;;) {
      const [entry] = entriesOf((await get('/models')).json);
      expect(entry?.id).toBe('plain');
      if (entry?.model_spec['offline'] === true) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
});
