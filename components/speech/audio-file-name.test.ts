import { expect, it } from 'vitest';
import { audioFileName } from './kept-recordings';

const request = { model: 'tts-kokoro', voice: 'af_sky', input: '', response_format: 'mp3' } as const;

it('has the ending of what it is: as it came, or as it was joined', () => {
  expect(audioFileName(request, 'audio/mpeg')).toBe('tts-kokoro-af_sky.mp3');
  expect(audioFileName(request, 'audio/wav')).toBe('tts-kokoro-af_sky.wav');
  expect(audioFileName({ ...request, response_format: 'opus' }, 'audio/ogg; codecs=opus')).toBe(
    'tts-kokoro-af_sky.opus',
  );
  expect(audioFileName(request, '')).toBe('tts-kokoro-af_sky.mp3');
});

it('holds nothing that leads out of a folder', () => {
  expect(audioFileName({ ...request, voice: 'vv_../../\u202E/x' }, 'audio/mpeg')).toBe('tts-kokoro-vv_.._.._x.mp3');
});
