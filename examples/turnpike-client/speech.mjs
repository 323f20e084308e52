// Speaks a text.
import { createTurnpike } from 'turnpike-client';
import { speak } from 'turnpike-client/speech';

const { TURNPIKE_URL: url = 'http://localhost:3000', TURNPIKE_API_KEY: account = '' } = process.env;
const speech = await speak(createTurnpike({ url, account }), {
  model: 'tts-kokoro',
  voice: 'af_sky',
  input: 'Hello.',
  response_format: 'mp3',
});
const audio = await speech.bytes();
console.log(`${audio.length} bytes of ${speech.contentType}.`);
