import { expect, test } from 'vitest';
import { BrokenAnswers, conversationText } from './broken-answers';

/**
 * Guarantee: for a few seconds after a stream breaks off, the gateway recognizes one repetition of the request without
 * a stream.
 */

test('a repetition is known once, within five seconds, by the conversation', () => {
  let nowMs = 1_000;
  const broken = new BrokenAnswers(() => nowMs);
  const fingerprint = conversationText({ model: 'm', messages: ['Hello'], max_tokens: 128_000, stream: true });
  expect(fingerprint).toBe(conversationText({ model: 'm', messages: ['Hello'], max_tokens: 64_000 }));
  broken.note(fingerprint);
  expect(broken.isRepeated(() => conversationText({ model: 'm', messages: ['Bye'] }))).toBe(false);
  nowMs += 4_999;
  expect([broken.isRepeated(() => fingerprint), broken.isRepeated(() => fingerprint)]).toEqual([true, false]);
  broken.note(fingerprint);
  nowMs += 5_000;
  expect(broken.isRepeated(() => fingerprint)).toBe(false);
});

test('a request is not read where nothing has broken off, and no more than a thousand are remembered', () => {
  const broken = new BrokenAnswers();
  const unread = (): string => {
    throw new Error('It was read.');
  };
  expect(broken.isRepeated(unread)).toBe(false);
  for (let index = 0; index <= 1_000; index++) broken.note(String(index));
  expect([broken.isRepeated(() => '0'), broken.isRepeated(() => '1')]).toEqual([false, true]);
});
