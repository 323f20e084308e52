import { describe, expect, it } from 'vitest';
import { UnreachableError } from '@/lib/client';
import { PrivateChatError } from '@/lib/client/private-chat';
import { type Answer, newConversation, withQuestion } from './conversation';
import { withAnswer } from './turn-versions';
import { hasCrossedWire } from './exchanges';
import { adviceOn, isOfPrivateChat } from './answer-failures';
import { readConversations } from './read-conversations';

describe('what is kept of a failure', () => {
  it('is what exactly happened and what to do, where an attestation stopped it', () => {
    const error = new PrivateChatError('ATTESTATION_DEBUG', 'The trust domain runs in debug mode.');
    expect(isOfPrivateChat(error)).toBe(true);
    expect(adviceOn(error)).toEqual(['The trust domain runs in debug mode.', error.hint]);
    expect(adviceOn(new PrivateChatError('ATTESTATION_NONCE'))).toHaveLength(1);
  });

  it('is what to do, where the gateway was not reached, and nothing of an error that says no more', () => {
    expect(adviceOn(new UnreachableError('http://127.0.0.1:1', false)).join()).toContain('online');
    expect(adviceOn(new Error('x'))).toEqual([]);
    expect(isOfPrivateChat(new Error('x'))).toBe(false);
  });

  it('comes back from storage, and is text or nothing', () => {
    const answer: Answer = {
      text: '',
      end: 'broken',
      problem: 'p',
      modelId: 'x',
      isEncrypted: true,
      conclusion: null,
      signature: { state: 'none', sentence: '' },
      schemaFaults: null,
      promptTokens: null,
      completionTokens: null,
      costNanoUsd: null,
      firstTokenMs: null,
      totalMs: 1,
    };
    const read = (advice: unknown) => {
      const { conversation, turnId } = withQuestion(
        newConversation({ modelId: 'x', systemPrompt: '', schemaText: '' }, 1),
        'q',
        1,
      );
      return readConversations(
        JSON.parse(JSON.stringify([withAnswer(conversation, turnId, { ...answer, advice } as Answer, 2)])),
      )?.[0]?.turns[0]?.answer;
    };
    expect(read(['why', 'what to do'])?.advice).toEqual(['why', 'what to do']);
    expect(read(undefined)?.problem).toBe('p');
    expect(read([3])).toBeUndefined();
  });
});

it('what crossed the wire is offered only where something did', () => {
  expect(hasCrossedWire({ text: '' }, null)).toBe(false);
  expect(hasCrossedWire({ text: 'a' }, null)).toBe(true);
  expect(
    hasCrossedWire(
      { text: '' },
      {
        sent: { sentAtMs: 1, bodyText: '', isHex: false, hash: '', headers: {}, isEncrypted: false },
        receivedText: null,
        isReceivedHex: false,
        receivedHash: null,
        signature: null,
      },
    ),
  ).toBe(true);
});
