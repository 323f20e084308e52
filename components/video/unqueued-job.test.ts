import { expect, it } from 'vitest';
import { parseUnqueuedVideo } from './unqueued-job';

const video = {
  idempotencyKey: 'k',
  request: { model: 'm', prompt: 'a gate', duration: '5s', aspect_ratio: '16:9' },
  costUsd: '0.5',
  error: null,
};

it('what waits comes back as it was, with why it was refused', () => {
  for (const error of [null, { kind: 'unreachable', baseUrl: 'http://gateway.example', hasBegun: true }])
    expect(parseUnqueuedVideo({ ...video, error })).toEqual({ ...video, error });
});

it.each([null, 7, [], {}, { ...video, idempotencyKey: 1 }, { ...video, request: { prompt: 'x' } }])(
  'a malformed job is ignored: %j',
  (stored) => {
    expect(parseUnqueuedVideo(stored)).toBeNull();
  },
);
