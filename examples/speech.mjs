// Writes speech into a file while the gateway still generates it.
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import OpenAI from 'openai';

const { TURNPIKE_URL = 'http://localhost:3000', TURNPIKE_API_KEY = '', OUT = 'speech.mp3' } = process.env;

const client = new OpenAI({ baseURL: `${TURNPIKE_URL}/api/v1`, apiKey: TURNPIKE_API_KEY });
const speech = await client.audio.speech.create({
  model: 'tts-kokoro',
  voice: 'af_sky',
  input: 'Hello. This was paid by the character.',
});
await pipeline(speech.body, createWriteStream(OUT));
console.log(`Spoken into ${OUT}.`);
