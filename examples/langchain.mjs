// Streams a chat through LangChain.
import { ChatOpenAI } from '@langchain/openai';

const { TURNPIKE_URL = 'http://localhost:3000', TURNPIKE_API_KEY = '', MODEL = 'guide' } = process.env;

const model = new ChatOpenAI({
  model: MODEL,
  apiKey: TURNPIKE_API_KEY,
  streamUsage: true,
  maxRetries: 0,
  configuration: { baseURL: `${TURNPIKE_URL}/api/v1` },
});
let answer;
for await (const chunk of await model.stream('What does a JSON-RPC call cost?')) {
  process.stdout.write(chunk.text);
  answer = answer === undefined ? chunk : answer.concat(chunk);
}
console.log(`\n\n${answer.usage_metadata.total_tokens} tokens.`);
