import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { chatGateway } from '@/test/chat-gateway';
import { chunk, DONE, type ModelScript, refuses, says, scriptedModel, streams } from '@/test/scripted-model';

/**
 * Guarantee: a model that refuses pictures gets a line of text instead, and a conversation with a refused picture can
 * continue.
 */

const PIXEL = 'data:image/png;base64,AA==';
const IMAGE = { type: 'image_url', image_url: { url: PIXEL } };
const LINE = '[An image was here. It cannot be shown.]';
const CHAT = {
  model: 'plain',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, IMAGE] }],
};
const BLIND = refuses(400, { error: { message: 'This model does not support image input.' } });

async function stage(script: ModelScript, entry: Record<string, unknown> = {}, settings: Record<string, unknown> = {}) {
  const model = await scriptedModel(script, [{ id: 'plain', context_length: 100_000, ...entry }]);
  const gateway = await chatGateway({ chatUpstreams: [{ name: 'test', url: model.url }], ...settings });
  const sent = () =>
    model.asked.map(({ body }) => (JSON.parse(body) as { messages: { role: string; content: unknown }[] }).messages);
  const listed = async () =>
    ((await gateway.get('/models/plain')).json['model_spec'] as { capabilities: Record<string, unknown> }).capabilities[
      'supportsVision'
    ];
  const anthropic = new Anthropic({ baseURL: `${gateway.origin}/api`, apiKey: gateway.key, maxRetries: 0 });
  const openai = new OpenAI({ baseURL: `${gateway.origin}/api/v1`, apiKey: gateway.key, maxRetries: 0 });
  return { model, gateway, sent, listed, anthropic, openai };
}

/** Refuses requests whose body contains this text. */
const unless =
  (text: string, refusal: ModelScript, answer: ModelScript = says('A dot.')): ModelScript =>
  (asked, response) =>
    (asked.body.includes(text) ? refusal : answer)(asked, response);
