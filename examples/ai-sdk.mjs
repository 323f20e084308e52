// Streams a chat through the AI SDK.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { streamText } from 'ai';

const { TURNPIKE_URL = 'http://localhost:3000', TURNPIKE_API_KEY = '', MODEL = 'guide' } = process.env;

const turnpike = createOpenAICompatible({
  name: 'turnpike',
  baseURL: `${TURNPIKE_URL}/api/v1`,
  apiKey: TURNPIKE_API_KEY,
  includeUsage: true,
});
const { fullStream, usage } = streamText({
  model: turnpike(MODEL),
  prompt: 'What does a JSON-RPC call cost?',
  onError() {},
});
for await (const part of fullStream) {
  // Errors are parts of fullStream. textStream would end early without an error.
  if (part.type === 'error') throw part.error;
  if (part.type === 'text-delta') process.stdout.write(part.text);
}
console.log(`\n\n${(await usage).totalTokens} tokens.`);
