import type { SignatureCheck } from '@/lib/client/private-chat';
import { describe, expect, it } from 'vitest';
import type { Answer } from './conversation';
import { readConversations } from './read-conversations';
import { lateSignatureOf, signatureOf } from './signature-of';
import { withSignature } from './turn-versions';

const hashes = { attestedAddress: '0xa', requestHash: 'q', responseHash: 'r' };
const missing: SignatureCheck = {
  outcome: 'missing',
  reason: 'The gateway does not answer.',
  text: null,
  signature: null,
  namedAddress: null,
  signer: null,
  ...hashes,
};

describe('what is kept of a signature', () => {
  it('is that it was not checked, with what it takes to ask again, where nobody answered', () => {
    const kept = signatureOf({ ...missing, unasked: 'unanswered' }, 'c');
    expect(kept).toMatchObject({ state: 'unchecked', claim: { completionId: 'c', ...hashes } });
    expect(kept.sentence).toContain('The gateway does not answer.');
    expect(signatureOf({ ...missing, unasked: 'refused' }, 'c')).toMatchObject({ state: 'unchecked', isRefused: true });
  });

  it('is that there is none only where the enclave gave none', () => {
    expect(signatureOf({ ...missing, reason: 'No signature.' }, 'c')).toEqual({
      state: 'unavailable',
      sentence: 'No signature.',
    });
    expect(signatureOf({ ...missing, outcome: 'invalid', reason: 'Other bytes.' }, 'c')).toEqual({
      state: 'failed',
      sentence: 'Other bytes.',
    });
    expect(signatureOf({ ...missing, outcome: 'verified', reason: null }, 'c').state).toBe('verified');
  });

  it('says of one that was asked for late that it may have been there', () => {
    const late = lateSignatureOf({ ...missing, reason: 'No signature.' }, 'c');
    expect(late).toMatchObject({ state: 'unchecked' });
    expect(late.claim).toBeUndefined();
    expect(lateSignatureOf({ ...missing, outcome: 'verified', reason: null }, 'c').state).toBe('verified');
    expect(lateSignatureOf({ ...missing, unasked: 'unanswered' }, 'c').claim).toBeDefined();
  });
});

describe('a signature that is checked later', () => {
  const answer: Answer = {
    text: 'Yes.',
    end: 'whole',
    problem: null,
    modelId: 'm',
    isEncrypted: true,
    conclusion: 'verified',
    signature: signatureOf({ ...missing, unasked: 'unanswered' }, 'c'),
    schemaFaults: null,
    promptTokens: 1,
    completionTokens: 1,
    costNanoUsd: 1,
    firstTokenMs: 1,
    totalMs: 1,
  };
  const conversation = {
    id: 'x',
    title: null,
    createdAtMs: 1,
    updatedAtMs: 1,
    modelId: 'm',
    systemPrompt: '',
    schemaText: '',
    turns: [{ id: 't', question: 'q', askedAtMs: 1, answer }],
  };
  const verified = { state: 'verified', sentence: 'Signed.' } as const;

  it('is kept with its answer, and with no other that took its place', () => {
    expect(withSignature(conversation, 't', 'c', verified).turns[0]?.answer?.signature).toEqual(verified);
    expect(withSignature(conversation, 't', 'other', verified)).toBe(conversation);
    expect(withSignature(conversation, 'gone', 'c', verified)).toBe(conversation);
  });

  it('outlives a reload with what it takes to ask, and nothing that is broken does', () => {
    expect(readConversations(JSON.parse(JSON.stringify([conversation])))).toEqual([conversation]);
    const broken = {
      ...conversation,
      turns: [
        {
          ...conversation.turns[0],
          answer: { ...answer, signature: { ...answer.signature, claim: { completionId: 7 } } },
        },
      ],
    };
    expect(readConversations([broken])).toEqual([]);
  });
});
