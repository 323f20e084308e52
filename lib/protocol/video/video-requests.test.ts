import { describe, expect, it } from 'vitest';
import { videoCompleteSchema, videoQueueSchema } from './video-requests';

const good = { model: 'm', prompt: 'x' };
const fields = (body: object): string[] => [
  ...new Set(videoQueueSchema.safeParse(body).error?.issues.map(({ path }) => path.join('.')) ?? []),
];

describe('a request for a video', () => {
  it.each<[string, object]>([
    ['one character', good],
    ['2,500 code points of two units each', { ...good, prompt: '🦄'.repeat(2_500) }],
    ['white space, controls but for NUL, right-to-left marks', { ...good, prompt: ' \t\n\u0001\u202e\u200f' }],
    [
      'everything',
      { ...good, negative_prompt: '', duration: '999s', aspect_ratio: '21:9', resolution: '4k', seed: 0xffff_ffff },
    ],
  ])('with %s is good', (_name, body) => {
    expect(fields(body)).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['2,501 code points', { ...good, prompt: '🦄'.repeat(2_501) }, 'prompt'],
    ['2,501 units', { ...good, prompt: 'x'.repeat(2_501) }, 'prompt'],
    ['millions of units', { ...good, prompt: 'x'.repeat(3_000_000) }, 'prompt'],
    ['nothing', { ...good, prompt: '' }, 'prompt'],
    ['NUL', { ...good, prompt: 'a\0' }, 'prompt'],
    ['a high surrogate alone', { ...good, prompt: 'a\ud83e' }, 'prompt'],
    ['a low surrogate alone', { ...good, negative_prompt: '\udd84a' }, 'negative_prompt'],
    ['a duration of 0', { ...good, duration: '0s' }, 'duration'],
    ['a duration in minutes', { ...good, duration: '1m' }, 'duration'],
    ['a ratio of one number', { ...good, aspect_ratio: '16' }, 'aspect_ratio'],
    ['a seed of text', { ...good, seed: '1' }, 'seed'],
  ])('with %s is not', (_name, body, field) => {
    expect(fields(body)).toEqual([field]);
  });

  it('drops what it does not know', () => {
    expect(videoQueueSchema.parse({ ...good, audio: true })).toEqual(good);
  });

  it('reads a queue_id in any case as one', () => {
    const id = '2F0E7D1C-93b8-4a5e-8c1f-6f0b6c0f7a11';
    expect(videoCompleteSchema.parse({ model: 'm', queue_id: id }).queue_id).toBe(id.toLowerCase());
  });
});
