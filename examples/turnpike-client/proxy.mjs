// Any program that speaks OpenAI's API, here its own client, over a local proxy: its chats are verified and encrypted.
import { spawn } from 'node:child_process';
import OpenAI from 'openai';

// TURNPIKE_URL and TURNPIKE_KEY as for the others. The sandbox's enclave is a simulator, which nobody accepts unasked.
const { TURNPIKE_KEY, ...env } = process.env;
const proxy = spawn('npx', ['turnpike-client', 'proxy', '--port', '0', '--json', '--allow-simulated'], {
  env: { ...env, TURNPIKE_API_KEY: TURNPIKE_KEY },
  stdio: ['ignore', 'pipe', 'ignore'],
  detached: true,
});
const [printed] = await proxy.stdout.take(1).toArray();
const { url, token } = JSON.parse(printed);

const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: token });
const chat = await client.chat.completions.create({
  model: 'e2ee-guide',
  messages: [{ role: 'user', content: 'How does staking work?' }],
});
console.log(chat.choices[0].message.content);
// npx stands in between: the whole group is ended with it.
process.kill(-proxy.pid);
