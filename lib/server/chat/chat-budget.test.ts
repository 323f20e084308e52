import { describe, expect, test } from 'vitest';
import { readChatBody } from './chat-body';
import { chatBudget, type TokenBounds } from './chat-budget';

const MODEL: TokenBounds = {
  contextTokens: 131_072,
  maxOutputTokens: 1_000,
  price: { inputNanoUsdPerMillion: 1_000_000_000, outputNanoUsdPerMillion: 1_000_000_000 } as TokenBounds['price'],
};

function promptTokensOf(...parts: unknown[]): number {
  const bytes = new TextEncoder().encode(
    JSON.stringify({
      model: 'm',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, ...parts] }],
    }),
  );
  return chatBudget(readChatBody(bytes), MODEL).promptTokens - bytes.byteLength;
}

describe('what is held for a prompt covers what an upstream may bill', () => {
  test('a text comes to no more tokens than it has bytes', () => {
    expect(promptTokensOf()).toBeLessThan(64);
    expect(promptTokensOf({ type: 'text', text: 'And this?', cache_control: { type: 'ephemeral' } })).toBe(
      promptTokensOf(),
    );
  });

  test.each([
    ['a video by its address', { type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } }],
    ['a recording by its address', { type: 'audio_url', audio_url: { url: 'https://example.com/a.mp3' } }],
    ['a file by its name', { type: 'file', file: { file_id: 'f' } }],
    ['a video under the type of a text', { type: 'text', text: 'a', video_url: { url: 'https://example.com/a.mp4' } }],
    ['a part of a kind that nobody knows', { type: 'hologram' }],
    ['a part without a type', { video: ['https://example.com/1.png'] }],
  ])('%s may fill what the model reads', (_what, part) => {
    const bytes = JSON.stringify(part).length;
    expect(promptTokensOf(part) + bytes).toBeGreaterThan(MODEL.contextTokens - 1_000);
  });

  test.each([
    ['a picture', { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }],
    ['a recording in the request', { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }],
    [
      'a picture under the type of a text',
      { type: 'text', text: 'a', image_url: { url: 'https://example.com/a.png' } },
    ],
  ])('%s counts by itself, each', (_what, part) => {
    expect(promptTokensOf(part) - promptTokensOf()).toBe(16_384);
    expect(promptTokensOf(part, part) - promptTokensOf()).toBe(32_768);
  });
});
