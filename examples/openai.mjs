// Streams a chat through OpenAI's client.
import OpenAI from 'openai';

const { TURNPIKE_URL = 'http://localhost:3000', TURNPIKE_API_KEY = '', MODEL = 'guide' } = process.env;

const client = new OpenAI({ baseURL: `${TURNPIKE_URL}/api/v1`, apiKey: TURNPIKE_API_KEY });
const stream = await client.chat.completions.create({
  model: MODEL,
  messages: [{ role: 'user', content: 'What does a JSON-RPC call cost?' }],
  stream: true,
  stream_options: { include_usage: true },
});
for await (const { choices, usage } of stream) {
  process.stdout.write(choices[0]?.delta.content ?? '');
  if (usage) console.log(`\n\n${usage.total_tokens} tokens.`);
}
