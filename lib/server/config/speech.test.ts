import { describe, expect, it } from 'vitest';
import { Faults } from './faults';
import { speechConfig, speechSchema } from './speech';

const faultsOf = (speech: object): string[] =>
  (speechSchema.safeParse(speech).error?.issues ?? []).map(({ path }) => path.join('.'));

describe('the settings of speech', () => {
  it('take an upstream from the environment alone, before those of the file, with its key out of sight', () => {
    const file = speechSchema.parse({ upstreams: [{ name: 'other', url: 'http://b.example/v1' }] });
    const { upstreams } = speechConfig(
      file,
      { SPEECH_UPSTREAM_URL: 'http://a.example/v1/', SPEECH_UPSTREAM_KEY: 'secret' },
      new Faults(),
    );
    expect(upstreams.map(({ name, url }) => [name, url])).toEqual([
      ['speech', 'http://a.example/v1'],
      ['other', 'http://b.example/v1'],
    ]);
    expect(JSON.stringify(upstreams)).not.toContain('secret"');
    expect(upstreams[0]?.key?.reveal()).toBe('secret');
  });

  it('name a variable that is no URL', () => {
    const faults = new Faults();
    speechConfig(speechSchema.parse({}), { SPEECH_UPSTREAM_URL: 'nonsense' }, faults);
    expect(faults.keys()).toEqual(['SPEECH_UPSTREAM_URL']);
  });

  it.each([
    [{ upstreams: [{ name: 'a', url: 'http://a', formats: ['mp3'] }] }, 'upstreams.0.formats'],
    [{ upstreams: [{ name: 'a', url: 'ftp://a' }] }, 'upstreams.0.url'],
    [
      {
        upstreams: [
          { name: 'a', url: 'http://a' },
          { name: 'a', url: 'http://b' },
        ],
      },
      'upstreams.1.name',
    ],
    [{ handles: { cv_1: 'tts-kokoro' } }, 'handles.cv_1'],
    [{ handles: { vv_1: 'tts-other' } }, 'handles.vv_1'],
    [{ models: { 'tts-kokoro': { upstream: 'nowhere' } } }, 'models.tts-kokoro.upstream'],
    [{ models: { 'tts-kokoro': { voices: ['a'], defaultVoice: 'b' } } }, 'models.tts-kokoro.defaultVoice'],
    [{ models: { 'tts-kokoro': { usdPerMillionCharacters: '-1' } } }, 'models.tts-kokoro.usdPerMillionCharacters'],
    [{ models: { 'tts-kokoro': { engine: 'a\nb' } } }, 'models.tts-kokoro.engine'],
  ])('%j are refused by path', (speech, path) => {
    expect(faultsOf(speech)).toEqual([path]);
  });
});
