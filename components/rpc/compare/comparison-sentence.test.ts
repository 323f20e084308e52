import { compareAnswers, type ComparedCall } from './use-comparison';
import type { RpcAnswer } from '@/lib/client';
import { describe, expect, it } from 'vitest';
import { answeredAmong, comparisonSentence } from './compare-results';

const request = { network: 'a', text: '{}', calls: [], credential: null, idempotencyKey: null };
const answer = (bodyText: string): RpcAnswer => ({
  items: [],
  isBatch: false,
  bodyText,
  credits: 20,
  costUsd: '0',
  requestId: null,
  balanceRemainingUsd: null,
  replayed: false,
  unkept: false,
  latencyMs: 1,
});
const call = (state: 'waiting' | 'failed' | string): ComparedCall => {
  if (state === 'waiting') return { network: 'a', status: 'waiting', request };
  if (state === 'failed') return { network: 'a', status: 'failed', request, error: new Error('no') };
  return { network: 'a', status: 'answered', request, answer: answer(state) };
};
const sentence = (...states: string[]) => {
  const calls = states.map(call);
  return comparisonSentence(calls, compareAnswers(answeredAmong(calls).map((each) => each.answer.bodyText)));
};

describe('a comparison in a sentence', () => {
  it.each([
    [['waiting', '{"result":1}', 'failed'], '2 of 3 have answered…'],
    [['{"result":1}', '{"result":1}'], 'Both answers are equal.'],
    [['{"result":1}', '{"result":2}'], 'The answers differ.'],
    [['{"result":{"a":1,"b":2}}', '{"result":{"a":1,"b":3}}'], 'The answers differ in 1 of 2 fields.'],
    [['{"result":1}', '{"result":1}', 'failed'], 'Both answers are equal. 1 of 3 did not answer.'],
    [['{"result":1}', 'failed'], 'One network answered: there is nothing to compare it with. 1 of 2 did not answer.'],
    [['failed', 'failed'], 'No network answered.'],
  ])('%j', (states, said) => expect(sentence(...states)).toBe(said));
});
