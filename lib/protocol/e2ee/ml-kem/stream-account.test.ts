import { utf8ToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { estimateSealedPrompt, StreamAccount } from './stream-account';

const event = (json: object) => `data: ${JSON.stringify(json)}\n\n`;
const piece = (bytes: number) => event({ e2e: Buffer.alloc(bytes).toString('base64') });

function accountOf(stream: string, size = stream.length): StreamAccount {
  const account = new StreamAccount();
  const bytes = utf8ToBytes(stream);
  for (let at = 0; at < bytes.length; at += size) account.push(bytes.subarray(at, at + size));
  return account;
}

describe('what can be seen of a streamed answer', () => {
  it('is its pieces, its length, and what it says that it took, however it is cut', () => {
    const stream =
      event({ e2e_init: 'AAAA' }) +
      piece(100) +
      piece(300) +
      piece(28 + 240 + 398) +
      event({ usage: { prompt_tokens: 7, completion_tokens: 9 } }) +
      'data: [DONE]\n\n';
    for (const size of [1, 5, 100_000]) {
      const { pieces, bytes, usage, estimatedTokens, isWhole, isInTheClear, hasFailed } = accountOf(stream, size);
      expect({ pieces, bytes, usage, estimatedTokens, isWhole, isInTheClear, hasFailed }).toEqual({
        pieces: 3,
        bytes: stream.length,
        usage: { promptTokens: 7, completionTokens: 9 },
        estimatedTokens: 1 + 8 + 100,
        isWhole: true,
        isInTheClear: false,
        hasFailed: false,
      });
    }
  });

  it('is the last count that can be read', () => {
    expect(
      accountOf(
        event({ usage: { prompt_tokens: 1, completion_tokens: 1 } }) +
          event({ usage: { prompt_tokens: 1, completion_tokens: 2 } }) +
          event({ usage: { prompt_tokens: -1 } }),
      ).usage,
    ).toEqual({ promptTokens: 1, completionTokens: 2 });
  });

  it('is that it failed, that it is not whole, and that somebody speaks in the clear', () => {
    expect(accountOf(event({ e2e_error: 'x' })).hasFailed).toBe(true);
    expect(accountOf(piece(10).slice(0, -4)).isWhole).toBe(false);
    for (const clear of [event({ choices: [{}] }), 'data: x\n', 'x'.repeat(5_000_000)])
      expect(accountOf(clear).isInTheClear).toBe(true);
  });

  it('of a prompt is a quarter of its bytes beyond those of keys', () => {
    expect(estimateSealedPrompt(1_116 + 1_604 + 400)).toBe(100);
    expect(estimateSealedPrompt(0)).toBe(1);
  });
});