const configured = (supportsVision: boolean) => ({ models: { plain: { capabilities: { supportsVision } } } });
const PICTURED: Anthropic.MessageParam[] = [
  { role: 'user', content: 'Read it.' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read', input: {} }] },
  {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: 'a',
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } }],
      },
    ],
  },
];
const PDF: Anthropic.MessageParam[] = [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Sum up.' },
      { type: 'document', title: 'a.pdf', source: { type: 'base64', media_type: 'application/pdf', data: 'AA==' } },
    ],
  },
];
const FILE = { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' } };

describe('GET /models tells whether a model sees', () => {
  it.each([
    ['as the configuration says', {}, configured(true), true],
    [
      'as the configuration says, before the list',
      { architecture: { input_modalities: ['text', 'image'] } },
      configured(false),
      false,
    ],
    ['by our own flag', { model_spec: { capabilities: { supportsVision: true } } }, {}, true],
    ['by lists of inputs', { architecture: { input_modalities: ['text', 'image'] } }, {}, true],
    ['by lists of inputs without images', { input_modalities: ['text'] }, {}, false],
    ["by Mistral's flag", { capabilities: { vision: true } }, {}, true],
    ['by lists of abilities', { capabilities: ['completion', 'multimodal'] }, {}, true],
    ['by lists of abilities without it', { capabilities: ['completion', 'tools'] }, {}, false],
    ['not at all where nobody says', {}, {}, undefined],
  ])('%s', async (_how, entry, settings, expected) => {
    expect(await (await stage(says('A dot.'), entry, settings)).listed()).toBe(expected);
  });
});

describe('a model that is known to see none', () => {
  it('is sent a line of text by chats, and the answer says so', async () => {
    const { gateway, sent } = await stage(says('A dot.'), {}, configured(false));
    const answer = await gateway.ask(CHAT);
    expect([answer.status, answer.headers.get('x-service-left-out')]).toEqual([200, 'images']);
    expect(sent()).toEqual([[{ role: 'user', content: `What is this?\n${LINE}` }]]);
    expect(
      (await gateway.ask({ ...CHAT, messages: [{ role: 'user', content: 'Hi' }] })).headers.get('x-service-left-out'),
    ).toBeNull();
  });

  it('is sent a line of text by Messages and Responses, and the metadata says so', async () => {
    const { anthropic, openai, sent } = await stage(says('A dot.'), { input_modalities: ['text'] });
    expect(await anthropic.messages.create({ model: 'plain', max_tokens: 9, messages: PICTURED })).toMatchObject({
      metadata: { left_out: expect.stringContaining('image') as string },
    });
    expect(
      (
        await openai.responses.create({
          model: 'plain',
          input: [{ role: 'user', content: [{ type: 'input_image', image_url: PIXEL, detail: 'auto' }] }],
        })
      ).metadata,
    ).toMatchObject({ left_out: expect.stringContaining('image') as string });
    expect(JSON.stringify(sent())).not.toContain('image_url');
    expect(sent()[1]).toEqual([{ role: 'user', content: LINE }]);
  });
});

describe('a model that sees', () => {
  it('is sent pictures and documents of messages and of results', async () => {
    const { anthropic, openai, sent } = await stage(says('A dot.'), {}, configured(true));
    await anthropic.messages.create({ model: 'plain', max_tokens: 9, messages: PICTURED });
    await anthropic.messages.create({ model: 'plain', max_tokens: 9, messages: PDF });
    await openai.responses.create({
      model: 'plain',
      input: [
        { type: 'function_call', call_id: 'a', name: 'read', arguments: '{}' },
        {
          type: 'function_call_output',
          call_id: 'a',
          output: [{ type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' }],
        },
      ],
    });
    expect(sent().map((messages) => messages.at(-1)?.content)).toEqual([
      [IMAGE],
      [{ type: 'text', text: 'Sum up.' }, FILE],
      [FILE],
    ]);
  });

  it('goes on without documents where its server takes none', async () => {
    const { anthropic, sent } = await stage(
      unless('"file"', refuses(400, { error: { message: 'Unknown part type: file' } })),
      {},
      configured(true),
    );
    for (let turn = 0; turn < 2; turn++)
      expect(await anthropic.messages.create({ model: 'plain', max_tokens: 9, messages: PDF })).toMatchObject({
        content: [{ text: 'A dot.' }],
        metadata: { left_out: expect.any(String) as string },
      });
    expect(sent()).toHaveLength(3);
    expect(sent().at(-1)?.[0]?.content).toContain('cannot be shown');
  });

  it('refuses a faulty picture to callers of chats, and goes on for sessions of agents', async () => {
    const { gateway, anthropic, sent, listed } = await stage(
      unless('image_url', refuses(400, { error: { message: 'Invalid image: cannot decode it' } })),
      {},
      configured(true),
    );
    expect(await gateway.ask(CHAT)).toMatchObject({ status: 400, json: { error: 'Invalid image: cannot decode it.' } });
    expect(await anthropic.messages.create({ model: 'plain', max_tokens: 9, messages: PICTURED })).toMatchObject({
      content: [{ text: 'A dot.' }],
      metadata: { left_out: expect.stringContaining('images') as string },
    });
    expect(sent()).toHaveLength(3);
    expect(await listed()).toBe(true);
  });
});

describe('a model of which nobody knows', () => {
  it.each([
    ['400 in a sentence', BLIND],
    ['400 of vLLM', refuses(400, { object: 'error', message: 'm is not a multimodal model' })],
    [
      '400 of vLLM, which takes none at once',
      refuses(400, { error: { message: 'At most 0 image(s) may be provided in one prompt.' } }),
    ],
    [
      '422 of a parser',
      refuses(422, { error: { message: 'messages[0]: unknown variant `image_url`, expected `text`' } }),
    ],
    ['404 of a broker', refuses(404, { error: { message: 'No endpoints found that support image input' } })],
    [
      '500 of llama.cpp',
      refuses(500, { error: { message: 'image input is not supported - hint: you may need to provide the mmproj' } }),
    ],
    [
      '400 for lists of parts',
      refuses(400, {
        error: {
          message: "'messages.0' : the following must be satisfied[('messages.0.content' : value must be a string)]",
        },
      }),
    ],
    [
      '422 of FastAPI',
      refuses(422, {
        detail: [
          { loc: ['body', 'messages', 0, 'content', 'str'], msg: 'Input should be a valid string', input: [IMAGE] },
        ],
      }),
    ],
  ])('and that refuses a picture (%s) is asked once more without, and that is remembered', async (_how, refusal) => {
    const { gateway, anthropic, sent, listed } = await stage(unless('image_url', refusal));
    const first = await gateway.ask(CHAT);
    expect([first.status, first.headers.get('x-service-left-out')]).toEqual([200, 'images']);
    expect(await listed()).toBe(false);
    expect(await anthropic.messages.create({ model: 'plain', max_tokens: 9, messages: PICTURED })).toMatchObject({
      metadata: { left_out: expect.stringContaining('image') as string },
    });
    expect((await gateway.ask(CHAT)).status).toBe(200);
    expect(sent().map((messages) => JSON.stringify(messages).includes('image_url'))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(await gateway.charges()).toHaveLength(3);
  });

  it('streams too', async () => {
    const { gateway, anthropic } = await stage(
      unless(
        'image_url',
        BLIND,
        streams(chunk('A dot.', {}), chunk('').replace('"finish_reason":null', '"finish_reason":"stop"'), DONE),
      ),
    );
    const answer = await gateway.ask({ ...CHAT, stream: true });
    expect([answer.status, answer.headers.get('x-service-left-out'), answer.text.includes('A dot.')]).toEqual([
      200,
      'images',
      true,
    ]);
    expect(
      (await anthropic.messages.stream({ model: 'plain', max_tokens: 9, messages: PICTURED }).finalMessage()).content,
    ).toMatchObject([{ text: 'A dot.' }]);
  });

  it('is not taken for blind because of one faulty picture, nor by what a caller wrote', async () => {
    const faulty = await stage(
      unless('image_url', refuses(400, { error: { message: 'Invalid image: cannot decode it' } })),
    );
    expect((await faulty.gateway.ask(CHAT)).status).toBe(200);
    expect(await faulty.listed()).toBeUndefined();
    const echo = await stage(
      (asked, response) =>
        void (
          asked.body.includes('image_url')
            ? refuses(400, {
                error: { message: `Cannot fetch image ${/"url":"([^"]*)"/.exec(asked.body)?.[1] ?? ''}` },
              })
            : says('A dot.')
        )(asked, response),
    );
    for (const url of ['x is not a multimodal model', 'https://x.example/this model does not support images']) {
      expect(
        (
          await echo.gateway.ask({
            ...CHAT,
            messages: [
              {
                role: 'user',
                content: [
                  { type: 'text', text: 'Hi' },
                  { type: 'image_url', image_url: { url } },
                ],
              },
            ],
          })
        ).status,
      ).toBe(200);
    }
    expect(await echo.listed()).toBeUndefined();
  });

  it('passes a refusal on that names something else, or stays without the picture', async () => {
    const { gateway, sent } = await stage(refuses(400, { error: { message: 'Too long.' } }));
    expect((await gateway.ask(CHAT)).json.error).toBe('Too long.');
    expect(sent()).toHaveLength(1);
    const stubborn = await stage(BLIND);
    expect((await stubborn.gateway.ask(CHAT)).status).toBe(400);
    expect(stubborn.sent()).toHaveLength(2);
    expect(await stubborn.listed()).toBeUndefined();
  });
});

it('a body that an attested model gets has its bytes, pictures included', async () => {
  const model = await scriptedModel(BLIND);
  const gateway = await chatGateway({
    enclaveUpstreams: [{ name: 'test', url: model.url }],
    models: { plain: { capabilities: { supportsVision: false } } },
  });
  const body = JSON.stringify(CHAT);
  expect((await gateway.ask(body)).status).toBe(400);
  expect(model.asked.map((asked) => asked.body)).toEqual([body]);
});
