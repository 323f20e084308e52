import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime';
import type { ContextType } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';
import { createReadCache } from '@/lib/browser/reads/read-cache';
import { ReadsProvider } from '@/lib/browser/reads/use-read';
import { AnswerView } from './answer-view';
import type { Answer, Turn } from './conversation';
import Markdown from './markdown';
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

afterEach(() => void vi.unstubAllGlobals());

it.each([
  ['/rpc', true],
  ['https://h.example/rpc', true],
  ['/rpc?body=x', false],
  ['https://h.example/rpc?body=x', false],
  ['http://h.example/rpc?body=x', false],
  ['HTTPS://user@H.example:443/rpc#body=x', false],
])('a link of an answer to %s of this console opens only a page, without a query', (href, isLink) => {
  vi.stubGlobal('window', { location: { host: 'h.example' } });
  const markup = renderToStaticMarkup(
    <AppRouterContext value={{} as ContextType<typeof AppRouterContext>}>
      <Markdown text={`[a](${href})`} />
    </AppRouterContext>,
  );
  expect(/<a [^>]*>/.exec(markup)?.[0] ?? null).toEqual(isLink ? expect.stringContaining('href="/rpc"') : null);
});

it('a link of an answer to another site keeps its query', () => {
  vi.stubGlobal('window', { location: { host: 'h.example' } });
  expect(renderToStaticMarkup(<Markdown text="<https://x.example/rpc?body=x>" />)).toContain(
    'https://x.example/rpc?body=x',
  );
});
