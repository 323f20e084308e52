import { describe, expect, it } from 'vitest';
import type { Answer, Conversation } from './conversation';
import { conversationsExport, importConversations } from './conversation-files';

const answer: Answer = {
  text: 'Yes.',
  end: 'whole',
  problem: null,
  modelId: 'm',
  isEncrypted: true,
  conclusion: 'verified',
  signature: { state: 'verified', sentence: 'Signed.' },
  schemaFaults: null,
  promptTokens: 1,
  completionTokens: 1,
  costNanoUsd: 1,
  firstTokenMs: 1,
  totalMs: 1,
};
const turn = { id: 't', question: 'Really?', askedAtMs: 1, answer, files: [{ name: 'a.txt', text: 'x' }] };
const conversation: Conversation = {
  id: 'c',
  title: null,
  createdAtMs: 1,
  updatedAtMs: 5,
  modelId: 'm',
  systemPrompt: '',
  schemaText: '',
  turns: [{ ...turn, before: [[{ ...turn, id: 'u' }]] }],
};
const exported = (...conversations: Conversation[]) => conversationsExport(conversations, 10);

describe('an import of conversations', () => {
  it('gives back what was exported, files and versions included', () => {
    const [back] = importConversations(exported(conversation), [])?.conversations ?? [];
    expect(back).toMatchObject({
      id: 'c',
      updatedAtMs: 5,
      turns: [
        { question: 'Really?', files: turn.files, answer: { text: 'Yes.' }, before: [[{ question: 'Really?' }]] },
      ],
    });
  });

  it('takes nothing for verified that a file says was, in no version', () => {
    const text = JSON.stringify(importConversations(exported(conversation), []));
    expect(text).not.toContain('"verified"');
    expect(text).toContain('nothing about this answer was verified in this browser');
  });

  it('takes no answer for one that fits its schema because a file says so, in no version', () => {
    const faulted = { ...turn, answer: { ...answer, schemaFaults: [] } };
    const claimed = {
      ...conversation,
      turns: [
        { ...faulted, beside: { id: 'b', modelId: 'm', answer: faulted.answer }, before: [[{ ...faulted, id: 'u' }]] },
      ],
    };
    const text = JSON.stringify(importConversations(exported(claimed), []));
    expect(text.match(/"schemaFaults":null/g)).toHaveLength(3);
    expect(text).not.toContain('"schemaFaults":[');
  });

  it('gives turns ids of their own', () => {
    const { turns } = importConversations(exported(conversation), [])?.conversations[0] as Conversation;
    expect(['t', 'u']).not.toContain(turns[0]?.id);
    expect(turns[0]?.before?.[0]?.[0]?.id).not.toBe(turns[0]?.id);
  });

  it('leaves alone what is here as new or newer, and adds a newer one beside', () => {
    expect(importConversations(exported(conversation), [conversation])).toEqual({
      conversations: [],
      knownCount: 1,
      unreadCount: 0,
    });
    const [beside] =
      importConversations(exported({ ...conversation, updatedAtMs: 6 }), [conversation])?.conversations ?? [];
    expect(beside?.id).not.toBe('c');
    expect(
      importConversations(exported(conversation, conversation), [])?.conversations.map(({ id }) => id === 'c'),
    ).toEqual([true, false]);
  });

  it('counts what it cannot read', () => {
    const text = JSON.stringify({
      format: 'turnpike-chats',
      version: 1,
      conversations: [conversation, null, { id: 'x' }, { ...conversation, turns: [{ ...turn, files: 'no' }] }],
    });
    expect(importConversations(text, [])).toMatchObject({ unreadCount: 3, conversations: [{ id: 'c' }] });
  });

  it.each([
    '',
    '{',
    'null',
    '[]',
    '{"conversations": []}',
    '{"format":"other","conversations":[]}',
    '{"format":"turnpike-chats","conversations":{}}',
    '{"__proto__":{"format":"turnpike-chats"}}',
    '🙂'.repeat(1_000),
  ])('refuses %s', (text) => {
    expect(importConversations(text, [])).toBeNull();
  });
});
