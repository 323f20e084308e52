import { describe, expect, it } from 'vitest';
import type { VideoUpstream } from './upstream';
import { listedModel, videoModel, videoModelEntry } from './video-model';

const upstream = { name: 'videos' } as VideoUpstream;

function entryOf(listed: object) {
  const read = listedModel({ id: 'v', ...listed });
  if (read === null) throw new Error('The entry cannot be read.');
  return videoModelEntry({
    model: videoModel(read, undefined, upstream, { pricePerSecondNanoUsd: 50_000_000 }),
    offline: false,
  });
}

describe('the entry of a video model', () => {
  it('has what every entry has, with the longest prompt for its context and no capability of a chat', () => {
    expect(entryOf({ owned_by: 'somebody', created: 1_700_000_000 })).toMatchObject({
      id: 'v',
      type: 'video',
      object: 'model',
      created: 1_700_000_000,
      owned_by: 'somebody',
      model_spec: {
        availableContextTokens: 2_500,
        capabilities: {
          supportsE2EE: false,
          supportsTeeAttestation: false,
          supportsResponseSchema: false,
          supportsFunctionCalling: false,
          supportsWebSearch: false,
        },
      },
    });
  });

  it.each([undefined, 0, 'yesterday'])('has a date where its upstream has %j for one', (created) =>
    expect(entryOf({ created }).created).toBe(1_795_305_600),
  );
});
