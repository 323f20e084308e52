import { describe, expect, it } from 'vitest';
import { charactersOf, speechRequestSchema } from './speech-request';

const pathsOf = (body: unknown): string[] => {
  const { error } = speechRequestSchema.safeParse(body);
  return [...new Set((error?.issues ?? []).map(({ path }) => path.join('.')))];
};

describe('a speech request', () => {
  it.each([
    { input: 'a' },
    { input: 'a'.repeat(4_096) },
    // The emoji is one character in two UTF-16 code units.
    { input: '😀'.repeat(4_096) },
    { input: ' ' },
    {
      input: '<speak>&amp;</speak>',
      voice: 'v'.repeat(512),
      language: 'en',
      prompt: 'p'.repeat(500),
      response_format: 'opus',
      speed: 0.25,
      streaming: true,
      temperature: 0,
      top_p: 0,
    },
    { input: 'x', language: 'l'.repeat(32), speed: 4, temperature: 2, top_p: 1, prompt: '' },
    {
      input: 'x',
      voice: null,
      language: null,
      prompt: null,
      response_format: null,
      speed: null,
      streaming: null,
      temperature: null,
      top_p: null,
      model: null,
    },
    { input: 'x', stream_format: 'audio', instructions: 'unknown fields are ignored' },
  ])('is taken up to its limits: %j', (body) => {
    expect(pathsOf(body)).toEqual([]);
  });

  it.each([
    ['', {}],
    ['input', { input: '' }],
    ['input', { input: null }],
    ['input', { input: 1 }],
    ['input', { input: ['a'] }],
    ['input', { input: 'a'.repeat(4_097) }],
    ['input', { input: '😀'.repeat(4_097) }],
    ['input', { input: 'a\u0000b' }],
    ['input', { input: 'a\ud83d' }],
    ['input', { input: '\ude00a' }],
    ['input', { input: '\ude00\ud83d' }],
    ['voice', { input: 'x', voice: '' }],
    ['voice', { input: 'x', voice: 'v'.repeat(513) }],
    ['voice', { input: 'x', voice: 'a\u0000' }],
    ['voice', { input: 'x', voice: { id: 'a' } }],
    ['language', { input: 'x', language: 'e' }],
    ['language', { input: 'x', language: 'e'.repeat(33) }],
    ['prompt', { input: 'x', prompt: 'p'.repeat(501) }],
    ['response_format', { input: 'x', response_format: 'ogg' }],
    ['response_format', { input: 'x', response_format: 'MP3' }],
    ['speed', { input: 'x', speed: 0.2499 }],
    ['speed', { input: 'x', speed: 4.0001 }],
    ['speed', { input: 'x', speed: '1' }],
    ['speed', JSON.parse('{"input":"x","speed":1e999}')],
    ['streaming', { input: 'x', streaming: 'true' }],
    ['temperature', { input: 'x', temperature: -0.1 }],
    ['temperature', { input: 'x', temperature: 2.1 }],
    ['top_p', { input: 'x', top_p: 1.01 }],
    ['top_p', { input: 'x', top_p: -1 }],
    ['model', { input: 'x', model: '' }],
    ['model', { input: 'x', model: 7 }],
  ])('is refused beyond them, with the path: %s', (path, body) => {
    expect(pathsOf(body)).toEqual(path === '' ? ['input'] : [path]);
  });

  it('is refused as a whole where it is no object', () => {
    for (const body of [null, [], 'x', 1]) expect(pathsOf(body)).toEqual(['']);
  });

  it('has every fault told', () => {
    expect(pathsOf({ input: '', speed: 9, top_p: 2 })).toEqual(['input', 'speed', 'top_p']);
  });
});

describe('characters', () => {
  it('are code points, whatever they look like', () => {
    expect(['', 'a', 'é', 'e\u0301', '😀', '👩‍🚀', '日本', '\ud83d', '\ud83da'].map(charactersOf)).toEqual([
      0, 1, 1, 2, 1, 3, 2, 1, 2,
    ]);
    for (const text of ['x😀y👩‍🚀', 'a\ud83d\ud83d\ude00', '\ude00']) expect(charactersOf(text)).toBe([...text].length);
  });
});
