import { describe, expect, it } from 'vitest';
import { encryptContent, generateE2eeKeyPair } from '../e2ee/codec';
import { estimatePromptTokens } from './prompt-estimate';

const user = (content: unknown) => ({ role: 'user', content });

describe('the tokens of a prompt that nobody counted', () => {
  it.each<[string, Parameters<typeof estimatePromptTokens>[0], number]>([
    ['a quarter of the bytes of the text', { messages: [user('x'.repeat(40)), user('é'.repeat(20))] }, 20],
    ['rounded up once', { messages: [user('a'), user('b')] }, 1],
    ['nothing for what is empty', { messages: [user(''), user(null)] }, 0],
    [
      'text in parts, and a picture',
      {
        messages: [
          user([
            { type: 'text', text: 'x'.repeat(8) },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(100_000)}` } },
          ]),
        ],
      },
      514,
    ],
    [
      'calls of tools and their descriptions',
      {
        messages: [{ role: 'assistant', content: null, tool_calls: [{ a: 1 }] }],
        tools: [{ b: 2 }],
        functions: [{ c: 3 }],
      },
      7,
    ],
  ])('are %s', (_what, request, tokens) => expect(estimatePromptTokens(request)).toBe(tokens));

  it('are those of what is in the ciphertext', () => {
    const sealed = encryptContent('x'.repeat(40), generateE2eeKeyPair().publicKey);
    expect(estimatePromptTokens({ messages: [user(sealed)] }, { encrypted: 'ecdsa' })).toBe(10);
    expect(estimatePromptTokens({ messages: [user(sealed)] })).toBeGreaterThan(60);
    expect(estimatePromptTokens({ messages: [user('plain text')] }, { encrypted: 'ecdsa' })).toBe(3);
  });
});
