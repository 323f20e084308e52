// Runs a local proxy that verifies and encrypts chats. Any program with OpenAI's API can use it, here OpenAI's client.
import { spawn } from 'node:child_process';
import OpenAI from 'openai';

// Reads TURNPIKE_URL and TURNPIKE_API_KEY like the other examples. The sandbox's enclave is simulated, which the client
// accepts only with a flag.
const proxy = spawn('npx', ['turnpike-client', 'proxy', '--port', '0', '--json', '--allow-simulated'], {
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
// Kills the group, because npx runs between this process and the proxy.
process.kill(-proxy.pid);
