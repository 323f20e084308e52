import { describe, expect, it } from 'vitest';
import type { Answer, Conversation } from './conversation';
import { conversationMarkdown } from './conversation-files';

const answer: Answer = {
  text: 'It is **42**.\n',
  end: 'whole',
  problem: null,
  modelId: 'echo',
  isEncrypted: false,
  conclusion: null,
  signature: { state: 'none', sentence: '' },
  schemaFaults: null,
  promptTokens: null,
  completionTokens: null,
  costNanoUsd: null,
  firstTokenMs: null,
  totalMs: 1,
};
const conversation = (changes: Partial<Conversation>): Conversation => ({
  id: 'c',
  title: 'Figures',
  createdAtMs: 0,
  updatedAtMs: 0,
  modelId: null,
  systemPrompt: '',
  schemaText: '',
  turns: [],
  ...changes,
});

describe('a conversation as Markdown', () => {
  it('has each question as a quotation and each answer as it was written', () => {
    const text = conversationMarkdown(
      conversation({
        systemPrompt: 'Be short.',
        turns: [{ id: 't', question: 'What is it?\n# not a heading', askedAtMs: 0, answer }],
      }),
    );
    expect(text).toBe(
      '# Figures\n\n## System\n\n> Be short.\n\n## You\n\n> What is it?\n> # not a heading\n\n## echo\n\nIt is **42**.\n',
    );
  });

  it('says what went wrong, and that there was no answer', () => {
    const text = conversationMarkdown(
      conversation({
        turns: [
          {
            id: 't',
            question: 'Why?',
            askedAtMs: 0,
            answer: { ...answer, text: '', problem: 'The answer broke off.' },
          },
        ],
      }),
    );
    expect(text).toBe('# Figures\n\n## You\n\n> Why?\n\n## echo\n\n*No answer.*\n\n*The answer broke off.*\n');
  });

  it('ends with a question that has no answer yet', () => {
    expect(
      conversationMarkdown(
        conversation({ turns: [{ id: 't', question: 'Still there?', askedAtMs: 0, answer: null }] }),
      ),
    ).toBe('# Figures\n\n## You\n\n> Still there?\n');
  });
});
