import { describe, expect, it } from 'vitest';
import { parseJobs, type VideoJob } from './video-jobs';

const job: VideoJob = {
  queueId: '6f9619ff-8b86-4d01-b42d-00c04fc964ff',
  request: { model: 'm', prompt: 'a gate', duration: '5s', aspect_ratio: '16:9' },
  queuedAtMs: 1,
  costUsd: '0.5',
  receivedAtMs: null,
  bytes: 0,
  gone: null,
};

describe('the videos that a browser remembers', () => {
  it('come back as they were', () => {
    const gone = { ...job, gone: { status: 404, sentence: 'There is no such video.', requestId: null, atMs: 2 } };
    expect(parseJobs(JSON.parse(JSON.stringify([job, gone])))).toEqual([job, gone]);
  });

  it.each([
    ['no list', {}],
    ['nothing', null],
  ])('are none where %s was stored', (_, stored) => expect(parseJobs(stored)).toBeNull());

  it.each([
    null,
    7,
    {},
    { ...job, request: null },
    { ...job, queueId: 3 },
    { ...job, bytes: '1' },
    { ...job, gone: {} },
    { ...job, receivedAtMs: 'now' },
  ])('leave out what is not whole: %j', (entry) => {
    expect(parseJobs([entry, job])).toEqual([job]);
  });
});
