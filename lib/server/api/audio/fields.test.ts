import { expect, it } from 'vitest';
import { scriptedSpeech } from '@/test/scripted-speech';
import { speechGateway } from '@/test/speech-gateway';

it('nothing reaches a server of speech but what was understood and charged: no repetition, no variant of a name, nothing unknown', async () => {
  const server = await scriptedSpeech();
  const { ask, charges } = await speechGateway({ upstreams: [{ name: 'test', url: server.url, key: 'k' }] });
  const bodies = [
    '{"input":"Hi.","Input":"A much longer text.","\u0130nput":"x","\u017fpeed":4,"Speed":4,"response_format":"wav","n":9,"Model":"other","voice":"af_sky","Voice":"other"}',
    '{"input":"A much longer text.","\\u0069nput":"Hi.","response_format":"mp3","response_format":"wav"}',
  ];
  for (const body of bodies) {
    expect((await ask(body)).status).toBe(200);
    expect(server.asked.at(-1)?.body).toEqual({
      model: 'tts-kokoro',
      input: 'Hi.',
      voice: 'af_sky',
      response_format: 'wav',
    });
  }
  expect((await charges()).map(({ detail }) => detail)).toEqual(['3 characters', '3 characters']);
});
