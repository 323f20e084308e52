import { describe, expect, it } from 'vitest';
import { answerFacts } from './answer-view';
import type { Answer } from './conversation';

const answer: Answer = {
  text: 'Some',
  end: 'stopped',
  problem: null,
  modelId: 'guide',
  isEncrypted: false,
  conclusion: null,
  signature: { state: 'none', sentence: '' },
  schemaFaults: null,
  promptTokens: null,
  completionTokens: null,
  costNanoUsd: null,
  firstTokenMs: 5,
  totalMs: 20,
};

describe('the facts of an answer', () => {
  it('say of a stopped one that tokens and cost are not known, or what they are', () => {
    expect(answerFacts(answer)).toEqual(['guide', 'tokens and cost not known', '20 ms']);
    expect(answerFacts({ ...answer, text: '' })).toContain('tokens and cost not known');
    expect(answerFacts({ ...answer, promptTokens: 1_200, completionTokens: 4, costNanoUsd: 12_000 })).toEqual([
      'guide',
      '1,200 + 4 tokens',
      '$0.000012',
      '20 ms',
    ]);
    expect(answerFacts({ ...answer, promptTokens: 3, completionTokens: 4 })).toEqual([
      'guide',
      '3 + 4 tokens',
      'cost not known',
      '20 ms',
    ]);
  });

  it('name no tokens where nothing was asked', () => {
    expect(answerFacts({ ...answer, text: '', end: 'broken', problem: 'TDX debug mode detected' })).toEqual([
      'guide',
      '20 ms',
    ]);
  });
});
