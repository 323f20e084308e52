import { afterEach, expect, it, vi } from 'vitest';
import { KeptItems } from './kept-items';

/** Guarantee: the newest answer items stay for an hour within the size limit, and no longer. */

const message = (id: string, text = 'Hi') => ({
  type: 'message',
  id,
  role: 'assistant',
  content: [{ type: 'output_text', text }],
});
afterEach(() => void vi.useRealTimers());

it('keeps the items of a response, and nothing of what is none', () => {
  const kept = new KeptItems();
  kept.keep({
    output: [
      message('msg_1'),
      { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'look', arguments: '{}' },
      { type: 'message' },
      'x',
    ],
  });
  for (const value of [undefined, null, 'x', {}, { output: 5 }]) kept.keep(value);
  expect([kept.find('msg_1'), kept.find('fc_1'), kept.find('msg_2'), kept.find('undefined')]).toMatchObject([
    message('msg_1'),
    { call_id: 'c' },
    null,
    null,
  ]);
});

it('keeps the newest within its bound', () => {
  const kept = new KeptItems(1_000);
  for (let n = 0; n < 50; n++) kept.keep({ output: [message(`msg_${n}`, 'x'.repeat(100))] });
  expect([kept.find('msg_0'), kept.find('msg_40')]).toEqual([null, null]);
  expect(kept.find('msg_49')).not.toBeNull();
  kept.keep({ output: [message('msg_long', 'x'.repeat(2_000))] });
  expect([kept.find('msg_long'), kept.find('msg_49')]).toEqual([null, null]);
});

it('keeps them for an hour', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const kept = new KeptItems();
  kept.keep({ output: [message('msg_1')] });
  vi.advanceTimersByTime(3_599_000);
  expect(kept.find('msg_1')).not.toBeNull();
  vi.advanceTimersByTime(2_000);
  expect(kept.find('msg_1')).toBeNull();
});
