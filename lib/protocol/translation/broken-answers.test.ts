import { expect, test } from 'vitest';
import { BrokenAnswers, textWithoutStream } from './broken-answers';

/** Guarantee: a request without a stream is known to repeat one whose streamed answer has just broken off, once and for seconds. */

test('a repetition is known once, within five seconds, by the request without "stream"', () => {
  let nowMs = 1_000;
  const broken = new BrokenAnswers(() => nowMs);
  const fingerprint = textWithoutStream({ model: 'm', stream: true });
  expect(fingerprint).toBe(textWithoutStream({ model: 'm' }));
  broken.note(fingerprint);
  expect(broken.isRepeated(() => textWithoutStream({ model: 'n', stream: false }))).toBe(false);
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
