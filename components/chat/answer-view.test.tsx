import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { createReadCache } from '@/lib/browser/reads/read-cache';
import { ReadsProvider } from '@/lib/browser/reads/use-read';
import { AnswerView } from './answer-view';
import type { Answer, Turn } from './conversation';
import type { Chat } from './use-chat';

const answer: Answer = {
  text: 'Yes.',
  end: 'whole',
  problem: null,
  modelId: 'second',
  isEncrypted: false,
  conclusion: null,
  signature: { state: 'none', sentence: '' },
  schemaFaults: null,
  promptTokens: 1,
  completionTokens: 1,
  costNanoUsd: 1,
  firstTokenMs: 1,
  totalMs: 1,
};
const turn: Turn = {
  id: 'a',
  question: 'Is it?',
  askedAtMs: 0,
  answer: { ...answer, modelId: 'first' },
  beside: { id: 'b', modelId: 'second', answer },
};

function retryOf(beside: { model: { id: string } } | null): string {
  const chat = { obstacle: null, running: [], conversation: null, model: { id: 'first' }, beside } as unknown as Chat;
  const markup = renderToStaticMarkup(
    <ReadsProvider value={createReadCache()}>
      <AnswerView chat={chat} turn={turn} side="beside" />
    </ReadsProvider>,
  );
  return /<button[^>]*aria-label="Ask[^>]*>/.exec(markup)?.[0] ?? '';
}

it('asking the second model again names the model that will answer', () => {
  expect(retryOf({ model: { id: 'second' } })).toContain('Ask second again');
  expect(retryOf({ model: { id: 'third' } })).toContain('Ask third again');
  expect(retryOf({ model: { id: 'third' } })).not.toContain('disabled=""');
});

it('the second model cannot be asked again once no second model is chosen', () =>
  expect(retryOf(null)).toContain('disabled=""'));
